//! Every type of every revision by its name, for tools that choose at run time.

use serde::Serialize;

use crate::decode::Decode;
use crate::error::Decoded;

/// A type of the specification, found by its name.
#[derive(Clone, Copy, Debug)]
pub struct NamedType {
    /// The name in the specification.
    pub name: &'static str,
    /// What it looks like on the wire.
    pub form: Form,
    /// Reads a text as this type (without its envelope) and writes it again.
    pub recode: fn(&str) -> Decoded<String>,
}

/// What a type looks like on the wire: as it is, or inside a JSON-RPC envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    Plain,
    /// As a request: `jsonrpc` and `id` stand beside its members.
    Request,
    /// As a notification: `jsonrpc` stands beside its members.
    Notification,
    /// As the `result` of a response.
    Result,
    /// As the `error` of a response.
    Error,
}

/// Reads a text as a type and writes it again.
///
/// # Errors
/// If the text doesn't fit the type.
pub fn recode<T: Decode + Serialize>(text: &str) -> Decoded<String> {
    let value: T = crate::decode(text)?;
    serde_json::to_string(&value).map_err(|error| crate::DecodeError::shape(error.to_string()))
}
