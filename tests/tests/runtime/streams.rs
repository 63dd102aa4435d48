//! What a stream may bring besides messages: pieces, noise, lines without an end.

use std::time::Duration;

use mcprism::Server;
use mcprism_tests::desk::desk;
use mcprism_types::ProtocolVersion;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;

/// Writes pieces to a server, with something done after each, closes the stream, and gives back the lines that
/// came.
async fn told(server: &Server, pieces: &[&[u8]], after: impl Fn(&Server)) -> Vec<Value> {
    let (ours, theirs) = mcprism::transport::memory();
    let serving = tokio::spawn({
        let server = server.clone();
        async move { server.serve(theirs).await }
    });
    let (mut reader, mut writer) = tokio::io::split(ours);
    let reading = tokio::spawn(async move {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await.unwrap();
        bytes
    });
    for piece in pieces {
        writer.write_all(piece).await.unwrap();
        tokio::time::sleep(Duration::from_millis(1)).await;
        after(server);
    }
    writer.shutdown().await.unwrap();
    serving.await.unwrap().unwrap();
    let text = String::from_utf8(reading.await.unwrap()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn answers(lines: &[Value]) -> Vec<&Value> {
    lines.iter().filter(|line| line.get("method").is_none()).collect()
}

/// Case B2-15: a line that comes in two pieces, wherever it is cut, with something to be written in between; the
/// last without an end.
#[tokio::test(start_paused = true)]
async fn a_line_may_come_in_pieces() {
    let server = desk().build().unwrap();
    let long = format!("desk://{}", "x".repeat(256 * 1024));
    let subscribe =
        format!(r#"{{"jsonrpc":"2.0","id":"s","method":"resources/subscribe","params":{{"uri":"{long}"}}}}"#);
    let text = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"say","arguments":{"text":"😀"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
    )
    .as_bytes();
    for cut in 0..=text.len() {
        let opening = format!("{HELLO}\n{subscribe}\n");
        let pieces = [opening.as_bytes(), &text[..cut], &text[cut..]];
        let lines = told(&server, &pieces, |server| server.resource_updated(&long)).await;
        let answers = answers(&lines);
        let ids: Vec<String> = answers.iter().map(|line| line["id"].to_string()).collect();
        assert_eq!(ids, ["0", "\"s\"", "1", "2", "3"], "cut at {cut}");
        assert_eq!(answers[3]["result"]["content"][0]["text"], "😀", "cut at {cut}");
        assert_eq!(lines.len() - answers.len(), 3, "cut at {cut}");
    }
}

/// Case B2-13: a byte order mark, log lines, blank lines, carriage returns, JSON that is no message.
#[tokio::test(start_paused = true)]
async fn noise_costs_nothing_but_itself() {
    let bytes = concat!(
        "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n\r\n   \nstarting up...\n",
        "{\"jsonrpc\":\"2.0\",\"id\":2,\n[1,\n\"text\"\n42\nnull\n{}\n",
        "{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}\r\n",
    );
    let server = desk().build().unwrap();
    let lines = told(&server, &[bytes.as_bytes()], |_| {}).await;
    // Before it is known which revision is spoken, what has no id isn't answered.
    let ids: Vec<String> = lines.iter().map(|line| line["id"].to_string()).collect();
    assert_eq!(ids, ["1", "2", "3", "4"], "{lines:?}");
    assert_eq!(lines[1]["error"]["code"], -32700);
    assert_eq!(lines[2]["error"]["code"], -32600);
    // Afterwards at most one of many.
    let opened = format!("{HELLO}\n{}", bytes.trim_start_matches('\u{feff}'));
    let lines = told(&server, &[opened.as_bytes()], |_| {}).await;
    let without: Vec<&Value> = lines.iter().filter(|line| line.get("id").is_none()).collect();
    assert_eq!(without.len(), 1, "{lines:?}");
    // Bytes that are no UTF-8.
    let lines = told(&server, &[b"\xff\xfe\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"], |_| {}).await;
    assert_eq!(lines.len(), 1);
}

/// Case B5-05, as it is on a stream of lines.
#[tokio::test(start_paused = true)]
async fn a_burst_of_noise_ends() {
    let mut bytes = format!("{HELLO}\n").into_bytes();
    for _ in 0..100_000 {
        bytes.extend_from_slice(b"\n{not json\n");
    }
    bytes.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
    let server = desk().build().unwrap();
    let lines = told(&server, &[&bytes], |_| {}).await;
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(lines[2]["id"], 1);
}

/// Case B5-02: a line over the limit costs itself, and no more memory than the limit; so does one that never ends.
#[test]
fn a_line_over_the_limit_is_passed_over() {
    const LIMIT: usize = 2 * 1024 * 1024;
    let line = |id: u32, length: usize| {
        let mut line =
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping","params":{{"_meta":{{"p":""#).into_bytes();
        line.resize(line.len() + length, b'A');
        line.extend_from_slice(b"\"}}}\n");
        line
    };
    let (fits, long, last) = (line(1, 1 << 20), line(2, 8 << 20), line(3, 0));
    let unending = vec![b'B'; 8 << 20];
    let pieces: Vec<&[u8]> = [HELLO.as_bytes(), b"\n", &fits, &long, &last, &unending].to_vec();
    let measured = |pieces: &[&[u8]]| {
        let mut lines = Vec::new();
        let measured = allocation_counter::measure(|| {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
            lines = runtime.block_on(async {
                let server = desk().message_limit(LIMIT).build().unwrap();
                told(&server, pieces, |_| {}).await
            });
        });
        (lines, measured.bytes_max)
    };
    let (_, without) = measured(&pieces[..2]);
    let (lines, with) = measured(&pieces);
    assert!(with - without < 2 * LIMIT as u64, "{with} bytes at once, where {without} are needed anyway");
    let said: Vec<(String, String)> =
        lines.iter().map(|line| (line["id"].to_string(), line["error"]["code"].to_string())).collect();
    let said: Vec<(&str, &str)> = said.iter().map(|(id, code)| (id.as_str(), code.as_str())).collect();
    assert_eq!(said, [("0", "null"), ("1", "null"), ("null", "-32600"), ("3", "null"), ("null", "-32600")]);
}

/// A client that sends and doesn't read is not read from without an end.
#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_is_waited_for() {
    let server = desk().build().unwrap();
    let (ours, theirs) = mcprism::transport::memory();
    let serving = tokio::spawn(async move { server.serve(theirs).await });
    let (mut reader, mut writer) = tokio::io::split(ours);
    writer.write_all(HELLO.as_bytes()).await.unwrap();
    writer.write_all(b"\n").await.unwrap();
    let text = "y".repeat(1000);
    let call = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"say\",\"arguments\":{{\"text\":\"{text}\"}}}}}}\n"
    );
    let mut sent = 0;
    while sent < 100_000 {
        let written = tokio::time::timeout(Duration::from_secs(1), writer.write_all(call.as_bytes())).await;
        if written.is_err() {
            break;
        }
        sent += 1;
    }
    // A mebibyte of answers, what is under way, and no more.
    assert!(sent < 3_000, "{sent} requests were taken though no answer was read");
    // Once they are read, everything goes on: the last line was cut off in the middle.
    let mut bytes = vec![0; 1 << 20];
    let mut seen = 0;
    while seen < sent {
        let count = reader.read(&mut bytes).await.unwrap();
        seen += bytes[..count].iter().filter(|byte| **byte == b'\n').count();
    }
    drop((reader, writer));
    serving.await.unwrap().unwrap();
}

/// A request of this size and kind is refused beyond a number that is served at once.
#[tokio::test(start_paused = true)]
async fn requests_at_once_have_a_limit() {
    let server = desk().max_running(3).grace(Duration::ZERO).build().unwrap();
    let sleep = |id: u32| {
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"sleep\"}}}}\n")
    };
    let all: String = std::iter::once(format!("{HELLO}\n")).chain((1..=5).map(sleep)).collect();
    let lines = told(&server, &[all.as_bytes()], |_| {}).await;
    let refused: Vec<i64> =
        lines.iter().filter(|line| line.get("error").is_some()).map(|line| line["id"].as_i64().unwrap()).collect();
    assert_eq!(refused, [4, 5]);
    assert_eq!(ProtocolVersion::ALL.len(), server.revisions().len());
}

