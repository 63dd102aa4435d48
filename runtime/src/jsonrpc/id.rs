//! What a response is matched to its request by.

use std::fmt;

use mcprism_types::{Decode, DecodeError, Decoded, Kind, Reader};
use serde::{Serialize, Serializer};

/// The id of a request: a string or an integer, never null.
///
/// An integer may be written with a fraction of zero (`1.0`), as some peers do; it is the same id,
/// and goes out as `1`. The string `"1"` is another id than the integer.
///
/// Specification: `basic`, Requests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Id {
    /// An integer.
    Integer(i64),
    /// A string, which may be empty.
    String(String),
}

impl Decode for Id {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        match reader.kind()? {
            Kind::String => Decode::decode(reader).map(Self::String),
            Kind::Number => Decode::decode(reader).map(Self::Integer),
            found => Err(DecodeError::shape(format!("expected a string or an integer, found {}", found.described()))),
        }
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integer(id) => serializer.serialize_i64(*id),
            Self::String(id) => serializer.serialize_str(id),
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(id) => id.fmt(f),
            Self::String(id) => write!(f, "{id:?}"),
        }
    }
}

impl From<i64> for Id {
    fn from(id: i64) -> Self {
        Self::Integer(id)
    }
}

impl From<&str> for Id {
    fn from(id: &str) -> Self {
        Self::String(id.to_owned())
    }
}

impl From<String> for Id {
    fn from(id: String) -> Self {
        Self::String(id)
    }
}
