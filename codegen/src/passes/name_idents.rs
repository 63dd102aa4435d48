//! Gives everything a name in Rust: valid, unique where it stands, and the same on every run.

use std::collections::BTreeSet;

use heck::{ToSnakeCase, ToUpperCamelCase};

use crate::decisions::Decisions;
use crate::error::Result;
use crate::model::{JsonKind, Revision, Shape, Struct, Tree, Type, Union};

/// After this pass every definition, member, value and arm has an identifier.
///
/// # Errors
/// None today.
pub(super) fn run(mut revision: Revision, _: &Decisions) -> Result<Revision> {
    // Names of ours in the same module come first.
    let mut taken: BTreeSet<String> = ["METHODS", "MethodResult", "Protocol"].map(str::to_owned).into();
    // A definition whose name can stay as it is keeps it, whatever comes before it.
    let valid: BTreeSet<String> =
        revision.definitions.keys().filter(|name| type_ident(name) == **name).cloned().collect();
    for (name, definition) in &mut revision.definitions {
        let mut taken_here = taken.clone();
        taken_here.extend(valid.iter().filter(|other| *other != name).cloned());
        definition.ident = unique(type_ident(name), &taken_here);
        taken.insert(definition.ident.clone());
    }
    let before = revision.clone();
    for definition in revision.definitions.values_mut() {
        match &mut definition.shape {
            Shape::Struct(shape) => name_fields(shape),
            Shape::Enum(values) => {
                let mut taken = BTreeSet::from(["Unknown".to_owned()]);
                for value in values {
                    value.ident = unique(variant_ident(&value.wire), &taken);
                    taken.insert(value.ident.clone());
                }
            }
            Shape::Union(union) => name_arms(&before, union),
            Shape::Alias(_) | Shape::Constant(_) => {}
        }
    }
    Ok(revision)
}

fn name_fields(shape: &mut Struct) {
    let mut taken = BTreeSet::from(["extra".to_owned()]);
    // A member whose name can stay as it is keeps it, whatever comes before it.
    for exact in [true, false] {
        for field in &mut shape.fields {
            let ident = field_ident(&field.wire_name);
            if (ident == field.wire_name) == exact {
                field.ident = unique(ident, &taken);
                taken.insert(field.ident.clone());
            }
        }
    }
}

fn name_arms(revision: &Revision, union: &mut Union) {
    let tags = tags(union);
    let names: Vec<String> = union
        .arms
        .iter()
        .map(|arm| match &arm.ty {
            Type::Named(name) => revision.definitions[name].ident.clone(),
            Type::Boxed(inner) => {
                inner.names().first().map(|name| revision.definitions[*name].ident.clone()).unwrap_or_default()
            }
            _ => String::new(),
        })
        .collect();
    let short = without_common_words(&names);
    let one_or_many = union.arms.len() == 2
        && matches!((&union.arms[0].ty, &union.arms[1].ty), (Type::Named(one), Type::Array(many, _)) if **many == Type::Named(one.clone()));
    let mut taken = BTreeSet::from(["Unknown".to_owned()]);
    for (at, arm) in union.arms.iter_mut().enumerate() {
        let ident = if one_or_many {
            ["One", "Many"][at].to_owned()
        } else if let Some(tag) = tags.get(at).and_then(Option::as_ref) {
            variant_ident(tag)
        } else if !short[at].is_empty() {
            variant_ident(&short[at])
        } else {
            kind_ident(&arm.ty).to_owned()
        };
        arm.ident = unique(ident, &taken);
        taken.insert(arm.ident.clone());
    }
}

/// The tag of each arm, where each has just one and the tag isn't a method's name.
fn tags(union: &Union) -> Vec<Option<String>> {
    let mut tags = vec![None; union.arms.len()];
    match &union.tree {
        Some(Tree::Tag { path, cases, .. }) if path.as_slice() != ["method"] && path.as_slice() != ["resultType"] => {
            for (value, tree) in cases {
                match tree {
                    Tree::Arm(at) if tags[*at].is_none() => tags[*at] = Some(value.clone()),
                    _ => return Vec::new(),
                }
            }
            tags
        }
        _ => Vec::new(),
    }
}

