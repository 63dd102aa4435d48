//! What changed from one revision to another: methods, types, members, and what it means for each side.
//!
//! A change has one [`Class`]. It is seen by an implementation that was written for the older revision
//! and meets a peer of the newer one: can it read what that peer writes, and is what it writes accepted?

mod class;
mod methods;
mod reach;
mod shown;
mod types;

pub use class::{Class, Kind};

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::bridge::Rules;
use crate::model::{Era, Revision};
use reach::Reach;

/// What changed from one revision to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diff {
    /// The older revision.
    pub older: String,
    /// The newer revision.
    pub newer: String,
    /// How many changes there are of each class.
    pub counts: BTreeMap<Class, usize>,
    /// What is true of the revision as a whole.
    pub facts: Vec<Change>,
    /// Methods that are new, gone or changed, by name.
    pub methods: Vec<MethodDiff>,
    /// Types that are new, gone or changed, by name; not those that only a new or a gone method has.
    pub types: Vec<TypeDiff>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What it is about: a member, an arm, a fact; empty for the method or the type itself.
    pub at: String,
    /// What sort of change it is.
    pub kind: Kind,
    /// What changed, in words.
    pub what: String,
    /// Whom it breaks, if anybody.
    pub class: Class,
    /// What it means for a server; empty if nothing.
    pub server: String,
    /// What it means for a client; empty if nothing.
    pub client: String,
}

/// How a method changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MethodDiff {
    /// The name on the wire.
    pub name: String,
    /// The changes.
    pub changes: Vec<Change>,
    /// The types that came or went with it.
    pub types: Vec<String>,
}

/// How a type changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TypeDiff {
    /// The name in the newer revision, or in the older one if it is gone.
    pub name: String,
    /// The name in the older revision, if that was another.
    pub was: Option<String>,
    /// The changes.
    pub changes: Vec<Change>,
}

/// Types that have another name in the newer revision.
#[derive(Clone, Debug, Default)]
pub struct Renames(Vec<(String, String)>);

impl Renames {
    /// The renames that the rules of a bridge list.
    pub fn of(rules: &Rules) -> Self {
        Self(rules.rename.iter().flat_map(|rule| rule.new.iter().map(|new| (rule.old.clone(), new.clone()))).collect())
    }

    /// These renames, and after them those of the next revision.
    #[must_use]
    pub fn then(mut self, next: &Self) -> Self {
        for (from, to) in &next.0 {
            match self.0.iter().any(|(_, now)| now == from) {
                true => {
                    let old: Vec<String> =
                        self.0.iter().filter(|(_, now)| now == from).map(|(old, _)| old.clone()).collect();
                    self.0.extend(old.into_iter().map(|old| (old, to.clone())));
                }
                false => self.0.push((from.clone(), to.clone())),
            }
        }
        self
    }

    /// Whether two names are of the same type.
    fn same(&self, old: &str, new: &str) -> bool {
        match self.0.iter().any(|(from, to)| from == old || to == new) {
            true => self.0.iter().any(|(from, to)| from == old && to == new),
            false => old == new,
        }
    }
}

impl Diff {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.methods.is_empty() && self.types.is_empty()
    }
}

/// What changed from one revision to another, both as [`whole`](crate::whole()) makes them.
#[must_use]
pub fn diff(older: &Revision, newer: &Revision, renames: &Renames) -> Diff {
    let (old_reach, new_reach) = (Reach::of(older), Reach::of(newer));
    let facts = facts(older, newer);
    let methods = methods::methods(older, newer, renames, &old_reach, &new_reach);
    // What came or went with a method is said there.
    let told: BTreeSet<&String> = methods.iter().flat_map(|method| &method.types).collect();
    let mut types = types::types(older, newer, renames, &old_reach, &new_reach);
    types.retain(|ty| !told.contains(&ty.name));
    let mut counts: BTreeMap<Class, usize> = Class::ALL.into_iter().map(|class| (class, 0)).collect();
    let changes = methods.iter().flat_map(|method| &method.changes).chain(types.iter().flat_map(|ty| &ty.changes));
    for change in facts.iter().chain(changes) {
        *counts.entry(change.class).or_default() += 1;
    }
    Diff { older: older.version.clone(), newer: newer.version.clone(), counts, facts, methods, types }
}

fn facts(older: &Revision, newer: &Revision) -> Vec<Change> {
    let mut facts = Vec::new();
    let era = |revision: &Revision| match revision.era {
        Some(era) => era,
        // A schema that isn't ours: with `initialize` it has the handshake.
        None if revision.methods.iter().any(|method| method.name == "initialize") => Era::Legacy,
        None => Era::Modern,
    };
    if era(older) != era(newer) {
        let name = |era: Era| match era {
            Era::Legacy => "legacy (a handshake, once)",
            Era::Modern => "modern (in each request)",
        };
        facts.push(Change {
            at: "era".to_owned(),
            kind: Kind::Fact,
            what: format!("how the revision is agreed on: {}, was {}", name(era(newer)), name(era(older))),
            class: Class::BreakingOnEncode,
            server: "Has to tell from the first request which era a client is of.".to_owned(),
            client: "Has to find out which era a server is of, and fall back.".to_owned(),
        });
    }
    let mut flag = |at: &str, (old, new): (bool, bool), what: &str, both: [&str; 2]| {
        if old != new {
            facts.push(Change {
                at: at.to_owned(),
                kind: Kind::Fact,
                what: format!("{what}: {}", if new { "yes, was no" } else { "no, was yes" }),
                class: if new { Class::BreakingOnDecode } else { Class::BreakingOnEncode },
                server: both[usize::from(new)].to_owned(),
                client: both[usize::from(new)].to_owned(),
            });
        }
    };
    flag(
        "batches",
        (older.batches, newer.batches),
        "messages come in batches",
        ["Must not send batches, and refuses them.", "Has to read batches."],
    );
    flag(
        "errors without id",
        (older.errors_without_id, newer.errors_without_id),
        "an error may lack an id",
        ["Must not send an error without an id.", "Has to read errors without an id, and may send them."],
    );
    facts
}
