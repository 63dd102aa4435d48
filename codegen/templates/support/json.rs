//! JSON that is kept as text until somebody wants to read it.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::decode::Decode;
use crate::error::{DecodeError, Decoded};
use crate::number::Number;
use crate::raw;
use crate::reader::{Kind, Reader};

/// Any JSON value, kept as its text.
///
/// The text was checked when it was taken (well formed, at most [`MAX_DEPTH`](crate::MAX_DEPTH)
/// deep, no unpaired surrogate, no infinite number), so reading it later can only fail to fit a
/// type. It holds no line break. Two values are equal if they mean the same: the order of members,
/// white space and the form of numbers don't count.
#[derive(Clone)]
pub struct Json(
    /// The text; `None` for `{}`, which capabilities are full of, and which then costs nothing.
    Option<Box<str>>,
);

/// The text of an empty object.
const EMPTY: &str = "{}";

impl Json {
    /// Takes a text.
    ///
    /// # Errors
    /// If the text isn't one JSON value, or breaks one of the rules above.
    pub fn parse(text: &str) -> Decoded<Self> {
        crate::decode(text)
    }

    /// The null value.
    pub fn null() -> Self {
        Self(Some("null".into()))
    }

    /// Takes whatever serde can write as JSON.
    ///
    /// # Errors
    /// If it can't be written as JSON, or is nested too deeply.
    pub fn from_serialize(value: &impl Serialize) -> Decoded<Self> {
        let text = serde_json::to_string(value).map_err(|error| DecodeError::shape(error.to_string()))?;
        Self::parse(&text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or(EMPTY)
    }

    /// Which kind of value it is.
    pub fn kind(&self) -> Kind {
        // The text was checked when it was taken, so it starts with a value.
        Reader::new(self.as_str()).kind().unwrap_or(Kind::Null)
    }

    /// Reads it as a type of yours.
    ///
    /// # Errors
    /// If it doesn't fit; the message is serde's.
    pub fn read<T: DeserializeOwned>(&self) -> Decoded<T> {
        serde_json::from_str(self.as_str()).map_err(|error| DecodeError::shape(error.to_string()))
    }

    /// Reads it as a type of this crate; errors name the place.
    ///
    /// # Errors
    /// If it doesn't fit.
    pub fn decode_as<T: Decode>(&self) -> Decoded<T> {
        crate::decode(self.as_str())
    }

    /// Reads it as a `serde_json::Value`.
    pub fn to_value(&self) -> Value {
        let mut deserializer = serde_json::Deserializer::from_str(self.as_str());
        // Only what was made from a `Value` can be deeper than the limit, and that came from here.
        deserializer.disable_recursion_limit();
        // The text was checked when it was taken.
        Value::deserialize(&mut deserializer).unwrap_or(Value::Null)
    }
}

impl Decode for Json {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        let text = reader.raw()?;
        Ok(Self((text != EMPTY).then(|| text.into())))
    }
}

/// Takes a value as it is. One nested more deeply than [`MAX_DEPTH`](crate::MAX_DEPTH) is kept, but
/// can't be written or read as anything but a `Value`.
impl From<Value> for Json {
    fn from(value: Value) -> Self {
        (&value).into()
    }
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Self {
        Self(Some(value.to_string().into()))
    }
}

impl Serialize for Json {
    /// The text of serde_json's serializer gets ours as it is. Any other serializer (serde's own for
    /// `flatten` and tagged enums, another format) couldn't take it raw, and gets a `Value`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Whatever the name of the type, what is written is right: this only saves a detour.
        match std::any::type_name::<S>().starts_with("&mut serde_json::ser::Serializer<") {
            true => raw::serialize(self.as_str(), serializer),
            false => self.to_value().serialize(serializer),
        }
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str() || same(&self.to_value(), &other.to_value())
    }
}

/// Equality of JSON values, numbers by value.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => Number::from(a) == Number::from(b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Any JSON object, kept as its text: [`Json`] that is known to be an object.
#[derive(Clone, PartialEq)]
pub struct JsonObject(Json);

impl JsonObject {
    /// An object without members.
    pub fn new() -> Self {
        Self(Json(None))
    }

    /// Takes a text.
    ///
    /// # Errors
    /// As [`Json::parse`], and if it isn't an object.
    pub fn parse(text: &str) -> Decoded<Self> {
        crate::decode(text)
    }

    /// Takes whatever serde writes as a JSON object.
    ///
    /// # Errors
    /// If it is written as something else, or not at all.
    pub fn from_serialize(value: &impl Serialize) -> Decoded<Self> {
        Json::from_serialize(value)?.try_into()
    }

    /// The value of one member, without reading the others; of a name that stands twice, the last,
    /// as [`to_value`](Json::to_value) has it.
    pub fn get(&self, name: &str) -> Option<Json> {
        let mut found = None;
        let mut member = |reader: &mut Reader<'_>, key: &str| {
            match key == name {
                true => found = Some(Json::decode(reader)?),
                false => drop(reader.skip()?),
            }
            Ok(())
        };
        // The text was checked when it was taken.
        let _ = Reader::new(self.as_str()).object(&mut member);
        found
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.as_str().bytes().all(|byte| matches!(byte, b'{' | b'}' | b' ' | b'\t'))
    }
}

impl std::ops::Deref for JsonObject {
    type Target = Json;

    fn deref(&self) -> &Json {
        &self.0
    }
}

impl Default for JsonObject {
    fn default() -> Self {
        Self::new()
    }
}

impl Decode for JsonObject {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        reader.expect(Kind::Object)?;
        Json::decode(reader).map(Self)
    }
}

impl TryFrom<Json> for JsonObject {
    type Error = DecodeError;

    fn try_from(json: Json) -> Decoded<Self> {
        match json.kind() {
            Kind::Object => Ok(Self(json)),
            found => Err(DecodeError::shape(format!("expected an object, found {}", found.described()))),
        }
    }
}

impl TryFrom<Value> for JsonObject {
    type Error = DecodeError;

    fn try_from(value: Value) -> Decoded<Self> {
        Self::parse(&value.to_string())
    }
}

impl From<serde_json::Map<String, Value>> for JsonObject {
    fn from(members: serde_json::Map<String, Value>) -> Self {
        Self(Value::Object(members).into())
    }
}

impl From<JsonObject> for Json {
    fn from(object: JsonObject) -> Self {
        object.0
    }
}

impl Serialize for JsonObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl fmt::Debug for JsonObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
