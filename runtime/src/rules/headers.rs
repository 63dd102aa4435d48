//! `x-mcp-header`: which parameters of a tool are repeated in HTTP headers.
//!
//! Page: `server/tools` of 2026-07-28, and `basic/transports/streamable-http` for where it may stand. A
//! client on HTTP has to leave a tool that breaks one of these rules out of the list; one on stdio need not
//! look. The pointer names the tool by its index.

use std::collections::BTreeSet;

use mcprism_types::Reader;
use serde_json::Value;

use super::judge::{Judge, Place};
use super::table::{HEADER_NAME, HEADER_PLACE, HEADER_TYPE, HEADER_UNIQUE};

const ANNOTATION: &str = "x-mcp-header";

/// Keywords whose value is data, whatever stands in it.
const DATA: &[&str] = &["const", "default", "enum", "examples"];

/// Keywords that hold schemas by names of the author's.
const MAPS: &[&str] = &["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];

/// Judges the annotations of an `inputSchema`.
pub(super) fn schema(judge: &mut Judge, reader: &Reader<'_>, place: &Place<'_>) {
    if !judge.has(&HEADER_NAME) {
        return;
    }
    // It was read before, so it is well formed and not too deep.
    let text = reader.clone().skip().unwrap_or_default();
    let Ok(Value::Object(members)) = serde_json::from_str(text) else { return };
    object(judge, &members, place, Where::Top, &mut BTreeSet::new());
}

/// How a schema was reached.
#[derive(Clone, Copy, PartialEq)]
enum Where {
    Top,
    /// By `properties` alone.
    Property,
    /// By any other way.
    Elsewhere,
}

type Members = serde_json::Map<String, Value>;

fn object(judge: &mut Judge, schema: &Members, place: &Place<'_>, at: Where, names: &mut BTreeSet<String>) {
    for (keyword, value) in schema {
        let place = place.name(keyword);
        match (keyword.as_str(), value) {
            (ANNOTATION, value) => annotation(judge, schema, value, &place, at, names),
            (keyword, _) if DATA.contains(&keyword) => {}
            (keyword, Value::Object(schemas)) if MAPS.contains(&keyword) => {
                let inside = match keyword == "properties" && at != Where::Elsewhere {
                    true => Where::Property,
                    false => Where::Elsewhere,
                };
                for (name, schema) in schemas {
                    if let Value::Object(schema) = schema {
                        object(judge, schema, &place.name(name), inside, names);
                    }
                }
            }
            (_, value) => elsewhere(judge, value, &place, names),
        }
    }
}

/// Schemas below any other keyword, and below keywords that nobody knows.
fn elsewhere(judge: &mut Judge, value: &Value, place: &Place<'_>, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(schema) => object(judge, schema, place, Where::Elsewhere, names),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                elsewhere(judge, item, &place.item(index), names);
            }
        }
        _ => {}
    }
}

/// Judges one annotation by its own value, by the schema that it is for, and by where that stands.
fn annotation(
    judge: &mut Judge,
    schema: &Members,
    value: &Value,
    place: &Place<'_>,
    at: Where,
    names: &mut BTreeSet<String>,
) {
    match value.as_str().filter(|name| is_token(name)) {
        None => judge.breaks(&HEADER_NAME, place),
        Some(name) if !names.insert(name.to_ascii_lowercase()) => judge.breaks(&HEADER_UNIQUE, place),
        Some(_) => {}
    }
    if at != Where::Property {
        judge.breaks(&HEADER_PLACE, place);
    } else if !is_primitive(schema.get("type")) {
        judge.breaks(&HEADER_TYPE, place);
    }
}

/// Whether a `type` is of values that a header can carry. Null may be among them: it is left out.
fn is_primitive(kind: Option<&Value>) -> bool {
    let carried = |kind: &Value| matches!(kind.as_str(), Some("string" | "integer" | "boolean"));
    match kind {
        Some(Value::Array(kinds)) => {
            kinds.iter().any(carried) && kinds.iter().all(|kind| carried(kind) || kind.as_str() == Some("null"))
        }
        Some(kind) => carried(kind),
        None => false,
    }
}

/// A token of RFC 9110, section 5.6.2.
fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}
