//! Builds a value that is plain but for one place.

use super::build::{Builder, Mood};
use super::model::{NodeId, Object, Rest, Shape};
use super::plan::{Step, Touch};
use super::samples;
use serde_json::{Map, Value, json};

/// How deep recursion is driven where the schema permits it without end.
const LEVELS: usize = 40;

impl Builder<'_> {
    /// A value that is minimal but for the end of a path.
    pub(super) fn touched(&mut self, node: NodeId, path: &[Step], touch: Touch) -> Option<Value> {
        let Some((step, path)) = path.split_first() else {
            return self.end(node, touch);
        };
        match (self.model.shape(node), step) {
            (Shape::Union(arms), Step::Arm(index)) => self.touched(arms[*index], path, touch),
            (Shape::Array(array), Step::Element) => {
                let element = self.touched(array.items, path, touch)?;
                Some(Value::Array(vec![element; array.least.max(1)]))
            }
            (Shape::Object(object), Step::Member(index)) => {
                let member = &object.members[*index];
                let inner = self.touched(member.node, path, touch)?;
                let mut members = self.named(object, |other| other == *index)?;
                members.insert(member.name.clone(), inner);
                Some(Value::Object(members))
            }
            (Shape::Object(object), Step::Entry) => {
                let Rest::Map(entry) = object.rest else {
                    return None;
                };
                let inner = self.touched(entry, path, touch)?;
                let mut members = self.named(object, |_| false)?;
                members.insert("entry".to_owned(), inner);
                Some(Value::Object(members))
            }
            _ => None,
        }
    }

    fn end(&mut self, node: NodeId, touch: Touch) -> Option<Value> {
        match (touch, self.model.shape(node)) {
            (Touch::Plain, _) => self.whole(node, Mood::Minimal),
            (Touch::Lavish, _) => self.whole(node, Mood::Maximal),
            (Touch::Deep, Shape::Any) => Some(samples::deep(LEVELS)),
            (Touch::Deep, _) => self.descend(node, 0),
            (Touch::Sample(index), Shape::Any) => pick(samples::anything(), index),
            (Touch::Sample(index), Shape::Boolean) => Some(json!(index % 2 == 0)),
            (Touch::Sample(index), Shape::String) => Some(json!(samples::STRINGS[index % samples::STRINGS.len()])),
            (Touch::Sample(index), Shape::Integer(range)) => pick(samples::integers(range), index),
            (Touch::Sample(index), Shape::Number(range)) => pick(samples::numbers(range), index),
            (Touch::Sample(index), Shape::Enum(values)) => pick(values.clone(), index),
            (Touch::Length(length), Shape::Array(array)) => {
                (0..length).map(|index| self.element(array.items, index)).collect()
            }
            (Touch::Everything, Shape::Object(object)) => self.named(object, |_| true).map(Value::Object),
            (Touch::Only(index), Shape::Object(object)) => {
                self.named(object, |other| other == index).map(Value::Object)
            }
            (Touch::Without(index), Shape::Object(object)) => {
                self.named(object, |other| other != index).map(Value::Object)
            }
            (Touch::Entries(size), Shape::Object(object)) => {
                let mut members = self.named(object, |_| false)?;
                for index in 0..size {
                    let value = match object.rest {
                        Rest::Map(entry) => self.element(entry, index)?,
                        Rest::Open => samples::vendor(),
                        Rest::Closed => return None,
                    };
                    members.insert(samples::NAMES[index].to_owned(), value);
                }
                Some(Value::Object(members))
            }
            _ => None,
        }
    }

    /// The required members and those optional ones that are wanted, all of them minimal.
    fn named(&mut self, object: &Object, wanted: impl Fn(usize) -> bool) -> Option<Map<String, Value>> {
        let mut members = Map::new();
        for (index, member) in object.members.iter().enumerate() {
            if member.required || wanted(index) {
                match self.whole(member.node, Mood::Minimal) {
                    Some(value) => drop(members.insert(member.name.clone(), value)),
                    None if member.required => return None,
                    None => {}
                }
            }
        }
        Some(members)
    }

    /// A plain element, of another arm for each index where the elements are a union.
    fn element(&mut self, node: NodeId, index: usize) -> Option<Value> {
        let arms = self.model.arms(node);
        self.whole(arms[index % arms.len()], Mood::Minimal)
    }

    /// Goes down through whatever leads back to a definition that contains itself.
    fn descend(&mut self, node: NodeId, level: usize) -> Option<Value> {
        if level == LEVELS {
            return self.whole(node, Mood::Minimal);
        }
        let model = self.model;
        let leads = |node: &NodeId| model.leads[node.0];
        match model.shape(node) {
            Shape::Union(arms) => {
                let leading: Vec<NodeId> = arms.iter().copied().filter(leads).collect();
                let arm = leading.get(level % leading.len().max(1)).or(arms.first())?;
                self.descend(*arm, level)
            }
            Shape::Array(array) if leads(&array.items) => {
                let inner = self.descend(array.items, level + 1)?;
                Some(Value::Array(vec![inner; array.least.max(1)]))
            }
            Shape::Object(object) => {
                let mut members = self.named(object, |_| false)?;
                let member = object.members.iter().find(|member| leads(&member.node));
                match (member, object.rest) {
                    (Some(member), _) => {
                        let inner = self.descend(member.node, level + 1)?;
                        members.insert(member.name.clone(), inner);
                    }
                    (None, Rest::Map(entry)) if leads(&entry) => {
                        members.insert("down".to_owned(), self.descend(entry, level + 1)?);
                    }
                    _ => {}
                }
                Some(Value::Object(members))
            }
            _ => self.whole(node, Mood::Minimal),
        }
    }
}

fn pick(values: Vec<Value>, index: usize) -> Option<Value> {
    let count = values.len();
    values.into_iter().nth(index % count.max(1))
}
