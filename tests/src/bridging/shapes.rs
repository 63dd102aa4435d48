//! Which members a schema names at which place of a value.

use std::collections::{BTreeMap, BTreeSet};

use mcprism_types::ProtocolVersion;
use mcprism_types::bridge::Part;
use serde_json::{Map, Value, json};

use super::revision::{Place, Revision};
use crate::instances::fault::below;
use crate::instances::rules::Rules;

/// JSON of somebody else's making, in which a revision names nothing.
const OPAQUE: [&str; 2] = ["Tool.inputSchema", "Tool.outputSchema"];

/// The members of a type by their names, each with what the schema says of it.
pub type Members = BTreeMap<String, Vec<Value>>;

/// The types of one schema by the names that revisions share: that of the definition, or
/// `Owner.member` where a shape stands in the place of a member.
#[derive(Debug)]
pub struct Shapes {
    types: BTreeMap<String, Members>,
}

/// An object of a value, where the schema says what it is.
#[derive(Debug)]
pub struct Seen {
    /// Where it stands.
    pub pointer: String,
    /// The names of its type.
    pub keys: BTreeSet<String>,
    /// The members that the schema names.
    pub named: BTreeSet<String>,
    /// Whether it may have others.
    pub open: bool,
}

/// One shape without references and unions.
#[derive(Clone, Debug, Default)]
struct Flat {
    keys: BTreeSet<String>,
    properties: BTreeMap<String, Value>,
    required: Vec<String>,
    rest: Option<Value>,
    items: Option<Value>,
    kinds: Vec<String>,
}

impl Shapes {
    /// Reads what a schema names.
    pub fn new(version: ProtocolVersion, rules: &Rules) -> Self {
        let schemas = rules.schemas();
        let mut shapes = Self { types: BTreeMap::new() };
        for (name, schema) in schemas {
            shapes.add(schemas, name, schema, 0);
        }
        let methods = version.methods().iter().map(|method| method.name);
        for method in methods {
            for (name, schema) in schemas {
                if schema.pointer("/properties/method/const").and_then(Value::as_str) == Some(method) {
                    let params = params(schemas, schema, name);
                    shapes.add(schemas, &format!("{method} params"), &params, 0);
                }
            }
        }
        shapes
    }

    /// The members that a type of that name has; `None` if no such type is known.
    pub fn members(&self, key: &str) -> Option<&Members> {
        self.types.get(key)
    }

    fn add(&mut self, schemas: &Map<String, Value>, key: &str, schema: &Value, depth: usize) {
        let Some(flat) = single(schemas, schema) else { return };
        if let Some(items) = &flat.items {
            return self.add(schemas, key, items, depth);
        }
        let members = self.types.entry(key.to_owned()).or_default();
        for (name, schema) in &flat.properties {
            let known = members.entry(name.clone()).or_default();
            if !known.contains(schema) {
                known.push(schema.clone());
            }
        }
        if depth == 4 {
            return;
        }
        for (name, schema) in flat.properties.iter().chain(flat.rest.iter().map(|rest| (star(), rest))) {
            let below = format!("{key}.{name}");
            if !OPAQUE.contains(&below.as_str()) {
                self.add(schemas, &below, schema, depth + 1);
            }
        }
    }
}

fn star() -> &'static String {
    static STAR: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| "*".to_owned());
    &STAR
}

/// The objects of a value that the schema of its place says something of.
pub fn seen(revision: &Revision, place: Place, json: &Value) -> Vec<Seen> {
    let schemas = revision.rules.schemas();
    let roots: Vec<(BTreeSet<String>, Value)> = match place.part {
        Part::Result => {
            let reference = |ty: &&str| (BTreeSet::new(), json!({"$ref": format!("#/definitions/{ty}")}));
            revision.results(place.method).iter().map(reference).collect()
        }
        Part::Params | Part::Notification => {
            let name = revision.message(place.method);
            let params = params(schemas, &schemas[name], name);
            vec![(BTreeSet::from([format!("{} params", place.method)]), params)]
        }
    };
    let mut found = Vec::new();
    walk(schemas, &roots, json, "", &mut found);
    found
}

/// The params of a message; those of the earlier revisions have `_meta` from what all messages are.
fn params(schemas: &Map<String, Value>, message: &Value, name: &str) -> Value {
    let params = message.pointer("/properties/params").cloned().unwrap_or_else(|| json!({}));
    let base = if name.ends_with("Notification") { "Notification" } else { "Request" };
    let meta = schemas.get(base).and_then(|base| base.pointer("/properties/params/properties/_meta"));
    match meta {
        Some(meta) => json!({"allOf": [params, {"type": "object", "properties": {"_meta": meta}}]}),
        None => params,
    }
}

