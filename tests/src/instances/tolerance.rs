//! Tells which of the faults the project accepts on purpose.
//!
//! Two of the documented tolerances need no entry here, because the judge shares them: an integer
//! may be written as an integral float, and `format` is an annotation. Such values are instances.

use super::fault::{Fault, Kind};
use super::rules::Rules;

/// Why a fault is accepted although the schema refuses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tolerance {
    /// A newer peer may know more values of an enum.
    UnknownEnumString,
    /// A newer peer may know more arms of a union.
    UnknownTag,
    /// `null` for an optional member reads as absent.
    NullForOptional,
    /// A tool result of the legacy era without `content` reads as one with none.
    AbsentContent,
    /// Of lazy JSON only the outer kind is checked.
    InsideLazyJson,
}

/// The tolerance that covers a fault, if one does: the project accepts it then, and refuses it
/// otherwise.
pub fn tolerated(rules: &Rules, fault: &Fault) -> Option<Tolerance> {
    if fault.lazy {
        return Some(Tolerance::InsideLazyJson);
    }
    match fault.kind {
        Kind::Plain => None,
        // Results got `resultType` with the modern era, which is strict about `content`.
        Kind::ContentDropped => (!rules.requires("CallToolResult", "resultType")).then_some(Tolerance::AbsentContent),
        Kind::NullForOptional => Some(Tolerance::NullForOptional),
        Kind::UnknownEnumString => Some(Tolerance::UnknownEnumString),
        Kind::UnknownTag => Some(Tolerance::UnknownTag),
    }
}

/// How much of a place is held as lazy JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Laziness {
    /// Nothing.
    Typed,
    /// What is inside; the kind of the place itself is checked.
    Inside,
    /// The place itself as well: any JSON will do.
    Whole,
}

/// How much of a definition is held as lazy JSON.
pub(super) fn of_definition(name: &str) -> Laziness {
    match name {
        "JSONValue" => Laziness::Whole,
        "JSONObject" | "JSONArray" | "MetaObject" => Laziness::Inside,
        // These unions are not types: a result is read as what was asked for.
        "ClientResult" | "ServerResult" | "InputResponse" => Laziness::Inside,
        _ => Laziness::Typed,
    }
}

/// How much of a member is held as lazy JSON, whatever its own schema says.
pub(super) fn of_member(definition: Option<&str>, member: &str) -> Laziness {
    match (definition, member) {
        (Some("Tool"), "inputSchema" | "outputSchema") => Laziness::Inside,
        _ => Laziness::Typed,
    }
}
