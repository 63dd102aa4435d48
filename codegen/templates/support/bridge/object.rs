//! How objects are converted: member by member.

use std::borrow::Cow;

use super::convert::Conversion;
use super::fault::{Fault, FaultKind, Written};
use super::fits::{decides, fits, items, members};
use super::rules::Source;
use super::shape::{Member, OPEN, Object, Presence, Shape};
use super::template::{fill, quoted};
use super::{Members, Policy, known};
use crate::json::Json;
use crate::reader::Reader;

impl<'o> Conversion<'o> {
    /// An object; `within` has the shapes of which it is an arm.
    pub(super) fn object(
        &mut self,
        from: &'static Object,
        to: &'static Object,
        within: Option<(&Shape, &Shape)>,
        text: &str,
        out: &mut String,
    ) -> Written {
        let mut members = members(text).map_err(|error| self.misfit_of(&error))?;
        let gained = self.gained(from, to, &members);
        if let Some((into, list)) = &gained {
            match members.iter_mut().find(|(name, _)| name == into) {
                Some((_, value)) => *value = list,
                None => members.push((Cow::Borrowed(into), list)),
            }
        }
        let mut object = Writing { out, written: 0, first: true };
        object.out.push('{');
        for (name, value) in &members {
            let outer = self.enter(name);
            self.member(from, to, within, name, value, &mut object)?;
            self.place.truncate(outer);
        }
        for (at, member) in to.members.iter().enumerate() {
            if object.written & 1 << at != 0 {
                continue;
            }
            let given = self.way.session(to.name, member.name).and_then(|source| self.session_value(source));
            if !member.may_be_absent() || given.is_some() {
                let value = self.missing(from, to, member, given)?;
                object.push(member.name, &value);
            }
        }
        object.out.push('}');
        Ok(())
    }

    /// One member that the source has.
    fn member(
        &mut self,
        from: &'static Object,
        to: &'static Object,
        within: Option<(&Shape, &Shape)>,
        name: &str,
        text: &str,
        object: &mut Writing<'_>,
    ) -> Written {
        let way = self.way;
        let here = from.position(name).map(|at| &from.members[at]);
        let there = to.position(name).map(|at| (at, &to.members[at]));
        let strict = self.options.members == Members::Strict;
        let carried = || way.carried(from.name, name) || way.carried(to.name, name);
        if text == "null" && here.is_some_and(|member| member.presence == Presence::Optional && !fits(&member.shape, text)) {
            // Read as absent, as everywhere.
            return Ok(());
        }
        match (here, there) {
            // Whatever it said, it now says the revision that it is in.
            (Some(_), Some((at, _)))
                if matches!(way.session(to.name, name), Some(Source::ProtocolVersion)) =>
            {
                object.written |= 1 << at;
                object.push(name, &self.session_value(Source::ProtocolVersion).unwrap_or_default());
                Ok(())
            }
            // The source lets it be anything, and the target doesn't.
            (Some(here), Some((_, there)))
                if here.presence == Presence::Borrowed && there.presence != Presence::Borrowed && !fits(&there.shape, text) =>
            {
                self.lose(text, format!("{} gives `{name}` a meaning that this doesn't fit", way.to));
                Ok(())
            }
            (Some(here), Some((at, there))) => {
                let cut = if way.cut(to.name, name) { self.cut(&there.shape, text)? } else { None };
                self.pass(&here.shape, there, at, name, cut.as_deref().unwrap_or(text), object)
            }
            (Some(here), None) => {
                if way.gave(from.name, name) {
                    return Ok(());
                }
                if let Some(rule) = way.implied(from.name, name) {
                    if same(rule.value, text) {
                        return Ok(());
                    }
                    if rule.only {
                        return Err(self.refused(format!("{} can't say that `{name}` is {}", way.to, shown(text))));
                    }
                }
                if carried() {
                    return self.rest(&here.shape, to, name, text, object);
                }
                match strict {
                    true => self.lose(text, format!("{} has no `{name}` here", way.to)),
                    false => return self.rest(&Shape::Any, to, name, text, object),
                }
                Ok(())
            }
            (None, Some((at, there))) => {
                if carried() {
                    return self.pass(&Shape::Any, there, at, name, text, object);
                }
                let default = way.default(to.name, name);
                let usual = default.is_some_and(|rule| same(rule.value, text));
                // What would make it something else, or is the session's to say, isn't taken from a vendor.
                if default.is_some_and(|rule| rule.only && !usual) || way.session(to.name, name).is_some() {
                    self.lose(text, format!("{} has its own `{name}` here", way.to));
                    return Ok(());
                }
                if !fits(&there.shape, text) {
                    self.lose(text, format!("{} gives `{name}` a meaning that this doesn't fit", way.to));
                    return Ok(());
                }
                // What the way back would take off is reported even where all else is kept.
                if strict || usual {
                    let why = format!("kept, but {} gives `{name}` a meaning, which its sender may not have meant", way.to);
                    self.lose(text, why);
                }
                // As a value of the target it may still hold what only other revisions have.
                self.pass(&there.shape, there, at, name, text, object)
            }
            (None, None) => {
                let another = self.last && strict && !to.name.is_empty() && known(from.name, to.name, name);
                let another_kind = within.is_some_and(|(source, target)| kind_by(target, name) && !kind_by(source, name));
                if another || another_kind {
                    let why = match another_kind {
                        true => format!("in {} `{name}` would make it another kind", way.to),
                        false => format!("{} has no `{name}` here, but another revision has", way.to),
                    };
                    self.lose(text, why);
                    return Ok(());
                }
                self.rest(from.rest.as_ref().unwrap_or(&Shape::Any), to, name, text, object)
            }
        }
    }

