//! Compares the named types of two revisions.

use std::collections::{BTreeMap, BTreeSet};

use super::class::Class;
use super::compare::{Found, Met, Pair};
use super::document::{Entry, What};
use super::form::{Form, form, shape};
use super::meaning::change;
use super::methods::Told;
use super::reach::{Sides, senders};
use crate::model::{Revision, Shape, Type};

/// The types that changed, came or went, but for those that are told of at a method.
pub(super) fn compare(pair: &Pair<'_>, told: &Told<'_>) -> Vec<Entry> {
    let (before, after) = (senders(pair.old), senders(pair.new));
    let mut entries: BTreeMap<(&str, usize), Entry> = BTreeMap::new();
    let enter = |name: &str, found: Vec<Found>, sides: Sides| -> Option<Entry> {
        let changes: Vec<_> = found.into_iter().filter_map(|found| change(found, sides)).collect();
        let sent_by = sides.sender();
        (!changes.is_empty()).then(|| Entry { name: name.to_owned(), sent_by, changes, types: Vec::new() })
    };
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for (at, name) in pair.old.definitions.keys().filter(|name| !pair.is_list(name)).enumerate() {
        let targets = pair.renames.targets(name, pair.new);
        let sides = before.get(name.as_str()).copied().unwrap_or_default();
        if targets.is_empty() && !told.gone.contains_key(name.as_str()) {
            let ty = shape(&form(pair.old, &Type::Named(name.clone())));
            let found = Found::new(What::TypeRemoved { ty }, [Class::Loosening]);
            entries.extend(enter(name, vec![found], sides).map(|entry| ((name.as_str(), at), entry)));
        }
        for target in targets {
            known.insert(target);
            let sides = sides.joined(after.get(target).copied().unwrap_or_default());
            let renamed = (target != name.as_str())
                .then(|| Found::new(What::TypeRenamed { old: name.clone() }, [Class::Additive]));
            let found = renamed.into_iter().chain(definitions(pair, name, target)).collect();
            entries.extend(enter(target, found, sides).map(|entry| ((target, at), entry)));
        }
    }
    let come = pair.new.definitions.keys().map(String::as_str);
    for name in come.filter(|name| !known.contains(name) && !pair.is_list(name) && !told.come.contains_key(name)) {
        let ty = shape(&form(pair.new, &Type::Named(name.to_owned())));
        let sides = after.get(name).copied().unwrap_or_default();
        let found = Found::new(What::TypeAdded { ty }, [Class::Additive]);
        entries.extend(enter(name, vec![found], sides).map(|entry| ((name, 0), entry)));
    }
    entries.into_values().collect()
}

/// What is different between a type and what it has become.
fn definitions(pair: &Pair<'_>, old: &str, new: &str) -> Vec<Found> {
    let alias = |revision: &Revision, name: &str| match &revision.definitions.get(name)?.shape {
        Shape::Alias(ty) => Some(ty.clone()),
        _ => None,
    };
    // What two aliases lead to is told of there.
    if let (Some(old), Some(new)) = (alias(pair.old, old), alias(pair.new, new))
        && pair.is_one_type(&old, &new)
    {
        return Vec::new();
    }
    let named = |name: &str| Type::Named(name.to_owned());
    let mut forms = (form(pair.old, &named(old)), form(pair.new, &named(new)));
    without_envelope(pair.old, old, &mut forms.0);
    without_envelope(pair.new, new, &mut forms.1);
    pair.forms(&forms.0, &forms.1, &Met::new())
}

/// Takes off what the method of a message says: its name and its params.
fn without_envelope(revision: &Revision, name: &str, form: &mut Form) {
    let is_message = revision.methods.iter().any(|method| method.definition == name);
    if let Form::Object(shape) = form
        && is_message
    {
        shape.fields.retain(|field| !matches!(field.wire_name.as_str(), "method" | "params"));
    }
}
