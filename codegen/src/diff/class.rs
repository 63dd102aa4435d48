//! The sorts of changes, whom each breaks, and what each means.

use std::fmt;

use serde::Serialize;

/// Whom a change breaks: seen by an implementation of the older revision that meets a peer of the newer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// What it writes is not accepted any more.
    BreakingOnEncode,
    /// What the peer writes can't be read any more.
    BreakingOnDecode,
    /// A few of the values that it may write are not accepted: a bound is narrower.
    Tightening,
    /// The peer may write a few values more, or leaves something out that nobody needs.
    Loosening,
    /// Something is new, and may be left out.
    Additive,
}

impl Class {
    /// All classes, the worst first.
    pub const ALL: [Self; 5] =
        [Self::BreakingOnEncode, Self::BreakingOnDecode, Self::Tightening, Self::Loosening, Self::Additive];
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BreakingOnEncode => "breaking on encode",
            Self::BreakingOnDecode => "breaking on decode",
            Self::Tightening => "tightening",
            Self::Loosening => "loosening",
            Self::Additive => "additive",
        })
    }
}

/// The sorts of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Something about the revision as a whole.
    Fact,
    /// A method is new.
    MethodAdded,
    /// A method is gone.
    MethodRemoved,
    /// More sides may send a method.
    SenderAdded,
    /// A side may not send a method any more.
    SenderRemoved,
    /// A method travels in another way: as a request, a notification, or inside a result.
    TravelsOtherwise,
    /// `params` have to be there.
    ParamsRequired,
    /// `params` may be absent.
    ParamsOptional,
    /// The result is of another type.
    ResultChanged,
    /// Another result may come instead.
    AlternativeAdded,
    /// Another result may not come any more.
    AlternativeRemoved,
    /// Something more has to be declared before the method may be sent.
    CapabilityAdded,
    /// Something need not be declared any more.
    CapabilityRemoved,
    /// A type is new.
    TypeAdded,
    /// A type is gone.
    TypeRemoved,
    /// A type has another name.
    TypeRenamed,
    /// A member is new, and may be absent.
    OptionalMemberAdded,
    /// A member is new, and has to be there.
    RequiredMemberAdded,
    /// A member that could be absent is gone.
    OptionalMemberRemoved,
    /// A member that had to be there is gone.
    RequiredMemberRemoved,
    /// A member has to be there.
    MemberRequired,
    /// A member may be absent.
    MemberOptional,
    /// What may stand there is more.
    Widened,
    /// What may stand there is less.
    Narrowed,
    /// Something else has to stand there.
    Replaced,
    /// A bound is narrower, or an open object closed.
    BoundTightened,
    /// A bound is wider, or a closed object open.
    BoundLoosened,
    /// Any object became one with known members.
    Described,
    /// An object with known members became any object.
    Undescribed,
    /// A kind, or a value of an enumeration, is new.
    VariantAdded,
    /// A kind, or a value of an enumeration, is gone.
    VariantRemoved,
}

/// What a change is to whoever sends a thing, and to whoever receives it.
struct Meaning(Kind, Class, &'static str, &'static str);

/// Whom each sort of change breaks, and what it means for the sender and for the receiver.
const MEANINGS: [Meaning; 30] = {
    use Class::*;
    use Kind::*;
    [
        Meaning(MethodAdded, Additive, "may send it", "has to answer it, or to refuse it with -32601"),
        Meaning(MethodRemoved, BreakingOnEncode, "must not send it", "refuses it with -32601"),
        Meaning(SenderAdded, Additive, "may send it", "has to answer it"),
        Meaning(SenderRemoved, BreakingOnEncode, "must not send it", "refuses it with -32601"),
        Meaning(TravelsOtherwise, BreakingOnEncode, "has to send it the other way", "finds it elsewhere"),
        Meaning(ParamsRequired, BreakingOnEncode, "has to send `params`", "can rely on `params`"),
        Meaning(ParamsOptional, BreakingOnDecode, "may leave `params` out", "must not rely on `params`"),
        Meaning(ResultChanged, BreakingOnEncode, "answers with another type", "reads another type"),
        Meaning(AlternativeAdded, BreakingOnDecode, "may answer with it", "has to be ready for it"),
        Meaning(AlternativeRemoved, BreakingOnEncode, "must not answer with it", "need not be ready for it"),
        Meaning(CapabilityAdded, Tightening, "has to look for the declaration first", "has to declare it first"),
        Meaning(CapabilityRemoved, Loosening, "need not look for the declaration", "need not declare it"),
        Meaning(TypeAdded, Additive, "", ""),
        Meaning(TypeRemoved, Loosening, "", ""),
        Meaning(TypeRenamed, Loosening, "", ""),
        Meaning(OptionalMemberAdded, Additive, "may send it", "may find it"),
        Meaning(RequiredMemberAdded, BreakingOnEncode, "has to send it", "can rely on it"),
        Meaning(OptionalMemberRemoved, Loosening, "sends it in vain", "does not find it any more"),
        Meaning(RequiredMemberRemoved, BreakingOnDecode, "need not send it", "must not rely on it"),
        Meaning(MemberRequired, BreakingOnEncode, "has to send it", "can rely on it"),
        Meaning(MemberOptional, BreakingOnDecode, "may leave it out", "must not rely on it"),
        Meaning(Widened, BreakingOnDecode, "may send more than before", "has to be ready for more than before"),
        Meaning(Narrowed, BreakingOnEncode, "must not send all that it could", "can rely on the narrower type"),
        Meaning(Replaced, BreakingOnEncode, "has to send something else", "finds something else"),
        Meaning(BoundTightened, Tightening, "has to keep to the narrower bound", "may refuse what is beyond it"),
        Meaning(BoundLoosened, Loosening, "may go beyond the old bound", "has to take more than before"),
        Meaning(Described, Tightening, "has to keep to the members that are named now", "can rely on their types"),
        Meaning(Undescribed, Loosening, "may send any object", "must not rely on its members"),
        Meaning(
            VariantAdded,
            BreakingOnDecode,
            "may send it, to peers of this revision only",
            "has to be ready for it",
        ),
        Meaning(VariantRemoved, BreakingOnEncode, "must not send it", "need not be ready for it"),
    ]
};

impl Kind {
    /// All sorts of changes but [`Fact`](Self::Fact), whose class depends on the fact.
    pub fn all() -> impl Iterator<Item = Self> {
        MEANINGS.iter().map(|meaning| meaning.0)
    }

    /// Whom such a change breaks.
    pub fn class(self) -> Class {
        MEANINGS.iter().find(|meaning| meaning.0 == self).map_or(Class::Additive, |meaning| meaning.1)
    }

    /// What such a change means for a side that sends or receives the thing, or both.
    pub(super) fn means(self, sends: bool, receives: bool) -> String {
        let Some(Meaning(_, _, sender, receiver)) = MEANINGS.iter().find(|meaning| meaning.0 == self) else {
            return String::new();
        };
        let parts = [(sends, sender), (receives, receiver)];
        let parts = parts.into_iter().filter(|(concerned, text)| *concerned && !text.is_empty());
        let text = parts.map(|(_, text)| *text).collect::<Vec<_>>().join("; ");
        let mut letters = text.chars();
        match letters.next() {
            Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
            None => text,
        }
    }
}
