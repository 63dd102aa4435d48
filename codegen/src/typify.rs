//! Has typify declare the plain shapes: model in, items out.
//!
//! typify sees one definition at a time, and in it only what it is good at: which members are
//! optional, and what is a list, a map, a string or a number. Names are ours, since typify lets two
//! that look alike collide; so are unions and raw JSON, which it gets wrong. All of those it sees as
//! opaque names, which are put in afterwards. Nothing else in this crate knows that typify exists.

use std::panic::{AssertUnwindSafe, catch_unwind};

use schemars::schema::Schema;
use serde_json::{Map, Value, json};
use syn::visit_mut::{VisitMut, visit_type_mut};
use syn::{Attribute, Fields, Item, Type as RustType, parse_quote};
use typify_impl::{TypeSpace, TypeSpaceImpl, TypeSpaceSettings};

use crate::emit::names::Names;
use crate::error::{Error, Result};
use crate::model::{Bounds, Definition, Presence, Revision, Shape, Struct, Type};

/// The declarations of a struct or of an enumeration of strings.
///
/// # Errors
/// If typify panics, or gives something else than one type.
pub fn declare(revision: &Revision, names: &Names, definition: &Definition) -> Result<Item> {
    let fail = |message: String| {
        Error::new(&revision.version, &definition.pointer, message, "lower it to something plainer in typify.rs")
    };
    let mut leaves = Leaves { names, types: Vec::new() };
    let schema = match &definition.shape {
        Shape::Struct(shape) => leaves.object(shape),
        Shape::Enum(values) => {
            json!({"type": "string", "enum": (0..values.len()).map(|at| format!("V{at:05}")).collect::<Vec<_>>()})
        }
        _ => return Err(fail("neither a struct nor an enumeration".to_owned())),
    };
    let types = leaves.types;
    let tokens = catch_unwind(AssertUnwindSafe(|| expand(schema, types.len())))
        .map_err(|_| fail(format!("typify panicked on `{}`", definition.ident)))?
        .map_err(fail)?;
    let file: syn::File = syn::parse2(tokens).map_err(|error| fail(error.to_string()))?;
    let mut item = file
        .items
        .into_iter()
        .find(|item| matches!(item, Item::Struct(syn::ItemStruct { ident, .. }) | Item::Enum(syn::ItemEnum { ident, .. }) if ident == "T"))
        .ok_or_else(|| fail(format!("typify declared nothing for `{}`", definition.ident)))?;
    Polish { names, types: &types }.visit_item_mut(&mut item);
    dress(&mut item, names, definition);
    Ok(item)
}

/// Runs typify on one definition called `T`, in which `L0`, `L1` … stand for types of ours.
fn expand(schema: Value, leaves: usize) -> std::result::Result<proc_macro2::TokenStream, String> {
    let mut settings = TypeSpaceSettings::default();
    let mut definitions: Vec<(String, Schema)> = Vec::new();
    let read = |schema: Value| serde_json::from_value(schema).map_err(|error| error.to_string());
    for leaf in 0..leaves {
        let name = format!("L{leaf}");
        settings.with_replacement(&name, &name, std::iter::empty::<TypeSpaceImpl>());
        definitions.push((name, read(json!({"type": "object"}))?));
    }
    definitions.push(("T".to_owned(), read(schema)?));
    let mut space = TypeSpace::new(&settings);
    space.add_ref_types(definitions).map_err(|error| error.to_string())?;
    Ok(space.to_stream())
}

/// The types that typify only sees by number.
struct Leaves<'a> {
    names: &'a Names,
    types: Vec<String>,
}

impl Leaves<'_> {
    fn object(&mut self, shape: &Struct) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for (at, field) in shape.fields.iter().enumerate().filter(|(_, field)| !field.is_constant()) {
            let name = format!("p{at:05}");
            let nullable = field.presence == Presence::RequiredNullable;
            let mut schema = self.schema(&field.ty);
            if field.presence == Presence::Optional || nullable {
                // As nullable, an empty list stays apart from an absent one.
                if let Some(kind @ ("array" | "object")) = schema["type"].as_str() {
                    schema["type"] = json!([kind, "null"]);
                }
                if nullable && schema.get("$ref").is_some() {
                    schema = self.leaf(&Type::Nullable(Box::new(field.ty.clone())));
                } else if nullable && let Some(kind) = schema["type"].as_str() {
                    schema["type"] = json!([kind, "null"]);
                }
            }
            if field.presence != Presence::Optional {
                required.push(name.clone());
            }
            properties.insert(name, schema);
        }
        if let Some(rest) = &shape.rest {
            // typify sorts members by name: this one comes last.
            properties.insert("rest".to_owned(), self.leaf(&Type::Map(Box::new(rest.clone()))));
            required.push("rest".to_owned());
        }
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    }

    fn schema(&mut self, ty: &Type) -> Value {
        match ty {
            Type::String => json!({"type": "string"}),
            Type::Boolean => json!({"type": "boolean"}),
            Type::Integer(bounds) => {
                json!({"type": "integer", "format": if is_unsigned(bounds) { "uint64" } else { "int64" }})
            }
            Type::Array(items, _) => json!({"type": "array", "items": self.schema(items)}),
            Type::Map(values) => json!({"type": "object", "additionalProperties": self.schema(values)}),
            ty => self.leaf(ty),
        }
    }

    fn leaf(&mut self, ty: &Type) -> Value {
        let rust = self.names.rust_type(ty);
        let at = self.types.iter().position(|other| *other == rust).unwrap_or_else(|| {
            self.types.push(rust);
            self.types.len() - 1
        });
        json!({"$ref": format!("#/definitions/L{at}")})
    }
}

