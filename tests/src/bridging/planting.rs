//! Puts members into an instance that its revision doesn't name.

use std::collections::BTreeMap;

use mcprism_types::ProtocolVersion;
use mcprism_types::bridge::Loss;
use serde_json::{Value, json};

use super::accounts::holds;
use super::revision::{Place, revision};
use super::shapes::{Seen, seen};
use super::silent::is_session;
use crate::instances::fault::below;

/// What was put where.
#[derive(Clone, Debug)]
pub struct Planted {
    /// The object that has a member more.
    pub parent: String,
    /// The member.
    pub pointer: String,
    /// A text that stands nowhere else.
    pub marker: String,
    /// The whole value of the member.
    pub value: Value,
}

/// An instance with two members of a vendor's in each object that may have them; `None` if there is no such object.
pub fn vendor(version: ProtocolVersion, place: Place, instance: &Value) -> Option<(Value, Vec<Planted>)> {
    let mut copy = instance.clone();
    let mut planted = Vec::new();
    for object in seen(revision(version), place, instance).iter().filter(|object| object.open) {
        for name in ["com.example/x", "x-vendor"] {
            let marker = format!("planted-{}-", planted.len());
            let value = if name == "x-vendor" { json!({"deep": [marker]}) } else { json!(marker) };
            planted.extend(plant(&mut copy, &object.pointer, name, value, &marker));
        }
    }
    let valid = revision(version).judge(place, Some(&copy)).is_ok();
    (valid && !planted.is_empty()).then_some((copy, planted))
}

fn plant(json: &mut Value, parent: &str, name: &str, value: Value, marker: &str) -> Option<Planted> {
    let members = json.pointer_mut(parent)?.as_object_mut()?;
    if members.contains_key(name) {
        return None;
    }
    members.insert(name.to_owned(), value.clone());
    Some(Planted { parent: parent.to_owned(), pointer: below(parent, name), marker: marker.to_owned(), value })
}

impl Planted {
    /// Whether it may be missing: what it was in is gone, and that is reported or by a rule.
    pub fn may_be_gone(&self, losses: &[Loss]) -> bool {
        let parent = losses.iter().any(|loss| holds(&loss.pointer, &self.parent));
        // The arms of an enumeration with titles become strings.
        let arm = self.parent.contains("/oneOf/") && losses.iter().any(|loss| holds(&loss.pointer, &self.pointer));
        parent || arm || is_session(&self.parent)
    }
}

/// Instances with one member each that the target names and the source doesn't, or that neither
/// does but a third revision, of a value that fits nothing.
pub fn foreign(from: ProtocolVersion, to: ProtocolVersion, place: Place, instance: &Value) -> Vec<(Value, Planted)> {
    // No member is a list of lists of such strings.
    let value =
        |schemas: &[&Value]| (!schemas.iter().any(|schema| takes_anything(schema))).then(|| json!([["planted"]]));
    with_members(from, to, place, instance, &value, true)
}

/// Instances with one member each that the target names and the source doesn't, of a value that
/// fits what the target wants there.
pub fn fitting(from: ProtocolVersion, to: ProtocolVersion, place: Place, instance: &Value) -> Vec<(Value, Planted)> {
    let value = |schemas: &[&Value]| match schemas {
        // A fixed string means more than itself.
        [schema] if schema["type"] == "string" && schema.get("const").or(schema.get("enum")).is_none() => {
            Some(json!("planted"))
        }
        _ => None,
    };
    let mut made = with_members(from, to, place, instance, &value, false);
    // What a result is and who the client is mean more than themselves, too.
    made.retain(|(_, planted)| !planted.pointer.ends_with("/resultType") && !is_session(&planted.pointer));
    made
}

fn with_members(
    from: ProtocolVersion,
    to: ProtocolVersion,
    place: Place,
    instance: &Value,
    value: &impl Fn(&[&Value]) -> Option<Value>,
    others: bool,
) -> Vec<(Value, Planted)> {
    let mut made = Vec::new();
    let there = seen(revision(to), place, instance);
    // Where the target names nothing, anything may stand; and what the client says of itself goes as a whole.
    let names =
        |object: &&Seen| there.iter().any(|other| other.pointer == object.pointer) && !is_session(&object.pointer);
    for object in seen(revision(from), place, instance).iter().filter(|object| object.open).filter(names) {
        for (name, value) in foreign_members(from, to, object, value, others) {
            let mut copy = instance.clone();
            let planted = plant(&mut copy, &object.pointer, &name, value, "planted");
            if revision(from).judge(place, Some(&copy)).is_ok() {
                made.extend(planted.map(|planted| (copy, planted)));
            }
        }
    }
    made
}

fn foreign_members(
    from: ProtocolVersion,
    to: ProtocolVersion,
    object: &Seen,
    value: &impl Fn(&[&Value]) -> Option<Value>,
    others: bool,
) -> BTreeMap<String, Value> {
    let members = |version: ProtocolVersion| {
        let shapes = &revision(version).shapes;
        object.keys.iter().filter_map(|key| shapes.members(key)).flatten()
    };
    let known = |name: &String| object.named.contains(name) || members(from).any(|(known, _)| known == name);
    let elsewhere = ProtocolVersion::ALL.iter().copied().filter(|other| others || *other == to);
    let names = elsewhere.flat_map(members).map(|(name, _)| name).filter(|name| !known(name));
    let valued = names.filter_map(|name| {
        let wanted: Vec<&Value> =
            members(to).filter(|(other, _)| *other == name).flat_map(|(_, schemas)| schemas).collect();
        let mut unique: Vec<&Value> = Vec::new();
        for schema in wanted {
            if !unique.contains(&schema) {
                unique.push(schema);
            }
        }
        Some((name.clone(), value(&unique)?))
    });
    valued.collect()
}

fn takes_anything(schema: &Value) -> bool {
    ["type", "$ref", "anyOf", "allOf"].iter().all(|keyword| schema.get(keyword).is_none())
}
