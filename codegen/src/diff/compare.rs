//! Compares two types by the values that they have.

use std::collections::BTreeSet;

use super::class::{Class, Classes};
use super::document::{Presence, What};
use super::form::{Form, form, names, shape, written};
use super::renames::Renames;
use crate::model::{self, Bounds, Field, Lengths, Literal, Revision, Struct, Type};

use Class::{Additive, BreakingOnDecode, BreakingOnEncode, Loosening, Tightening};

/// The two revisions, and which types go on under another name.
pub(super) struct Pair<'r> {
    pub(super) old: &'r Revision,
    pub(super) new: &'r Revision,
    pub(super) renames: &'r Renames,
}

/// A change, and everything that it is.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) what: What,
    pub(super) classes: Classes,
}

/// The pairs of types that are being compared: where they meet again, nothing more is to be learnt.
pub(super) type Met = BTreeSet<(String, String)>;

impl Found {
    pub(super) fn new(what: What, classes: impl IntoIterator<Item = Class>) -> Self {
        Self { what, classes: classes.into_iter().collect() }
    }

    fn if_any(what: What, classes: Classes) -> Option<Self> {
        (!classes.is_empty()).then_some(Self { what, classes })
    }
}

impl Pair<'_> {
    /// Whether it is a union of methods or of outcomes, which says no more than the methods do.
    pub(super) fn is_list(&self, name: &str) -> bool {
        let methods = self.old.methods.iter().chain(&self.new.methods);
        crate::method_unions().any(|union| union == name)
            || methods.filter_map(|method| method.outcome.as_deref()).any(|outcome| outcome == name)
    }

    /// Whether the types go by one name, so that what is different is said there.
    pub(super) fn is_one_type(&self, old: &Type, new: &Type) -> bool {
        let new = names(self.new, new);
        names(self.old, old).into_iter().any(|name| {
            let targets = self.renames.targets(name, self.new);
            new.iter().any(|name| targets.contains(name))
        })
    }

    /// Everything that the way from one type to the other is; nothing if they have the same values.
    pub(super) fn types(&self, old: &Type, new: &Type, met: &Met) -> Classes {
        let both = (written(old), written(new));
        if self.is_one_type(old, new) || met.contains(&both) {
            return Classes::new();
        }
        let met = met.iter().cloned().chain([both]).collect();
        let found = self.forms(&form(self.old, old), &form(self.new, new), &met);
        found.into_iter().flat_map(|found| found.classes).collect()
    }

    /// What is different between two forms.
    pub(super) fn forms(&self, old: &Form, new: &Form, met: &Met) -> Vec<Found> {
        let classes: Classes = match (old, new) {
            (Form::OneOf(_), _) | (_, Form::OneOf(_)) if !matches!((old, new), (Form::Any, _) | (_, Form::Any)) => {
                return self.unions(old, new, met);
            }
            (Form::Object(old), Form::Object(new)) => return self.objects(old, new, met),
            (Form::Values(old), Form::Values(new)) => return values(old, new),
            (Form::Any, Form::Any)
            | (Form::Null, Form::Null)
            | (Form::Boolean, Form::Boolean)
            | (Form::String, Form::String) => Classes::new(),
            (_, Form::Any) => [BreakingOnDecode].into(),
            (Form::Any, _) => [BreakingOnEncode].into(),
            (Form::Integer(old), Form::Integer(new)) | (Form::Number(old), Form::Number(new)) => bounds(old, new),
            (Form::Integer(old), Form::Number(new)) => also(bounds(old, new), BreakingOnDecode),
            (Form::Number(old), Form::Integer(new)) => also(bounds(old, new), BreakingOnEncode),
            (Form::Array(old, few), Form::Array(new, many)) => {
                let mut classes = self.types(old, new, met);
                classes.append(&mut lengths(few, many));
                classes
            }
            (Form::Values(values), wide) if values.iter().all(|value| is_of(value, wide)) => [BreakingOnDecode].into(),
            (wide, Form::Values(values)) if values.iter().all(|value| is_of(value, wide)) => [BreakingOnEncode].into(),
            _ => [BreakingOnDecode, BreakingOnEncode].into(),
        };
        Found::if_any(What::Type { old: shape(old), new: shape(new) }, classes).into_iter().collect()
    }

    /// What is different between two objects.
    pub(super) fn objects(&self, old: &Struct, new: &Struct, met: &Met) -> Vec<Found> {
        let mut found = Vec::new();
        for field in &old.fields {
            match new.field(&field.wire_name) {
                Some(other) => found.extend(self.members(field, other, met)),
                None => found.push(removed(field, new.rest.is_none())),
            }
        }
        let added = new.fields.iter().filter(|field| old.field(&field.wire_name).is_none());
        found.extend(added.map(|field| self::added(field, old.rest.is_none())));
        found.sort_by(|a, b| member(&a.what).cmp(&member(&b.what)));
        match (&old.rest, &new.rest) {
            (None, None) => {}
            (Some(_), None) => found.push(Found::new(What::Closed, [Tightening])),
            (None, Some(_)) => found.push(Found::new(What::Opened, [Loosening])),
            (Some(old), Some(new)) => {
                let classes = self.types(old, new, met);
                found.extend(Found::if_any(What::OtherMembers { old: written(old), new: written(new) }, classes));
            }
        }
        found
    }

    fn members(&self, old: &Field, new: &Field, met: &Met) -> Vec<Found> {
        let ((before, inside), (after, now)) = (presence(old), presence(new));
        let rules = [
            (before.required && !after.required, BreakingOnDecode),
            (!before.required && after.required, BreakingOnEncode),
            (!before.nullable && after.nullable, BreakingOnDecode),
            (before.nullable && !after.nullable, BreakingOnEncode),
        ];
        let classes = rules.into_iter().filter(|(holds, _)| *holds).map(|(_, class)| class).collect();
        let member = old.wire_name.clone();
        let presence = What::MemberPresence { member: member.clone(), old: before, new: after };
        let ty = What::MemberType { member, old: written(inside), new: written(now) };
        let of_type = self.types(inside, now, met);
        Found::if_any(presence, classes).into_iter().chain(Found::if_any(ty, of_type)).collect()
    }

    /// What is different where at least one is a union.
    fn unions(&self, old: &Form, new: &Form, met: &Met) -> Vec<Found> {
        let (Form::OneOf(before), Form::OneOf(after)) = (old, new) else {
            // One type is a union of one.
            let (single, arms, has_grown) = match (old, new) {
                (Form::OneOf(arms), single) => (single, arms, false),
                (single, Form::OneOf(arms)) => (single, arms, true),
                _ => return Vec::new(),
            };
            let classes = self.single(single, arms, has_grown, met);
            return Found::if_any(What::Type { old: shape(old), new: shape(new) }, classes).into_iter().collect();
        };
        super::arms::compare(self, before, after, met)
    }

    /// What it is to become a union of these from one type, or to go the other way.
    fn single(&self, single: &Form, arms: &[Type], has_grown: bool, met: &Met) -> Classes {
        let arms = super::arms::flat(if has_grown { self.new } else { self.old }, arms);
        let way = |arm: &Type| {
            let arm = form(if has_grown { self.new } else { self.old }, arm);
            let (old, new) = if has_grown { (single, &arm) } else { (&arm, single) };
            let found = self.forms(old, new, met);
            found.into_iter().flat_map(|found| found.classes).collect::<Classes>()
        };
        let nearest = arms.iter().map(way).min_by_key(super::arms::distance);
        let mut classes = nearest.unwrap_or_else(|| [BreakingOnDecode, BreakingOnEncode].into());
        if arms.len() > 1 {
            classes.insert(if has_grown { BreakingOnDecode } else { BreakingOnEncode });
        }
        classes
    }
}

