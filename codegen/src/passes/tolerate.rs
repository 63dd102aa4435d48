//! Lets a list that is required be absent where many peers leave it out.

use crate::decisions::Decisions;
use crate::error::{Error, Result};
use crate::model::{Presence, Revision, Shape, Type};

/// After this pass the lists that errata.toml tolerates to be absent read as empty.
///
/// # Errors
/// If such a member isn't a required list any more.
pub(super) fn run(mut revision: Revision, decisions: &Decisions) -> Result<Revision> {
    for tolerance in decisions.errata.tolerance.iter().filter(|_| decisions.strict) {
        let listed = |list: &[String]| list.contains(&revision.version);
        let (meant, excluded) = (listed(&tolerance.revisions), listed(&tolerance.not_in));
        let version = revision.version.clone();
        let field = tolerance.member.split_once('.').and_then(|(owner, member)| {
            let Shape::Struct(shape) = &mut revision.definitions.get_mut(owner)?.shape else { return None };
            shape.fields.iter_mut().find(|field| field.wire_name == member)
        });
        let field = field.filter(|field| field.presence == Presence::Required && matches!(field.ty, Type::Array(..)));
        let error = |message: &str, advice: String| {
            let message = format!("`{}` {message}", tolerance.member);
            Err(Error::new(&version, format!("errata.toml {}", tolerance.member), message, advice))
        };
        match (field, meant, excluded) {
            (Some(field), true, _) => {
                field.presence = Presence::RequiredOrEmpty;
                decisions.mark("errata.toml", format!("{version} {}", tolerance.member));
            }
            (None, true, _) => {
                return error(
                    "is no required list, but a tolerance says so",
                    "correct or remove the tolerance".to_owned(),
                );
            }
            (Some(_), false, false) => {
                return error(
                    "is a required list here, too",
                    format!("in errata.toml, add \"{version}\" to the tolerance's `revisions`, or to `not_in`"),
                );
            }
            _ => {}
        }
    }
    Ok(revision)
}
