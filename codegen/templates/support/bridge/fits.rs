//! Whether a text is a value of a shape, with no tolerance at all; and which arm of a union it is.

use std::borrow::Cow;

use super::shape::{Bounds, Object, Presence, Shape, Tree, Union};
use crate::error::{DecodeError, Decoded};
use crate::reader::{Kind, Reader};
use crate::scan;

/// The members of an object: names, and the texts of their values.
pub(super) fn members(text: &str) -> Decoded<Vec<(Cow<'_, str>, &str)>> {
    let mut members: Vec<(Cow<'_, str>, &str)> = Vec::new();
    Reader::new(text).members(&mut |name, value| members.push((name, value)))?;
    match twice(&members) {
        Some(name) => Err(DecodeError::shape("the member stands twice").inside(name)),
        None => Ok(members),
    }
}

/// A name that stands twice. Few are compared with one another, many are sorted.
fn twice<'m>(members: &'m [(Cow<'_, str>, &str)]) -> Option<&'m str> {
    if members.len() <= 16 {
        let before = |at: usize, name: &str| members[..at].iter().any(|(other, _)| other == name);
        return members.iter().enumerate().find(|(at, (name, _))| before(*at, name)).map(|(_, (name, _))| &**name);
    }
    let mut names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
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

/// Whether a text, which is well formed, is a value of a shape.
pub(super) fn fits(shape: &Shape, text: &str) -> bool {
    let Ok(kind) = Reader::new(text).kind() else { return false };
    match shape {
        Shape::Any => true,
        Shape::Null => kind == Kind::Null,
        Shape::Boolean => kind == Kind::Boolean,
        Shape::String => kind == Kind::String,
        Shape::Integer(bounds) => kind == Kind::Number && scan::integral(text).is_some() && within(bounds, text),
        Shape::Number(bounds) => kind == Kind::Number && within(bounds, text),
        Shape::Constant(value) => string(text).is_some_and(|found| found == *value),
        Shape::ConstantInteger(value) => kind == Kind::Number && scan::integral(text) == Some(i128::from(*value)),
        Shape::ConstantBoolean(value) => text == if *value { "true" } else { "false" },
        Shape::List(list) => items(text).is_ok_and(|items| {
            list.minimum.is_none_or(|minimum| items.len() >= minimum)
                && list.maximum.is_none_or(|maximum| items.len() <= maximum)
                && items.iter().all(|item| fits(&list.items, item))
        }),
        Shape::Nullable(inner) => kind == Kind::Null || fits(inner, text),
        Shape::Object(object) => kind == Kind::Object && members(text).is_ok_and(|members| fits_object(object, &members)),
        Shape::Enum(values) => string(text).is_some_and(|found| values.values.contains(&&*found)),
        Shape::Union(union) => union.arms.iter().any(|arm| fits(arm, text)),
    }
}

fn fits_object(object: &Object, members: &[(Cow<'_, str>, &str)]) -> bool {
    let complete = object.members.iter().filter(|member| member.presence != Presence::Optional);
    complete.into_iter().all(|member| members.iter().any(|(name, _)| *name == member.name))
        && members.iter().all(|(name, value)| match (object.position(name), &object.rest) {
            (Some(at), _) => fits(&object.members[at].shape, value),
            (None, Some(rest)) => fits(rest, value),
            (None, None) => false,
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
