//! Judges every line that a server writes by the schema of the revision that it is in.

use std::collections::HashMap;

use mcprism_types::bridge::Part;
use mcprism_types::{MethodKind, ProtocolVersion};
use serde_json::Value;

use crate::bridging::revision::{Place, revision};

/// Judges the lines of one side of a connection.
pub trait Judging {
    /// Notes a line that goes to the side that is judged.
    fn sent(&mut self, line: &str);

    /// Judges a line that this side has written.
    ///
    /// # Errors
    /// What is wrong with it.
    fn written(&mut self, line: &str) -> Result<(), String>;
}

/// What a connection has said so far, as far as it is needed to know what its lines are.
#[derive(Debug, Default)]
pub struct Judge {
    session: Option<ProtocolVersion>,
    /// The requests that were sent to the server: method and revision, by id.
    asked: HashMap<String, (String, Option<ProtocolVersion>)>,
    /// How many lines were sent that can't be read.
    garbled: usize,
}

impl Judging for Judge {
    fn sent(&mut self, line: &str) {
        self.sent(line);
    }

    fn written(&mut self, line: &str) -> Result<(), String> {
        self.written(line)
    }
}

impl Judge {
    /// Notes a line that goes to the server.
    pub fn sent(&mut self, line: &str) {
        match serde_json::from_str(line) {
            Ok(Value::Array(all)) => all.iter().for_each(|message| self.note(message)),
            Ok(message) => self.note(&message),
            // What can't be read may be answered with an error of the id that stands in it.
            Err(_) => self.garbled += 1,
        }
    }

    /// Judges a line that the server has written.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn written(&mut self, line: &str) -> Result<(), String> {
        let line: Value = serde_json::from_str(line).map_err(|error| format!("no JSON: {error}"))?;
        match &line {
            Value::Array(all) => {
                if !self.session.is_some_and(ProtocolVersion::batches) {
                    return Err("a batch where there are none".to_owned());
                }
                all.iter().try_for_each(|message| self.message(message))
            }
            message => self.message(message),
        }
    }

    fn note(&mut self, message: &Value) {
        if let Some(id) = message.get("id") {
            let method = message["method"].as_str().unwrap_or("nothing");
            // The same id, however it is written.
            let id = id
                .as_f64()
                .filter(|id| id.fract() == 0.0 && !message["id"].is_i64())
                .map_or_else(|| id.to_string(), |id| format!("{id:.0}"));
            let named = message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str();
            let modern = named.and_then(|name| name.parse::<ProtocolVersion>().ok());
            let modern = modern.filter(|version| version.era() == mcprism_types::Era::Modern);
            self.asked.insert(id, (method.to_owned(), modern));
        }
    }

    fn message(&mut self, message: &Value) -> Result<(), String> {
        if message["jsonrpc"] != "2.0" {
            return Err("no JSON-RPC".to_owned());
        }
        let fail = |why: String| format!("{why}\nin {message}");
        if let Some(method) = message["method"].as_str() {
            let version = self.notified(message);
            let known = version.method(method).ok_or_else(|| fail(format!("{version} has no {method}")))?;
            let part = match known.kind {
                MethodKind::Notification => Part::Notification,
                MethodKind::Request => Part::Params,
                MethodKind::InputRequest => return Err(fail(format!("{version} has no request {method}"))),
            };
            if (part == Part::Params) != message.get("id").is_some() {
                return Err(fail("an id where none belongs, or none where one does".to_owned()));
            }
            let place = Place { method: known.name, part };
            return revision(version).judge(place, message.get("params")).map_err(fail);
        }
        let asked = message.get("id").map(|id| self.asked.remove(&id.to_string()));
        let (method, version) = match asked {
            None => return error(message, self.session).map_err(fail),
            Some(None) if message.get("error").is_some() && self.garbled > 0 => {
                self.garbled -= 1;
                return error(message, self.session).map_err(fail);
            }
            Some(None) => return Err(fail("an answer to nothing that was asked, or a second one".to_owned())),
            Some(Some(asked)) => asked,
        };
        if message.get("error").is_some() {
            return error(message, version.or(self.session)).map_err(fail);
        }
        let result = message.get("result").ok_or_else(|| fail("neither a result nor an error".to_owned()))?;
        if method == "initialize" {
            let name = result["protocolVersion"].as_str().unwrap_or_default();
            self.session = Some(name.parse().map_err(|_| fail(format!("no such version: {name}")))?);
        }
        let version = version.or(self.session).unwrap_or(ProtocolVersion::V2024_11_05);
        self::result(version, &method, result).map_err(fail)
    }

    /// The revision of a notification or a request: modern ones say to which stream they belong.
    fn notified(&self, message: &Value) -> ProtocolVersion {
        let stream = message["params"]["_meta"].get("io.modelcontextprotocol/subscriptionId");
        match (stream, self.session) {
            (None, Some(session)) => session,
            _ => ProtocolVersion::LATEST,
        }
    }
}

/// Judges an answer that is an error.
pub(crate) fn error(message: &Value, version: Option<ProtocolVersion>) -> Result<(), String> {
    let error = &message["error"];
    if !error["code"].is_i64() || !error["message"].is_string() {
        return Err("an error needs a code and a message".to_owned());
    }
    if message.get("id").is_none() && !version.is_some_and(ProtocolVersion::errors_without_id) {
        return Err("an error without an id where the revision has none".to_owned());
    }
    Ok(())
}

/// Judges the result of a method by the schema of a revision; that of a vendor's method has none.
pub(crate) fn result(version: ProtocolVersion, method: &str, result: &Value) -> Result<(), String> {
    match version.method(method) {
        Some(known) => {
            let place = Place { method: known.name, part: Part::Result };
            revision(version).judge(place, Some(result))
        }
        None => Ok(()),
    }
}
