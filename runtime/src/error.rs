//! What can go wrong between this program and its peer.

use std::fmt;
use std::time::Duration;

use mcprism_types::bridge::Refused;
use mcprism_types::{DecodeError, Era, ProtocolVersion};

use crate::jsonrpc::{ErrorObject, code};

/// What a call, a handler or a connection ends with if it fails.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something failed.
///
/// A handler returns one to fail a request: what goes to the peer is made by [`to_object`](Self::to_object).
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// An error of JSON-RPC: the peer's answer, or what a handler answers with.
    Rpc(ErrorObject),
    /// No answer came in time. Nothing of this kind is ever written to the wire.
    Timeout {
        /// The method of the request.
        method: String,
        /// How long was waited.
        after: Duration,
    },
    /// The request was given up on this side.
    Cancelled,
    /// The connection is closed, or was closed before the answer came.
    Closed,
    /// The peer has not declared the capability that this needs.
    NotDeclared {
        /// The way to it in the peer's capabilities, such as `elicitation.url`.
        capability: String,
    },
    /// The revision that is spoken has no such method in this direction.
    NoSuchMethod {
        /// The method.
        method: String,
        /// The revision.
        version: ProtocolVersion,
    },
    /// The other revision can't say it.
    Untranslatable(Refused),
    /// What came from the peer doesn't fit its type.
    Invalid {
        /// What it was, such as `the result of tools/list`.
        what: String,
        /// Where and why.
        error: DecodeError,
    },
    /// There is no revision that both sides speak.
    UnsupportedVersion {
        /// What the server offers, as it says it.
        offered: Vec<String>,
        /// What this client speaks.
        spoken: Vec<ProtocolVersion>,
    },
    /// The peer breaks a rule of the protocol.
    Protocol(String),
    /// The transport failed.
    Io(std::io::Error),
    /// Something of this program's own: registering, encoding, or a handler that failed.
    Internal(String),
}

impl Error {
    /// A handler's own failure, answered as -32603 with this message.
    pub fn internal(message: impl fmt::Display) -> Self {
        Self::Internal(message.to_string())
    }

    /// The params don't fit, answered as -32602 with this message.
    pub fn invalid_params(message: impl fmt::Display) -> Self {
        Self::Rpc(ErrorObject::new(code::INVALID_PARAMS, message.to_string()))
    }

    /// There is no such resource. It is answered as the peer's revision has it: -32002 in the legacy era,
    /// -32602 in the modern one (`server/resources`, Error Handling).
    pub fn resource_not_found(uri: &str) -> Self {
        let data = serde_json::json!({ "uri": uri });
        Self::Rpc(ErrorObject::new(code::RESOURCE_NOT_FOUND, "Resource not found").with_data(data))
    }

    /// What a peer of this revision is told.
    pub fn to_object(&self, version: ProtocolVersion) -> ErrorObject {
        match self {
            Self::Rpc(error) => adapted(error, version),
            Self::NotDeclared { capability } if version.era() == Era::Modern => missing(capability),
            // The kind of failure is known here; the peer can do nothing about the rest.
            Self::Untranslatable(refused) => {
                ErrorObject::new(code::INTERNAL_ERROR, format!("{version} has no way to say the answer: {refused}"))
            }
            other => ErrorObject::new(code::INTERNAL_ERROR, other.to_string()),
        }
    }
}

/// The error as a revision has it: two codes belong to some of them only.
fn adapted(error: &ErrorObject, version: ProtocolVersion) -> ErrorObject {
    let code = match (error.code, version.era()) {
        (code::RESOURCE_NOT_FOUND, Era::Modern) => code::INVALID_PARAMS,
        (code::URL_ELICITATION_REQUIRED, Era::Modern) => code::INTERNAL_ERROR,
        (
            code::HEADER_MISMATCH | code::MISSING_REQUIRED_CLIENT_CAPABILITY | code::UNSUPPORTED_PROTOCOL_VERSION,
            Era::Legacy,
        ) => code::INTERNAL_ERROR,
        (code, _) => code,
    };
    ErrorObject { code, ..error.clone() }
}

/// The error of the modern era for a capability that the client has not declared (`basic`, Error Codes).
fn missing(capability: &str) -> ErrorObject {
    let required = crate::session::capability::tree([capability]);
    ErrorObject::new(
        code::MISSING_REQUIRED_CLIENT_CAPABILITY,
        format!("this needs the client's capability `{capability}`, which the request does not declare"),
    )
    .with_data(serde_json::json!({ "requiredCapabilities": required }))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rpc(error) => write!(f, "{} ({})", error.message, error.code),
            Self::Timeout { method, after } => write!(f, "no answer to `{method}` within {after:?} (-32001)"),
            Self::Cancelled => f.write_str("the request was cancelled"),
            Self::Closed => f.write_str("the connection is closed (-32000)"),
            Self::NotDeclared { capability } => write!(f, "the peer has not declared the capability `{capability}`"),
            Self::NoSuchMethod { method, version } => write!(f, "{version} has no method `{method}` in this direction"),
            Self::Untranslatable(refused) => write!(f, "the other revision can't say it: {refused}"),
            Self::Invalid { what, error } => write!(f, "{what}: {error}"),
            Self::UnsupportedVersion { offered, spoken } => {
                let spoken: Vec<&str> = spoken.iter().map(|version| version.as_str()).collect();
                write!(f, "no common protocol version: the server offers {}", listed(offered))?;
                write!(f, "; this client speaks {}", listed(&spoken))
            }
            Self::Protocol(what) => f.write_str(what),
            Self::Io(error) => error.fmt(f),
            Self::Internal(what) => f.write_str(what),
        }
    }
}

fn listed<T: AsRef<str>>(names: &[T]) -> String {
    match names {
        [] => "none".to_owned(),
        names => names.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", "),
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Untranslatable(refused) => Some(refused),
            Self::Invalid { error, .. } => Some(error),
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ErrorObject> for Error {
    fn from(error: ErrorObject) -> Self {
        Self::Rpc(error)
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        Self::Untranslatable(refused)
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Internal(error.to_string())
    }
}
