//! Walks along two shapes at once, and writes a value of the first as a value of the second.

use std::borrow::Cow;

use super::fits::{decides, fits, items, members, pick, string};
use super::rules::{Source, Substitute, Way};
use super::shape::{Member, OPEN, Object, Presence, Shape, Union};
use super::place::Moves;
use super::template::{fill, quoted};
use super::{Loss, Members, Options, Policy, known};
use crate::error::DecodeError;
use crate::json::Json;
use crate::reader::{Kind, Reader};

/// One step from a revision to its neighbour.
pub(super) struct Conversion<'o> {
    way: &'static Way,
    options: &'o Options,
    /// Whether no other step follows: what a third revision defines leaves here.
    last: bool,
    /// The JSON pointer of what is being converted.
    place: String,
    losses: Vec<Loss>,
    /// Whether what is written stands in for something else.
    standing_in: bool,
    moves: Moves,
}

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
    kind: FaultKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FaultKind {
    /// It doesn't fit: whatever may be absent is left out.
    Misfit,
    /// The target has no such kind: it leaves its list.
    Gone,
    /// A rule says that this can't be said at all.
    Refused,
}

type Written = Result<(), Fault>;

impl<'o> Conversion<'o> {
    pub(super) fn new(way: &'static Way, options: &'o Options, last: bool) -> Self {
        Self { way, options, last, place: String::new(), losses: Vec::new(), standing_in: false, moves: Moves::default() }
    }

    /// Writes the text, which is well formed and on one line, as a value of `to`.
    pub(super) fn run(mut self, from: &Shape, to: &Shape, text: &str) -> Result<Step, Fault> {
        let mut out = String::with_capacity(text.len());
        self.value(from, to, text, &mut out)?;
        Ok(Step { text: out, losses: self.losses, moves: self.moves })
    }

    fn value(&mut self, from: &Shape, to: &Shape, text: &str, out: &mut String) -> Written {
        match (from, to) {
            (_, Shape::Any) => copy(text, out),
            (Shape::Union(a), Shape::Union(b)) if a.name == b.name && self.way.agreed(a.name) => copy(text, out),
            (Shape::Object(a), Shape::Object(b)) if a.name == b.name && self.way.agreed(a.name) => copy(text, out),
            (Shape::Nullable(_), Shape::Nullable(_)) | (Shape::Any, Shape::Nullable(_)) if text == "null" => copy(text, out),
            (Shape::Nullable(a), b) => self.value(a, b, text, out),
            (a, Shape::Nullable(b)) => self.value(a, b, text, out),
            (Shape::Union(union), _) => self.union(union, from, to, text, out),
            (_, Shape::Union(union)) => match from {
                Shape::Any => match pick(union, text).map_err(|error| self.misfit_of(&error))? {
                    Some(arm) => self.value(from, &arm, text, out),
                    None => copy(text, out),
                },
                from => self.arm(from, from, to, text, out),
            },
            (Shape::Object(a), Shape::Object(b)) => self.object(a, b, None, text, out),
            (Shape::Any, Shape::Object(b)) => self.object(&OPEN, b, None, text, out),
            (Shape::List(a), Shape::List(b)) => self.list(&a.items, &b.items, to, text, out),
            (Shape::Any, Shape::List(b)) => self.list(from, &b.items, to, text, out),
            // A string that no revision knows is somebody else's.
            (Shape::Enum(a), Shape::Enum(b)) => match string(text) {
                Some(value) if b.values.contains(&&*value) || !a.values.contains(&&*value) => copy(text, out),
                Some(value) => self.kind(&format!("{}.{value}", a.name), from, to, text, out),
                None => Err(self.misfit(format!("{} wants a string here", self.way.to))),
            },
            (_, to) if fits(to, text) => copy(text, out),
            (_, to) => Err(self.misfit(format!("{} wants {} here", self.way.to, described(to)))),
        }
    }

    /// A value of a union: by its arm.
    fn union(&mut self, union: &'static Union, from: &Shape, to: &Shape, text: &str, out: &mut String) -> Written {
        match pick(union, text).map_err(|error| self.misfit_of(&error))? {
            Some(Shape::Union(inner)) => self.union(inner, from, to, text, out),
            Some(arm) => self.arm(&arm, from, to, text, out),
            None => self.unknown(union, from, to, text, out),
        }
    }

