//! Every pair of a client and a server: what the client writes, to the letter, and what comes of it.
//!
//! spec: 2026-07-28/basic/versioning, Compatibility Matrix; 2026-07-28/basic/transports/stdio, Backward
//! Compatibility; 2025-11-25/basic/lifecycle, Initialization.

use std::time::Duration;

use mcprism::Error;
use mcprism_tests::conversation::Lines;
use mcprism_tests::visitor::{Diary, Setup, visitor};
use serde_json::{Value, json};

use super::paused;

/// What a server makes of the two ways to begin.
#[derive(Clone, Copy, Debug)]
enum Server {
    /// Refuses to be discovered, and agrees on this revision whatever is asked for.
    Legacy(&'static str),
    /// Doesn't answer `server/discover`, and agrees on this revision.
    Deaf(&'static str),
    /// Is discovered, and refuses the handshake with what it speaks.
    Modern,
    /// Speaks revisions that are yet to come, and says so.
    Future,
    /// Is discovered, and shakes hands at this revision.
    Both(&'static str),
    /// Is discovered, and offers a legacy revision alone.
    Turned(&'static str),
    /// Says nothing.
    Silent,
    /// Answers with what is nothing of the kind.
    Strange,
}

use Server::{Both, Deaf, Future, Legacy, Modern, Silent, Strange, Turned};

impl Server {
    /// The answer to a request, without its id.
    fn answer(self, method: &str) -> Option<Value> {
        let discovered = |versions: &[&str]| {
            json!({"result": {
                "resultType": "complete", "supportedVersions": versions, "capabilities": {"tools": {}},
                "ttlMs": 0, "cacheScope": "private",
            }})
        };
        let agreed = |version: &str| {
            let info = json!({"name": "s", "version": "1"});
            json!({"result": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}})
        };
        let unsupported = |versions: &[&str]| {
            let data = json!({"supported": versions, "requested": "x"});
            json!({"error": {"code": -32022, "message": "unsupported protocol version", "data": data}})
        };
        match (self, method) {
            (Legacy(_), "server/discover") => Some(json!({"error": {"code": -32601, "message": "no such method"}})),
            (Legacy(version) | Deaf(version) | Both(version) | Turned(version), "initialize") => Some(agreed(version)),
            (Modern | Both(_), "server/discover") => Some(discovered(&["2026-07-28"])),
            (Turned(version), "server/discover") => Some(discovered(&["2031-01-01", version])),
            (Modern, _) => Some(unsupported(&["2026-07-28"])),
            (Future, _) => Some(unsupported(&["2032-01-01", "2031-01-01"])),
            (Strange, _) => Some(json!({"result": {"tools": []}})),
            (Deaf(_) | Silent, _) => None,
            (server, method) => panic!("{server:?} is asked for {method}"),
        }
    }
}

/// What the client declares at a revision: its handlers are for roots, sampling and elicitation, and it declares
/// `roots.listChanged`, `sampling.tools`, `elicitation.form` and `elicitation.url` besides.
fn capabilities(version: &str) -> Value {
    match version {
        "2024-11-05" | "2025-03-26" => json!({"roots": {"listChanged": true}, "sampling": {}}),
        "2025-06-18" => json!({"roots": {"listChanged": true}, "sampling": {}, "elicitation": {}}),
        "2025-11-25" => json!({
            "roots": {"listChanged": true}, "sampling": {"tools": {}}, "elicitation": {"form": {}, "url": {}},
        }),
        "2026-07-28" => json!({"roots": {}, "sampling": {"tools": {}}, "elicitation": {"form": {}, "url": {}}}),
        other => panic!("no revision is called {other}"),
    }
}

/// A line, by its word.
fn line(id: usize, word: &str) -> Value {
    let info = json!({"name": "visitor", "version": "1.0"});
    match word.split_once(' ').unwrap_or((word, "")) {
        ("initialized", _) => json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        ("initialize", version) => json!({
            "jsonrpc": "2.0", "id": id, "method": "initialize",
            "params": {"protocolVersion": version, "capabilities": capabilities(version), "clientInfo": info},
        }),
        ("discover", version) => json!({
            "jsonrpc": "2.0", "id": id, "method": "server/discover",
            "params": {"_meta": {
                "io.modelcontextprotocol/protocolVersion": version,
                "io.modelcontextprotocol/clientCapabilities": capabilities(version),
                "io.modelcontextprotocol/clientInfo": info,
            }},
        }),
        (other, _) => panic!("no line is called {other}"),
    }
}

/// A client that speaks these revisions, and a server: the lines and the outcome.
async fn cell(spoken: &[&str], server: Server) -> (Vec<Value>, String) {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let setup = Setup {
        revisions: Some(owned(spoken)),
        handles: owned(&["roots", "sampling", "elicitation"]),
        declare: owned(&["roots.listChanged", "sampling.tools", "elicitation.form", "elicitation.url"]),
        ..Setup::default()
    };
    let (ours, theirs) = mcprism::transport::memory();
    let connecting = tokio::spawn(visitor(&setup, &Diary::default()).connect(theirs));
    let mut lines = Lines::of_server(ours);
    let mut written = Vec::new();
    // It ends when the client has closed its end, or says nothing for longer than it waits.
    while let Some(line) = lines.within(Duration::from_secs(100)).await {
        let line: Value = serde_json::from_str(&line).unwrap();
        if let Some(mut answer) =
            line["method"].as_str().filter(|_| line.get("id").is_some()).and_then(|method| server.answer(method))
        {
            answer["jsonrpc"] = "2.0".into();
            answer["id"] = line["id"].clone();
            lines.send(&answer.to_string()).await;
        }
        written.push(line);
    }
    let outcome = match connecting.await.unwrap() {
        Ok(client) => {
            let (version, tools) = (client.version(), client.server().declares("tools"));
            let closing = tokio::spawn(client.close());
            assert!(lines.ended().await);
            closing.await.unwrap().unwrap();
            format!("agreed {version}{}", if tools { "" } else { ", without tools" })
        }
        Err(error) => {
            assert!(lines.ended().await, "the client has closed its end");
            match error {
                Error::UnsupportedVersion { offered, .. } => format!("offered {}", offered.join(" ")),
                Error::Rpc(error) => format!("error {}", error.code),
                Error::Protocol(what) if what.contains("allow 2025-11-25") => "allow".to_owned(),
                Error::Protocol(what) if what.contains("in time") => "late".to_owned(),
                Error::Invalid { .. } => "invalid".to_owned(),
                other => format!("{other:?}"),
            }
        }
    };
    (written, outcome)
}

const ALL: &[&str] = &["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const LEGACY: &[&str] = &["2025-11-25", "2024-11-05", "2025-06-18", "2025-03-26"];
const MODERN: &[&str] = &["2026-07-28"];
const TWO: &[&str] = &["2026-07-28", "2025-06-18"];

/// What a client speaks, the server, the lines, the outcome.
type Row = (&'static [&'static str], Server, &'static [&'static str], &'static str);

const ROWS: &[Row] = &[
    (LEGACY, Legacy("2025-11-25"), &["initialize 2025-11-25", "initialized"], "agreed 2025-11-25"),
    (LEGACY, Legacy("2025-06-18"), &["initialize 2025-11-25", "initialized"], "agreed 2025-06-18"),
    (LEGACY, Legacy("2025-03-26"), &["initialize 2025-11-25", "initialized"], "agreed 2025-03-26"),
    (LEGACY, Legacy("2024-11-05"), &["initialize 2025-11-25", "initialized"], "agreed 2024-11-05"),
    (LEGACY, Legacy("2024-10-07"), &["initialize 2025-11-25"], "offered 2024-10-07"),
    (LEGACY, Legacy("2026-07-28"), &["initialize 2025-11-25"], "offered 2026-07-28"),
    (LEGACY, Legacy(""), &["initialize 2025-11-25"], "offered "),
    (LEGACY, Modern, &["initialize 2025-11-25"], "offered 2026-07-28"),
    (LEGACY, Future, &["initialize 2025-11-25"], "offered 2032-01-01 2031-01-01"),
    (LEGACY, Both("2025-06-18"), &["initialize 2025-11-25", "initialized"], "agreed 2025-06-18"),
    (LEGACY, Silent, &["initialize 2025-11-25"], "late"),
    (LEGACY, Strange, &["initialize 2025-11-25"], "invalid"),
    (MODERN, Legacy("2025-11-25"), &["discover 2026-07-28"], "allow"),
    (MODERN, Deaf("2025-11-25"), &["discover 2026-07-28"], "allow"),
    (MODERN, Modern, &["discover 2026-07-28"], "agreed 2026-07-28"),
    (MODERN, Future, &["discover 2026-07-28"], "offered 2032-01-01 2031-01-01"),
    (MODERN, Both("2025-11-25"), &["discover 2026-07-28"], "agreed 2026-07-28"),
    (MODERN, Turned("2025-11-25"), &["discover 2026-07-28"], "offered 2031-01-01 2025-11-25"),
    (MODERN, Silent, &["discover 2026-07-28"], "allow"),
    (MODERN, Strange, &["discover 2026-07-28"], "allow"),
    (ALL, Legacy("2025-11-25"), &["discover 2026-07-28", "initialize 2025-11-25", "initialized"], "agreed 2025-11-25"),
    (ALL, Legacy("2024-11-05"), &["discover 2026-07-28", "initialize 2025-11-25", "initialized"], "agreed 2024-11-05"),
    (ALL, Legacy("2024-10-07"), &["discover 2026-07-28", "initialize 2025-11-25"], "offered 2024-10-07"),
    // There is no handshake for a modern revision.
    (ALL, Legacy("2026-07-28"), &["discover 2026-07-28", "initialize 2025-11-25"], "offered 2026-07-28"),
    (ALL, Deaf("2025-03-26"), &["discover 2026-07-28", "initialize 2025-11-25", "initialized"], "agreed 2025-03-26"),
    (ALL, Modern, &["discover 2026-07-28"], "agreed 2026-07-28"),
    (ALL, Future, &["discover 2026-07-28"], "offered 2032-01-01 2031-01-01"),
    (ALL, Both("2025-11-25"), &["discover 2026-07-28"], "agreed 2026-07-28"),
    (ALL, Turned("2025-06-18"), &["discover 2026-07-28", "initialize 2025-06-18", "initialized"], "agreed 2025-06-18"),
    (ALL, Silent, &["discover 2026-07-28", "initialize 2025-11-25"], "late"),
    (ALL, Strange, &["discover 2026-07-28", "initialize 2025-11-25"], "invalid"),
    (TWO, Legacy("2025-06-18"), &["discover 2026-07-28", "initialize 2025-06-18", "initialized"], "agreed 2025-06-18"),
    (TWO, Legacy("2025-11-25"), &["discover 2026-07-28", "initialize 2025-06-18"], "offered 2025-11-25"),
    (TWO, Modern, &["discover 2026-07-28"], "agreed 2026-07-28"),
    // Pinned to one revision, the client asks for it alone.
    (&["2024-11-05"], Both("2024-11-05"), &["initialize 2024-11-05", "initialized"], "agreed 2024-11-05"),
    (&["2025-03-26"], Both("2025-03-26"), &["initialize 2025-03-26", "initialized"], "agreed 2025-03-26"),
    (&["2025-06-18"], Both("2025-06-18"), &["initialize 2025-06-18", "initialized"], "agreed 2025-06-18"),
    (&["2025-11-25"], Both("2025-11-25"), &["initialize 2025-11-25", "initialized"], "agreed 2025-11-25"),
    (&["2024-11-05"], Legacy("2025-03-26"), &["initialize 2024-11-05"], "offered 2025-03-26"),
    (&["2025-03-26"], Silent, &["initialize 2025-03-26"], "late"),
    (&["2025-06-18"], Modern, &["initialize 2025-06-18"], "offered 2026-07-28"),
];

#[test]
fn every_pair() {
    for (spoken, server, words, outcome) in ROWS {
        let (written, came) = paused(cell(spoken, *server));
        let wanted: Vec<Value> = words.iter().enumerate().map(|(id, word)| line(id, word)).collect();
        assert_eq!(written, wanted, "{spoken:?} and {server:?}");
        assert_eq!(came, *outcome, "{spoken:?} and {server:?}");
    }
}

/// Without handlers, nothing is declared.
#[test]
fn capabilities_come_from_handlers() {
    paused(async {
        let (ours, theirs) = mcprism::transport::memory();
        let setup = Setup { declare: vec!["no.such".to_owned()], approve: Some(true), ..Setup::default() };
        let connecting = tokio::spawn(visitor(&setup, &Diary::default()).connect(theirs));
        let mut lines = Lines::of_server(ours);
        let first: Value = serde_json::from_str(&lines.next().await.unwrap()).unwrap();
        assert_eq!(first["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"], json!({}));
        // Three seconds without an answer are enough.
        let second: Value = serde_json::from_str(&lines.next().await.unwrap()).unwrap();
        assert_eq!(second["params"]["capabilities"], json!({}));
        connecting.abort();
        assert!(lines.ended().await, "who gives up connecting closes the connection");
    });
}

/// What is wrong with a client is said before anything is written.
#[test]
fn mistakes_are_found_before_a_line_is_written() {
    paused(async {
        let (mut ours, theirs) = mcprism::transport::memory();
        let none = Setup { revisions: Some(Vec::new()), ..Setup::default() };
        assert!(visitor(&none, &Diary::default()).connect(theirs).await.is_err());
        let mut text = String::new();
        tokio::io::AsyncReadExt::read_to_string(&mut ours, &mut text).await.unwrap();
        assert_eq!(text, "");
        let twice = Setup { handles: vec!["roots".to_owned(), "roots".to_owned()], ..Setup::default() };
        let (_ours, theirs) = mcprism::transport::memory();
        let error = visitor(&twice, &Diary::default()).connect(theirs).await.unwrap_err();
        assert!(error.to_string().contains("`roots/list` has a handler at 2025-11-25 already"), "{error}");
    });
}
