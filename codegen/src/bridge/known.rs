//! Which members a type has in any revision.

use std::collections::{BTreeMap, BTreeSet};

use super::Rules;
use crate::model::{Revision, Shape};

/// The members that types have in any revision, by the type's name in each.
pub type Known = BTreeMap<String, BTreeSet<String>>;

/// Gathers the members of each type over all revisions; a type that was renamed is one type.
#[must_use]
pub fn known<'a>(revisions: impl IntoIterator<Item = &'a Revision>, rules: &[Rules]) -> Known {
    let mut known = Known::new();
    for revision in revisions {
        for (name, definition) in &revision.definitions {
            if let Shape::Struct(shape) = &definition.shape {
                known.entry(name.clone()).or_default().extend(shape.fields.iter().map(|field| field.wire_name.clone()));
            }
        }
    }
    // Until nothing changes: a type may be renamed more than once.
    loop {
        let before = known.clone();
        for rename in rules.iter().flat_map(|rules| &rules.rename) {
            let names: Vec<&String> = std::iter::once(&rename.old).chain(&rename.new).collect();
            let all: BTreeSet<String> = names.iter().filter_map(|name| known.get(*name)).flatten().cloned().collect();
            for name in names {
                if let Some(members) = known.get_mut(name) {
                    members.extend(all.iter().cloned());
                }
            }
        }
        if known == before {
            break;
        }
    }
    // What means the same whoever names it is no revision's own.
    for key in rules.iter().flat_map(|rules| &rules.carry).flat_map(|rule| &rule.members) {
        if let Some((ty, member)) = key.split_once('.')
            && let Some(members) = known.get_mut(ty)
        {
            members.remove(member);
        }
    }
    known
}
