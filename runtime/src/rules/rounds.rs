//! Requests that take several rounds: who may require input, and what is asked for meanwhile.
//!
//! Page: `basic/patterns/mrtr` of 2026-07-28. The requests inside are judged like any other.

use mcprism_types::Reader;
use mcprism_types::bridge::Part;

use super::judge::{Judge, Place, member, members, string};
use super::table::{ROUND_CONTENT, ROUND_METHOD};

/// The methods that may require input.
const METHODS: &[&str] = &["prompts/get", "resources/read", "tools/call"];

/// Judges a result of `method` that requires input.
pub(super) fn result(judge: &mut Judge, method: &str, reader: &Reader<'_>, place: &Place<'_>) {
    if !judge.has(&ROUND_METHOD) || string(reader, "resultType").as_deref() != Some("input_required") {
        return;
    }
    if !METHODS.contains(&method) {
        judge.breaks(&ROUND_METHOD, &place.name("resultType"));
    }
    let requests = member(reader, "inputRequests");
    if requests.is_none() && member(reader, "requestState").is_none() {
        judge.breaks(&ROUND_CONTENT, place);
    }
    let Some(requests) = requests else { return };
    let place = place.name("inputRequests");
    members(&requests, &mut |key, request| {
        let Some(method) = string(request, "method") else { return };
        if let Some(params) = member(request, "params") {
            super::checks(judge, &method, Part::Params, &params, &place.name(key).name("params"));
        }
    });
}
