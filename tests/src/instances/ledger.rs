//! Collects faults: asks the judge about each, and joins those that come out the same.

use super::fault::{Fault, Kind, edited};
use super::place::Place;
use jsonschema::Validator;
use serde_json::Value;
use std::collections::BTreeMap;

/// The faults of one instance.
pub(super) struct Ledger<'a> {
    judge: &'a Validator,
    root: &'a Value,
    found: Vec<Fault>,
    /// What was done, in full, and where it stands in `found`: two readings of a union may lead to
    /// the same fault.
    known: BTreeMap<String, usize>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(judge: &'a Validator, root: &'a Value) -> Self {
        Ledger { judge, root, found: Vec::new(), known: BTreeMap::new() }
    }

    /// All faults, in the order in which they were found.
    pub(super) fn finish(self) -> Vec<Fault> {
        self.found
    }

    /// The instance with another value at a place.
    pub(super) fn replaced(&self, place: &Place, value: Value) -> Value {
        edited(self.root, &place.pointer, |place| *place = value)
    }

    /// Puts another value at a place.
    pub(super) fn replace(&mut self, place: &Place, value: Value, pointers: Vec<String>, kind: Kind) {
        let what = format!("{} became {value}", shown(place));
        let instance = self.replaced(place, value);
        self.submit(place, instance, what, pointers, kind);
    }

    /// Takes a member away from the object at a place.
    pub(super) fn drop_member(&mut self, place: &Place, name: &str, kind: Kind) {
        let what = format!("{} lost {name:?}", shown(place));
        let instance = edited(self.root, &place.pointer, |place| {
            if let Value::Object(members) = place {
                members.remove(name);
            }
        });
        self.submit(place, instance, what, vec![place.pointer.clone()], kind);
    }

    fn submit(&mut self, place: &Place, instance: Value, what: String, pointers: Vec<String>, kind: Kind) {
        if self.judge.is_valid(&instance) {
            return;
        }
        let index = *self.known.entry(what.clone()).or_insert(self.found.len());
        if index == self.found.len() {
            let pointers = Vec::new();
            let what = shortened(what);
            self.found.push(Fault { instance, pointers, what, kind, lazy: place.lazy });
        }
        let fault = &mut self.found[index];
        // What one reading tolerates is tolerated, whichever reading is taken.
        fault.lazy |= place.lazy;
        if fault.kind == Kind::Plain {
            fault.kind = kind;
        }
        for pointer in pointers.into_iter().chain(place.vague.iter().cloned()) {
            if !fault.pointers.contains(&pointer) {
                fault.pointers.push(pointer);
            }
        }
    }
}

fn shown(place: &Place) -> String {
    if place.pointer.is_empty() { "the whole".to_owned() } else { place.pointer.clone() }
}

fn shortened(text: String) -> String {
    if text.chars().count() <= 160 {
        return text;
    }
    text.chars().take(157).chain("...".chars()).collect()
}