/// A handler may hand its context to others, but nothing about a request follows its answer.
#[tokio::test(start_paused = true)]
async fn nothing_follows_an_answer() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Nothing {}
    let (told_of, mut hears) = tokio::sync::mpsc::unbounded_channel();
    let server = desk()
        .tool("linger", "Goes on in another task.", move |_: Nothing, cx: mcprism::Context| {
            let told_of = told_of.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_secs(1)).await;
                let progress = cx.progress(1.0, None, None).await.is_ok();
                let logged = cx.log(mcprism::session::level::Level::Alert, None, "late").await.is_ok();
                let asked = cx.list_roots("late").await.is_ok();
                let _ = told_of.send((progress, logged, asked));
            });
            std::future::ready(Ok("gone"))
        })
        .build()
        .unwrap();
    let (ours, theirs) = mcprism::transport::memory();
    let serving = tokio::spawn(async move { server.serve(theirs).await });
    let mut client = mcprism_tests::conversation::Lines::new(ours);
    client.send(&HELLO.replace(r#""capabilities":{}"#, r#""capabilities":{"roots":{}}"#)).await;
    client.next().await.unwrap();
    let params = r#"{"name":"linger","_meta":{"progressToken":1}}"#;
    client.send(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#)).await;
    assert!(client.next().await.unwrap().contains("gone"));
    // It is told that nobody is asked; what only informs is dropped.
    assert_eq!(hears.recv().await, Some((true, true, false)));
    assert_eq!(client.within(Duration::from_secs(5)).await, None);
    client.close().await;
    serving.await.unwrap().unwrap();
}

/// Resources are subscribed to by URIs of the client's making, which are kept.
#[tokio::test(start_paused = true)]
async fn the_uris_of_subscriptions_have_a_limit() {
    let server = desk().build().unwrap();
    let long = "x".repeat(1 << 20);
    let subscribe = |id: u32| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"resources/subscribe","params":{{"uri":"desk://{id}{long}"}}}}"#
        )
    };
    let all: Vec<String> = std::iter::once(HELLO.to_owned()).chain((1..=5).map(subscribe)).collect();
    let lines = told(&server, &[(all.join("\n") + "\n").as_bytes()], |_| {}).await;
    let refused: Vec<&Value> = lines.iter().filter(|line| line.get("error").is_some()).collect();
    assert_eq!(refused.iter().map(|line| &line["id"]).collect::<Vec<_>>(), [4, 5], "{refused:?}");
}

