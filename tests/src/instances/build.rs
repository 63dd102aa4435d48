//! Builds a value from the model in one mood throughout.

use super::model::{Model, NodeId, Object, Rest, Shape};
use super::random::Random;
use super::samples;
use serde_json::{Map, Value, json};

/// How freely a value makes use of what the schema allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    /// Required members only, empty lists.
    Minimal,
    /// Every optional member, lists and maps of two.
    Maximal,
    /// As maximal, and an unknown member in every open object.
    Vendor,
    /// Whatever chance decides.
    Random,
}

/// How deep a value goes before it becomes minimal.
const DEPTH: usize = 9;
/// How many nodes a value has before what is left becomes minimal.
const ROOM: usize = 500;

/// Builds values of one model.
pub(super) struct Builder<'a> {
    pub(super) model: &'a Model,
    random: Random,
    room: usize,
    /// Counts the unions met, so that neighbours get different arms.
    turn: usize,
}

impl<'a> Builder<'a> {
    pub(super) fn new(model: &'a Model, random: Random) -> Self {
        Builder { model, random, room: ROOM, turn: 0 }
    }

    /// A value of one mood; `None` where the model allows no value.
    pub(super) fn whole(&mut self, node: NodeId, mood: Mood) -> Option<Value> {
        self.room = ROOM;
        self.value(node, mood, 0)
    }

    fn value(&mut self, node: NodeId, mood: Mood, depth: usize) -> Option<Value> {
        self.room = self.room.saturating_sub(1);
        let mood = if self.room == 0 || depth > DEPTH { Mood::Minimal } else { mood };
        let by_chance = mood == Mood::Random;
        match self.model.shape(node) {
            Shape::Never | Shape::Same(_) => None,
            Shape::Any if by_chance => Some(samples::chance(&mut self.random, 3)),
            Shape::Any if mood == Mood::Minimal => Some(json!("text")),
            Shape::Any => Some(samples::vendor()),
            Shape::Null => Some(Value::Null),
            Shape::Boolean if by_chance => Some(json!(self.random.once_in(2))),
            Shape::Boolean => Some(json!(mood != Mood::Minimal)),
            Shape::String if by_chance => Some(json!(self.random.pick(&samples::STRINGS))),
            Shape::String => Some(json!(samples::STRINGS[0])),
            Shape::Integer(range) => self.one_of(&samples::integers(range), by_chance),
            Shape::Number(range) => self.one_of(&samples::numbers(range), by_chance),
            Shape::Const(value) => Some(value.clone()),
            Shape::Enum(values) => self.one_of(values, by_chance),
            Shape::Array(array) => {
                let length = match mood {
                    Mood::Minimal => 0,
                    Mood::Maximal | Mood::Vendor => 2,
                    Mood::Random => self.random.below(4),
                };
                let length = length.max(array.least).min(array.most.unwrap_or(usize::MAX));
                (0..length).map(|_| self.value(array.items, mood, depth + 1)).collect()
            }
            Shape::Object(object) => self.object(object, mood, depth).map(Value::Object),
            Shape::Union(arms) => {
                let first = match mood {
                    Mood::Minimal => 0,
                    Mood::Maximal | Mood::Vendor => {
                        self.turn += 1;
                        self.turn - 1
                    }
                    Mood::Random => self.random.below(arms.len()),
                };
                (0..arms.len()).find_map(|next| self.value(arms[(first + next) % arms.len()], mood, depth))
            }
        }
    }

    fn object(&mut self, object: &Object, mood: Mood, depth: usize) -> Option<Map<String, Value>> {
        let mut members = Map::new();
        for member in &object.members {
            let wanted = match mood {
                Mood::Minimal => false,
                Mood::Maximal | Mood::Vendor => true,
                Mood::Random => self.random.once_in(if depth < 3 { 2 } else { 4 }),
            };
            if member.required || wanted {
                match self.value(member.node, mood, depth + 1) {
                    Some(value) => drop(members.insert(member.name.clone(), value)),
                    None if member.required => return None,
                    None => {}
                }
            }
        }
        let opaque = object.members.is_empty();
        let more = match (mood, object.rest) {
            (Mood::Minimal, _) | (_, Rest::Closed) => 0,
            (Mood::Random, Rest::Map(_)) => self.random.below(4),
            (Mood::Random, Rest::Open) if opaque => self.random.below(3),
            (Mood::Random, Rest::Open) => usize::from(self.random.once_in(4)),
            (Mood::Vendor, Rest::Open) => 1,
            (Mood::Maximal, Rest::Open) => usize::from(opaque),
            (Mood::Maximal | Mood::Vendor, Rest::Map(_)) => 2,
        };
        for index in 0..more {
            let name = match mood {
                Mood::Random => *self.random.pick(&samples::NAMES),
                _ => samples::NAMES[index],
            };
            let value = match object.rest {
                Rest::Map(entry) => self.value(entry, mood, depth + 1)?,
                _ if mood == Mood::Random => samples::chance(&mut self.random, 2),
                _ => samples::vendor(),
            };
            members.insert(name.to_owned(), value);
        }
        Some(members)
    }

    fn one_of(&mut self, values: &[Value], by_chance: bool) -> Option<Value> {
        if values.is_empty() {
            return None;
        }
        Some(if by_chance { self.random.pick(values) } else { &values[0] }.clone())
    }
}
