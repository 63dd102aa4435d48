//! The differences that need no report, because a rule says what they are.

use mcprism_types::bridge::{Loss, Part};
use serde_json::{Value, json};

use super::differences::{Change, Difference};
use crate::instances::equality::equal;

/// What a rule may look at.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The part that is converted.
    pub part: Part,
    /// The input; absent params are an empty object.
    pub before: &'a Value,
    /// The output, likewise.
    pub after: &'a Value,
    /// What was reported.
    pub losses: &'a [Loss],
}

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// What it excuses.
    pub name: &'static str,
    applies: fn(&Difference, &Facts<'_>) -> bool,
}

/// The rules.
pub const RULES: &[Rule] = &[
    Rule { name: "a member of a result that says its default", applies: default },
    Rule { name: "what the client says of itself with each request", applies: session },
    Rule { name: "a `_meta` that holds nothing", applies: empty_meta },
    Rule { name: "the content that a tool's result left out", applies: no_content },
    Rule { name: "lost structured content, as text", applies: structured },
    Rule { name: "the titles of an enumeration, as names", applies: titles },
];

/// The rule that excuses a difference.
pub fn excuse(difference: &Difference, facts: &Facts<'_>) -> Option<&'static Rule> {
    RULES.iter().find(|rule| (rule.applies)(difference, facts))
}

fn default(difference: &Difference, facts: &Facts<'_>) -> bool {
    let value = match difference.change {
        Change::Removed => &difference.before,
        Change::Added => &difference.after,
        Change::Replaced => return false,
    };
    let defaults = [("/resultType", json!("complete")), ("/ttlMs", json!(0)), ("/cacheScope", json!("private"))];
    facts.part == Part::Result
        && defaults.iter().any(|(pointer, known)| difference.pointer == *pointer && equal(value, known))
}

/// Whether a place is, or is in, what the client says of itself.
pub fn is_session(pointer: &str) -> bool {
    let members = ["protocolVersion", "clientInfo", "clientCapabilities"];
    let known = members.map(|member| format!("/_meta/io.modelcontextprotocol~1{member}"));
    known.iter().any(|known| super::accounts::holds(known, pointer))
}

fn session(difference: &Difference, facts: &Facts<'_>) -> bool {
    facts.part == Part::Params && difference.change != Change::Replaced && is_session(&difference.pointer)
}

fn empty_meta(difference: &Difference, _: &Facts<'_>) -> bool {
    let value = match difference.change {
        Change::Removed => &difference.before,
        Change::Added => &difference.after,
        Change::Replaced => return false,
    };
    difference.pointer == "/_meta" && *value == json!({})
}

/// The schema doesn't allow it, but many servers do it, and so it is read.
fn no_content(difference: &Difference, facts: &Facts<'_>) -> bool {
    let empty = facts.part == Part::Result && difference.pointer == "/content" && difference.after == json!([]);
    empty && difference.change == Change::Added
}

fn structured(difference: &Difference, facts: &Facts<'_>) -> bool {
    let Some((list, _)) = difference.pointer.rsplit_once('/') else { return false };
    let Some(owner) = list.strip_suffix("/content") else { return false };
    let lost = format!("{owner}/structuredContent");
    let text = difference.after["text"].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    difference.change == Change::Added
        && facts.losses.iter().any(|loss| loss.pointer == lost)
        && difference.after["type"] == "text"
        && text.as_ref() == facts.before.pointer(&lost)
}

/// `oneOf: [{const, title}]` and `enum` with `enumNames` say the same.
fn titles(difference: &Difference, facts: &Facts<'_>) -> bool {
    let pointer = difference.pointer.as_str();
    match difference.change {
        Change::Removed => {
            let Some((owner, inside)) = pointer.split_once("/oneOf") else { return false };
            // Whatever else the arms have is no title.
            let plain = |arm: &Value| arm.as_object().is_some_and(|arm| arm.keys().all(|name| said_as(name).is_some()));
            let arms = facts.before.pointer(&format!("{owner}/oneOf")).and_then(Value::as_array);
            match inside.rsplit('/').next() {
                Some("") => {
                    let whole = ["const", "title"].iter().all(|name| said(owner, name, facts));
                    whole && arms.is_some_and(|arms| arms.iter().all(plain))
                }
                Some(member) => said_as(member).is_some() && said(owner, member, facts),
                None => false,
            }
        }
        Change::Added => pointer.rsplit_once('/').is_some_and(|(owner, member)| {
            ["const", "title"].iter().any(|name| said_as(name) == Some(member) && said(owner, name, facts))
        }),
        Change::Replaced => false,
    }
}

/// The list that says a member of the arms.
fn said_as(name: &str) -> Option<&'static str> {
    match name {
        "const" => Some("enum"),
        "title" => Some("enumNames"),
        _ => None,
    }
}

fn said(owner: &str, name: &str, facts: &Facts<'_>) -> bool {
    let arms = facts.before.pointer(&format!("{owner}/oneOf")).and_then(Value::as_array);
    let wanted = arms.map(|arms| arms.iter().map(|arm| arm[name].clone()).collect::<Vec<Value>>());
    let list = said_as(name).and_then(|list| facts.after.pointer(&format!("{owner}/{list}")));
    wanted.is_some() && list.and_then(Value::as_array) == wanted.as_ref()
}
