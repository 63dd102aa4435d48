//! Reads a value as the arms of a union that it fits, and says what told it from the others.

use super::accept::accepts;
use super::equality::equal;
use super::model::{Model, NodeId, Object, Shape};
use serde_json::Value;

/// One arm of a union that accepts a value.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    pub(super) arm: NodeId,
    /// Whether tags or the JSON kind alone exclude every other arm.
    pub(super) certain: bool,
    /// The members whose fixed strings tell the arms apart.
    pub(super) tags: Vec<String>,
}

/// The readings of a value as the given arms.
pub(super) fn readings(model: &Model, arms: &[NodeId], value: &Value) -> Vec<Reading> {
    let fitting = arms.iter().copied().filter(|arm| accepts(model, *arm, value));
    fitting
        .map(|arm| Reading {
            arm,
            certain: arms.iter().all(|other| *other == arm || excluded(model, *other, value)),
            tags: tags(model, arm, arms),
        })
        .collect()
}

/// The strings that an object allows for a member, if it lists them.
pub(super) fn fixed<'a>(model: &'a Model, object: &Object, name: &str) -> Option<&'a [Value]> {
    match model.shape(object.member(name)?.node) {
        Shape::Const(value) => Some(std::slice::from_ref(value)),
        Shape::Enum(values) => Some(values),
        _ => None,
    }
}

/// The object that a node is.
pub(super) fn object(model: &Model, node: NodeId) -> Option<&Object> {
    match model.shape(node) {
        Shape::Object(object) => Some(object),
        _ => None,
    }
}

/// Tells whether the JSON kind or a fixed member is enough to exclude an arm.
fn excluded(model: &Model, arm: NodeId, value: &Value) -> bool {
    match (model.shape(arm), value) {
        (Shape::Object(object), Value::Object(members)) => object.members.iter().any(|member| {
            let Some(allowed) = fixed(model, object, &member.name) else {
                return false;
            };
            match members.get(&member.name) {
                Some(value) => !allowed.iter().any(|known| equal(known, value)),
                None => member.required,
            }
        }),
        (Shape::Object(_), _) | (_, Value::Object(_)) => true,
        (Shape::Array(_), _) | (_, Value::Array(_)) => {
            !(matches!(model.shape(arm), Shape::Array(_)) && value.is_array())
        }
        _ => !accepts(model, arm, value),
    }
}

/// The members of an arm whose fixed strings have none in common with those of another arm.
fn tags(model: &Model, arm: NodeId, arms: &[NodeId]) -> Vec<String> {
    let Some(own) = object(model, arm) else {
        return Vec::new();
    };
    let tells = |name: &str| {
        let Some(allowed) = fixed(model, own, name) else {
            return false;
        };
        let others = arms.iter().filter_map(|other| object(model, *other));
        others
            .filter_map(|other| fixed(model, other, name))
            .any(|known| !known.iter().any(|value| allowed.contains(value)))
    };
    let names = own.members.iter().map(|member| &member.name);
    names.filter(|name| tells(name)).cloned().collect()
}
