//! Compares the methods of two revisions.

use std::collections::{BTreeMap, BTreeSet};

use super::class::Class;
use super::compare::{Found, Met, Pair};
use super::document::{Change, Entry, What};
use super::form::written;
use super::meaning::change;
use super::reach::{Sides, only_with};
use crate::model::{Method, MethodKind, Revision, Type};

use Class::{Additive, BreakingOnDecode, BreakingOnEncode, Loosening, Tightening};

/// The types that are told of at a method: those that came with one, and those that went.
#[derive(Default)]
pub(super) struct Told<'r> {
    pub(super) come: BTreeMap<&'r str, &'r str>,
    pub(super) gone: BTreeMap<&'r str, &'r str>,
}

/// The methods that changed, and the types that are told of there.
pub(super) fn compare<'r>(pair: &Pair<'r>) -> (Vec<Entry>, Told<'r>) {
    let (old, new) = (by_name(pair.old), by_name(pair.new));
    let missing = |from: &BTreeMap<&'r str, &'r Method>, other: &BTreeMap<&'r str, &'r Method>| {
        from.keys().copied().filter(|name| !other.contains_key(name)).collect::<BTreeSet<&str>>()
    };
    let kept: BTreeSet<&str> =
        pair.old.definitions.keys().flat_map(|name| pair.renames.targets(name, pair.new)).collect();
    let told = Told {
        come: only_with(pair.new, &missing(&new, &old), |name| kept.contains(name) && !pair.is_list(name)),
        gone: only_with(pair.old, &missing(&old, &new), |name| {
            !pair.renames.targets(name, pair.new).is_empty() && !pair.is_list(name)
        }),
    };
    let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    let entries = names.into_iter().filter_map(|name| match (old.get(name), new.get(name)) {
        (Some(old), Some(new)) => both(pair, old, new),
        (Some(old), None) => {
            let what = What::MethodRemoved { travels: old.kind };
            Some(alone(old, Found::new(what, [BreakingOnEncode]), &told.gone))
        }
        (None, Some(new)) => {
            let what = What::MethodAdded { travels: new.kind };
            Some(alone(new, Found::new(what, [Additive]), &told.come))
        }
        (None, None) => None,
    });
    let entries = entries.collect();
    (entries, told)
}

fn by_name(revision: &Revision) -> BTreeMap<&str, &Method> {
    revision.methods.iter().map(|method| (method.name.as_str(), method)).collect()
}

/// A method that only one of the revisions has.
fn alone(method: &Method, found: Found, with: &BTreeMap<&str, &str>) -> Entry {
    let types = with.iter().filter(|(_, of)| **of == method.name).map(|(name, _)| (*name).to_owned());
    Entry {
        name: method.name.clone(),
        sent_by: Some(method.sender),
        changes: change(found, Sides::of(method.sender)).into_iter().collect(),
        types: types.collect(),
    }
}

fn both(pair: &Pair<'_>, old: &Method, new: &Method) -> Option<Entry> {
    let (before, after) = (Sides::of(old.sender), Sides::of(new.sender));
    let asking = before.joined(after);
    let answering = before.swapped().joined(after.swapped());
    let mut changes: Vec<Change> = Vec::new();
    let mut tell = |found: Found, sides: Sides| changes.extend(change(found, sides));
    if old.sender != new.sender {
        let stops = (before.client && !after.client) || (before.server && !after.server);
        let class = if stops { BreakingOnEncode } else { Additive };
        tell(Found::new(What::Sender { old: old.sender, new: new.sender }, [class]), asking);
    }
    if old.kind != new.kind {
        let what = What::Travels { old: old.kind, new: new.kind };
        tell(Found::new(what, [BreakingOnDecode, BreakingOnEncode]), asking);
    }
    if old.params_required != new.params_required {
        let class = if new.params_required { BreakingOnEncode } else { BreakingOnDecode };
        tell(Found::new(What::ParamsPresence { required: new.params_required }, [class]), asking);
    }
    let params = pair.types(&old.params, &new.params, &Met::new());
    if !params.is_empty() {
        let what = What::Params { old: written(&old.params), new: written(&new.params) };
        tell(Found::new(what, params), asking);
    }
    let has_result = |method: &Method| method.kind != MethodKind::Notification;
    if has_result(old) && has_result(new) {
        let (before, after) = (result(old), result(new));
        let classes = pair.types(&before, &after, &Met::new());
        if !classes.is_empty() {
            tell(Found::new(What::Result { old: written(&before), new: written(&after) }, classes), answering);
        }
    }
    let is_one = |old: &String, new: &String| pair.is_one_type(&Type::Named(old.clone()), &Type::Named(new.clone()));
    for ty in old.alternatives.iter().filter(|old| !new.alternatives.iter().any(|new| is_one(old, new))) {
        tell(Found::new(What::AlternativeRemoved { ty: ty.clone() }, [BreakingOnEncode]), answering);
    }
    for ty in new.alternatives.iter().filter(|new| !old.alternatives.iter().any(|old| is_one(old, new))) {
        tell(Found::new(What::AlternativeAdded { ty: ty.clone() }, [BreakingOnDecode]), answering);
    }
    for capability in old.capabilities.iter().filter(|capability| !new.capabilities.contains(capability)) {
        let what = What::CapabilityRemoved { capability: capability.clone() };
        tell(Found::new(what, [Loosening]), Sides::of(capability.sender));
    }
    for capability in new.capabilities.iter().filter(|capability| !old.capabilities.contains(capability)) {
        let what = What::CapabilityAdded { capability: capability.clone() };
        tell(Found::new(what, [Tightening]), Sides::of(capability.sender));
    }
    let sent_by = Some(new.sender);
    (!changes.is_empty()).then(|| Entry { name: new.name.clone(), sent_by, changes, types: Vec::new() })
}

/// The type of the result; any JSON where nothing says it.
fn result(method: &Method) -> Type {
    method.result.clone().map_or(Type::Any, Type::Named)
}
