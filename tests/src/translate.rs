//! Answers questions about conversions between revisions, one a line.

use std::borrow::Cow;

use mcprism_types::bridge::{Loss, Members, Options, Part, Policy, Session, translate};
use mcprism_types::{Json, JsonObject, Map, ProtocolVersion, decode};
use serde::{Deserialize, Serialize};

/// What a member of the session may have before its name.
const PREFIX: &str = "io.modelcontextprotocol/";

/// A line of input.
#[derive(Deserialize)]
struct Question<'a> {
    from: Cow<'a, str>,
    to: Cow<'a, str>,
    method: Cow<'a, str>,
    part: Cow<'a, str>,
    json: Option<String>,
    session: Option<JsonObject>,
    mode: Option<String>,
    policy: Option<String>,
}

/// A line of output.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Translated { json: Option<String>, losses: Vec<Lost> },
    Refused { refused: String },
}

/// A loss, as it is written.
#[derive(Serialize)]
struct Lost {
    pointer: String,
    what: Json,
    why: String,
}

impl From<Loss> for Lost {
    fn from(loss: Loss) -> Self {
        Self { pointer: loss.pointer, what: loss.what, why: loss.why }
    }
}

/// Answers one line. A line that is no question is refused, too.
pub fn answer(line: &[u8]) -> String {
    let answer = match serde_json::from_slice::<Question<'_>>(line) {
        Ok(question) => ask(&question).unwrap_or_else(|refused| Answer::Refused { refused }),
        Err(error) => Answer::Refused { refused: format!("the line is no question: {error}; see --help") },
    };
    serde_json::to_string(&answer).expect("strings and JSON can be written")
}

fn ask(question: &Question<'_>) -> Result<Answer, String> {
    let options = Options {
        policy: chosen("policy", question.policy.as_deref().unwrap_or("substitute"), POLICIES)?,
        members: chosen("mode", question.mode.as_deref().unwrap_or("strict"), MODES)?,
        session: question.session.as_ref().map(session).transpose()?.unwrap_or_default(),
    };
    let (from, to) = (version("from", &question.from)?, version("to", &question.to)?);
    let part = chosen("part", &question.part, PARTS)?;
    let json = question.json.as_deref();
    // Where both revisions agree, the text would come back unread.
    if let Some(Err(error)) = json.map(decode::<Json>) {
        return Err(format!("json: {error}"));
    }
    let translated = translate(from, to, &question.method, part, json, &options).map_err(|error| error.to_string())?;
    Ok(Answer::Translated {
        json: translated.json.map(Cow::into_owned),
        losses: translated.losses.into_iter().map(Lost::from).collect(),
    })
}

const PARTS: &[(&str, Part)] =
    &[("params", Part::Params), ("result", Part::Result), ("notification", Part::Notification)];
const MODES: &[(&str, Members)] = &[("strict", Members::Strict), ("keep", Members::Keep)];
const POLICIES: &[(&str, Policy)] =
    &[("substitute", Policy::Substitute), ("drop", Policy::Drop), ("refuse", Policy::Refuse)];

/// The part of that name.
///
/// # Errors
/// If there is none.
pub fn part(name: &str) -> Result<Part, String> {
    chosen("part", name, PARTS)
}

fn chosen<T: Copy>(member: &str, name: &str, known: &[(&str, T)]) -> Result<T, String> {
    let found = known.iter().find(|(other, _)| *other == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        format!("{member}: unknown `{name}`; use one of {}", names.join(", "))
    })
}

fn version(member: &str, name: &str) -> Result<ProtocolVersion, String> {
    name.parse().map_err(|error| format!("{member}: `{name}`: {error}"))
}