    /// A value of one arm, as what the target calls that.
    fn arm(&mut self, arm: &Shape, from: &Shape, to: &Shape, text: &str, out: &mut String) -> Written {
        if let Some(there) = self.counterpart(arm, to, text) {
            return match (arm, &there) {
                (Shape::Object(a), Shape::Object(b)) => self.object(a, b, Some((from, to)), text, out),
                _ => self.value(arm, &there, text, out),
            };
        }
        self.kind(&arm.label(), from, to, text, out)
    }

    /// A kind, or a value of an enumeration, that the target doesn't know: by its rule.
    fn kind(&mut self, label: &str, from: &Shape, to: &Shape, text: &str, out: &mut String) -> Written {
        if let Some(why) = self.way.refusal(label) {
            return Err(self.refused(why.to_owned()));
        }
        match self.way.substitute(label) {
            Some(rule) => self.stand_in(rule, label, from, to, text, out),
            None => Err(self.misfit(format!("{} has no such `{label}` here", self.way.to))),
        }
    }

    /// What an arm here is there: the one that the target itself would take it for, if that is one.
    fn counterpart(&self, arm: &Shape, to: &Shape, text: &str) -> Option<Shape> {
        let Shape::Union(union) = to else { return self.aligned(arm, to).then_some(*to) };
        if let Ok(Some(picked)) = pick(union, text)
            && let Some(found) = self.counterpart(arm, &picked, text)
        {
            return Some(found);
        }
        union.arms.iter().find_map(|there| self.counterpart(arm, there, text))
    }

    fn aligned(&self, here: &Shape, there: &Shape) -> bool {
        match (here, there) {
            (Shape::Object(a), Shape::Object(b)) => self.way.same_thing(a.name, b.name),
            (Shape::Enum(a), Shape::Enum(b)) => self.way.same_thing(a.name, b.name),
            (Shape::Integer(_), Shape::Number(_)) => true,
            (Shape::Constant(_), Shape::String | Shape::Enum(_)) => true,
            (here, there) => std::mem::discriminant(here) == std::mem::discriminant(there),
        }
    }

    /// A kind that the source doesn't know itself.
    fn unknown(&mut self, union: &'static Union, from: &Shape, to: &Shape, text: &str, out: &mut String) -> Written {
        // What holds everything that an arm needs is that arm, whatever it calls itself.
        for arm in union.arms.iter().filter(|arm| matches!(arm, Shape::Object(_))) {
            let Some(there) = self.counterpart(arm, to, text) else { continue };
            let before = self.mark(out);
            match self.value(arm, &there, text, out) {
                Ok(()) => return Ok(()),
                Err(fault) if fault.kind == FaultKind::Refused => return Err(fault),
                Err(_) => self.back(&before, out),
            }
        }
        let label = format!("{}.?", union.name);
        if let Shape::Union(target) = to
            && let Ok(Some(Shape::Object(there))) = pick(target, text)
            && fits(&Shape::Object(there), text)
        {
            self.lose(text, format!("kept, but {} gives this kind a meaning, which its sender may not have meant", self.way.to));
            return self.object(there, there, None, text, out);
        }
        match self.way.substitute(&label) {
            Some(rule) if self.last && self.options.members == Members::Strict => {
                self.stand_in(rule, union.name, from, to, text, out)
            }
            Some(_) => copy(text, out),
            None => Err(self.misfit(format!("{} doesn't know this kind", self.way.from))),
        }
    }