/// A new member, of an object that was closed or not.
fn added(field: &Field, was_closed: bool) -> Found {
    let (Presence { required, .. }, _) = presence(field);
    let what = What::MemberAdded { member: field.wire_name.clone(), ty: written(&field.ty), required };
    let rules = [(required, BreakingOnEncode), (was_closed, BreakingOnDecode), (!required && !was_closed, Additive)];
    Found::new(what, rules.into_iter().filter(|(holds, _)| *holds).map(|(_, class)| class))
}

/// A member that is gone, from an object that is closed or not.
fn removed(field: &Field, is_closed: bool) -> Found {
    let (Presence { required, .. }, _) = presence(field);
    let what = What::MemberRemoved { member: field.wire_name.clone(), ty: written(&field.ty), required };
    let rules = [(required, BreakingOnDecode), (is_closed, BreakingOnEncode), (!required && !is_closed, Loosening)];
    Found::new(what, rules.into_iter().filter(|(holds, _)| *holds).map(|(_, class)| class))
}

/// Whether a member may be absent or null, and what it is otherwise. What is tolerated is not allowed.
fn presence(field: &Field) -> (Presence, &Type) {
    let required = field.presence != model::Presence::Optional;
    match &field.ty {
        Type::Nullable(inner) => (Presence { required, nullable: true }, inner),
        ty => (Presence { required, nullable: field.presence == model::Presence::RequiredNullable }, ty),
    }
}

