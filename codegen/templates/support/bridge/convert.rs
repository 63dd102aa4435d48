//! Walks along two shapes at once, and writes a value of the first as a value of the second.

use std::borrow::Cow;

use super::fault::{Fault, FaultKind, Step, Written};
use super::fits::{fits, items, pick, reads, string};
use super::place::Moves;
use super::rules::{Substitute, Way};
use super::shape::{OPEN, Shape, Union};
use super::template::fill;
use super::{Loss, Members, Options, Policy};
use crate::reader::Kind;

/// One step from a revision to its neighbour.
pub(super) struct Conversion<'o> {
    pub(super) way: &'static Way,
    pub(super) options: &'o Options,
    /// Whether no other step follows: what a third revision defines leaves here.
    pub(super) last: bool,
    /// The JSON pointer of what is being converted.
    pub(super) place: String,
    pub(super) losses: Vec<Loss>,
    /// Whether what is written stands in for something else.
    pub(super) standing_in: bool,
    pub(super) moves: Moves,
}

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

    pub(super) fn value(&mut self, from: &Shape, to: &Shape, text: &str, out: &mut String) -> Written {
        match (from, to) {
            (_, Shape::Any) => copy(text, out),
            (from, to) if self.way.agreed(from, to) => copy(text, out),
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
            Some(arm) if union.outcome => {
                // Another arm may be so open that the text is valid as that; what is meant decides.
                if let Err(place) = reads(&arm, text) {
                    let mut fault = self.misfit(format!("this makes it no `{}` of {}", arm.label(), self.way.from));
                    fault.pointer.push_str(&place);
                    return Err(fault);
                }
                self.arm(&arm, from, to, text, out)
            }
            Some(arm) => self.arm(&arm, from, to, text, out),
            None => self.unknown(union, from, to, text, out),
        }
    }

    /// A value of one arm, as what the target calls that.
    fn arm(&mut self, arm: &Shape, from: &Shape, to: &Shape, text: &str, out: &mut String) -> Written {
        // Where the target takes it for this arm as it is, no member can make it another.
        let picked = self.picked(arm, to, text);
        if let Some(there) = picked.or_else(|| self.counterpart(arm, to)) {
            let within = if picked.is_some() { None } else { Some((from, to)) };
            return match (arm, &there) {
                (Shape::Object(a), Shape::Object(b)) => self.object(a, b, within, text, out),
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

    /// What an arm here is there, if the target itself takes the text for that.
    fn picked(&self, arm: &Shape, to: &Shape, text: &str) -> Option<Shape> {
        match to {
            Shape::Union(union) => self.picked(arm, &pick(union, text).ok()??, text),
            to => self.aligned(arm, to).then_some(*to),
        }
    }

    /// The first arm there that an arm here is.
    fn counterpart(&self, arm: &Shape, to: &Shape) -> Option<Shape> {
        match to {
            Shape::Union(union) => union.arms.iter().find_map(|there| self.counterpart(arm, there)),
            to => self.aligned(arm, to).then_some(*to),
        }
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
            let Some(there) = self.picked(arm, to, text).or_else(|| self.counterpart(arm, to)) else { continue };
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
        let items = match rule.first {
            true => items(text).map_err(|error| self.misfit_of(&error))?,
            false => Vec::new(),
        };
        match self.options.policy {
            // The only item of a list says all that the list does.
            _ if items.len() == 1 => {}
            Policy::Substitute => {}
            Policy::Drop => return Err(self.gone(label)),
            Policy::Refuse => return Err(self.refused(format!("{} has no such `{label}` here", self.way.to))),
        }
        if let [first, others @ ..] = &*items {
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
            Shape::List(list) if !list.allows(count) => {
                Err(self.misfit(format!("{} wants another number of items", self.way.to)))
            }
            _ => Ok(()),
        }
    }
}

fn copy(text: &str, out: &mut String) -> Written {
    out.push_str(text);
    Ok(())
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
