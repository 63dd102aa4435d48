//! Values that stand in for others, written from a pattern.
//!
//! A pattern is JSON. A string `{/pointer}` is the value at that place of the original, and its
//! member is left out if there is none; a step `*` gathers one value of each item. Inside a longer
//! string it is the text of that value; `{}` is the text of the whole.

use serde_json::Value;

use super::fits::{items, members, string};
use crate::reader::{Kind, Reader};

/// The text of a pattern with the original filled in.
pub(super) fn fill(pattern: &str, original: &str) -> String {
    let pattern: Value = serde_json::from_str(pattern).unwrap_or(Value::Null);
    let mut out = String::new();
    if !write(&pattern, original, &mut out) {
        out.push_str("null");
    }
    out
}

/// Writes a part of the pattern; `false` if the original has nothing there.
fn write(pattern: &Value, original: &str, out: &mut String) -> bool {
    match pattern {
        Value::String(text) => match text.strip_prefix("{/").and_then(|rest| rest.strip_suffix('}')) {
            Some(way) if !way.contains('{') => match at(original, way) {
                Some(value) => {
                    out.push_str(&value);
                    true
                }
                None => false,
            },
            _ => {
                out.push_str(&quoted(&interpolated(text, original)));
                true
            }
        },
        Value::Object(members) => {
            out.push('{');
            let mut first = true;
            for (name, part) in members {
                let before = out.len();
                if !first {
                    out.push(',');
                }
                out.push_str(&quoted(name));
                out.push(':');
                match write(part, original, out) {
                    true => first = false,
                    false => out.truncate(before),
                }
            }
            out.push('}');
            true
        }
        part => {
            out.push_str(&part.to_string());
            true
        }
    }
}

/// A string as JSON.
pub(super) fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// A text in which each `{/pointer}` is replaced by what stands there.
fn interpolated(text: &str, original: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let Some(length) = rest[start..].find('}') else { break };
        out.push_str(&rest[..start]);
        let way = &rest[start + 1..start + length];
        match way.strip_prefix('/') {
            Some(way) => {
                let found = at(original, way).unwrap_or_default();
                match string(&found) {
                    Some(text) => out.push_str(&text),
                    None => out.push_str(&found),
                }
            }
            None => out.push_str(original),
        }
        rest = &rest[start + length + 1..];
    }
    out.push_str(rest);
    out
}

/// The text of what stands at a place; `None` if nothing does.
fn at(original: &str, way: &str) -> Option<String> {
    let (step, rest) = match way.split_once('/') {
        Some((step, rest)) => (step, Some(rest)),
        None => (way, None),
    };
    let next = |value: &str| match rest {
        Some(rest) => at(value, rest),
        None => Some(value.to_owned()),
    };
    match (Reader::new(original).kind().ok()?, step) {
        (Kind::Array, "*") => {
            let gathered: Vec<String> = items(original).ok()?.into_iter().filter_map(next).collect();
            Some(format!("[{}]", gathered.join(",")))
        }
        (Kind::Array, index) => next(items(original).ok()?.get(index.parse::<usize>().ok()?)?),
        (Kind::Object, name) => next(members(original).ok()?.into_iter().find(|(key, _)| key == name)?.1),
        _ => None,
    }
}