/// Names without the words that all end or begin with, unless nothing would be left of one.
fn without_common_words(names: &[String]) -> Vec<String> {
    let words: Vec<Vec<String>> =
        names.iter().map(|name| name.to_snake_case().split('_').map(str::to_owned).collect()).collect();
    let named: Vec<&Vec<String>> =
        words.iter().zip(names).filter(|(_, name)| !name.is_empty()).map(|(words, _)| words).collect();
    if named.len() < 2 {
        return names.to_vec();
    }
    let shortest = named.iter().map(|words| words.len()).min().unwrap_or(0);
    let common = (0..shortest)
        .take_while(|at| named.iter().all(|words| words[words.len() - 1 - at] == named[0][named[0].len() - 1 - at]))
        .count();
    let common = common.min(shortest.saturating_sub(1));
    names
        .iter()
        .zip(&words)
        .map(|(name, words)| match name.is_empty() {
            true => String::new(),
            false => words[..words.len() - common].join("_").to_upper_camel_case(),
        })
        .collect()
}

fn kind_ident(ty: &Type) -> &'static str {
    match ty {
        Type::Any => "Any",
        Type::Object | Type::Map(_) | Type::Inline(_) | Type::AllOf(_) | Type::Named(_) => "Object",
        Type::String | Type::Literal(_) => "String",
        Type::Boolean => "Boolean",
        Type::Null => "Null",
        Type::Integer(_) => "Integer",
        Type::Number(_) => "Number",
        Type::Array(..) => "Array",
        Type::Nullable(inner) | Type::Boxed(inner) => kind_ident(inner),
    }
}

/// How a kind of JSON value is called in Rust.
pub fn kind_variant(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Array => "Array",
        JsonKind::Boolean => "Boolean",
        JsonKind::Null => "Null",
        JsonKind::Number => "Number",
        JsonKind::Object => "Object",
        JsonKind::String => "String",
    }
}

fn unique(ident: String, taken: &BTreeSet<String>) -> String {
    let mut name = ident.clone();
    let mut number = 1;
    while taken.contains(&name) {
        number += 1;
        name = match ident.starts_with(|first: char| first.is_ascii_lowercase()) {
            true => format!("{}_{number}", ident.trim_end_matches('_')),
            false => format!("{ident}{number}"),
        };
    }
    name
}

/// A type keeps its name, acronyms included, if that is a name in Rust.
fn type_ident(name: &str) -> String {
    let good = name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric());
    match good && name != "Self" {
        true => name.to_owned(),
        false => variant_ident(name),
    }
}

fn variant_ident(text: &str) -> String {
    let ascii: String = text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { ' ' }).collect();
    let ident = ascii.to_upper_camel_case();
    match ident.chars().next() {
        None if text.is_empty() => "Empty".to_owned(),
        None => "Symbol".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("N{ident}"),
        Some(_) if ident == "Self" => "SelfValue".to_owned(),
        Some(_) => ident,
    }
}

/// A member is called by its last part: `io.modelcontextprotocol/logLevel` is `log_level`.
fn field_ident(wire: &str) -> String {
    let last = wire.rsplit('/').find(|part| part.chars().any(|letter| letter.is_ascii_alphanumeric())).unwrap_or("");
    let ascii: String = last.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    let ident = ascii.to_snake_case();
    match ident.chars().next() {
        None => "member".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{ident}"),
        Some(_) if is_keyword(&ident) => format!("{ident}_"),
        Some(_) => ident,
    }
}

fn is_keyword(ident: &str) -> bool {
    ident == "gen" || syn::parse_str::<syn::Ident>(ident).is_err()
}
