//! Reads the examples in `bridges/`, and asks `translate` for each.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::instances::equality::equal;
use crate::schemas::root;
use crate::translate::answer;

/// One example.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    from: String,
    to: String,
    method: String,
    part: String,
    /// A value; as a string, the text itself.
    #[serde(default)]
    json: Value,
    session: Option<Value>,
    mode: Option<String>,
    policy: Option<String>,
    want: Option<Want>,
    want_refused: Option<String>,
}

/// What has to come out. What isn't said isn't looked at.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Want {
    /// The whole output; as a string, its text.
    #[serde(default, deserialize_with = "given")]
    json: Option<Value>,
    /// What stands at these places of the output.
    #[serde(default)]
    has: std::collections::BTreeMap<String, Value>,
    /// Where nothing stands.
    #[serde(default)]
    lacks: Vec<String>,
    /// What the text of the output has in it.
    #[serde(default)]
    says: Vec<String>,
    /// Everything that is reported, in any order.
    losses: Option<Vec<Loss>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Loss {
    pointer: String,
    #[serde(default, deserialize_with = "given")]
    what: Option<Value>,
    why: Option<String>,
}

/// Tells null from what isn't there.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The files of the examples, by name.
///
/// # Panics
/// If the folder can't be read.
pub fn files() -> Vec<PathBuf> {
    let folder = root().join("tests/bridges");
    let entries = std::fs::read_dir(folder).expect("tests/bridges is in the repository");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

/// Asks for one example.
///
/// # Errors
/// With what came out otherwise.
pub fn check(text: &str) -> Result<(), String> {
    let example: Example = serde_json::from_str(text).map_err(|error| format!("no example: {error}"))?;
    let input = match &example.json {
        Value::Null => Value::Null,
        Value::String(text) => json!(text),
        value => json!(value.to_string()),
    };
    let question = json!({
        "from": example.from, "to": example.to, "method": example.method, "part": example.part, "json": input,
        "session": example.session, "mode": example.mode, "policy": example.policy,
    });
    let answer = answer(question.to_string().as_bytes());
    let answer: Value = serde_json::from_str(&answer).map_err(|error| format!("{error}: {answer}"))?;
    let wrong = match (&example.want, &example.want_refused) {
        (Some(want), None) => differs(want, &answer),
        (None, Some(said)) => match answer["refused"].as_str() {
            Some(why) if why.contains(said) => None,
            Some(_) => Some(format!("the refusal doesn't say {said:?}")),
            None => Some("it is not refused".to_owned()),
        },
        _ => Some("an example has either `want` or `want_refused`".to_owned()),
    };
    wrong.map_or(Ok(()), |wrong| Err(format!("{wrong}\n    question {question}\n    answer   {answer}")))
}

fn differs(want: &Want, answer: &Value) -> Option<String> {
    if answer.get("refused").is_some() {
        return Some("it is refused".to_owned());
    }
    let text = answer["json"].as_str();
    let json =
        text.map_or(Value::Null, |text| serde_json::from_str(text).unwrap_or_else(|error| json!(error.to_string())));
    match &want.json {
        Some(Value::String(wanted)) if text != Some(wanted) => return Some(format!("the text is not {wanted}")),
        Some(wanted) if !wanted.is_string() && !equal(&json, wanted) => {
            return Some(format!("the output is not {wanted}"));
        }
        _ => {}
    }
    for (pointer, wanted) in &want.has {
        if !json.pointer(pointer).is_some_and(|value| equal(value, wanted)) {
            return Some(format!("at {pointer} is not {wanted}"));
        }
    }
    if let Some(pointer) = want.lacks.iter().find(|pointer| json.pointer(pointer).is_some()) {
        return Some(format!("at {pointer} is something"));
    }
    if let Some(said) = want.says.iter().find(|said| !text.is_some_and(|text| text.contains(*said))) {
        return Some(format!("the text doesn't say {said:?}"));
    }
    let losses = answer["losses"].as_array()?;
    let wanted = want.losses.as_ref()?;
    for loss in wanted {
        let fits = |found: &&Value| {
            found["pointer"] == loss.pointer
                && loss.what.as_ref().is_none_or(|what| equal(&found["what"], what))
                && loss.why.as_ref().is_none_or(|why| found["why"].as_str().is_some_and(|said| said.contains(why)))
        };
        if !losses.iter().any(|found| fits(&found)) {
            return Some(format!("no such loss: {loss:?}"));
        }
    }
    (losses.len() != wanted.len()).then(|| format!("{} losses are reported, not {}", losses.len(), wanted.len()))
}
