//! Conversions of typed values give what those of texts give.

use mcprism_tests::bridging::corpus::corpus;
use mcprism_tests::bridging::report::Report;
use mcprism_tests::bridging::revision::Place;
use mcprism_tests::bridging::run::options;
use mcprism_tests::instances::equality::equal;
use mcprism_types::bridge::{self, Converted, Loss, Members, Options, Part, Policy, Refused, translate};
use mcprism_types::{
    Decode, Notification, Request, Revision, decode, v2024_11_05 as first, v2025_03_26 as second, v2025_06_18 as third,
    v2025_11_25 as fourth, v2026_07_28 as fifth,
};
use serde::Serialize;
use serde_json::Value;

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
    let value: T = decode(text).map_err(|error| format!("what comes out doesn't fit: {error}: {text}"))?;
    Ok((serde_json::to_value(&value).unwrap(), lost(translated.losses)))
}

fn same(one: &Answer, other: &Answer) -> bool {
    match (one, other) {
        (Ok((one, losses)), Ok((other, others))) => {
            let same = |(one, other): (&(String, Value), &(String, Value))| one.0 == other.0 && equal(&one.1, &other.1);
            equal(one, other) && losses.len() == others.len() && losses.iter().zip(others).all(same)
        }
        (Err(one), Err(other)) => one == other,
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

/// Asks about every instance of a place in each of three ways.
fn agree<A: Revision, B: Revision>(
    method: &'static str,
    part: Part,
    answers: impl Fn(Option<&str>, &Options) -> Vec<(&'static str, Answer, Answer)>,
) {
    let mut report = Report::default();
    let mut count = 0;
    for options in every_option() {
        for instance in corpus(A::VERSION, Place { method, part }) {
            let text = instance.as_ref().map(Value::to_string);
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
            let params: A::Params = decode(text).unwrap();
            let answer = of_value(bridge::params::<A, B>(&params, options));
            answers.push(("params", wanted(Some(&written(&params))), answer));
        }
        answers
    });
    agree::<A::Revision, B::Revision>(A::METHOD, Part::Result, |text, options| {
        let wanted =
            |text| of_text::<A::Revision, B::Revision, B::Outcome>(A::METHOD, Part::Result, Some(text), options);
        let text = text.expect("a result is always there");
        let outcome: A::Outcome = decode(text).unwrap();
        let answer = of_value(bridge::result::<A, B>(&outcome, options));
        vec![
            ("read_result", wanted(text), of_value(bridge::read_result::<B>(from, text, options))),
            ("result", wanted(&written(&outcome)), answer),
        ]
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
            let params: A::Params = decode(text).unwrap();
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
    request::<third::CallToolRequest, third::CallToolRequest>();
}

#[test]
fn lists() {
    request::<fourth::ListToolsRequest, first::ListToolsRequest>();
    request::<first::ListToolsRequest, fifth::ListToolsRequest>();
    request::<fifth::ListResourcesRequest, third::ListResourcesRequest>();
}

#[test]
fn prompts_and_resources() {
    request::<second::GetPromptRequest, first::GetPromptRequest>();
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
