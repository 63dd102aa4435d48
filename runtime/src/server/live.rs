//! What lives as long as a connection to a server.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use mcprism_types::Sender;

use super::tasks::LiveTasks;
use crate::connection::{Link, Replier};
use crate::jsonrpc::Id;
use crate::session::gate::{self, Declared};
use crate::session::level::Level;
use crate::session::peer::Peer;
use crate::session::subscriptions::{Change, Subscriptions};
use crate::session::{edit, meta::key};

/// A connection, as handlers and whoever changes something see it.
#[derive(Debug)]
pub(crate) struct Live {
    pub(super) link: Arc<Link>,
    /// The client of the legacy session, once there is one.
    pub(super) legacy: Mutex<Option<Arc<Peer>>>,
    pub(super) subscriptions: Mutex<Subscriptions>,
    pub(super) tasks: LiveTasks,
    /// The level of the session, as its place in [`Level::ALL`].
    level: AtomicU8,
    principal: Option<String>,
}

impl Live {
    pub(super) fn new(link: Arc<Link>) -> Self {
        Self {
            link,
            legacy: Mutex::default(),
            subscriptions: Mutex::default(),
            tasks: LiveTasks::default(),
            level: AtomicU8::new(0),
            principal: None,
        }
    }

    /// Who the transport says is at the other end.
    pub(super) fn principal(&self) -> Option<&str> {
        self.principal.as_deref()
    }

    pub(super) fn set_level(&self, level: Level) {
        self.level.store(level as u8, Ordering::Relaxed);
    }

    /// Whether the session wants entries of this severity.
    pub(super) fn wants(&self, level: Level) -> bool {
        level as u8 >= self.level.load(Ordering::Relaxed)
    }

    pub(super) fn subscriptions(&self) -> MutexGuard<'_, Subscriptions> {
        self.subscriptions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the client of a change, if it wants to know.
    fn tell(&self, change: &Change, declared: &dyn Fn(&Peer) -> Option<mcprism_types::JsonObject>) {
        let legacy = self.legacy.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for stream in self.subscriptions().told(change) {
            let mut params = match change {
                Change::Resource(uri) => format!(r#"{{"uri":{}}}"#, edit::quoted(uri)),
                Change::Tools | Change::Prompts | Change::Resources => "{}".to_owned(),
            };
            match (&stream, &legacy) {
                (Some(id), _) => {
                    let id = serde_json::to_string(id).unwrap_or_default();
                    match edit::set_meta(&params, &[(key::SUBSCRIPTION_ID, Some(&id))]) {
                        Ok(marked) => params = marked,
                        Err(_) => continue,
                    }
                }
                (None, Some(peer)) => {
                    let server = declared(peer);
                    let declared = Declared { client: Some(peer.capabilities()), server: server.as_ref() };
                    let kinds = [mcprism_types::MethodKind::Notification];
                    if gate::open(peer.version(), Sender::Server, &kinds, change.method(), None, declared).is_err() {
                        continue;
                    }
                }
                (None, None) => continue,
            }
            // A peer that doesn't read is not written to without a bound: what has changed can be asked for.
            if self.link.outbox.is_full() {
                tracing::debug!(?change, "a client that doesn't read is not told");
                continue;
            }
            let _ = self.link.notify(change.method(), Some(&params));
        }
    }

    /// Ends all streams with their results.
    pub(super) fn end_streams(&self, stamp: &dyn Fn(&str) -> String) {
        for id in self.subscriptions().end_all() {
            self.answer_stream(&id, stamp);
        }
    }

    fn answer_stream(&self, id: &Id, stamp: &dyn Fn(&str) -> String) {
        let quoted = serde_json::to_string(id).unwrap_or_default();
        let meta = edit::set_meta(r#"{"resultType":"complete"}"#, &[(key::SUBSCRIPTION_ID, Some(&quoted))]);
        if let Ok(result) = meta {
            let replier = Replier { link: Arc::clone(&self.link), id: id.clone(), batch: None };
            replier.end(Ok(&stamp(&result)));
        }
    }
}

/// All connections of a server.
#[derive(Debug, Default)]
pub(crate) struct Hub(Mutex<Vec<Weak<Live>>>);

impl Hub {
    pub(super) fn join(&self, live: &Arc<Live>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| other.strong_count() > 0);
        all.push(Arc::downgrade(live));
    }

    /// Tells all of a change.
    pub(super) fn tell(&self, change: &Change, declared: &dyn Fn(&Peer) -> Option<mcprism_types::JsonObject>) {
        let all: Vec<Arc<Live>> =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect();
        for live in all {
            live.tell(change, declared);
        }
    }
}
