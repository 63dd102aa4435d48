//! Whatever is wrong with a text, it is refused where it is wrong, or left out with a report, or, where
//! both revisions agree on a type and nothing has to be read, passed on as it is; and nothing panics.

use std::borrow::Cow;
use std::collections::BTreeMap;

use mcprism_tests::bridging::accounts::holds;
use mcprism_tests::bridging::checks::accounted;
use mcprism_tests::bridging::corpus::finished;
use mcprism_tests::bridging::report::Report;
use mcprism_tests::bridging::revision::{Place, pairs, revision};
use mcprism_tests::bridging::run::{Question, options};
use mcprism_tests::instances::faults::faults;
use mcprism_tests::instances::generate::instances;
use mcprism_tests::instances::tolerance::tolerated;
use mcprism_types::ProtocolVersion;
use mcprism_types::bridge::{Members, Options, Part, Policy, Refused, Translated, translate};
use serde_json::Value;

pub(super) fn plain() -> Options {
    options(Members::Strict, Policy::Substitute)
}

/// The places that both revisions have.
pub(super) fn shared(from: ProtocolVersion, to: ProtocolVersion) -> Vec<Place> {
    let places = revision(from).places().into_iter();
    places.filter(|place| to.method(place.method).is_some()).collect()
}

pub(super) fn ask<'a>(
    (from, to): (ProtocolVersion, ProtocolVersion),
    place: Place,
    text: Option<&'a str>,
    options: &Options,
) -> Result<Translated<'a>, Refused> {
    translate(from, to, place.method, place.part, text, options)
}

/// Whether a text came back as it was, unread, because the revisions agree on all of it.
fn unread(translated: &Translated<'_>, text: &str) -> bool {
    matches!(translated.json, Some(Cow::Borrowed(same)) if same == text) && translated.losses.is_empty()
}

