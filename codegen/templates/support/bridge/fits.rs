//! Whether a text is a value of a shape; and which arm of a union it is.

use std::borrow::Cow;

use super::shape::{Bounds, Member, Object, Presence, Shape, Tree, Union};
use crate::error::{DecodeError, Decoded, escaped};
use crate::map::unique;
use crate::reader::{Kind, Reader};
use crate::scan;

/// The members of an object: names, and the texts of their values.
pub(super) fn members(text: &str) -> Decoded<Vec<(Cow<'_, str>, &str)>> {
    let mut members: Vec<(Cow<'_, str>, &str)> = Vec::new();
    Reader::new(text).members(&mut |name, value| members.push((name, value)))?;
    unique(members.iter().map(|(name, _)| &**name))?;
    Ok(members)
}

/// The items of a list.
pub(super) fn items(text: &str) -> Decoded<Vec<&str>> {
    let mut items = Vec::new();
    Reader::new(text).array(&mut |reader| {
        items.push(reader.skip()?);
        Ok(())
    })?;
    Ok(items)
}

/// Whether a text, which is well formed, is a value of a shape, with no tolerance at all.
pub(super) fn fits(shape: &Shape, text: &str) -> bool {
    judge(shape, text, Tolerance::None).is_ok()
}

/// Whether a text, which is well formed, is read as a value of a shape: with the tolerances that
/// reading has, unknown strings and kinds, null for what may be absent, a list that peers leave out.
///
/// # Errors
/// The place, as a JSON pointer, of what isn't.
pub(super) fn reads(shape: &Shape, text: &str) -> Result<(), String> {
    judge(shape, text, Tolerance::Reading)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tolerance {
    None,
    Reading,
}

fn judge(shape: &Shape, text: &str, tolerance: Tolerance) -> Result<(), String> {
    let kind = Reader::new(text).kind().map_err(|error| error.pointer())?;
    let here = |fits: bool| if fits { Ok(()) } else { Err(String::new()) };
    match shape {
        Shape::Any => Ok(()),
        Shape::Null => here(kind == Kind::Null),
        Shape::Boolean => here(kind == Kind::Boolean),
        Shape::String => here(kind == Kind::String),
        Shape::Integer(bounds) => here(kind == Kind::Number && scan::integral(text).is_some() && within(bounds, text)),
        Shape::Number(bounds) => here(kind == Kind::Number && within(bounds, text)),
        Shape::Constant(value) => here(string(text).is_some_and(|found| found == *value)),
        Shape::ConstantInteger(value) => here(kind == Kind::Number && scan::integral(text) == Some(i128::from(*value))),
        Shape::ConstantBoolean(value) => here(text == if *value { "true" } else { "false" }),
        Shape::List(list) => {
            let items = items(text).map_err(|error| error.pointer())?;
            here(list.allows(items.len()))?;
            items.iter().enumerate().try_for_each(|(at, item)| {
                judge(&list.items, item, tolerance).map_err(|place| format!("/{at}{place}"))
            })
        }
        Shape::Nullable(_) if kind == Kind::Null => Ok(()),
        Shape::Nullable(inner) => judge(inner, text, tolerance),
        Shape::Object(object) => {
            let members = members(text).map_err(|error| error.pointer())?;
            judge_object(object, &members, tolerance)
        }
        Shape::Enum(values) => {
            let known = |found: &str| tolerance == Tolerance::Reading || values.values.contains(&found);
            here(string(text).is_some_and(|found| known(&found)))
        }
        Shape::Union(union) => match tolerance {
            Tolerance::None => here(union.arms.iter().any(|arm| judge(arm, text, tolerance).is_ok())),
            Tolerance::Reading => match pick(union, text).map_err(|error| error.pointer())? {
                Some(arm) => judge(&arm, text, tolerance),
                None => Ok(()),
            },
        },
    }
}

fn judge_object(object: &Object, members: &[(Cow<'_, str>, &str)], tolerance: Tolerance) -> Result<(), String> {
    let reading = tolerance == Tolerance::Reading;
    let needed = |member: &&Member| match member.presence {
        Presence::Required => true,
        Presence::OrEmpty => !reading,
        Presence::Optional | Presence::Borrowed => false,
    };
    let there = |member: &Member| members.iter().any(|(name, _)| *name == member.name);
    if !object.members.iter().filter(needed).all(there) {
        return Err(String::new());
    }
    members.iter().try_for_each(|(name, value)| {
        let judged = match (object.position(name), &object.rest) {
            (Some(at), _) => {
                let member = &object.members[at];
                match reading && *value == "null" && member.may_be_absent() {
                    true => Ok(()),
                    false => judge(&member.shape, value, tolerance),
                }
            }
            (None, Some(rest)) => judge(rest, value, tolerance),
            (None, None) => Err(String::new()),
        };
        judged.map_err(|place| format!("/{}{place}", escaped(name)))
    })
}

fn within(bounds: &Bounds, text: &str) -> bool {
    text.parse::<f64>().is_ok_and(|value| {
        bounds.minimum.is_none_or(|minimum| value >= minimum) && bounds.maximum.is_none_or(|maximum| value <= maximum)
    })
}

/// What a string holds; `None` if it isn't one.
pub(super) fn string(text: &str) -> Option<Cow<'_, str>> {
    match text.starts_with('"') {
        true => Reader::new(text).string().ok(),
        false => None,
    }
}

/// Which arm of a union a value is; `None` for a kind that the revision doesn't know.
pub(super) fn pick(union: &Union, text: &str) -> Decoded<Option<Shape>> {
    match &union.tree {
        Some(tree) => Ok(follow(tree, text)?.map(|at| union.arms[at])),
        // What can't be told apart is what it fits first.
        None => Ok(union.arms.iter().find(|arm| fits(arm, text)).copied()),
    }
}

fn follow(tree: &Tree, text: &str) -> Decoded<Option<usize>> {
    let mut reader = Reader::new(text);
    match tree {
        Tree::Arm(at) => Ok(Some(*at)),
        Tree::Unknown => Ok(None),
        Tree::Kind(cases) => {
            let found = reader.kind()?;
            match cases.iter().find(|(kind, _)| *kind == found) {
                Some((_, tree)) => follow(tree, text),
                None => Err(DecodeError::shape(format!("{} has no place here", found.described()))),
            }
        }
        Tree::Tag { path, cases, absent } => {
            let tag = match (*path, absent) {
                ([name], Some(_)) => reader.optional_tag(name)?,
                (way, _) => reader.tag_below(way)?,
            };
            match (tag, absent) {
                (Some(tag), _) => match cases.iter().find(|(value, _)| *value == tag) {
                    Some((_, tree)) => follow(tree, text),
                    None => Ok(None),
                },
                (None, Some(tree)) => follow(tree, text),
                (None, None) => Err(DecodeError::shape(format!("missing member `{}`", path.join(".")))),
            }
        }
        Tree::Keys { present, absent } => {
            for (way, tree) in *present {
                if reader.has(way)? {
                    return follow(tree, text);
                }
            }
            match absent {
                Some(tree) => follow(tree, text),
                None => Err(DecodeError::shape("none of the members is there that say what it is")),
            }
        }
    }
}

/// The members by which a union is told apart, beside those that the arm itself names.
pub(super) fn decides(tree: &Tree, name: &str) -> bool {
    match tree {
        Tree::Arm(_) | Tree::Unknown => false,
        Tree::Kind(cases) => cases.iter().any(|(_, tree)| decides(tree, name)),
        Tree::Tag { path, cases, absent } => {
            path.first().is_some_and(|first| *first == name)
                || cases.iter().any(|(_, tree)| decides(tree, name))
                || absent.is_some_and(|tree| decides(tree, name))
        }
        Tree::Keys { present, absent } => {
            present.iter().any(|(way, tree)| way.first().is_some_and(|first| *first == name) || decides(tree, name))
                || absent.is_some_and(|tree| decides(tree, name))
        }
    }
}
