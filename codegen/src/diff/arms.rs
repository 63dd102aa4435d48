//! Finds out which arm of a union is which arm of another.

use super::class::{Class, Classes, heaviest};
use super::compare::{Found, Met, Pair};
use super::document::What;
use super::form::{Form, form, written};
use crate::model::{Revision, Type};

/// What is different between the arms of two unions.
///
/// Arms of one name belong together, then those with the same values, then those of which one has
/// all values of the other. What is left has come or gone.
pub(super) fn compare(pair: &Pair<'_>, old: &[Type], new: &[Type], met: &Met) -> Vec<Found> {
    let (mut old, mut new) = (old.to_vec(), new.to_vec());
    by_name(pair, &mut old, &mut new);
    // A union among the arms is as good as its own arms.
    let (mut old, mut new) = (flat(pair.old, &old), flat(pair.new, &new));
    by_name(pair, &mut old, &mut new);
    let mut found = Vec::new();
    loop {
        let mut nearest: Option<(usize, usize, Classes)> = None;
        for (from, before) in old.iter().enumerate() {
            for (to, after) in new.iter().enumerate() {
                let classes = pair.types(before, after, met);
                let is_nearer = nearest.as_ref().is_none_or(|(.., other)| distance(&classes) < distance(other));
                if is_nearer && !is_apart(&classes) {
                    nearest = Some((from, to, classes));
                }
            }
        }
        let Some((from, to, classes)) = nearest else { break };
        let (before, after) = (old.remove(from), new.remove(to));
        if !classes.is_empty() {
            found.push(Found::new(What::ArmType { old: written(&before), new: written(&after) }, classes));
        }
    }
    let gone = old.iter().map(|ty| Found::new(What::ArmRemoved { ty: written(ty) }, [Class::BreakingOnEncode]));
    let come = new.iter().map(|ty| Found::new(What::ArmAdded { ty: written(ty) }, [Class::BreakingOnDecode]));
    found.extend(gone.chain(come));
    found
}

/// The arms, with those of unions in their place.
pub(super) fn flat(revision: &Revision, arms: &[Type]) -> Vec<Type> {
    fn add(revision: &Revision, ty: &Type, depth: usize, all: &mut Vec<Type>) {
        match form(revision, ty) {
            // A union that is its own arm has an end here.
            Form::OneOf(arms) if depth < 16 => arms.iter().for_each(|arm| add(revision, arm, depth + 1, all)),
            _ => all.push(ty.clone()),
        }
    }
    let mut all = Vec::new();
    arms.iter().for_each(|arm| add(revision, arm, 0, &mut all));
    all
}

/// How far apart two types are.
pub(super) fn distance(classes: &Classes) -> (bool, Option<Class>, usize) {
    (is_apart(classes), heaviest(classes), classes.len())
}

/// Whether each has values that the other doesn't have.
fn is_apart(classes: &Classes) -> bool {
    classes.contains(&Class::BreakingOnDecode) && classes.contains(&Class::BreakingOnEncode)
}

/// Takes out the arms that go by one name, of which there may be several for an old one.
fn by_name(pair: &Pair<'_>, old: &mut Vec<Type>, new: &mut Vec<Type>) {
    let (before, after) = (old.clone(), new.clone());
    old.retain(|old| !after.iter().any(|new| pair.is_one_type(old, new)));
    new.retain(|new| !before.iter().any(|old| pair.is_one_type(old, new)));
}