#[test]
fn what_is_no_json_is_refused() {
    let texts = [
        "",
        " ",
        "{",
        "}",
        "{]",
        "[1",
        "nul",
        "nullx",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{\"a\":1}x",
        "{'a':1}",
        "{\"a\":01}",
        "{\"a\":.5}",
        "{\"a\":1e999}",
        "{\"a\":NaN}",
        "{\"a\":\"\\ud83d\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\u{1}\"}",
        "{\"a\":\"",
        "{\"\\ud83d\":1}",
        "\u{feff}{}",
        "{}{}",
        "{a:1}",
        "/**/{}",
        "{\"a\":+1}",
        "{\"a\":[1 2]}",
    ];
    let mut report = Report::default();
    let mut count = 0;
    for pair in pairs() {
        for place in shared(pair.0, pair.1) {
            for text in texts {
                match ask(pair, place, Some(text), &plain()) {
                    Err(refused) if !refused.why.is_empty() => count += 1,
                    Ok(translated) if unread(&translated, text) => {}
                    other => report.add(format!("{text:?}"), format!("{pair:?} {place:?}: {other:?}")),
                }
            }
        }
    }
    assert!(count > 1000, "{count}");
    report.check();
}

#[test]
fn what_is_no_object_is_refused() {
    let mut report = Report::default();
    for pair in pairs() {
        for place in shared(pair.0, pair.1) {
            let optional = place.part != Part::Result && !pair.0.method(place.method).unwrap().params_required;
            for text in ["null", "[]", "[{}]", "5", "\"x\"", "true"] {
                match ask(pair, place, Some(text), &plain()) {
                    Err(refused) if refused.pointer.is_empty() && !refused.why.is_empty() => {}
                    Ok(translated) if unread(&translated, text) => {}
                    // Null for what may be absent reads as absent.
                    Ok(_) if optional && text == "null" => {}
                    other => report.add(format!("{text:?}"), format!("{pair:?} {place:?}: {other:?}")),
                }
            }
        }
    }
    report.check();
}

#[test]
fn depth_is_bounded_and_crashes_nothing() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let params = Place { method: "tools/call", part: Part::Params };
    let result = Place { method: "tools/call", part: Part::Result };
    for (from, to) in pairs() {
        let meta = match from == ProtocolVersion::LATEST {
            true => {
                r#""_meta":{"io.modelcontextprotocol/protocolVersion":"x","io.modelcontextprotocol/clientCapabilities":{}},"#
            }
            false => "",
        };
        let kind = if from == ProtocolVersion::LATEST { r#""resultType":"complete","# } else { "" };
        for (levels, fits) in
            [(1, true), (124, true), (125, true), (126, false), (127, false), (200, false), (100_000, false)]
        {
            let text = format!(r#"{{"name":"n",{meta}"arguments":{{"x":{}}}}}"#, deep(levels));
            let answer = ask((from, to), params, Some(&text), &plain());
            assert_eq!(answer.is_ok(), fits, "{from} -> {to}, {levels} levels of arguments: {answer:.300?}");
            if let Ok(translated) = answer {
                let written = translated.json.expect("it has params");
                assert!(written.contains(&deep(levels)), "{from} -> {to}: {written}");
            }
            let text = format!(r#"{{"content":[],{kind}"x-vendor":[{}]}}"#, deep(levels));
            let answer = ask((from, to), result, Some(&text), &plain());
            assert_eq!(answer.is_ok(), fits, "{from} -> {to}, {levels} levels of a vendor's: {answer:.300?}");
            // Lost or not, it may be read, refused or dropped, and has to come to an end.
            let text = format!(r#"{{"content":[],{kind}"structuredContent":{{"x":{}}}}}"#, deep(levels));
            let answer = ask((from, to), result, Some(&text), &plain());
            assert!(fits || answer.is_err(), "{from} -> {to}, {levels} levels of structured content");
        }
    }
}

#[test]
fn size_crashes_nothing() {
    let long = "\u{1F980}x".repeat(1 << 18);
    let name = "n".repeat(1 << 20);
    for (from, to) in pairs() {
        let kind = if from == ProtocolVersion::LATEST { r#","resultType":"complete""# } else { "" };
        let cache = if from == ProtocolVersion::LATEST { r#","ttlMs":0,"cacheScope":"private""# } else { "" };
        let text = format!(r#"{{"content":[{{"type":"text","text":"{long}"}}]{kind}}}"#);
        let place = Place { method: "tools/call", part: Part::Result };
        let written = ask((from, to), place, Some(&text), &plain()).unwrap().json.unwrap();
        assert!(written.contains(&long), "{from} -> {to}");
        let text = format!(r#"{{"content":[],"{name}":1{kind}}}"#);
        let written = ask((from, to), place, Some(&text), &plain()).unwrap().json.unwrap();
        assert!(written.contains(&name), "{from} -> {to}");
        let text = format!(r#"{{"content":"{name}"{kind}}}"#);
        assert_eq!(ask((from, to), place, Some(&text), &plain()).unwrap_err().pointer, "/content", "{from} -> {to}");
        let tool = format!(r#"{{"name":"t","inputSchema":{{"type":"object"}},"description":"{}"}}"#, "d".repeat(100));
        let text = format!(r#"{{"tools":[{}]{kind}{cache}}}"#, vec![tool; 5000].join(","));
        let place = Place { method: "tools/list", part: Part::Result };
        let translated = ask((from, to), place, Some(&text), &plain()).unwrap();
        assert!(translated.losses.is_empty(), "{from} -> {to}");
        assert_eq!(translated.json.unwrap().matches(r#""name":"t""#).count(), 5000, "{from} -> {to}");
    }
}

/// Members that a newer revision requires, and that are taken off unread on the way to an older one.
pub(super) const SILENT: [&str; 5] = [
    "io.modelcontextprotocol~1client",
    "io.modelcontextprotocol~1protocolVersion",
    "cacheScope",
    "ttlMs",
    "resultType",
];

/// A text with one thing wrong, and the places at which that may be said.
struct Wrong {
    /// The text before.
    whole: String,
    text: String,
    pointers: Vec<String>,
    what: String,
    tolerated: bool,
}

fn wrong(version: ProtocolVersion, place: Place) -> Vec<Wrong> {
    let revision = revision(version);
    let (names, prefix): (Vec<&str>, &str) = match place.part {
        Part::Result => (revision.results(place.method), ""),
        Part::Params | Part::Notification => (vec![revision.message(place.method)], "/params"),
    };
    let several = names.len() > 1;
    let mut found = Vec::new();
    for name in names {
        let all: Vec<Value> =
            instances(&revision.rules, name, 1).into_iter().map(|json| finished(json, name)).collect();
        let chosen = all.iter().take(3).chain(all.iter().skip(3).step_by(40));
        // The same faults come back in many places; one in three is enough.
        let faulty = |instance| faults(&revision.rules, name, instance).into_iter().step_by(3);
        for (instance, fault) in chosen.flat_map(|instance| faulty(instance).map(move |fault| (instance, fault))) {
            let inside = |pointer: &String| pointer.strip_prefix(prefix).map(str::to_owned);
            let pointers: Vec<String> = fault.pointers.iter().filter_map(inside).collect();
            let (Some(whole), Some(json)) = (instance.pointer(prefix), fault.instance.pointer(prefix)) else {
                continue;
            };
            // Without what tells them apart, a result may be another of the kinds that it may be.
            let undecided = several && pointers.iter().any(|pointer| pointer.is_empty() || pointer == "/resultType");
            if pointers.is_empty() || undecided {
                continue;
            }
            let tolerated = tolerated(&revision.rules, &fault).is_some();
            found.push(Wrong {
                whole: whole.to_string(),
                text: json.to_string(),
                pointers,
                what: fault.what,
                tolerated,
            });
        }
    }
    found
}

/// What became of a text with one thing wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// Refused where it is wrong.
    Refused,
    /// Refused somewhere else.
    Elsewhere,
    /// Gone, or what it was in, with a report.
    Dropped,
    /// Still there.
    Copied,
    /// Neither there nor reported.
    Vanished,
}

fn fate(fault: &Wrong, answer: &Result<Translated<'_>, Refused>) -> Fate {
    let translated = match answer {
        Err(refused) if fault.pointers.contains(&refused.pointer) && !refused.why.is_empty() => return Fate::Refused,
        Err(_) => return Fate::Elsewhere,
        Ok(translated) => translated,
    };
    let about = |pointer: &String| translated.losses.iter().any(|loss| holds(&loss.pointer, pointer));
    if fault.pointers.iter().any(about) {
        return Fate::Dropped;
    }
    let input: Value = serde_json::from_str(&fault.text).unwrap();
    let output: Option<Value> = translated.json.as_deref().map(|text| serde_json::from_str(text).unwrap());
    let same = |pointer: &String| output.as_ref().and_then(|output| output.pointer(pointer)) == input.pointer(pointer);
    if fault.pointers.iter().all(same) { Fate::Copied } else { Fate::Vanished }
}

pub(super) fn faults_are_refused(from: ProtocolVersion) {
    let mut report = Report::default();
    let mut fates: BTreeMap<Fate, usize> = BTreeMap::new();
    for place in revision(from).places() {
        let faults = wrong(from, place);
        for to in ProtocolVersion::ALL.iter().copied().filter(|to| *to != from && to.method(place.method).is_some()) {
            for fault in faults.iter().filter(|fault| !fault.tolerated) {
                let answer = ask((from, to), place, Some(&fault.text), &plain());
                let mut fate = fate(fault, &answer);
                // Null reads as absent, and what is absent is missing in what holds it.
                let missing = |refused: &Refused| {
                    let parent = |pointer: &String| pointer.rsplit_once('/').map(|(parent, _)| parent.to_owned());
                    fault.pointers.iter().filter_map(parent).any(|parent| parent == refused.pointer)
                };
                if fate == Fate::Elsewhere && answer.as_ref().is_err_and(missing) {
                    fate = Fate::Refused;
                }
                // What is taken off isn't read, nor missed.
                let silent = |text: &str| SILENT.iter().any(|name| text.contains(name)) || text.contains("\"_meta\"");
                let missed = fault.what.contains("io.modelcontextprotocol/") || silent(&fault.what);
                if fate == Fate::Vanished && (missed || fault.pointers.iter().any(|pointer| silent(pointer))) {
                    fate = Fate::Dropped;
                }
                // What can't be said at all is refused before anybody looks inside.
                if fate == Fate::Elsewhere && ask((from, to), place, Some(&fault.whole), &plain()).is_err() {
                    fate = Fate::Refused;
                }
                *fates.entry(fate).or_default() += 1;
                if matches!(fate, Fate::Elsewhere | Fate::Vanished) {
                    let kind = format!("{fate:?}, {from} -> {to} {:?}", place.part);
                    let Wrong { text, pointers, what, .. } = fault;
                    report.add(kind, format!("{} {what}: {text}\n    at {pointers:?}\n    {answer:?}", place.method));
                }
            }
        }
    }
    println!("{from}: {fates:?}");
    report.check();
}

/// What isn't refused is as it was, or what is otherwise is reported. That holds of any text.
pub(super) fn nothing_is_mended_in_silence(from: ProtocolVersion) {
    let mut report = Report::default();
    let options = plain();
    for place in revision(from).places() {
        let faults = wrong(from, place);
        for to in ProtocolVersion::ALL.iter().copied().filter(|to| *to != from && to.method(place.method).is_some()) {
            for fault in &faults {
                let input: Value = serde_json::from_str(&fault.text).unwrap();
                let question = Question { from, to, place, input: Some(&input), options: &options };
                let Ok(outcome) = question.ask() else { continue };
                // Null reads as absent, and a tool's result without content as one with none.
                if fault.tolerated {
                    continue;
                }
                let kind = format!("{from} -> {to} {} {:?}", place.method, place.part);
                accounted(&question, &outcome, &mut |what, why| {
                    report.add(
                        format!("{what}, {kind}"),
                        format!("{}: {question}{outcome}\n    fault  {why}", fault.what),
                    );
                });
            }
        }
    }
    report.check();
}
