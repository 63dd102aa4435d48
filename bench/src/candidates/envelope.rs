//! The least that can be done: the envelope by serde's derive, the rest as borrowed text.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Candidate, Failure, checked};
use crate::messages::{Kind, Message};

#[derive(Deserialize, Serialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<i64>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    params: Option<&'a RawValue>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    result: Option<&'a RawValue>,
}

/// The body isn't read, so only the kind of the message can be wrong.
pub fn candidate(message: &Message) -> Result<Candidate, Failure> {
    let (kind, type_name) = (message.kind, message.type_name);
    checked(
        message,
        |text| Ok(serde_json::from_str::<Envelope<'static>>(text)?),
        move |envelope| match (kind, envelope.id, &envelope.method, envelope.result) {
            (Kind::Request, Some(_), Some(_), None) => type_name,
            (Kind::Notification, None, Some(_), None) => type_name,
            (Kind::Result(_), Some(_), None, Some(_)) => type_name,
            _ => "a message of another kind",
        },
        |envelope, out| serde_json::to_writer(out, envelope),
    )
}
