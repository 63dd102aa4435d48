//! Elicitation: forms are flat, and URLs are URLs.
//!
//! Page: `client/elicitation`, since 2025-06-18. A form's properties are strings, numbers, integers,
//! booleans and enumerations of strings. Since 2025-11-25 an enumeration may have titles (`oneOf`), and
//! several of its values may be chosen (`array`); there is also the mode `url`, whose URL is never fetched
//! here. That forms must not ask for secrets can't be seen in a message.

use mcprism_types::Reader;
use serde_json::{Map, Value};

use super::judge::{Judge, Place, member, string};
use super::table::{ELICITATION_URL, FORM_CHOICES, FORM_FIELD, FORM_FLAT, FORM_PRIMITIVE, FORM_TITLES};
use super::uris;

/// Keywords that hold schemas, or lead to some.
const NESTING: &[&str] = &[
    "$dynamicRef",
    "$ref",
    "allOf",
    "anyOf",
    "contains",
    "dependentSchemas",
    "else",
    "if",
    "items",
    "not",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "properties",
    "then",
];

/// Judges the params of `elicitation/create`.
pub(super) fn params(judge: &mut Judge, reader: &Reader<'_>, place: &Place<'_>) {
    match string(reader, "mode").as_deref() {
        Some("url") if judge.has(&ELICITATION_URL) => {
            if string(reader, "url").is_some_and(|url| !uris::is_url(&url)) {
                judge.breaks(&ELICITATION_URL, &place.name("url"));
            }
        }
        _ => {
            // It was read before, so it is well formed and not too deep.
            let schema = member(reader, "requestedSchema").and_then(|mut schema| schema.skip().ok());
            if let Some(Ok(Value::Object(schema))) = schema.map(serde_json::from_str) {
                form(judge, &schema, &place.name("requestedSchema"));
            }
        }
    }
}

fn form(judge: &mut Judge, schema: &Map<String, Value>, place: &Place<'_>) {
    nesting(judge, schema, place, &["properties"]);
    if let Some(Value::Object(properties)) = schema.get("properties") {
        let place = place.name("properties");
        for (name, property) in properties {
            field(judge, property, &place.name(name));
        }
    }
}

/// Judges one property.
fn field(judge: &mut Judge, property: &Value, place: &Place<'_>) {
    let kind = property.get("type").and_then(Value::as_str);
    let chooses = judge.has(&FORM_CHOICES);
    let (Value::Object(schema), Some(kind)) = (property, kind) else { return not_a_field(judge, place) };
    match kind {
        "array" if chooses => {
            nesting(judge, schema, place, &["items"]);
            if !schema.get("items").is_some_and(is_choice) {
                judge.breaks(&FORM_CHOICES, &place.name("items"));
            }
        }
        "string" if chooses => {
            nesting(judge, schema, place, &["oneOf"]);
            if schema.get("oneOf").is_some_and(|options| !are_titled(options)) {
                judge.breaks(&FORM_TITLES, &place.name("oneOf"));
            }
        }
        "string" | "number" | "integer" | "boolean" => nesting(judge, schema, place, &[]),
        _ => not_a_field(judge, place),
    }
}

/// Of these two rules, each revision has one.
fn not_a_field(judge: &mut Judge, place: &Place<'_>) {
    judge.breaks(&FORM_PRIMITIVE, place);
    judge.breaks(&FORM_FIELD, place);
}

/// Judges that a schema has no keyword with schemas but these.
fn nesting(judge: &mut Judge, schema: &Map<String, Value>, place: &Place<'_>, but: &[&str]) {
    for keyword in NESTING.iter().filter(|keyword| !but.contains(keyword)) {
        if schema.contains_key(*keyword) {
            judge.breaks(&FORM_FLAT, &place.name(keyword));
        }
    }
}

/// Whether `items` lists the strings to choose from, with titles or without.
fn is_choice(items: &Value) -> bool {
    let is_string = items.get("type").and_then(Value::as_str) == Some("string");
    let are_strings = |values: &Value| values.as_array().is_some_and(|values| values.iter().all(Value::is_string));
    match (items.get("enum"), items.get("anyOf")) {
        (Some(values), _) => is_string && are_strings(values),
        (None, Some(options)) => are_titled(options),
        (None, None) => false,
    }
}

/// Whether these are options, each with its value and its title.
fn are_titled(options: &Value) -> bool {
    let is_option =
        |option: &Value| ["const", "title"].iter().all(|name| option.get(name).is_some_and(Value::is_string));
    options.as_array().is_some_and(|options| options.iter().all(is_option))
}
