//! Lets a list that is required be absent where many peers leave it out.

use crate::decisions::Decisions;
use crate::error::{Error, Result};
use crate::model::{Presence, Revision, Shape, Type};

/// After this pass the lists that errata.toml tolerates to be absent read as empty.
///
/// # Errors
/// If such a member isn't a required list any more.
pub(super) fn run(mut revision: Revision, decisions: &Decisions) -> Result<Revision> {
    for tolerance in &decisions.errata.tolerance {
        if !decisions.strict || !tolerance.revisions.contains(&revision.version) {
            continue;
        }
        let field = tolerance.member.split_once('.').and_then(|(owner, member)| {
            let Shape::Struct(shape) = &mut revision.definitions.get_mut(owner)?.shape else { return None };
            shape.fields.iter_mut().find(|field| field.wire_name == member)
        });
        match field {
            Some(field) if field.presence == Presence::Required && matches!(field.ty, Type::Array(..)) => {
                field.presence = Presence::RequiredOrEmpty;
                decisions.mark("errata.toml", format!("{} {}", revision.version, tolerance.member));
            }
            _ => {
                let message = format!("`{}` is not a required list, but a tolerance says so", tolerance.member);
                return Err(Error::new(
                    &revision.version,
                    format!("errata.toml {}", tolerance.member),
                    message,
                    "correct or remove the tolerance",
                ));
            }
        }
    }
    Ok(revision)
}
