//! How types are written in generated code, given which names the revision takes for itself.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit_mut::VisitMut;

use crate::model::{Revision, Shape, Type};
use crate::typify::is_unsigned;

/// The identifiers of a revision, and what they shadow.
pub struct Names {
    idents: BTreeMap<String, String>,
    aliases: BTreeMap<String, Type>,
    taken: BTreeSet<String>,
    /// What stands before a type of the revision.
    prefix: &'static str,
}

impl Names {
    /// The names of a revision, seen from inside the module that declares them.
    pub fn new(revision: &Revision) -> Self {
        let idents: BTreeMap<_, _> =
            revision.definitions.iter().map(|(name, definition)| (name.clone(), definition.ident.clone())).collect();
        let aliases = revision.definitions.iter().filter_map(|(name, definition)| match &definition.shape {
            Shape::Alias(ty) => Some((name.clone(), ty.clone())),
            _ => None,
        });
        Self { taken: idents.values().cloned().collect(), aliases: aliases.collect(), idents, prefix: "" }
    }

    /// The same names, seen from a module beside the one that declares them.
    pub fn beside(revision: &Revision) -> Self {
        Self { prefix: "super::", taken: BTreeSet::new(), ..Self::new(revision) }
    }

    /// The path of a definition.
    pub fn path(&self, name: &str) -> String {
        format!("{}{}", self.prefix, self.idents.get(name).map_or(name, String::as_str))
    }

    /// A type of the standard library's prelude: short, unless the revision has one of that name.
    pub fn std(&self, name: &str) -> String {
        let module = match name {
            "Option" => "option",
            "Vec" => "vec",
            "String" => "string",
            "Box" => "boxed",
            _ => return name.to_owned(),
        };
        match self.taken.contains(name) {
            true => format!("std::{module}::{name}"),
            false => name.to_owned(),
        }
    }

    /// A type of this crate's root: short, unless the revision has one of that name.
    pub fn ours(&self, name: &str) -> String {
        match self.taken.contains(name) {
            true => format!("crate::{name}"),
            false => name.to_owned(),
        }
    }

    /// The code with imports of those types of this crate that it names by their short names.
    pub fn with_imports(&self, code: &str) -> String {
        let mut heads = Heads(BTreeSet::new());
        if let Ok(mut file) = syn::parse_file(code) {
            heads.visit_file_mut(&mut file);
        }
        let ours = ["Json", "JsonObject", "Map", "Number"].into_iter();
        let used: Vec<&str> = ours.filter(|name| self.ours(name) == *name && heads.0.contains(*name)).collect();
        // Docs of the module stay first.
        let at = code.find("mod constructors;").unwrap_or(0);
        match used.as_slice() {
            [] => code.to_owned(),
            used => format!("{}use crate::{{{}}};\n{}", &code[..at], used.join(", "), &code[at..]),
        }
    }

    /// The type in Rust.
    pub fn rust_type(&self, ty: &Type) -> String {
        let generic = |name: String, inner: &Type| format!("{name}<{}>", self.rust_type(inner));
        match ty {
            Type::Any | Type::Inline(_) | Type::AllOf(_) | Type::Literal(_) => self.ours("Json"),
            Type::Object => self.ours("JsonObject"),
            Type::String => self.std("String"),
            Type::Boolean => "bool".to_owned(),
            Type::Null => "()".to_owned(),
            Type::Integer(bounds) if is_unsigned(bounds) => "u64".to_owned(),
            Type::Integer(_) => "i64".to_owned(),
            Type::Number(_) => self.ours("Number"),
            Type::Array(items, _) => generic(self.std("Vec"), items),
            Type::Map(values) if **values == Type::Any => self.ours("Map"),
            Type::Map(values) => generic(self.ours("Map"), values),
            Type::Named(name) => self.path(name),
            Type::Nullable(inner) => generic(self.std("Option"), inner),
            Type::Boxed(inner) => generic(self.std("Box"), inner),
        }
    }

    /// What a name stands for, through aliases.
    pub fn concrete<'t>(&'t self, mut ty: &'t Type) -> &'t Type {
        for _ in 0..=self.aliases.len() {
            match ty {
                Type::Named(name) => match self.aliases.get(name) {
                    Some(target) => ty = target,
                    None => return ty,
                },
                ty => return ty,
            }
        }
        ty
    }

    /// An expression that reads the type and that `Decode` alone doesn't give; `None` if it does.
    pub fn reader(&self, ty: &Type) -> Option<String> {
        match self.concrete(ty) {
            Type::Integer(bounds)
                if bounds.maximum.is_some() || bounds.minimum.is_some_and(|minimum| minimum != 0.0) =>
            {
                Some(bounded(bounds.minimum, bounds.maximum))
            }
            Type::Number(bounds) if bounds.minimum.is_some() || bounds.maximum.is_some() => {
                Some(bounded(bounds.minimum, bounds.maximum))
            }
            Type::Array(items, lengths) => {
                let items = self.reader(items);
                if items.is_none() && lengths.minimum.is_none() && lengths.maximum.is_none() {
                    return None;
                }
                let items = items.unwrap_or_else(|| "Decode::decode".to_owned());
                Some(format!("|reader| decode::list(reader, {:?}, {:?}, {items})", lengths.minimum, lengths.maximum))
            }
            Type::Map(values) => self.reader(values).map(|values| format!("|reader| decode::map(reader, {values})")),
            Type::Nullable(inner) => {
                self.reader(inner).map(|inner| format!("|reader| decode::nullable(reader, {inner})"))
            }
            Type::Boxed(inner) => self.reader(inner).map(|inner| format!("|reader| decode::boxed(reader, {inner})")),
            _ => None,
        }
    }
}

fn bounded(minimum: Option<f64>, maximum: Option<f64>) -> String {
    format!("|reader| decode::within(reader, {minimum:?}, {maximum:?})")
}

/// The names with which paths in the code begin.
struct Heads(BTreeSet<String>);

impl VisitMut for Heads {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if path.leading_colon.is_none() {
            self.0.extend(path.segments.first().map(|head| head.ident.to_string()));
        }
        syn::visit_mut::visit_path_mut(self, path);
    }
}
