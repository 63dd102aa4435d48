//! Puts docs.toml's lines on types, members and methods.

use crate::decisions::Decisions;
use crate::error::{Error, Result};
use crate::model::Revision;

/// After this pass every type and every method has a line of documentation. Prose that the schema
/// itself brought comes first.
///
/// # Errors
/// For our own revisions, a type or method without a line.
pub(super) fn run(mut revision: Revision, decisions: &Decisions) -> Result<Revision> {
    let docs = &decisions.docs;
    let mut errors = Vec::new();
    for (name, definition) in &mut revision.definitions {
        match docs.types.get(name) {
            Some(line) => {
                decisions.mark("docs.toml", format!("types.{name}"));
                if definition.docs.is_empty() {
                    definition.docs.clone_from(line);
                }
            }
            None if decisions.strict && definition.docs.is_empty() => {
                errors.push(Error::new(
                    &revision.version,
                    &definition.pointer,
                    format!("no line on the type `{name}`"),
                    format!("add to docs.toml: [types] {name} = \"…\""),
                ));
            }
            None => {}
        }
        let crate::model::Shape::Struct(shape) = &mut definition.shape else { continue };
        for field in &mut shape.fields {
            let own = format!("{name}.{}", field.wire_name);
            let shared = format!("*.{}", field.wire_name);
            for key in [own, shared] {
                let Some(line) = docs.fields.get(&key) else { continue };
                decisions.mark("docs.toml", format!("fields.{key}"));
                if field.docs.is_empty() {
                    field.docs.clone_from(line);
                }
                break;
            }
        }
    }
    for method in &mut revision.methods {
        match docs.methods.get(&method.name) {
            Some(line) => {
                decisions.mark("docs.toml", format!("methods.{}", method.name));
                method.docs.clone_from(line);
            }
            None if decisions.strict => {
                let pointer = format!("#/{}/{}", revision.keyword, method.definition);
                errors.push(Error::new(
                    &revision.version,
                    pointer,
                    format!("no line on the method `{}`", method.name),
                    format!("add to docs.toml: [methods] \"{}\" = \"…\"", method.name),
                ));
            }
            None => {}
        }
    }
    Error::all(errors)?;
    Ok(revision)
}
