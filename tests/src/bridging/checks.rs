//! What has to hold of a single conversion.

use std::collections::BTreeMap;

use mcprism_types::ProtocolVersion;
use mcprism_types::bridge::{Members, Policy, Refused};
use serde_json::{Map, Value};

use super::accounts::{misreported, same, unreported};
use super::differences::differences;
use super::report::Report;
use super::revision::revision;
use super::run::{Outcome, Question};
use super::shapes::seen;
use super::silent::{Facts, is_session};
use crate::instances::fault::below;

/// How many conversions of a pair went how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Came out, with or without losses.
    pub converted: usize,
    /// Came out without losses.
    pub lossless: usize,
    /// Were refused.
    pub refused: usize,
}

impl Counts {
    /// Counts one.
    pub fn count(&mut self, answer: &Result<Outcome, Refused>) {
        match answer {
            Ok(outcome) => {
                self.converted += 1;
                self.lossless += usize::from(outcome.losses.is_empty());
            }
            Err(_) => self.refused += 1,
        }
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            converted: self.converted + other.converted,
            lossless: self.lossless + other.lossless,
            refused: self.refused + other.refused,
        }
    }
}

/// Checks an answer: refused with a reason, or valid and with nothing lost in silence.
pub fn answered(question: &Question<'_>, answer: &Result<Outcome, Refused>, report: &mut Report) {
    let place = place(question);
    match answer {
        Err(refused) if refused.why.trim().is_empty() => report.add(format!("no reason, {place}"), question),
        Err(_) => {}
        Ok(outcome) => {
            let mut failed = |kind: &str, what: String| {
                report.add(format!("{kind}, {place}"), format!("{question}{outcome}\n    fault  {what}"));
            };
            if let Err(said) = revision(question.to).judge(question.place, outcome.json.as_ref()) {
                failed("invalid", said);
            }
            accounted(question, outcome, &mut failed);
            if question.options.members == Members::Strict {
                leaks(question, outcome, &mut failed);
            }
            if question.options.policy == Policy::Refuse && !outcome.losses.is_empty() {
                failed("loss in spite of refuse", format!("{} losses", outcome.losses.len()));
            }
        }
    }
}

/// Checks that what came out says all that went in, or that a loss does.
pub fn accounted(question: &Question<'_>, outcome: &Outcome, failed: &mut impl FnMut(&str, String)) {
    let nothing = Value::Object(Map::new());
    let before = question.input.unwrap_or(&nothing);
    let after = outcome.json.as_ref().unwrap_or(&nothing);
    let losses = &outcome.losses;
    let facts = Facts { part: question.place.part, before, after, losses };
    let found = differences(before, after, losses, question.options.policy == Policy::Drop);
    for difference in unreported(&found, &facts) {
        failed("lost in silence", format!("{:?} {:?}", difference.change, difference.pointer));
    }
    for loss in losses {
        if let Some(wrong) = misreported(loss, &found, &facts) {
            failed("misreported", format!("{wrong}: {:?}", loss.pointer));
        }
    }
}

/// Members that the target doesn't name and another revision does.
fn leaks(question: &Question<'_>, outcome: &Outcome, failed: &mut impl FnMut(&str, String)) {
    let Some(json) = &outcome.json else { return };
    for object in seen(revision(question.to), question.place, json) {
        let members = json.pointer(&object.pointer).and_then(Value::as_object);
        for name in members.into_iter().flat_map(Map::keys).filter(|name| !object.named.contains(*name)) {
            let others = ProtocolVersion::ALL.iter().filter(|other| **other != question.to);
            for (other, key) in others.flat_map(|other| object.keys.iter().map(move |key| (other, key))) {
                if revision(*other).shapes.members(key).is_some_and(|members| members.contains_key(name)) {
                    failed("leak", format!("{:?} is {key}.{name} of {other}", below(&object.pointer, name)));
                }
            }
        }
    }
}

/// Checks that what went up without a loss comes back as it was. Tells whether it went up so.
pub fn returns(question: &Question<'_>, outcome: &Outcome, report: &mut Report) -> bool {
    if !outcome.losses.is_empty() {
        return false;
    }
    let back = question.back(outcome);
    let mut failed = failing_back(question, outcome, report);
    match back.ask() {
        Err(refused) => failed("refused on the way back", format!("\n    refused {refused}")),
        Ok(returned) if !same(returned.json.as_ref(), question.input) => {
            failed("came back otherwise", returned.to_string());
        }
        Ok(_) => {}
    }
    true
}

/// Checks that what went down without a loss is found again on the way up: it comes back as it was,
/// but for what a rule adds or takes off. Tells whether it went down so.
pub fn found_again(question: &Question<'_>, outcome: &Outcome, report: &mut Report) -> bool {
    if !outcome.losses.is_empty() {
        return false;
    }
    let mut failed = failing_back(question, outcome, report);
    let returned = match question.back(outcome).ask() {
        Err(refused) => {
            failed("refused on the way up", format!("\n    refused {refused}"));
            return true;
        }
        Ok(returned) => returned,
    };
    let nothing = Value::Object(Map::new());
    let before = question.input.unwrap_or(&nothing);
    let after = returned.json.as_ref().unwrap_or(&nothing);
    let facts = Facts { part: question.place.part, before, after, losses: &[] };
    let found = differences(before, after, &[], false);
    // What the client says of itself is the session's on the way up.
    let mut others = unreported(&found, &facts).into_iter().filter(|difference| !is_session(&difference.pointer));
    if let Some(difference) = others.next() {
        failed("found otherwise", format!("{returned}\n    fault  {:?} {:?}", difference.change, difference.pointer));
    }
    true
}

/// Reports what is wrong on the way back.
fn failing_back<'r>(
    question: &'r Question<'_>,
    outcome: &'r Outcome,
    report: &'r mut Report,
) -> impl FnMut(&str, String) + 'r {
    move |kind, what| {
        report.add(format!("{kind}, {}", place(question)), format!("{question}{outcome}\n    back{what}"));
    }
}

/// What reports name a question by.
fn place(question: &Question<'_>) -> String {
    format!("{} -> {} {} {:?}", question.from, question.to, question.place.method, question.place.part)
}

/// A table of counts, a line a pair.
pub fn table(counts: &BTreeMap<(ProtocolVersion, ProtocolVersion), Counts>) -> String {
    let head = format!("{:12}{:12}{:>10}{:>10}{:>10}", "from", "to", "converted", "lossless", "refused");
    let line = |((from, to), counts): (&(ProtocolVersion, ProtocolVersion), &Counts)| {
        let Counts { converted, lossless, refused } = counts;
        format!("{:12}{:12}{converted:10}{lossless:10}{refused:10}", from.as_str(), to.as_str())
    };
    std::iter::once(head).chain(counts.iter().map(line)).collect::<Vec<String>>().join("\n")
}
