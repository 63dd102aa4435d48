//! `serde_json::Value`: what everything else is compared with.

use serde_json::Value;

use super::{Candidate, Failure, checked};
use crate::messages::Message;

/// A `Value` is of no type, so there is none to be wrong.
pub fn candidate(message: &Message) -> Result<Candidate, Failure> {
    let type_name = message.type_name;
    checked(
        message,
        |text| Ok(serde_json::from_str::<Value>(text)?),
        move |_| type_name,
        |value, out| serde_json::to_writer(out, value),
    )
}
