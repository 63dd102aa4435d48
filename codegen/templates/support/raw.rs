//! The bridge between raw text and serde.
//!
//! serde_json passes raw JSON through serde under a name that only it and its `RawValue` know.
//! Here the name is asked of `RawValue` itself, so that nothing depends on how it is spelt.

use std::fmt;
use std::marker::PhantomData;
use std::sync::OnceLock;

use serde::de::{DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serializer, forward_to_deserialize_any};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::decode::Decode;

/// Writes a text that is JSON already.
pub(crate) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let mut raw = serializer.serialize_struct(name(), 1)?;
    raw.serialize_field(name(), text)?;
    raw.end()
}

/// Reads a type from the raw text of a serde_json deserializer. Any other (serde's own buffers for
/// `flatten` and `untagged`, another format) is read into a `Value` first.
pub(crate) fn deserialize<'de, T: Decode, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_newtype_struct(name(), RawVisitor(PhantomData))
}

/// Implements serde's `Deserialize` on top of [`Decode`].
macro_rules! implement_deserialize {
    ($($ty:ty),* $(,)?) => {$(
        impl<'de> serde::Deserialize<'de> for $ty {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::raw::deserialize(deserializer)
            }
        }
    )*};
}
pub(crate) use implement_deserialize;

implement_deserialize!(crate::json::Json, crate::json::JsonObject, crate::number::Number);

impl<'de, T: Decode> Deserialize<'de> for crate::map::Map<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}

struct RawVisitor<T>(PhantomData<T>);

impl<'de, T: Decode> Visitor<'de> for RawVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        match map.next_key::<String>()? {
            Some(key) if key == name() => map.next_value_seed(Text(PhantomData)),
            _ => Err(A::Error::custom("expected raw JSON")),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        let value = Value::deserialize(deserializer)?;
        crate::decode(&value.to_string()).map_err(D::Error::custom)
    }
}

struct Text<T>(PhantomData<T>);

impl<'de, T: Decode> DeserializeSeed<'de> for Text<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T: Decode> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text of a JSON value")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        crate::decode(text).map_err(E::custom)
    }
}

/// The name under which serde_json passes raw JSON.
fn name() -> &'static str {
    static NAME: OnceLock<&'static str> = OnceLock::new();
    NAME.get_or_init(|| match <Box<RawValue>>::deserialize(Probe) {
        Err(Asked(name)) => name,
        Ok(_) => "",
    })
}

/// A deserializer that gives nothing, but remembers what it was asked for.
struct Probe;

#[derive(Debug)]
struct Asked(&'static str);

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Asked {}

impl serde::de::Error for Asked {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self("")
    }
}

impl<'de> Deserializer<'de> for Probe {
    type Error = Asked;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Asked> {
        Err(Asked(""))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, _: V) -> Result<V::Value, Asked> {
        Err(Asked(name))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
