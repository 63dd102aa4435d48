//! Gives `resultType` its literals, and each result the one that it has.

use crate::decisions::Decisions;
use crate::error::Result;
use crate::model::{Definition, EnumValue, Revision, Shape, Type};

/// The name of the type of that member.
const NAME: &str = "ResultType";

/// After this pass each member `resultType` is of the open enumeration `ResultType` and is preset.
///
/// # Errors
/// None today.
pub(super) fn run(mut revision: Revision, decisions: &Decisions) -> Result<Revision> {
    let literals = &decisions.unions.result_type;
    let Some(usual) = literals.first().filter(|_| matches!(revision.resolve(NAME), Some(Shape::Alias(Type::String))))
    else {
        return Ok(revision);
    };
    for (name, definition) in &mut revision.definitions {
        let Shape::Struct(shape) = &mut definition.shape else { continue };
        for field in shape.fields.iter_mut().filter(|field| field.wire_name == "resultType") {
            let own = literals.iter().find(|literal| literal.types.contains(name)).unwrap_or(usual);
            field.ty = Type::Named(NAME.to_owned());
            field.preset = Some(own.literal.clone());
        }
    }
    let values =
        literals.iter().map(|literal| EnumValue { wire: literal.literal.clone(), ident: String::new() }).collect();
    let pointer = format!("#/{}/{NAME}", revision.keyword);
    let definition = Definition { ident: String::new(), pointer, docs: String::new(), shape: Shape::Enum(values) };
    revision.definitions.insert(NAME.to_owned(), definition);
    Ok(revision)
}
