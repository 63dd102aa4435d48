//! Conversions of typed values give what those of texts give.

use mcprism_tests::bridging::corpus::corpus;
use mcprism_tests::bridging::planting::{fitting, foreign, vendor};
use mcprism_tests::bridging::report::Report;
use mcprism_tests::bridging::revision::Place;
use mcprism_tests::bridging::run::options;
use mcprism_tests::instances::equality::equal;
use mcprism_types::bridge::{self, Converted, Loss, Members, Options, Part, Policy, Refused, translate};
use mcprism_types::{
    Decode, Notification, ProtocolVersion, Request, Revision, decode, v2024_11_05 as first, v2025_03_26 as second,
    v2025_06_18 as third, v2025_11_25 as fourth, v2026_07_28 as fifth,
};
use serde::Serialize;
use serde_json::Value;

const UNFIT: &str = "what comes out doesn't fit";

/// What came out, in one form for texts and values: the output and the losses, or the refusal.
type Answer = Result<(Value, Vec<(String, Value)>), String>;

fn lost(losses: Vec<Loss>) -> Vec<(String, Value)> {
    losses.into_iter().map(|loss| (loss.pointer, loss.what.to_value())).collect()
}

fn of_value<T: Serialize>(converted: Result<Converted<T>, Refused>) -> Answer {
    let Converted { value, losses } = converted.map_err(|refused| refused.to_string())?;
    Ok((serde_json::to_value(&value).unwrap(), lost(losses)))
}

/// What the text comes out as, read as the type of the target and written again.
fn of_text<A: Revision, B: Revision, T: Decode + Serialize>(
    method: &str,
    part: Part,
    text: Option<&str>,
    options: &Options,
) -> Answer {
    let translated = translate(A::VERSION, B::VERSION, method, part, text, options);
    let translated = translated.map_err(|refused| refused.to_string())?;
    let text = translated.json.as_deref().unwrap_or("{}");
    let value: T = decode(text).map_err(|error| format!("{UNFIT}: {error}: {text}"))?;
    Ok((serde_json::to_value(&value).unwrap(), lost(translated.losses)))
}

fn same(one: &Answer, other: &Answer) -> bool {
    match (one, other) {
        (Ok((one, losses)), Ok((other, others))) => {
            let same = |(one, other): (&(String, Value), &(String, Value))| one.0 == other.0 && equal(&one.1, &other.1);
            equal(one, other) && losses.len() == others.len() && losses.iter().zip(others).all(same)
        }
        // A value that was copied as it is may not fit what reads it; then both say so in their own words.
        (Err(one), Err(other)) => one == other || one.starts_with(UNFIT),
        _ => false,
    }
}

fn every_option() -> Vec<Options> {
    vec![
        options(Members::Strict, Policy::Substitute),
        options(Members::Keep, Policy::Drop),
        options(Members::Strict, Policy::Refuse),
    ]
}

/// The instances of a place, some with members that one of the two revisions names, and some with faults.
fn texts(from: ProtocolVersion, to: ProtocolVersion, place: Place) -> Vec<Option<String>> {
    let all = corpus(from, place);
    let mut texts: Vec<Option<String>> = all.iter().map(|json| json.as_ref().map(Value::to_string)).collect();
    for instance in all.iter().flatten().step_by(9) {
        let with_others = foreign(from, to, place, instance).into_iter().chain(fitting(from, to, place, instance));
        texts.extend(with_others.map(|(json, _)| Some(json.to_string())));
        texts.extend(vendor(from, place, instance).map(|(json, _)| Some(json.to_string())));
    }
    let twice = all.iter().flatten().take(3).map(|json| {
        let text = json.to_string();
        let name = json.as_object().and_then(|members| members.keys().next());
        name.map(|name| text.replacen('{', &format!("{{{}:null,", Value::from(name.clone())), 1))
    });
    texts.extend(twice.flatten().map(Some));
    texts.extend(["", "{", "[]", "null", "{}", "{\"a\":1,\"a\":2}"].map(|text| Some(text.to_owned())));
    texts
}

