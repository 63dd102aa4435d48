//! Finds the types about which two neighbours agree.

use std::collections::BTreeSet;

use super::{Known, PROTOCOL_VERSION, Resolved, resolved};
use crate::model::{Revision, Shape, Type};

/// The types that look the same in both revisions, all the way down, and of which no third revision
/// knows members that these don't: a value passes as it is.
pub(super) fn agreed(older: &Revision, newer: &Revision, known: &Known) -> BTreeSet<String> {
    let names = older.definitions.keys().filter(|name| newer.definitions.contains_key(*name));
    let same = |name: &&String| {
        let ty = Type::Named((*name).clone());
        identical(older, newer, &ty, &ty, known, &mut BTreeSet::new())
    };
    names.filter(same).cloned().collect()
}

/// Whether two types are the same. A pair that is being compared already counts as such.
pub(super) fn identical(
    a: &Revision,
    b: &Revision,
    x: &Type,
    y: &Type,
    known: &Known,
    seen: &mut BTreeSet<(String, String)>,
) -> bool {
    let ((here, x), (there, y)) = (resolved(a, x), resolved(b, y));
    match (x, y) {
        (Resolved::Shape(x), Resolved::Shape(y)) => {
            if here != there {
                return false;
            }
            if !seen.insert((here.to_owned(), there.to_owned())) {
                return true;
            }
            identical_shapes(a, b, here, (x, y), known, seen)
        }
        (Resolved::Type(x), Resolved::Type(y)) => match (x, y) {
            (Type::Array(x, n), Type::Array(y, m)) => n == m && identical(a, b, x, y, known, seen),
            (Type::Map(x), Type::Map(y)) | (Type::Nullable(x), Type::Nullable(y)) => identical(a, b, x, y, known, seen),
            (x, y) => x == y,
        },
        _ => false,
    }
}

fn identical_shapes(
    a: &Revision,
    b: &Revision,
    name: &str,
    (x, y): (&Shape, &Shape),
    known: &Known,
    seen: &mut BTreeSet<(String, String)>,
) -> bool {
    match (x, y) {
        (Shape::Struct(x), Shape::Struct(y)) => {
            let complete = known.get(name).is_none_or(|known| known.iter().all(|member| x.field(member).is_some()));
            let rest = match (&x.rest, &y.rest) {
                (Some(x), Some(y)) => identical(a, b, x, y, known, seen),
                (x, y) => x.is_none() && y.is_none(),
            };
            // What names its revision is never the same.
            let neutral = x.field(PROTOCOL_VERSION).is_none();
            // Where only one of the two names `_meta` itself, the other's may be anything.
            let alike = a.borrowed_meta.contains(name) == b.borrowed_meta.contains(name);
            neutral
                && alike
                && complete
                && rest
                && x.fields.len() == y.fields.len()
                && x.fields.iter().zip(&y.fields).all(|(x, y)| {
                    x.wire_name == y.wire_name && x.presence == y.presence && identical(a, b, &x.ty, &y.ty, known, seen)
                })
        }
        (Shape::Union(x), Shape::Union(y)) => {
            x.arms.len() == y.arms.len()
                && x.tree == y.tree
                && x.arms.iter().zip(&y.arms).all(|(x, y)| identical(a, b, &x.ty, &y.ty, known, seen))
        }
        (Shape::Enum(x), Shape::Enum(y)) => x == y,
        (Shape::Constant(x), Shape::Constant(y)) => x == y,
        _ => false,
    }
}
