//! Keeps what holds JSON of somebody else's making unread.

use crate::decisions::Decisions;
use crate::error::Result;
use crate::model::{Revision, Shape, Type};

/// After this pass the members that unions.toml calls opaque are `Object`.
///
/// # Errors
/// None today.
pub(super) fn run(mut revision: Revision, decisions: &Decisions) -> Result<Revision> {
    for opaque in &decisions.unions.opaque {
        let Some((owner, member)) = opaque.member.split_once('.') else { continue };
        if let Some(Shape::Struct(shape)) = revision.definitions.get_mut(owner).map(|definition| &mut definition.shape)
            && let Some(field) = shape.fields.iter_mut().find(|field| field.wire_name == member)
            && matches!(field.ty, Type::Inline(_) | Type::Object | Type::Map(_))
        {
            field.ty = Type::Object;
            decisions.mark("unions.toml", format!("opaque {}", opaque.member));
        }
    }
    Ok(revision)
}
