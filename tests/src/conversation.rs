//! Conversations with a server, as data: what is sent, and what has to come.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

use crate::client_judge::ClientJudge;
use crate::desk::{desk, modern_desk, versions};
use crate::judge::{Judge, Judging};

/// A conversation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversation {
    /// The page that it follows from, below `docs/specification/`.
    #[serde(rename = "spec")]
    pub _spec: String,
    /// The reported failure that it repeats.
    #[serde(rename = "case", default)]
    pub _case: Option<String>,
    /// The revisions that the server speaks; all of them if absent.
    revisions: Option<Vec<String>>,
    /// The revision that the handlers are written at: `2025-11-25` if absent, or `2026-07-28`.
    handlers: Option<String>,
    steps: Vec<Step>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Step {
    /// A message is sent. `$name` inside strings stands for what was remembered.
    Send(Value),
    /// A line is sent as it is.
    Raw(String),
    /// The next line contains this: each member that is given, lists as long as they are given.
    Want(Value),
    /// The next lines contain these, in any order.
    WantAll(Vec<Value>),
    /// The last line has nothing at these places.
    Not(Vec<String>),
    /// What is at a place of the last line is remembered.
    Remember(std::collections::BTreeMap<String, String>),
    /// Nothing comes for a minute.
    Silence,
    /// The client closes its end.
    Close,
    /// The server has closed its end, too.
    Ended,
}

/// One side of a connection that writes and reads lines; the other side is judged.
pub struct Lines<J> {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: Option<WriteHalf<DuplexStream>>,
    /// Judges what the other side writes.
    pub judge: J,
}

impl Lines<Judge> {
    /// The client at one end of a connection.
    pub fn new(stream: DuplexStream) -> Self {
        Self::with(stream, Judge::default())
    }
}

impl Lines<ClientJudge> {
    /// The server at one end of a connection.
    pub fn of_server(stream: DuplexStream) -> Self {
        Self::with(stream, ClientJudge::default())
    }
}

impl<J: Judging> Lines<J> {
    fn with(stream: DuplexStream, judge: J) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        Self { reader: BufReader::new(reader), writer: Some(writer), judge }
    }

    /// Sends a line.
    ///
    /// # Panics
    /// If the other side has closed its end.
    pub async fn send(&mut self, line: &str) {
        self.judge.sent(line);
        let mut bytes = line.as_bytes().to_vec();
        bytes.push(b'\n');
        self.bytes(&bytes).await;
    }

    /// Sends bytes as they are.
    ///
    /// # Panics
    /// If the other side has closed its end.
    pub async fn bytes(&mut self, bytes: &[u8]) {
        let writer = self.writer.as_mut().expect("this end is open");
        writer.write_all(bytes).await.unwrap();
    }

    /// The next line, judged; `None` at the end, or if none comes for a minute. Time is that of a paused clock.
    ///
    /// # Panics
    /// If the line isn't valid.
    pub async fn next(&mut self) -> Option<String> {
        self.within(Duration::from_secs(60)).await
    }

    /// The same, if one comes within this time.
    ///
    /// # Panics
    /// If the line isn't valid.
    pub async fn within(&mut self, time: Duration) -> Option<String> {
        let mut line = String::new();
        match tokio::time::timeout(time, self.reader.read_line(&mut line)).await {
            Ok(Ok(1..)) => {
                let line = line.trim_end().to_owned();
                if let Err(why) = self.judge.written(&line) {
                    panic!("what is written is not valid: {why}");
                }
                Some(line)
            }
            _ => None,
        }
    }

    /// Closes this end.
    pub async fn close(&mut self) {
        if let Some(mut writer) = self.writer.take() {
            writer.shutdown().await.unwrap();
        }
    }

    /// Whether the other side has closed its end.
    pub async fn ended(&mut self) -> bool {
        let mut line = String::new();
        let read = tokio::time::timeout(Duration::from_secs(3600), self.reader.read_line(&mut line)).await;
        matches!(read, Ok(Ok(0) | Err(_)))
    }
}

/// Has a conversation.
///
/// # Panics
/// If the server says something else.
pub async fn hold(conversation: &Conversation) {
    let builder = match conversation.handlers.as_deref() {
        None | Some("2025-11-25") => desk(),
        Some("2026-07-28") => modern_desk(),
        Some(other) => panic!("no handlers are written at {other}"),
    };
    let builder = match &conversation.revisions {
        Some(names) => builder.revisions(versions(&names.iter().map(String::as_str).collect::<Vec<_>>())),
        None => builder,
    };
    let server = builder.build().unwrap();
    let (ours, theirs) = mcprism::transport::memory();
    let serving = tokio::spawn(async move { server.serve(theirs).await });
    let mut client = Lines::new(ours);
    let mut last = Value::Null;
    let mut remembered = std::collections::BTreeMap::<String, String>::new();
    for (at, step) in conversation.steps.iter().enumerate() {
        match step {
            Step::Send(message) => {
                let mut text = message.to_string();
                for (name, value) in &remembered {
                    text = text.replace(&format!("\"${name}\""), value);
                }
                client.send(&text).await;
            }
            Step::Raw(line) => client.send(line).await,
            Step::Want(wanted) => {
                let line = client.next().await.unwrap_or_else(|| panic!("step {at}: nothing comes, not {wanted}"));
                last = serde_json::from_str(&line).unwrap();
                assert!(contains(&last, wanted), "step {at}: {last} does not contain {wanted}");
            }
            Step::WantAll(wanted) => {
                let mut lines = Vec::new();
                for _ in wanted {
                    let line = client.next().await.unwrap_or_else(|| panic!("step {at}: only {lines:?} comes"));
                    lines.push(serde_json::from_str::<Value>(&line).unwrap());
                }
                for wanted in wanted {
                    let found = lines.iter().position(|line| contains(line, wanted));
                    let found = found.unwrap_or_else(|| panic!("step {at}: none of {lines:?} contains {wanted}"));
                    last = lines.remove(found);
                }
            }
            Step::Not(places) => {
                for place in places {
                    assert_eq!(last.pointer(place), None, "step {at}: {place} of {last}");
                }
            }
            Step::Remember(places) => {
                for (name, place) in places {
                    let value = last.pointer(place).unwrap_or_else(|| panic!("step {at}: {last} has no {place}"));
                    remembered.insert(name.clone(), value.to_string());
                }
            }
            Step::Silence => {
                let line = client.next().await;
                assert_eq!(line, None, "step {at}");
            }
            Step::Close => client.close().await,
            Step::Ended => assert!(client.ended().await, "step {at}: the server goes on"),
        }
    }
    client.close().await;
    if let Some(line) = client.next().await {
        panic!("the server also says {line}");
    }
    serving.await.unwrap().unwrap();
}

/// Whether a value has all that another one says.
pub fn contains(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::Object(value), Value::Object(wanted)) => {
            wanted.iter().all(|(name, wanted)| value.get(name).is_some_and(|value| contains(value, wanted)))
        }
        (Value::Array(value), Value::Array(wanted)) => {
            value.len() == wanted.len() && value.iter().zip(wanted).all(|(value, wanted)| contains(value, wanted))
        }
        (value, wanted) => value == wanted,
    }
}
