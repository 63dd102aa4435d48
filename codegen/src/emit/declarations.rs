//! The module of a revision: its types as a reader sees them.

use askama::Template;

use super::messages::{ResultView, results};
use super::names::Names;
use super::shapes::{required_ident, takes_struct};
use super::trees::has_unknown;
use super::{docs_attributes, inner_docs};
use crate::error::Result;
use crate::model::{Definition, Presence, Revision, Shape, Tree, Type, Union};
use crate::typify;

#[derive(Template)]
#[template(path = "module.rs.askama", escape = "none")]
struct Module {
    docs: String,
    table: String,
    by_name: bool,
    aliases: Vec<AliasView>,
    constants: Vec<ConstantView>,
    unions: Vec<UnionView>,
    raws: Vec<RawView>,
    required: Vec<RequiredView>,
    results: Vec<ResultView>,
    result_docs: String,
    json: String,
    json_object: String,
}

struct AliasView {
    docs: String,
    ident: String,
    ty: String,
}

struct ConstantView {
    docs: String,
    ident: String,
}

struct UnionView {
    docs: String,
    ident: String,
    arms: Vec<ArmView>,
    unknown: bool,
}

struct ArmView {
    docs: String,
    ident: String,
    ty: String,
}

struct RawView {
    docs: String,
    ident: String,
    json: String,
}

struct RequiredView {
    ident: String,
    owner: String,
    fields: Vec<RequiredField>,
}

struct RequiredField {
    docs: String,
    ident: String,
    ty: String,
}

/// The code of a revision's module.
///
/// # Errors
/// If typify can't declare a shape.
pub(super) fn module(revision: &Revision, table: &str, by_name: bool) -> Result<String> {
    let names = Names::new(revision);
    let mut view = Module {
        docs: inner_docs(&module_docs(revision)),
        table: table.to_owned(),
        by_name,
        aliases: Vec::new(),
        constants: Vec::new(),
        unions: Vec::new(),
        raws: Vec::new(),
        required: Vec::new(),
        results: results(revision, &names),
        result_docs: docs_attributes("A result, by the method that was pending."),
        json: names.ours("Json"),
        json_object: names.ours("JsonObject"),
    };
    let mut plain = String::new();
    for (name, definition) in &revision.definitions {
        let docs = docs_attributes(&type_docs(revision, name, definition));
        let ident = definition.ident.clone();
        match &definition.shape {
            Shape::Struct(shape) => {
                plain.push_str(&declared(revision, &names, name, definition)?);
                if takes_struct(shape) {
                    let fields = shape.fields.iter().filter(|field| {
                        field.presence != Presence::Optional && !field.is_constant() && field.preset.is_none()
                    });
                    view.required.push(RequiredView {
                        ident: required_ident(&names, &ident),
                        owner: ident,
                        fields: fields
                            .map(|field| RequiredField {
                                docs: docs_attributes(&field.docs),
                                ident: field.ident.clone(),
                                ty: match field.presence {
                                    Presence::RequiredNullable => {
                                        names.rust_type(&Type::Nullable(Box::new(field.ty.clone())))
                                    }
                                    _ => names.rust_type(&field.ty),
                                },
                            })
                            .collect(),
                    });
                }
            }
            Shape::Enum(_) => plain.push_str(&declared(revision, &names, name, definition)?),
            Shape::Alias(ty) => view.aliases.push(AliasView { docs, ident, ty: names.rust_type(ty) }),
            Shape::Constant(_) => view.constants.push(ConstantView { docs, ident }),
            Shape::Union(Union { arms, tree: Some(tree) }) => view.unions.push(UnionView {
                docs,
                ident,
                unknown: has_unknown(tree),
                arms: arms
                    .iter()
                    .enumerate()
                    .map(|(at, arm)| ArmView {
                        docs: docs_attributes(&arm_docs(revision, tree, at, &arm.ty)),
                        ident: arm.ident.clone(),
                        ty: names.rust_type(&arm.ty),
                    })
                    .collect(),
            }),
            Shape::Union(Union { arms, tree: None }) => view.raws.push(RawView {
                docs,
                ident,
                json: raw_json(revision, &names, arms.iter().map(|arm| &arm.ty)),
            }),
        }
    }
    let code = format!("{}\n{plain}", view.render().expect("a template writes to a string"));
    Ok(names.with_imports(&code))
}

