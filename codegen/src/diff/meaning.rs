//! Says what a change means for a server and for a client that are still at the old revision.

use super::class::{Class, Classes, heaviest};
use super::compare::Found;
use super::document::{Change, What};
use super::reach::Sides;
use crate::model::{Era, MethodKind, Sender};

use Class::{Additive, BreakingOnDecode, BreakingOnEncode, Loosening, Tightening};

/// A change with its class and its meaning; nothing if nothing changed.
pub(super) fn change(found: Found, senders: Sides) -> Option<Change> {
    let class = heaviest(&found.classes)?;
    let for_side = |side: Sender| {
        let sentence = sentence(&found, class, side, senders).unwrap_or_default();
        let (side, peer) = match side {
            Sender::Client => ("client", "server"),
            _ => ("server", "client"),
        };
        sentence.replace("{side}", side).replace("{peer}", peer)
    };
    let (server, client) = (for_side(Sender::Server), for_side(Sender::Client));
    Some(Change { what: found.what, class, server, client })
}

/// What it means for one side; nothing if it doesn't concern that side.
fn sentence(found: &Found, class: Class, side: Sender, senders: Sides) -> Option<&'static str> {
    let is_client = side == Sender::Client;
    let (sends, receives) = match is_client {
        true => (senders.client, senders.server),
        false => (senders.server, senders.client),
    };
    match &found.what {
        What::Era { new, .. } => Some(era(*new, is_client)),
        What::Sender { old, new } => {
            let has = |sender: &Sender, side: Sender| *sender == side || *sender == Sender::Both;
            let peer = if is_client { Sender::Server } else { Sender::Client };
            turns((has(old, side), has(new, side)), (has(old, peer), has(new, peer)))
        }
        What::CapabilityAdded { capability } if capability.declared_by == side && !sends => {
            Some("A {side} that wants to get it has to declare this.")
        }
        What::CapabilityRemoved { capability } if capability.declared_by == side && !sends => {
            Some("A {side} need not declare this to get it.")
        }
        What::CapabilityAdded { capability } if sends => Some(match capability.declared_by == side {
            true => "A {side} that sends it has to declare this first.",
            false => "A {side} may send it only if the {peer} has declared this.",
        }),
        What::CapabilityRemoved { .. } if sends => Some("A {side} may send it without this."),
        What::CapabilityAdded { .. } | What::CapabilityRemoved { .. } => None,
        what => {
            let (sending, receiving) = both(what, &found.classes)?;
            match (sends, receives) {
                (true, true) => Some(if is_read(class) { receiving } else { sending }),
                (true, false) => Some(sending),
                (false, true) => Some(receiving),
                (false, false) => None,
            }
        }
    }
}

/// Whether a change is felt in reading rather than in writing.
fn is_read(class: Class) -> bool {
    matches!(class, BreakingOnDecode | Loosening)
}

/// What it means for who sends it, and for who receives it.
fn both(what: &What, classes: &Classes) -> Option<(&'static str, &'static str)> {
    Some(match what {
        What::Batches { allowed: true } => {
            ("A {side} may send several messages at once.", "A {side} has to read several messages at once.")
        }
        What::Batches { allowed: false } => {
            ("A {side} that sends several messages at once is refused.", "A {side} gets one message at a time.")
        }
        What::ErrorsWithoutId { allowed: true } => (
            "A {side} may answer with an error even where it could not read the id.",
            "A {side} has to read an error without an id.",
        ),
        What::ErrorsWithoutId { allowed: false } => {
            ("A {side} that sends an error without an id is refused.", "A {side} may count on the id of an error.")
        }
        What::MethodAdded { travels } => come(*travels),
        What::MethodRemoved { travels } => gone(*travels),
        What::Travels { new, .. } => moved(*new),
        What::ParamsPresence { required } => presence(*required),
        What::MemberAdded { required: true, .. } => presence(true),
        What::MemberAdded { .. } if classes.contains(&BreakingOnDecode) => {
            ("A {side} may send it.", "A {side} that lets in no other members refuses the message.")
        }
        What::MemberAdded { .. } => ("A {side} may send it.", "A {side} that doesn't know it passes over it."),
        What::MemberRemoved { .. } if classes.contains(&BreakingOnEncode) => {
            ("A {side} that still sends it is refused.", "A {side} no longer gets it.")
        }
        What::MemberRemoved { required: true, .. } => {
            ("A {side} need not send it any more.", "A {side} that insists on it refuses what newer {peer}s send.")
        }
        What::MemberRemoved { .. } => ("A {side} that still sends it is not heeded.", "A {side} no longer gets it."),
        What::MemberPresence { old, new, .. } if old.required != new.required => presence(new.required),
        What::MemberPresence { new, .. } if new.nullable => {
            ("A {side} may send null.", "A {side} has to read null, too.")
        }
        What::MemberPresence { .. } => ("A {side} that sends null is refused.", "A {side} gets no null."),
        What::ValueAdded { .. } | What::ArmAdded { .. } | What::AlternativeAdded { .. } => {
            ("A {side} may send it.", "A {side} that only reads the old ones fails on it.")
        }
        What::ValueRemoved { .. } | What::ArmRemoved { .. } | What::AlternativeRemoved { .. } => {
            ("A {side} that still sends it is refused.", "A {side} no longer gets it.")
        }
        What::Closed => ("A {side} that adds members of its own is refused.", "A {side} may refuse other members."),
        What::Opened => {
            ("A {side} may add members of its own.", "A {side} that lets in no other members refuses valid messages.")
        }
        What::Params { .. }
        | What::Result { .. }
        | What::Type { .. }
        | What::MemberType { .. }
        | What::ArmType { .. }
        | What::OtherMembers { .. } => of_type(classes)?,
        _ => return None,
    })
}

