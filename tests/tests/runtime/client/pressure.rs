//! What is bounded: pages, requests that are served at once, and how long a server that doesn't read is waited for.

use std::time::Duration;

use mcprism::types::{ProtocolVersion, Request, v2025_11_25 as mcp};
use mcprism::{Client, Error};
use mcprism_tests::client_conversation::welcome;
use mcprism_tests::conversation::Lines;
use mcprism_tests::visitor::Diary;
use serde_json::{Value, json};

use super::{Stage, paused, tool};

/// spec: 2025-11-25/basic/lifecycle, Timeouts; 2025-11-25/basic/transports, stdio.
#[test]
fn a_server_that_reads_nothing_hangs_nobody() {
    paused(async {
        let stage = Stage::at(ProtocolVersion::V2025_11_25, &[]).await;
        let text = json!({"name": "add", "arguments": {"text": "x".repeat(2 << 20)}}).to_string();
        let large = mcp::CallToolRequest::from_params(Some(&text)).unwrap();
        let (first, second) = (stage.client.clone(), stage.client.clone());
        let first = tokio::spawn(async move { first.call(large).await });
        tokio::time::sleep(Duration::from_secs(1)).await;
        // There is no room for it.
        let second = tokio::spawn(async move { second.call(tool()).await });
        for call in [first, second] {
            let error = call.await.unwrap().unwrap_err();
            assert!(matches!(&error, Error::Timeout { after, .. } if after.as_secs() == 30), "{error}");
        }
        let closed = tokio::time::timeout(Duration::from_secs(60), stage.client.close()).await;
        assert!(closed.is_ok(), "closing waits for a server that doesn't read");
    });
}

/// spec: 2025-11-25/server/utilities/pagination, Implementation Guidelines.
#[test]
fn pages_come_to_an_end() {
    paused(async {
        let mut stage = Stage::at(ProtocolVersion::V2025_11_25, &[]).await;
        let client = stage.client.clone();
        let paging = tokio::spawn(async move {
            let mut pages = client.pages(mcp::ListToolsRequest::default()).unwrap();
            let mut count = 0;
            while let Some(page) = pages.next().await {
                match page {
                    Ok(_) => count += 1,
                    Err(error) => return (count, error.to_string(), pages.next().await.is_none()),
                }
            }
            (count, String::new(), true)
        });
        while !paging.is_finished() {
            // The last answer may have been the one too many.
            let Some(line) = stage.lines.within(Duration::from_secs(1)).await else { continue };
            let line: Value = serde_json::from_str(&line).unwrap();
            let result = json!({"tools": [], "nextCursor": format!("after {}", line["id"])});
            stage.lines.send(&json!({"jsonrpc": "2.0", "id": line["id"], "result": result}).to_string()).await;
            stage.next += 1;
        }
        let (count, error, ended) = paging.await.unwrap();
        assert_eq!((count, error.as_str(), ended), (10_000, "tools/list has more than 10000 pages", true));
        stage.ends_well().await;
    });
}

/// A server may ask for 256 things at once. That is our own choice.
#[test]
fn requests_that_are_served_at_once() {
    paused(async {
        let mut stage = Stage::at(ProtocolVersion::V2025_11_25, &["roots that take a while"]).await;
        for id in 0..300 {
            stage.lines.send(&json!({"jsonrpc": "2.0", "id": id, "method": "roots/list"}).to_string()).await;
        }
        let (mut refused, mut served) = (0, 0);
        for _ in 0..300 {
            let line: Value = serde_json::from_str(&stage.lines.next().await.unwrap()).unwrap();
            match line["error"]["code"].as_i64() {
                Some(-32603) => refused += 1,
                Some(code) => panic!("an error {code}"),
                None => served += 1,
            }
        }
        assert_eq!((refused, served), (44, 256));
        assert_eq!(stage.diary.take().len(), 256);
        stage.ends_well().await;
    });
}

/// Listeners that are too slow are waited for in a queue of 1024; what comes beyond is dropped.
#[test]
fn notifications_that_wait_for_listeners() {
    paused(async {
        let mut stage = Stage::at(ProtocolVersion::V2025_11_25, &[]).await;
        let entry = |data: &str| {
            let params = json!({"level": "info", "data": data});
            json!({"jsonrpc": "2.0", "method": "notifications/message", "params": params}).to_string()
        };
        stage.lines.send(&entry("slow")).await;
        // The first one is at work.
        tokio::time::sleep(Duration::from_millis(1)).await;
        for _ in 0..2000 {
            stage.lines.send(&entry("quick")).await;
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(stage.diary.take().len(), 1 + 1024);
        stage.ends_well().await;
    });
}

/// A listener that breaks before it has begun costs its own notification, and nothing else.
#[test]
fn a_listener_that_panics_at_once() {
    paused(async {
        let (ours, theirs) = mcprism::transport::memory();
        let broken = |_: mcp::ToolListChangedNotification, _| -> std::future::Ready<()> { panic!("broken") };
        let builder = Client::builder("visitor", "1.0").revisions([ProtocolVersion::V2025_11_25]);
        let connecting = tokio::spawn(builder.on_notification(broken).connect(theirs));
        let mut lines = Lines::of_server(ours);
        welcome(&mut lines, ProtocolVersion::V2025_11_25, None).await;
        let client = connecting.await.unwrap().unwrap();
        lines.send(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#).await;
        let stage = Stage { lines, client, diary: Diary::default(), next: 1 };
        stage.ends_well().await;
    });
}

/// A client reads on although its answers aren't read: a server that waits to be read from itself would wait for
/// ever.
#[test]
fn two_ends_that_write_much_get_on() {
    paused(async {
        let (ours, theirs) = mcprism::transport::memory();
        let connecting = Client::builder("visitor", "1.0")
            .revisions([ProtocolVersion::V2025_11_25])
            .on(async |_: mcp::ListRootsRequest, _| {
                let root = mcp::Root::new(format!("file:///{}", "r".repeat(60_000)));
                Ok(mcp::ListRootsResult::new(vec![root]))
            })
            .connect(theirs);
        let connecting = tokio::spawn(connecting);
        let mut lines = Lines::of_server(ours);
        welcome(&mut lines, ProtocolVersion::V2025_11_25, None).await;
        let client = connecting.await.unwrap().unwrap();
        let caller = client.clone();
        let call = tokio::spawn(async move { caller.call(mcp::PingRequest::default()).await });
        assert!(lines.next().await.is_some());
        for id in 0..100 {
            lines.send(&json!({"jsonrpc": "2.0", "id": id, "method": "roots/list"}).to_string()).await;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        lines.send(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).await;
        tokio::time::timeout(Duration::from_secs(1), call).await.expect("the client reads on").unwrap().unwrap();
        // What has waited is answered once the answers before are read.
        let mut answered = Vec::new();
        while answered.len() < 100 {
            let line: Value = serde_json::from_str(&lines.next().await.expect("an answer")).unwrap();
            answered.push(line["id"].as_i64().unwrap());
        }
        assert_eq!(answered, (0..100).collect::<Vec<_>>());
        drop(client);
    });
}
