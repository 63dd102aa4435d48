//! Folds `allOf` into one schema, so that values can be made member by member.

use serde_json::{Map, Value};

/// The keywords that refuse something; all others are annotations.
const CONSTRAINTS: [&str; 14] = [
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "enum",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "oneOf",
    "properties",
    "required",
];

/// A schema's definitions by name.
pub(super) type Definitions = Map<String, Value>;

/// Tells whether a schema accepts every value.
pub(super) fn unconstrained(schema: &Value) -> bool {
    match schema {
        Value::Bool(accepts) => *accepts,
        Value::Object(keywords) => {
            !keywords.contains_key("type") && !CONSTRAINTS.iter().any(|keyword| keywords.contains_key(*keyword))
        }
        _ => false,
    }
}

/// The name that a `$ref` within the document ends in.
pub(super) fn referred(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.rsplit('/').next()
}

/// A schema that accepts what both accept. It has no `allOf`, and `anyOf` only at its top.
pub(super) fn both(definitions: &Definitions, a: &Value, b: &Value) -> Value {
    if unconstrained(a) {
        return b.clone();
    }
    if unconstrained(b) || a == b {
        return a.clone();
    }
    let (a, b) = (opened(definitions, a), opened(definitions, b));
    for (union, other) in [(&a, &b), (&b, &a)] {
        if let Some(arms) = union.get("anyOf").and_then(Value::as_array) {
            let arms = arms.iter().map(|arm| both(definitions, arm, other)).collect();
            return Value::from(Map::from_iter([("anyOf".to_owned(), Value::Array(arms))]));
        }
    }
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => merged(definitions, &a, &b),
        (Value::Bool(true), other) | (other, Value::Bool(true)) => other,
        _ => Value::Bool(false),
    }
}

/// Follows `$ref`, folds `allOf`, and draws what stands beside `anyOf` or `oneOf` into the arms.
pub(super) fn opened(definitions: &Definitions, schema: &Value) -> Value {
    let Some(keywords) = schema.as_object() else {
        return schema.clone();
    };
    let mut own = keywords.clone();
    if let Some(name) = referred(schema) {
        own.remove("$ref");
        // A reference to nowhere accepts nothing; the judge refuses to compile it.
        let target = definitions.get(name).unwrap_or(&Value::Bool(false));
        return both(definitions, &Value::Object(own), &opened(definitions, target));
    }
    if let Some(Value::Array(parts)) = own.remove("allOf") {
        let own = Value::Object(own);
        return parts.iter().fold(own, |whole, part| both(definitions, &whole, part));
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(arms)) = own.remove(keyword) {
            let own = Value::Object(own);
            let arms = arms.iter().map(|arm| both(definitions, &own, arm)).collect();
            return Value::from(Map::from_iter([("anyOf".to_owned(), Value::Array(arms))]));
        }
    }
    Value::Object(own)
}

fn merged(definitions: &Definitions, a: &Definitions, b: &Definitions) -> Value {
    let mut out = Map::new();
    for (name, value) in a.iter().chain(b) {
        let (Some(a), Some(b)) = (a.get(name), b.get(name)) else {
            out.insert(name.clone(), value.clone());
            continue;
        };
        let one = match name.as_str() {
            "type" => common_types(a, b),
            "items" => both(definitions, a, b),
            "minimum" | "minItems" => if a.as_f64() >= b.as_f64() { a } else { b }.clone(),
            "maximum" | "maxItems" => if a.as_f64() <= b.as_f64() { a } else { b }.clone(),
            "const" if a != b => return Value::Bool(false),
            "enum" => shared(a, b),
            "required" => joined(a, b),
            _ => a.clone(),
        };
        out.insert(name.clone(), one);
    }
    if out.get("type").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        return Value::Bool(false);
    }
    let open = Value::Bool(true);
    let rest = |of: &Definitions| of.get("additionalProperties").unwrap_or(&open).clone();
    let (rest_a, rest_b) = (rest(a), rest(b));
    let named = |of: &Definitions| of.get("properties").and_then(Value::as_object).cloned();
    let (named_a, named_b) = (named(a).unwrap_or_default(), named(b).unwrap_or_default());
    // A member that only one side names falls under the other side's `additionalProperties`.
    let names = named_a.keys().chain(named_b.keys());
    let properties: Map<String, Value> = names
        .map(|name| {
            let in_a = named_a.get(name).unwrap_or(&rest_a);
            let in_b = named_b.get(name).unwrap_or(&rest_b);
            (name.clone(), both(definitions, in_a, in_b))
        })
        .collect();
    if !properties.is_empty() {
        out.insert("properties".to_owned(), Value::Object(properties));
    }
    if a.contains_key("additionalProperties") || b.contains_key("additionalProperties") {
        let rest = both(definitions, &rest_a, &rest_b);
        out.insert("additionalProperties".to_owned(), rest);
    }
    Value::Object(out)
}

fn listed(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_else(|| vec![value.clone()])
}

fn common_types(a: &Value, b: &Value) -> Value {
    let (a, b) = (listed(a), listed(b));
    // Every integer is a number.
    let fits = |name: &Value, list: &[Value]| {
        list.contains(name) || (name == "integer" && list.iter().any(|other| other == "number"))
    };
    let from_a = a.iter().filter(|name| fits(name, &b));
    let from_b = b.iter().filter(|name| fits(name, &a) && !a.contains(name));
    let mut common: Vec<Value> = from_a.chain(from_b).cloned().collect();
    if common.len() == 1 { common.remove(0) } else { Value::Array(common) }
}

fn shared(a: &Value, b: &Value) -> Value {
    let b = listed(b);
    listed(a).into_iter().filter(|value| b.contains(value)).collect()
}

fn joined(a: &Value, b: &Value) -> Value {
    let mut all = listed(a);
    let added: Vec<Value> = listed(b).into_iter().filter(|name| !all.contains(name)).collect();
    all.extend(added);
    Value::Array(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn members_and_requirements_join() {
        let definitions = Map::from_iter([(
            "Base".to_owned(),
            json!({"type": "object", "properties": {"code": {"type": "integer"}}, "required": ["code"]}),
        )]);
        let schema = json!({"allOf": [
            {"$ref": "#/$defs/Base"},
            {"type": "object", "properties": {"code": {"const": 7}, "data": {}}, "required": ["data"]},
        ]});
        assert_eq!(
            opened(&definitions, &schema),
            json!({
                "type": "object",
                "properties": {"code": {"type": "integer", "const": 7}, "data": {}},
                "required": ["code", "data"],
            })
        );
    }

    #[test]
    fn a_closed_side_refuses_what_it_does_not_name() {
        let closed = json!({"type": "object", "properties": {}, "additionalProperties": false});
        let named = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        let result = both(&Map::new(), &closed, &named);
        assert_eq!(result["properties"]["a"], json!(false));
    }

    #[test]
    fn types_narrow() {
        assert_eq!(common_types(&json!("number"), &json!("integer")), json!("integer"));
        let never = both(&Map::new(), &json!({"type": "string"}), &json!({"type": "object"}));
        assert_eq!(never, json!(false));
    }
}
