//! A client that does a bit of everything, for conversations with servers that are made up.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcprism::Client;
use mcprism::client::{Answer, Builder, Context};
use mcprism::session::deadline::Limits;
use mcprism::types::{Decode, v2025_11_25 as mcp};
use serde::Deserialize;

use crate::desk::versions;

/// How a client is set up.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// The revisions that it speaks; all of them if absent.
    pub revisions: Option<Vec<String>>,
    /// What it handles: see [`visitor`].
    pub handles: Vec<String>,
    /// What the approval says; nobody is asked if absent, and everything denied.
    pub approve: Option<bool>,
    /// What it declares besides.
    pub declare: Vec<String>,
    /// The level of the entries that it asks for.
    pub level: Option<String>,
    /// How many bytes a line may have.
    pub message_limit: Option<usize>,
}

/// What has happened inside of the client, in order.
#[derive(Clone, Debug, Default)]
pub struct Diary(Arc<Mutex<Vec<String>>>);

impl Diary {
    /// Adds a line.
    pub fn note(&self, line: impl Into<String>) {
        self.0.lock().expect("nobody panics with the diary in hand").push(line.into());
    }

    /// Takes all lines.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("nobody panics with the diary in hand"))
    }
}

/// Notes that a handler's future was dropped before its end.
struct Dropped(Diary, &'static str);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.note(format!("dropped {}", self.1));
    }
}

/// The client. Its handlers and listeners are written at 2025-11-25; it waits 30 seconds for an answer, and up to
/// 90 while progress is reported.
///
/// # Panics
/// If the set-up names something that there isn't.
pub fn visitor(setup: &Setup, diary: &Diary) -> Builder {
    let limits = Limits { idle: Duration::from_secs(30), total: Duration::from_secs(90) };
    let builder = Client::builder("visitor", "1.0").limits(limits);
    let mut builder = listening(builder, diary);
    let log = diary.clone();
    builder = builder.on_loss(move |report| {
        let places: Vec<&str> = report.losses.iter().map(|loss| loss.pointer.as_str()).collect();
        log.note(format!("lost {} {} at {}", report.to, report.method, places.join(" ")));
    });
    if let Some(names) = &setup.revisions {
        builder = builder.revisions(versions(&names.iter().map(String::as_str).collect::<Vec<_>>()));
    }
    for name in &setup.handles {
        builder = handling(builder, name, diary);
    }
    for capability in &setup.declare {
        builder = builder.declare(capability);
    }
    if let Some(approve) = setup.approve {
        let log = diary.clone();
        builder = builder.approve(move |question| {
            log.note(format!("asked {} {}", question.method, question.params.as_str()));
            std::future::ready(if approve { Answer::Approve } else { Answer::Deny })
        });
    }
    if let Some(level) = &setup.level {
        builder = builder.log_level(level.parse().expect("the name of a level"));
    }
    if let Some(limit) = setup.message_limit {
        builder = builder.message_limit(limit);
    }
    builder
}

/// Reads what is always the same.
fn fixed<T: Decode>(text: &str) -> mcprism::Result<T> {
    mcprism::types::decode(text).map_err(mcprism::Error::internal)
}

fn handling(builder: Builder, name: &str, diary: &Diary) -> Builder {
    let log = diary.clone();
    match name {
        "roots" => builder.on(move |_: mcp::ListRootsRequest, cx: Context| {
            log.note(format!("handled {}", cx.method()));
            async { fixed::<mcp::ListRootsResult>(r#"{"roots":[{"uri":"file:///home/ada","name":"home"}]}"#) }
        }),
        "roots that panic" => builder
            .on(async |_: mcp::ListRootsRequest, _| -> mcprism::Result<mcp::ListRootsResult> { panic!("no roots") }),
        "roots that fail" => builder.on(async |_: mcp::ListRootsRequest, _| -> mcprism::Result<mcp::ListRootsResult> {
            Err(mcprism::Error::internal("the disk is gone"))
        }),
        "roots that take a while" => builder.on(move |_: mcp::ListRootsRequest, cx: Context| {
            let log = log.clone();
            async move {
                log.note(format!("began {}", cx.method()));
                let dropped = Dropped(log, "roots/list");
                tokio::time::sleep(Duration::from_secs(20)).await;
                std::mem::forget(dropped);
                fixed::<mcp::ListRootsResult>(r#"{"roots":[]}"#)
            }
        }),
        "sampling" => builder.on(move |_: mcp::CreateMessageRequest, cx: Context| {
            log.note(format!("handled {}", cx.method()));
            let text = r#"{"role":"assistant","content":{"type":"text","text":"a line"},"model":"quill"}"#;
            async move { fixed::<mcp::CreateMessageResult>(text) }
        }),
        "elicitation" => builder.on(move |_: mcp::ElicitRequest, cx: Context| {
            log.note(format!("handled {}", cx.method()));
            async { fixed::<mcp::ElicitResult>(r#"{"action":"accept","content":{"name":"Ada"}}"#) }
        }),
        "vendor/where" => {
            builder.on_raw("vendor/where", async |params, _| Ok(params.unwrap_or_else(mcprism::types::Json::null)))
        }
        other => panic!("nothing is handled that is called {other}"),
    }
}

/// Adds listeners. An entry of the log that says `slow` takes a second, and one that says `panic` does so.
fn listening(builder: Builder, diary: &Diary) -> Builder {
    let (entries, lists, resources, updates) = (diary.clone(), diary.clone(), diary.clone(), diary.clone());
    builder
        .on_notification(move |mcp::LoggingMessageNotification { params, .. }, _| {
            let log = entries.clone();
            async move {
                let data = params.data.to_string();
                match data.as_str() {
                    "\"slow\"" => tokio::time::sleep(Duration::from_secs(1)).await,
                    "\"panic\"" => panic!("the listener is broken"),
                    _ => {}
                }
                log.note(format!("heard {data}"));
            }
        })
        .on_notification(move |_: mcp::ToolListChangedNotification, _| {
            let log = lists.clone();
            async move { log.note("heard of tools") }
        })
        .on_notification(move |_: mcp::ResourceListChangedNotification, _| {
            let log = resources.clone();
            async move { log.note("heard of resources") }
        })
        .on_notification(move |mcp::ResourceUpdatedNotification { params, .. }, _| {
            let log = updates.clone();
            async move { log.note(format!("heard of {}", params.uri)) }
        })
}
