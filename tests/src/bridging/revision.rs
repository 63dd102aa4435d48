//! A revision as the judge of its own messages.

use std::sync::OnceLock;

use mcprism_types::bridge::Part;
use mcprism_types::{Method, MethodKind, ProtocolVersion};
use serde_json::{Value, json};

use super::shapes::Shapes;
use crate::instances::rules::Rules;
use crate::schemas::rules;

/// A part of the messages of one method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the method.
    pub method: &'static str,
    /// Which part.
    pub part: Part,
}

impl Place {
    /// The part as a line of `translate` calls it.
    pub fn part_name(self) -> &'static str {
        match self.part {
            Part::Params => "params",
            Part::Result => "result",
            Part::Notification => "notification",
        }
    }
}

/// A revision, its schema, and what its schema names.
#[derive(Debug)]
pub struct Revision {
    /// Which one.
    pub version: ProtocolVersion,
    /// The schema, errata applied.
    pub rules: Rules,
    /// The members that each of its types names.
    pub shapes: Shapes,
}

/// The revision, loaded once.
///
/// # Panics
/// If its schema is not in the repository.
pub fn revision(version: ProtocolVersion) -> &'static Revision {
    static LOADED: [OnceLock<Revision>; 8] = [const { OnceLock::new() }; 8];
    let at = ProtocolVersion::ALL.iter().position(|other| *other == version).expect("all revisions are in the list");
    LOADED[at].get_or_init(|| {
        let rules = rules(version.as_str());
        let shapes = Shapes::new(version, &rules);
        Revision { version, rules, shapes }
    })
}

/// Every pair of two different revisions.
pub fn pairs() -> impl Iterator<Item = (ProtocolVersion, ProtocolVersion)> {
    let all = ProtocolVersion::ALL.iter().copied();
    all.clone().flat_map(move |from| all.clone().filter(move |to| *to != from).map(move |to| (from, to)))
}

impl Revision {
    /// Everything that this revision's messages are made of.
    pub fn places(&self) -> Vec<Place> {
        let parts = |method: &Method| match method.kind {
            MethodKind::Notification => vec![Part::Notification],
            MethodKind::Request | MethodKind::InputRequest => vec![Part::Params, Part::Result],
        };
        let methods = self.version.methods().iter();
        methods.flat_map(|method| parts(method).into_iter().map(|part| Place { method: method.name, part })).collect()
    }

    /// The definition of a message: the one whose `method` is that literal.
    ///
    /// # Panics
    /// If there is none.
    pub fn message(&self, method: &str) -> &str {
        let literal =
            |schema: &Value| schema.pointer("/properties/method/const").and_then(Value::as_str) == Some(method);
        // A union of a single message is written as that message.
        let union = ["ClientRequest", "ServerRequest", "ClientNotification", "ServerNotification"];
        let mut found =
            self.rules.schemas().iter().filter(|(name, schema)| literal(schema) && !union.contains(&name.as_str()));
        found
            .next()
            .map(|(name, _)| name.as_str())
            .unwrap_or_else(|| panic!("{} has no message {method}", self.version))
    }

    /// The types that a result may be of.
    ///
    /// # Panics
    /// If the revision has no such request.
    pub fn results(&self, method: &str) -> Vec<&'static str> {
        let method = self.version.method(method).expect("the method was taken from a revision that has it");
        method.result.into_iter().chain(method.alternatives.iter().copied()).collect()
    }

    /// Asks the schema about a text of this revision.
    ///
    /// # Errors
    /// With what the schema says against it.
    pub fn judge(&self, place: Place, json: Option<&Value>) -> Result<(), String> {
        if place.part != Part::Result {
            let mut message = json!({"jsonrpc": "2.0", "id": 1, "method": place.method});
            if let Some(json) = json {
                message["params"] = json.clone();
            }
            return self.one(self.message(place.method), &message);
        }
        let Some(json) = json else { return Err("a result has to be there".to_owned()) };
        let said: Vec<String> = self.results(place.method).iter().filter_map(|ty| self.one(ty, json).err()).collect();
        match said.len() < self.results(place.method).len() {
            true => Ok(()),
            false => Err(said.join("; ")),
        }
    }

    fn one(&self, ty: &str, json: &Value) -> Result<(), String> {
        let judge = self.rules.validator(ty);
        if judge.is_valid(json) {
            return Ok(());
        }
        let first = judge.iter_errors(json).next();
        Err(first.map_or_else(|| ty.to_owned(), |error| format!("{ty} {}: {error}", error.instance_path())))
    }
}
