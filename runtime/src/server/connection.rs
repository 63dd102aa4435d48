//! What a server makes of the messages of one connection.

use std::sync::{Arc, PoisonError};

use mcprism_types::bridge::Part;
use mcprism_types::{Era, ProtocolVersion};

use super::live::Live;
use super::owned::cancelled_id;
use super::shared::{Entry, Shared};
use super::{ask, job};
use crate::connection::{Batch, Link, Queue, Receive, Replier, write_answer};
use crate::framing::Line;
use crate::jsonrpc::{ErrorObject, Fault, Incoming, Message, RawNotification, RawRequest, code};
use crate::session::meta::Meta;
use crate::session::server::{Admission, ServerSession};

/// One connection to a server.
pub(super) struct ServerConnection {
    pub(super) shared: Arc<Shared>,
    pub(super) link: Arc<Link>,
    pub(super) live: Arc<Live>,
    session: ServerSession,
    /// Whether the last thing that came was no message, and was answered as such.
    garbled: bool,
    listeners: Queue,
}

impl ServerConnection {
    pub(super) fn new(shared: Arc<Shared>, link: Arc<Link>) -> Self {
        let live = Arc::new(Live::new(Arc::clone(&link)));
        shared.hub.join(&live);
        let session = ServerSession::new(&shared.spoken);
        Self { shared, link, live, session, garbled: false, listeners: Queue::new() }
    }

    fn text(&mut self, text: &str) {
        match Incoming::parse(text, self.session.batches()) {
            Ok(Incoming::Single(message)) => {
                self.garbled = false;
                self.message(message, None);
            }
            Ok(Incoming::Batch(messages)) => {
                self.garbled = false;
                let batch = Arc::new(Batch::new());
                for message in messages {
                    match message {
                        Ok(message) => self.message(message, Some(&batch)),
                        Err(fault) => self.fault(fault, Some(&batch)),
                    }
                }
                // All were begun: what isn't done yet closes the batch.
                batch.done(&self.link, None);
            }
            Err(fault) => self.fault(fault, None),
        }
    }

    fn message(&mut self, message: Message<'_>, batch: Option<&Arc<Batch>>) {
        match message {
            Message::Request(request) => self.request(&request, batch),
            Message::Notification(notification) => self.notification(&notification),
            Message::Response(response) => self.link.result(&response),
            Message::Error(error) => self.link.error(error),
        }
    }

    /// Answers what is no message, as far as it can be answered.
    fn fault(&mut self, fault: Fault, batch: Option<&Arc<Batch>>) {
        if fault.response {
            self.link.invalid(fault);
            return;
        }
        let error = ErrorObject::new(fault.code, fault.error.to_string());
        match fault.id {
            Some(id) => {
                if let Some(batch) = batch {
                    batch.begin();
                }
                let replier = Replier { link: Arc::clone(&self.link), id, batch: batch.cloned() };
                replier.send(Err(&error));
            }
            None => self.garbage(&error),
        }
    }

    /// Answers what has no id, once: a peer that sends noise isn't answered line by line.
    fn garbage(&mut self, error: &ErrorObject) {
        tracing::debug!(code = error.code, message = %error.message, "what came is no message");
        if !std::mem::replace(&mut self.garbled, true) && self.session.errors_without_id() {
            // An error can always be written.
            let _ = self.link.outbox.answer(&mut |out| write_answer(out, None, Err(error)));
        }
    }

    fn request(&mut self, request: &RawRequest<'_>, batch: Option<&Arc<Batch>>) {
        if let Some(batch) = batch {
            batch.begin();
        }
        let replier = Replier { link: Arc::clone(&self.link), id: request.id.clone(), batch: batch.cloned() };
        let meta = match Meta::read(request.params) {
            Ok(meta) => meta,
            Err(error) => {
                let data = serde_json::json!({ "pointer": error.pointer() });
                let error = ErrorObject::new(code::INVALID_PARAMS, error.to_string()).with_data(data);
                return replier.send(Err(&error));
            }
        };
        if request.method == "initialize" && !is_modern(&meta) {
            return self.initialize(request, replier);
        }
        let peer = match self.session.admit(&request.method, &meta) {
            Ok(Admission::Serve(peer)) => peer,
            Ok(Admission::Pong) => return replier.send(Ok("{}")),
            Err(error) => return replier.send(Err(&error)),
        };
        let entry = self.shared.entry(peer.version(), &request.method).cloned();
        if replier.batch.is_some() && !peer.version().batches() {
            // An answer of a revision without batches belongs in none, and a stream's would hold back all others.
            let why = format!("{} has no batches", peer.version());
            return replier.send(Err(&ErrorObject::new(code::INVALID_REQUEST, why)));
        }
        if replier.batch.as_ref().is_some_and(|batch| batch.size() >= self.shared.config.line_limit) {
            let why = "the answers to this batch are as long as a message may be already";
            return replier.send(Err(&ErrorObject::new(code::INTERNAL_ERROR, why)));
        }
        match entry {
            None => replier.send(Err(&self.unknown(request, peer.version()))),
            Some(Entry::Owned(owned)) => self.owned(owned, request, &peer, replier),
            Some(Entry::Handler(method, handler)) => {
                let watch = &self.shared.config.watch;
                watch.received(peer.version(), &request.method, Part::Params, request.params);
                if self.link.load() >= self.shared.config.max_running {
                    return replier.send(Err(&self.busy()));
                }
                let context = job::context(&self.shared, &self.live, &peer, &method, request, meta.progress_token);
                if peer.era() == Era::Modern && ask::brings_state(request.params) {
                    // A state of ours that was changed must not even begin to have an effect; and what is in it
                    // is for the context, not for the handler.
                    if let Err(error) = context.read_state() {
                        return replier.send(Err(&error.to_object(peer.version())));
                    }
                    let params = ask::without_state(request.params.unwrap_or("{}"));
                    return job::begin(handler, Some(&params), context, replier);
                }
                let declared = self.shared.runs_tasks(peer.version(), &request.method);
                match self.as_task(request, declared) {
                    Ok(None) => job::begin(handler, request.params, context, replier),
                    Ok(Some(ttl)) => self.begin_task(handler, request.params, context, ttl, replier),
                    Err(error) => replier.send(Err(&error)),
                }
            }
        }
    }

