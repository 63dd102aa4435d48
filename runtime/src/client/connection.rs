//! What a client makes of the messages of its connection.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use mcprism_types::bridge::{Options, Part};
use mcprism_types::{Era, JsonObject, MethodKind, ProtocolVersion, Sender};

use super::approval::{Answer, GUARDED, Question};
use super::builder::Shared;
use super::context::Context;
use super::listen::Streams;
use crate::breaches::made;
use crate::connection::{Batch, Cancel, Link, Queue, Receive, Replier};
use crate::error::{Error, Result};
use crate::framing::Line;
use crate::jsonrpc::{ErrorObject, Fault, Id, Incoming, Message, RawNotification, RawRequest, code};
use crate::session::edit;
use crate::session::gate::{self, Closed, Declared};
use crate::session::meta::{Meta, key};
use crate::session::peer::Peer;

/// How many requests of the server's may be served at once.
const MAX_RUNNING: usize = 256;

/// How many messages may wait until it is agreed which revision is spoken; more are dropped.
const MAX_EARLY: usize = 64;

/// How many bytes of requests may wait while a server doesn't read the answers to others; then it isn't read from.
const MAX_HELD: usize = 4 * 1024 * 1024;

/// The code that a server is told when the user has declined (`client/sampling`, Error Handling).
const DECLINED: i64 = -1;

/// The result of an elicitation that the user has declined, in any revision.
const DECLINED_FORM: &str = r#"{"action":"decline"}"#;

/// One connection to a server.
pub(super) struct ClientConnection {
    shared: Arc<Shared>,
    link: Arc<Link>,
    server: Arc<OnceLock<Arc<Peer>>>,
    streams: Arc<Streams>,
    listeners: Queue,
    /// What the server has sent before it was agreed which revision is spoken. Most of it came right behind the
    /// answer that agrees, before anybody had looked at that.
    early: Vec<String>,
    /// What asks for answers, and has come while too many of them waited to be written; and its size.
    held: VecDeque<String>,
    held_bytes: usize,
}

impl ClientConnection {
    pub(super) fn new(
        shared: Arc<Shared>,
        link: Arc<Link>,
        server: Arc<OnceLock<Arc<Peer>>>,
        streams: Arc<Streams>,
    ) -> Self {
        Self {
            shared,
            link,
            server,
            streams,
            listeners: Queue::new(),
            early: Vec::new(),
            held: VecDeque::new(),
            held_bytes: 0,
        }
    }

    fn text(&mut self, text: &str) {
        // Before it is agreed which revision is spoken, nothing comes in batches.
        let batches = self.server.get().is_some_and(|server| server.version().batches());
        match Incoming::parse(text, batches) {
            Ok(Incoming::Single(message)) if self.server.get().is_none() && waits(&message) => {
                match self.early.len() < MAX_EARLY {
                    true => self.early.push(text.to_owned()),
                    false => tracing::warn!("a message is dropped: it is not agreed yet which revision is spoken"),
                }
            }
            Ok(Incoming::Single(Message::Request(_)) | Incoming::Batch(_)) if self.holds() => {
                self.held_bytes += text.len();
                self.held.push_back(text.to_owned());
            }
            Ok(Incoming::Single(message)) => self.message(message, None),
            Ok(Incoming::Batch(messages)) => {
                let batch = Arc::new(Batch::new());
                for message in messages {
                    match message {
                        Ok(message) => self.message(message, Some(&batch)),
                        Err(fault) => self.fault(fault),
                    }
                }
                batch.done(&self.link, None);
            }
            Err(fault) => self.fault(fault),
        }
    }

    /// Whether what asks for an answer has to wait.
    fn holds(&self) -> bool {
        self.link.outbox.is_congested()
    }

    fn message(&mut self, message: Message<'_>, batch: Option<&Arc<Batch>>) {
        match message {
            Message::Request(request) => self.request(&request, batch),
            Message::Notification(notification) => self.notification(&notification),
            Message::Response(response) => self.link.result(&response),
            Message::Error(error) => self.link.error(error),
        }
    }

    /// Noise is never answered by a client. What was meant as an answer fails who waits for it; so does what
    /// can't be read but for its id. The id of a request is the server's own, and nobody here waits for it.
    fn fault(&self, fault: Fault) {
        match fault.id {
            Some(_) if !fault.request => self.link.invalid(fault),
            _ => tracing::debug!(%fault, "what came is no message"),
        }
    }

