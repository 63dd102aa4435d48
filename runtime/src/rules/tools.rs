//! Tools: their names, the outline of their schemas, and whether structured content is there.
//!
//! Page: `server/tools`. Names have a form since 2025-11-25, as advice: 1 to 128 of `A-Z a-z 0-9 _ - .`
//! (a slash isn't among them), and case counts. Output schemas are there since 2025-06-18, and may be of
//! any type since 2026-07-28.

use std::collections::BTreeSet;

use mcprism_types::{Decode, Json, Kind, ProtocolVersion, Reader};

use super::Breach;
use super::headers;
use super::judge::{Judge, Place, items, member, string};
use super::table::{INPUT_SCHEMA, OUTPUT_SCHEMA, STRUCTURED, STRUCTURED_NULL, TOOL_NAME, TOOL_UNIQUE};

/// Says whether a tool may have this name, for who is about to register one.
///
/// Page: `server/tools` since 2025-11-25. It is advice: peers may well use other names, most often with
/// slashes.
///
/// ```
/// use mcprism::rules::tool_name;
///
/// assert!(tool_name("admin.tools.list").is_ok());
/// assert!(tool_name("my tool").is_err());
/// ```
///
/// # Errors
/// The rule, with an empty pointer.
pub fn tool_name(name: &str) -> Result<(), Breach> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    match (1..=128).contains(&name.len()) && name.bytes().all(is_allowed) {
        true => Ok(()),
        false => Err(TOOL_NAME.breach(String::new())),
    }
}

/// The structured content that has to fit the tool's output schema: `Some` for a result that has to fit,
/// `None` for one that hasn't (the tool has no output schema, or failed, or the result is of another kind).
///
/// `result` is the text of a result of `tools/call`, and `has_output_schema` says what its tool declared.
/// Whether the content fits is for a validator of JSON Schema, which isn't in this crate.
///
/// Page: `server/tools` since 2025-06-18. Since 2026-07-28 the content may be any value, null too; before,
/// null reads as absent.
///
/// ```
/// use mcprism::rules::structured_content;
/// use mcprism::types::ProtocolVersion;
///
/// let result = r#"{"content":[],"structuredContent":{"sum":4}}"#;
/// let content = structured_content(ProtocolVersion::V2025_11_25, true, result)?;
/// assert_eq!(content.map(|json| json.to_string()).as_deref(), Some(r#"{"sum":4}"#));
/// assert!(structured_content(ProtocolVersion::V2025_11_25, true, r#"{"content":[]}"#).is_err());
/// # Ok::<(), mcprism::rules::Breach>(())
/// ```
///
/// # Errors
/// If there should be structured content and isn't.
pub fn structured_content(
    version: ProtocolVersion,
    has_output_schema: bool,
    result: &str,
) -> Result<Option<Json>, Breach> {
    let reader = Reader::new(result);
    let failed = member(&reader, "isError").is_some_and(|mut flag| flag.boolean().unwrap_or(false));
    if !has_output_schema || !STRUCTURED.holds_in(version) || failed || is_interim(&reader) {
        return Ok(None);
    }
    let content = match STRUCTURED_NULL.holds_in(version) {
        true => reader.member("structuredContent").ok().flatten(),
        false => member(&reader, "structuredContent"),
    };
    match content.and_then(|mut content| Json::decode(&mut content).ok()) {
        Some(content) => Ok(Some(content)),
        None => Err(STRUCTURED.breach("/structuredContent".into())),
    }
}

/// Whether the call isn't over: there is a task in place of a result, or input is required.
fn is_interim(reader: &Reader<'_>) -> bool {
    let is_task = member(reader, "content").is_none() && member(reader, "task").is_some();
    is_task || string(reader, "resultType").is_some_and(|kind| kind != "complete")
}

/// Judges what `tools/list` results in.
pub(super) fn result(judge: &mut Judge, reader: &Reader<'_>, place: &Place<'_>) {
    let Some(tools) = member(reader, "tools") else { return };
    let place = place.name("tools");
    let mut names = BTreeSet::new();
    items(&tools, &mut |index, tool| {
        let place = place.item(index);
        definition(judge, tool, &place);
        if let Some(schema) = member(tool, "inputSchema") {
            headers::schema(judge, &schema, &place.name("inputSchema"));
        }
        if string(tool, "name").is_some_and(|name| !names.insert(name)) {
            judge.breaks(&TOOL_UNIQUE, &place.name("name"));
        }
    });
}

/// Judges one tool, wherever it is defined.
pub(super) fn definition(judge: &mut Judge, tool: &Reader<'_>, place: &Place<'_>) {
    if string(tool, "name").is_some_and(|name| tool_name(&name).is_err()) {
        judge.breaks(&TOOL_NAME, &place.name("name"));
    }
    if !member(tool, "inputSchema").is_some_and(|schema| is_of_objects(&schema)) {
        judge.breaks(&INPUT_SCHEMA, &place.name("inputSchema"));
    }
    if member(tool, "outputSchema").is_some_and(|schema| !is_of_objects(&schema)) {
        judge.breaks(&OUTPUT_SCHEMA, &place.name("outputSchema"));
    }
}

/// Whether a schema is an object and of the type `object`.
fn is_of_objects(schema: &Reader<'_>) -> bool {
    schema.clone().kind() == Ok(Kind::Object) && string(schema, "type").as_deref() == Some("object")
}
