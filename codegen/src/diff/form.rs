//! What values a type has, whatever it is called, and how to write it in a line.

use crate::model::{Arm, Bounds, Field, Lengths, Literal, Presence, Revision, Shape, Struct, Type};

/// A type without its names, aliases and boxes.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Any,
    Null,
    Boolean,
    String,
    Integer(Bounds),
    Number(Bounds),
    /// One of these values.
    Values(Vec<Literal>),
    Array(Type, Lengths),
    /// An object, which may be a map, or any.
    Object(Struct),
    /// One of several types.
    OneOf(Vec<Type>),
}

/// The form of a type.
pub(super) fn form(revision: &Revision, ty: &Type) -> Form {
    let object = |rest: Type| Form::Object(Struct { fields: Vec::new(), rest: Some(rest) });
    match ty {
        // After the passes no `allOf` is left, and every name leads somewhere.
        Type::Any | Type::AllOf(_) => Form::Any,
        Type::Object => object(Type::Any),
        Type::Map(values) => object((**values).clone()),
        Type::String => Form::String,
        Type::Boolean => Form::Boolean,
        Type::Null => Form::Null,
        Type::Integer(bounds) => Form::Integer(*bounds),
        Type::Number(bounds) => Form::Number(*bounds),
        Type::Literal(literal) => Form::Values(vec![literal.clone()]),
        Type::Array(items, lengths) => Form::Array((**items).clone(), *lengths),
        Type::Named(name) => revision.resolve(name).map_or(Form::Any, |shape| of_shape(revision, shape)),
        Type::Nullable(inner) => Form::OneOf(vec![(**inner).clone(), Type::Null]),
        Type::Boxed(inner) => form(revision, inner),
        Type::Inline(inline) => of_shape(revision, &inline.shape),
    }
}

fn of_shape(revision: &Revision, shape: &Shape) -> Form {
    match shape {
        Shape::Struct(shape) => Form::Object(shape.clone()),
        Shape::Enum(values) => Form::Values(values.iter().map(|value| Literal::String(value.wire.clone())).collect()),
        Shape::Union(union) => Form::OneOf(union.arms.iter().map(|Arm { ty, .. }| ty.clone()).collect()),
        Shape::Alias(ty) => form(revision, ty),
        Shape::Constant(literal) => Form::Values(vec![literal.clone()]),
    }
}

/// The names by which a type is known: its own, and those that it is an alias of.
pub(super) fn names<'r>(revision: &'r Revision, ty: &'r Type) -> Vec<&'r str> {
    let mut names: Vec<&str> = Vec::new();
    let mut ty = ty;
    loop {
        match ty {
            Type::Boxed(inner) => ty = inner,
            Type::Named(name) if !names.contains(&name.as_str()) => {
                names.push(name);
                match revision.definitions.get(name).map(|definition| &definition.shape) {
                    Some(Shape::Alias(next)) => ty = next,
                    _ => return names,
                }
            }
            _ => return names,
        }
    }
}

/// A type in a line, under its name if it has one.
pub(super) fn written(ty: &Type) -> String {
    let item = |inner: &Type| match inner {
        Type::Nullable(_) => format!("({})", written(inner)),
        _ => written(inner),
    };
    match ty {
        Type::Any | Type::AllOf(_) => "any".to_owned(),
        Type::Object => "object".to_owned(),
        Type::String => "string".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Integer(bounds) => number("integer", bounds),
        Type::Number(bounds) => number("number", bounds),
        Type::Literal(literal) => value(literal),
        Type::Array(items, lengths) => array(&item(items), lengths),
        Type::Map(values) => format!("map of {}", item(values)),
        Type::Named(name) => name.clone(),
        Type::Nullable(inner) => format!("{} | null", written(inner)),
        Type::Boxed(inner) => written(inner),
        Type::Inline(inline) => shape(&of_shape(&Revision::default(), &inline.shape)),
    }
}

/// A form in a line.
pub(super) fn shape(form: &Form) -> String {
    let joined = |parts: Vec<String>| if parts.is_empty() { "nothing".to_owned() } else { parts.join(" | ") };
    match form {
        Form::Any => "any".to_owned(),
        Form::Null => "null".to_owned(),
        Form::Boolean => "boolean".to_owned(),
        Form::String => "string".to_owned(),
        Form::Integer(bounds) => number("integer", bounds),
        Form::Number(bounds) => number("number", bounds),
        Form::Values(values) => joined(values.iter().map(value).collect()),
        Form::Array(items, lengths) => array(&written(items), lengths),
        Form::Object(object) => members(object),
        Form::OneOf(arms) => joined(arms.iter().map(written).collect()),
    }
}

/// An object by the names of its members, as in `{ name, title?, … }`.
fn members(object: &Struct) -> String {
    let member = |field: &Field| match field.presence {
        Presence::Optional => format!("{}?", field.wire_name),
        _ => field.wire_name.clone(),
    };
    let mut parts: Vec<String> = object.fields.iter().map(member).collect();
    match &object.rest {
        Some(Type::Any) if parts.is_empty() => return "object".to_owned(),
        Some(rest) if parts.is_empty() => return format!("map of {}", written(rest)),
        Some(Type::Any) => {}
        Some(rest) => parts.push(format!("any other: {}", written(rest))),
        None if parts.is_empty() => return "{}".to_owned(),
        None => parts.push("no other".to_owned()),
    }
    format!("{{ {} }}", parts.join(", "))
}

/// A literal as JSON.
pub(super) fn value(literal: &Literal) -> String {
    match literal {
        Literal::String(text) => serde_json::Value::from(text.as_str()).to_string(),
        Literal::Integer(number) => number.to_string(),
        Literal::Boolean(boolean) => boolean.to_string(),
    }
}

fn number(kind: &str, bounds: &Bounds) -> String {
    match (bounds.minimum, bounds.maximum) {
        (None, None) => kind.to_owned(),
        (Some(minimum), None) => format!("{kind} from {minimum}"),
        (None, Some(maximum)) => format!("{kind} up to {maximum}"),
        (Some(minimum), Some(maximum)) => format!("{kind} from {minimum} to {maximum}"),
    }
}

fn array(items: &str, lengths: &Lengths) -> String {
    match (lengths.minimum, lengths.maximum) {
        (None, None) => format!("{items}[]"),
        (Some(minimum), None) => format!("{items}[], at least {minimum}"),
        (None, Some(maximum)) => format!("{items}[], at most {maximum}"),
        (Some(minimum), Some(maximum)) => format!("{items}[], {minimum} to {maximum}"),
    }
}
