//! What a conversion between neighbours can't derive: the rules of schema/bridges, as data.

use super::shape::Shape;
use crate::ProtocolVersion;
use crate::reader::Inside;

/// The way from a revision to its neighbour.
#[derive(Debug)]
pub(crate) struct Way {
    pub(crate) from: ProtocolVersion,
    pub(crate) to: ProtocolVersion,
    /// Types that are called differently: here and there.
    pub(crate) renames: &'static [(&'static str, &'static str)],
    /// Members that the target requires: what they get.
    pub(crate) defaults: &'static [Default],
    /// Members that the source requires and that say nothing if they hold this.
    pub(crate) implied: &'static [Default],
    /// Members that the session gives, in the target.
    pub(crate) session: &'static [SessionMember],
    /// Members that the session gave, in the source.
    pub(crate) from_session: &'static [(&'static str, &'static str)],
    /// Members that mean the same though only one revision names them.
    pub(crate) carried: &'static [(&'static str, &'static str)],
    /// Lists of the target that are cut to fit.
    pub(crate) cuts: &'static [(&'static str, &'static str)],
    /// What stands in for a kind that the target doesn't know.
    pub(crate) substitutes: &'static [Substitute],
    /// Kinds that can't be said: their types, and why.
    pub(crate) refusals: &'static [(&'static str, &'static str)],
    /// Methods that the target doesn't have, and why.
    pub(crate) methods: &'static [(&'static str, &'static str)],
    /// Members that become text where they are lost.
    pub(crate) texts: &'static [Text],
    /// Types that are the same in both.
    pub(crate) agreed: &'static [&'static str],
    /// Names that a text can be looked through for: without them, it is as the target has it.
    /// Sorted by the method's length, then by the method, params before the result.
    pub(crate) watches: &'static [Watch],
}

/// A member and a value.
#[derive(Debug)]
pub(crate) struct Default {
    /// The name of the type; `*` for each.
    pub(crate) ty: &'static str,
    pub(crate) member: &'static str,
    /// The text of the value.
    pub(crate) value: &'static str,
    /// Whether a value that isn't this can't be said without the member.
    pub(crate) only: bool,
}

/// A member that the session gives.
#[derive(Debug)]
pub(crate) struct SessionMember {
    pub(crate) ty: &'static str,
    pub(crate) member: &'static str,
    pub(crate) source: Source,
}

/// What the session knows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// The revision that is spoken.
    ProtocolVersion,
    /// What the client has declared.
    ClientCapabilities,
    /// What the client calls itself.
    ClientInfo,
}

/// What stands in for a kind that the target doesn't know.
#[derive(Debug)]
pub(crate) struct Substitute {
    /// The type; `Union.?` for a kind that its own revision doesn't know.
    pub(crate) ty: &'static str,
    /// What takes its place, in the source's own revision; see the module `template`.
    pub(crate) with: &'static str,
    /// Whether a list gives its first item instead, and `with` is for the empty one.
    pub(crate) first: bool,
}

/// A member that becomes text where it is lost.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) ty: &'static str,
    pub(crate) member: &'static str,
    /// The list of content that gains it.
    pub(crate) into: &'static str,
    /// Unless that has a block of this type.
    pub(crate) unless: &'static str,
    /// The block; see the module `template`.
    pub(crate) with: &'static str,
}

/// The names that matter to a message.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) method: &'static str,
    pub(crate) result: bool,
    pub(crate) names: &'static [&'static str],
    /// Members that the target keeps unread, and the names of their own members that matter.
    pub(crate) inside: Inside,
}

impl Default {
    /// The first rule for a member of a type.
    fn of(rules: &'static [Self], ty: &str, member: &str) -> Option<&'static Self> {
        rules.iter().find(|rule| rule.member == member && (rule.ty == "*" || rule.ty == ty))
    }
}

impl Way {
    /// The value that a member of the target gets.
    pub(crate) fn default(&self, ty: &str, member: &str) -> Option<&'static Default> {
        Default::of(self.defaults, ty, member)
    }

    /// What a member of the source says nothing with.
    pub(crate) fn implied(&self, ty: &str, member: &str) -> Option<&'static Default> {
        Default::of(self.implied, ty, member)
    }

    /// What the session gives a member of the target.
    pub(crate) fn session(&self, ty: &str, member: &str) -> Option<Source> {
        self.session.iter().find(|rule| rule.ty == ty && rule.member == member).map(|rule| rule.source)
    }

    /// Whether the session gave a member of the source.
    pub(crate) fn gave(&self, ty: &str, member: &str) -> bool {
        self.from_session.contains(&(ty, member))
    }

    /// Whether a member means the same in both.
    pub(crate) fn carried(&self, ty: &str, member: &str) -> bool {
        self.carried.contains(&(ty, member))
    }

    /// Whether a list of the target is cut to fit.
    pub(crate) fn cut(&self, ty: &str, member: &str) -> bool {
        self.cuts.contains(&(ty, member))
    }

    /// Whether a type here and a type there are the same thing.
    pub(crate) fn same_thing(&self, here: &str, there: &str) -> bool {
        match self.renames.iter().any(|(from, _)| *from == here) {
            true => self.renames.contains(&(here, there)),
            false => here == there,
        }
    }

    /// Whether a value of the one shape is a value of the other as it stands, unread.
    pub(crate) fn agreed(&self, here: &Shape, there: &Shape) -> bool {
        let same = |here: &str, there: &str| here == there && self.agreed.binary_search(&here).is_ok();
        match (here, there) {
            (Shape::Any, Shape::Any) => true,
            (Shape::Object(here), Shape::Object(there)) => same(here.name, there.name),
            (Shape::Union(here), Shape::Union(there)) => same(here.name, there.name),
            _ => false,
        }
    }

    /// What stands in for a type.
    pub(crate) fn substitute(&self, ty: &str) -> Option<&'static Substitute> {
        self.substitutes.iter().find(|rule| rule.ty == ty)
    }

    /// Why a type can't be said.
    pub(crate) fn refusal(&self, ty: &str) -> Option<&'static str> {
        self.refusals.iter().find(|(refused, _)| *refused == ty).map(|(_, why)| *why)
    }

    /// What a part of a method's messages can be looked through for; `None` if that isn't enough.
    pub(crate) fn watch(&self, method: &str, result: bool) -> Option<&'static Watch> {
        let wanted = (method.len(), method, result);
        let watch = self.watches.binary_search_by(|watch| (watch.method.len(), watch.method, watch.result).cmp(&wanted));
        watch.ok().map(|at| &self.watches[at])
    }

    /// Why a method can't be said.
    pub(crate) fn method(&self, name: &str) -> Option<&'static str> {
        self.methods.iter().find(|(refused, _)| *refused == name).map(|(_, why)| *why)
    }
}
