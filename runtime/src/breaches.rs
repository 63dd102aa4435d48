//! What becomes of messages that break a rule which no schema states: refused where they are made, reported where
//! they are received.

use std::fmt;

use mcprism_types::ProtocolVersion;
use mcprism_types::bridge::Part;

use crate::error::{Error, Result};
use crate::rules::{Breach, Force, breaches};

/// The rules that a message of the peer's breaks. It is taken all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreachReport {
    /// The method of the message.
    pub method: String,
    /// Which part of it.
    pub part: Part,
    /// The revision that it is in.
    pub version: ProtocolVersion,
    /// The rules.
    pub breaches: Vec<Breach>,
}

impl fmt::Display for BreachReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.method, self.version)?;
        for (at, breach) in self.breaches.iter().enumerate() {
            write!(f, "{} {breach}", if at == 0 { ":" } else { ";" })?;
        }
        Ok(())
    }
}

/// Who is told of them: a function, or the log.
#[derive(Default)]
pub(crate) struct Watch(Option<Hook>);

type Hook = Box<dyn Fn(&BreachReport) + Send + Sync>;

impl Watch {
    pub(crate) fn new(hook: impl Fn(&BreachReport) + Send + Sync + 'static) -> Self {
        Self(Some(Box::new(hook)))
    }

    /// Reports what a message of the peer's breaks.
    pub(crate) fn received(&self, version: ProtocolVersion, method: &str, part: Part, text: Option<&str>) {
        // Nobody wants to know, as it is by default: then nothing is looked at.
        if self.0.is_none() && !tracing::enabled!(tracing::Level::WARN) {
            return;
        }
        let found = judged(version, method, part, text.unwrap_or("{}"));
        if !found.is_empty() {
            self.report(version, method, part, found);
        }
    }

    /// Reports breaches.
    pub(crate) fn report(&self, version: ProtocolVersion, method: &str, part: Part, found: Vec<Breach>) {
        let report = BreachReport { method: method.to_owned(), part, version, breaches: found };
        match &self.0 {
            Some(hook) => hook(&report),
            None => tracing::warn!(%report, "the peer breaks a rule"),
        }
    }
}

/// Refuses what this side has made and must not send; what it had better not send is logged.
pub(crate) fn made(version: ProtocolVersion, method: &str, part: Part, text: &str) -> Result<()> {
    for breach in judged(version, method, part, text) {
        match breach.force {
            Force::Must => {
                return Err(Error::Internal(format!("what was to be sent as {method} breaks a rule: {breach}")));
            }
            Force::Should => tracing::warn!(method, %breach, "advice is not followed"),
        }
    }
    Ok(())
}

/// The breaches of a text. Most texts have nothing in them that a rule is about, which is seen at once.
fn judged(version: ProtocolVersion, method: &str, part: Part, text: &str) -> Vec<Breach> {
    /// The methods that have rules of their own.
    const METHODS: [&str; 5] =
        ["tools/list", "elicitation/create", "sampling/createMessage", "roots/list", "completion/complete"];
    match METHODS.contains(&method) || about(text.as_bytes()) {
        true => breaches(version, method, part, text),
        false => Vec::new(),
    }
}

/// Whether a text has one of the words that the rules for all methods are about. It may stand somewhere else, too: then
/// it is judged for nothing.
fn about(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 4] = [b"_meta\"", b"uri\"", b"icons\"", b"input_required\""];
    memchr::memchr_iter(b'"', text).any(|at| WORDS.iter().any(|word| text[at + 1..].starts_with(word)))
}
