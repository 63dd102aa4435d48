//! What can be wrong with a text: where, and what was expected there.

use std::borrow::Cow;
use std::fmt;

/// The outcome of decoding: a value, or where and why there is none.
pub type Decoded<T> = Result<T, DecodeError>;

/// Which rule a text broke. A peer is answered according to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text isn't JSON, or is nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH): JSON-RPC code -32700.
    Syntax,
    /// The JSON doesn't fit the type: JSON-RPC code -32602, or -32600 for an envelope.
    Shape,
    /// The revision has no such method in this direction: JSON-RPC code -32601.
    UnknownMethod,
}

/// Why a text could not be decoded.
///
/// It prints as `/content/0: expected an object, found a string`.
#[derive(Clone, PartialEq, Eq)]
pub struct DecodeError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    message: String,
    /// The way from the fault outwards: the last step is the outermost.
    steps: Vec<String>,
}

impl DecodeError {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { kind, message: message.into(), steps: Vec::new() }))
    }

    pub(crate) fn syntax(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Syntax, message)
    }

    /// A fault of shape at the place that is being read; a caller adds the way to it with
    /// [`inside`](Self::inside).
    pub fn shape(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Shape, message)
    }

    /// The revision knows no such method in the direction that was asked for.
    pub fn unknown_method(method: &str) -> Self {
        Self::new(ErrorKind::UnknownMethod, format!("no method `{}` in this revision and direction", shown(method)))
    }

    /// The same error, seen from one level further out.
    #[must_use]
    pub fn inside(mut self, step: &str) -> Self {
        self.0.steps.push(step.to_owned());
        self
    }

    /// Which rule was broken.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What was expected and what was found, without the place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The place, as a JSON pointer (RFC 6901) from the root of the decoded text. A missing member
    /// points at the object that lacks it.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in self.0.steps.iter().rev() {
            pointer.push('/');
            pointer.push_str(&escaped(step));
        }
        pointer
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer().as_str() {
            "" => f.write_str(self.message()),
            pointer => write!(f, "{pointer}: {}", self.message()),
        }
    }
}

impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DecodeError({:?}, {self})", self.kind())
    }
}

impl std::error::Error for DecodeError {}

/// A step as it stands in a JSON pointer (RFC 6901).
pub(crate) fn escaped(step: &str) -> Cow<'_, str> {
    match step.contains(['~', '/']) {
        true => Cow::Owned(step.replace('~', "~0").replace('/', "~1")),
        false => Cow::Borrowed(step),
    }
}

/// The beginning of what a peer sent: an error doesn't have to repeat it all.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(64).flat_map(char::escape_debug).collect()
}
