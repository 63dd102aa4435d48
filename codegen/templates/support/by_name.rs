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

/// What a keyed decoder read, written again.
#[derive(Clone, Debug)]
pub struct Recoded {
    /// The name of the type in the specification; `Unknown` for one that the revision doesn't know.
    pub variant: &'static str,
    /// What was written.
    pub text: String,
}

/// Reads a message by its method and the text of its params, and writes it again.
pub type RecodeMessage = fn(&str, Option<&str>) -> Decoded<Recoded>;

/// The keyed decoders of a revision; `None` where it has no such messages.
#[derive(Clone, Copy, Debug)]
pub struct Keyed {
    /// Requests that a client sends.
    pub client_request: Option<RecodeMessage>,
    /// Requests that a server sends.
    pub server_request: Option<RecodeMessage>,
    /// Requests that travel inside a result.
    pub input_request: Option<RecodeMessage>,
    /// Notifications that a client sends.
    pub client_notification: Option<RecodeMessage>,
    /// Notifications that a server sends.
    pub server_notification: Option<RecodeMessage>,
    /// Results, by the method that was pending.
    pub result: fn(&str, &str) -> Decoded<Recoded>,
}

impl Recoded {
    /// Writes a value that was read.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn new(variant: &'static str, value: &impl Serialize) -> Decoded<Self> {
        Ok(Self { variant, text: write(value)? })
    }
}

/// Reads a text as a type and writes it again.
///
/// # Errors
/// If the text doesn't fit the type.
pub fn recode<T: Decode + Serialize>(text: &str) -> Decoded<String> {
    let value: T = crate::decode(text)?;
    write(&value)
}

fn write(value: &impl Serialize) -> Decoded<String> {
    serde_json::to_string(value).map_err(|error| crate::DecodeError::shape(error.to_string()))
}
