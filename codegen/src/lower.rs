//! Lowers schemas to the model, one to one: nothing is named, merged or dropped here.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::document::{Additional, Document, Kind, Schema};
use crate::error::{Error, Result};
use crate::model::{
    Arm, Bounds, Definition, EnumValue, Field, Inline, Lengths, Literal, Presence, Revision, Shape, Struct, Type, Union,
};

/// The model of a document, before any pass.
///
/// # Errors
/// For a schema that has no counterpart in the model.
pub fn lower(document: &Document) -> Result<Revision> {
    let mut revision = Revision { version: document.name.clone(), keyword: document.keyword, ..Revision::default() };
    let mut errors = Vec::new();
    for (name, schema) in &document.definitions {
        match ty(&document.name, schema) {
            Ok(ty) => {
                let shape = match ty {
                    Type::Inline(inline) => inline.shape,
                    ty => Shape::Alias(ty),
                };
                let pointer = schema.pointer.clone();
                let definition = Definition {
                    ident: String::new(),
                    pointer,
                    docs: schema.description.clone().unwrap_or_default(),
                    shape,
                };
                revision.definitions.insert(name.clone(), definition);
            }
            Err(error) => errors.push(error),
        }
    }
    Error::all(errors)?;
    Ok(revision)
}

fn ty(name: &str, schema: &Schema) -> Result<Type> {
    let fail = |what: &str| {
        Err(Error::new(
            name,
            &schema.pointer,
            format!("{what} has no lowering"),
            "add one in lower.rs, or correct the schema with an erratum",
        ))
    };
    if let Some(target) = &schema.reference {
        return match bare(schema) {
            true => Ok(Type::Named(target.clone())),
            false => fail("`$ref` beside other keywords"),
        };
    }
    let beside = schema.children().next().is_some() || schema.constant.is_some() && schema.values.is_some();
    if beside && (schema.constant.is_some() || schema.values.is_some()) {
        return fail("`const` or `enum` beside other keywords");
    }
    if let Some(value) = &schema.constant {
        return match literal(value).filter(|literal| fits(literal, &schema.types)) {
            Some(literal) => Ok(Type::Literal(literal)),
            None => fail(&format!("const {value}")),
        };
    }
    if let Some(values) = &schema.values {
        return enumeration(schema, values).map_or_else(|| fail(&format!("enum {}", Value::from(values.clone()))), Ok);
    }
    match (schema.any_of.is_empty(), schema.all_of.is_empty()) {
        (true, true) => typed(name, schema),
        (false, true) if plain(schema) => {
            let arms = schema.any_of.iter().map(|arm| ty(name, arm)).collect::<Result<Vec<_>>>()?;
            Ok(union(schema, arms))
        }
        (true, false) if plain(schema) => {
            Ok(Type::AllOf(schema.all_of.iter().map(|part| ty(name, part)).collect::<Result<_>>()?))
        }
        _ => fail("`anyOf` or `allOf` beside other keywords"),
    }
}

/// Whether a schema says nothing but what its `$ref` says.
fn bare(schema: &Schema) -> bool {
    schema.children().next().is_none()
        && schema.types.is_empty()
        && schema.constant.is_none()
        && schema.values.is_none()
        && schema.required.is_empty()
        && schema.additional.is_none()
        && unbounded(schema)
}

fn unbounded(schema: &Schema) -> bool {
    schema.minimum.is_none() && schema.maximum.is_none() && schema.min_items.is_none() && schema.max_items.is_none()
}

/// Whether a schema says nothing beside `anyOf` or `allOf`, or only the type of its arms.
fn plain(schema: &Schema) -> bool {
    schema.properties.is_none()
        && schema.items.is_none()
        && schema.additional.is_none()
        && (schema.types.is_empty() || schema.types == [Kind::Object])
}

fn literal(value: &Value) -> Option<Literal> {
    match value {
        Value::String(value) => Some(Literal::String(value.clone())),
        Value::Bool(value) => Some(Literal::Boolean(*value)),
        value => value.as_i64().map(Literal::Integer),
    }
}

/// Whether a literal is of one of the types, if there are any.
fn fits(literal: &Literal, types: &[Kind]) -> bool {
    let kinds: &[Kind] = match literal {
        Literal::String(_) => &[Kind::String],
        Literal::Integer(_) => &[Kind::Integer, Kind::Number],
        Literal::Boolean(_) => &[Kind::Boolean],
    };
    types.is_empty() || types.iter().any(|kind| kinds.contains(kind))
}

fn enumeration(schema: &Schema, values: &[Value]) -> Option<Type> {
    let strings: Option<Vec<&str>> = values.iter().filter(|value| !value.is_null()).map(Value::as_str).collect();
    let null = values.contains(&Value::Null);
    if schema.types.iter().any(|kind| *kind != Kind::String && !(null && *kind == Kind::Null)) {
        return None;
    }
    let ty = match strings?.as_slice() {
        [] => return None,
        [only] => Type::Literal(Literal::String((*only).to_owned())),
        strings => inline(schema, enum_of(strings)),
    };
    Some(if null && (schema.types.is_empty() || schema.types.contains(&Kind::Null)) {
        Type::Nullable(Box::new(ty))
    } else {
        ty
    })
}

