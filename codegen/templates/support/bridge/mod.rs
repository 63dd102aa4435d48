//! Conversions between revisions: a value, and what was lost on the way; or a refusal.
//!
//! A message goes from a revision to another over the neighbours between them. Each step walks along
//! the shapes of both revisions, which the schemas give, and along the few rules that a human wrote.
//! What both revisions have passes; what only the source has is dropped and reported, so that nothing
//! of one revision leaks to a peer of another; what the target requires is filled in; and what it
//! can't say is stood in for, or refused. See [`Options`] for the choices.
//!
//! ```
//! use mcprism_types::ProtocolVersion;
//! use mcprism_types::bridge::{Options, Part, translate};
//!
//! let result = r#"{"content":[{"type":"audio","data":"UklG","mimeType":"audio/wav"}]}"#;
//! let translated = translate(
//!     ProtocolVersion::V2025_11_25,
//!     ProtocolVersion::V2024_11_05,
//!     "tools/call",
//!     Part::Result,
//!     Some(result),
//!     &Options::default(),
//! )?;
//! assert!(translated.json.unwrap().contains(r#""type":"text""#));
//! assert_eq!(translated.losses[0].pointer, "/content/0");
//! # Ok::<(), mcprism_types::bridge::Refused>(())
//! ```
//!
//! [`translate`] works by name on texts, for proxies and tools. [`read_params`] and its siblings read
//! a peer's text of another revision straight into a type; [`params`] and its siblings convert values.

mod convert;
mod fault;
mod fits;
mod known;
mod object;
mod place;
mod rules;
mod shape;
mod tables;
mod template;
mod typed;
// {{revisions}}
mod ways;

use std::borrow::Cow;
use std::fmt;

use crate::ProtocolVersion;
use crate::json::{Json, JsonObject};
use crate::reader::Reader;

use convert::Conversion;
use known::known;
use place::{Origins, find};
use rules::Way;
use shape::{Message, Shape};
pub use typed::{Converted, notification, params, read_notification, read_params, read_result, result};

/// Which part of a method's messages is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The `params` of a request.
    Params,
    /// The `result` of a response.
    Result,
    /// The `params` of a notification.
    Notification,
}

/// What becomes of a value that the target has no way to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Something that says what was there stands in for it; where there is nothing, it is dropped.
    #[default]
    Substitute,
    /// It is dropped, or refused where something has to be there.
    Drop,
    /// Whatever would lose anything is refused.
    Refuse,
}

/// What becomes of a member that another revision defines and the target doesn't.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Members {
    /// It is dropped and reported.
    #[default]
    Strict,
    /// It is kept as a member that the target doesn't know, so that the way back finds it.
    Keep,
}

/// What a request takes from the session where the revision wants it in each request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// The revision that is spoken; the target if `None`.
    pub protocol_version: Option<String>,
    /// The client's capabilities, as the target revision has them; what only other revisions have is left out.
    pub client_capabilities: JsonObject,
    /// What the client calls itself.
    pub client_info: Option<JsonObject>,
}

/// How to convert.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// What becomes of what the target can't say.
    pub policy: Policy,
    /// What becomes of members that the target doesn't define.
    pub members: Members,
    /// What comes from the session.
    pub session: Session,
}

/// Something that the converted value doesn't say any more, or says otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// Where it was, as a JSON pointer (RFC 6901) into what was converted. In what a step on the way
    /// wrote itself, such as a block of text at the end of a list, it is the place that it wrote to.
    pub pointer: String,
    /// What was there.
    pub what: Json,
    /// Why it is lost.
    pub why: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.pointer, self.why)
    }
}

/// What was converted.
#[derive(Clone, Debug, PartialEq)]
pub struct Translated<'a> {
    /// The text in the target revision; `None` for `params` that are absent.
    pub json: Option<Cow<'a, str>>,
    /// What was lost.
    pub losses: Vec<Loss>,
}

/// The target revision can't say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Where the reason is, as a JSON pointer into what was to be converted; empty for the whole.
    pub pointer: String,
    /// The reason.
    pub why: String,
}

impl Refused {
    fn whole(why: impl Into<String>) -> Self {
        Self { pointer: String::new(), why: why.into() }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str(&self.why),
            pointer => write!(f, "{pointer}: {}", self.why),
        }
    }
}

impl std::error::Error for Refused {}

