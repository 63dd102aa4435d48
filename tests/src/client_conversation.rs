//! Conversations with a client, as data: what it is made to do, what it writes, and what comes back.

use std::collections::BTreeMap;
use std::time::Duration;

use mcprism::client::{CallOptions, Filter, Listening};
use mcprism::session::deadline::Limits;
use mcprism::types::{Era, ProtocolVersion};
use mcprism::types::{Request, v2024_11_05 as first, v2025_11_25 as mcp, v2026_07_28 as modern};
use mcprism::{Client, Error, Progress, Result};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::client_judge::ClientJudge;
use crate::conversation::{Lines, contains};
use crate::visitor::{Diary, Setup, visitor};

/// A conversation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientConversation {
    /// The page that it follows from, below `docs/specification/`.
    #[serde(rename = "spec")]
    pub _spec: String,
    /// The reported failure that it repeats.
    #[serde(rename = "case", default)]
    pub _case: Option<String>,
    /// How the client is set up.
    #[serde(default)]
    client: Setup,
    /// The revision of a server with which all is agreed on before the first step; the client speaks no other
    /// unless it says so. If absent, the steps begin with what the client writes first.
    server: Option<String>,
    /// What that server declares; everything if absent.
    capabilities: Option<Value>,
    steps: Vec<Step>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Step {
    /// The client calls a method, and goes on.
    Call(Call),
    /// The client takes all pages of a list, and goes on.
    Pages { r#as: String, params: Option<Value> },
    /// The client sends a notification.
    Notify { method: String, params: Option<Value> },
    /// The client listens, and goes on.
    Listen { r#as: String, filter: Asked },
    /// The next line is exactly this.
    Line(Value),
    /// The next line contains this: each member that is given, lists as long as they are given.
    Want(Value),
    /// The next line is a batch of these, in any order.
    Batch(Vec<Value>),
    /// The last line has nothing at these places.
    Not(Vec<String>),
    /// The server sends a message.
    Send(Value),
    /// The server sends a line as it is.
    Raw(String),
    /// The server sends a line without its end.
    Half(String),
    /// The server sends a line so many times.
    Flood { line: String, times: usize },
    /// What has come of calls: `result`, or `error` with its kind, its code, and what it says. They are done.
    Came(BTreeMap<String, Value>),
    /// These calls wait, still.
    Waiting(Vec<String>),
    /// What was started is dropped.
    Drop(String),
    /// A stream is ended by the client.
    End(String),
    /// What the server has agreed to tell of.
    Agreed(BTreeMap<String, Asked>),
    /// The server has not agreed, and what came of it.
    NotListening(BTreeMap<String, Value>),
    /// The stream has ended.
    StreamEnded(String),
    /// This has happened inside of the client since the last time, in this order.
    Happened(Vec<String>),
    /// Nothing is written for so many seconds.
    Silence(f64),
    /// The client is connected, and has come to know this.
    Connected(Value),
    /// The client is not connected, for this reason; its end is closed.
    Refused(Value),
    /// The server closes its end.
    Close,
    /// The client has closed its end, too.
    Ended,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    /// What it is called in later steps.
    r#as: String,
    method: String,
    /// The revision that it is written at: `2025-11-25` if absent.
    at: Option<String>,
    params: Option<Value>,
    /// How many seconds it waits.
    idle: Option<f64>,
    /// How many seconds it waits in all.
    total: Option<f64>,
    /// Whether it wants to hear of progress.
    #[serde(default)]
    progress: bool,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
struct Asked {
    tools: bool,
    prompts: bool,
    resources: bool,
    uris: Vec<String>,
}

impl Asked {
    fn filter(&self) -> Filter {
        let uris = self.uris.iter().cloned().collect();
        Filter { tools: self.tools, prompts: self.prompts, resources: self.resources, uris }
    }
}

/// A conversation that is going on.
struct Stage {
    lines: Lines<ClientJudge>,
    diary: Diary,
    connecting: Option<JoinHandle<Result<Client>>>,
    client: Option<Client>,
    calls: BTreeMap<String, JoinHandle<Result<Value>>>,
    opening: BTreeMap<String, JoinHandle<Result<Listening>>>,
    streams: BTreeMap<String, Listening>,
    last: Value,
}

/// Has a conversation. The clock has to be a paused one.
///
/// # Panics
/// If the client does something else.
pub async fn hold(conversation: &ClientConversation) {
    let mut setup = conversation.client.clone();
    if let (Some(version), None) = (&conversation.server, &setup.revisions) {
        setup.revisions = Some(vec![version.clone()]);
    }
    let diary = Diary::default();
    let (ours, theirs) = mcprism::transport::memory();
    let builder = visitor(&setup, &diary);
    let mut stage = Stage {
        lines: Lines::of_server(ours),
        diary,
        connecting: Some(tokio::spawn(builder.connect(theirs))),
        client: None,
        calls: BTreeMap::new(),
        opening: BTreeMap::new(),
        streams: BTreeMap::new(),
        last: Value::Null,
    };
    if let Some(version) = &conversation.server {
        welcome(&mut stage.lines, version.parse().unwrap(), conversation.capabilities.clone()).await;
        stage.client = Some(stage.connecting.take().unwrap().await.unwrap().unwrap());
    }
    for (at, step) in conversation.steps.iter().enumerate() {
        let what = format!("step {at}");
        stage.play(&what, step).await;
    }
    stage.finish().await;
}

/// Agrees with a client on a revision, as a server that speaks no other, and declares this, or everything.
///
/// # Panics
/// If the client can't be agreed with.
pub async fn welcome(lines: &mut Lines<ClientJudge>, version: ProtocolVersion, capabilities: Option<Value>) {
    let everything = json!({
        "tools": {"listChanged": true}, "prompts": {"listChanged": true}, "logging": {}, "completions": {},
        "resources": {"listChanged": true, "subscribe": true},
    });
    let capabilities = capabilities.unwrap_or(everything);
    loop {
        let line = lines.next().await.expect("the client says something");
        let request: Value = serde_json::from_str(&line).unwrap();
        let id = &request["id"];
        let answer = match (request["method"].as_str().unwrap(), version.era()) {
            ("server/discover", Era::Modern) => json!({
                "resultType": "complete", "supportedVersions": [version.as_str()], "capabilities": capabilities,
                "ttlMs": 0, "cacheScope": "private",
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "stage", "version": "1"}},
            }),
            ("initialize", Era::Legacy) => json!({
                "protocolVersion": version.as_str(), "capabilities": capabilities,
                "serverInfo": {"name": "stage", "version": "1"},
            }),
            (method, _) => {
                let error = json!({"code": -32601, "message": format!("no {method}")});
                lines.send(&json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()).await;
                continue;
            }
        };
        lines.send(&json!({"jsonrpc": "2.0", "id": id, "result": answer}).to_string()).await;
        if version.era() == Era::Legacy {
            let line = lines.next().await.expect("the client is initialized");
            assert_eq!(line, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        }
        return;
    }
}

impl Stage {
    async fn play(&mut self, at: &str, step: &Step) {
        match step {
            Step::Call(call) => {
                let (client, diary) = (self.client().clone(), self.diary.clone());
                let (name, task) = (call.r#as.clone(), make(client, call, diary));
                assert!(self.calls.insert(name, task).is_none(), "{at}: there is such a call already");
            }
            Step::Pages { r#as, params } => {
                let (client, params) = (self.client().clone(), params.clone());
                self.calls.insert(r#as.clone(), tokio::spawn(all_pages(client, params)));
            }
            Step::Notify { method, params } => {
                let sent = notify(self.client(), method, params.as_ref()).await;
                sent.unwrap_or_else(|error| panic!("{at}: {error}"));
            }
            Step::Listen { r#as, filter } => {
                let (client, filter) = (self.client().clone(), filter.filter());
                self.opening.insert(r#as.clone(), tokio::spawn(async move { client.listen(filter).await }));
            }
            Step::Line(wanted) => {
                self.read(at, wanted).await;
                assert_eq!(self.last, *wanted, "{at}");
            }
            Step::Want(wanted) => {
                self.read(at, wanted).await;
                assert!(contains(&self.last, wanted), "{at}: {} does not contain {wanted}", self.last);
            }
            Step::Batch(wanted) => {
                self.read(at, &Value::Null).await;
                let mut all = self.last.as_array().unwrap_or_else(|| panic!("{at}: {} is no batch", self.last)).clone();
                for wanted in wanted {
                    let found = all.iter().position(|message| contains(message, wanted));
                    all.remove(found.unwrap_or_else(|| panic!("{at}: none of {all:?} contains {wanted}")));
                }
                assert!(all.is_empty(), "{at}: {all:?} comes, too");
            }
            Step::Not(places) => {
                for place in places {
                    assert_eq!(self.last.pointer(place), None, "{at}: {place} of {}", self.last);
                }
            }
            Step::Send(message) => self.lines.send(&message.to_string()).await,
            Step::Raw(line) => self.lines.send(line).await,
            Step::Half(line) => self.lines.bytes(line.as_bytes()).await,
            Step::Flood { line, times } => {
                for _ in 0..*times {
                    self.lines.send(line).await;
                }
            }
            Step::Came(wanted) => {
                for (name, wanted) in wanted {
                    let call = self.calls.remove(name).unwrap_or_else(|| panic!("{at}: no call {name}"));
                    let came = tokio::time::timeout(Duration::from_millis(10), call).await;
                    let came = came.unwrap_or_else(|_| panic!("{at}: {name} waits, still")).unwrap();
                    let came = told(came);
                    assert!(says(&came, wanted), "{at}: {came} does not contain {wanted}");
                }
            }
            Step::Waiting(names) => {
                settle().await;
                for name in names {
                    assert!(!self.calls[name].is_finished(), "{at}: {name} waits no more");
                }
            }
            Step::Drop(name) => {
                let known = self.calls.remove(name).map(|call| call.abort()).is_some()
                    || self.opening.remove(name).map(|opening| opening.abort()).is_some()
                    || self.streams.remove(name).is_some();
                assert!(known, "{at}: there is no {name}");
                settle().await;
            }
            Step::End(name) => {
                let stream = self.streams.remove(name).unwrap_or_else(|| panic!("{at}: no stream {name}"));
                let end = async move { stream.end().await.map(|()| Value::Null) };
                self.calls.insert(name.clone(), tokio::spawn(end));
            }
            Step::Agreed(wanted) => {
                for (name, wanted) in wanted {
                    let opening = self.opening.remove(name).unwrap_or_else(|| panic!("{at}: no stream {name}"));
                    let stream = opening.await.unwrap().unwrap_or_else(|error| panic!("{at}: {error}"));
                    assert_eq!(*stream.agreed(), wanted.filter(), "{at}");
                    self.streams.insert(name.clone(), stream);
                }
            }
            Step::NotListening(wanted) => {
                for (name, wanted) in wanted {
                    let opening = self.opening.remove(name).unwrap_or_else(|| panic!("{at}: no stream {name}"));
                    let came = tokio::time::timeout(Duration::from_millis(10), opening).await;
                    let came = came.unwrap_or_else(|_| panic!("{at}: {name} waits, still")).unwrap();
                    let (came, wanted) = (told(came.map(|_| Value::Null)), json!({ "error": wanted }));
                    assert!(says(&came, &wanted), "{at}: {came} does not contain {wanted}");
                }
            }
            Step::StreamEnded(name) => {
                let stream = self.streams.get_mut(name).unwrap_or_else(|| panic!("{at}: no stream {name}"));
                let ended = tokio::time::timeout(Duration::from_millis(10), stream.ended()).await;
                assert!(ended.is_ok(), "{at}: {name} has not ended");
            }
            Step::Happened(wanted) => {
                settle().await;
                assert_eq!(self.diary.take(), *wanted, "{at}");
            }
            Step::Silence(seconds) => {
                let line = self.lines.within(Duration::from_secs_f64(*seconds)).await;
                assert_eq!(line, None, "{at}");
            }
            Step::Connected(wanted) => {
                let client = self.connecting.take().expect("it was not connected before").await.unwrap();
                let client = client.unwrap_or_else(|error| panic!("{at}: {error}"));
                let known = json!({
                    "version": client.version().as_str(),
                    "server": client.server().name(),
                    "capabilities": client.server().capabilities().to_value(),
                    "instructions": client.instructions(),
                });
                assert!(contains(&known, wanted), "{at}: {known} does not contain {wanted}");
                self.client = Some(client);
            }
            Step::Refused(wanted) => {
                let error = self.connecting.take().expect("it was not connected before").await.unwrap();
                let came = told(error.map(|_| Value::Null));
                let wanted = json!({ "error": wanted });
                assert!(says(&came, &wanted), "{at}: {came} does not contain {wanted}");
                assert!(self.lines.ended().await, "{at}: the client's end is open");
            }
            Step::Close => {
                self.lines.close().await;
                settle().await;
            }
            Step::Ended => assert!(self.lines.ended().await, "{at}: the client goes on"),
        }
    }

    fn client(&self) -> &Client {
        self.client.as_ref().expect("the client is connected")
    }

    async fn read(&mut self, at: &str, wanted: &Value) {
        let line = self.lines.next().await.unwrap_or_else(|| panic!("{at}: nothing comes, not {wanted}"));
        self.last = serde_json::from_str(&line).unwrap();
    }

    /// Ends the conversation: nothing is left over.
    async fn finish(mut self) {
        settle().await;
        let left: Vec<&String> = self.calls.keys().chain(self.opening.keys()).collect();
        assert!(left.is_empty(), "{left:?} are left");
        assert_eq!(self.diary.take(), Vec::<String>::new(), "what has happened is left");
        assert!(self.connecting.is_none(), "nobody has looked whether it is connected");
        if let Some(client) = self.client.take() {
            let closing = tokio::spawn(client.close());
            assert_eq!(self.lines.next().await, None, "the client also says something");
            assert!(self.lines.ended().await, "the client's end is open");
            closing.await.unwrap().unwrap();
        }
    }
}

/// Has everybody do what there is to do.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

/// What has come of a call, as JSON.
fn told(came: Result<Value>) -> Value {
    let error = match came {
        Ok(result) => return json!({ "result": result }),
        Err(error) => error,
    };
    let mut members = match &error {
        Error::Rpc(error) => {
            json!({"kind": "rpc", "code": error.code, "data": error.data.as_ref().map(|data| data.to_value())})
        }
        Error::Timeout { after, .. } => json!({"kind": "timeout", "after": after.as_secs()}),
        Error::Cancelled => json!({"kind": "cancelled"}),
        Error::Closed => json!({"kind": "closed"}),
        Error::NotDeclared { capability } => json!({"kind": "not declared", "capability": capability}),
        Error::NoSuchMethod { .. } => json!({"kind": "no such method"}),
        Error::Untranslatable(_) => json!({"kind": "untranslatable"}),
        Error::Invalid { .. } => json!({"kind": "invalid"}),
        Error::UnsupportedVersion { offered, .. } => json!({"kind": "unsupported version", "offered": offered}),
        Error::Protocol(_) => json!({"kind": "protocol"}),
        other => json!({"kind": format!("{other:?}")}),
    };
    members["says"] = error.to_string().into();
    json!({ "error": members })
}

/// Whether what has come contains what is wanted; of what an error says, a part is enough.
fn says(came: &Value, wanted: &Value) -> bool {
    let mut wanted = wanted.clone();
    if let Some(part) = wanted.pointer_mut("/error/says") {
        let said = &came["error"]["says"];
        if said.as_str().is_some_and(|said| said.contains(part.as_str().unwrap())) {
            *part = said.clone();
        }
    }
    contains(came, &wanted)
}

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn make(client: Client, call: &Call, diary: Diary) -> JoinHandle<Result<Value>> {
    let (name, progress, params) = (call.r#as.clone(), call.progress, call.params.as_ref().map(Value::to_string));
    let mut limits = Limits { idle: seconds(30.0), total: seconds(90.0) };
    limits.idle = call.idle.map_or(limits.idle, seconds);
    limits.total = call.total.map_or(limits.total, seconds);
    let limits = (call.idle.is_some() || call.total.is_some()).then_some(limits);
    let (at, method) = (call.at.clone().unwrap_or_else(|| "2025-11-25".to_owned()), call.method.clone());
    tokio::spawn(async move {
        let mut hear = |progress: Progress| {
            let Progress { progress, total, message } = progress;
            let total = total.map(|total| format!(" of {total}")).unwrap_or_default();
            let message = message.map(|message| format!(", {message}")).unwrap_or_default();
            diary.note(format!("progress of {name}: {progress}{total}{message}"));
        };
        let options =
            CallOptions { limits, on_progress: progress.then_some(&mut hear as &mut (dyn FnMut(Progress) + Send)) };
        let params = params.as_deref();
        match (at.as_str(), method.as_str()) {
            ("2025-11-25", "ping") => typed::<mcp::PingRequest>(&client, params, options).await,
            ("2025-11-25", "tools/call") => typed::<mcp::CallToolRequest>(&client, params, options).await,
            ("2025-11-25", "tools/list") => typed::<mcp::ListToolsRequest>(&client, params, options).await,
            ("2025-11-25", "prompts/list") => typed::<mcp::ListPromptsRequest>(&client, params, options).await,
            ("2025-11-25", "prompts/get") => typed::<mcp::GetPromptRequest>(&client, params, options).await,
            ("2025-11-25", "resources/list") => typed::<mcp::ListResourcesRequest>(&client, params, options).await,
            ("2025-11-25", "resources/read") => typed::<mcp::ReadResourceRequest>(&client, params, options).await,
            ("2025-11-25", "resources/subscribe") => typed::<mcp::SubscribeRequest>(&client, params, options).await,
            ("2025-11-25", "completion/complete") => typed::<mcp::CompleteRequest>(&client, params, options).await,
            ("2025-11-25", "logging/setLevel") => typed::<mcp::SetLevelRequest>(&client, params, options).await,
            ("2025-11-25", "tasks/list") => typed::<mcp::ListTasksRequest>(&client, params, options).await,
            ("2024-11-05", "tools/call") => typed::<first::CallToolRequest>(&client, params, options).await,
            ("2026-07-28", "tools/call") => typed::<modern::CallToolRequest>(&client, params, options).await,
            ("2026-07-28", "tools/list") => typed::<modern::ListToolsRequest>(&client, params, options).await,
            (_, method) => {
                let params = params.map(mcprism::types::Json::parse).transpose().map_err(Error::internal)?;
                Ok(client.call_raw(method, params).await?.to_value())
            }
        }
    })
}

/// Makes a call in its own types, and writes down what it brings.
async fn typed<R: Request>(client: &Client, params: Option<&str>, options: CallOptions<'_>) -> Result<Value> {
    let request = R::from_params(params).expect("the params fit");
    Ok(serde_json::to_value(client.call_with(request, options).await?)?)
}

/// Takes all pages of the list of tools.
async fn all_pages(client: Client, params: Option<Value>) -> Result<Value> {
    let params = params.as_ref().map(Value::to_string);
    let request = mcp::ListToolsRequest::from_params(params.as_deref()).expect("the params fit");
    let mut pages = client.pages(request)?;
    let mut all = Vec::new();
    while let Some(page) = pages.next().await {
        all.push(serde_json::to_value(page?)?);
    }
    Ok(all.into())
}

async fn notify(client: &Client, method: &str, params: Option<&Value>) -> Result<()> {
    use mcprism::types::Notification;
    let params = params.map(Value::to_string);
    let params = params.as_deref();
    match method {
        "notifications/roots/list_changed" => {
            client.notify(mcp::RootsListChangedNotification::from_params(params).expect("the params fit")).await
        }
        other => panic!("nothing is told by {other}"),
    }
}
