//! Finds what is any JSON in disguise.

use crate::decisions::Decisions;
use crate::error::Result;
use crate::model::{Bounds, Lengths, Revision, Shape, Type};

/// After this pass a type that accepts any JSON by recursion is an alias of `Any`, and a map of any
/// JSON is `Object`.
///
/// # Errors
/// None today.
pub(super) fn run(mut revision: Revision, _: &Decisions) -> Result<Revision> {
    let names: Vec<String> = revision.definitions.keys().cloned().collect();
    for name in names {
        let any = match &revision.definitions[&name].shape {
            Shape::Alias(Type::Nullable(inner)) => match &**inner {
                Type::Inline(inline) => match &inline.shape {
                    Shape::Union(union) => accepts_all(&revision, &name, union.arms.iter().map(|arm| &arm.ty)),
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        };
        if any && let Some(definition) = revision.definitions.get_mut(&name) {
            definition.shape = Shape::Alias(Type::Any);
        }
    }
    let before = revision.clone();
    let aliases_any = |name: &str| matches!(before.resolve(name), Some(Shape::Alias(Type::Any)));
    revision.types_mut(&mut |ty| {
        if let Type::Map(values) = ty
            && (**values == Type::Any || matches!(&**values, Type::Named(name) if aliases_any(name)))
        {
            *ty = Type::Object;
        }
    });
    Ok(revision)
}

/// Whether these arms, with null, accept every value, given that `name` does.
fn accepts_all<'a>(revision: &Revision, name: &str, arms: impl Iterator<Item = &'a Type>) -> bool {
    let any = |ty: &Type| *ty == Type::Any || *ty == Type::Named(name.to_owned());
    let mut missing = vec!["array", "boolean", "number", "object", "string"];
    for arm in arms {
        let arm = match arm {
            Type::Named(other) => match revision.definitions.get(other).map(|definition| &definition.shape) {
                Some(Shape::Alias(ty)) => ty,
                _ => return false,
            },
            arm => arm,
        };
        let kind = match arm {
            Type::Array(items, lengths) if any(items) && *lengths == Lengths::default() => "array",
            Type::Boolean => "boolean",
            Type::Number(bounds) if *bounds == Bounds::default() => "number",
            Type::Map(values) if any(values) => "object",
            Type::Object => "object",
            Type::String => "string",
            _ => return false,
        };
        missing.retain(|other| *other != kind);
    }
    missing.is_empty()
}
