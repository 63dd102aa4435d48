//! Makes the canonical form of an official schema: its structure without its prose.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// Keywords that only talk to people, or only repeat what the type says.
const PROSE: [&str; 8] =
    ["$comment", "$id", "default", "deprecated", "description", "examples", "markdownDescription", "title"];

/// Keywords whose value maps free names to schemas: below them nothing is prose by its name.
const NAMES: [&str; 4] = ["properties", "$defs", "definitions", "patternProperties"];

/// Keywords whose value is data, to be kept as it is.
const DATA: [&str; 3] = ["const", "enum", "required"];

/// The canonical text of a schema: sorted keys, two spaces, and no prose unless `prose` asks for it.
///
/// # Errors
/// If the text isn't a JSON object.
pub fn canonical(name: &str, text: &str, prose: bool) -> Result<String> {
    let mut schema = parse(name, text)?;
    if !prose {
        strip(&mut schema);
    }
    Ok(format!("{schema:#}\n"))
}

/// Reads a schema.
///
/// # Errors
/// If the text isn't a JSON object.
pub fn parse(name: &str, text: &str) -> Result<Value> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match serde_json::from_str(text) {
        Ok(schema @ Value::Object(_)) => Ok(sorted(schema)),
        Ok(_) => Err(Error::new(name, "#", "expected a JSON object", "is this a schema.json?")),
        Err(error) => Err(Error::new(name, "#", format!("not JSON: {error}"), "is this a schema.json?")),
    }
}

/// The same value with the members of each object sorted, whatever map serde_json was built with.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members: BTreeMap<_, _> = members.into_iter().map(|(name, value)| (name, sorted(value))).collect();
            Value::Object(members.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        value => value,
    }
}

/// Takes prose out of a schema and all below it. The annotation `description` goes, a property that
/// is called `description` stays.
pub fn strip(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            keywords.retain(|keyword, _| !PROSE.contains(&keyword.as_str()));
            for (keyword, value) in keywords {
                match value {
                    Value::Object(names) if NAMES.contains(&keyword.as_str()) => strip_names(names),
                    _ if DATA.contains(&keyword.as_str()) => {}
                    value => strip(value),
                }
            }
        }
        Value::Array(schemas) => schemas.iter_mut().for_each(strip),
        _ => {}
    }
}

fn strip_names(names: &mut Map<String, Value>) {
    names.values_mut().for_each(strip);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_called_description_is_not_prose() {
        let text = r#"{"$defs":{"title":{"description":"x","title":"t","properties":
            {"description":{"type":"string","description":"y"},"default":{"default":1,"type":"integer"},
             "title":{"const":"title","title":"z"},"examples":{"enum":["description"]}},"required":["title"]}}}"#;
        let canonical = canonical("t", text, false).unwrap();
        let expected: Value = serde_json::from_str(
            r#"{"$defs":{"title":{"properties":{"description":{"type":"string"},"default":{"type":"integer"},
             "title":{"const":"title"},"examples":{"enum":["description"]}},"required":["title"]}}}"#,
        )
        .unwrap();
        assert_eq!(serde_json::from_str::<Value>(&canonical).unwrap(), expected);
    }

    #[test]
    fn prose_stays_on_request_and_bytes_are_stable() {
        let text = "{\"b\":{\"description\":\"x\"},\"a\":1}";
        let kept = canonical("t", text, true).unwrap();
        assert!(kept.contains("description"));
        assert_eq!(canonical("t", &kept, true).unwrap(), kept);
    }

    #[test]
    fn what_is_not_a_schema_is_refused() {
        for text in ["", "[]", "{", "null", "{\"a\":1}x"] {
            assert!(canonical("t", text, false).is_err(), "{text}");
        }
    }
}