/// The member that a change is about.
fn member(what: &What) -> Option<&str> {
    match what {
        What::MemberAdded { member, .. }
        | What::MemberRemoved { member, .. }
        | What::MemberType { member, .. }
        | What::MemberPresence { member, .. } => Some(member),
        _ => None,
    }
}

fn values(old: &[Literal], new: &[Literal]) -> Vec<Found> {
    let gone = old.iter().filter(|value| !new.contains(value));
    let come = new.iter().filter(|value| !old.contains(value));
    let gone = gone.map(|value| Found::new(What::ValueRemoved { value: value.clone() }, [BreakingOnEncode]));
    gone.chain(come.map(|value| Found::new(What::ValueAdded { value: value.clone() }, [BreakingOnDecode]))).collect()
}

/// Whether a value is one of a form that has no members or items.
fn is_of(value: &Literal, form: &Form) -> bool {
    let within = |bounds: &Bounds, number: i64| {
        // A literal that large is no code and no version.
        let number = number as f64;
        bounds.minimum.is_none_or(|minimum| minimum <= number) && bounds.maximum.is_none_or(|maximum| number <= maximum)
    };
    match (value, form) {
        (Literal::String(_), Form::String) | (Literal::Boolean(_), Form::Boolean) => true,
        (Literal::Integer(number), Form::Integer(bounds) | Form::Number(bounds)) => within(bounds, *number),
        _ => false,
    }
}

fn bounds(old: &Bounds, new: &Bounds) -> Classes {
    limits((old.minimum, old.maximum), (new.minimum, new.maximum))
}

fn lengths(old: &Lengths, new: &Lengths) -> Classes {
    // No list is shorter than none.
    let minimum = |lengths: &Lengths| lengths.minimum.filter(|minimum| *minimum > 0);
    limits((minimum(old), old.maximum), (minimum(new), new.maximum))
}

fn limits<N: PartialOrd>(old: (Option<N>, Option<N>), new: (Option<N>, Option<N>)) -> Classes {
    let is_beyond = |one: &Option<N>, other: &Option<N>, beyond: fn(&N, &N) -> bool| match (one, other) {
        (Some(one), Some(other)) => beyond(one, other),
        (one, other) => one.is_some() && other.is_none(),
    };
    let rules = [
        (is_beyond(&new.0, &old.0, N::gt) || is_beyond(&new.1, &old.1, N::lt), Tightening),
        (is_beyond(&old.0, &new.0, N::gt) || is_beyond(&old.1, &new.1, N::lt), Loosening),
    ];
    rules.into_iter().filter(|(holds, _)| *holds).map(|(_, class)| class).collect()
}

fn also(mut classes: Classes, class: Class) -> Classes {
    classes.insert(class);
    classes
}
