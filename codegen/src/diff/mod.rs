//! What changed between two revisions, and what that means for who is still at the old one.
//!
//! Models are compared, after all passes, and by the values that their types have: another name for
//! the same is no change. What a change is, and its class:
//!
//! | change | class |
//! |---|---|
//! | new method, type, optional member; a type has another name | additive |
//! | optional member gone, type gone, wider bounds, other members let in, a capability less | loosening |
//! | narrower bounds, other members refused, a capability more | tightening |
//! | required member gone or optional now, null let in, new value, new arm, wider type, batches, errors without an id | breaking on decode |
//! | new required member, optional member required now, null refused, value, arm or method gone, narrower type, another era, way or direction | breaking on encode |
//!
//! In an object that lets no other members in, a new member breaks on decode and a gone one on
//! encode. A type that comes or goes is only a name; what breaks is said where it is used. A member
//! whose type has another name is as much as the way from one type to the other is. [`Class`] says
//! which class counts where several fit.

mod arms;
mod class;
mod compare;
mod describe;
mod document;
mod facts;
mod form;
mod meaning;
mod methods;
mod reach;
mod renames;
mod types;

use std::collections::BTreeMap;

pub use class::Class;
pub use describe::sender;
pub use document::{Change, Difference, Entry, Presence, What};
pub use renames::Renames;

use compare::Pair;

use crate::model::Revision;

/// What is different in the new revision.
///
/// Renames that fit neither revision are passed over; [`Renames::idle`] lists them.
pub fn diff(old: &Revision, new: &Revision, renames: &Renames) -> Difference {
    let pair = Pair { old, new, renames };
    let (methods, told) = methods::compare(&pair);
    let types = types::compare(&pair, &told);
    let mut difference = Difference {
        old: old.version.clone(),
        new: new.version.clone(),
        counts: BTreeMap::new(),
        facts: facts::compare(&pair),
        methods,
        types,
    };
    let mut counts = BTreeMap::from(Class::ALL.map(|class| (class, 0)));
    for change in difference.changes() {
        *counts.entry(change.class).or_default() += 1;
    }
    difference.counts = counts;
    difference
}