/// Asks about every text of a place in each of three ways.
fn agree<A: Revision, B: Revision>(
    method: &'static str,
    part: Part,
    answers: impl Fn(Option<&str>, &Options) -> Vec<(&'static str, Answer, Answer)>,
) {
    let mut report = Report::default();
    let mut count = 0;
    for options in every_option() {
        for text in texts(A::VERSION, B::VERSION, Place { method, part }) {
            for (name, wanted, answer) in answers(text.as_deref(), &options) {
                count += usize::from(wanted.is_ok());
                if !same(&wanted, &answer) {
                    let what = format!("{text:?}\n    text  {wanted:?}\n    {name}  {answer:?}");
                    report.add(format!("{name}, {} -> {} {method} {part:?}", A::VERSION, B::VERSION), what);
                }
            }
        }
    }
    report.check();
    assert!(count > 0, "{} -> {} {method} {part:?} is always refused", A::VERSION, B::VERSION);
}

/// A value as its own type writes it, whose order of members may be another.
fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

fn request<A: Request, B: Request>() {
    let from = A::Revision::VERSION;
    agree::<A::Revision, B::Revision>(A::METHOD, Part::Params, |text, options| {
        let wanted = |text| of_text::<A::Revision, B::Revision, B::Params>(A::METHOD, Part::Params, text, options);
        let mut answers = vec![("read_params", wanted(text), of_value(bridge::read_params::<B>(from, text, options)))];
        if let Some(text) = text {
            let Ok(params) = decode::<A::Params>(text) else { return answers };
            let answer = of_value(bridge::params::<A, B>(&params, options));
            answers.push(("params", wanted(Some(&written(&params))), answer));
        }
        answers
    });
    agree::<A::Revision, B::Revision>(A::METHOD, Part::Result, |text, options| {
        let wanted =
            |text| of_text::<A::Revision, B::Revision, B::Outcome>(A::METHOD, Part::Result, Some(text), options);
        let text = text.expect("a result is always there");
        let mut answers = vec![("read_result", wanted(text), of_value(bridge::read_result::<B>(from, text, options)))];
        if let Ok(outcome) = decode::<A::Outcome>(text) {
            let answer = of_value(bridge::result::<A, B>(&outcome, options));
            answers.push(("result", wanted(&written(&outcome)), answer));
        }
        answers
    });
}

fn notice<A: Notification, B: Notification>() {
    let from = A::Revision::VERSION;
    agree::<A::Revision, B::Revision>(A::METHOD, Part::Notification, |text, options| {
        let wanted =
            |text| of_text::<A::Revision, B::Revision, B::Params>(A::METHOD, Part::Notification, text, options);
        let read = of_value(bridge::read_notification::<B>(from, text, options));
        let mut answers = vec![("read_notification", wanted(text), read)];
        if let Some(text) = text {
            let Ok(params) = decode::<A::Params>(text) else { return answers };
            let answer = of_value(bridge::notification::<A, B>(&params, options));
            answers.push(("notification", wanted(Some(&written(&params))), answer));
        }
        answers
    });
}

#[test]
fn calls() {
    request::<first::CallToolRequest, fifth::CallToolRequest>();
    request::<fifth::CallToolRequest, first::CallToolRequest>();
    request::<fourth::CallToolRequest, third::CallToolRequest>();
    request::<fourth::CallToolRequest, fifth::CallToolRequest>();
    request::<fifth::CallToolRequest, fourth::CallToolRequest>();
    request::<third::CallToolRequest, fourth::CallToolRequest>();
    request::<second::CallToolRequest, first::CallToolRequest>();
    request::<third::CallToolRequest, third::CallToolRequest>();
}

#[test]
fn lists() {
    request::<fourth::ListToolsRequest, first::ListToolsRequest>();
    request::<first::ListToolsRequest, fifth::ListToolsRequest>();
    request::<fourth::ListToolsRequest, fifth::ListToolsRequest>();
    request::<fifth::ListToolsRequest, fourth::ListToolsRequest>();
    request::<third::ListToolsRequest, second::ListToolsRequest>();
    request::<second::ListToolsRequest, third::ListToolsRequest>();
    request::<fifth::ListResourcesRequest, third::ListResourcesRequest>();
}

#[test]
fn prompts_and_resources() {
    request::<second::GetPromptRequest, first::GetPromptRequest>();
    request::<fifth::GetPromptRequest, fourth::GetPromptRequest>();
    request::<fourth::ReadResourceRequest, fifth::ReadResourceRequest>();
    request::<fifth::ReadResourceRequest, second::ReadResourceRequest>();
    request::<third::CompleteRequest, fifth::CompleteRequest>();
}

#[test]
fn what_servers_ask() {
    request::<fourth::ElicitRequest, third::ElicitRequest>();
    request::<third::ElicitRequest, fifth::ElicitRequest>();
    request::<fourth::CreateMessageRequest, second::CreateMessageRequest>();
    request::<first::ListRootsRequest, fourth::ListRootsRequest>();
}

#[test]
fn handshakes() {
    request::<fourth::InitializeRequest, first::InitializeRequest>();
    request::<first::PingRequest, fourth::PingRequest>();
}

#[test]
fn notifications() {
    notice::<second::ProgressNotification, first::ProgressNotification>();
    notice::<fourth::CancelledNotification, fifth::CancelledNotification>();
    notice::<first::InitializedNotification, fourth::InitializedNotification>();
    notice::<fifth::LoggingMessageNotification, third::LoggingMessageNotification>();
}
