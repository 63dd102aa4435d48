//! Checks that names lead somewhere: no alias in a circle, no reference to what has left the model.

use crate::decisions::Decisions;
use crate::error::{Error, Result};
use crate::model::{Revision, Shape, Type};

/// After this pass each name that a type refers to is defined, and aliases end at a shape.
///
/// # Errors
/// For each name that doesn't.
pub(super) fn run(revision: Revision, _: &Decisions) -> Result<Revision> {
    let mut errors = Vec::new();
    for (name, definition) in &revision.definitions {
        let error = |message: String, advice: &str| Error::new(&revision.version, &definition.pointer, message, advice);
        if let Shape::Alias(_) = &definition.shape
            && circular(&revision, name)
        {
            errors.push(error(format!("`{name}` is an alias of itself"), "give one of the aliases a shape"));
        }
        for target in definition.shape.types().into_iter().flat_map(Type::names) {
            if !revision.definitions.contains_key(target) {
                errors.push(error(
                    format!("refers to `{target}`, which is part of the JSON-RPC envelope"),
                    "correct it with an erratum",
                ));
            }
        }
    }
    Error::all(errors)?;
    Ok(revision)
}

/// Whether aliases, lists and maps lead from a name back to it without a shape in between.
fn circular(revision: &Revision, start: &str) -> bool {
    let mut seen = vec![start];
    let mut next = vec![start];
    while let Some(name) = next.pop() {
        let Some(Shape::Alias(ty)) = revision.definitions.get(name).map(|definition| &definition.shape) else {
            continue;
        };
        for target in ty.names() {
            if target == start {
                return true;
            }
            if !seen.contains(&target) {
                seen.push(target);
                next.push(target);
            }
        }
    }
    false
}