    /// Writes what stands in for a value.
    fn stand_in(
        &mut self,
        rule: &'static Substitute,
        label: &str,
        from: &Shape,
        to: &Shape,
        text: &str,
        out: &mut String,
    ) -> Written {
        if self.standing_in {
            return Err(self.refused(format!("what stands in for it can't be said in {} either", self.way.to)));
        }
        if rule.first
            && let [first, others @ ..] = &*items(text).map_err(|error| self.misfit_of(&error))?
        {
            match (self.options.policy, others.is_empty()) {
                (_, true) | (Policy::Substitute, false) => {}
                (Policy::Drop, false) => return Err(self.gone(label)),
                (Policy::Refuse, false) => return Err(self.refused(format!("{} has no such `{label}` here", self.way.to))),
            }
            for (at, other) in others.iter().enumerate() {
                let outer = self.enter(&(at + 1).to_string());
                self.lose(other, format!("{} has one block here, not a list", self.way.to));
                self.place.truncate(outer);
            }
            self.moves.unwrapped.push(self.place.clone());
            let outer = self.enter("0");
            self.value(from, to, first, out)?;
            self.place.truncate(outer);
            return Ok(());
        }
        match self.options.policy {
            Policy::Substitute => {}
            Policy::Drop => return Err(self.gone(label)),
            Policy::Refuse => return Err(self.refused(format!("{} has no such `{label}` here", self.way.to))),
        }
        self.lose(text, format!("{} has no such `{label}` here; something else stands in for it", self.way.to));
        self.standing_in = true;
        let written = self.value(from, to, &fill(rule.with, text), out);
        self.standing_in = false;
        written
    }

    fn list(&mut self, from: &Shape, to: &Shape, whole: &Shape, text: &str, out: &mut String) -> Written {
        let items = items(text).map_err(|error| self.misfit_of(&error))?;
        let mut count = 0usize;
        out.push('[');
        for (at, item) in items.iter().enumerate() {
            let outer = self.enter(&at.to_string());
            let before = self.mark(out);
            if count > 0 {
                out.push(',');
            }
            match self.value(from, to, item, out) {
                Ok(()) => count += 1,
                Err(fault) if fault.kind == FaultKind::Gone => {
                    self.back(&before, out);
                    self.lose(item, fault.why);
                    self.moves.removed.push((self.place[..outer].to_owned(), at));
                }
                Err(fault) => return Err(fault),
            }
            self.place.truncate(outer);
        }
        out.push(']');
        match whole {
            Shape::List(list)
                if list.minimum.is_some_and(|minimum| count < minimum)
                    || list.maximum.is_some_and(|maximum| count > maximum) =>
            {
                Err(self.misfit(format!("{} wants another number of items", self.way.to)))
            }
            _ => Ok(()),
        }
    }

