//! Errors on the wire, and what is wrong with a message that can't be read.

use std::fmt;

use mcprism_types::{Decode, DecodeError, Decoded, ErrorKind, Json, Map, Reader, Slot};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Id;

/// The codes that MCP gives a meaning.
///
/// Specification: the error types of each revision's schema, and JSON-RPC 2.0 section 5.1.
pub mod code {
    /// The text isn't JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// The JSON is no JSON-RPC message.
    pub const INVALID_REQUEST: i64 = -32600;
    /// There is no such method, or it needs a capability that was not declared.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// The params don't fit the method.
    pub const INVALID_PARAMS: i64 = -32602;
    /// The receiver failed.
    pub const INTERNAL_ERROR: i64 = -32603;
    /// There is no such resource (up to 2025-11-25).
    pub const RESOURCE_NOT_FOUND: i64 = -32002;
    /// An HTTP header contradicts the body (2026-07-28).
    pub const HEADER_MISMATCH: i64 = -32020;
    /// The client has not declared what the request needs (2026-07-28).
    pub const MISSING_REQUIRED_CLIENT_CAPABILITY: i64 = -32021;
    /// The revision that was asked for isn't spoken here (2026-07-28).
    pub const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;
    /// The user has to visit a page first (2025-11-25).
    pub const URL_ELICITATION_REQUIRED: i64 = -32042;
}

/// The `error` of a response.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorObject {
    /// The kind of error; see [`code`].
    pub code: i64,
    /// One sentence on it.
    pub message: String,
    /// Whatever else the sender says of it.
    pub data: Option<Json>,
    /// Members that no revision names.
    pub extra: Map,
}

impl ErrorObject {
    /// An error without `data`.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None, extra: Map::new() }
    }

    /// Adds `data`.
    #[must_use]
    pub fn with_data(mut self, data: impl Into<Json>) -> Self {
        self.data = Some(data.into());
        self
    }
}

impl Decode for ErrorObject {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        let (mut code, mut message, mut data) = (Slot::Absent, Slot::Absent, Slot::Absent);
        let mut extra = Vec::new();
        reader.object(&mut |reader, key| match key {
            "code" => code.read(reader, Decode::decode),
            "message" => message.read(reader, Decode::decode),
            "data" => data.read(reader, Decode::decode),
            key => {
                extra.push((key.to_owned(), Json::decode(reader)?));
                Ok(())
            }
        })?;
        Ok(Self {
            code: code.required("code")?,
            message: message.required("message")?,
            data: data.optional(),
            extra: unique(extra)?,
        })
    }
}

/// The members as a map, unless a name stands twice.
pub(super) fn unique(members: Vec<(String, Json)>) -> Decoded<Map> {
    if members.is_empty() {
        return Ok(Map::new());
    }
    let mut names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(DecodeError::shape("the member stands twice").inside(pair[0])),
        None => Ok(Map::from_unique(members)),
    }
}

impl Serialize for ErrorObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("code", &self.code)?;
        object.serialize_entry("message", &self.message)?;
        if let Some(data) = &self.data {
            object.serialize_entry("data", data)?;
        }
        for (name, value) in self.extra.iter().filter(|(name, _)| !["code", "message", "data"].contains(name)) {
            object.serialize_entry(name, value)?;
        }
        object.end()
    }
}

/// Why a text is no message, and what is left of it to answer with.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The code to answer with: [`PARSE_ERROR`](code::PARSE_ERROR),
    /// [`INVALID_REQUEST`](code::INVALID_REQUEST) or, for its body,
    /// [`INVALID_PARAMS`](code::INVALID_PARAMS) or [`METHOD_NOT_FOUND`](code::METHOD_NOT_FOUND).
    pub code: i64,
    /// The id, if it could be read.
    pub id: Option<Id>,
    /// Whether the text was meant as a response: it fails the request of that id, and is not answered.
    pub response: bool,
    /// Whether the text names a method, so that the id is one of the sender's own.
    pub request: bool,
    /// What is wrong, and where.
    pub error: DecodeError,
}

impl Fault {
    pub(super) fn envelope(id: Option<Id>, response: bool, error: DecodeError) -> Self {
        let code = match error.kind() {
            ErrorKind::Syntax => code::PARSE_ERROR,
            _ => code::INVALID_REQUEST,
        };
        Self { code, id, response, request: false, error }
    }

    pub(super) fn body(id: Option<Id>, response: bool, error: DecodeError) -> Self {
        let code = match error.kind() {
            ErrorKind::UnknownMethod => code::METHOD_NOT_FOUND,
            // The body is of another method than the type that was asked for.
            _ if error.pointer() == "/method" => code::METHOD_NOT_FOUND,
            _ => code::INVALID_PARAMS,
        };
        Self { code, id, response, request: false, error }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.error, self.code)
    }
}

impl std::error::Error for Fault {}
