//! One conversion: what was asked, and what came of it.

use std::fmt;

use mcprism_types::bridge::{Loss, Members, Options, Policy, Refused, Session, translate};
use mcprism_types::{JsonObject, ProtocolVersion};
use serde_json::{Value, json};

use super::revision::Place;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The revision of the input.
    pub from: ProtocolVersion,
    /// The revision of the output.
    pub to: ProtocolVersion,
    /// The method and the part.
    pub place: Place,
    /// The input.
    pub input: Option<&'a Value>,
    /// How it is to be done.
    pub options: &'a Options,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The text.
    pub text: Option<String>,
    /// The text, read.
    pub json: Option<Value>,
    /// What was reported.
    pub losses: Vec<Loss>,
}

/// Options of one kind, with a client that has something to say of itself.
///
/// # Panics
/// Never: what the client says is an object.
pub fn options(members: Members, policy: Policy) -> Options {
    let object = |value: Value| JsonObject::try_from(value).expect("it is an object");
    Options {
        policy,
        members,
        session: Session {
            protocol_version: None,
            client_capabilities: object(json!({"roots": {}, "sampling": {}})),
            client_info: Some(object(json!({"name": "bridge tests", "version": "1"}))),
        },
    }
}

impl Question<'_> {
    /// Converts, and reads what came out.
    ///
    /// # Errors
    /// If the input is refused.
    ///
    /// # Panics
    /// If what came out is not JSON.
    pub fn ask(&self) -> Result<Outcome, Refused> {
        let input = self.input.map(Value::to_string);
        let method = self.place.method;
        let translated = translate(self.from, self.to, method, self.place.part, input.as_deref(), self.options)?;
        let text = translated.json.map(String::from);
        let read = |text: &String| match serde_json::from_str(text) {
            Ok(json) => json,
            Err(error) => panic!("{self} came out as no JSON ({error}): {text}"),
        };
        Ok(Outcome { json: text.as_ref().map(read), text, losses: translated.losses })
    }

    /// The same, the other way.
    pub fn back<'b>(&'b self, output: &'b Outcome) -> Question<'b> {
        Question { from: self.to, to: self.from, input: output.json.as_ref(), ..self.clone() }
    }
}

impl fmt::Display for Question<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { policy, members, .. } = self.options;
        let Place { method, part } = self.place;
        let input = self.input.map_or_else(|| "nothing".to_owned(), Value::to_string);
        write!(f, "{} -> {} {method} {part:?} ({members:?}, {policy:?})\n    input  {input}", self.from, self.to)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n    output {}", self.text.as_deref().unwrap_or("nothing"))?;
        for Loss { pointer, what, why } in &self.losses {
            write!(f, "\n    loss   {pointer:?} {what} ({why})")?;
        }
        Ok(())
    }
}
