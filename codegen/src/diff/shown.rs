//! Types as a reader wants to see them.

use crate::bridge::{Resolved, resolved};
use crate::model::{Bounds, Lengths, Literal, Revision, Shape, Type};

/// A type in a few characters: `[ContentBlock]`, `integer ≥ 0`, `{string}`, `string or null`.
pub(super) fn shown(revision: &Revision, ty: &Type) -> String {
    match resolved(revision, ty) {
        (_, Resolved::Shape(Shape::Constant(value))) => literal(value),
        (name, Resolved::Shape(_)) => name.to_owned(),
        (_, Resolved::Type(ty)) => match ty {
            Type::Any | Type::Inline(_) | Type::AllOf(_) | Type::Named(_) | Type::Boxed(_) => "any JSON".to_owned(),
            Type::Object => "object".to_owned(),
            Type::String => "string".to_owned(),
            Type::Boolean => "boolean".to_owned(),
            Type::Null => "null".to_owned(),
            Type::Integer(bounds) => format!("integer{}", bounded(bounds)),
            Type::Number(bounds) => format!("number{}", bounded(bounds)),
            Type::Literal(value) => literal(value),
            Type::Array(items, lengths) => format!("[{}]{}", shown(revision, items), counted(lengths)),
            Type::Map(values) => format!("{{{}}}", shown(revision, values)),
            Type::Nullable(inner) => format!("{} or null", shown(revision, inner)),
        },
    }
}

fn literal(value: &Literal) -> String {
    match value {
        Literal::String(value) => format!("\"{value}\""),
        Literal::Integer(value) => value.to_string(),
        Literal::Boolean(value) => value.to_string(),
    }
}

fn bounded(bounds: &Bounds) -> String {
    let one = |sign: &str, bound: Option<f64>| bound.map(|bound| format!(" {sign} {bound}")).unwrap_or_default();
    one("≥", bounds.minimum) + &one("≤", bounds.maximum)
}

fn counted(lengths: &Lengths) -> String {
    let one = |word: &str, bound: Option<u64>| bound.map(|bound| format!(" {word} {bound}")).unwrap_or_default();
    one("of at least", lengths.minimum) + &one("of at most", lengths.maximum)
}