/// Who waits for the outcome of a task is one of those that are served at once.
#[tokio::test(start_paused = true)]
async fn those_who_wait_for_a_task_have_a_limit() {
    let server = desk().max_running(3).build().unwrap();
    let (ours, theirs) = mcprism::transport::memory();
    let serving = tokio::spawn(async move { server.serve(theirs).await });
    let mut client = mcprism_tests::conversation::Lines::new(ours);
    client.send(HELLO).await;
    client.next().await.unwrap();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"haul","task":{}}}"#;
    client.send(call).await;
    let created: Value = serde_json::from_str(&client.next().await.unwrap()).unwrap();
    let task = &created["result"]["task"]["taskId"];
    for id in 2..=6 {
        let ask = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tasks/result","params":{{"taskId":{task}}}}}"#);
        client.send(&ask).await;
    }
    for id in [5, 6] {
        let refused: Value = serde_json::from_str(&client.next().await.unwrap()).unwrap();
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&id.into(), &(-32603).into()));
    }
    client.close().await;
    serving.await.unwrap().unwrap();
}

/// The answers to a batch wait for the last one, and what waits has a limit.
#[tokio::test(start_paused = true)]
async fn a_batch_of_many_answers_has_a_limit() {
    const LIMIT: usize = 64 * 1024;
    let server = desk().message_limit(LIMIT).build().unwrap();
    let hello = HELLO.replace("2025-11-25", "2025-03-26");
    let list = |id: usize| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#);
    let batch = format!("{hello}\n[{}]\n", (1..=500).map(list).collect::<Vec<_>>().join(","));
    let lines = told(&server, &[batch.as_bytes()], |_| {}).await;
    let answers = lines[1].as_array().unwrap();
    let refused = answers.iter().filter(|answer| answer["error"]["code"] == -32603).count();
    assert_eq!(answers.len(), 500);
    assert!(refused > 450 && answers[0].get("result").is_some(), "{refused} of 500 are refused");
}
