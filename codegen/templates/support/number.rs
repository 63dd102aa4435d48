//! A number that stays what it was: whole as whole, fraction as fraction.

use std::cmp::Ordering;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::decode::Decode;
use crate::error::{DecodeError, Decoded};
use crate::reader::Reader;

/// A JSON number: what came as `1` goes out as `1`, and whole numbers keep 64 bits.
///
/// Numbers compare by value. One that is not finite can be made with `From<f64>`, but not written:
/// serializing it is an error.
#[derive(Clone, Copy)]
pub struct Number(Repr);

#[derive(Clone, Copy)]
enum Repr {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
}

impl Repr {
    /// The integer, if it was one.
    fn whole(self) -> Option<i128> {
        match self {
            Self::Signed(value) => Some(value.into()),
            Self::Unsigned(value) => Some(value.into()),
            Self::Float(_) => None,
        }
    }
}

impl Number {
    /// The nearest double.
    pub fn as_f64(self) -> f64 {
        match self.0 {
            Repr::Signed(value) => value as f64,
            Repr::Unsigned(value) => value as f64,
            Repr::Float(value) => value,
        }
    }

    /// The number as an integer that isn't negative, if it is one and fits.
    pub fn as_u64(self) -> Option<u64> {
        match self.0 {
            Repr::Float(value) => whole(value).and_then(|value| value.try_into().ok()),
            number => number.whole().and_then(|value| value.try_into().ok()),
        }
    }

    /// The number as an integer, if it is one and fits.
    pub fn as_i64(self) -> Option<i64> {
        match self.0 {
            Repr::Signed(value) => Some(value),
            Repr::Unsigned(value) => value.try_into().ok(),
            Repr::Float(value) => whole(value).and_then(|value| value.try_into().ok()),
        }
    }
}

impl From<&serde_json::Number> for Number {
    fn from(number: &serde_json::Number) -> Self {
        match (number.as_i64(), number.as_u64()) {
            (Some(value), _) => value.into(),
            (None, Some(value)) => value.into(),
            (None, None) => number.as_f64().unwrap_or(f64::NAN).into(),
        }
    }
}

/// The integer that a double stands for, if it stands for one within 64 bits.
fn whole(value: f64) -> Option<i128> {
    (value.fract() == 0.0 && value.abs() < 1.9e19).then_some(value as i128)
}

impl Decode for Number {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        let token = reader.number()?;
        if token.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
            if let Ok(value) = token.parse::<i64>() {
                return Ok(value.into());
            }
            if let Ok(value) = token.parse::<u64>() {
                return Ok(value.into());
            }
        }
        token.parse::<f64>().map(Self::from).map_err(|error| DecodeError::shape(error.to_string()))
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Repr::Signed(value) => serializer.serialize_i64(value),
            Repr::Unsigned(value) => serializer.serialize_u64(value),
            Repr::Float(value) if value.is_finite() => serializer.serialize_f64(value),
            Repr::Float(value) => Err(serde::ser::Error::custom(format!("JSON has no number {value}"))),
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        // A float that stands for an integer is compared as one, exactly.
        let exact = |number: Repr| match number {
            Repr::Float(value) => whole(value),
            number => number.whole(),
        };
        match (exact(self.0), exact(other.0)) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => self.as_f64().partial_cmp(&other.as_f64()),
        }
    }
}

impl PartialEq<f64> for Number {
    fn eq(&self, other: &f64) -> bool {
        *self == Self::from(*other)
    }
}

impl PartialOrd<f64> for Number {
    fn partial_cmp(&self, other: &f64) -> Option<Ordering> {
        self.partial_cmp(&Self::from(*other))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::Signed(value) => value.fmt(f),
            Repr::Unsigned(value) => value.fmt(f),
            Repr::Float(value) => value.fmt(f),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(Repr::Signed(value))
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self(Repr::Unsigned(value))
    }
}

impl From<i32> for Number {
    fn from(value: i32) -> Self {
        Self(Repr::Signed(value.into()))
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Self(Repr::Float(value))
    }
}
