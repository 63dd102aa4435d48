//! What it costs to read a message of one revision for a handler that was written at another.

use std::hint::black_box;

use mcprism::jsonrpc::Message;
use mcprism_types::bridge::{Options, Part, read_params, read_result, translate};
use mcprism_types::{
    Decode, ProtocolVersion, Request, Revision, decode, v2024_11_05 as first, v2025_06_18 as third, v2025_11_25 as fourth,
    v2026_07_28 as fifth,
};

use crate::candidates::Failure;
use crate::measure::share;
use crate::messages;

/// A conversion, and its time as a share of the time without it.
pub struct Conversion {
    /// What the table calls it.
    pub name: &'static str,
    /// Its time, as a share.
    pub share: f64,
    /// The most that is allowed, where a limit is set.
    pub limit: Option<f64>,
}

/// Measures each conversion.
///
/// # Errors
/// If one of them doesn't give what it should.
pub fn all(rounds: usize) -> Result<Vec<Conversion>, Failure> {
    let messages = messages::all();
    let text = |type_name| messages.iter().find(|message| message.type_name == type_name).map(|message| message.text);
    let call = text("CallToolRequest").ok_or("no call")?;
    let tools = text("ListToolsResult").ok_or("no list")?;
    Ok(vec![
        Conversion {
            name: "`tools/call`, 201 B, of 2025-11-25, for a handler at 2025-06-18",
            share: params::<third::CallToolRequest>(ProtocolVersion::V2025_11_25, call, rounds)?,
            limit: Some(1.15),
        },
        Conversion {
            name: "`tools/call`, 201 B, of 2024-11-05, for a handler at 2025-11-25",
            share: params::<fourth::CallToolRequest>(ProtocolVersion::V2024_11_05, call, rounds)?,
            limit: None,
        },
        Conversion {
            name: "`tools/call`, 201 B, of 2024-11-05, for a handler at 2026-07-28",
            share: params::<fifth::CallToolRequest>(ProtocolVersion::V2024_11_05, call, rounds)?,
            limit: None,
        },
        Conversion {
            name: "`tools/list` result, 100 tools, of 2025-11-25, for a client at 2025-06-18",
            share: result::<third::ListToolsRequest>(ProtocolVersion::V2025_11_25, tools, rounds)?,
            limit: None,
        },
        Conversion {
            name: "`tools/list` result, 100 tools, of 2025-11-25, for a client at 2024-11-05",
            share: result::<first::ListToolsRequest>(ProtocolVersion::V2025_11_25, tools, rounds)?,
            limit: None,
        },
        Conversion {
            name: "progress, by name, where both revisions agree, against reading it",
            share: agreed(rounds)?,
            limit: None,
        },
    ])
}

/// The table, and each limit that is missed.
pub fn report(conversions: &[Conversion]) -> (String, Vec<String>) {
    let mut table = "### Conversion, × the same without it\n\n| message | share | must be |\n|---|---:|---:|\n".to_owned();
    let mut missed = Vec::new();
    for Conversion { name, share, limit } in conversions {
        let limit_text = limit.map(|limit| format!("≤ {limit:.2}")).unwrap_or_default();
        table.push_str(&format!("| {name} | {share:.2} | {limit_text} |\n"));
        if let Some(limit) = limit.filter(|limit| *share > *limit) {
            missed.push(format!("{name}: {share:.2} × the time without conversion, the limit is {limit:.2}"));
        }
    }
    (table, missed)
}

fn params<B: Request>(from: ProtocolVersion, text: &str, rounds: usize) -> Result<f64, Failure> {
    let options = Options::default();
    let plain = |params: &str| {
        let _ = black_box(&decode::<B::Params>(params));
    };
    let converted = |params: &str| {
        let _ = black_box(&read_params::<B>(from, Some(params), &options));
    };
    cost::<B>(from, Part::Params, text, rounds, plain, converted)
}

fn result<B: Request>(from: ProtocolVersion, text: &str, rounds: usize) -> Result<f64, Failure>
where
    B::Outcome: Decode,
{
    let options = Options::default();
    let plain = |result: &str| {
        let _ = black_box(&decode::<B::Outcome>(result));
    };
    let converted = |result: &str| {
        let _ = black_box(&read_result::<B>(from, result, &options));
    };
    cost::<B>(from, Part::Result, text, rounds, plain, converted)
}

/// What it costs to parse a message and read what it holds with a conversion, as a share of what it is
/// without: for the same message as a peer of the handler's own revision sends it.
fn cost<B: Request>(
    from: ProtocolVersion,
    part: Part,
    text: &str,
    rounds: usize,
    plain: impl Fn(&str),
    converted: impl Fn(&str),
) -> Result<f64, Failure> {
    let held = held(text).ok_or("neither params nor a result")?;
    let translated = translate(from, B::Revision::VERSION, B::METHOD, part, Some(held), &Options::default())?;
    let own = text.replace(held, &translated.json.ok_or("nothing came out")?);
    Ok(share(&|| read(text, &converted), &|| read(&own, &plain), rounds))
}

fn read(text: &str, value: impl Fn(&str)) {
    if let Some(held) = held(black_box(text)) {
        value(held);
    }
}

/// The text of the params or the result in a message.
fn held(text: &str) -> Option<&str> {
    match Message::parse(text).ok()? {
        Message::Request(request) => request.params,
        Message::Response(response) => Some(response.result),
        _ => None,
    }
}

fn agreed(rounds: usize) -> Result<f64, Failure> {
    const PROGRESS: &str = r#"{"progressToken":1042,"progress":42,"total":100,"message":"Reading the gauges"}"#;
    let options = Options::default();
    let (from, to) = (ProtocolVersion::V2025_06_18, ProtocolVersion::V2025_03_26);
    let method = "notifications/progress";
    translate(from, to, method, Part::Notification, Some(PROGRESS), &options)?;
    let translated = move || {
        let _ = black_box(&translate(from, to, method, Part::Notification, Some(black_box(PROGRESS)), &options));
    };
    let plain = || {
        let _ = black_box(&decode::<third::ProgressNotificationParams>(black_box(PROGRESS)));
    };
    Ok(share(&translated, &plain, rounds))
}
