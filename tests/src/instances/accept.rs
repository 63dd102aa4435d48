//! Finds the places at which a value departs from a node of the model.

use super::equality::{equal, integral};
use super::fault::below;
use super::model::{Model, NodeId, Range, Rest, Shape};
use serde_json::Value;

/// Tells whether a node of the model accepts a value.
pub(super) fn accepts(model: &Model, node: NodeId, value: &Value) -> bool {
    refusals(model, node, value, "").is_empty()
}

/// The JSON pointers at which a node refuses a value that stands at `pointer`. A missing member is
/// refused at its parent, a value that fits no arm of a union at the union.
pub(super) fn refusals(model: &Model, node: NodeId, value: &Value, pointer: &str) -> Vec<String> {
    let here = |fits: bool| {
        if fits { Vec::new() } else { vec![pointer.to_owned()] }
    };
    match (model.shape(node), value) {
        (Shape::Any, _) => Vec::new(),
        (Shape::Null, value) => here(value.is_null()),
        (Shape::Boolean, value) => here(value.is_boolean()),
        (Shape::String, value) => here(value.is_string()),
        (Shape::Integer(range), value) => here(is_integer(range, value)),
        (Shape::Number(range), value) => here(value.as_f64().is_some_and(|number| range.holds(number))),
        (Shape::Const(only), value) => here(equal(only, value)),
        (Shape::Enum(values), value) => here(values.iter().any(|known| equal(known, value))),
        (Shape::Union(arms), value) => here(arms.iter().any(|arm| accepts(model, *arm, value))),
        (Shape::Array(array), Value::Array(elements)) => {
            let mut found = here(array.holds(elements.len()));
            for (index, element) in elements.iter().enumerate() {
                let pointer = below(pointer, &index.to_string());
                found.extend(refusals(model, array.items, element, &pointer));
            }
            found
        }
        (Shape::Object(object), Value::Object(members)) => {
            let missing = object.members.iter().any(|member| member.required && !members.contains_key(&member.name));
            let mut found = here(!missing);
            for (name, value) in members {
                let pointer = below(pointer, name);
                match (object.member(name), object.rest) {
                    (Some(member), _) => {
                        found.extend(refusals(model, member.node, value, &pointer));
                    }
                    (None, Rest::Map(entry)) => {
                        found.extend(refusals(model, entry, value, &pointer));
                    }
                    (None, Rest::Closed) => found.push(pointer),
                    (None, Rest::Open) => {}
                }
            }
            found
        }
        (Shape::Never | Shape::Array(_) | Shape::Object(_) | Shape::Same(_), _) => here(false),
    }
}

fn is_integer(range: &Range, value: &Value) -> bool {
    let Value::Number(number) = value else {
        return false;
    };
    // Beyond the range of `integral` every float is without a fraction.
    let whole = integral(number).is_some() || number.as_f64().is_some_and(|n| n.fract() == 0.0);
    whole && number.as_f64().is_some_and(|number| range.holds(number))
}
