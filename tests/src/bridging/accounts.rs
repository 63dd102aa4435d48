//! Whether every difference is reported, and every report is of a difference.

use mcprism_types::bridge::Loss;
use serde_json::Value;

use super::differences::{Change, Difference};
use super::silent::{Facts, excuse};
use crate::instances::equality::equal;

/// Whether a place is, or is in, another.
pub fn holds(outer: &str, inner: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The differences that neither a loss nor a rule explains.
pub fn unreported<'a>(differences: &'a [Difference], facts: &Facts<'_>) -> Vec<&'a Difference> {
    differences.iter().filter(|difference| !explained(difference, facts)).collect()
}

fn explained(difference: &Difference, facts: &Facts<'_>) -> bool {
    let pointer = difference.pointer.as_str();
    if facts.losses.iter().any(|loss| holds(&loss.pointer, pointer)) || excuse(difference, facts).is_some() {
        return true;
    }
    match difference.change {
        Change::Removed | Change::Added => {
            let inside = difference.inside();
            !inside.is_empty() && inside.iter().all(|one| explained(one, facts))
        }
        // Another kind of value, or a list that has become shorter, with a report of what was in it.
        Change::Replaced => facts.losses.iter().any(|loss| holds(pointer, &loss.pointer)),
    }
}

/// What is wrong with a report: it is of something that isn't there, that is other than it says, or
/// that hasn't changed.
pub fn misreported(loss: &Loss, differences: &[Difference], facts: &Facts<'_>) -> Option<String> {
    let Some(input) = facts.before.pointer(&loss.pointer) else {
        return Some("the loss is of what the input doesn't have".to_owned());
    };
    if !equal(&loss.what.to_value(), input) {
        return Some("the loss says another value than the input has".to_owned());
    }
    if loss.why.trim().is_empty() {
        return Some("the loss doesn't say why".to_owned());
    }
    let changed = |difference: &Difference| {
        holds(&loss.pointer, &difference.pointer) || holds(&difference.pointer, &loss.pointer)
    };
    let gained = loss.why.contains("meaning");
    match gained || differences.iter().any(changed) {
        true => None,
        false => Some("the loss is of what hasn't changed".to_owned()),
    }
}

/// Whether two values are the same but for a `_meta` that holds nothing.
pub fn same(one: Option<&Value>, other: Option<&Value>) -> bool {
    equal(&bare(one), &bare(other))
}

fn bare(json: Option<&Value>) -> Value {
    let mut json = json.cloned().unwrap_or_else(|| Value::Object(serde_json::Map::new()));
    if let Some(members) = json.as_object_mut()
        && members.get("_meta").and_then(Value::as_object).is_some_and(serde_json::Map::is_empty)
    {
        members.remove("_meta");
    }
    json
}