/// Converts a part of a method's messages from one revision to another.
///
/// Between a revision and itself, and where two neighbours agree on a type, nothing is done: the text
/// comes back as it is, unread, even if it isn't JSON. What only a part of it is about is checked as far
/// as it has to be converted. `json` is `None` for `params` that are absent.
///
/// # Errors
/// If a revision on the way has no such method, if a rule says that it can't say this, if something is
/// missing that it requires, or if what has to be converted isn't JSON of the source's shape.
pub fn translate<'a>(
    from: ProtocolVersion,
    to: ProtocolVersion,
    method: &str,
    part: Part,
    json: Option<&'a str>,
    options: &Options,
) -> Result<Translated<'a>, Refused> {
    let mut translated = Translated { json: json.map(Cow::Borrowed), losses: Vec::new() };
    let mut version = from;
    let mut origins = Vec::new();
    // How many of the losses are of the first step, which read what the sender wrote.
    let mut first = None;
    while version != to {
        let Some(way) = next(version, to) else {
            return Err(Refused::whole(format!("there is no way from {from} to {to}")));
        };
        step(way, method, part, &mut translated, options, way.to == to, &mut origins)?;
        first.get_or_insert(translated.losses.len());
        version = way.to;
    }
    if let (Some(original), Some(first)) = (json, first) {
        say_what_was_sent(original, &mut translated.losses[first..]);
        say_once(&mut translated.losses);
    }
    match translated.losses.first() {
        Some(loss) if options.policy == Policy::Refuse => {
            Err(Refused { pointer: loss.pointer.clone(), why: loss.why.clone() })
        }
        _ => Ok(translated),
    }
}

/// Has losses say what the sender wrote, not what a step on the way made of it.
fn say_what_was_sent(original: &str, losses: &mut [Loss]) {
    if losses.is_empty() {
        return;
    }
    let pointers: Vec<String> = losses.iter().map(|loss| loss.pointer.clone()).collect();
    let pointers: Vec<&str> = pointers.iter().map(String::as_str).collect();
    for (loss, found) in losses.iter_mut().zip(find(original, &pointers)) {
        if let Some(Ok(what)) = found.map(Json::parse) {
            loss.what = what;
        }
    }
}

/// Of several losses of one value on the way, the last is what became of it.
fn say_once(losses: &mut Vec<Loss>) {
    let mut last = std::collections::BTreeMap::new();
    for (at, loss) in losses.iter().enumerate() {
        last.insert(loss.pointer.clone(), at);
    }
    if last.len() < losses.len() {
        let mut at = 0;
        losses.retain(|loss| {
            at += 1;
            last[&loss.pointer] == at - 1
        });
    }
}

/// The step from a revision that leads to another.
fn next(from: ProtocolVersion, to: ProtocolVersion) -> Option<&'static Way> {
    // Two for each pair, the one up first.
    let at = match to > from {
        true => 2 * (from as usize),
        false => 2 * (from as usize).checked_sub(1)? + 1,
    };
    ways::WAYS.get(at)
}

/// What a method's messages look like in a revision.
fn message(version: ProtocolVersion, method: &str) -> Option<&'static Message> {
    let messages = tables::messages(version);
    messages.binary_search_by(|message| message.method.cmp(method)).ok().map(|at| &messages[at])
}

/// The shape of a part, if the method has it.
fn shape(message: &'static Message, part: Part) -> Option<&'static Shape> {
    match (part, &message.result) {
        (Part::Params, Some(_)) | (Part::Notification, None) => Some(&message.params),
        (Part::Result, Some(result)) => Some(result),
        (Part::Params | Part::Result, None) | (Part::Notification, Some(_)) => None,
    }
}

fn step(
    way: &'static Way,
    method: &str,
    part: Part,
    translated: &mut Translated<'_>,
    options: &Options,
    last: bool,
    origins: &mut Vec<Origins>,
) -> Result<(), Refused> {
    let known = |version: ProtocolVersion| message(version, method);
    let (here, there) = match (known(way.from), known(way.to)) {
        (Some(here), Some(there)) => (here, there),
        (None, _) => return Err(Refused::whole(format!("{} has no method `{}`", way.from, crate::error::shown(method)))),
        (Some(_), None) => {
            let why = way.method(method).map_or_else(String::new, |why| format!(": {why}"));
            return Err(Refused::whole(format!("{} has no method `{method}`{why}", way.to)));
        }
    };
    let (Some(from), Some(to)) = (shape(here, part), shape(there, part)) else {
        let has = if here.result.is_some() { "a request, with params and a result" } else { "a notification" };
        return Err(Refused::whole(format!("`{method}` is {has}")));
    };
    let text = match translated.json.take() {
        Some(text) => text,
        None if part == Part::Result => return Err(Refused::whole("a result can't be absent")),
        None if here.required => return Err(Refused::whole(format!("the params of `{method}` can't be absent"))),
        None if !there.required => return Ok(()),
        None => Cow::Borrowed("{}"),
    };
    if way.agreed(from, to) {
        translated.json = Some(text);
        return Ok(());
    }
    let mut reader = Reader::new(&text);
    let line = reader.raw().and_then(|line| reader.finish().map(|()| line));
    let line = line.map_err(|error| Refused { pointer: error.pointer(), why: error.message().to_owned() })?;
    // A place in what the step before wrote is a place in what the first one read.
    let origin = |pointer: &str| origins.iter().rev().fold(pointer.to_owned(), |at, origins| origins.of(&at));
    let written = Conversion::new(way, options, last)
        .run(from, to, &line)
        .map_err(|fault| Refused { pointer: origin(&fault.pointer), why: fault.why })?;
    let losses = written.losses.into_iter();
    translated.losses.extend(losses.map(|loss| Loss { pointer: origin(&loss.pointer), ..loss }));
    translated.json = Some(Cow::Owned(written.text));
    origins.push(written.moves.into());
    Ok(())
}