fn walk(
    schemas: &Map<String, Value>,
    at: &[(BTreeSet<String>, Value)],
    json: &Value,
    pointer: &str,
    found: &mut Vec<Seen>,
) {
    let mut fitting: Vec<Flat> = Vec::new();
    for (keys, schema) in at {
        let mut flat = flatten(schemas, schema);
        if let [only] = flat.as_mut_slice() {
            only.keys.extend(keys.iter().cloned());
        }
        fitting.extend(flat.into_iter().filter(|flat| fits(flat, json)));
    }
    match json {
        Value::Object(members) => {
            let typed = fitting.iter().filter(|flat| !flat.properties.is_empty());
            let named: BTreeSet<String> = typed.clone().flat_map(|flat| flat.properties.keys().cloned()).collect();
            if !named.is_empty() {
                let open = fitting
                    .iter()
                    .all(|flat| flat.rest.as_ref().is_none_or(|rest| *rest == true || *rest == json!({})));
                let keys = typed.flat_map(|flat| flat.keys.iter().cloned()).collect();
                found.push(Seen { pointer: pointer.to_owned(), keys, named, open });
            }
            for (name, value) in members {
                let inside = |flat: &Flat| {
                    let (step, schema) = match flat.properties.get(name) {
                        Some(schema) => (name.as_str(), schema),
                        None => ("*", flat.rest.as_ref()?),
                    };
                    let keys: BTreeSet<String> = flat.keys.iter().map(|key| format!("{key}.{step}")).collect();
                    let opaque = keys.iter().any(|key| OPAQUE.contains(&key.as_str()));
                    (!opaque).then(|| (keys, schema.clone()))
                };
                let there: Vec<_> = fitting.iter().filter_map(inside).collect();
                walk(schemas, &there, value, &below(pointer, name), found);
            }
        }
        Value::Array(elements) => {
            let inside = |flat: &Flat| Some((flat.keys.clone(), flat.items.clone()?));
            let there: Vec<_> = fitting.iter().filter_map(inside).collect();
            for (index, element) in elements.iter().enumerate() {
                walk(schemas, &there, element, &below(pointer, &index.to_string()), found);
            }
        }
        _ => {}
    }
}

fn single(schemas: &Map<String, Value>, schema: &Value) -> Option<Flat> {
    let mut flat = flatten(schemas, schema);
    (flat.len() == 1).then(|| flat.remove(0))
}

/// The arms of a schema.
fn flatten(schemas: &Map<String, Value>, schema: &Value) -> Vec<Flat> {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let name = reference.rsplit('/').next().unwrap_or_default();
        let mut flat = schemas.get(name).map(|target| flatten(schemas, target)).unwrap_or_default();
        if let [only] = flat.as_mut_slice() {
            only.keys.insert(name.to_owned());
        }
        return flat;
    }
    for union in ["anyOf", "oneOf"] {
        if let Some(arms) = schema.get(union).and_then(Value::as_array) {
            return arms.iter().flat_map(|arm| flatten(schemas, arm)).collect();
        }
    }
    if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
        return vec![parts.iter().flat_map(|part| flatten(schemas, part)).fold(Flat::default(), joined)];
    }
    let strings = |member: &str| match schema.get(member) {
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(one)) => vec![one.clone()],
        _ => Vec::new(),
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    vec![Flat {
        keys: BTreeSet::new(),
        properties: properties.into_iter().flatten().map(|(name, schema)| (name.clone(), schema.clone())).collect(),
        required: strings("required"),
        rest: schema.get("additionalProperties").cloned(),
        items: schema.get("items").cloned(),
        kinds: strings("type"),
    }]
}

fn joined(mut one: Flat, other: Flat) -> Flat {
    for (name, schema) in other.properties {
        one.properties.entry(name).or_insert(schema);
    }
    one.keys.extend(other.keys);
    one.required.extend(other.required);
    one.rest = one.rest.or(other.rest);
    one.items = one.items.or(other.items);
    one.kinds.extend(other.kinds);
    one
}

/// Whether a value can be meant as this shape, looking at nothing below it but fixed strings.
fn fits(flat: &Flat, json: &Value) -> bool {
    let kind = match json {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let kinds = |name: &String| name == kind || (name == "integer" && kind == "number");
    if !flat.kinds.is_empty() && !flat.kinds.iter().any(kinds) {
        return false;
    }
    let Some(members) = json.as_object() else { return true };
    let literal = |(name, schema): (&String, &Value)| match (schema.get("const"), members.get(name)) {
        (Some(only), Some(value)) => only == value,
        _ => true,
    };
    flat.required.iter().all(|name| members.contains_key(name)) && flat.properties.iter().all(literal)
}