    /// An object; `within` has the shapes of which it is an arm.
    fn object(
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
            if member.presence != Presence::Optional || given.is_some() {
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
        if text == "null" && here.is_some_and(|member| member.presence == Presence::Optional && !fits(&member.shape, text)) {
            // Read as absent, as everywhere.
            return Ok(());
        }
        match (here, there) {
            // Whatever it said, it now says the revision that it is in.
            (Some(_), Some((at, _))) if matches!(way.session(to.name, name), Some(Source::ProtocolVersion)) => {
                object.written |= 1 << at;
                object.push(name, &quoted(way.to.as_str()));
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
                if way.carried(from.name, name) || way.carried(to.name, name) {
                    return self.rest(&here.shape, to, name, text, object);
                }
                match strict {
                    true => self.lose(text, format!("{} has no `{name}` here", way.to)),
                    false => return self.rest(&Shape::Any, to, name, text, object),
                }
                Ok(())
            }
            (None, Some((at, there))) => {
                if way.carried(from.name, name) || way.carried(to.name, name) {
                    return self.pass(&Shape::Any, there, at, name, text, object);
                }
                let default = way.default(to.name, name);
                // What the way back would take off, or that would change what it is, isn't kept.
                let own = default.is_some_and(|rule| strict || rule.only || same(rule.value, text));
                if own || way.session(to.name, name).is_some() {
                    self.lose(text, format!("{} has its own `{name}` here", way.to));
                    return Ok(());
                }
                if !fits(&there.shape, text) {
                    self.lose(text, format!("{} gives `{name}` a meaning that this doesn't fit", way.to));
                    return Ok(());
                }
                if strict {
                    let why = format!("kept, but {} gives `{name}` a meaning, which its sender may not have meant", way.to);
                    self.lose(text, why);
                }
                object.written |= 1 << at;
                object.push(name, text);
                Ok(())
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
            Ok(()) if there.presence == Presence::Optional && &object.out[start..] == "{}" && !empty(text) => {
                object.out.truncate(before.length);
                Ok(())
            }
            Ok(()) => {
                object.written |= 1 << at;
                object.first = false;
                Ok(())
            }
            Err(fault) if fault.kind != FaultKind::Refused && there.presence == Presence::Optional => {
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
                true => Ok(value.into_owned()),
                false => Err(self.refused(format!("what the session has for `{}` isn't what {} has there", member.name, self.way.to))),
            };
        }
        let tolerated = from.position(member.name).is_some_and(|at| from.members[at].presence == Presence::OrEmpty);
        if tolerated || member.presence == Presence::OrEmpty {
            return Ok("[]".to_owned());
        }
        // What the source requires, too, isn't made up.
        let known = from.position(member.name).is_some_and(|at| from.members[at].presence == Presence::Required);
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

    fn session_value(&self, source: Source) -> Option<Cow<'o, str>> {
        let session = &self.options.session;
        match source {
            Source::ProtocolVersion => Some(Cow::Owned(quoted(self.way.to.as_str()))),
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

    /// Where writing stands.
    fn mark(&self, out: &str) -> Mark {
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
    fn back(&mut self, mark: &Mark, out: &mut String) {
        out.truncate(mark.length);
        self.losses.truncate(mark.losses);
        self.place.truncate(mark.place);
        self.standing_in = mark.standing_in;
        self.moves.removed.truncate(mark.removed);
        self.moves.unwrapped.truncate(mark.unwrapped);
    }

    fn lose(&mut self, text: &str, why: String) {
        let what = Json::parse(text).unwrap_or_else(|_| Json::null());
        self.losses.push(Loss { pointer: self.place.clone(), what, why });
    }

    /// Goes on to a member or an item; truncate the place to what this gives to come back. After a fault
    /// that is caught, whoever catches it does.
    fn enter(&mut self, step: &str) -> usize {
        let outer = self.place.len();
        self.place.push('/');
        match step.contains(['~', '/']) {
            true => self.place.push_str(&step.replace('~', "~0").replace('/', "~1")),
            false => self.place.push_str(step),
        }
        outer
    }

    fn misfit(&self, why: String) -> Fault {
        Fault { pointer: self.place.clone(), why, kind: FaultKind::Misfit }
    }

    fn misfit_of(&self, error: &DecodeError) -> Fault {
        Fault { pointer: self.place.clone() + &error.pointer(), why: error.message().to_owned(), kind: FaultKind::Misfit }
    }

    fn gone(&self, label: &str) -> Fault {
        Fault { kind: FaultKind::Gone, ..self.misfit(format!("{} has no such `{label}` here", self.way.to)) }
    }

    fn refused(&self, why: String) -> Fault {
        Fault { kind: FaultKind::Refused, ..self.misfit(why) }
    }
}

/// Where writing stood.
struct Mark {
    length: usize,
    losses: usize,
    place: usize,
    standing_in: bool,
    removed: usize,
    unwrapped: usize,
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

fn copy(text: &str, out: &mut String) -> Written {
    out.push_str(text);
    Ok(())
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

fn described(shape: &Shape) -> Cow<'static, str> {
    Cow::Borrowed(match shape {
        Shape::Null => Kind::Null.described(),
        Shape::Boolean => Kind::Boolean.described(),
        Shape::String => Kind::String.described(),
        Shape::Integer(_) => "an integer within its bounds",
        Shape::Number(_) => "a number within its bounds",
        Shape::List(_) => Kind::Array.described(),
        Shape::Object(_) => Kind::Object.described(),
        Shape::Constant(value) => return Cow::Owned(format!("`{value}`")),
        Shape::ConstantInteger(value) => return Cow::Owned(value.to_string()),
        Shape::ConstantBoolean(value) => return Cow::Owned(value.to_string()),
        Shape::Enum(values) => return Cow::Owned(format!("one of `{}`", values.values.join("`, `"))),
        Shape::Any | Shape::Nullable(_) | Shape::Union(_) => "something else",
    })
}
