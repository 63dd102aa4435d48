//! Failures that were reported in public for other software, where a message meets another revision.
//!
//! `MCPRISM_CASES` points at a folder with `cases.jsonl`, one case a line. Here run those of which the
//! matter is a member, a kind or a number that the other side may not know: B1-08, B1-11, B1-13, B2-04,
//! B2-06, B2-07, B2-09, B2-10, B2-12, B3-09 and B3-12.

use mcprism_tests::instances::equality::equal;
use mcprism_tests::schemas::folder;
use mcprism_tests::translate::answer;
use mcprism_types::{Era, ProtocolVersion};
use serde_json::{Value, json};

/// The input of a case, as text, unless there are no cases here.
fn input(id: &str) -> Option<String> {
    let folder = folder("MCPRISM_CASES")?;
    let cases = std::fs::read_to_string(folder.join("cases.jsonl")).expect("the folder has cases.jsonl");
    let mut cases = cases.lines().filter(|line| !line.trim().is_empty()).map(parsed);
    let case = cases.find(|case| case["id"] == id).unwrap_or_else(|| panic!("no case {id}"));
    Some(case["input"].as_str().expect("the input is text").to_owned())
}

/// The rows of a case, of which there are so many.
fn counted(id: &str, count: usize) -> Option<Vec<Value>> {
    let rows: Vec<Value> = serde_json::from_str(&input(id)?).expect("the input is a list");
    assert_eq!(rows.len(), count, "{id} has other rows than this test knows");
    Some(rows)
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The answer to a question; what comes out is read.
fn ask(from: ProtocolVersion, to: ProtocolVersion, method: &str, part: &str, json: &str) -> Value {
    let question = json!({"from": from.as_str(), "to": to.as_str(), "method": method, "part": part, "json": json});
    let mut answer = parsed(&answer(question.to_string().as_bytes()));
    if let Some(text) = answer["json"].as_str().map(str::to_owned) {
        answer["text"] = text.clone().into();
        answer["json"] = parsed(&text);
    }
    answer
}

fn pointers(answer: &Value) -> Vec<&str> {
    answer["losses"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"))
        .iter()
        .map(|loss| loss["pointer"].as_str().unwrap())
        .collect()
}

fn to_all(from: ProtocolVersion, method: &str) -> Vec<ProtocolVersion> {
    let others = ProtocolVersion::ALL.iter().copied().filter(|to| *to != from);
    others.filter(|to| to.method(method).is_some()).collect()
}

use ProtocolVersion::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

#[test]
fn b1_08_capabilities_of_a_request_go_with_it() {
    let Some(text) = input("B1-08") else { return };
    // They are what the session says on the way up, and go without a report on the way down.
    let question = json!({
        "from": "2025-11-25", "to": "2026-07-28", "method": "tools/list", "part": "params",
        "session": {"clientCapabilities": parsed(&text)},
    });
    let up = parsed(&answer(question.to_string().as_bytes()));
    let params = parsed(up["json"].as_str().unwrap_or_else(|| panic!("{up}")));
    assert!(equal(&params["_meta"]["io.modelcontextprotocol/clientCapabilities"], &parsed(&text)), "{up}");
    let down = ask(V2026_07_28, V2025_11_25, "tools/list", "params", &params.to_string());
    assert_eq!(pointers(&down), [""; 0]);
    assert!(!down["text"].as_str().unwrap_or_default().contains("limits"), "{down}");
}

#[test]
fn b1_11_near_identical_arms_go_to_another_revision() {
    let Some(rows) = counted("B1-11", 5) else { return };
    let form = |schema: &Value| {
        let requested = json!({"type": "object", "properties": {"size": schema}});
        json!({"message": "m", "requestedSchema": requested})
    };
    for (index, row) in rows.iter().enumerate() {
        let params = form(&row["value"]);
        let up = ask(V2025_11_25, V2026_07_28, "elicitation/create", "params", &params.to_string());
        assert!(equal(&up["json"], &params), "{up}");
        let down = ask(V2025_11_25, V2025_06_18, "elicitation/create", "params", &params.to_string());
        let schema = &down["json"]["requestedSchema"]["properties"]["size"];
        match index {
            0 | 1 | 4 => assert!(equal(&down["json"], &params), "{down}"),
            2 => {
                let (arms, list) = (&row["value"]["oneOf"], |of: &str, arms: &Value| -> Vec<Value> {
                    arms.as_array().unwrap().iter().map(|arm| arm[of].clone()).collect()
                });
                assert_eq!(schema["enum"].as_array(), Some(&list("const", arms)), "{down}");
                assert_eq!(schema["enumNames"].as_array(), Some(&list("title", arms)), "{down}");
            }
            _ => assert!(down["refused"].is_string(), "{down}"),
        }
    }
}

#[test]
fn b1_13_metadata_that_is_added_writes_no_name_twice() {
    let Some(rows) = counted("B1-13", 1) else { return };
    let mut params = rows[0]["build"]["params"].clone();
    for (name, value) in rows[0]["inject_meta"].as_object().unwrap() {
        params["_meta"][name] = value.clone();
    }
    for to in to_all(V2025_11_25, "tools/call") {
        let answer = ask(V2025_11_25, to, "tools/call", "params", &params.to_string());
        assert_eq!(answer["text"].as_str().unwrap().matches(r#""_meta":"#).count(), 1, "{answer}");
        assert_eq!(answer["json"]["_meta"]["progressToken"], params["_meta"]["progressToken"], "{to}: {answer}");
        assert_eq!(answer["json"]["_meta"]["traceparent"], params["_meta"]["traceparent"], "{to}: {answer}");
        assert_eq!(pointers(&answer), [""; 0], "{to}");
    }
}

#[test]
fn b2_04_tokens_and_progress_keep_their_types() {
    let Some(rows) = counted("B2-04", 3) else { return };
    for from in ProtocolVersion::ALL {
        for to in to_all(*from, "notifications/progress") {
            for row in &rows {
                let line = parsed(row["line"].as_str().unwrap());
                let answer = ask(*from, to, "notifications/progress", "notification", &line["params"].to_string());
                for member in ["progressToken", "progress", "total"] {
                    assert_eq!(answer["json"].get(member), line["params"].get(member), "{from} -> {to}: {answer}");
                }
                let message = answer["json"].get("message") == line["params"].get("message");
                assert!(message || pointers(&answer) == ["/message"], "{from} -> {to}: {answer}");
            }
        }
    }
}

#[test]
fn b2_06_cursors_that_end_a_list_and_that_are_empty() {
    let Some(rows) = counted("B2-06", 4) else { return };
    let legacy = ProtocolVersion::ALL.iter().filter(|version| version.era() == Era::Legacy);
    for from in legacy {
        for to in to_all(*from, "tools/list") {
            for row in &rows {
                let answer = ask(*from, to, "tools/list", "result", &row["result"].to_string());
                let cursor = row["result"].get("nextCursor").filter(|cursor| !cursor.is_null());
                assert_eq!(answer["json"].get("nextCursor"), cursor, "{from} -> {to}: {answer}");
            }
        }
    }
}

#[test]
fn b2_07_an_unknown_role_goes_anywhere() {
    let Some(text) = input("B2-07") else { return };
    let result = parsed(&text)["result"].clone();
    for to in to_all(V2025_06_18, "tools/call") {
        let answer = ask(V2025_06_18, to, "tools/call", "result", &result.to_string());
        assert!(equal(&answer["json"]["content"], &result["content"]), "{to}: {answer}");
        assert_eq!(pointers(&answer), [""; 0], "{to}");
    }
}

#[test]
fn b2_09_structured_content_for_peers_that_know_none() {
    let Some(rows) = counted("B2-09", 5) else { return };
    let results: Vec<&Value> = rows.iter().map(|row| &row["result"]).collect();
    let text = |value: &Value| json!([{"type": "text", "text": value.to_string()}]);
    for from in [V2025_06_18, V2025_11_25] {
        for to in [V2024_11_05, V2025_03_26] {
            let down = |row: usize| ask(from, to, "tools/call", "result", &results[row].to_string());
            // Without content the structured content is all that there is.
            for row in [0, 2] {
                let answer = down(row);
                assert!(equal(&answer["json"]["content"], &text(&results[row]["structuredContent"])), "{answer}");
                assert!(answer["json"].get("structuredContent").is_none(), "{answer}");
                assert_eq!(answer["json"].get("isError"), results[row].get("isError"), "{answer}");
                assert_eq!(pointers(&answer), ["/structuredContent"]);
            }
            assert!(equal(&down(1)["json"], results[1]));
            // It is invalid there, and must not go on as if it weren't.
            let invalid = down(3);
            let refused = invalid["refused"].as_str().is_some_and(|why| why.contains("/structuredContent"));
            assert!(refused || pointers(&invalid) == ["/structuredContent"], "{invalid}");
            assert!(equal(&down(4)["json"], results[1]), "{}", down(4));
        }
        let up = |row: usize| ask(from, V2026_07_28, "tools/call", "result", &results[row].to_string());
        for row in [0, 1, 2] {
            let answer = up(row);
            assert!(answer["json"]["content"].is_array(), "a writer always has content: {answer}");
            assert_eq!(answer["json"].get("structuredContent"), results[row].get("structuredContent"), "{answer}");
            assert_eq!(answer["json"]["resultType"], "complete", "{answer}");
        }
    }
    // What only the newest revision can say.
    let mut list = results[3].clone();
    list["resultType"] = "complete".into();
    for to in to_all(V2026_07_28, "tools/call") {
        let answer = ask(V2026_07_28, to, "tools/call", "result", &list.to_string());
        assert!(equal(&answer["json"]["content"], &text(&list["structuredContent"])), "{to}: {answer}");
        assert_eq!(pointers(&answer), ["/structuredContent"], "{to}");
    }
}

#[test]
fn b2_10_capabilities_of_newer_peers_reach_older_ones() {
    let Some(text) = input("B2-10") else { return };
    let params = parsed(&text)["params"].clone();
    for to in to_all(V2025_06_18, "initialize") {
        let answer = ask(V2025_06_18, to, "initialize", "params", &params.to_string());
        let capabilities = &answer["json"]["capabilities"];
        // What no revision names stays, at each depth; what is declared and empty stays so.
        assert_eq!(capabilities["brandNew"], params["capabilities"]["brandNew"], "{to}: {answer}");
        assert_eq!(capabilities["roots"], params["capabilities"]["roots"], "{to}: {answer}");
        assert_eq!(capabilities["sampling"], json!({}), "{to}: {answer}");
        assert_eq!(capabilities["experimental"], params["capabilities"]["experimental"], "{to}: {answer}");
        assert_eq!(answer["json"]["clientInfo"]["homepage"], "about:blank", "{to}: {answer}");
        // What an older peer has no name for is said to be lost.
        let lost = pointers(&answer);
        let gone = |name: &str| capabilities.get(name).is_none();
        for name in ["tasks", "elicitation"] {
            let reported = lost.iter().any(|pointer| pointer.starts_with(&format!("/capabilities/{name}")));
            assert!(!gone(name) || reported, "{to}: {answer}");
        }
        assert_eq!(gone("elicitation"), to < V2025_06_18, "{to}: {answer}");
        assert!(to > V2025_06_18 || gone("tasks"), "{to}: {answer}");
    }
}

#[test]
fn b2_12_half_a_surrogate_pair_is_never_passed_on() {
    let Some(text) = input("B2-12") else { return };
    for (line, fits) in text.split('\n').filter(|line| !line.is_empty()).zip([false, true]) {
        // The line is cut, not parsed: the text has to arrive as it is.
        let result = line.split_once(r#""result":"#).and_then(|(_, rest)| rest.strip_suffix('}')).unwrap();
        for to in to_all(V2025_11_25, "tools/call") {
            let answer = ask(V2025_11_25, to, "tools/call", "result", result);
            match fits {
                true => assert!(equal(&answer["json"]["content"], &parsed(result)["content"]), "{answer}"),
                false => assert!(answer["refused"].is_string(), "{answer}"),
            }
        }
    }
}

#[test]
fn b3_09_metadata_of_another_era_in_a_legacy_session() {
    let Some(rows) = counted("B3-09", 4) else { return };
    let lines = rows.iter().filter_map(|row| row["line"].as_str()).map(parsed);
    for line in lines.filter(|line| line["method"] == "tools/list") {
        for to in to_all(V2025_11_25, "tools/list") {
            let answer = ask(V2025_11_25, to, "tools/list", "params", &line["params"].to_string());
            assert!(answer.get("refused").is_none(), "reserved names are no reason to refuse: {answer}");
            let meta = &answer["json"]["_meta"];
            assert_eq!(meta.get("x"), line["params"]["_meta"].get("x"), "{to}: {answer}");
            if to == V2026_07_28 {
                assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28", "{answer}");
                assert!(meta["io.modelcontextprotocol/clientCapabilities"].is_object(), "{answer}");
            }
        }
    }
}

#[test]
fn b3_12_cancellations_keep_the_type_of_the_id() {
    let Some(rows) = counted("B3-12", 7) else { return };
    let lines = rows.iter().filter_map(|row| row["line"].as_str()).map(parsed);
    for line in lines.filter(|line| line["method"] == "notifications/cancelled") {
        for from in ProtocolVersion::ALL {
            for to in to_all(*from, "notifications/cancelled") {
                match line.get("params") {
                    Some(params) => {
                        let answer = ask(*from, to, "notifications/cancelled", "notification", &params.to_string());
                        assert!(equal(&answer["json"], params), "{from} -> {to}: {answer}");
                    }
                    None => {
                        let question = json!({"from": from.as_str(), "to": to.as_str(), "method": "notifications/cancelled",
                            "part": "notification", "json": null});
                        let answer = parsed(&answer(question.to_string().as_bytes()));
                        assert!(answer["refused"].is_string(), "{from} -> {to}: {answer}");
                    }
                }
            }
        }
    }
}
