//! Requests, notifications and results by their method, and types by their name.

use std::collections::BTreeMap;

use askama::Template;
use heck::ToSnakeCase;

use super::names::Names;
use super::trees::has_unknown;
use super::{docs_attributes, literal};
use crate::method_unions;
use crate::model::{Form, MethodKind, Revision, Shape, Type};

#[derive(Template)]
#[template(path = "messages.rs.askama", escape = "none")]
struct Messages {
    version: String,
    methods: Vec<MethodView>,
    unions: Vec<UnionView>,
    results: Vec<ResultView>,
}

struct MethodView {
    kind: &'static str,
    ident: String,
    name: String,
    params: String,
    required: bool,
    result: Option<String>,
    outcome: String,
    outcomes: Vec<OutcomeView>,
    outcome_unknown: bool,
    result_variant: Option<String>,
}

struct OutcomeView {
    ident: String,
    variant: String,
}

struct UnionView {
    ident: String,
    kind: &'static str,
    unknown: bool,
    arms: Vec<ArmView>,
}

struct ArmView {
    name: String,
    ident: String,
    ty: String,
}

/// One of the types that a result can have.
pub(super) struct ResultView {
    pub(super) variant: String,
    pub(super) name: String,
    pub(super) ty: String,
    pub(super) docs: String,
}

/// The types that results can have, sorted by name.
pub(super) fn results(revision: &Revision, names: &Names) -> Vec<ResultView> {
    let types = revision.methods.iter().flat_map(|method| method.result.iter().chain(&method.alternatives));
    let unique: BTreeMap<&String, ()> = types.map(|name| (name, ())).collect();
    let mut taken = vec!["Unknown".to_owned()];
    unique
        .into_keys()
        .map(|name| {
            let definition = &revision.definitions[name];
            let short = definition
                .ident
                .strip_suffix("Result")
                .filter(|short| !["", "Self"].contains(short))
                .unwrap_or(&definition.ident);
            let variant =
                if taken.iter().any(|other| other == short) { definition.ident.clone() } else { short.to_owned() };
            taken.push(variant.clone());
            let docs = match definition.docs.lines().next() {
                Some(line) if !line.is_empty() => line.to_owned(),
                _ => format!("`{name}` of the schema."),
            };
            ResultView { variant, name: literal(name), ty: names.path(name), docs: docs_attributes(&docs) }
        })
        .collect()
}

/// The code that reads messages by their method.
pub(super) fn messages(revision: &Revision, module: &str) -> String {
    let names = Names::beside(revision);
    let results = results(revision, &names);
    let variant =
        |name: &str| results.iter().find(|result| result.name == literal(name)).map(|result| result.variant.clone());
    let methods = revision
        .methods
        .iter()
        .filter(|method| matches!(&method.params, Type::Named(_)))
        .map(|method| {
            let outcome = method.outcome.as_ref().and_then(|outcome| match &revision.definitions[outcome].shape {
                Shape::Union(union) => Some((outcome, union)),
                _ => None,
            });
            let arms = outcome.iter().flat_map(|(_, union)| &union.arms).map(|arm| OutcomeView {
                ident: arm.ident.clone(),
                variant: arm.ty.names().first().and_then(|name| variant(name)).unwrap_or_default(),
            });
            // An outcome that can't be told apart stays raw.
            let told_apart = outcome.is_some_and(|(_, union)| union.tree.is_some());
            let result = method.result.as_ref().map(|name| names.path(name));
            let raw = match method.kind {
                MethodKind::Notification => None,
                _ => Some("crate::Json".to_owned()),
            };
            MethodView {
                kind: if method.kind == MethodKind::Notification { "Notification" } else { "Request" },
                ident: names.path(&method.definition)["super::".len()..].to_owned(),
                name: literal(&method.name),
                params: names.rust_type(&method.params),
                required: method.params_required,
                outcome: method
                    .outcome
                    .as_ref()
                    .map(|outcome| names.path(outcome))
                    .or_else(|| result.clone())
                    .or_else(|| raw.clone())
                    .unwrap_or_default(),
                outcomes: if told_apart { arms.collect() } else { Vec::new() },
                outcome_unknown: outcome.is_some_and(|(_, union)| union.tree.as_ref().is_some_and(has_unknown)),
                result_variant: match outcome.is_some() && !told_apart {
                    true => None,
                    false => method.result.as_ref().and_then(|name| variant(name)),
                },
                result: result.or(raw),
            }
        })
        .collect();
    let unions = method_unions().filter_map(|union| union_view(revision, union)).collect();
    let version = super::crate_files::variant(module);
    names.with_imports(&Messages { version, methods, unions, results }.render().expect("a template writes to a string"))
}

/// A union that lists methods, if each of its arms can be read by its params.
fn union_view(revision: &Revision, union: &str) -> Option<UnionView> {
    let definition = revision.definitions.get(union)?;
    let Shape::Union(shape) = &definition.shape else { return None };
    let arms: Vec<ArmView> = shape
        .arms
        .iter()
        .filter_map(|arm| {
            let name = arm.ty.names().first().map(|name| (*name).to_owned())?;
            let method = revision.methods.iter().find(|method| method.definition == name)?;
            matches!(&method.params, Type::Named(_)).then(|| ArmView {
                name: literal(&method.name),
                ident: arm.ident.clone(),
                ty: literal(&name),
            })
        })
        .collect();
    let whole = arms.len() == shape.arms.len() && shape.tree.is_some();
    whole.then(|| UnionView {
        ident: definition.ident.clone(),
        kind: if union.ends_with("Notification") { "Notification" } else { "Request" },
        unknown: shape.tree.as_ref().is_some_and(has_unknown),
        arms,
    })
}

#[derive(Template)]
#[template(path = "by_name.rs.askama", escape = "none")]
struct ByName {
    types: Vec<NamedView>,
    keyed: Vec<KeyedView>,
}

struct KeyedView {
    field: String,
    ident: String,
    present: bool,
}

struct NamedView {
    name: String,
    form: &'static str,
    ty: String,
}

/// The code that finds types by their names, those included that only the envelope has.
pub(super) fn by_name(revision: &Revision) -> String {
    let names = Names::beside(revision);
    let mut types: BTreeMap<&str, NamedView> = BTreeMap::new();
    for name in revision.definitions.keys() {
        types.insert(name, NamedView { name: literal(name), form: "Plain", ty: names.path(name) });
    }
    for (name, envelope) in &revision.envelopes {
        let (form, body) = match (envelope.form, &envelope.body) {
            (Form::Request, Some(body)) => ("Request", body.clone()),
            (Form::Notification, Some(body)) => ("Notification", body.clone()),
            (Form::Result, Some(body)) => ("Result", body.clone()),
            (Form::Error, Some(body)) => ("Error", body.clone()),
            // Any result at all, without an envelope.
            (Form::Result, None) => ("Plain", "Result".to_owned()),
            _ => continue,
        };
        if revision.definitions.contains_key(&body) {
            types.insert(name, NamedView { name: literal(name), form, ty: names.path(&body) });
        }
    }
    let keyed = method_unions()
        .map(|union| {
            let view = union_view(revision, union);
            KeyedView {
                field: union.to_snake_case(),
                present: view.is_some(),
                ident: view.map(|view| view.ident).unwrap_or_default(),
            }
        })
        .collect();
    names.with_imports(
        &ByName { types: types.into_values().collect(), keyed }.render().expect("a template writes to a string"),
    )
}
