//! What may be sent: methods that the revision has in this direction, and that were declared.

use mcprism_types::{Capability, JsonObject, Kind, Method, MethodKind, ProtocolVersion, Reader, Sender, When};

use super::capability::declares;

/// Why a message may not be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// The revision has no such method in this direction.
    Method,
    /// A capability was not declared.
    Capability {
        /// Who would have had to declare it.
        declared_by: Sender,
        /// The way to it.
        path: &'static str,
        /// Whether it is only needed because of what stands in the params.
        conditional: bool,
    },
}

/// What both sides have declared. `None` is for a side of which nothing is known, which may have anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Declared<'a> {
    /// `ClientCapabilities`.
    pub client: Option<&'a JsonObject>,
    /// `ServerCapabilities`.
    pub server: Option<&'a JsonObject>,
}

/// The method of a message that `sender` may send in this revision.
///
/// # Errors
/// Why it may not be sent; of several reasons, the first.
pub fn open(
    version: ProtocolVersion,
    sender: Sender,
    kinds: &[MethodKind],
    method: &str,
    params: Option<&str>,
    declared: Declared<'_>,
) -> Result<&'static Method, Closed> {
    let method = version
        .method(method)
        .filter(|method| kinds.contains(&method.kind) && method.sender.includes(sender))
        .ok_or(Closed::Method)?;
    let mine = method.capabilities.iter().filter(|need| need.sender.includes(sender));
    match mine.into_iter().find(|need| needed(need, params) && !has(need, declared)) {
        Some(need) => {
            Err(Closed::Capability { declared_by: need.declared_by, path: need.path, conditional: need.when.is_some() })
        }
        None => Ok(method),
    }
}

fn has(need: &Capability, declared: Declared<'_>) -> bool {
    let by = match need.declared_by {
        Sender::Client => declared.client,
        Sender::Server | Sender::Both => declared.server,
    };
    by.is_none_or(|capabilities| declares(capabilities, need.path))
}

fn needed(need: &Capability, params: Option<&str>) -> bool {
    need.when.is_none_or(|when| holds(when, params.unwrap_or("{}")))
}

fn holds(when: When, params: &str) -> bool {
    let Ok(member) = Reader::new(params).member(when.member) else { return false };
    match (member, when.equals) {
        (None, _) => when.absent,
        (Some(mut value), expected) => match (value.kind(), expected) {
            (Ok(Kind::Null), _) => when.absent,
            (Ok(_), None) => true,
            (Ok(_), Some(expected)) => value.string().is_ok_and(|text| text == expected),
            (Err(_), _) => false,
        },
    }
}
