//! Finds the messages that can be read as the target's type at once, if some names don't stand in them.

use std::collections::{BTreeMap, BTreeSet};

use super::agreed::identical;
use super::{Known, Resolved, Rules, Side, To, answer, resolved};
use crate::model::{MethodKind, Revision, Shape, Struct, Type};

/// A part of a message, and the names of members that have to be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The method's name on the wire.
    pub method: String,
    /// Whether it is the result.
    pub result: bool,
    /// The names.
    pub names: BTreeSet<String>,
    /// Members that the target's type keeps unread, and the names in them that matter.
    pub inside: BTreeMap<String, BTreeSet<String>>,
}

/// The parts that can be read at once: the target has no member that the source doesn't know, and
/// keeps nothing unread that would have to change.
pub(super) fn watches(
    from: Side<'_>,
    to: Side<'_>,
    rules: &Rules,
    direction: To,
    known: &Known,
    agreed: &BTreeSet<String>,
) -> Vec<Watch> {
    let mut watches = Vec::new();
    for method in &from.whole.methods {
        let Some(other) = to.whole.methods.iter().find(|other| other.name == method.name) else { continue };
        if (method.kind == MethodKind::Notification) != (other.kind == MethodKind::Notification) {
            continue;
        }
        let results = answer(method).zip(answer(other)).map(|(here, there)| (true, here, there));
        let params = (false, method.params.clone(), other.params.clone());
        for (result, here, there) in std::iter::once(params).chain(results) {
            let watch = Watch { method: method.name.clone(), result, names: BTreeSet::new(), inside: BTreeMap::new() };
            let mut look = Look { from, to, rules, direction, known, agreed, watch, seen: BTreeSet::new() };
            if look.value(&here, &there) {
                watches.push(look.watch);
            }
        }
    }
    watches
}

struct Look<'a> {
    from: Side<'a>,
    to: Side<'a>,
    rules: &'a Rules,
    direction: To,
    known: &'a Known,
    agreed: &'a BTreeSet<String>,
    watch: Watch,
    seen: BTreeSet<(String, String)>,
}