    /// The first items of a list that has more than the target allows.
    fn cut(&mut self, shape: &Shape, text: &str) -> Result<Option<String>, Fault> {
        let Shape::List(list) = shape else { return Ok(None) };
        let items = items(text).map_err(|error| self.misfit_of(&error))?;
        match list.maximum {
            Some(maximum) if items.len() > maximum => {
                for (at, item) in items.iter().enumerate().skip(maximum) {
                    let outer = self.enter(&at.to_string());
                    self.lose(item, format!("{} has at most {maximum} items here", self.way.to));
                    self.place.truncate(outer);
                }
                Ok(Some(format!("[{}]", items[..maximum].join(","))))
            }
            _ => Ok(None),
        }
    }

    /// A member that both have.
    fn pass(
        &mut self,
        from: &Shape,
        there: &'static Member,
        at: usize,
        name: &str,
        text: &str,
        object: &mut Writing<'_>,
    ) -> Written {
        let before = self.mark(object.out);
        object.name(name);
        let start = object.out.len();
        match self.value(from, &there.shape, text, object.out) {
            // What held nothing but members of the session doesn't stay as an empty shell.
            Ok(()) if there.may_be_absent() && &object.out[start..] == "{}" && !empty(text) => {
                object.out.truncate(before.length);
                Ok(())
            }
            Ok(()) => {
                object.written |= 1 << at;
                object.first = false;
                Ok(())
            }
            Err(fault) if fault.kind != FaultKind::Refused && there.may_be_absent() => {
                self.back(&before, object.out);
                self.lose(text, fault.why);
                Ok(())
            }
            Err(fault) => Err(fault),
        }
    }

    /// A member that the target doesn't name.
    fn rest(&mut self, from: &Shape, to: &'static Object, name: &str, text: &str, object: &mut Writing<'_>) -> Written {
        let Some(rest) = &to.rest else {
            self.lose(text, format!("{} allows no other members here", self.way.to));
            return Ok(());
        };
        let before = self.mark(object.out);
        object.name(name);
        match self.value(from, rest, text, object.out) {
            Ok(()) => {
                object.first = false;
                Ok(())
            }
            Err(fault) if fault.kind != FaultKind::Refused => {
                self.back(&before, object.out);
                self.lose(text, fault.why);
                Ok(())
            }
            Err(fault) => Err(fault),
        }
    }

    /// What a member gets that the target requires and the source doesn't have.
    fn missing(
        &mut self,
        from: &Object,
        to: &Object,
        member: &'static Member,
        given: Option<Cow<'o, str>>,
    ) -> Result<String, Fault> {
        if let Some(rule) = self.way.default(to.name, member.name) {
            return Ok(rule.value.to_owned());
        }
        if let Some(value) = given {
            return match fits(&member.shape, &value) {
                true => self.pruned(&member.shape, &value),
                false => Err(self.refused(format!("what the session has for `{}` isn't what {} has there", member.name, self.way.to))),
            };
        }
        let here = from.position(member.name).map(|at| from.members[at].presence);
        let tolerated = here == Some(Presence::OrEmpty) || (here.is_none() && member.presence == Presence::OrEmpty);
        if tolerated {
            return Ok("[]".to_owned());
        }
        // What the source requires, too, isn't made up.
        let known = here == Some(Presence::Required);
        if let Shape::Object(object) = member.shape
            && !known
        {
            let mut value = String::new();
            let outer = self.enter(member.name);
            let written = self.object(&OPEN, object, None, "{}", &mut value);
            self.place.truncate(outer);
            match written {
                Ok(()) => return Ok(value),
                Err(fault) if fault.kind == FaultKind::Refused => return Err(fault),
                Err(_) => {}
            }
        }
        Err(self.misfit(format!("missing `{}`, which {} requires", member.name, self.way.to)))
    }

