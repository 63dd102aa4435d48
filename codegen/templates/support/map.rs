//! An object whose names are free: members in the order in which they came.

use std::fmt;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::decode::Decode;
use crate::error::{DecodeError, Decoded};
use crate::json::Json;
use crate::reader::Reader;

/// Named values in the order in which they were read or inserted; each name stands once.
///
/// Two maps are equal if they hold the same members, in whatever order. Every open type keeps the
/// members that its revision doesn't name in one of these, called `extra`.
#[derive(Clone)]
pub struct Map<T = Json> {
    members: Vec<(String, T)>,
}

/// Up to this many members, looking at all of them beats sorting.
const FEW: usize = 16;

impl<T> Map<T> {
    /// An empty map, which doesn't allocate.
    pub const fn new() -> Self {
        Self { members: Vec::new() }
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The value of a member.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.iter().find_map(|(key, value)| (key == name).then_some(value))
    }

    /// The value of a member, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.members.iter_mut().find_map(|(key, value)| (key == name).then_some(value))
    }

    /// Whether a member exists.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Sets a member, in its old place if it exists, and returns what it was.
    pub fn insert(&mut self, name: impl Into<String>, value: T) -> Option<T> {
        let name = name.into();
        match self.get_mut(&name) {
            Some(old) => Some(std::mem::replace(old, value)),
            None => {
                self.members.push((name, value));
                None
            }
        }
    }

    /// Takes a member out.
    pub fn remove(&mut self, name: &str) -> Option<T> {
        let at = self.members.iter().position(|(key, _)| key == name)?;
        Some(self.members.remove(at).1)
    }

    /// The members, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &T)> {
        self.members.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// A map of members whose names are known to differ.
    #[doc(hidden)]
    pub fn from_unique(members: Vec<(String, T)>) -> Self {
        Self { members }
    }

    /// Writes the members into an object that has `declared` members of its own; a name that is
    /// declared is never written from here, so that it can't stand twice.
    pub(crate) fn write<M: SerializeMap>(&self, object: &mut M, declared: &[&str]) -> Result<(), M::Error>
    where
        T: Serialize,
    {
        for (name, value) in self.iter().filter(|(name, _)| !declared.contains(name)) {
            object.serialize_entry(name, value)?;
        }
        Ok(())
    }

    /// Refuses names that stand twice.
    #[inline]
    pub(crate) fn unique(self) -> Decoded<Self> {
        if self.len() > 1 {
            unique(self.members.iter().map(|(name, _)| name.as_str()))?;
        }
        Ok(self)
    }
}

/// Refuses names that stand twice, in a time that doesn't explode with their number.
pub(crate) fn unique<'n>(names: impl ExactSizeIterator<Item = &'n str> + Clone) -> Decoded<()> {
    let twice = match names.len() {
        0 | 1 => None,
        2..=FEW => {
            let before = |at: usize, name: &str| names.clone().take(at).any(|other| other == name);
            names.clone().enumerate().find(|(at, name)| before(*at, name)).map(|(_, name)| name)
        }
        _ => {
            let mut sorted: Vec<_> = names.collect();
            sorted.sort_unstable();
            sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
        }
    };
    match twice {
        Some(name) => Err(DecodeError::shape("the member stands twice").inside(name)),
        None => Ok(()),
    }
}

impl<T> Map<T> {
    /// Reads the value of a member whose name has just been read. Call [`unique`](Self::unique)
    /// after the last one.
    pub(crate) fn read_with(
        &mut self,
        reader: &mut Reader<'_>,
        name: &str,
        value: impl FnOnce(&mut Reader<'_>) -> Decoded<T>,
    ) -> Decoded<()> {
        let start = reader.position();
        let value = value(reader)?;
        reader.meet(name, start);
        self.members.push((name.to_owned(), value));
        Ok(())
    }
}

impl<T: Decode> Decode for Map<T> {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        let mut map = Self::new();
        reader.object(&mut |reader, name| map.read_with(reader, name, T::decode))?;
        map.unique()
    }
}

impl<T: Serialize> Serialize for Map<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<T> Default for Map<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: PartialEq> PartialEq for Map<T> {
    fn eq(&self, other: &Self) -> bool {
        if self.len() != other.len() {
            return false;
        }
        // The usual case is the same order, which needs no search.
        if self.members == other.members {
            return true;
        }
        let sorted = |map: &'_ Self| {
            let mut order: Vec<usize> = (0..map.len()).collect();
            order.sort_unstable_by(|a, b| map.members[*a].0.cmp(&map.members[*b].0));
            order
        };
        sorted(self).into_iter().zip(sorted(other)).all(|(a, b)| self.members[a] == other.members[b])
    }
}

impl<T: fmt::Debug> fmt::Debug for Map<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<T, N: Into<String>> FromIterator<(N, T)> for Map<T> {
    /// Later members replace earlier ones of the same name.
    fn from_iter<I: IntoIterator<Item = (N, T)>>(members: I) -> Self {
        let mut members: Vec<(String, T)> = members.into_iter().map(|(name, value)| (name.into(), value)).collect();
        // The place of the last member of each name.
        let mut last = std::collections::HashMap::with_capacity(members.len());
        for (at, (name, _)) in members.iter().enumerate() {
            last.insert(name.clone(), at);
        }
        if last.len() < members.len() {
            let mut at = 0;
            members.retain(|(name, _)| {
                at += 1;
                last[name] == at - 1
            });
        }
        Self { members }
    }
}

impl<T, N: Into<String>, const L: usize> From<[(N, T); L]> for Map<T> {
    fn from(members: [(N, T); L]) -> Self {
        members.into_iter().collect()
    }
}

impl<T> IntoIterator for Map<T> {
    type Item = (String, T);
    type IntoIter = std::vec::IntoIter<(String, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter()
    }
}