    fn request(&mut self, request: &RawRequest<'_>, batch: Option<&Arc<Batch>>) {
        let server = self.server.get().cloned();
        if server.as_ref().is_some_and(|server| server.era() == Era::Modern) {
            // Servers of the modern era send no requests, and clients write no responses.
            tracing::warn!(method = %request.method, "a modern server has sent a request");
            return;
        }
        if let Some(batch) = batch {
            batch.begin();
        }
        let replier = Replier { link: Arc::clone(&self.link), id: request.id.clone(), batch: batch.cloned() };
        if request.method == "ping" {
            return replier.send(Ok("{}"));
        }
        let not_found = || {
            let method: String = request.method.chars().take(64).collect();
            ErrorObject::new(code::METHOD_NOT_FOUND, format!("method not found: `{method}`"))
        };
        let Some(server) = server else { return replier.send(Err(&not_found())) };
        if self.link.load() >= MAX_RUNNING {
            let error = format!("{MAX_RUNNING} requests are being served already");
            return replier.send(Err(&ErrorObject::new(code::INTERNAL_ERROR, error)));
        }
        let cancel = Arc::new(Cancel::default());
        if self.link.begin(&request.id, &cancel, batch).is_err() {
            let error = ErrorObject::new(code::INVALID_REQUEST, "a request of this id is being served");
            return replier.send(Err(&error));
        }
        let answering = answer(
            Arc::clone(&self.shared),
            Arc::clone(&server),
            request.method.clone().into_owned(),
            request.params.map(str::to_owned),
            Arc::clone(&cancel),
        );
        let (link, id) = (Arc::clone(&self.link), request.id.clone());
        let task = tokio::spawn(async move {
            let answer = guarded(answering).await.map_err(|error| error.to_object(server.version()));
            replier.finish(&cancel, answer.as_deref());
        });
        link.runs_in(&id, task.abort_handle());
    }

    fn notification(&mut self, notification: &RawNotification<'_>) {
        match &*notification.method {
            "notifications/progress" => self.link.progress(notification.params),
            "notifications/cancelled" => {
                if let Some(id) = cancelled_id(notification.params) {
                    // It is a request of the server's own, or one of this side's streams that it ends.
                    if self.streams.end(&id) {
                        self.link.given_up(&id);
                    }
                    self.link.cancel(&id);
                }
            }
            "notifications/subscriptions/acknowledged" => self.streams.acknowledge(notification.params),
            method => self.listeners(method, notification.params),
        }
    }

    fn listeners(&mut self, method: &str, params: Option<&str>) {
        let Some(server) = self.server.get() else { return };
        let version = server.version();
        let known = version
            .method(method)
            .is_some_and(|known| known.kind == MethodKind::Notification && known.sender.includes(Sender::Server));
        if let Ok(Meta { subscription_id: Some(id), .. }) = Meta::read(params)
            && !self.streams.has(&id)
        {
            tracing::debug!(method, %id, "a notification of a stream that isn't open");
            return;
        }
        let Some(listener) = self.shared.router.listener(version, method).filter(|_| known) else {
            tracing::debug!(method, "a notification that nobody listens to");
            return;
        };
        let cancel = Arc::new(Cancel::default());
        let context = Context { server: Arc::clone(server), method: method.to_owned(), cancel };
        self.shared.watch.received(version, method, Part::Notification, params);
        // Which stream it came on is the runtime's concern, and no loss for a listener that knows of none.
        let without = match listener.version() == version {
            true => None,
            false => params.and_then(|params| edit::set_meta(params, &[(key::SUBSCRIPTION_ID, None)]).ok()),
        };
        let params = without.as_deref().or(params);
        // A listener that panics has failed alone: this is the loop that all others depend on.
        let start = std::panic::AssertUnwindSafe(|| listener.start(version, params, context));
        let Ok(started) = std::panic::catch_unwind(start) else {
            tracing::warn!(method, "a listener has panicked");
            return;
        };
        match started {
            Ok(started) => {
                self.shared.report(version, listener.version(), method, Part::Notification, started.losses);
                self.listeners.push(started.working);
            }
            Err(error) => tracing::warn!(method, %error, "a notification that doesn't fit"),
        }
    }
}

impl Receive for ClientConnection {
    fn line(&mut self, line: Line<'_>) {
        self.news();
        match line {
            Line::Text(text) => self.text(text),
            Line::TooLong => tracing::warn!("a line of the server's is too long, and was passed over"),
            Line::NotUtf8 => tracing::debug!("a line of the server's is no UTF-8, and was passed over"),
        }
    }

