//! How a type reads itself, and the slots in which the members of an object are gathered.

use crate::error::{DecodeError, Decoded, shown};
use crate::json::JsonObject;
use crate::map::Map;
use crate::reader::{Kind, Reader};
use crate::scan;

/// A type that can be read from JSON text.
///
/// Each type of this crate implements it, and serde's `Deserialize` on top of it. Bounds on
/// numbers and lengths are checked, members that a type doesn't name are kept, and errors name the
/// place.
pub trait Decode: Sized {
    /// Reads the value that comes next.
    ///
    /// # Errors
    /// If the text isn't JSON, or the value doesn't fit.
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self>;
}

/// Reads one value from a whole text.
///
/// # Errors
/// If the text isn't JSON, if something follows the value, or if it doesn't fit the type; the error
/// names the place as a JSON pointer.
pub fn decode<T: Decode>(text: &str) -> Decoded<T> {
    let mut reader = Reader::new(text);
    let value = T::decode(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

impl Decode for String {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        reader.string().map(std::borrow::Cow::into_owned)
    }
}

impl Decode for bool {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        reader.boolean()
    }
}

/// Null, and nothing else.
impl Decode for () {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        reader.null()
    }
}

impl Decode for i64 {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        integer(reader)
    }
}

impl Decode for u64 {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        integer(reader)
    }
}

/// Reads a whole number, however it is written.
fn integer<T: std::str::FromStr + TryFrom<i128>>(reader: &mut Reader<'_>) -> Decoded<T> {
    let found = reader.kind()?;
    if found != Kind::Number {
        return Err(reader.mismatch("an integer", found));
    }
    let token = reader.number()?;
    if let Ok(value) = token.parse() {
        return Ok(value);
    }
    match scan::integral(token) {
        Some(value) => T::try_from(value).map_err(|_| DecodeError::shape(format!("the integer {} is out of range", shown(token)))),
        None => Err(DecodeError::shape(format!("expected an integer, found {}", shown(token)))),
    }
}

impl<T: Decode> Decode for Vec<T> {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        let mut items = Self::new();
        reader.array(&mut |reader| {
            items.push(T::decode(reader)?);
            Ok(())
        })?;
        Ok(items)
    }
}

impl<T: Decode> Decode for Box<T> {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        T::decode(reader).map(Self::new)
    }
}

/// Null is `None`; whether the member may be absent is the slot's concern.
impl<T: Decode> Decode for Option<T> {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        match reader.kind()? {
            Kind::Null => reader.null().map(|()| None),
            _ => T::decode(reader).map(Some),
        }
    }
}

/// The place of one member while an object is read.
#[derive(Debug, Default)]
pub enum Slot<T> {
    /// The member has not been seen.
    #[default]
    Absent,
    /// The member was null, which reads as absent.
    Null,
    /// The member's value.
    Value(T),
}

