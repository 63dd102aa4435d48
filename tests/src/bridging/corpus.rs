//! Valid texts for every part of every method of a revision.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use mcprism_types::ProtocolVersion;
use mcprism_types::bridge::Part;
use serde_json::Value;

use super::extra::extra;
use super::revision::{Place, Revision, revision};
use crate::instances::generate::instances;

/// How many instances each type gives.
const PER_TYPE: usize = 150;

type Corpus = BTreeMap<(&'static str, &'static str), Vec<Option<Value>>>;

/// The instances of a place, the plainest first; `None` where a message has no params.
pub fn corpus(version: ProtocolVersion, place: Place) -> &'static [Option<Value>] {
    static MADE: [OnceLock<Corpus>; 8] = [const { OnceLock::new() }; 8];
    let at = ProtocolVersion::ALL.iter().position(|other| *other == version).expect("all revisions are in the list");
    let corpus = MADE[at].get_or_init(|| {
        let revision = revision(version);
        let of = |place: Place| ((place.method, place.part_name()), made(revision, place));
        revision.places().into_iter().map(of).collect()
    });
    corpus.get(&(place.method, place.part_name())).map_or(&[], Vec::as_slice)
}

fn made(revision: &Revision, place: Place) -> Vec<Option<Value>> {
    let all: Vec<Option<Value>> = match place.part {
        Part::Result => {
            let types = revision.results(place.method);
            let of = |ty: &&str| {
                let all = instances(&revision.rules, ty, 1).into_iter();
                some(all.map(|result| finished(result, ty)).collect())
            };
            types.iter().flat_map(of).map(Some).collect()
        }
        Part::Params | Part::Notification => {
            let message = revision.message(place.method);
            let envelopes = instances(&revision.rules, message, 1).into_iter();
            let inside = envelopes.map(|message| message.get("params").cloned()).collect();
            // Where params are a definition, it gives more of them than the message.
            let schema = &revision.rules.schemas()[message];
            let named = schema.pointer("/properties/params/$ref").and_then(Value::as_str);
            let named = named.and_then(|reference| reference.rsplit('/').next());
            let own = named.map(|name| instances(&revision.rules, name, 1)).unwrap_or_default();
            let own = own.into_iter().map(Some).collect();
            some(turns(own, inside))
        }
    };
    let all = all.into_iter().chain(extra(revision.version, place).into_iter().map(Some));
    let mut seen = BTreeSet::new();
    let valid = all.filter(|json| {
        let text = json.as_ref().map(Value::to_string);
        seen.insert(text) && revision.judge(place, json.as_ref()).is_ok()
    });
    valid.collect()
}

/// The schema lets `resultType` be any string, and the generator takes it at its word. Most results
/// are given the one that says what they are; the others stay, since a peer may have extensions.
pub fn finished(mut result: Value, ty: &str) -> Value {
    if result["resultType"] == "text" || result["resultType"] == "" {
        result["resultType"] = if ty == "InputRequiredResult" { "input_required" } else { "complete" }.into();
    }
    result
}

/// One of each in turn, and what is left of the longer one.
fn turns<T>(one: Vec<T>, other: Vec<T>) -> Vec<T> {
    let mut both = Vec::with_capacity(one.len() + other.len());
    let (mut one, mut other) = (one.into_iter(), other.into_iter());
    loop {
        let (first, second) = (one.next(), other.next());
        if first.is_none() && second.is_none() {
            return both;
        }
        both.extend(first.into_iter().chain(second));
    }
}

/// At most [`PER_TYPE`]: the first half, and the rest evenly.
fn some<T: Clone>(mut all: Vec<T>) -> Vec<T> {
    if all.len() <= PER_TYPE {
        return all;
    }
    let rest = all.split_off(PER_TYPE / 2);
    let room = PER_TYPE - all.len();
    all.extend((0..room).map(|index| rest[index * rest.len() / room].clone()));
    all
}
