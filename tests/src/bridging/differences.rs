//! Where an output differs from its input.

use mcprism_types::bridge::Loss;
use serde_json::Value;

use crate::instances::equality::equal;
use crate::instances::fault::below;

/// What happened at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Something was there, and is gone.
    Removed,
    /// Something is there that wasn't.
    Added,
    /// Something else is there.
    Replaced,
}

/// A place at which output and input differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The place, counted from the input.
    pub pointer: String,
    /// What happened.
    pub change: Change,
    /// What was there.
    pub before: Value,
    /// What is there.
    pub after: Value,
}

impl Difference {
    /// What is gone, member by member or element by element.
    pub fn inside(&self) -> Vec<Difference> {
        let (change, value) = match self.change {
            Change::Removed => (Change::Removed, &self.before),
            Change::Added => (Change::Added, &self.after),
            Change::Replaced => return Vec::new(),
        };
        let one = |name: &str, value: &Value| difference(&below(&self.pointer, name), change, value);
        match value {
            Value::Object(members) => members.iter().map(|(name, value)| one(name, value)).collect(),
            Value::Array(elements) => {
                elements.iter().enumerate().map(|(index, value)| one(&index.to_string(), value)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The places at which they differ. An element that is reported as lost may be missing from its
/// list: then those behind it are compared with what stands in their place now.
pub fn differences(before: &Value, after: &Value, losses: &[Loss], dropping: bool) -> Vec<Difference> {
    let mut found = Vec::new();
    Comparison { losses, dropping, found: &mut found }.values(before, after, "");
    found
}

struct Comparison<'a> {
    losses: &'a [Loss],
    dropping: bool,
    found: &'a mut Vec<Difference>,
}

impl Comparison<'_> {
    fn values(&mut self, before: &Value, after: &Value, pointer: &str) {
        match (before, after) {
            (Value::Object(old), Value::Object(new)) => {
                for (name, before) in old {
                    let pointer = below(pointer, name);
                    match new.get(name) {
                        Some(after) => self.values(before, after, &pointer),
                        None => self.found.push(difference(&pointer, Change::Removed, before)),
                    }
                }
                for (name, after) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
                    self.found.push(difference(&below(pointer, name), Change::Added, after));
                }
            }
            (Value::Array(old), Value::Array(new)) => self.arrays(old, new, pointer),
            // A list of one block may become that block.
            (Value::Array(old), Value::Object(_)) if old.len() == 1 && pointer.ends_with("/content") => {
                self.values(&old[0], after, &below(pointer, "0"));
            }
            _ if equal(before, after) => {}
            _ => self.replaced(before, after, pointer),
        }
    }

    fn arrays(&mut self, old: &[Value], new: &[Value], pointer: &str) {
        let place = |index: usize| below(pointer, &index.to_string());
        let mut kept: Vec<(usize, &Value)> = old.iter().enumerate().collect();
        if self.dropping || new.len() < old.len() {
            let losses = self.losses;
            let lost = |index: usize| losses.iter().any(|loss| loss.pointer == place(index));
            for (index, before) in old.iter().enumerate().filter(|(index, _)| lost(*index)) {
                self.found.push(difference(&place(index), Change::Removed, before));
            }
            kept.retain(|(index, _)| !lost(*index));
        }
        if kept.len() > new.len() {
            return self.replaced(&Value::from(old), &Value::from(new), pointer);
        }
        for ((index, before), after) in kept.iter().zip(new) {
            self.values(before, after, &place(*index));
        }
        for (further, after) in new[kept.len()..].iter().enumerate() {
            self.found.push(difference(&place(old.len() + further), Change::Added, after));
        }
    }

    fn replaced(&mut self, before: &Value, after: &Value, pointer: &str) {
        let (before, after) = (before.clone(), after.clone());
        self.found.push(Difference { pointer: pointer.to_owned(), change: Change::Replaced, before, after });
    }
}

fn difference(pointer: &str, change: Change, value: &Value) -> Difference {
    let (before, after) = match change {
        Change::Added => (Value::Null, value.clone()),
        Change::Removed | Change::Replaced => (value.clone(), Value::Null),
    };
    Difference { pointer: pointer.to_owned(), change, before, after }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcprism_types::Json;
    use serde_json::json;

    fn found(before: Value, after: Value, lost: &[&str], dropping: bool) -> Vec<(String, Change)> {
        let loss = |pointer: &&str| Loss { pointer: (*pointer).to_owned(), what: Json::null(), why: String::new() };
        let losses: Vec<Loss> = lost.iter().map(loss).collect();
        let all = differences(&before, &after, &losses, dropping);
        all.into_iter().map(|one| (one.pointer, one.change)).collect()
    }

    #[test]
    fn members_come_and_go() {
        let found = found(json!({"a": 1, "b": {"c": 2}, "d": 1.0}), json!({"b": {"c": 3}, "d": 1, "e": 0}), &[], false);
        let wanted = [("/a", Change::Removed), ("/b/c", Change::Replaced), ("/e", Change::Added)];
        assert_eq!(found, wanted.map(|(pointer, change)| (pointer.to_owned(), change)));
    }

    #[test]
    fn reported_elements_may_be_missing() {
        assert_eq!(found(json!([1, 2, 3]), json!([1, 3]), &["/1"], false), [("/1".to_owned(), Change::Removed)]);
        assert_eq!(found(json!([1, 2, 3]), json!([1, 3]), &[], false), [(String::new(), Change::Replaced)]);
        let both = [("/0".to_owned(), Change::Removed), ("/1".to_owned(), Change::Added)];
        assert_eq!(found(json!([1]), json!([2]), &["/0"], true), both);
    }

    #[test]
    fn a_list_of_one_block_may_be_that_block() {
        let before = json!({"content": [{"text": "a"}]});
        assert!(found(before.clone(), json!({"content": {"text": "a"}}), &[], false).is_empty());
        let other = found(before, json!({"content": {"text": "b"}}), &[], false);
        assert_eq!(other, [("/content/0/text".to_owned(), Change::Replaced)]);
    }
}
