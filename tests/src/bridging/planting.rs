//! Puts members into an instance that its revision doesn't name.

use mcprism_types::ProtocolVersion;
use mcprism_types::bridge::Loss;
use serde_json::{Value, json};

use super::accounts::holds;
use super::revision::{Place, revision};
use super::shapes::{Seen, seen, step};
use super::silent::is_session;

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
    Some(Planted { parent: parent.to_owned(), pointer: step(parent, name), marker: marker.to_owned(), value })
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
    let mut made = Vec::new();
    for object in seen(revision(from), place, instance).iter().filter(|object| object.open) {
        for name in foreign_names(from, to, object) {
            let mut copy = instance.clone();
            // No member is a list of lists of such strings.
            let value = json!([["planted"]]);
            let planted = plant(&mut copy, &object.pointer, &name, value, "planted");
            if revision(from).judge(place, Some(&copy)).is_ok() {
                made.extend(planted.map(|planted| (copy, planted)));
            }
        }
    }
    made
}

fn foreign_names(from: ProtocolVersion, to: ProtocolVersion, object: &Seen) -> Vec<String> {
    let members = |version: ProtocolVersion| {
        let shapes = &revision(version).shapes;
        object.keys.iter().filter_map(|key| shapes.members(key)).flatten()
    };
    // What may be anything fits whatever it is.
    let anything = |schemas: &Vec<Value>| {
        schemas.iter().any(|schema| schema.get("type").is_none() && schema.get("$ref").is_none() && schema.get("anyOf").is_none())
    };
    let known: Vec<&String> = members(from).map(|(name, _)| name).collect();
    let others = ProtocolVersion::ALL.iter().copied().filter(|other| *other != from);
    let mut names: Vec<String> = others
        .flat_map(members)
        .filter(|(name, _)| !known.contains(name))
        .filter(|(name, _)| members(to).all(|(other, schemas)| other != *name || !anything(schemas)))
        .map(|(name, _)| name.clone())
        .collect();
    names.sort();
    names.dedup();
    names
}
