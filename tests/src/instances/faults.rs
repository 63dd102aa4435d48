//! Walks a valid instance and makes one fault at a time.

use super::accept::{accepts, refusals};
use super::fault::{Fault, Kind};
use super::ledger::Ledger;
use super::model::{Array, Model, NodeId, Object, Range, Rest, Shape};
use super::place::{Place, Tag};
use super::reading::{fixed, object, readings};
use super::rules::Rules;
use super::tolerance::{Laziness, of_definition, of_member};
use serde_json::{Map, Value, json};
use std::mem::discriminant;
use std::rc::Rc;

/// A string that no enum and no tag knows.
const UNKNOWN: &str = "mcprism-unknown";
/// How many other kinds a place is given, besides null.
const KINDS: usize = 2;
/// How many tags of other arms a tag is changed to.
const OTHER_TAGS: usize = 2;

/// The single faults of an instance that the judge refuses: a required member gone, a value of
/// another kind, another constant, a bound exceeded, at every place that the schema speaks of. Of
/// a list the first and the last element are looked at, of a map the first two entries.
///
/// # Panics
///
/// As [`Rules::validator`] does.
pub fn faults(rules: &Rules, name: &str, instance: &Value) -> Vec<Fault> {
    let ledger = Ledger::new(rules.validator(name), instance);
    let mut walk = Walk { model: rules.model(), ledger, turn: 0 };
    walk.position(rules.node(name), instance, &Place::default());
    walk.ledger.finish()
}

struct Walk<'a> {
    model: &'a Model,
    ledger: Ledger<'a>,
    /// Counts the places, so that neighbours get different faults.
    turn: usize,
}

