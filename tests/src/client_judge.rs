//! Judges every line that a client writes by the schema of the revision that it is in.

use std::collections::{BTreeMap, BTreeSet};

use mcprism_types::bridge::Part;
use mcprism_types::{Era, MethodKind, ProtocolVersion, Sender};
use serde_json::Value;

use crate::bridging::revision::{Place, revision};
use crate::bridging::shapes::seen;
use crate::judge::{self, Judging};

/// What a connection has said so far, as far as it is needed to know what a client's lines are.
#[derive(Debug, Default)]
pub struct ClientJudge {
    /// The revision of the handshake, once the server has answered it.
    session: Option<ProtocolVersion>,
    /// Whether the client has said that it is initialized.
    ready: bool,
    /// The revision of a discovery that was answered.
    discovered: Option<ProtocolVersion>,
    /// The client's requests that are not answered yet: method and revision, by id.
    open: BTreeMap<i64, (String, ProtocolVersion)>,
    /// All ids that the client has used.
    used: BTreeSet<i64>,
    /// The server's requests that are not answered yet: the method, by id. Several may have one id.
    asked: Vec<(String, String)>,
}

impl Judging for ClientJudge {
    fn sent(&mut self, line: &str) {
        match serde_json::from_str(line.trim_start_matches('\u{feff}')) {
            Ok(Value::Array(all)) => all.iter().for_each(|message| self.note(message)),
            Ok(message) => self.note(&message),
            Err(_) => {}
        }
    }

    fn written(&mut self, line: &str) -> Result<(), String> {
        let line: Value = serde_json::from_str(line).map_err(|error| format!("no JSON: {error}"))?;
        let fail = |why: String| format!("{why}\nin {line}");
        match &line {
            Value::Array(all) => {
                if !self.session.is_some_and(ProtocolVersion::batches) {
                    return Err(fail("a batch where there are none".to_owned()));
                }
                all.iter().try_for_each(|message| match message.get("method") {
                    Some(_) => Err(fail("only answers to a batch go out in one".to_owned())),
                    None => self.message(message).map_err(fail),
                })
            }
            message => self.message(message).map_err(fail),
        }
    }
}

impl ClientJudge {
    /// Notes what the server says.
    fn note(&mut self, message: &Value) {
        if let Some(method) = message["method"].as_str() {
            match message.get("id") {
                Some(id) if id.is_i64() || id.is_string() => self.asked.push((id.to_string(), method.to_owned())),
                // What it has given up is not answered.
                None if method == "notifications/cancelled" => {
                    let id = message["params"]["requestId"].to_string();
                    if let Some(at) = self.asked.iter().position(|(other, _)| *other == id) {
                        self.asked.remove(at);
                    }
                    if let Some(id) = message["params"]["requestId"].as_i64() {
                        self.open.remove(&id);
                    }
                }
                _ => {}
            }
            return;
        }
        let Some((method, version)) = number(&message["id"]).and_then(|id| self.open.remove(&id)) else { return };
        match (method.as_str(), message["result"]["protocolVersion"].as_str()) {
            ("initialize", Some(name)) => self.session = name.parse().ok(),
            ("server/discover", _) if message["result"]["supportedVersions"].is_array() => {
                self.discovered = Some(version);
            }
            _ => {}
        }
    }

    fn message(&mut self, message: &Value) -> Result<(), String> {
        if message["jsonrpc"] != "2.0" {
            return Err("no JSON-RPC".to_owned());
        }
        match (message["method"].as_str(), message.get("id")) {
            (Some(method), Some(id)) => {
                let id = id.as_i64().ok_or("the id of a request is no integer")?;
                self.request(id, method, message.get("params"))
            }
            (Some(method), None) => self.notification(method, message.get("params")),
            (None, Some(id)) => self.answer(&id.to_string(), message),
            (None, None) => Err("neither a method nor an id".to_owned()),
        }
    }