    fn news(&mut self) {
        if self.server.get().is_some() {
            for text in std::mem::take(&mut self.early) {
                self.text(&text);
            }
        }
    }

    fn reads_on(&self) -> bool {
        self.held_bytes < MAX_HELD
    }

    fn relieved(&mut self) {
        while !self.holds()
            && let Some(text) = self.held.pop_front()
        {
            self.held_bytes -= text.len();
            self.text(&text);
        }
    }

    fn ended(&mut self) {
        self.streams.end_all();
    }
}

/// Whether a message has to wait until it is agreed which revision is spoken.
fn waits(message: &Message<'_>) -> bool {
    match message {
        Message::Request(request) => request.method != "ping",
        Message::Notification(_) => true,
        Message::Response(_) | Message::Error(_) => false,
    }
}

/// Answers what a server asks for, in the words of its revision: on the connection, or within a result.
pub(super) async fn answer(
    shared: Arc<Shared>,
    server: Arc<Peer>,
    method: String,
    params: Option<String>,
    cancel: Arc<Cancel>,
) -> Result<String> {
    let version = server.version();
    admit(&shared, version, &method, params.as_deref())?;
    let handler = shared.router.handler(version, &method).cloned();
    let handler = handler.ok_or_else(|| not_found(&method))?;
    shared.watch.received(version, &method, Part::Params, params.as_deref());
    if GUARDED.contains(&method.as_str()) {
        let shown = JsonObject::parse(params.as_deref().unwrap_or("{}")).map_err(Error::invalid_params)?;
        let question = Question { server: Arc::clone(&server), method: method.clone(), params: shown };
        if (shared.approve)(question).await == Answer::Deny {
            return match method.as_str() {
                "elicitation/create" => Ok(DECLINED_FORM.to_owned()),
                _ => Err(Error::Rpc(ErrorObject::new(DECLINED, "the user has declined the request"))),
            };
        }
    }
    let at = handler.version().unwrap_or(version);
    let options = if at == version { Options::default() } else { shared.options(at) };
    let context = Context { server, method: method.clone(), cancel };
    let started = handler.start(version, params.as_deref(), &options, context)?;
    shared.report(version, at, &method, Part::Params, started.losses);
    let result = started.working.await?;
    made(at, &method, Part::Result, &result)?;
    let result = shared.translate(at, version, &method, Part::Result, Some(&result))?;
    result.ok_or_else(|| Error::Internal("a result can't be absent".to_owned()))
}

/// Whether a server may ask for this: its revision has it, and it was declared.
fn admit(shared: &Shared, version: ProtocolVersion, method: &str, params: Option<&str>) -> Result<()> {
    if ProtocolVersion::ALL.iter().all(|version| version.method(method).is_none()) {
        // A vendor's method is admitted if it has a handler.
        return Ok(());
    }
    let kinds = match version.era() {
        Era::Legacy => [MethodKind::Request],
        Era::Modern => [MethodKind::InputRequest],
    };
    let capabilities = shared.capabilities(version);
    let declared = Declared { client: Some(&capabilities), server: None };
    match gate::open(version, Sender::Server, &kinds, method, params, declared) {
        Ok(_) => Ok(()),
        // Who has not declared tasks takes no notice of them (`basic/utilities/tasks`, Task Support and Handling).
        Err(Closed::Capability { path, conditional: true, .. }) if path.starts_with("tasks.") => Ok(()),
        Err(Closed::Capability { path, conditional: true, .. }) => {
            Err(Error::invalid_params(format!("this client has not declared `{path}`")))
        }
        Err(_) => Err(not_found(method)),
    }
}

fn not_found(method: &str) -> Error {
    let method: String = method.chars().take(64).collect();
    Error::Rpc(ErrorObject::new(code::METHOD_NOT_FOUND, format!("method not found: `{method}`")))
}

/// A handler that panics has failed like any other.
pub(super) async fn guarded(answering: impl Future<Output = Result<String>>) -> Result<String> {
    let mut answering = std::pin::pin!(answering);
    std::future::poll_fn(|context| {
        let polled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| answering.as_mut().poll(context)));
        polled.unwrap_or_else(|_| std::task::Poll::Ready(Err(Error::Internal("the handler panicked".to_owned()))))
    })
    .await
}

fn cancelled_id(params: Option<&str>) -> Option<Id> {
    let mut reader = mcprism_types::Reader::new(params?).member("requestId").ok()??;
    mcprism_types::Decode::decode(&mut reader).ok()
}
