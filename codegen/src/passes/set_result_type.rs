//! Gives `resultType` its literals, and each result the one that it has.

use crate::decisions::Decisions;
use crate::error::{Error, Result};
use crate::model::{Definition, EnumValue, Revision, Shape, Type};

/// The name of the type of that member.
const NAME: &str = "ResultType";

/// After this pass each member `resultType` is of the open enumeration `ResultType` and is preset.
///
/// # Errors
/// For our own revisions, a literal that unions.toml doesn't know.
pub(super) fn run(mut revision: Revision, decisions: &Decisions) -> Result<Revision> {
    let literals = &decisions.unions.result_type;
    // Upstream has had it as any string, and as an enumeration.
    let known: Option<Vec<String>> = match revision.resolve(NAME) {
        Some(Shape::Alias(Type::String)) => Some(literals.iter().map(|literal| literal.literal.clone()).collect()),
        Some(Shape::Enum(values)) => Some(values.iter().map(|value| value.wire.clone()).collect()),
        _ => None,
    };
    let (Some(usual), Some(known)) = (literals.first(), known) else { return Ok(revision) };
    let undecided = known.iter().find(|value| !literals.iter().any(|literal| literal.literal == **value));
    if let Some(undecided) = undecided.filter(|_| decisions.strict) {
        let pointer = format!("#/{}/{NAME}", revision.keyword);
        let message = format!("nothing says which results have the type `{undecided}`");
        let advice = format!("add to unions.toml:\n\n[[result_type]]\nliteral = \"{undecided}\"\ntypes = [\"…\"]\n");
        return Err(Error::new(&revision.version, pointer, message, advice));
    }
    for (name, definition) in &mut revision.definitions {
        let Shape::Struct(shape) = &mut definition.shape else { continue };
        for field in shape.fields.iter_mut().filter(|field| field.wire_name == "resultType") {
            let own = literals.iter().find(|literal| literal.types.contains(name)).unwrap_or(usual);
            field.ty = Type::Named(NAME.to_owned());
            field.preset = Some(own.literal.clone());
        }
    }
    let values = known.into_iter().map(|wire| EnumValue { wire, ident: String::new() }).collect();
    let pointer = format!("#/{}/{NAME}", revision.keyword);
    let definition = Definition { ident: String::new(), pointer, docs: String::new(), shape: Shape::Enum(values) };
    revision.definitions.insert(NAME.to_owned(), definition);
    Ok(revision)
}