fn declared(revision: &Revision, names: &Names, name: &str, definition: &Definition) -> Result<String> {
    let definition = Definition { docs: type_docs(revision, name, definition), ..definition.clone() };
    let item = typify::declare(revision, names, &definition)?;
    Ok(quote::quote!(#item).to_string() + "\n")
}

/// Raw JSON is known to be an object where every arm is one.
pub(super) fn raw_json<'a>(revision: &Revision, names: &Names, mut arms: impl Iterator<Item = &'a Type>) -> String {
    let object = |ty: &Type| {
        matches!(ty, Type::Object | Type::Map(_))
            || matches!(ty, Type::Named(name) if revision.structure(name).is_some())
    };
    names.ours(if arms.all(object) { "JsonObject" } else { "Json" })
}

fn module_docs(revision: &Revision) -> String {
    let version = &revision.version;
    match revision.era {
        Some(_) => format!(
            "MCP {version}: its types, named as in the [specification](https://modelcontextprotocol.io/specification/{version}).\n\n\
             [`METHODS`] is the table of methods; [`MethodResult`] reads a result by the method that is pending."
        ),
        None => format!(
            "The types of the schema `{version}`.\n\n[`METHODS`] is the table of methods; [`MethodResult`] reads a result by the method that is pending."
        ),
    }
}

/// The docs of a type: its line, for a message its method, and where the specification has it.
fn type_docs(revision: &Revision, name: &str, definition: &Definition) -> String {
    let mut docs = match definition.docs.as_str() {
        "" => format!("`{name}` of the schema."),
        docs => docs.to_owned(),
    };
    if let Some(method) = revision.methods.iter().find(|method| method.definition == name) {
        docs.push_str(&format!("\n\nMethod: `{}`.", method.name));
    }
    // The pages of the first two revisions have no reference of types.
    if revision.era.is_some()
        && revision.version.as_str() >= "2025-06-18"
        && definition.pointer.ends_with(&format!("/{name}"))
    {
        let version = &revision.version;
        docs.push_str(&format!(
            "\n\n[Specification](https://modelcontextprotocol.io/specification/{version}/schema#{})",
            name.to_lowercase()
        ));
    }
    docs
}

fn arm_docs(revision: &Revision, tree: &Tree, at: usize, ty: &Type) -> String {
    let line = match ty {
        Type::Named(name) => revision
            .definitions
            .get(name)
            .map(|definition| definition.docs.lines().next().unwrap_or_default().to_owned()),
        _ => None,
    };
    let tag = match tree {
        Tree::Tag { path, cases, .. } => {
            let leads = cases.iter().filter(|(_, tree)| **tree == Tree::Arm(at));
            let values: Vec<String> = leads.map(|(value, _)| format!("`{value}`")).collect();
            (!values.is_empty()).then(|| format!("`{}` is {}.", path.join("."), values.join(" or ")))
        }
        _ => None,
    };
    match (line.filter(|line| !line.is_empty()), tag) {
        (Some(line), Some(tag)) => format!("{line} {tag}"),
        (Some(text), None) | (None, Some(text)) => text,
        (None, None) => match ty {
            Type::Array(..) => "A list.".to_owned(),
            Type::String => "A string.".to_owned(),
            Type::Boolean => "A boolean.".to_owned(),
            Type::Integer(_) => "A whole number.".to_owned(),
            Type::Number(_) => "A number.".to_owned(),
            _ => "One of the forms that it can have.".to_owned(),
        },
    }
}
