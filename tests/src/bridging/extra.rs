//! Instances that the generator doesn't think of: what authors write into somebody else's JSON.

use super::revision::Place;
use mcprism_types::ProtocolVersion;
use mcprism_types::bridge::Part;
use serde_json::{Value, json};

/// The instances of a place that were written by hand. Those that the revision doesn't accept are
/// left out by the corpus.
pub fn extra(version: ProtocolVersion, place: Place) -> Vec<Value> {
    match (place.method, place.part) {
        ("tools/list", Part::Result) => schemas().into_iter().map(|tool| listed(version, &tool)).collect(),
        ("sampling/createMessage", Part::Params) => {
            let sample = |tool: Value| json!({"maxTokens": 1, "messages": [], "tools": [tool]});
            schemas().into_iter().map(sample).collect()
        }
        ("tools/call", Part::Result) => structured(version),
        ("elicitation/create", Part::Result) => {
            let answers = [json!(["a", "b"]), json!([]), json!(1.5), json!(true)];
            answers.into_iter().map(|answer| json!({"action": "accept", "content": {"x": answer}})).collect()
        }
        ("initialize", Part::Params) => {
            let info = json!({"name": "c", "version": "1"});
            vec![json!({"protocolVersion": version.as_str(), "capabilities": {"roots": {}}, "clientInfo": info})]
        }
        _ => Vec::new(),
    }
}

/// Tools whose schemas are allowed here and not there.
fn schemas() -> Vec<Value> {
    let object = |more: Value| {
        let mut schema = json!({"type": "object"});
        schema
            .as_object_mut()
            .into_iter()
            .for_each(|schema| schema.extend(more.as_object().cloned().unwrap_or_default()));
        schema
    };
    let inputs = [
        json!({"properties": {"x": {"type": "string", "title": "X"}}, "required": ["x"], "additionalProperties": false}),
        json!({"properties": {"x": true, "y": false}}),
        json!({"properties": {}, "required": [], "title": "T", "execution": 1, "icons": []}),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "anyOf": [true]}),
        json!({"properties": "no properties", "required": "x"}),
    ];
    let outputs = [
        json!({}),
        json!({"type": "array", "items": {"type": "string"}}),
        json!({"type": "object", "properties": {"x": true}}),
        json!({"type": "object", "required": [1]}),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}),
    ];
    let input = |schema: Value| json!({"name": "t", "inputSchema": object(schema)});
    let output = |schema: Value| json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": schema});
    inputs.into_iter().map(input).chain(outputs.into_iter().map(output)).collect()
}

fn listed(version: ProtocolVersion, tool: &Value) -> Value {
    match version {
        ProtocolVersion::V2026_07_28 => {
            json!({"tools": [tool], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"})
        }
        _ => json!({"tools": [tool]}),
    }
}

/// Structured content of every kind, beside texts and without.
fn structured(version: ProtocolVersion) -> Vec<Value> {
    let values = [json!({"n": 1}), json!([1, 2]), json!("x"), json!(1.5), json!(null), json!(false)];
    let text = json!({"type": "text", "text": "said"});
    let image = json!({"type": "image", "data": "", "mimeType": "image/png"});
    let audio = json!({"type": "audio", "data": "", "mimeType": "audio/wav"});
    let contents = [json!([]), json!([text]), json!([image]), json!([audio]), json!([image, text])];
    let mut results = Vec::new();
    for (value, content) in values.iter().flat_map(|value| contents.iter().map(move |content| (value, content))) {
        let mut result = json!({"content": content, "structuredContent": value});
        if version == ProtocolVersion::V2026_07_28 {
            result["resultType"] = "complete".into();
        }
        results.push(result);
    }
    results
}
