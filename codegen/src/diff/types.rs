//! How types changed.

use super::class::Kind;
use super::reach::{Reach, change, told_by_methods};
use super::shown::shown;
use super::{Change, Renames, TypeDiff};
use crate::bridge::{Resolved, resolved};
use crate::model::{Bounds, Field, Lengths, Presence, Revision, Shape, Struct, Type};

/// The types that are new, gone or changed. What no message has is left out.
pub(super) fn types(
    older: &Revision,
    newer: &Revision,
    renames: &Renames,
    old_reach: &Reach,
    new_reach: &Reach,
) -> Vec<TypeDiff> {
    let named = |revision: &Revision, reach: &Reach| -> Vec<String> {
        let definitions = revision.definitions.iter().filter(|(name, definition)| {
            reach.reaches(name) && !told_by_methods(revision, name) && !matches!(definition.shape, Shape::Alias(_))
        });
        definitions.map(|(name, _)| name.clone()).collect()
    };
    let (old_names, new_names) = (named(older, old_reach), named(newer, new_reach));
    let mut diffs = Vec::new();
    for name in &new_names {
        let sent = new_reach.sent(name);
        let before: Vec<&String> = old_names.iter().filter(|old| renames.same(old, name)).collect();
        match before.first() {
            Some(old) => {
                let compare = Compare { older, newer, renames, sent };
                let mut changes = Vec::new();
                let was = (*old != name).then(|| (*old).clone());
                if let Some(was) = &was {
                    changes.push(change("", Kind::TypeRenamed, format!("was `{was}`"), sent));
                }
                compare.shapes(&older.definitions[*old].shape, &newer.definitions[name].shape, &mut changes);
                if !changes.is_empty() {
                    diffs.push(TypeDiff { name: name.clone(), was, changes });
                }
            }
            None => {
                let what = match &newer.definitions[name].shape {
                    Shape::Struct(shape) => format!("new, with {}", members(newer, shape)),
                    Shape::Enum(values) => {
                        let values: Vec<String> = values.iter().map(|value| format!("`{}`", value.wire)).collect();
                        format!("new, one of {}", values.join(", "))
                    }
                    Shape::Union(union) => {
                        let arms: Vec<String> =
                            union.arms.iter().map(|arm| format!("`{}`", shown(newer, &arm.ty))).collect();
                        format!("new, one of {}", arms.join(", "))
                    }
                    Shape::Alias(_) | Shape::Constant(_) => "new".to_owned(),
                };
                let changes = vec![change("", Kind::TypeAdded, what, sent)];
                diffs.push(TypeDiff { name: name.clone(), was: None, changes });
            }
        }
    }
    for name in old_names.iter().filter(|old| !new_names.iter().any(|new| renames.same(old, new))) {
        let changes = vec![change("", Kind::TypeRemoved, "gone".to_owned(), old_reach.sent(name))];
        diffs.push(TypeDiff { name: name.clone(), was: None, changes });
    }
    diffs.sort_by(|a, b| a.name.cmp(&b.name));
    diffs
}

fn members(revision: &Revision, shape: &Struct) -> String {
    let member = |field: &Field| {
        let optional = if field.presence == Presence::Optional { "?" } else { "" };
        format!("`{}{optional}: {}`", field.wire_name, shown(revision, &field.ty))
    };
    match shape.fields.is_empty() {
        true => "no members of its own".to_owned(),
        false => shape.fields.iter().map(member).collect::<Vec<_>>().join(", "),
    }
}

struct Compare<'a> {
    older: &'a Revision,
    newer: &'a Revision,
    renames: &'a Renames,
    sent: (bool, bool),
}

