//! How much a change matters to an implementation of the old revision.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

/// How much a change matters to an implementation of OLD that meets a peer of NEW.
///
/// It keeps to what OLD says: it reads nothing that OLD refuses, and writes whatever OLD allows. The
/// variants are in order of weight. Where a change fits several, the last one counts: what OLD can't
/// read comes only from peers that make use of the change, but what OLD writes is refused by all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// There is more, and who doesn't know it loses nothing: a new method, type or optional member.
    /// A name that changes off the wire counts here, too.
    Additive,
    /// A rule is wider or gone, but values are of the same form: bounds, other members, an optional
    /// member or a type that is named no more, a capability that need not be declared.
    Loosening,
    /// A rule is narrower, but values are of the same form: bounds, other members, a capability that
    /// has to be declared.
    Tightening,
    /// NEW may write what OLD can't read: without a member that had to be there, with a value, an
    /// arm or a type that OLD doesn't have.
    BreakingOnDecode,
    /// NEW refuses what OLD may write: without a member that has to be there, with a value, an arm,
    /// a type or a method that NEW doesn't have.
    BreakingOnEncode,
}

/// Everything that a change is.
pub(super) type Classes = BTreeSet<Class>;

impl Class {
    /// All of them, the heaviest first.
    pub const ALL: [Self; 5] =
        [Self::BreakingOnEncode, Self::BreakingOnDecode, Self::Tightening, Self::Loosening, Self::Additive];
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Additive => "additive",
            Self::Loosening => "loosening",
            Self::Tightening => "tightening",
            Self::BreakingOnDecode => "breaking on decode",
            Self::BreakingOnEncode => "breaking on encode",
        })
    }
}

/// The one class of a change that is all of these.
pub(super) fn heaviest(classes: &Classes) -> Option<Class> {
    classes.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heaviest_counts() {
        let mut all = Classes::new();
        for class in Class::ALL.into_iter().rev() {
            all.insert(class);
            assert_eq!(heaviest(&all), Some(class));
        }
        assert_eq!(heaviest(&Classes::new()), None);
    }
}