/// What the client said of itself. Members that no conversion needs are not read.
fn session(members: &JsonObject) -> Result<Session, String> {
    let members: Map = decode(members.as_str()).map_err(|error| format!("session: {error}; give an object"))?;
    let member = |name: &str| {
        let value = members.get(name).or_else(|| members.get(&format!("{PREFIX}{name}")));
        value.filter(|value| value.as_str() != "null")
    };
    let object = |name: &str| {
        let object = member(name).map(|value| JsonObject::try_from(value.clone())).transpose();
        object.map_err(|error| format!("session/{name}: {error}; give an object"))
    };
    let version = member("protocolVersion").map(|value| value.read::<String>()).transpose();
    Ok(Session {
        protocol_version: version.map_err(|error| format!("session/protocolVersion: {error}; give a string"))?,
        client_capabilities: object("clientCapabilities")?.unwrap_or_default(),
        client_info: object("clientInfo")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn asked(question: &Value) -> Value {
        serde_json::from_str(&answer(question.to_string().as_bytes())).unwrap()
    }

    fn refused(question: &Value) -> String {
        let answer = asked(question);
        answer["refused"].as_str().unwrap_or_else(|| panic!("{answer} is no refusal")).to_owned()
    }

    fn question(changed: &str, value: Value) -> Value {
        let mut question = json!({
            "from": "2025-06-18", "to": "2025-11-25", "method": "tools/call", "part": "params", "json": r#"{"name":"n"}"#,
        });
        question[changed] = value;
        question
    }

    #[test]
    fn a_question_is_answered() {
        let wanted = json!({"json": r#"{"name":"n"}"#, "losses": []});
        assert_eq!(asked(&question("mode", Value::Null)), wanted);
        assert_eq!(asked(&question("mode", json!("keep"))), wanted);
        assert_eq!(asked(&question("policy", json!("refuse"))), wanted);
    }

    #[test]
    fn params_may_be_absent() {
        let mut question = question("method", json!("tools/list"));
        for absent in [true, false] {
            match absent {
                true => drop(question.as_object_mut().unwrap().remove("json")),
                false => question["json"] = Value::Null,
            }
            assert_eq!(asked(&question), json!({"json": null, "losses": []}));
        }
    }

    #[test]
    fn what_is_unknown_is_refused_where_it_stands() {
        let known = "use one of";
        for (member, also) in [("part", known), ("mode", known), ("policy", known), ("from", "known are 2024-11-05")] {
            let refused = refused(&question(member, json!("nope")));
            assert!(refused.starts_with(&format!("{member}: ")), "{refused}");
            assert!(refused.contains("nope") && refused.contains(also), "{refused}");
        }
        let refused = refused(&question("method", json!("no/such")));
        assert!(refused.contains("no/such"), "{refused}");
    }

    #[test]
    fn lines_that_are_no_questions_are_refused() {
        let lines: [&[u8]; 8] =
            [b"", b"{", b"[]", b"null", b"{}", b"\xff\xfe", br#"{"from":5}"#, br#"{"from":"2024-11-05"}"#];
        for line in lines {
            let answer: Value = serde_json::from_str(&answer(line)).unwrap();
            assert!(answer["refused"].as_str().unwrap().starts_with("the line is no question: "), "{answer}");
        }
    }

    #[test]
    fn depth_and_size_crash_nothing() {
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        let name = |value: &str| json!(format!(r#"{{"name":{value}}}"#));
        assert!(asked(&question("json", name(&deep)))["refused"].is_string());
        let line = format!(r#"{{"from":"2025-06-18","session":{deep}}}"#);
        assert!(answer(line.as_bytes()).contains("refused"));
        let long = format!("\"{}\"", "x".repeat(1 << 20));
        assert_eq!(asked(&question("json", name(&long)))["json"], name(&long));
    }

    #[test]
    fn a_session_is_read_with_or_without_the_prefix() {
        for prefix in ["", PREFIX] {
            let text = json!({
                format!("{prefix}clientCapabilities"): {"roots": {}},
                format!("{prefix}clientInfo"): {"name": "c", "version": "1"},
                format!("{prefix}protocolVersion"): "2025-06-18",
            });
            let session = session(&JsonObject::try_from(text).unwrap()).unwrap();
            assert_eq!(session.protocol_version.as_deref(), Some("2025-06-18"));
            assert_eq!(session.client_capabilities.as_str(), r#"{"roots":{}}"#);
            assert_eq!(session.client_info.unwrap().as_str(), r#"{"name":"c","version":"1"}"#);
        }
        let refused = refused(&question("session", json!({"clientInfo": 5})));
        assert!(refused.starts_with("session/clientInfo: "), "{refused}");
        assert!(asked(&question("session", json!(5)))["refused"].is_string());
    }
}