    /// What the session says, without what only other revisions have. That is no loss of the sender's.
    fn pruned(&mut self, shape: &Shape, value: &str) -> Result<String, Fault> {
        let losses = self.losses.len();
        let last = std::mem::replace(&mut self.last, true);
        let mut out = String::new();
        let written = self.value(shape, shape, value, &mut out);
        self.last = last;
        self.losses.truncate(losses);
        written.map(|()| out)
    }

    fn session_value(&self, source: Source) -> Option<Cow<'o, str>> {
        let session = &self.options.session;
        match source {
            Source::ProtocolVersion => {
                Some(Cow::Owned(quoted(session.protocol_version.as_deref().unwrap_or(self.way.to.as_str()))))
            }
            Source::ClientCapabilities => Some(Cow::Borrowed(session.client_capabilities.as_str())),
            Source::ClientInfo => session.client_info.as_ref().map(|info| Cow::Borrowed(info.as_str())),
        }
    }

    /// A list of content with one block more, where what another member says would be lost.
    fn gained(&self, from: &Object, to: &Object, members: &[(Cow<'_, str>, &str)]) -> Option<(&'static str, String)> {
        let rule = self.way.texts.iter().find(|rule| rule.ty == from.name)?;
        if self.options.policy != Policy::Substitute {
            return None;
        }
        let (_, value) = members.iter().find(|(name, _)| name == rule.member)?;
        // Null reads as absent where it says nothing.
        let says_nothing = |at: usize| !fits(&from.members[at].shape, value);
        if *value == "null" && from.position(rule.member).is_some_and(says_nothing) {
            return None;
        }
        let lost = match to.position(rule.member) {
            Some(at) => !fits(&to.members[at].shape, value),
            None => self.options.members == Members::Strict,
        };
        let content = members.iter().find(|(name, _)| name == rule.into).map_or("[]", |(_, list)| list);
        let blocks = items(content).ok()?;
        let says = |block: &&str| Reader::new(block).tag("type").ok().flatten().is_some_and(|kind| kind == rule.unless);
        if !lost || blocks.iter().any(says) {
            return None;
        }
        let block = fill(rule.with, value);
        let all: Vec<&str> = blocks.into_iter().chain([block.as_str()]).collect();
        Some((rule.into, format!("[{}]", all.join(","))))
    }
}

/// An object that is being written.
struct Writing<'w> {
    out: &'w mut String,
    /// Which of the target's members it has, a bit for each; the generator sees to it that they suffice.
    written: u128,
    first: bool,
}

impl Writing<'_> {
    /// Writes a member's name; set `first` once its value stands.
    fn name(&mut self, name: &str) {
        if !self.first {
            self.out.push(',');
        }
        match name.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
            true => {
                self.out.push('"');
                self.out.push_str(name);
                self.out.push('"');
            }
            false => self.out.push_str(&quoted(name)),
        }
        self.out.push(':');
    }

    fn push(&mut self, name: &str, text: &str) {
        self.name(name);
        self.out.push_str(text);
        self.first = false;
    }
}

/// Whether a member decides which kind a value of the shape is.
fn kind_by(shape: &Shape, name: &str) -> bool {
    match shape {
        Shape::Union(union) => {
            union.tree.as_ref().is_some_and(|tree| decides(tree, name)) || union.arms.iter().any(|arm| kind_by(arm, name))
        }
        _ => false,
    }
}

/// Whether two texts are the same value.
fn same(a: &str, b: &str) -> bool {
    a == b || matches!((Json::parse(a), Json::parse(b)), (Ok(a), Ok(b)) if a == b)
}

/// Whether a text is an object without members.
fn empty(text: &str) -> bool {
    members(text).is_ok_and(|members| members.is_empty())
}

/// The beginning of a text that is JSON.
fn shown(text: &str) -> String {
    text.chars().take(64).collect()
}