    fn request(&mut self, id: i64, method: &str, params: Option<&Value>) -> Result<(), String> {
        if !self.used.insert(id) {
            return Err(format!("the id {id} for a second time"));
        }
        let name = params.map(|params| match method {
            "initialize" => &params["protocolVersion"],
            _ => &params["_meta"]["io.modelcontextprotocol/protocolVersion"],
        });
        let named = name.and_then(Value::as_str).and_then(|name| name.parse::<ProtocolVersion>().ok());
        let version = match (method, self.session, named) {
            ("initialize", None, Some(version)) if version.era() == Era::Legacy => version,
            ("initialize", _, _) => return Err("an initialize that can't be".to_owned()),
            (_, None, Some(version)) if version.era() == Era::Modern => version,
            (_, Some(version), None) if self.ready => version,
            _ => return Err("a request of neither era, or one too soon".to_owned()),
        };
        self.open.insert(id, (method.to_owned(), version));
        let Some(known) = version.method(method) else {
            let of_another = ProtocolVersion::ALL.iter().any(|other| other.method(method).is_some());
            return if of_another { Err(format!("{version} has no {method}")) } else { Ok(()) };
        };
        if known.kind != MethodKind::Request || !known.sender.includes(Sender::Client) {
            return Err(format!("{method} is nothing that a client asks for at {version}"));
        }
        let place = Place { method: known.name, part: Part::Params };
        revision(version).judge(place, params)?;
        match params {
            Some(params) => said_of_itself(version, place, params),
            None => Ok(()),
        }
    }

    fn notification(&mut self, method: &str, params: Option<&Value>) -> Result<(), String> {
        let version = self.session.or(self.discovered).ok_or("a notification before anything is agreed on")?;
        let known = version.method(method).ok_or_else(|| format!("{version} has no {method}"))?;
        if known.kind != MethodKind::Notification || !known.sender.includes(Sender::Client) {
            return Err(format!("{method} is nothing that a client tells of at {version}"));
        }
        match method {
            "notifications/initialized" if std::mem::replace(&mut self.ready, true) => {
                return Err("initialized for a second time".to_owned());
            }
            "notifications/initialized" => {}
            _ if self.session.is_some() && !self.ready => return Err("a notification too soon".to_owned()),
            "notifications/cancelled" => {
                let id = params.and_then(|params| params["requestId"].as_i64());
                match id.and_then(|id| self.open.remove(&id)) {
                    Some((method, _)) if method != "initialize" => {}
                    _ => return Err("what is cancelled is not under way".to_owned()),
                }
            }
            _ => {}
        }
        revision(version).judge(Place { method: known.name, part: Part::Notification }, params)
    }

    fn answer(&mut self, id: &str, message: &Value) -> Result<(), String> {
        if self.discovered.is_some() && self.session.is_none() {
            return Err("an answer of a client's of the modern era".to_owned());
        }
        let at = self.asked.iter().position(|(other, _)| other == id);
        let at = at.ok_or("an answer to nothing that was asked, or a second one")?;
        match (message.get("result"), message.get("error")) {
            (Some(result), None) => {
                let (_, method) = self.asked.remove(at);
                judge::result(self.session.unwrap_or(ProtocolVersion::V2024_11_05), &method, result)
            }
            (None, Some(_)) => {
                // Of two that have one id, it is the second that is refused.
                let at = self.asked.iter().rposition(|(other, _)| other == id).unwrap_or(at);
                self.asked.remove(at);
                judge::error(message, self.session)
            }
            _ => Err("neither a result nor an error".to_owned()),
        }
    }
}

/// The number that an id means, however it is written.
fn number(id: &Value) -> Option<i64> {
    let whole = |id: f64| (id.fract() == 0.0).then_some(id as i64);
    id.as_i64().or_else(|| id.as_f64().and_then(whole)).or_else(|| id.as_str()?.parse().ok())
}

