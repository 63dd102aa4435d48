//! Nests a union of "one of these, or a list of them" into the union that names them already.

use crate::decisions::Decisions;
use crate::error::Result;
use crate::model::{Arm, Revision, Shape, Type};

/// After this pass a union whose named arms are exactly those of another union has that union as
/// one arm.
///
/// # Errors
/// None today.
pub(super) fn run(mut revision: Revision, _: &Decisions) -> Result<Revision> {
    let named = |arms: &[Arm]| -> Vec<String> {
        let mut names: Vec<String> = arms
            .iter()
            .filter_map(|arm| match &arm.ty {
                Type::Named(name) => Some(name.clone()),
                _ => None,
            })
            .collect();
        names.sort();
        names
    };
    let complete: Vec<(String, Vec<String>)> = revision
        .definitions
        .iter()
        .filter_map(|(name, definition)| match &definition.shape {
            Shape::Union(union) if named(&union.arms).len() == union.arms.len() => {
                Some((name.clone(), named(&union.arms)))
            }
            _ => None,
        })
        .collect();
    for definition in revision.definitions.values_mut() {
        let Shape::Union(union) = &mut definition.shape else { continue };
        let arms = named(&union.arms);
        if arms.len() < 2 || arms.len() == union.arms.len() {
            continue;
        }
        if let Some((inner, _)) = complete.iter().find(|(_, other)| *other == arms) {
            union.arms.retain(|arm| !matches!(arm.ty, Type::Named(_)));
            union.arms.insert(0, Arm { ident: String::new(), ty: Type::Named(inner.clone()) });
        }
    }
    Ok(revision)
}
