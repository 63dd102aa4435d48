//! Gives recursive types a size: the member that closes a cycle goes on the heap.

use std::collections::{BTreeMap, BTreeSet};

use crate::decisions::Decisions;
use crate::error::Result;
use crate::model::{Revision, Shape, Type};

/// After this pass no type contains itself by value.
///
/// # Errors
/// None today.
pub(super) fn run(mut revision: Revision, _: &Decisions) -> Result<Revision> {
    let names: Vec<String> = revision.definitions.keys().cloned().collect();
    let ends = names.iter().map(|name| (name.clone(), end(&revision, name))).collect();
    let mut walk = Walk { ends, way: Vec::new(), done: BTreeSet::new() };
    for name in &names {
        walk.visit(&mut revision, name);
    }
    Ok(revision)
}

/// Where the aliases of a name lead.
fn end(revision: &Revision, name: &str) -> String {
    let mut name = name.to_owned();
    for _ in 0..revision.definitions.len() {
        match revision.definitions.get(&name).map(|definition| &definition.shape) {
            Some(Shape::Alias(Type::Named(next))) => name = next.clone(),
            _ => break,
        }
    }
    name
}

struct Walk {
    ends: BTreeMap<String, String>,
    way: Vec<String>,
    done: BTreeSet<String>,
}

impl Walk {
    /// Follows what a type holds by value; where that leads back onto the way, it boxes the step.
    fn visit(&mut self, revision: &mut Revision, name: &str) {
        let Some(mut shape) = revision.definitions.get(name).map(|definition| definition.shape.clone()) else { return };
        if !self.done.insert(name.to_owned()) {
            return;
        }
        self.way.push(name.to_owned());
        let boxable = !matches!(shape, Shape::Alias(_));
        shape.types_mut(&mut |ty| {
            let held = match &*ty {
                Type::Named(held) => held.clone(),
                Type::Nullable(inner) => match &**inner {
                    Type::Named(held) => held.clone(),
                    _ => return,
                },
                _ => return,
            };
            let closes = self.way.iter().any(|passed| self.ends.get(passed) == self.ends.get(&held));
            if !closes {
                self.visit(revision, &held);
            } else if boxable {
                *ty = match std::mem::replace(ty, Type::Any) {
                    Type::Nullable(inner) => Type::Nullable(Box::new(Type::Boxed(inner))),
                    inner => Type::Boxed(Box::new(inner)),
                };
            }
        });
        if let Some(definition) = revision.definitions.get_mut(name) {
            definition.shape = shape;
        }
        self.way.pop();
    }
}
