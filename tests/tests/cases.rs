//! Failures that were reported in public for other software, run against this one.
//!
//! `MCPRISM_CASES` points at a folder with `cases.jsonl`, one case a line. Here run those of which one
//! text is the matter: B1-07, B1-08, B1-10, B1-11, B1-13, B2-01, B2-03, B2-07, B2-09, B2-10, B2-12, B2-13
//! (line by line), B3-15 and B5-06.
//!
//! The others are where what they are about is:
//!
//! - pending requests, progress tokens, paging, late answers, noise for a client: `runtime/client/cases.rs`;
//! - lifecycles, cancellation, ids and two readings of a server: `tests/conversations/`, which name them in `case`;
//! - what a stream brings (B2-13, B2-15, B5-02, B5-05): `runtime/streams.rs`;
//! - negotiation (B3-04, B3-06): `runtime/tests/negotiation.rs`; roots (B5-09): `runtime/tests/roots.rs`;
//! - HTTP, and the generator, which reads schemas (B1-01, B1-02, B1-04, B1-05): not run as cases.

use std::collections::BTreeMap;
use std::fs;

use mcprism::jsonrpc::{ErrorResponse, Id, Incoming, Message, Request, Response, code};
use mcprism_tests::instances::equality::equal;
use mcprism_tests::schemas::folder;
use mcprism_types::{
    ErrorKind, Json, ProtocolVersion, decode, v2025_06_18 as third, v2025_11_25 as mcp, v2026_07_28 as modern,
};
use serde_json::Value;

/// A case by its id, unless there are none here.
fn case(id: &str) -> Option<Value> {
    let folder = folder("MCPRISM_CASES")?;
    let cases = fs::read_to_string(folder.join("cases.jsonl")).expect("the folder has cases.jsonl");
    let cases: BTreeMap<String, Value> = cases
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str::<Value>(line).expect("each line is JSON"))
        .map(|case| (case["id"].as_str().expect("each case has an id").to_owned(), case))
        .collect();
    Some(cases.get(id).unwrap_or_else(|| panic!("no case {id}")).clone())
}

/// The input of a case, as text.
fn input(id: &str) -> Option<String> {
    Some(case(id)?["input"].as_str().expect("the input is text").to_owned())
}

/// The steps or rows of a case.
fn rows(id: &str) -> Option<Vec<Value>> {
    serde_json::from_str(&input(id)?).expect("the input is a list")
}

/// The rows of a case, of which there are so many.
fn counted(id: &str, count: usize) -> Option<Vec<Value>> {
    let rows = rows(id)?;
    assert_eq!(rows.len(), count, "{id} has other rows than this test knows");
    Some(rows)
}

fn string<'a>(row: &'a Value, member: &str) -> &'a str {
    row[member].as_str().unwrap_or_else(|| panic!("{row} has no {member}"))
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[track_caller]
fn same(written: &str, wanted: &Value) {
    assert!(equal(&parsed(written), wanted), "{written} is not {wanted}");
}