/// What a client says of itself has nothing that the revision doesn't name.
fn said_of_itself(version: ProtocolVersion, place: Place, params: &Value) -> Result<(), String> {
    for object in seen(revision(version), place, params) {
        let of_itself = ["/capabilities", "/clientInfo", "/_meta/io.modelcontextprotocol~1client"];
        if !of_itself.iter().any(|start| object.pointer.starts_with(start)) {
            continue;
        }
        let members = params.pointer(&object.pointer).and_then(Value::as_object);
        let strange = members.into_iter().flatten().find(|(name, _)| !object.named.contains(*name));
        if let Some((name, _)) = strange {
            return Err(format!("{version} does not name {}/{name}", object.pointer));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const INITIALIZE: &str = r#"> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
    const AGREED: &str = r#"< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}"#;
    const INITIALIZED: &str = r#"> {"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    const DISCOVER: &str = r#"> {"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    const DISCOVERED: &str = r#"< {"jsonrpc":"2.0","id":0,"result":{"supportedVersions":["2026-07-28"]}}"#;
    const PING: &str = r#"< {"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    const PONG: &str = r#"> {"jsonrpc":"2.0","id":1,"result":{}}"#;
    const CALL: &str = r#"> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}"#;

    /// Why the last of these lines is not valid; the others are. `>` is before what the client writes.
    fn why(lines: &[&str]) -> Option<String> {
        let mut judge = ClientJudge::default();
        let mut said = None;
        for line in lines {
            assert_eq!(said, None, "before {line}");
            match line.split_once(' ').unwrap() {
                (">", line) => said = judge.written(line).err(),
                (_, line) => judge.sent(line),
            }
        }
        said.map(|why| why.lines().next().unwrap_or_default().to_owned())
    }

    #[test]
    fn what_is_wrong_is_found() {
        let opened = [INITIALIZE, AGREED, INITIALIZED];
        let newer = INITIALIZE.replace(r#""capabilities":{}"#, r#""capabilities":{"elicitation":{},"tasks":{}}"#);
        let cancel = |id: &str| {
            format!(r#"> {{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#)
        };
        let (first, second) = (cancel("0"), cancel("1"));
        let rows: &[(&[&str], &str)] = &[
            (&[&newer], "2025-06-18 does not name /capabilities/tasks"),
            (&[CALL], "a request of neither era, or one too soon"),
            (&[INITIALIZE, AGREED, CALL], "a request of neither era, or one too soon"),
            (&[INITIALIZE, INITIALIZED], "a notification before anything is agreed on"),
            (&[INITIALIZE, AGREED, INITIALIZED, INITIALIZED], "initialized for a second time"),
            (&[INITIALIZE, AGREED, INITIALIZED, CALL, CALL], "the id 1 for a second time"),
            (&[INITIALIZE, AGREED, INITIALIZED, &second], "what is cancelled is not under way"),
            (&[INITIALIZE, &first], "a notification before anything is agreed on"),
            (&[INITIALIZE, AGREED, PONG], "an answer to nothing that was asked, or a second one"),
            (&[INITIALIZE, AGREED, PING, PONG, PONG], "an answer to nothing that was asked, or a second one"),
            (&[DISCOVER, DISCOVERED, PING, PONG], "an answer of a client's of the modern era"),
            (&[DISCOVER, DISCOVERED, CALL], "a request of neither era, or one too soon"),
            (&[DISCOVER, DISCOVERED, INITIALIZED], "2026-07-28 has no notifications/initialized"),
        ];
        for (lines, wanted) in rows {
            assert_eq!(why(lines).as_deref(), Some(*wanted), "{lines:?}");
        }
        assert_eq!(why(&[&opened[..], &[PING, PONG, CALL, &second]].concat()), None);
        assert_eq!(why(&[DISCOVER]), None);
        let noisy = format!("{PONG}{PONG}");
        assert!(why(&[INITIALIZE, AGREED, PING, &noisy]).is_some_and(|why| why.starts_with("no JSON")));
    }
}
