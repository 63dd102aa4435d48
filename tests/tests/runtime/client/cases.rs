//! The reported cases of a client's, from the folder that `MCPRISM_CASES` points at.

use mcprism::Error;
use mcprism::client::CallOptions;
use mcprism::jsonrpc::Id;
use mcprism::session::calls::Calls;
use mcprism::types::{ProtocolVersion, v2025_11_25 as mcp, v2026_07_28 as modern};
use mcprism_tests::conversation::Lines;
use mcprism_tests::schemas::folder;
use mcprism_tests::visitor::{Diary, Setup, visitor};
use serde_json::{Value, json};

use super::{Stage, paused, tool, waits};

const NEWEST_LEGACY: ProtocolVersion = ProtocolVersion::V2025_11_25;

/// A case's input as it stands there; `None` if there are no cases.
fn input(id: &str) -> Option<String> {
    let cases = std::fs::read_to_string(folder("MCPRISM_CASES")?.join("cases.jsonl")).unwrap();
    let mut cases = cases.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let case = cases.find(|case| case["id"] == id).unwrap_or_else(|| panic!("there is no case {id}"));
    Some(case["input"].as_str().unwrap().to_owned())
}

/// A case's rows.
fn rows(id: &str) -> Vec<Value> {
    input(id).map(|rows| serde_json::from_str(&rows).unwrap()).unwrap_or_default()
}

fn line(row: &Value) -> String {
    row["line"].as_str().expect("the row has a line").to_owned()
}

/// spec: 2025-11-25/basic, Requests.
#[test]
fn b2_01_ids_that_come_back_as_floats() {
    for row in rows("B2-01") {
        let id = row["pending"]["id"].as_i64().unwrap();
        paused(async {
            if id == 0 {
                return the_first_id(&line(&row)).await;
            }
            let mut stage = Stage::at(NEWEST_LEGACY, &[]).await;
            stage.burn(id).await;
            let call = stage.call(mcp::PingRequest::default()).await;
            stage.lines.send(&line(&row)).await;
            let want = row["want"].as_str().unwrap();
            assert_eq!(waits(&call).await, want.starts_with("invalid message"), "{want}");
            if !call.is_finished() {
                stage.lines.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)).await;
            }
            call.await.unwrap().unwrap();
            stage.ends_well().await;
        });
    }
}

