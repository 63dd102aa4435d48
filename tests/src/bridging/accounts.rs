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

#[cfg(test)]
mod tests {
    use super::super::differences::differences;
    use super::*;
    use mcprism_types::Json;
    use mcprism_types::bridge::Part;
    use serde_json::json;

    /// What is found wrong with an output and what was reported of it.
    fn wrong(before: Value, after: Value, losses: &[(&str, Value)]) -> Vec<String> {
        let loss = |(pointer, what): &(&str, Value)| Loss {
            pointer: (*pointer).to_owned(),
            what: Json::from(what),
            why: "because".to_owned(),
        };
        let losses: Vec<Loss> = losses.iter().map(loss).collect();
        let found = differences(&before, &after, &losses, false);
        let facts = Facts { part: Part::Result, before: &before, after: &after, losses: &losses };
        let silent = unreported(&found, &facts).into_iter().map(|difference| difference.pointer.clone());
        silent.chain(losses.iter().filter_map(|loss| misreported(loss, &found, &facts))).collect()
    }

    const NONE: [&str; 0] = [];

    #[test]
    fn a_loss_explains_what_it_is_of_and_what_is_in_it() {
        let (before, after) = (json!({"a": {"b": 1}, "c": 2}), json!({"c": 2}));
        assert_eq!(wrong(before.clone(), after.clone(), &[("/a", json!({"b": 1}))]), NONE);
        assert_eq!(wrong(before.clone(), after.clone(), &[("/a/b", json!(1))]), NONE);
        assert_eq!(wrong(before.clone(), after.clone(), &[]), ["/a"]);
        let both = json!({"a": {"b": 1, "d": 1}});
        assert_eq!(wrong(both, json!({}), &[("/a/b", json!(1))]), ["/a"]);
        assert_eq!(wrong(before, after, &[("/a", json!({"b": 1}))]), NONE);
    }

    #[test]
    fn a_loss_is_of_what_was_there_and_has_changed() {
        let (before, after) = (json!({"a": 1, "b": 2}), json!({"b": 2}));
        let lost = |pointer, what| wrong(before.clone(), after.clone(), &[("/a", json!(1)), (pointer, what)]);
        assert_eq!(lost("/b", json!(2)), ["the loss is of what hasn't changed"]);
        assert_eq!(lost("/a", json!(5)), ["the loss says another value than the input has"]);
        assert_eq!(lost("/c", json!(5)), ["the loss is of what the input doesn't have"]);
    }

    #[test]
    fn rules_excuse_no_more_than_they_say() {
        assert_eq!(wrong(json!({"ttlMs": 0, "resultType": "complete"}), json!({}), &[]), NONE);
        assert_eq!(wrong(json!({"ttlMs": 1, "resultType": "other"}), json!({}), &[]), ["/resultType", "/ttlMs"]);
        assert_eq!(wrong(json!({"_meta": {}}), json!({}), &[]), NONE);
        assert_eq!(wrong(json!({"_meta": {"a": 1}}), json!({}), &[]), ["/_meta"]);
        let text = |text: &str| json!({"content": [{"type": "text", "text": text}]});
        let before = json!({"content": [], "structuredContent": {"n": 1}});
        let lost = [("/structuredContent", json!({"n": 1}))];
        assert_eq!(wrong(before.clone(), text("{\"n\": 1}"), &lost), NONE);
        assert_eq!(wrong(before, text("{\"n\": 2}"), &lost), ["/content/0"]);
        let choice = json!({"oneOf": [{"const": "a", "title": "A"}]});
        assert_eq!(wrong(choice.clone(), json!({"enum": ["a"], "enumNames": ["A"]}), &[]), NONE);
        assert_eq!(wrong(choice, json!({"enum": ["a"]}), &[]), ["/oneOf"]);
    }
}
