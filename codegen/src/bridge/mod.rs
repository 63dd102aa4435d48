//! How values go from a revision to its neighbour: what can be derived, and what a human has to say.
//!
//! [`plan`] walks along the messages of two neighbours. Whatever differs has to be explained, by what
//! a conversion does anyway (a member that is gone is dropped and reported) or by a rule of
//! schema/bridges; anything else is an error that shows the rule to write.

mod agreed;
mod known;
mod rules;
mod walk;
mod watch;

pub use known::{Known, known};
pub use rules::{
    CarryRule, CutRule, DefaultRule, MethodRule, RefuseRule, Rename, RequireRule, Rules, SessionRule, SessionSource,
    SubstituteRule, TextRule, To,
};
pub use watch::Watch;

use std::collections::BTreeSet;

use crate::error::{Error, Result};
use crate::model::{Field, MethodKind, Presence, Revision, Shape, Type};

/// The member of a request's `_meta` that says which revision it is in.
const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// What the two ways between neighbours need beside the rules.
#[derive(Debug)]
pub struct Plan {
    /// Types that are the same in both revisions.
    pub agreed: BTreeSet<String>,
    /// What a text on the way to the older revision is looked through for.
    pub watch_down: Vec<Watch>,
    /// What a text on the way to the newer revision is looked through for.
    pub watch_up: Vec<Watch>,
}

/// A revision as conversions see it.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// With every type that the schema has.
    pub whole: &'a Revision,
    /// As its types are generated: with opaque members.
    pub emitted: &'a Revision,
}

/// Plans the ways between neighbours.
///
/// # Errors
/// One fault for each difference that nothing explains, and for each rule that explains none.
pub fn plan(older: Side<'_>, newer: Side<'_>, rules: &Rules, known: &Known) -> Result<Plan> {
    let up = walk::walk(older.whole, newer.whole, rules, To::New);
    let down = walk::walk(newer.whole, older.whole, rules, To::Old);
    Error::all([up, down].into_iter().filter_map(Result::err))?;
    rules.unused()?;
    let agreed = agreed::agreed(older.whole, newer.whole, known);
    Ok(Plan {
        watch_up: watch::watches(older, newer, rules, To::New, known, &agreed),
        watch_down: watch::watches(newer, older, rules, To::Old, known, &agreed),
        agreed,
    })
}

/// Gives the params of each method the `_meta` that all of them have by way of the base type
/// `Request` or `Notification`, where their own type doesn't repeat it.
#[must_use]
pub fn with_base_meta(mut revision: Revision) -> Revision {
    let base = |name: &str| -> Option<Field> {
        let params = &revision.structure(name)?.field("params")?.ty;
        let [params] = params.names()[..] else { return None };
        let meta = revision.structure(params)?.field("_meta")?.clone();
        (meta.presence == Presence::Optional).then_some(meta)
    };
    let (request, notification) = (base("Request"), base("Notification"));
    for method in revision.methods.clone() {
        let meta = match method.kind {
            MethodKind::Notification => &notification,
            MethodKind::Request | MethodKind::InputRequest => &request,
        };
        let (Some(meta), Type::Named(params)) = (meta, &method.params) else { continue };
        if let Some(Shape::Struct(shape)) = revision.definitions.get_mut(params).map(|params| &mut params.shape)
            && shape.field("_meta").is_none()
        {
            shape.fields.push(meta.clone());
            shape.fields.sort_by(|a, b| a.wire_name.cmp(&b.wire_name));
            revision.borrowed_meta.insert(params.clone());
        }
    }
    revision
}

/// What a type is, through names, boxes and aliases.
pub(crate) fn resolved<'r>(revision: &'r Revision, mut ty: &'r Type) -> (&'r str, Resolved<'r>) {
    for _ in 0..=revision.definitions.len() {
        match ty {
            Type::Boxed(inner) => ty = inner,
            Type::Named(name) => match revision.definitions.get(name).map(|definition| (name, &definition.shape)) {
                Some((_, Shape::Alias(target))) => ty = target,
                Some((name, shape)) => return (name, Resolved::Shape(shape)),
                None => break,
            },
            ty => return ("", Resolved::Type(ty)),
        }
    }
    ("", Resolved::Type(&Type::Any))
}

/// What a type is in the end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Resolved<'r> {
    /// A shape with a name.
    Shape(&'r Shape),
    /// A type that needs none.
    Type(&'r Type),
}

/// What rules call a type: its name, or `[…]` for a list of it.
pub(crate) fn label(revision: &Revision, ty: &Type) -> String {
    match resolved(revision, ty) {
        (name, Resolved::Shape(_)) => name.to_owned(),
        (_, Resolved::Type(ty)) => match ty {
            Type::Array(items, _) => format!("[{}]", label(revision, items)),
            Type::Nullable(inner) => label(revision, inner),
            Type::String => "string".to_owned(),
            Type::Boolean => "boolean".to_owned(),
            Type::Integer(_) => "integer".to_owned(),
            Type::Number(_) => "number".to_owned(),
            Type::Null => "null".to_owned(),
            Type::Literal(crate::model::Literal::String(_)) => "string".to_owned(),
            Type::Literal(crate::model::Literal::Integer(_)) => "integer".to_owned(),
            Type::Literal(crate::model::Literal::Boolean(_)) => "boolean".to_owned(),
            Type::Any | Type::Inline(_) | Type::AllOf(_) => "any".to_owned(),
            Type::Object | Type::Map(_) | Type::Named(_) | Type::Boxed(_) => String::new(),
        },
    }
}

/// What an answer to a method is.
pub(crate) fn answer(method: &crate::model::Method) -> Option<Type> {
    method.outcome.as_ref().or(method.result.as_ref()).map(|name| Type::Named(name.clone()))
}
