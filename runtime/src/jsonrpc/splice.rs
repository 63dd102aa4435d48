//! Writes the members of a body into the object that the envelope has begun.

use serde::ser::{Error as _, Impossible, SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::{Error, Result};

/// Writes the members of a body behind those that are there already, and closes the object.
///
/// # Errors
/// If the body is no object, or holds something that JSON can't say.
pub(super) fn splice(out: &mut Vec<u8>, body: &impl Serialize) -> Result<()> {
    body.serialize(Members(out))?;
    out.push(b'}');
    Ok(())
}

/// The members that the envelope writes itself, or that would make an answer of a question: they are
/// never written from a body.
const ENVELOPE: [&[u8]; 4] = [br#","jsonrpc""#, br#","id""#, br#","result""#, br#","error""#];

/// Takes an object, and writes its members without the braces.
struct Members<'a>(&'a mut Vec<u8>);

impl Members<'_> {
    fn member<K: Serialize + ?Sized, V: Serialize + ?Sized>(&mut self, name: &K, value: &V) -> Result<()> {
        let start = self.0.len();
        self.0.push(b',');
        serde_json::to_writer(&mut *self.0, name)?;
        if ENVELOPE.contains(&&self.0[start..]) {
            self.0.truncate(start);
            return Ok(());
        }
        self.0.push(b':');
        serde_json::to_writer(&mut *self.0, value)
    }
}

fn no_object<T>() -> Result<T> {
    Err(Error::custom("the body of a message has to be an object"))
}

/// Refuses what is no object.
macro_rules! refuse {
    ($($name:ident($($ty:ty),*);)*) => {$(
        fn $name(self $(, _: $ty)*) -> Result<()> {
            no_object()
        }
    )*};
}

impl<'a> Serializer for Members<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Members<'a>;
    type SerializeStructVariant = Impossible<(), Error>;

    refuse! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.member(variant, value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> {
        no_object()
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> {
        no_object()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct> {
        no_object()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        no_object()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries<'a>> {
        Ok(Entries { members: self, name: String::new() })
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant> {
        no_object()
    }
}

impl SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.member(name, value)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

/// The members of a map, whose names and values may come apart.
struct Entries<'a> {
    members: Members<'a>,
    name: String,
}

impl SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<()> {
        self.name = match serde_json::to_value(name)? {
            serde_json::Value::String(name) => name,
            _ => return Err(Error::custom("the name of a member has to be a string")),
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let name = std::mem::take(&mut self.name);
        self.members.member(&name, value)
    }

    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(&mut self, name: &K, value: &V) -> Result<()> {
        self.members.member(name, value)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}
