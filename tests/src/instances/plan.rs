//! Lists the places of a definition that deserve an instance of their own, and what to do there.

use super::model::{Array, Model, NodeId, Object, Rest, Shape};
use super::samples;

/// One step from a node towards a place below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Member(usize),
    Element,
    Entry,
    Arm(usize),
}

/// What is special at the end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Touch {
    /// Nothing; having got there is special enough.
    Plain,
    /// Every optional member.
    Everything,
    /// Every optional member of everything below as well.
    Lavish,
    /// A single optional member.
    Only(usize),
    /// Every optional member but one.
    Without(usize),
    /// So many entries of a map, or unknown members of an open object.
    Entries(usize),
    /// So many elements.
    Length(usize),
    /// A sample, or an enum's value, by its index.
    Sample(usize),
    /// Recursion, as deep as it is driven.
    Deep,
}

/// A place, what to do there, and how soon it should be dropped when there are too many.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) path: Vec<Step>,
    pub(super) touch: Touch,
    rank: usize,
}

/// How many points a definition gets.
const LIMIT: usize = 120;
/// How many of them are the ones nearest to the top; the others are spread evenly over the rest.
const NEAREST: usize = 75;
/// How many points are looked at.
const HORIZON: usize = 5000;
/// How far from the top points are looked for.
const DEPTH: usize = 6;

/// The points of a definition, at most [`LIMIT`] of them, nearest to the top first.
pub(super) fn points(model: &Model, node: NodeId) -> Vec<Point> {
    let mut plan = Plan { model, points: Vec::new(), open: Vec::new(), turn: 0 };
    plan.visit(node, &mut Vec::new(), 0);
    let mut points = plan.points;
    points.sort_by_key(|point| point.rank);
    if points.len() <= LIMIT {
        return points;
    }
    let rest = points.split_off(NEAREST);
    let room = LIMIT - NEAREST;
    points.extend((0..room).map(|index| rest[index * rest.len() / room].clone()));
    points
}

struct Plan<'a> {
    model: &'a Model,
    points: Vec<Point>,
    /// The definitions that are being looked at, so that recursion ends.
    open: Vec<NodeId>,
    /// Counts the scalars met, so that each gets another sample.
    turn: usize,
}

impl Plan<'_> {
    fn visit(&mut self, node: NodeId, path: &mut Vec<Step>, rank: usize) {
        let node = self.model.target(node);
        if self.open.contains(&node) || path.len() > DEPTH || self.points.len() > HORIZON {
            return;
        }
        if self.model.recursive.get(node.0) == Some(&true) {
            self.add(path, Touch::Deep, rank + 6);
        }
        let named = self.model.name(node).is_some();
        if named {
            self.open.push(node);
        }
        match self.model.shape(node) {
            Shape::Object(object) => self.object(object, path, rank),
            Shape::Array(array) => self.array(array, path, rank),
            Shape::Union(arms) => {
                for (index, arm) in arms.iter().enumerate() {
                    path.push(Step::Arm(index));
                    self.add(path, Touch::Plain, rank);
                    self.add(path, Touch::Lavish, rank + 2);
                    self.visit(*arm, path, rank + 4);
                    path.pop();
                }
            }
            Shape::Enum(values) => self.samples(values.len(), values.len(), path, rank + 2),
            Shape::String => self.samples(samples::STRINGS.len(), 1, path, rank + 5),
            Shape::Integer(range) => {
                self.samples(samples::integers(range).len(), 3, path, rank + 5);
            }
            Shape::Number(range) => self.samples(samples::numbers(range).len(), 3, path, rank + 5),
            Shape::Boolean => self.samples(2, 1, path, rank + 5),
            Shape::Any => {
                self.samples(samples::anything().len(), 2, path, rank + 5);
                self.add(path, Touch::Deep, rank + 6);
            }
            Shape::Never | Shape::Null | Shape::Const(_) | Shape::Same(_) => {}
        }
        if named {
            self.open.pop();
        }
    }

    fn object(&mut self, object: &Object, path: &mut Vec<Step>, rank: usize) {
        let optional = object.members.iter().filter(|member| !member.required).count();
        if optional > 1 {
            self.add(path, Touch::Everything, rank + 1);
        }
        for (index, member) in object.members.iter().enumerate() {
            if !member.required {
                self.add(path, Touch::Only(index), rank + 3);
                if optional > 1 {
                    self.add(path, Touch::Without(index), rank + 4);
                }
            }
        }
        match object.rest {
            Rest::Open => {
                self.add(path, Touch::Entries(1), rank + 3);
                if object.members.is_empty() {
                    self.add(path, Touch::Entries(2), rank + 4);
                }
            }
            Rest::Map(entry) => {
                for size in 0..3 {
                    self.add(path, Touch::Entries(size), rank + 3);
                }
                path.push(Step::Entry);
                self.visit(entry, path, rank + 8);
                path.pop();
            }
            Rest::Closed => {}
        }
        for (index, member) in object.members.iter().enumerate() {
            path.push(Step::Member(index));
            self.visit(member.node, path, rank + 10);
            path.pop();
        }
    }

    fn array(&mut self, array: &Array, path: &mut Vec<Step>, rank: usize) {
        for length in [0, 1, 3] {
            if array.holds(length) {
                self.add(path, Touch::Length(length), rank + 3);
            }
        }
        for bound in [Some(array.least), array.most].into_iter().flatten() {
            if bound > 3 {
                self.add(path, Touch::Length(bound), rank + 3);
            }
        }
        path.push(Step::Element);
        self.visit(array.items, path, rank + 8);
        path.pop();
    }

    /// All samples near the top, further down a few of them, elsewhere others.
    fn samples(&mut self, all: usize, few: usize, path: &[Step], rank: usize) {
        let near = path.iter().filter(|step| !matches!(step, Step::Arm(_))).count() < 1;
        let count = if near { all } else { few.min(all) };
        for _ in 0..count {
            let index = self.turn % all.max(1);
            self.add(path, Touch::Sample(index), rank);
            self.turn += 1;
        }
    }

    fn add(&mut self, path: &[Step], touch: Touch, rank: usize) {
        self.points.push(Point { path: path.to_vec(), touch, rank });
    }
}