impl Walk<'_> {
    /// The faults of a place itself, then those inside it.
    fn position(&mut self, node: NodeId, value: &Value, place: &Place) {
        let mut place = place.clone();
        let laziness = self.laziness(node);
        place.lazy |= laziness == Laziness::Whole;
        self.other_kinds(node, value, &place);
        place.lazy |= laziness != Laziness::Typed;
        self.inside(node, value, &place);
    }

    /// The laziness of a definition, or of one that it is another name for.
    fn laziness(&self, node: NodeId) -> Laziness {
        let names = [node, self.model.target(node)];
        let of = |node: NodeId| self.model.name(node).map(of_definition);
        names.into_iter().filter_map(of).max().unwrap_or(Laziness::Typed)
    }

    fn inside(&mut self, node: NodeId, value: &Value, place: &Place) {
        match (self.model.shape(node), value) {
            (Shape::Const(only), _) => self.fixed(std::slice::from_ref(only), place),
            (Shape::Enum(values), _) => self.fixed(values, place),
            (Shape::Integer(range) | Shape::Number(range), _) => self.bounds(range, place),
            (Shape::Array(array), Value::Array(elements)) => self.array(array, elements, place),
            (Shape::Object(_), Value::Object(members)) => self.object(node, members, place, &[]),
            (Shape::Union(_), _) => self.union(node, value, place),
            _ => {}
        }
    }

    /// Null, and a few values of other kinds.
    fn other_kinds(&mut self, node: NodeId, value: &Value, place: &Place) {
        let others = [json!(true), json!(7), json!("other"), json!([]), json!({})];
        self.turn += 1;
        let rotated = (0..others.len()).map(|next| &others[(self.turn + next) % others.len()]);
        let refused =
            rotated.filter(|other| discriminant(*other) != discriminant(value) && !accepts(self.model, node, other));
        let mut chosen = vec![Value::Null];
        // A fraction is of another kind where an integer belongs; elsewhere the judge accepts it.
        if value.is_number() {
            chosen.push(json!(1.5));
        }
        chosen.extend(refused.take(KINDS).cloned());
        for other in chosen {
            let kind = match other {
                Value::Null if place.optional => Kind::NullForOptional,
                _ => Kind::Plain,
            };
            self.ledger.replace(place, other, place.pointers(), kind);
        }
    }

    /// Changes a fixed value to an unknown one, and a tag to those of other arms as well.
    fn fixed(&mut self, allowed: &[Value], place: &Place) {
        let (unknown, kind) = match (&allowed[0], &place.tag) {
            (Value::String(_), Some(_)) => (json!(UNKNOWN), Kind::UnknownTag),
            (Value::String(_), None) if allowed.len() > 1 => (json!(UNKNOWN), Kind::UnknownEnumString),
            (Value::String(_), None) => (json!(UNKNOWN), Kind::Plain),
            (Value::Number(number), _) => (json!(number.as_i64().unwrap_or_default() - 1), Kind::Plain),
            (Value::Bool(value), _) => (json!(!value), Kind::Plain),
            _ => return,
        };
        self.ledger.replace(place, unknown, place.pointers(), kind);
        if let Some(tag) = &place.tag {
            self.other_tags(allowed, tag, place);
        }
    }

    /// Then the value is of a known arm, and is wrong wherever that arm refuses it.
    fn other_tags(&mut self, allowed: &[Value], tag: &Tag, place: &Place) {
        let others = tag.arms.iter().filter_map(|arm| {
            let values = fixed(self.model, object(self.model, *arm)?, &tag.name)?;
            let value = values.iter().find(|value| !allowed.contains(value))?;
            Some((*arm, value.clone()))
        });
        let others: Vec<(NodeId, Value)> = others.collect();
        self.turn += 1;
        for next in 0..OTHER_TAGS.min(others.len()) {
            let (_, value) = &others[(self.turn + next) % others.len()];
            let instance = self.ledger.replaced(place, value.clone());
            let changed = instance.pointer(&tag.union).expect("the union is above its tag");
            let mut pointers = place.pointers();
            for (arm, _) in others.iter().filter(|(_, other)| other == value) {
                pointers.extend(refusals(self.model, *arm, changed, &tag.union));
            }
            self.ledger.replace(place, value.clone(), pointers, Kind::Plain);
        }
    }

    fn bounds(&mut self, range: &Range, place: &Place) {
        let least = range.least.map(|least| least - 1.0);
        let most = range.most.map(|most| most + 1.0);
        for beyond in [least, most].into_iter().flatten() {
            // As an integer where it is one: that is how bounds are usually broken.
            let value = if beyond.fract() == 0.0 { json!(beyond as i64) } else { json!(beyond) };
            self.ledger.replace(place, value, place.pointers(), Kind::Plain);
        }
    }

    fn array(&mut self, array: &Array, elements: &[Value], place: &Place) {
        if let (Some(most), Some(first)) = (array.most, elements.first()) {
            let many = Value::Array(vec![first.clone(); most + 1]);
            self.ledger.replace(place, many, place.pointers(), Kind::Plain);
        }
        if let Some(fewer) = array.least.checked_sub(1) {
            let few = elements.iter().take(fewer).cloned().collect();
            self.ledger.replace(place, few, place.pointers(), Kind::Plain);
        }
        for (index, element) in elements.iter().enumerate() {
            if index == 0 || index + 1 == elements.len() {
                self.position(array.items, element, &place.inner(&index.to_string()));
            }
        }
    }

    /// Reads the value as every arm that accepts it.
    fn union(&mut self, node: NodeId, value: &Value, place: &Place) {
        let arms = self.model.arms(node);
        for reading in readings(self.model, &arms, value) {
            let mut place = place.clone();
            if !reading.certain {
                place.vague.push(place.pointer.clone());
            }
            place.lazy |= self.laziness(reading.arm) != Laziness::Typed;
            let tag = |name| Rc::new(Tag { union: place.pointer.clone(), name, arms: arms.clone() });
            let tags: Vec<Rc<Tag>> = reading.tags.into_iter().map(tag).collect();
            match value {
                Value::Object(members) => self.object(reading.arm, members, &place, &tags),
                _ => self.inside(reading.arm, value, &place),
            }
        }
    }

    /// The faults inside an object, some of whose members may be tags of a union.
    fn object(&mut self, node: NodeId, members: &Map<String, Value>, place: &Place, tags: &[Rc<Tag>]) {
        let model = self.model;
        let Some(object) = object(model, node) else {
            return;
        };
        let definition = model.name(model.target(node));
        for member in &object.members {
            let Some(value) = members.get(&member.name) else {
                continue;
            };
            if member.required {
                let kind = match (definition, member.name.as_str()) {
                    (Some("CallToolResult"), "content") => Kind::ContentDropped,
                    _ => Kind::Plain,
                };
                self.ledger.drop_member(place, &member.name, kind);
            }
            let mut inside = place.inner(&member.name);
            inside.optional = !member.required;
            inside.tag = tags.iter().find(|tag| tag.name == member.name).cloned();
            if of_member(definition, &member.name) == Laziness::Typed {
                self.position(member.node, value, &inside);
            } else {
                self.other_kinds(member.node, value, &inside);
                inside.lazy = true;
                self.inside(member.node, value, &inside);
            }
        }
        self.entries(object, members, place);
    }

    fn entries(&mut self, object: &Object, members: &Map<String, Value>, place: &Place) {
        let Rest::Map(entry) = object.rest else {
            return;
        };
        let entries = members.iter().filter(|(name, _)| object.member(name).is_none());
        for (name, value) in entries.take(2) {
            self.position(entry, value, &place.inner(name));
        }
    }
}