impl Compare<'_> {
    fn push(&self, at: &str, kind: Kind, what: String, changes: &mut Vec<Change>) {
        changes.push(change(at, kind, what, self.sent));
    }

    fn shapes(&self, old: &Shape, new: &Shape, changes: &mut Vec<Change>) {
        match (old, new) {
            (Shape::Struct(old), Shape::Struct(new)) => self.structs(old, new, changes),
            (Shape::Enum(old), Shape::Enum(new)) => {
                for value in new.iter().filter(|new| !old.iter().any(|old| old.wire == new.wire)) {
                    self.push(&value.wire, Kind::VariantAdded, "new value".to_owned(), changes);
                }
                for value in old.iter().filter(|old| !new.iter().any(|new| old.wire == new.wire)) {
                    self.push(&value.wire, Kind::VariantRemoved, "gone".to_owned(), changes);
                }
            }
            (Shape::Union(old), Shape::Union(new)) => {
                let same = |old: &Type, new: &Type| self.same(old, new);
                for arm in new.arms.iter().filter(|new| !old.arms.iter().any(|old| same(&old.ty, &new.ty))) {
                    self.push(&shown(self.newer, &arm.ty), Kind::VariantAdded, "new kind".to_owned(), changes);
                }
                for arm in old.arms.iter().filter(|old| !new.arms.iter().any(|new| same(&old.ty, &new.ty))) {
                    self.push(&shown(self.older, &arm.ty), Kind::VariantRemoved, "gone".to_owned(), changes);
                }
            }
            (Shape::Constant(old), Shape::Constant(new)) if old == new => {}
            (old, new) => {
                let kind = |shape: &Shape| match shape {
                    Shape::Struct(_) => "an object",
                    Shape::Enum(_) => "an enumeration",
                    Shape::Union(_) => "one of several types",
                    Shape::Alias(_) => "another type",
                    Shape::Constant(_) => "a constant",
                };
                // A type that became one of several still has its own form among them, as a rule.
                let change = match new {
                    Shape::Union(_) => Kind::Widened,
                    _ => Kind::Replaced,
                };
                self.push("", change, format!("{}, was {}", kind(new), kind(old)), changes);
            }
        }
    }

    fn structs(&self, old: &Struct, new: &Struct, changes: &mut Vec<Change>) {
        for field in &new.fields {
            let at = &field.wire_name;
            match old.field(at) {
                Some(before) => self.fields(before, field, changes),
                None => {
                    let (kind, may) = match field.presence {
                        Presence::Optional => (Kind::OptionalMemberAdded, "optional"),
                        _ => (Kind::RequiredMemberAdded, "required"),
                    };
                    self.push(at, kind, format!("new, {may}: `{}`", shown(self.newer, &field.ty)), changes);
                }
            }
        }
        for field in old.fields.iter().filter(|field| new.field(&field.wire_name).is_none()) {
            let (kind, was) = match field.presence {
                Presence::Optional => (Kind::OptionalMemberRemoved, "optional"),
                _ => (Kind::RequiredMemberRemoved, "required"),
            };
            self.push(&field.wire_name, kind, format!("gone, was {was}"), changes);
        }
        match (&old.rest, &new.rest) {
            (Some(_), None) => {
                self.push("*", Kind::BoundTightened, "no other members are allowed".to_owned(), changes);
            }
            (None, Some(_)) => self.push("*", Kind::BoundLoosened, "other members are allowed".to_owned(), changes),
            (Some(old), Some(new)) => self.values("*", old, new, changes),
            (None, None) => {}
        }
    }

    fn fields(&self, old: &Field, new: &Field, changes: &mut Vec<Change>) {
        let at = &new.wire_name;
        let optional = |field: &Field| field.presence == Presence::Optional;
        match (optional(old), optional(new)) {
            (true, false) => self.push(at, Kind::MemberRequired, "required, was optional".to_owned(), changes),
            (false, true) => self.push(at, Kind::MemberOptional, "optional, was required".to_owned(), changes),
            _ => {}
        }
        let nullable = |field: &Field| field.presence == Presence::RequiredNullable;
        match (nullable(old), nullable(new)) {
            (true, false) => self.push(at, Kind::Narrowed, "can't be null any more".to_owned(), changes),
            (false, true) => self.push(at, Kind::Widened, "may be null".to_owned(), changes),
            _ => {}
        }
        self.values(at, &old.ty, &new.ty, changes);
    }

    /// What may stand at a place.
    fn values(&self, at: &str, old: &Type, new: &Type, changes: &mut Vec<Change>) {
        if self.same(old, new) {
            return;
        }
        let (before, after) = (shown(self.older, old), shown(self.newer, new));
        let what = format!("`{after}`, was `{before}`");
        self.push(at, self.kind(old, new), what, changes);
    }

    /// Whether two types are the same, if what their names stand for is compared on its own.
    fn same(&self, old: &Type, new: &Type) -> bool {
        match (resolved(self.older, old), resolved(self.newer, new)) {
            ((_, Resolved::Shape(Shape::Constant(a))), (_, Resolved::Shape(Shape::Constant(b)))) => a == b,
            ((a, Resolved::Shape(_)), (b, Resolved::Shape(_))) => self.renames.same(a, b),
            ((_, Resolved::Type(a)), (_, Resolved::Type(b))) => match (a, b) {
                (Type::Array(a, n), Type::Array(b, m)) => n == m && self.same(a, b),
                (Type::Map(a), Type::Map(b)) | (Type::Nullable(a), Type::Nullable(b)) => self.same(a, b),
                (a, b) => a == b,
            },
            _ => false,
        }
    }

    fn kind(&self, old: &Type, new: &Type) -> Kind {
        let within = |inner: (Option<f64>, Option<f64>), outer: (Option<f64>, Option<f64>)| {
            outer.0.is_none_or(|outer| inner.0.is_some_and(|inner| inner >= outer))
                && outer.1.is_none_or(|outer| inner.1.is_some_and(|inner| inner <= outer))
        };
        let bounds = |bounds: &Bounds| (bounds.minimum, bounds.maximum);
        let lengths =
            |lengths: &Lengths| (lengths.minimum.map(|bound| bound as f64), lengths.maximum.map(|bound| bound as f64));
        let bound = |old, new| if within(new, old) { Kind::BoundTightened } else { Kind::BoundLoosened };
        match (resolved(self.older, old).1, resolved(self.newer, new).1) {
            (Resolved::Type(Type::Any), _) => Kind::Narrowed,
            (_, Resolved::Type(Type::Any)) => Kind::Widened,
            (Resolved::Type(Type::Nullable(old)), _) if self.same(old, new) => Kind::Narrowed,
            (_, Resolved::Type(Type::Nullable(new))) if self.same(old, new) => Kind::Widened,
            (Resolved::Type(Type::Object | Type::Map(_)), Resolved::Shape(Shape::Struct(_))) => Kind::Described,
            (Resolved::Shape(Shape::Struct(_)), Resolved::Type(Type::Object | Type::Map(_))) => Kind::Undescribed,
            (Resolved::Type(Type::Object), Resolved::Type(Type::Map(_))) => Kind::Narrowed,
            (Resolved::Type(Type::Map(_)), Resolved::Type(Type::Object)) => Kind::Widened,
            (Resolved::Type(Type::Integer(_)), Resolved::Type(Type::Number(_))) => Kind::Widened,
            (Resolved::Type(Type::Number(_)), Resolved::Type(Type::Integer(_))) => Kind::Narrowed,
            (Resolved::Type(Type::Integer(old)), Resolved::Type(Type::Integer(new)))
            | (Resolved::Type(Type::Number(old)), Resolved::Type(Type::Number(new))) => bound(bounds(old), bounds(new)),
            (Resolved::Type(Type::Array(old, n)), Resolved::Type(Type::Array(new, m))) => match self.same(old, new) {
                true => bound(lengths(n), lengths(m)),
                false => self.kind(old, new),
            },
            (Resolved::Type(Type::Map(old)), Resolved::Type(Type::Map(new))) => self.kind(old, new),
            (Resolved::Shape(Shape::Enum(_)), Resolved::Type(Type::String)) => Kind::Widened,
            (Resolved::Type(Type::String), Resolved::Shape(Shape::Enum(_))) => Kind::Narrowed,
            (_, Resolved::Shape(Shape::Union(union))) if union.arms.iter().any(|arm| self.same(old, &arm.ty)) => {
                Kind::Widened
            }
            (Resolved::Shape(Shape::Union(union)), _) if union.arms.iter().any(|arm| self.same(&arm.ty, new)) => {
                Kind::Narrowed
            }
            _ => Kind::Replaced,
        }
    }
}
