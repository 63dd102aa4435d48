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
    Whole(i128),
    Float(f64),
}

impl Number {
    /// The nearest double.
    pub fn as_f64(self) -> f64 {
        match self.0 {
            Repr::Whole(value) => value as f64,
            Repr::Float(value) => value,
        }
    }

    /// The number as an integer, if it is one and fits.
    pub fn as_i64(self) -> Option<i64> {
        match self.0 {
            Repr::Whole(value) => value.try_into().ok(),
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
            Repr::Whole(value) => match i64::try_from(value) {
                Ok(value) => serializer.serialize_i64(value),
                Err(_) => serializer.serialize_u64(value as u64),
            },
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
        match (self.0, other.0) {
            (Repr::Whole(a), Repr::Whole(b)) => Some(a.cmp(&b)),
            (Repr::Whole(a), Repr::Float(b)) if whole(b).is_some() => whole(b).map(|b| a.cmp(&b)),
            (Repr::Float(a), Repr::Whole(b)) if whole(a).is_some() => whole(a).map(|a| a.cmp(&b)),
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
            Repr::Whole(value) => value.fmt(f),
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
        Self(Repr::Whole(value.into()))
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self(Repr::Whole(value.into()))
    }
}

impl From<i32> for Number {
    fn from(value: i32) -> Self {
        Self(Repr::Whole(value.into()))
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Self(Repr::Float(value))
    }
}
