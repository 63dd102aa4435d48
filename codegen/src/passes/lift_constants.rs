//! Gives a type to each fixed value that isn't simply there: one that may be absent, or stands in a list.

use std::collections::BTreeMap;

use crate::decisions::Decisions;
use crate::error::Result;
use crate::model::{Inline, Literal, Presence, Revision, Shape, Type};

/// After this pass a literal type is only found in required members, where it needs no place in Rust.
///
/// # Errors
/// None today.
pub(super) fn run(mut revision: Revision, _: &Decisions) -> Result<Revision> {
    fn lift(pointer: &str, ty: &mut Type, simply_there: bool) {
        if let Type::Literal(literal) = ty
            && !simply_there
        {
            *ty =
                Type::Inline(Box::new(Inline { pointer: pointer.to_owned(), shape: Shape::Constant(literal.clone()) }));
        } else if let Type::Inline(inline) = ty {
            let pointer = inline.pointer.clone();
            within(&pointer, &mut inline.shape);
        } else {
            ty.children_mut(&mut |child| lift(pointer, child, false));
        }
    }
    fn within(pointer: &str, shape: &mut Shape) {
        match shape {
            Shape::Struct(shape) => {
                for field in &mut shape.fields {
                    lift(pointer, &mut field.ty, field.presence == Presence::Required);
                }
                if let Some(rest) = &mut shape.rest {
                    lift(pointer, rest, false);
                }
            }
            shape => shape.types_mut(&mut |ty| lift(pointer, ty, false)),
        }
    }
    for definition in revision.definitions.values_mut() {
        let pointer = definition.pointer.clone();
        match &definition.shape {
            Shape::Alias(Type::Literal(literal)) => definition.shape = Shape::Constant(literal.clone()),
            _ => within(&pointer, &mut definition.shape),
        }
    }
    // A required member that only refers to a constant is simply there, too.
    let constants: BTreeMap<String, Literal> = revision
        .definitions
        .iter()
        .filter_map(|(name, definition)| match &definition.shape {
            Shape::Constant(literal) => Some((name.clone(), literal.clone())),
            _ => None,
        })
        .collect();
    for definition in revision.definitions.values_mut() {
        let Shape::Struct(shape) = &mut definition.shape else { continue };
        for field in shape.fields.iter_mut().filter(|field| field.presence == Presence::Required) {
            if let Type::Named(name) = &field.ty
                && let Some(literal) = constants.get(name)
            {
                field.ty = Type::Literal(literal.clone());
            }
        }
    }
    Ok(revision)
}
