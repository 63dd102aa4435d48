//! Takes the JSON-RPC envelope off: the runtime has it once, for every revision.

use crate::decisions::Decisions;
use crate::error::Result;
use crate::model::{Envelope, Form, Revision, Shape, Struct, Type};

/// After this pass no definition has a `jsonrpc` member, the types that are only an envelope are
/// gone, and `envelopes` says what was taken off.
///
/// # Errors
/// None today.
pub(super) fn run(mut revision: Revision, _: &Decisions) -> Result<Revision> {
    let names: Vec<String> = revision.definitions.keys().cloned().collect();
    for name in names {
        match name.as_str() {
            // An open `Result` is among the arms, so that any result fits these.
            "ClientResult" | "ServerResult" => {
                revision.definitions.remove(&name);
                revision.envelopes.insert(name, Envelope { form: Form::Result, body: None });
                continue;
            }
            "JSONRPCBatchRequest" | "JSONRPCBatchResponse" | "JSONRPCMessage" => {
                revision.batches |= name != "JSONRPCMessage";
                revision.definitions.remove(&name);
                revision.envelopes.insert(name, Envelope { form: Form::Message, body: None });
                continue;
            }
            _ => {}
        }
        let Some(shape) = revision.structure(&name).filter(|shape| shape.literal("jsonrpc").is_some()).cloned() else {
            let messages = name.starts_with("JSONRPC") || name.ends_with("ResultResponse");
            if messages && matches!(revision.definitions[&name].shape, Shape::Union(_)) {
                revision.definitions.remove(&name);
                revision.envelopes.insert(name, Envelope { form: Form::Message, body: None });
            }
            continue;
        };
        let form = if shape.field("error").is_some() {
            Form::Error
        } else if shape.field("result").is_some() {
            Form::Result
        } else if shape.field("id").is_some() {
            Form::Request
        } else {
            Form::Notification
        };
        revision.errors_without_id |=
            form == Form::Error && shape.field("id").is_some_and(|id| id.presence == crate::model::Presence::Optional);
        let body = strip(&mut revision, &name, form, shape);
        revision.envelopes.insert(name, Envelope { form, body });
    }
    // What a union of requests has inside, it has around it too.
    let unions: Vec<_> = revision
        .definitions
        .iter()
        .filter_map(|(name, definition)| {
            let Shape::Union(union) = &definition.shape else { return None };
            let mut forms = union.arms.iter().map(|arm| match &arm.ty {
                Type::Named(arm) => revision.envelopes.get(arm).map(|envelope| envelope.form),
                _ => None,
            });
            let first = forms.next()??;
            forms.all(|form| form == Some(first)).then(|| (name.clone(), first))
        })
        .collect();
    for (name, form) in unions {
        revision.envelopes.insert(name.clone(), Envelope { form, body: Some(name) });
    }
    Ok(revision)
}

/// Takes the envelope off one definition; returns the name of what remains.
fn strip(revision: &mut Revision, name: &str, form: Form, mut shape: Struct) -> Option<String> {
    match form {
        Form::Request | Form::Notification => {
            if let Some(plain) = name.strip_prefix("JSONRPC").filter(|plain| revision.definitions.contains_key(*plain))
            {
                let plain = plain.to_owned();
                revision.definitions.remove(name);
                return Some(plain);
            }
            shape.fields.retain(|field| field.wire_name != "jsonrpc" && field.wire_name != "id");
            set(revision, name, Shape::Struct(shape));
            Some(name.to_owned())
        }
        Form::Error => {
            let error = shape.fields.into_iter().find(|field| field.wire_name == "error").map(|field| field.ty);
            match error {
                // A definition with an error of its own shape keeps it, without the envelope.
                Some(Type::Inline(inline)) if !name.starts_with("JSONRPC") => {
                    set(revision, name, inline.shape);
                    Some(name.to_owned())
                }
                Some(Type::Named(body)) => {
                    revision.definitions.remove(name);
                    Some(body)
                }
                _ => {
                    revision.definitions.remove(name);
                    None
                }
            }
        }
        Form::Result => {
            revision.definitions.remove(name);
            let result =
                shape.field("result").map(|field| field.ty.names().into_iter().map(str::to_owned).collect::<Vec<_>>());
            match result?.as_slice() {
                [only] => Some(only.clone()),
                // Several: the outcome of the method, which `outcomes` names.
                _ => name.strip_suffix("ResultResponse").map(|stem| format!("{stem}Outcome")),
            }
        }
        Form::Message => None,
    }
}

fn set(revision: &mut Revision, name: &str, shape: Shape) {
    if let Some(definition) = revision.definitions.get_mut(name) {
        definition.shape = shape;
    }
}