fn enum_of(strings: &[&str]) -> Shape {
    let unique: BTreeSet<_> = strings.iter().collect();
    Shape::Enum(unique.into_iter().map(|wire| EnumValue { wire: (**wire).to_owned(), ident: String::new() }).collect())
}

fn inline(schema: &Schema, shape: Shape) -> Type {
    Type::Inline(Box::new(Inline { pointer: schema.pointer.clone(), shape }))
}

/// A union, or what it comes to: an enumeration where all arms are strings, a nullable where one is null.
fn union(schema: &Schema, mut arms: Vec<Type>) -> Type {
    // A union inside a union adds its arms, and null is taken out.
    let mut null = false;
    let mut flat = Vec::new();
    while !arms.is_empty() {
        match arms.remove(0) {
            Type::Null => null = true,
            Type::Nullable(inner) => {
                null = true;
                arms.insert(0, *inner);
            }
            Type::Inline(inner) => match inner.shape {
                Shape::Union(union) => arms.splice(0..0, union.arms.into_iter().map(|arm| arm.ty)).for_each(drop),
                _ => flat.push(Type::Inline(inner)),
            },
            arm => flat.push(arm),
        }
    }
    let mut arms = flat;
    let literals: Option<Vec<&str>> = arms
        .iter()
        .map(|arm| match arm {
            Type::Literal(Literal::String(value)) => Some(value.as_str()),
            _ => None,
        })
        .collect();
    let rest = match arms.len() {
        0 => return Type::Null,
        1 => arms.remove(0),
        _ if literals.is_some() => inline(schema, enum_of(&literals.unwrap_or_default())),
        _ => {
            let arms = arms.into_iter().map(|ty| Arm { ident: String::new(), ty }).collect();
            inline(schema, Shape::Union(Union { arms, tree: None }))
        }
    };
    if null { Type::Nullable(Box::new(rest)) } else { rest }
}

fn typed(name: &str, schema: &Schema) -> Result<Type> {
    let kinds = match schema.types.as_slice() {
        [] if schema.properties.is_some() || schema.additional.is_some() || !schema.required.is_empty() => {
            &[Kind::Object]
        }
        [] if schema.items.is_some() => &[Kind::Array],
        [] if !unbounded(schema) => {
            return Err(Error::new(
                name,
                &schema.pointer,
                "a bound without a type has no lowering",
                "add the type with an erratum",
            ));
        }
        [] => return Ok(Type::Any),
        kinds => kinds,
    };
    let mut types = Vec::new();
    for kind in kinds {
        // A whole number is a number.
        if *kind == Kind::Integer && kinds.contains(&Kind::Number) {
            continue;
        }
        types.push(kind_of(name, schema, *kind)?);
    }
    Ok(union(schema, types))
}

fn kind_of(name: &str, schema: &Schema, kind: Kind) -> Result<Type> {
    let bounds = Bounds { minimum: schema.minimum, maximum: schema.maximum };
    Ok(match kind {
        Kind::String => Type::String,
        Kind::Boolean => Type::Boolean,
        Kind::Null => Type::Null,
        Kind::Integer => Type::Integer(bounds),
        Kind::Number => Type::Number(bounds),
        Kind::Array => {
            let items = schema.items.as_ref().map_or(Ok(Type::Any), |items| ty(name, items))?;
            let lengths = Lengths { minimum: schema.min_items, maximum: schema.max_items };
            Type::Array(Box::new(items), lengths)
        }
        Kind::Object => object(name, schema)?,
    })
}

fn object(name: &str, schema: &Schema) -> Result<Type> {
    let rest = match &schema.additional {
        None => Some(Type::Any),
        Some(Additional::None) => None,
        Some(Additional::Schema(rest)) => Some(ty(name, rest)?),
    };
    let mut fields = Vec::new();
    let none = Default::default();
    let properties = schema.properties.as_ref().unwrap_or(&none);
    for (property, inner) in properties {
        let docs = inner.description.clone().unwrap_or_default();
        fields.push(Field { docs, ..field(property, ty(name, inner)?, schema.required.contains(property)) });
    }
    // A name that is required but not described may hold whatever the rest may.
    for extra in schema.required.iter().collect::<BTreeSet<_>>() {
        if !properties.contains_key(extra) {
            fields.push(field(extra, rest.clone().unwrap_or(Type::Any), true));
        }
    }
    fields.sort_by(|a, b| a.wire_name.cmp(&b.wire_name));
    Ok(match (fields.is_empty(), rest) {
        (true, Some(Type::Any)) => Type::Object,
        (true, Some(values)) => Type::Map(Box::new(values)),
        (_, rest) => inline(schema, Shape::Struct(Struct { fields, rest })),
    })
}

fn field(name: &str, ty: Type, required: bool) -> Field {
    let (ty, presence) = match (ty, required) {
        (Type::Nullable(inner), true) => (*inner, Presence::RequiredNullable),
        (ty, true) => (ty, Presence::Required),
        (ty, false) => (ty, Presence::Optional),
    };
    Field { wire_name: name.to_owned(), ident: String::new(), docs: String::new(), ty, presence, preset: None }
}
