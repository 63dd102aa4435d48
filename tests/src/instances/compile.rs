//! Reads a JSON schema into a model.

use super::merge::{Definitions, opened, referred, unconstrained};
use super::model::{Array, Member, Model, NodeId, Object, Range, Rest, Shape};
use serde_json::Value;

/// Reads the definitions of a schema.
///
/// A keyword that the model doesn't know is passed over: then too much is made, and the judge
/// refuses the surplus.
pub(super) fn compile(definitions: &Definitions) -> Model {
    let names: Vec<String> = definitions.keys().cloned().collect();
    let mut nodes = vec![Shape::Never; names.len()];
    for (index, schema) in definitions.values().enumerate() {
        let shape = match reference(definitions, schema) {
            Some(node) => Shape::Same(node),
            None => shape(definitions, &mut nodes, schema),
        };
        nodes[index] = shape;
    }
    let mut model = Model { names, nodes, recursive: Vec::new(), leads: Vec::new() };
    model.recursive = recursive(&model);
    model.leads = leads(&model);
    model
}

/// The definition that a schema refers to, if it says nothing else.
fn reference(definitions: &Definitions, schema: &Value) -> Option<NodeId> {
    let name = referred(schema)?;
    let mut beside = schema.clone();
    beside.as_object_mut()?.remove("$ref");
    let index = definitions.keys().position(|known| known == name)?;
    unconstrained(&beside).then_some(NodeId(index))
}

fn node(definitions: &Definitions, nodes: &mut Vec<Shape>, schema: &Value) -> NodeId {
    if let Some(node) = reference(definitions, schema) {
        return node;
    }
    let shape = shape(definitions, nodes, schema);
    nodes.push(shape);
    NodeId(nodes.len() - 1)
}

fn shape(definitions: &Definitions, nodes: &mut Vec<Shape>, schema: &Value) -> Shape {
    if unconstrained(schema) {
        return Shape::Any;
    }
    let schema = opened(definitions, schema);
    if !schema.is_object() {
        return if schema == true { Shape::Any } else { Shape::Never };
    }
    if let Some(arms) = schema.get("anyOf").and_then(Value::as_array) {
        return Shape::Union(arms.iter().map(|arm| node(definitions, nodes, arm)).collect());
    }
    if let Some(value) = schema.get("const") {
        return Shape::Const(value.clone());
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Shape::Enum(values.clone());
    }
    let named = match schema.get("type") {
        Some(Value::String(name)) => name.as_str(),
        Some(Value::Array(names)) => {
            let arm = |name: &Value| {
                let mut arm = schema.clone();
                arm["type"] = name.clone();
                node(definitions, nodes, &arm)
            };
            return Shape::Union(names.iter().map(arm).collect());
        }
        // `items` without `type` occurs nowhere; `properties` or `required` without it does.
        _ => "object",
    };
    match named {
        "null" => Shape::Null,
        "boolean" => Shape::Boolean,
        "string" => Shape::String,
        "integer" => Shape::Integer(range(&schema)),
        "number" => Shape::Number(range(&schema)),
        "array" => Shape::Array(array(definitions, nodes, &schema)),
        "object" => Shape::Object(object(definitions, nodes, &schema)),
        _ => Shape::Never,
    }
}

fn range(schema: &Value) -> Range {
    let bound = |keyword| schema.get(keyword).and_then(Value::as_f64);
    Range { least: bound("minimum"), most: bound("maximum") }
}

fn array(definitions: &Definitions, nodes: &mut Vec<Shape>, schema: &Value) -> Array {
    let bound = |keyword| {
        let value = schema.get(keyword).and_then(Value::as_u64)?;
        usize::try_from(value).ok()
    };
    Array {
        items: node(definitions, nodes, schema.get("items").unwrap_or(&Value::Bool(true))),
        least: bound("minItems").unwrap_or(0),
        most: bound("maxItems"),
    }
}

fn object(definitions: &Definitions, nodes: &mut Vec<Shape>, schema: &Value) -> Object {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut members = Vec::new();
    for (name, schema) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        members.push(Member {
            name: name.clone(),
            node: node(definitions, nodes, schema),
            required: required.contains(&name.as_str()),
        });
    }
    let open = Value::Bool(true);
    let rest = schema.get("additionalProperties").unwrap_or(&open);
    for name in required {
        if !members.iter().any(|member| member.name == name) {
            let node = node(definitions, nodes, rest);
            members.push(Member { name: name.to_owned(), node, required: true });
        }
    }
    let rest = if unconstrained(rest) {
        Rest::Open
    } else if *rest == false {
        Rest::Closed
    } else {
        Rest::Map(node(definitions, nodes, rest))
    };
    Object { members, rest }
}

fn recursive(model: &Model) -> Vec<bool> {
    let reaches_itself = |start: usize| {
        let mut seen = vec![false; model.nodes.len()];
        let mut open = model.children(NodeId(start));
        while let Some(node) = open.pop() {
            if node.0 == start {
                return true;
            }
            if !std::mem::replace(&mut seen[node.0], true) {
                open.extend(model.children(node));
            }
        }
        false
    };
    (0..model.names.len()).map(reaches_itself).collect()
}

fn leads(model: &Model) -> Vec<bool> {
    let mut leads = vec![false; model.nodes.len()];
    leads[..model.recursive.len()].copy_from_slice(&model.recursive);
    loop {
        let mut changed = false;
        for index in 0..leads.len() {
            if !leads[index] && model.children(NodeId(index)).iter().any(|child| leads[child.0]) {
                leads[index] = true;
                changed = true;
            }
        }
        if !changed {
            return leads;
        }
    }
}
