//! The requests that this side has sent and that are not answered yet.

use std::collections::HashMap;

use crate::jsonrpc::Id;

/// What is waited for, by id.
///
/// Ids are integers that count up from 0, so they can't collide. A peer that sends a number back as a string
/// is understood as long as no such string is pending.
#[derive(Debug)]
pub struct Calls<T> {
    next: i64,
    pending: HashMap<Id, T>,
}

impl<T> Default for Calls<T> {
    fn default() -> Self {
        Self { next: 0, pending: HashMap::new() }
    }
}

impl<T> Calls<T> {
    /// An id that no pending request has.
    pub fn fresh(&mut self) -> Id {
        loop {
            let id = Id::Integer(self.next);
            // An exchange of 2^63 requests is not expected; should it come, it begins anew.
            self.next = self.next.checked_add(1).unwrap_or(0);
            if !self.pending.contains_key(&id) {
                return id;
            }
        }
    }

    /// Notes that a request of this id was sent; gives back what was pending under it.
    pub fn insert(&mut self, id: Id, what: T) -> Option<T> {
        self.pending.insert(id, what)
    }

    /// What an answer of this id is for; it isn't pending any more. `None` if nobody waits for it: it is late,
    /// or was never asked for, and is dropped.
    pub fn answered(&mut self, id: &Id) -> Option<T> {
        if let Some(found) = self.pending.remove(id) {
            return Some(found);
        }
        self.pending.remove(&as_number(id)?)
    }

    /// What is pending under an id, which stays so.
    pub fn get(&self, id: &Id) -> Option<&T> {
        self.pending.get(id)
    }

    /// How many are pending.
    pub fn len(&self) -> usize {
        self.pending.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// Takes out all, as when the connection is closed.
    pub fn take(&mut self) -> Vec<T> {
        self.pending.drain().map(|(_, what)| what).collect()
    }
}

/// The integer that a string spells, exactly as we would write it.
fn as_number(id: &Id) -> Option<Id> {
    let Id::String(text) = id else { return None };
    let number: i64 = text.parse().ok()?;
    (number.to_string() == *text).then_some(Id::Integer(number))
}
