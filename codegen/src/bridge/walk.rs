//! Checks that every difference on the way from a revision to its neighbour is explained.

use std::collections::{BTreeMap, BTreeSet};

use super::{PROTOCOL_VERSION, Resolved, Rules, To, answer, label, resolved};
use crate::error::{Error, Result};
use crate::model::{Bounds, Method, MethodKind, Presence, Revision, Shape, Struct, Type};

/// Walks along the messages of `from` as they go to `to`.
///
/// # Errors
/// One fault for each difference that neither a conversion nor a rule explains.
pub(super) fn walk(from: &Revision, to: &Revision, rules: &Rules, direction: To) -> Result<()> {
    let mut walk = Walk { from, to, rules, direction, seen: BTreeSet::new(), faults: BTreeMap::new() };
    for rename in &rules.rename {
        let (old, new) = match direction {
            To::New => (from, to),
            To::Old => (to, from),
        };
        for name in &rename.new {
            if old.definitions.contains_key(&rename.old) && new.definitions.contains_key(name) {
                rules.mark(format!("rename {} {name}", rename.old));
            }
        }
    }
    for method in &from.methods {
        match to.methods.iter().find(|other| other.name == method.name) {
            Some(other) => walk.method(method, other),
            None => walk.gone(method),
        }
    }
    Error::all(walk.faults.into_iter().map(|((place, message), rule)| {
        let advice = format!("add to schema/bridges/{}.toml:\n\n{rule}\nreason = \"…\"\n", rules.pair);
        Error::new(format!("{}..{}", from.version, to.version), place, message, advice)
    }))
}

struct Walk<'a> {
    from: &'a Revision,
    to: &'a Revision,
    rules: &'a Rules,
    direction: To,
    seen: BTreeSet<(String, String)>,
    /// The rule that would explain what is wrong, by the place and what is wrong there.
    faults: BTreeMap<(String, String), String>,
}

/// A place in the target.
#[derive(Clone, Copy)]
struct Place<'p> {
    name: &'p str,
    /// Whether what doesn't fit may be left out.
    optional: bool,
    /// Whether a rule says that what doesn't fit takes along what holds it.
    excused: bool,
}