/// The first id is that of the handshake.
async fn the_first_id(line: &str) {
    let (ours, theirs) = mcprism::transport::memory();
    let setup = Setup { revisions: Some(vec!["2025-11-25".to_owned()]), ..Setup::default() };
    let connecting = tokio::spawn(visitor(&setup, &Diary::default()).connect(theirs));
    let mut lines = Lines::of_server(ours);
    let first: Value = serde_json::from_str(&lines.next().await.unwrap()).unwrap();
    assert_eq!(first["id"], 0);
    let info = json!({"name": "s", "version": "1"});
    let result = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info}).to_string();
    assert!(line.contains(r#""result":{}"#));
    lines.send(&line.replace(r#""result":{}"#, &format!(r#""result":{result}"#))).await;
    assert!(lines.next().await.unwrap().contains("notifications/initialized"));
    connecting.await.unwrap().unwrap();
}

/// spec: 2025-11-25/basic, Result Responses.
#[test]
fn b2_03_ids_that_come_back_as_strings() {
    for row in rows("B2-03").iter().filter(|row| row["role"] == "client") {
        match row["pending"].as_array().unwrap().as_slice() {
            [_] => paused(the_first_id(&line(row))),
            // The client has only numbers; what it matches by would keep them apart.
            [number, text] => {
                let mut calls = Calls::default();
                calls.insert(Id::from(number.as_i64().unwrap()), "number");
                calls.insert(Id::from(text.as_str().unwrap()), "string");
                let line: Value = serde_json::from_str(&line(row)).unwrap();
                assert_eq!(calls.answered(&Id::from(line["id"].as_str().unwrap())), Some("string"));
                assert_eq!(calls.len(), 1);
            }
            other => panic!("{other:?}"),
        }
    }
}

/// spec: 2025-11-25/basic/utilities/progress, Progress Flow.
#[test]
fn b2_04_progress_tokens() {
    for row in rows("B2-04") {
        paused(async {
            let mut stage = Stage::at(NEWEST_LEGACY, &[]).await;
            stage.burn(42).await;
            let client = stage.client.clone();
            let call = tokio::spawn(async move {
                let mut heard = Vec::new();
                let mut hear = |progress: mcprism::Progress| heard.push((progress.progress, progress.total));
                let options = CallOptions { limits: None, on_progress: Some(&mut hear) };
                client.call_with(tool(), options).await.map(|_| heard)
            });
            let request: Value = serde_json::from_str(&stage.lines.next().await.unwrap()).unwrap();
            assert_eq!(request["params"]["_meta"]["progressToken"], 42);
            stage.next += 1;
            stage.lines.send(&line(&row)).await;
            stage.lines.send(r#"{"jsonrpc":"2.0","id":42,"result":{"content":[]}}"#).await;
            // The tokens of the client are numbers; a string is none of them.
            let heard = call.await.unwrap().unwrap();
            let wanted = row["want"].as_str().unwrap().starts_with("goes to integer 42");
            assert_eq!(heard, if wanted { vec![(0.5, Some(2.0))] } else { Vec::new() });
            stage.ends_well().await;
        });
    }
}

/// spec: 2026-07-28/server/utilities/pagination, Implementation Guidelines.
#[test]
fn b2_06_the_end_of_pages() {
    for row in rows("B2-06") {
        for version in [ProtocolVersion::V2024_11_05, NEWEST_LEGACY, ProtocolVersion::LATEST] {
            paused(pages(&row, version));
        }
    }
}

async fn pages(row: &Value, version: ProtocolVersion) {
    let mut stage = Stage::at(version, &[]).await;
    let client = stage.client.clone();
    let paging = tokio::spawn(async move {
        let mut pages = client.pages(mcp::ListToolsRequest::default()).unwrap();
        let mut count = 0;
        while let Some(page) = pages.next().await {
            page?;
            count += 1;
        }
        Ok::<usize, Error>(count)
    });
    let mut cursors = Vec::new();
    let again = row["then_same_for_ever"] == true;
    while let Some(line) = stage.lines.within(std::time::Duration::from_millis(10)).await {
        let line: Value = serde_json::from_str(&line).unwrap();
        cursors.push(line["params"]["cursor"].clone());
        stage.next += 1;
        // The row says what the first page is; the next one is the last.
        let last = cursors.len() > 1 && !again;
        let mut result = if last { json!({"tools": []}) } else { row["result"].clone() };
        if version == ProtocolVersion::LATEST {
            result["resultType"] = "complete".into();
            result["ttlMs"] = 0.into();
            result["cacheScope"] = "private".into();
        }
        stage.lines.send(&json!({"jsonrpc": "2.0", "id": line["id"], "result": result}).to_string()).await;
    }
    let came = paging.await.unwrap();
    let want = row["want"].as_str().unwrap();
    match want.split([';', ' ']).next().unwrap() {
        "end" => assert_eq!((came.unwrap(), cursors), (1, vec![Value::Null]), "{want}"),
        "a" => assert_eq!((came.unwrap(), cursors), (2, vec![Value::Null, "".into()]), "{want}"),
        "auto-paging" => assert!(matches!(came, Err(Error::Protocol(_))) && cursors.len() == 2, "{want}"),
        other => panic!("{other}"),
    }
    stage.ends_well().await;
}

/// spec: 2025-06-18/server/resources, Annotations.
#[test]
fn b2_07_a_value_that_is_yet_to_come() {
    let Some(line) = input("B2-07") else { return };
    paused(async {
        let mut stage = Stage::at(ProtocolVersion::V2025_06_18, &[]).await;
        stage.burn(6).await;
        let call = stage.call(tool()).await;
        stage.lines.send(&line).await;
        let result = serde_json::to_value(call.await.unwrap().unwrap()).unwrap();
        assert_eq!(result, serde_json::from_str::<Value>(&line).unwrap()["result"]);
        stage.ends_well().await;
    });
}

/// spec: 2025-11-25/server/tools, Structured Content; 2026-07-28/changelog.
#[test]
fn b2_09_results_of_tools() {
    for (at, row) in rows("B2-09").iter().enumerate() {
        for version in [ProtocolVersion::V2025_06_18, NEWEST_LEGACY, ProtocolVersion::LATEST] {
            let mut result = row["result"].clone();
            let newest = version == ProtocolVersion::LATEST;
            if newest {
                result["resultType"] = "complete".into();
            }
            let came = paused(async {
                let mut stage = Stage::at(version, &[]).await;
                let answer = json!({"jsonrpc": "2.0", "id": 1, "result": result}).to_string();
                let came = if newest {
                    let meta = json!({
                        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                        "io.modelcontextprotocol/clientCapabilities": {},
                    });
                    let params = json!({"name": "add", "_meta": meta}).to_string();
                    let request = <modern::CallToolRequest as mcprism::types::Request>::from_params(Some(&params));
                    let call = stage.call(request.unwrap()).await;
                    stage.lines.send(&answer).await;
                    call.await.unwrap().map(|result| serde_json::to_value(result).unwrap())
                } else {
                    let call = stage.call(tool()).await;
                    stage.lines.send(&answer).await;
                    call.await.unwrap().map(|result| serde_json::to_value(result).unwrap())
                };
                let lost = stage.diary.take();
                stage.ends_well().await;
                came.map(|came| (came, lost))
            });
            let mut whole = result.clone();
            whole["content"] = json!([]);
            match (at, newest, came) {
                (0, false, Ok((came, _))) | (1 | 2, _, Ok((came, _))) | (3 | 4, true, Ok((came, _))) => {
                    assert_eq!(came, whole, "row {at} at {version}");
                }
                // The newest schema requires `content`, and a clear error is right.
                (0, true, Err(Error::Invalid { error, .. })) => assert!(error.to_string().contains("content")),
                (3, false, Err(Error::Invalid { .. })) => {}
                // On the way between two revisions that both want an object it is left out, and that is said.
                (3, false, Ok((came, lost))) => {
                    assert_eq!(came, json!({"content": []}));
                    assert_eq!(lost, ["lost 2025-11-25 tools/call at /structuredContent"]);
                }
                // What is optional may be null, which reads as absent.
                (4, false, Ok((came, _))) => assert_eq!(came, json!({"content": []})),
                (_, _, came) => panic!("row {at} at {version}: {came:?}"),
            }
        }
    }
}

/// spec: 2025-11-25/basic/transports.
#[test]
fn b2_12_half_a_character() {
    let Some(lines) = input("B2-12") else { return };
    for version in [ProtocolVersion::V2024_11_05, NEWEST_LEGACY] {
        paused(async {
            let mut stage = Stage::at(version, &[]).await;
            let (first, second) = (stage.call(tool()).await, stage.call(tool()).await);
            stage.lines.bytes(lines.as_bytes()).await;
            let error = first.await.unwrap().unwrap_err();
            assert!(matches!(error, Error::Invalid { .. }), "{error}");
            let result = serde_json::to_value(second.await.unwrap().unwrap()).unwrap();
            assert_eq!(result["content"][0]["text"], "pair \u{1f600} nul \0 sep \u{2028}");
            stage.ends_well().await;
        });
    }
}

/// spec: 2025-11-25/basic/transports, stdio; 2026-07-28/basic/transports/stdio, Sending Messages.
#[test]
fn b2_13_noise() {
    let Some(folder) = folder("MCPRISM_CASES") else { return };
    let noise = std::fs::read(folder.join("inputs/B2-13.bin")).unwrap();
    paused(async {
        let (ours, theirs) = mcprism::transport::memory();
        let setup = Setup { revisions: Some(vec!["2025-11-25".to_owned()]), ..Setup::default() };
        let connecting = tokio::spawn(visitor(&setup, &Diary::default()).connect(theirs));
        let mut lines = Lines::of_server(ours);
        assert!(lines.next().await.is_some());
        // What the judge has to know of it.
        for id in [1, 4] {
            mcprism_tests::judge::Judging::sent(
                &mut lines.judge,
                &json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string(),
            );
        }
        // A byte order mark is at the beginning of a stream.
        lines.bytes(&noise).await;
        for id in [1, 4] {
            let answer: Value = serde_json::from_str(&lines.next().await.unwrap()).unwrap();
            assert_eq!(answer, json!({"jsonrpc": "2.0", "id": id, "result": {}}));
        }
        let info = json!({"name": "s", "version": "1"});
        let result = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info});
        lines.send(&json!({"jsonrpc": "2.0", "id": 0, "result": result}).to_string()).await;
        assert!(lines.next().await.unwrap().contains("notifications/initialized"));
        let client = connecting.await.unwrap().unwrap();
        let closing = tokio::spawn(client.close());
        assert_eq!(lines.next().await, None);
        closing.await.unwrap().unwrap();
    });
    // A modern server that sends them is not answered at all.
    paused(async {
        let mut stage = Stage::at(ProtocolVersion::LATEST, &[]).await;
        stage.lines.bytes(&noise).await;
        stage.ends_well().await;
    });
}

/// spec: 2025-11-25/basic/utilities/cancellation, Behavior Requirements.
#[test]
fn b3_12_cancellation() {
    let rows = rows("B3-12");
    if rows.is_empty() {
        return;
    }
    // The other way round: the server asks and cancels.
    paused(async {
        let mut stage = Stage::at(NEWEST_LEGACY, &["roots that take a while"]).await;
        for row in &rows {
            let line = line(row).replace("tools/call", "roots/list").replace(r#","params":{"name":"sleep_5s"}"#, "");
            stage.lines.send(&line).await;
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            match row["want"].as_str().unwrap_or("begins").split([':', ',', ';']).next().unwrap() {
                "begins" => assert_eq!(stage.diary.take(), ["began roots/list"]),
                "handler told to stop" => assert_eq!(stage.diary.take(), ["dropped roots/list"]),
                "other id type" | "ignored" | "malformed" => assert!(stage.diary.take().is_empty()),
                "result {}" => {
                    assert_eq!(stage.lines.next().await.unwrap(), r#"{"jsonrpc":"2.0","id":11,"result":{}}"#)
                }
                other => panic!("{other}"),
            }
        }
        stage.ends_well().await;
    });
    // On the sending side, the call ends at once, and a late reply is dropped.
    for version in [NEWEST_LEGACY, ProtocolVersion::LATEST] {
        paused(async {
            let mut stage = Stage::at(version, &[]).await;
            let call = stage.call(tool()).await;
            call.abort();
            let told: Value = serde_json::from_str(&stage.lines.next().await.unwrap()).unwrap();
            assert_eq!(
                (&told["method"], &told["params"]),
                (&"notifications/cancelled".into(), &json!({"requestId": 1}))
            );
            stage.lines.send(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#).await;
            stage.ends_well().await;
        });
    }
}

/// spec: 2025-11-25/basic/utilities/progress, Behavior Requirements.
#[test]
fn b3_13_what_comes_too_late() {
    let rows = rows("B3-13");
    if rows.is_empty() {
        return;
    }
    paused(async {
        let mut stage = Stage::at(NEWEST_LEGACY, &[]).await;
        let client = stage.client.clone();
        let first = tokio::spawn(async move {
            let mut count = 0;
            let mut hear = |_| count += 1;
            let options = CallOptions { limits: None, on_progress: Some(&mut hear) };
            client.call_with(tool(), options).await.map(|_| count)
        });
        assert!(stage.lines.next().await.unwrap().contains(r#""progressToken":1"#));
        stage.next += 1;
        let mut second = None;
        for row in &rows {
            match (row.get("line"), row["pending"]["method"].as_str()) {
                // The token is the client's own.
                (Some(_), _) => stage.lines.send(&line(row).replace(r#""k1""#, "1")).await,
                (None, Some("tools/list")) => second = Some(stage.call(mcp::ListToolsRequest::default()).await),
                _ => {}
            }
        }
        assert_eq!(first.await.unwrap().unwrap(), 0);
        assert!(second.unwrap().await.unwrap().unwrap().tools.is_empty());
        stage.ends_well().await;
    });
}

/// spec: 2025-11-25/basic, Error Responses.
#[test]
fn b3_15_errors_without_an_id() {
    for row in rows("B3-15").iter().filter(|row| row["role"] == "client") {
        for version in [ProtocolVersion::V2024_11_05, NEWEST_LEGACY, ProtocolVersion::LATEST] {
            paused(async {
                let mut stage = Stage::at(version, &[]).await;
                let call = stage.call(tool()).await;
                stage.lines.send(&line(row)).await;
                let want = row["want"].as_str().unwrap();
                match want.split([',', ';']).next().unwrap() {
                    "connection-level error event" | "same" | "invalid message" => {
                        assert!(waits(&call).await, "{want}");
                        call.abort();
                        assert!(stage.lines.next().await.unwrap().contains("notifications/cancelled"));
                    }
                    "invalid" => {
                        let error = call.await.unwrap().unwrap_err();
                        assert!(matches!(error, Error::Invalid { .. }), "{error}");
                    }
                    "error delivered" => match call.await.unwrap().unwrap_err() {
                        Error::Rpc(error) => assert_eq!((error.code, error.message.as_str()), (-32603, "f")),
                        other => panic!("{other}"),
                    },
                    other => panic!("{other}"),
                }
                stage.ends_well().await;
            });
        }
    }
}

/// The twin of the case on stdio: 200,000 lines that say nothing, then a reply.
///
/// spec: 2025-11-25/basic/transports, stdio.
#[test]
fn b5_05_a_flood_of_lines_that_are_passed_over() {
    if input("B5-05").is_none() {
        return;
    }
    for version in [NEWEST_LEGACY, ProtocolVersion::LATEST] {
        paused(async {
            let mut stage = Stage::at(version, &[]).await;
            let call = stage.call(tool()).await;
            for line in ["\n", "not json\n", ": c\n", "{\"jsonrpc\":\"2.0\"}\n"] {
                stage.lines.bytes(line.repeat(50_000).as_bytes()).await;
            }
            stage.lines.send(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#).await;
            call.await.unwrap().unwrap();
            stage.ends_well().await;
        });
    }
}
