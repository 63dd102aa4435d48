//! What can't be written, what is lost, and where.

use super::Loss;
use super::convert::Conversion;
use super::place::Moves;
use crate::error::{DecodeError, escaped};
use crate::json::Json;

/// What was written, and what became of the rest.
pub(super) struct Step {
    pub(super) text: String,
    pub(super) losses: Vec<Loss>,
    pub(super) moves: Moves,
}

/// Why a value can't be written in the target.
pub(super) struct Fault {
    pub(super) pointer: String,
    pub(super) why: String,
    pub(super) kind: FaultKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FaultKind {
    /// It doesn't fit: whatever may be absent is left out.
    Misfit,
    /// The target has no such kind: it leaves its list.
    Gone,
    /// A rule says that this can't be said at all.
    Refused,
}

/// Whether something was written.
pub(super) type Written = Result<(), Fault>;

impl Conversion<'_> {
    /// Where writing stands.
    pub(super) fn mark(&self, out: &str) -> Mark {
        Mark {
            length: out.len(),
            losses: self.losses.len(),
            place: self.place.len(),
            standing_in: self.standing_in,
            removed: self.moves.removed.len(),
            unwrapped: self.moves.unwrapped.len(),
        }
    }

    /// Goes back to where writing stood: what was written since, and lost, is no longer.
    pub(super) fn back(&mut self, mark: &Mark, out: &mut String) {
        out.truncate(mark.length);
        self.losses.truncate(mark.losses);
        self.place.truncate(mark.place);
        self.standing_in = mark.standing_in;
        self.moves.removed.truncate(mark.removed);
        self.moves.unwrapped.truncate(mark.unwrapped);
    }

    pub(super) fn lose(&mut self, text: &str, why: String) {
        let what = Json::parse(text).unwrap_or_else(|_| Json::null());
        self.losses.push(Loss { pointer: self.place.clone(), what, why });
    }

    /// Goes on to a member or an item; truncate the place to what this gives to come back. After a fault
    /// that is caught, whoever catches it does.
    pub(super) fn enter(&mut self, step: &str) -> usize {
        let outer = self.place.len();
        self.place.push('/');
        self.place.push_str(&escaped(step));
        outer
    }

    pub(super) fn misfit(&self, why: String) -> Fault {
        Fault { pointer: self.place.clone(), why, kind: FaultKind::Misfit }
    }

    pub(super) fn misfit_of(&self, error: &DecodeError) -> Fault {
        Fault { pointer: self.place.clone() + &error.pointer(), why: error.message().to_owned(), kind: FaultKind::Misfit }
    }

    pub(super) fn gone(&self, label: &str) -> Fault {
        Fault { kind: FaultKind::Gone, ..self.misfit(format!("{} has no such `{label}` here", self.way.to)) }
    }

    pub(super) fn refused(&self, why: String) -> Fault {
        Fault { kind: FaultKind::Refused, ..self.misfit(why) }
    }
}

/// Where writing stood.
pub(super) struct Mark {
    pub(super) length: usize,
    losses: usize,
    place: usize,
    standing_in: bool,
    removed: usize,
    unwrapped: usize,
}