/// Whether a whole number can't be negative.
pub fn is_unsigned(bounds: &Bounds) -> bool {
    bounds.minimum.is_some_and(|minimum| minimum >= 0.0)
}

/// Puts our types in for numbers, and shortens paths.
struct Polish<'a> {
    names: &'a Names,
    types: &'a [String],
}

impl VisitMut for Polish<'_> {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.clear();
    }

    fn visit_type_mut(&mut self, ty: &mut RustType) {
        visit_type_mut(self, ty);
        let RustType::Path(path) = ty else { return };
        let Some(last) = path.path.segments.last().cloned() else { return };
        let name = last.ident.to_string();
        let replaced =
            match name.strip_prefix('L').and_then(|at| at.parse::<usize>().ok()).and_then(|at| self.types.get(at)) {
                Some(ours) => syn::parse_str(ours).ok(),
                None if path.path.segments.len() > 1 => match &last.arguments {
                    syn::PathArguments::AngleBracketed(arguments) => {
                        let inner: Vec<_> =
                            arguments.args.iter().map(|argument| quote::quote!(#argument).to_string()).collect();
                        let rust = match (name.as_str(), inner.as_slice()) {
                            ("HashMap", [_, value]) => format!("{}<{value}>", self.names.ours("Map")),
                            (name, inner) => format!("{}<{}>", self.names.std(name), inner.join(", ")),
                        };
                        syn::parse_str(&rust).ok()
                    }
                    _ => syn::parse_str(&self.names.std(&name)).ok(),
                },
                None => None,
            };
        if let Some(replaced) = replaced {
            *ty = replaced;
        }
    }
}

/// Gives a declaration its name, its docs and its derives.
fn dress(item: &mut Item, names: &Names, definition: &Definition) {
    let ident = quote::format_ident!("{}", definition.ident);
    let mut attributes = docs(&definition.docs);
    match (item, &definition.shape) {
        (Item::Struct(item), Shape::Struct(shape)) => {
            let default =
                match shape.fields.iter().all(|field| field.is_constant() || field.presence == Presence::Optional) {
                    true => quote::quote!(, Default),
                    false => quote::quote!(),
                };
            attributes.push(parse_quote!(#[derive(Clone, Debug, PartialEq #default)]));
            item.ident = ident;
            item.attrs = attributes;
            name_fields(&mut item.fields, shape);
        }
        (Item::Enum(item), Shape::Enum(values)) => {
            attributes.push(parse_quote!(#[derive(Clone, Debug, PartialEq, Eq, Hash)]));
            item.ident = ident;
            item.attrs = attributes;
            for (variant, value) in item.variants.iter_mut().zip(values) {
                variant.ident = quote::format_ident!("{}", value.ident);
                variant.attrs = docs(&format!("`{}` on the wire.", value.wire));
            }
            let string: Option<RustType> = syn::parse_str(&names.std("String")).ok();
            item.variants.push(parse_quote!(
                /// A value that this revision doesn't know, kept as it came.
                Unknown(#string)
            ));
        }
        _ => {}
    }
}

fn name_fields(fields: &mut Fields, shape: &Struct) {
    for field in fields.iter_mut() {
        let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
        match name.strip_prefix('p').and_then(|at| at.parse::<usize>().ok()).and_then(|at| shape.fields.get(at)) {
            Some(known) => {
                field.ident = Some(quote::format_ident!("{}", known.ident));
                field.attrs = docs(&known.docs);
            }
            None => {
                field.ident = Some(quote::format_ident!("extra"));
                field.attrs = docs("Members that this revision doesn't name.");
            }
        }
    }
}

fn docs(text: &str) -> Vec<Attribute> {
    text.lines()
        .filter(|_| !text.is_empty())
        .map(|line| {
            let line = format!(" {line}");
            parse_quote!(#[doc = #line])
        })
        .collect()
}
