//! Puts a change into words.

use super::document::{Presence, What};
use super::form::value;
use crate::model::{Capability, Era, MethodKind, Sender};

impl What {
    /// What it is, in a line without a full stop. `code` marks names and types, as the format does it.
    pub fn describe(&self, code: &dyn Fn(&str) -> String) -> String {
        let change = |what: &str, old: &str, new: &str| format!("{what}: {} → {}", code(old), code(new));
        match self {
            Self::Era { old, new } => format!("era: {} → {}", era(*old), era(*new)),
            Self::Batches { allowed: true } => "messages may come in batches".to_owned(),
            Self::Batches { allowed: false } => "messages don't come in batches any more".to_owned(),
            Self::ErrorsWithoutId { allowed: true } => "an error may lack an id".to_owned(),
            Self::ErrorsWithoutId { allowed: false } => "an error has to have an id".to_owned(),
            Self::MethodAdded { travels } => format!("new {}", kind(*travels)),
            Self::MethodRemoved { travels } => format!("{}, gone", kind(*travels)),
            Self::Sender { old, new } => format!("sent by {} → by {}", sender(*old), sender(*new)),
            Self::Travels { old, new } => format!("{} → {}", kind(*old), kind(*new)),
            Self::ParamsPresence { required } => format!("{} {}", code("params"), must(*required)),
            Self::Params { old, new } => change("type of its params", old, new),
            Self::Result { old, new } => change("result", old, new),
            Self::AlternativeAdded { ty } => format!("{} may come in place of the result", code(ty)),
            Self::AlternativeRemoved { ty } => format!("{} no longer comes in place of the result", code(ty)),
            Self::CapabilityAdded { capability } => format!("needs the capability {}", needs(capability, code)),
            Self::CapabilityRemoved { capability } => {
                format!("no longer needs the capability {}", needs(capability, code))
            }
            Self::TypeAdded { ty } => format!("new type: {}", code(ty)),
            Self::TypeRemoved { ty } => format!("gone: {}", code(ty)),
            Self::TypeRenamed { old } => format!("was called {}", code(old)),
            Self::Type { old, new } => change("type", old, new),
            Self::MemberAdded { member, ty, required } => {
                format!("new {} member {}: {}", presence(*required), code(member), code(ty))
            }
            Self::MemberRemoved { member, ty, required } => {
                format!("{} member {} is gone: {}", presence(*required), code(member), code(ty))
            }
            Self::MemberType { member, old, new } => change(&format!("type of {}", code(member)), old, new),
            Self::MemberPresence { member, old, new } => format!("{} {}", code(member), change_of(*old, *new)),
            Self::ValueAdded { value: literal } => format!("new value {}", code(&value(literal))),
            Self::ValueRemoved { value: literal } => format!("value {} is gone", code(&value(literal))),
            Self::ArmAdded { ty } => format!("may be {}, too", code(ty)),
            Self::ArmRemoved { ty } => format!("may not be {} any more", code(ty)),
            Self::ArmType { old, new } => change("arm", old, new),
            Self::Closed => "other members are refused".to_owned(),
            Self::Opened => "other members are let in".to_owned(),
            Self::OtherMembers { old, new } => change("type of other members", old, new),
        }
    }
}

fn change_of(old: Presence, new: Presence) -> String {
    let mut parts = Vec::new();
    if old.required != new.required {
        parts.push(must(new.required));
    }
    if old.nullable != new.nullable {
        parts.push(if new.nullable { "may be null" } else { "may not be null" });
    }
    parts.join(", and ")
}

fn must(required: bool) -> &'static str {
    if required { "has to be there" } else { "may be absent" }
}

fn presence(required: bool) -> &'static str {
    if required { "required" } else { "optional" }
}

fn era(era: Era) -> &'static str {
    match era {
        Era::Legacy => "legacy",
        Era::Modern => "modern",
    }
}

fn kind(kind: MethodKind) -> &'static str {
    match kind {
        MethodKind::Request => "request",
        MethodKind::Notification => "notification",
        MethodKind::InputRequest => "input request",
    }
}

/// Who sends something, as it is put after a preposition.
pub fn sender(sender: Sender) -> &'static str {
    match sender {
        Sender::Client => "the client",
        Sender::Server => "the server",
        Sender::Both => "both sides",
    }
}

fn needs(capability: &Capability, code: &dyn Fn(&str) -> String) -> String {
    let mut text = format!("{} of {}", code(&capability.path), sender(capability.declared_by));
    if let Some(when) = &capability.when {
        let member = code(&when.member);
        match &when.equals {
            Some(equals) => text.push_str(&format!(", if {member} is {}", code(equals))),
            None => text.push_str(&format!(", if it has {member}")),
        }
        if when.absent {
            text.push_str(" or is absent");
        }
    }
    text
}