#[test]
fn b1_07_a_required_member_that_is_null_is_kept() {
    let Some(text) = input("B1-07") else { return };
    let task: mcp::Task = decode(&text).unwrap();
    assert_eq!(task.ttl, None);
    let written = serde_json::to_string(&task).unwrap();
    assert!(written.contains(r#""ttl":null"#), "{written}");
    same(&written, &parsed(&text));
    let mut without = parsed(&text);
    without.as_object_mut().unwrap().remove("ttl");
    let error = decode::<mcp::Task>(&without.to_string()).unwrap_err();
    assert_eq!(error.to_string(), "missing member `ttl`");
}

#[test]
fn b1_08_any_json_holds_null_and_fractions() {
    let Some(text) = input("B1-08") else { return };
    let capabilities: modern::ClientCapabilities = decode(&text).unwrap();
    same(&serde_json::to_string(&capabilities).unwrap(), &parsed(&text));
    let limits = capabilities.experimental.unwrap().get("com.example/limits").unwrap().to_value();
    assert_eq!(limits["cap"], Value::Null);
    assert_eq!(limits["ratio"], 0.5);
    let value: modern::JSONValue = decode("[null,0.5]").unwrap();
    assert_eq!(value.as_str(), "[null,0.5]");
}

#[test]
fn b1_10_results_are_read_by_the_method_that_is_pending() {
    let Some(rows) = counted("B1-10", 4) else { return };
    let legacy = ProtocolVersion::ALL.iter().filter(|version| version.method("ping").is_some());
    for version in legacy {
        let keyed = version.keyed().unwrap();
        for row in &rows {
            let Ok(Message::Response(response)) = Message::parse(string(row, "line")) else { panic!("{row}") };
            let read = (keyed.result)(string(&row["pending"], "method"), response.result).unwrap();
            let wanted = string(row, "want");
            match wanted.split([' ', ',']).next().unwrap() {
                "raw" => assert_eq!(read.variant, "Unknown", "{version}: {wanted}"),
                ty => assert_eq!(read.variant, ty, "{version}: {wanted}"),
            }
            same(&read.text, &parsed(response.result));
        }
    }
}

#[test]
fn b1_11_near_identical_arms_lose_nothing() {
    let Some(rows) = counted("B1-11", 5) else { return };
    let variants: Vec<String> = rows
        .iter()
        .map(|row| {
            assert_eq!(string(row, "def"), "PrimitiveSchemaDefinition");
            let schema: mcp::PrimitiveSchemaDefinition = decode(&row["value"].to_string()).unwrap();
            same(&serde_json::to_string(&schema).unwrap(), &row["value"]);
            let name = format!("{schema:?}");
            name.split('(').next().unwrap().to_owned()
        })
        .collect();
    assert_eq!(
        variants,
        ["LegacyTitledEnum", "UntitledSingleSelectEnum", "TitledSingleSelectEnum", "UntitledMultiSelectEnum", "String"]
    );
}

#[test]
fn b1_13_metadata_that_is_added_writes_no_name_twice() {
    let Some(rows) = counted("B1-13", 1) else { return };
    let row = &rows[0];
    let mut request: mcp::CallToolRequest = decode(&row["build"].to_string()).unwrap();
    let meta = request.params.meta.get_or_insert_default();
    for (name, value) in row["inject_meta"].as_object().unwrap() {
        meta.extra.insert(name, Json::from(value));
    }
    let written = Request { id: 1.into(), body: request }.encode().unwrap();
    assert_eq!(written.matches(r#""_meta":"#).count(), 1, "{written}");
    let both = &parsed(&written)["params"]["_meta"];
    assert_eq!(both["progressToken"], "p1");
    assert_eq!(both["traceparent"], row["inject_meta"]["traceparent"]);
}

#[test]
fn b2_01_ids_that_come_back_as_floats() {
    let Some(rows) = counted("B2-01", 3) else { return };
    for row in rows {
        let pending = Id::from(row["pending"]["id"].as_i64().unwrap());
        match (Message::parse(string(&row, "line")), string(&row, "want").starts_with("matches")) {
            (Ok(Message::Response(response)), true) => {
                assert_eq!(response.id, pending);
                let result: mcp::EmptyResult = decode(response.result).unwrap();
                let extra = response.extra;
                let written = Response { id: response.id, result, extra }.encode().unwrap();
                assert!(written.contains(&format!(r#""id":{pending},"#)), "{written}");
            }
            // The request stays pending: the fault bears no id that could be taken for its own.
            (Err(fault), false) => assert_eq!((fault.code, fault.id), (code::INVALID_REQUEST, None)),
            (other, _) => panic!("{row}: {other:?}"),
        }
    }
}

#[test]
fn b2_03_ids_keep_their_type() {
    let Some(rows) = counted("B2-03", 4) else { return };
    let ids: Vec<Id> = rows
        .iter()
        .map(|row| match Message::parse(string(row, "line")) {
            Ok(Message::Response(response)) => response.id,
            Ok(Message::Request(request)) => {
                let answer = Response { id: request.id.clone(), result: mcp::EmptyResult::new(), extra: request.extra };
                let again = Response::<mcp::EmptyResult>::decode(&answer.encode().unwrap()).unwrap();
                assert_eq!(again.id, request.id);
                request.id
            }
            other => panic!("{row}: {other:?}"),
        })
        .collect();
    assert_eq!(ids, [Id::from("0"), Id::from("5"), Id::from("1"), Id::from("")]);
    assert_ne!(ids[0], Id::from(0));
}

#[test]
fn b2_07_an_unknown_role_spoils_nothing() {
    let Some(text) = input("B2-07") else { return };
    let response = Response::<third::CallToolResult>::decode(&text).unwrap();
    let [third::ContentBlock::Text(first), third::ContentBlock::Text(second)] = &response.result.content[..] else {
        panic!("{response:?}")
    };
    assert_eq!((first.text.as_str(), second.text.as_str()), ("ok", "two"));
    let audience = first.annotations.as_ref().unwrap().audience.as_ref().unwrap();
    assert_eq!(audience[..], [third::Role::Assistant, third::Role::Unknown("system".into())]);
    same(&response.encode().unwrap(), &parsed(&text));
}

#[test]
fn b2_09_tool_results_without_content_or_with_any_structured_content() {
    let Some(rows) = counted("B2-09", 5) else { return };
    let results: Vec<&Value> = rows.iter().map(|row| &row["result"]).collect();
    for version in [ProtocolVersion::V2025_06_18, ProtocolVersion::V2025_11_25] {
        let read = |row: usize| (version.keyed().unwrap().result)("tools/call", &results[row].to_string());
        let first = parsed(&read(0).unwrap().text);
        assert_eq!(first["content"], Value::Array(vec![]), "{version}");
        assert_eq!(first["structuredContent"], results[0]["structuredContent"], "{version}");
        same(&read(1).unwrap().text, results[1]);
        same(&read(2).unwrap().text, results[2]);
        let error = read(3).unwrap_err();
        assert_eq!((error.kind(), error.pointer().as_str()), (ErrorKind::Shape, "/structuredContent"), "{version}");
        // Null for an optional member reads as absent.
        same(&read(4).unwrap().text, results[1]);
    }
    let read = |row: usize| {
        let mut result = results[row].clone();
        result["resultType"] = "complete".into();
        (result.clone(), decode::<modern::CallToolResult>(&result.to_string()))
    };
    assert_eq!(read(0).1.unwrap_err().to_string(), "missing member `content`");
    for row in 1..5 {
        let (wanted, result) = read(row);
        same(&serde_json::to_string(&result.unwrap()).unwrap(), &wanted);
    }
}

#[test]
fn b2_10_unknown_members_of_capabilities_are_kept() {
    let Some(text) = input("B2-10") else { return };
    let request = Request::<third::InitializeRequest>::decode(&text).unwrap();
    same(&request.encode().unwrap(), &parsed(&text));
    let params = &request.body.params;
    let capabilities = &params.capabilities;
    assert_eq!(capabilities.extra.get("brandNew").unwrap().as_str(), r#"{"a":[]}"#);
    assert!(capabilities.extra.contains("tasks"));
    assert_eq!(capabilities.roots.as_ref().unwrap().extra.get("future").unwrap().as_str(), "1");
    assert!(capabilities.sampling.is_some() && capabilities.elicitation.is_some());
    assert!(capabilities.experimental.as_ref().unwrap().get("com.example/x").unwrap().is_empty());
    assert!(params.client_info.extra.contains("homepage"));
}

#[test]
fn b2_12_half_a_surrogate_pair_fails_one_request() {
    let Some(text) = input("B2-12") else { return };
    // The separators of lines and paragraphs end no line of a stream.
    let lines: Vec<&str> = text.split('\n').filter(|line| !line.is_empty()).collect();
    let [broken, whole] = lines[..] else { panic!("{text}") };
    let fault = Response::<mcp::CallToolResult>::decode(broken).unwrap_err();
    assert_eq!((fault.code, fault.id), (code::PARSE_ERROR, Some(1.into())));
    assert!(fault.response, "it was meant as an answer, and fails the request of its id");
    let response = Response::<mcp::CallToolResult>::decode(whole).unwrap();
    let mcp::ContentBlock::Text(block) = &response.result.content[0] else { panic!() };
    assert!(block.text.starts_with("pair 😀 nul \0 sep "), "{:?}", block.text);
    let written = response.encode().unwrap();
    same(&written, &parsed(whole));
    assert!(!written.contains("\\ud83d"), "{written}");
}

/// The bytes that a Python literal stands for.
fn bytes(literal: &str) -> Vec<u8> {
    let body = literal.strip_prefix("b'").and_then(|rest| rest.strip_suffix('\'')).expect("it is a bytes literal");
    let mut bytes = Vec::new();
    let mut rest = body.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next().expect("something is escaped") {
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            b't' => bytes.push(b'\t'),
            b'x' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
            }
            other => bytes.push(other),
        }
    }
    bytes
}

#[test]
fn b2_13_each_line_of_a_noisy_stream() {
    let Some(literal) = input("B2-13") else { return };
    let bytes = bytes(&literal);
    let text = std::str::from_utf8(&bytes).unwrap();
    // The mark belongs to the stream, and framing takes it off.
    assert_eq!(Message::parse(text.split('\n').next().unwrap()).map(drop).unwrap_err().code, code::PARSE_ERROR);
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').split('\n').collect();
    let outcomes: Vec<(Option<i64>, Option<Id>)> = lines
        .into_iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| match Incoming::parse(line, false) {
            Ok(Incoming::Single(Message::Request(request))) => (None, Some(request.id)),
            Err(fault) => (Some(fault.code), fault.id),
            other => panic!("{line}: {other:?}"),
        })
        .collect();
    let (parse, invalid) = (Some(code::PARSE_ERROR), Some(code::INVALID_REQUEST));
    assert_eq!(
        outcomes,
        [
            (None, Some(1.into())),
            (parse, None),
            (parse, Some(2.into())),
            (parse, None),
            (invalid, None),
            (invalid, None),
            (invalid, None),
            (invalid, None),
            (invalid, Some(3.into())),
            (None, Some(4.into())),
        ]
    );
}

#[test]
fn b3_15_errors_without_a_usable_id() {
    let Some(rows) = counted("B3-15", 8) else { return };
    let line = |row: usize| string(&rows[row], "line");
    for (row, wanted) in [(0, code::PARSE_ERROR), (1, code::INVALID_REQUEST)] {
        let response = <ErrorResponse>::decode(line(row)).unwrap();
        assert_eq!((response.id, response.error.code), (None, wanted));
    }
    let fault = Message::parse(line(2)).unwrap_err();
    assert_eq!((fault.code, fault.id, fault.response), (code::INVALID_REQUEST, None, true));
    let fault = Message::parse(line(3)).unwrap_err();
    assert_eq!((fault.code, fault.id, fault.response), (code::INVALID_REQUEST, Some(1.into()), true));
    let response = <ErrorResponse>::decode(line(4)).unwrap();
    assert_eq!((response.id, response.error.code), (Some(1.into()), -32603));
    let Ok(Message::Request(request)) = Message::parse(line(5)) else { panic!() };
    let error = mcp::ClientRequest::decode(&request.method, request.params).unwrap_err();
    assert_eq!((error.kind(), error.pointer().as_str()), (ErrorKind::Shape, "/name"));
    let fault = Request::<mcp::CallToolRequest>::decode(line(5)).unwrap_err();
    assert_eq!((fault.code, fault.id, fault.response), (code::INVALID_PARAMS, Some(7.into()), false));
    for row in [6, 7] {
        let fault = Message::parse(line(row)).unwrap_err();
        assert_eq!((fault.code, fault.id, fault.response), (code::INVALID_REQUEST, None, false));
    }
}

#[test]
fn b5_06_one_text_has_one_reading() {
    let Some(text) = input("B5-06") else { return };
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 7);
    let method = |line: usize| match Message::parse(lines[line]) {
        Ok(Message::Request(request)) => Ok((request.id, request.method.into_owned())),
        Ok(other) => panic!("{other:?}"),
        Err(fault) => Err((fault.code, fault.id)),
    };
    let ping = |id: i64| Ok((Id::from(id), "ping".to_owned()));
    assert_eq!(method(0), ping(1));
    assert_eq!(method(1), Err((code::INVALID_REQUEST, Some(2.into()))));
    assert_eq!(method(2), ping(3));
    let call = Request::<mcp::CallToolRequest>::decode(lines[3]).unwrap();
    assert_eq!((call.id, call.body.params.name.as_str()), (4.into(), "safe"));
    assert_eq!(method(4), Err((code::INVALID_REQUEST, Some(5.into()))));
    assert_eq!(method(5), Err((code::INVALID_REQUEST, None)));
    assert_eq!(method(6), ping(8));
}
