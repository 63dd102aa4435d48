//! Gives each method's `params` a name of its own, so that revisions line up.

use crate::decisions::Decisions;
use crate::error::{Error, Result};
use crate::model::{Definition, Field, Presence, Revision, Shape, Type};

/// After this pass every request and notification of a method `X` has params called `XParams`, and
/// `methods` says so.
///
/// # Errors
/// If that name is taken by something else.
pub(super) fn run(mut revision: Revision, decisions: &Decisions) -> Result<Revision> {
    let mut errors = Vec::new();
    for mut method in std::mem::take(&mut revision.methods) {
        let mut name = format!("{}Params", method.definition);
        let Some(Shape::Struct(shape)) =
            revision.definitions.get(&method.definition).map(|definition| &definition.shape)
        else {
            continue;
        };
        let mut shape = shape.clone();
        let taken = revision.definitions.contains_key(&name);
        if shape.rest.is_some() && shape.field("params").is_none() {
            // JSON-RPC has a place for params, whether or not the schema says what they are.
            let (ty, presence) = (Type::Object, Presence::Optional);
            let wire_name = "params".to_owned();
            shape.fields.push(Field {
                wire_name,
                ident: String::new(),
                docs: String::new(),
                ty,
                presence,
                preset: None,
            });
            shape.fields.sort_by(|a, b| a.wire_name.cmp(&b.wire_name));
        }
        if let Some(params) = shape.fields.iter_mut().find(|field| field.wire_name == "params") {
            method.params_required = params.presence == Presence::Required;
            let pointer = format!("{}/properties/params", revision.definitions[&method.definition].pointer);
            let own = match std::mem::replace(&mut params.ty, Type::Named(name.clone())) {
                Type::Named(already) if already == name => None,
                // In a schema that isn't ours, params with a taken name keep the one they have.
                Type::Named(shared) if taken && !decisions.strict => {
                    name.clone_from(&shared);
                    params.ty = Type::Named(shared);
                    None
                }
                Type::Inline(inline) => Some(inline.shape),
                shared => Some(Shape::Alias(shared)),
            };
            match own {
                Some(_) if taken => errors.push(Error::new(
                    &revision.version,
                    pointer,
                    format!("the params need the name `{name}`, which is taken"),
                    "rename the definition with an erratum",
                )),
                Some(shape) => {
                    let definition = Definition { ident: String::new(), pointer, docs: String::new(), shape };
                    revision.definitions.insert(name.clone(), definition);
                }
                None => {}
            }
            method.params = Type::Named(name);
        }
        if let Some(definition) = revision.definitions.get_mut(&method.definition) {
            definition.shape = Shape::Struct(shape);
        }
        revision.methods.push(method);
    }
    Error::all(errors)?;
    Ok(revision)
}