impl Walk<'_> {
    fn gone(&mut self, method: &Method) {
        match self.rules.method.iter().any(|rule| rule.names.contains(&method.name)) {
            true => self.rules.mark(format!("method {}", method.name)),
            false => self.fault(
                &method.name,
                format!("{} has no such method", self.to.version),
                format!("[[method]]\nnames = [\"{}\"]", method.name),
            ),
        }
    }

    fn method(&mut self, here: &Method, there: &Method) {
        let notification = |method: &Method| method.kind == MethodKind::Notification;
        if notification(here) != notification(there) {
            return self.gone(here);
        }
        let params = format!("{} params", here.name);
        self.value(&here.params, &there.params, Place { name: &params, optional: false, excused: false });
        // What has to be there reads as an empty object if it isn't.
        if there.params_required
            && !here.params_required
            && let (name, Resolved::Shape(Shape::Struct(shape))) = resolved(self.to, &there.params)
        {
            self.filled(None, name, shape);
        }
        if let (Some(here), Some(there)) = (answer(here), answer(there)) {
            let name = format!("{} result", params.trim_end_matches(" params"));
            self.value(&here, &there, Place { name: &name, optional: false, excused: false });
        }
    }

    fn value(&mut self, here: &Type, there: &Type, place: Place<'_>) {
        let ((a, x), (b, y)) = (resolved(self.from, here), resolved(self.to, there));
        match (x, y) {
            (_, Resolved::Type(Type::Any)) => {}
            (Resolved::Type(Type::Nullable(here)), Resolved::Type(Type::Nullable(there))) => {
                self.value(here, there, place);
            }
            (_, Resolved::Type(Type::Nullable(there))) => self.value(here, there, place),
            (Resolved::Type(Type::Nullable(inner)), _) => {
                self.narrower(place, "null has no place there any more".to_owned());
                self.value(inner, there, place);
            }
            (Resolved::Shape(Shape::Union(union)), _) => {
                if matches!(y, Resolved::Shape(Shape::Union(_))) && !self.seen.insert((a.to_owned(), b.to_owned())) {
                    return;
                }
                for arm in &union.arms {
                    match resolved(self.from, &arm.ty) {
                        (_, Resolved::Shape(Shape::Union(_))) => self.value(&arm.ty, there, place),
                        _ => self.arm(&arm.ty, there, place),
                    }
                }
                // What its own revision doesn't know, if anything stands in for that.
                self.rules.kind(self.direction, &format!("{a}.?"));
            }
            (_, Resolved::Shape(Shape::Union(_))) => match x {
                Resolved::Type(Type::Any) => self.narrower(place, format!("any JSON became `{b}`")),
                _ => self.arm(here, there, place),
            },
            (Resolved::Shape(Shape::Struct(x)), Resolved::Shape(Shape::Struct(y))) => {
                if self.seen.insert((a.to_owned(), b.to_owned())) {
                    self.members(Some((a, x)), b, y);
                }
            }
            (Resolved::Type(Type::Any | Type::Object | Type::Map(_)), Resolved::Shape(Shape::Struct(y))) => {
                if matches!(x, Resolved::Type(Type::Any)) {
                    self.narrower(place, format!("any JSON became `{b}`"));
                }
                if self.seen.insert((format!("{x:?}"), b.to_owned())) {
                    self.members(None, b, y);
                }
            }
            (Resolved::Shape(Shape::Struct(_)), Resolved::Type(Type::Object | Type::Map(_))) => {}
            (Resolved::Type(x), Resolved::Type(y)) => self.plain(x, y, here, there, place),
            (Resolved::Shape(Shape::Enum(x)), Resolved::Shape(Shape::Enum(y))) => {
                for value in x.iter().filter(|value| !y.iter().any(|other| other.wire == value.wire)) {
                    let label = format!("{a}.{}", value.wire);
                    if !place.optional && !place.excused && !self.rules.kind(self.direction, &label) {
                        self.unknown_kind(place, &label);
                    }
                }
            }
            (Resolved::Shape(Shape::Constant(x)), Resolved::Shape(Shape::Constant(y))) if x == y => {}
            (Resolved::Shape(Shape::Enum(_)), Resolved::Type(Type::String)) => {}
            _ => self.differs(place, here, there),
        }
    }

    fn plain(&mut self, x: &Type, y: &Type, here: &Type, there: &Type, place: Place<'_>) {
        let within = |inner: &Bounds, outer: &Bounds| {
            outer.minimum.is_none_or(|outer| inner.minimum.is_some_and(|inner| inner >= outer))
                && outer.maximum.is_none_or(|outer| inner.maximum.is_some_and(|inner| inner <= outer))
        };
        match (x, y) {
            (Type::Array(x, n), Type::Array(y, m)) => {
                let fits = m.minimum.is_none_or(|outer| n.minimum.is_some_and(|inner| inner >= outer))
                    && m.maximum.is_none_or(|outer| n.maximum.is_some_and(|inner| inner <= outer));
                if !fits && !self.rules.cut(self.direction, place.name) {
                    self.narrower(
                        place,
                        "the number of items is bounded (a [[cut]] rule would keep the first ones)".to_owned(),
                    );
                }
                // An item can't be left out as a member can.
                self.value(x, y, Place { optional: false, ..place });
            }
            (Type::Map(x), Type::Map(y)) => self.value(x, y, Place { optional: true, ..place }),
            (Type::Object | Type::Map(_), Type::Object) => {}
            (Type::Integer(x), Type::Integer(y) | Type::Number(y)) | (Type::Number(x), Type::Number(y)) => {
                if !within(x, y) {
                    self.narrower(place, "the bounds are narrower".to_owned());
                }
            }
            (Type::Number(_), Type::Integer(_)) if !place.excused => {
                let message = "`number` became `integer`, which upstream's tool does by mistake: write an erratum if \
                               schema.ts has `number`";
                let to = self.direction.name();
                let rule = format!(
                    "[[require]]      # if fractions are really gone\nto = \"{to}\"\nmembers = [\"{}\"]",
                    place.name
                );
                self.fault(place.name, message.to_owned(), rule);
            }
            (Type::Number(_), Type::Integer(_)) => {}
            (Type::Literal(x), Type::Literal(y)) if x == y => {}
            (Type::Literal(crate::model::Literal::String(_)), Type::String) => {}
            (x, y) if x == y => {}
            // What doesn't fit is left out and reported.
            (Type::Any, _) => self.narrower(place, "any JSON was allowed there".to_owned()),
            _ => self.differs(place, here, there),
        }
    }

    /// One of the types of a union, or what goes into one.
    fn arm(&mut self, here: &Type, there: &Type, place: Place<'_>) {
        let found = self.counterparts(here, there);
        for other in &found {
            self.value(here, other, place);
        }
        let label = label(self.from, here);
        if found.is_empty() && !self.rules.kind(self.direction, &label) && !place.excused {
            self.unknown_kind(place, &label);
        }
    }

    /// The arms that a type can go to.
    fn counterparts(&self, here: &Type, there: &Type) -> Vec<Type> {
        let (b, y) = resolved(self.to, there);
        if let Resolved::Shape(Shape::Union(union)) = y {
            return union.arms.iter().flat_map(|arm| self.counterparts(here, &arm.ty)).collect();
        }
        let (a, x) = resolved(self.from, here);
        let same = match (x, y) {
            (Resolved::Shape(Shape::Struct(_)), Resolved::Shape(Shape::Struct(_)))
            | (Resolved::Shape(Shape::Enum(_)), Resolved::Shape(Shape::Enum(_))) => {
                self.rules.renamed(a, b, self.direction).unwrap_or(a == b)
            }
            (Resolved::Type(x), Resolved::Type(y)) => {
                std::mem::discriminant(x) == std::mem::discriminant(y)
                    || matches!((x, y), (Type::Integer(_), Type::Number(_)))
            }
            _ => false,
        };
        if same { vec![there.clone()] } else { Vec::new() }
    }

    /// The members of an object: those of both, and those that only the target has.
    fn members(&mut self, here: Option<(&str, &Struct)>, name: &str, there: &Struct) {
        if let Some((ty, here)) = here {
            for field in &here.fields {
                let place = format!("{name}.{}", field.wire_name);
                match there.field(&field.wire_name) {
                    Some(other) => {
                        // What says the revision has to say the one that it is converted to.
                        let session = self.rules.session(self.direction, name, &field.wire_name);
                        if field.wire_name == PROTOCOL_VERSION && !session {
                            let to = self.direction.name();
                            let rule = format!(
                                "[[session]]\nto = \"{to}\"\nmember = \"{place}\"\nsource = \"protocol_version\""
                            );
                            self.fault(
                                &place,
                                "it says which revision is spoken, and would say the wrong one".to_owned(),
                                rule,
                            );
                        }
                        let optional = other.presence == Presence::Optional;
                        let excused = self.rules.require(self.direction, name, &field.wire_name);
                        let place = Place { name: &place, optional, excused };
                        if field.presence == Presence::RequiredNullable && other.presence == Presence::Required {
                            self.narrower(place, "null has no place there any more".to_owned());
                        }
                        self.value(&field.ty, &other.ty, place);
                    }
                    None => {
                        self.rules.carried(ty, &field.wire_name);
                        self.rules.carried(name, &field.wire_name);
                    }
                }
            }
            for rule in self.rules.text.iter().filter(|rule| rule.to == self.direction) {
                if let Some((owner, member)) = rule.member.split_once('.')
                    && owner == ty
                    && here.field(member).is_some()
                    && there.field(&rule.into).is_some()
                {
                    self.rules.mark(format!("text {}", rule.member));
                }
            }
        }
        for field in &there.fields {
            if here.is_none_or(|(_, here)| here.field(&field.wire_name).is_none()) {
                self.rules.carried(name, &field.wire_name);
                // A member that the session gives may be optional.
                self.rules.session(self.direction, name, &field.wire_name);
            }
        }
        self.filled(here, name, there);
    }

    /// What the target requires, and the source may not have.
    fn filled(&mut self, here: Option<(&str, &Struct)>, name: &str, there: &Struct) {
        for field in there.fields.iter().filter(|field| field.presence == Presence::Required) {
            let source = here.and_then(|(_, here)| here.field(&field.wire_name));
            if source.is_some_and(|source| source.presence != Presence::Optional)
                || self.explained(name, &field.wire_name, &field.ty)
            {
                continue;
            }
            let place = format!("{name}.{}", field.wire_name);
            let to = self.direction.name();
            let message = format!(
                "{} requires it, and nothing says what it gets where {} has none",
                self.to.version, self.from.version
            );
            let rule = format!(
                "[[default]]      # or [[session]], or [[require]] if nothing can be said without it\nto = \"{to}\"\nmembers = [\"{place}\"]\nvalue = \"…\""
            );
            self.fault(&place, message, rule);
        }
    }

    /// Whether a member can be made of nothing, or a rule says that it can't.
    fn explained(&self, owner: &str, member: &str, ty: &Type) -> bool {
        if self.rules.default(self.direction, owner, member).is_some()
            || self.rules.session(self.direction, owner, member)
            || self.rules.require(self.direction, owner, member)
        {
            return true;
        }
        match resolved(self.to, ty) {
            (name, Resolved::Shape(Shape::Struct(shape))) => {
                let required = shape.fields.iter().filter(|field| field.presence == Presence::Required);
                required.into_iter().all(|field| self.explained(name, &field.wire_name, &field.ty))
            }
            (_, Resolved::Type(Type::Object | Type::Map(_))) => true,
            _ => false,
        }
    }

    fn unknown_kind(&mut self, place: Place<'_>, label: &str) {
        let to = self.direction.name();
        let message = format!("{} has no `{label}` there", self.to.version);
        let rule = format!(
            "[[refuse]]      # or [[substitute]] with what stands in for it\nto = \"{to}\"\ntypes = [\"{label}\"]"
        );
        self.fault(place.name, message, rule);
    }

    fn narrower(&mut self, place: Place<'_>, message: String) {
        if place.optional || place.excused {
            return;
        }
        let to = self.direction.name();
        self.fault(place.name, message, format!("[[require]]\nto = \"{to}\"\nmembers = [\"{}\"]", place.name));
    }

    fn differs(&mut self, place: Place<'_>, here: &Type, there: &Type) {
        if place.excused {
            return;
        }
        let name = |revision: &Revision, ty: &Type| match label(revision, ty) {
            name if name.is_empty() => "object".to_owned(),
            name => name,
        };
        let (here, there) = (name(self.from, here), name(self.to, there));
        let to = self.direction.name();
        let message = format!("`{here}` became `{there}`, and nothing turns one into the other");
        self.fault(
            place.name,
            message,
            format!("[[rename]]      # if they are the same\nold = \"…\"\nnew = [\"…\"]\n# or [[require]], if what doesn't fit takes along what holds it:\n# to = \"{to}\"\n# members = [\"{}\"]", place.name),
        );
    }

    fn fault(&mut self, place: &str, message: String, rule: String) {
        self.faults.entry((place.to_owned(), message)).or_insert(rule);
    }
}