    fn initialize(&mut self, request: &RawRequest<'_>, replier: Replier) {
        if replier.batch.is_some() {
            let error = ErrorObject::new(code::INVALID_REQUEST, "`initialize` must not be part of a batch");
            return replier.send(Err(&error));
        }
        match self.session.initialize(request.params) {
            Ok(peer) => {
                let opening = self.opening(&peer);
                *self.live.legacy.lock().unwrap_or_else(PoisonError::into_inner) = Some(peer);
                self.live.subscriptions().begin_session();
                replier.send(Ok(&opening));
            }
            Err(error) => replier.send(Err(&error)),
        }
    }

    /// The error for one request too many.
    pub(super) fn busy(&self) -> ErrorObject {
        let error = format!("{} requests are being served already", self.shared.config.max_running);
        ErrorObject::new(code::INTERNAL_ERROR, error)
    }

    /// The error for a method that isn't served.
    fn unknown(&self, request: &RawRequest<'_>, version: ProtocolVersion) -> ErrorObject {
        let method: String = request.method.chars().take(64).collect();
        let why = match version.method(&request.method) {
            Some(_) => "it is not offered here",
            None => "the revision has no such method",
        };
        ErrorObject::new(code::METHOD_NOT_FOUND, format!("method not found: `{method}` ({version}: {why})"))
    }

    fn notification(&mut self, notification: &RawNotification<'_>) {
        match &*notification.method {
            "notifications/cancelled" => match cancelled_id(notification.params) {
                Some(id) => {
                    self.live.subscriptions().end(&id);
                    self.link.cancel(&id);
                }
                None => tracing::debug!("a cancellation that can't be read"),
            },
            "notifications/progress" => self.link.progress(notification.params),
            "notifications/initialized" => {}
            method => self.listeners(method, notification.params),
        }
    }

    fn listeners(&mut self, method: &str, params: Option<&str>) {
        let newest = self.shared.spoken.last().copied();
        let peer = self.session.legacy();
        let Some(version) = peer.map(|peer| peer.version()).or(newest) else { return };
        let from_client = version.method(method).is_some_and(|known| {
            known.kind == mcprism_types::MethodKind::Notification
                && known.sender.includes(mcprism_types::Sender::Client)
        });
        match (from_client, self.shared.router.listener(version, method), peer) {
            (true, Some(listener), Some(peer)) => {
                let request = RawRequest {
                    id: crate::jsonrpc::Id::Integer(-1),
                    method: method.into(),
                    params,
                    extra: mcprism_types::Map::new(),
                };
                let context = job::context(&self.shared, &self.live, peer, &method.into(), &request, None);
                // A listener that panics has failed alone: this is the loop that all others depend on.
                match job::guarded(|| listener.start(version, params, context)) {
                    Ok(started) => self.listeners.push(started.working),
                    Err(error) => tracing::debug!(method, %error, "a notification that doesn't fit"),
                }
            }
            _ => tracing::debug!(method, "a notification that nobody listens to"),
        }
    }
}

impl Receive for ServerConnection {
    fn line(&mut self, line: Line<'_>) {
        match line {
            Line::Text(text) => self.text(text),
            Line::TooLong => {
                let limit = self.shared.config.line_limit;
                let why = format!("a message may have {limit} bytes at most");
                self.garbage(&ErrorObject::new(code::INVALID_REQUEST, why));
            }
            Line::NotUtf8 => self.garbage(&ErrorObject::new(code::PARSE_ERROR, "a message has to be UTF-8")),
        }
    }

    fn ended(&mut self) {
        let shared = Arc::clone(&self.shared);
        self.live.tasks.abort();
        self.live.end_streams(&|result| shared.stamp(result));
    }
}

/// Whether a request says that it is of the modern era.
fn is_modern(meta: &Meta<'_>) -> bool {
    let version = meta.protocol_version.as_ref().map(|name| name.parse::<ProtocolVersion>());
    matches!(version, Some(Ok(version)) if version.era() == Era::Modern)
}