fn era(new: Era, is_client: bool) -> &'static str {
    match (new, is_client) {
        (Era::Modern, false) => "A server that waits for `initialize` waits in vain: each request says all it needs.",
        (Era::Modern, true) => {
            "A client that begins with `initialize` is refused: each request has to say all it needs."
        }
        (Era::Legacy, false) => "A server has to answer `initialize` before anything else.",
        (Era::Legacy, true) => "A client has to begin with `initialize`.",
    }
}

/// What it means that this side, or its peer, begins or stops to send a method.
fn turns((sent, sends): (bool, bool), (got, gets): (bool, bool)) -> Option<&'static str> {
    match (sent, sends, got, gets) {
        (true, false, ..) => Some("A {side} that still sends it is refused."),
        (false, true, ..) => Some("A {side} may send it, too."),
        (_, _, true, false) => Some("A {side} no longer gets it."),
        (_, _, false, true) => Some("A {side} has to expect it, too."),
        _ => None,
    }
}

fn come(travels: MethodKind) -> (&'static str, &'static str) {
    let sending = "A {side} may send it to a {peer} that knows it.";
    match travels {
        MethodKind::Request => (sending, "A {side} that doesn't know it answers with an error."),
        MethodKind::Notification => (sending, "A {side} that doesn't know it passes over it."),
        MethodKind::InputRequest => {
            ("A {side} may ask it inside a result.", "A {side} may be asked it inside a result.")
        }
    }
}

fn gone(travels: MethodKind) -> (&'static str, &'static str) {
    match travels {
        MethodKind::Request => ("A {side} that still sends it gets an error.", "A {side} is no longer asked it."),
        MethodKind::Notification => ("A {side} that still sends it is not heard.", "A {side} no longer gets it."),
        MethodKind::InputRequest => {
            ("A {side} that still asks it gets no answer.", "A {side} is no longer asked it inside a result.")
        }
    }
}

fn moved(new: MethodKind) -> (&'static str, &'static str) {
    match new {
        MethodKind::Request => {
            ("A {side} has to send it as a request of its own.", "A {side} has to answer it as a request of its own.")
        }
        MethodKind::Notification => ("A {side} has to send it as a notification.", "A {side} must not answer it."),
        MethodKind::InputRequest => (
            "A {side} that sends it on its own is refused: it has to ask inside a result.",
            "A {side} has to look for it inside a result, and to answer when it asks again.",
        ),
    }
}

fn presence(is_required: bool) -> (&'static str, &'static str) {
    match is_required {
        true => ("A {side} that leaves it out is refused.", "A {side} gets it always."),
        false => ("A {side} may leave it out.", "A {side} that insists on it refuses messages without it."),
    }
}

fn of_type(classes: &Classes) -> Option<(&'static str, &'static str)> {
    let (decode, encode) = (classes.contains(&BreakingOnDecode), classes.contains(&BreakingOnEncode));
    Some(match (encode, decode, heaviest(classes)?) {
        (true, true, _) => {
            ("A {side} that sends the old type is refused.", "A {side} that reads the old type only fails on it.")
        }
        (true, false, _) => {
            ("A {side} that sends what only the old type allows is refused.", "A {side} can read all of the new type.")
        }
        (false, true, _) => (
            "A {side} may send what only the new type allows.",
            "A {side} that reads the old type only may fail on it.",
        ),
        (_, _, Tightening) => {
            ("A {side} that goes by the old rules only may be refused.", "A {side} may count on the new rules.")
        }
        (_, _, Loosening) => (
            "A {side} may send what the old rules refuse.",
            "A {side} that keeps to the old rules refuses valid messages.",
        ),
        (_, _, Additive | BreakingOnDecode | BreakingOnEncode) => {
            ("A {side} may send more in it.", "A {side} that doesn't know what is new in it passes over that.")
        }
    })
}