impl<T> Slot<T> {
    /// Reads the member with `read`, and refuses to read it twice.
    ///
    /// # Errors
    /// Those of `read`, and a second member of the same name.
    #[inline]
    pub fn read(&mut self, reader: &mut Reader<'_>, read: impl FnOnce(&mut Reader<'_>) -> Decoded<T>) -> Decoded<()> {
        self.once()?;
        *self = Self::Value(read(reader)?);
        Ok(())
    }

    /// Reads the member with `read` unless it is null, which many peers send for an absent member.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    #[inline]
    pub fn read_optional(
        &mut self,
        reader: &mut Reader<'_>,
        read: impl FnOnce(&mut Reader<'_>) -> Decoded<T>,
    ) -> Decoded<()> {
        self.once()?;
        *self = match reader.at_null() {
            true => reader.null().map(|()| Self::Null)?,
            false => Self::Value(read(reader)?),
        };
        Ok(())
    }

    #[inline]
    fn once(&self) -> Decoded<()> {
        match self {
            Self::Absent => Ok(()),
            Self::Null | Self::Value(_) => Err(duplicate()),
        }
    }

    /// The value, if there was one.
    #[inline]
    pub fn optional(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// The value of a member that has to be there.
    ///
    /// # Errors
    /// Says which member is missing.
    #[inline]
    pub fn required(self, name: &str) -> Decoded<T> {
        self.optional().ok_or_else(|| missing(name))
    }
}

#[cold]
fn duplicate() -> DecodeError {
    DecodeError::shape("the member stands twice")
}

#[cold]
pub(crate) fn missing(name: &str) -> DecodeError {
    DecodeError::shape(format!("missing member `{name}`"))
}

/// Reads a string that can only have one value.
///
/// # Errors
/// If it has another.
pub fn literal(reader: &mut Reader<'_>, expected: &str) -> Decoded<()> {
    let found = reader.string()?;
    match found == expected {
        true => Ok(()),
        false => Err(DecodeError::shape(format!("expected `{expected}`, found `{}`", shown(&found)))),
    }
}

/// Reads an integer that can only have one value.
///
/// # Errors
/// If it has another.
#[allow(dead_code, reason = "not every schema needs it")]
pub fn literal_integer(reader: &mut Reader<'_>, expected: i64) -> Decoded<()> {
    match i64::decode(reader)? {
        found if found == expected => Ok(()),
        found => Err(DecodeError::shape(format!("expected {expected}, found {found}"))),
    }
}

/// Reads a boolean that can only have one value.
///
/// # Errors
/// If it has the other.
#[allow(dead_code, reason = "not every schema needs it")]
pub fn literal_boolean(reader: &mut Reader<'_>, expected: bool) -> Decoded<()> {
    match reader.boolean()? == expected {
        true => Ok(()),
        false => Err(DecodeError::shape(format!("expected {expected}"))),
    }
}

/// A number that bounds can be put on.
pub trait Measured: Decode {
    /// The number, as bounds are compared with it.
    fn measure(&self) -> f64;
}

impl Measured for i64 {
    fn measure(&self) -> f64 {
        *self as f64
    }
}

impl Measured for u64 {
    fn measure(&self) -> f64 {
        *self as f64
    }
}

impl Measured for crate::Number {
    fn measure(&self) -> f64 {
        self.as_f64()
    }
}

/// Reads a number within inclusive bounds.
///
/// # Errors
/// If it lies outside.
#[allow(dead_code, reason = "not every schema needs it")]
pub fn within<T: Measured>(reader: &mut Reader<'_>, minimum: Option<f64>, maximum: Option<f64>) -> Decoded<T> {
    let value = T::decode(reader)?;
    let measure = value.measure();
    match (minimum, maximum) {
        (Some(minimum), _) if measure < minimum => Err(DecodeError::shape(format!("{measure} is below the minimum of {minimum}"))),
        (_, Some(maximum)) if measure > maximum => Err(DecodeError::shape(format!("{measure} is above the maximum of {maximum}"))),
        _ => Ok(value),
    }
}

/// Reads a list with inclusive bounds on its length.
///
/// # Errors
/// If it is too short or too long, or an item doesn't fit.
#[allow(dead_code, reason = "not every schema needs it")]
pub fn list<T>(
    reader: &mut Reader<'_>,
    minimum: Option<u64>,
    maximum: Option<u64>,
    item: impl Fn(&mut Reader<'_>) -> Decoded<T>,
) -> Decoded<Vec<T>> {
    let mut items = Vec::new();
    reader.array(&mut |reader| {
        items.push(item(reader)?);
        Ok(())
    })?;
    let length = items.len() as u64;
    match (minimum, maximum) {
        (Some(minimum), _) if length < minimum => Err(DecodeError::shape(format!("{length} items are fewer than {minimum}"))),
        (_, Some(maximum)) if length > maximum => Err(DecodeError::shape(format!("{length} items are more than {maximum}"))),
        _ => Ok(items),
    }
}

/// Reads an object with free names.
///
/// # Errors
/// If a value doesn't fit, or a name stands twice.
#[allow(dead_code, reason = "not every schema needs it")]
pub fn map<T>(reader: &mut Reader<'_>, value: impl Fn(&mut Reader<'_>) -> Decoded<T>) -> Decoded<Map<T>> {
    let mut map = Map::new();
    reader.object(&mut |reader, name| map.read_with(reader, name, &value))?;
    map.unique()
}

/// Reads null as `None`.
///
/// # Errors
/// If anything else doesn't fit.
#[allow(dead_code, reason = "not every schema needs it")]
pub fn nullable<T>(reader: &mut Reader<'_>, value: impl FnOnce(&mut Reader<'_>) -> Decoded<T>) -> Decoded<Option<T>> {
    match reader.kind()? {
        Kind::Null => reader.null().map(|()| None),
        _ => value(reader).map(Some),
    }
}

/// Reads a value onto the heap.
///
/// # Errors
/// If it doesn't fit.
#[allow(dead_code, reason = "not every schema needs it")]
pub fn boxed<T>(reader: &mut Reader<'_>, value: impl FnOnce(&mut Reader<'_>) -> Decoded<T>) -> Decoded<Box<T>> {
    value(reader).map(Box::new)
}

/// Reads an object of a kind that the type doesn't know, and keeps it. Its tag has to stand once:
/// another reader may go by a second one.
///
/// # Errors
/// If no object comes next, or the tag stands twice.
#[allow(dead_code, reason = "not every schema needs it")]
pub fn unknown(reader: &mut Reader<'_>, tag: &str) -> Decoded<JsonObject> {
    let mut slot = Slot::Absent;
    reader.clone().object(&mut |reader, key| match key == tag {
        true => slot.read(reader, |reader| reader.skip().map(drop)),
        false => reader.skip().map(drop),
    })?;
    kept(reader)
}

/// Reads a value of a kind that the type doesn't know, and keeps it.
///
/// # Errors
/// If it isn't JSON, or no object where one is wanted.
#[allow(dead_code, reason = "not every schema needs it")]
pub fn kept<T: Decode>(reader: &mut Reader<'_>) -> Decoded<T> {
    reader.meet_kind();
    T::decode(reader)
}

/// None of the members is there that tell the arms of a union apart.
#[cold]
#[allow(dead_code, reason = "not every schema needs it")]
pub(crate) fn missing_any(names: &[&str]) -> DecodeError {
    DecodeError::shape(format!("expected a member `{}`", names.join("` or `")))
}

/// A closed object has no other members.
#[allow(dead_code, reason = "not every schema needs it")]
#[cold]
pub fn closed() -> DecodeError {
    DecodeError::shape("this object has no such member")
}