impl Look<'_> {
    /// Whether a value can be read at once; gathers the names on which that depends.
    fn value(&mut self, here: &Type, there: &Type) -> bool {
        let ((a, x), (b, y)) = (resolved(self.from.whole, here), resolved(self.to.whole, there));
        if a == b && self.agreed.contains(a) {
            return true;
        }
        match (x, y) {
            (Resolved::Shape(Shape::Struct(x)), Resolved::Shape(Shape::Struct(y))) => {
                !self.seen.insert((a.to_owned(), b.to_owned())) || self.members(a, b, x, y)
            }
            (Resolved::Shape(Shape::Union(x)), Resolved::Shape(Shape::Union(y))) if a == b => {
                let known = |ty: &Type| {
                    let name = resolved(self.from.whole, ty).0;
                    y.arms
                        .iter()
                        .find(|arm| resolved(self.to.whole, &arm.ty).0 == name && !name.is_empty())
                        .map(|arm| arm.ty.clone())
                };
                let pairs: Vec<_> = x.arms.iter().map(|arm| (arm.ty.clone(), known(&arm.ty))).collect();
                // A kind that only the target knows would be read as that without anybody noticing.
                let own = y.arms.iter().any(|arm| {
                    let name = resolved(self.to.whole, &arm.ty).0;
                    !x.arms.iter().any(|other| resolved(self.from.whole, &other.ty).0 == name)
                });
                // An arm that the target doesn't know is noticed, if a tag says what it is.
                !own && y.tree.is_some()
                    && x.tree.is_some()
                    && (!self.seen.insert((a.to_owned(), b.to_owned()))
                        || pairs.iter().all(|(here, there)| match there {
                            Some(there) => self.value(here, there),
                            None => {
                                tagged(y)
                                    && matches!(resolved(self.from.whole, here).1, Resolved::Shape(Shape::Struct(_)))
                            }
                        }))
            }
            // An outcome with more kinds: what the target's result refuses is read the other way.
            (Resolved::Shape(Shape::Union(x)), Resolved::Shape(Shape::Struct(_))) => {
                let name = |ty: &Type| resolved(self.from.whole, ty).0.to_owned();
                match x.arms.iter().find(|arm| name(&arm.ty) == b).map(|arm| arm.ty.clone()) {
                    Some(arm) => {
                        for other in x.arms.iter().filter(|other| name(&other.ty) != b) {
                            if let (_, Resolved::Shape(Shape::Struct(other))) = resolved(self.from.whole, &other.ty) {
                                let members = other.fields.iter().map(|field| field.wire_name.clone());
                                let shared = self.to.whole.structure(b);
                                self.watch.names.extend(
                                    members.filter(|name| shared.is_some_and(|shared| shared.field(name).is_none())),
                                );
                            }
                        }
                        self.value(&arm, there)
                    }
                    None => false,
                }
            }
            (Resolved::Type(Type::Array(x, n)), Resolved::Type(Type::Array(y, m))) => n == m && self.value(x, y),
            (Resolved::Type(Type::Map(x)), Resolved::Type(Type::Map(y)))
            | (Resolved::Type(Type::Nullable(x)), Resolved::Type(Type::Nullable(y))) => self.value(x, y),
            _ => identical(self.from.whole, self.to.whole, here, there, self.known, &mut BTreeSet::new()),
        }
    }

    fn members(&mut self, a: &str, b: &str, here: &Struct, there: &Struct) -> bool {
        // Null is a value where only a base type names the member, and absent where its own type does.
        if self.from.whole.borrowed_meta.contains(a) && !self.to.whole.borrowed_meta.contains(b) {
            return false;
        }
        let emitted = self.to.emitted.structure(b);
        for field in &there.fields {
            let Some(source) = here.field(&field.wire_name) else { return false };
            let default = self.rules.default(self.direction, b, &field.wire_name).is_some();
            if default || self.rules.session(self.direction, b, &field.wire_name) {
                return false;
            }
            let unread = match emitted.and_then(|emitted| emitted.field(&field.wire_name)) {
                Some(other) => other.ty == Type::Object && field.ty != Type::Object,
                None => true,
            };
            let same =
                identical(self.from.whole, self.to.whole, &source.ty, &field.ty, self.known, &mut BTreeSet::new());
            let read = match (unread, same) {
                (_, true) => true,
                (true, false) => self.flat(&field.wire_name, &source.ty, &field.ty),
                (false, false) => self.value(&source.ty, &field.ty),
            };
            if !read {
                return false;
            }
        }
        let unseen = self.unseen(a, b, here, there);
        self.watch.names.extend(unseen);
        true
    }

    /// The names that may not pass to the target.
    fn unseen(&self, a: &str, b: &str, here: &Struct, there: &Struct) -> BTreeSet<String> {
        let known = [a, b].into_iter().filter_map(|name| self.known.get(name)).flatten();
        let names = here.fields.iter().map(|field| &field.wire_name).chain(known);
        let carried = |name: &str| self.rules.carried(a, name) || self.rules.carried(b, name);
        names.filter(|name| there.field(name).is_none() && !carried(name)).cloned().collect()
    }

    /// A member that stays unread: its own members are looked at, if that is enough.
    fn flat(&mut self, member: &str, here: &Type, there: &Type) -> bool {
        let (a, Resolved::Shape(Shape::Struct(x))) = resolved(self.from.whole, here) else { return false };
        let (b, Resolved::Shape(Shape::Struct(y))) = resolved(self.to.whole, there) else { return false };
        let same = |revisions: (&Revision, &Revision), known: &Known| {
            y.fields.iter().all(|field| {
                x.field(&field.wire_name).is_some_and(|source| {
                    identical(revisions.0, revisions.1, &source.ty, &field.ty, known, &mut BTreeSet::new())
                })
            })
        };
        if !same((self.from.whole, self.to.whole), self.known) {
            return false;
        }
        let unseen = self.unseen(a, b, x, y);
        self.watch.inside.entry(member.to_owned()).or_default().extend(unseen);
        true
    }
}

/// Whether a union is told apart by a tag, so that a kind it doesn't know is kept as unknown.
fn tagged(union: &crate::model::Union) -> bool {
    use crate::model::Tree;
    fn has(tree: &Tree) -> bool {
        match tree {
            Tree::Tag { .. } => true,
            Tree::Kind(cases) => cases.values().any(has),
            Tree::Keys { .. } | Tree::Arm(_) | Tree::Unknown => false,
        }
    }
    union.tree.as_ref().is_some_and(has)
}
