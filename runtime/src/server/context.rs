//! What a handler knows of its request, and what it can do meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use mcprism_types::bridge::Part;
use mcprism_types::{Era, Map, ProtocolVersion};

use super::shared::Shared;
use crate::connection::{Cancel, Link};
use crate::error::{Error, Result};
use crate::jsonrpc::Id;
use crate::session::level::Level;
use crate::session::peer::Peer;
use crate::session::request_state::State;

/// The request that a handler serves: who asks, and ways to talk to them meanwhile.
///
/// It is cheap to clone, and may be sent to other tasks.
#[derive(Clone, Debug)]
pub struct Context(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) shared: Arc<Shared>,
    pub(super) link: Arc<Link>,
    pub(super) session: Arc<super::live::Live>,
    pub(super) peer: Arc<Peer>,
    pub(super) id: Id,
    pub(super) method: Arc<str>,
    pub(super) token: Option<Id>,
    /// The task that the request runs as.
    pub(super) task: Option<String>,
    /// Made once somebody waits for it.
    pub(super) cancel: OnceLock<Arc<Cancel>>,
    /// The last progress that was reported.
    pub(super) progress: Mutex<Option<f64>>,
    pub(super) asked: AtomicBool,
    /// Whether the request is answered: nothing about it follows.
    pub(super) answered: AtomicBool,
    pub(super) asking: Mutex<Asking>,
}

/// Questions to the client of a modern request.
#[derive(Debug, Default)]
pub(super) struct Asking {
    /// The text of the params, until the state in them was looked at.
    pub(super) params: Option<String>,
    /// What the request is about, once the params were looked at.
    pub(super) request: String,
    /// What the state says, and the answers that came with it.
    pub(super) state: Option<State>,
    /// The questions of this round, by key: the method, the params, and a digest of both.
    pub(super) questions: Map<Question>,
    /// The keys that were asked in this run.
    pub(super) keys: Map<String>,
}

#[derive(Debug)]
pub(super) struct Question {
    pub(super) method: &'static str,
    pub(super) params: String,
    pub(super) digest: String,
}

impl Context {
    /// Who asks, as far as they say.
    pub fn peer(&self) -> &Peer {
        &self.0.peer
    }

    /// The revision that the client speaks; the handler may be written at another.
    pub fn version(&self) -> ProtocolVersion {
        self.0.peer.version()
    }

    /// The server, to tell its clients of what a handler has changed.
    pub fn server(&self) -> super::Server {
        super::Server(Arc::clone(&self.0.shared))
    }

    /// The method of the request.
    pub fn method(&self) -> &str {
        &self.0.method
    }

    /// The name of the task that the request runs as, if it does.
    pub fn task(&self) -> Option<&str> {
        self.0.task.as_deref()
    }

    /// The id of the request.
    pub fn request_id(&self) -> &Id {
        &self.0.id
    }

    /// Whether the client has given up the request. The handler's own future is dropped then; this is for work
    /// that was handed to other tasks or threads.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancel.get().is_some_and(|cancel| cancel.is_cancelled())
    }

    /// Whether the request is answered.
    pub(super) fn is_answered(&self) -> bool {
        self.0.answered.load(Ordering::Acquire)
    }

    /// Waits until the client gives up the request.
    pub async fn cancelled(&self) {
        self.cancel().cancelled().await;
    }

    /// Reports how far the request has come, if the client wants to know. `progress` has to rise from one
    /// report to the next; `total` is in the same unit.
    ///
    /// # Errors
    /// If it doesn't rise, or is no finite number.
    ///
    /// Specification: `basic/utilities/progress`; `basic/patterns/progress` of 2026-07-28.
    pub async fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) -> Result<()> {
        if !progress.is_finite() || total.is_some_and(|total| !total.is_finite()) {
            return Err(Error::Internal(format!("progress has to be a finite number, not {progress}")));
        }
        {
            let mut last = self.0.progress.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(last) = last.filter(|last| *last >= progress) {
                return Err(Error::Internal(format!("progress has to rise: {progress} comes after {last}")));
            }
            *last = Some(progress);
        }
        let Some(token) = &self.0.token else { return Ok(()) };
        let mut params = serde_json::Map::new();
        params.insert("progressToken".to_owned(), serde_json::to_value(token)?);
        params.insert("progress".to_owned(), number(progress));
        params.extend(total.map(|total| ("total".to_owned(), number(total))));
        params.extend(message.map(|message| ("message".to_owned(), message.into())));
        self.tell("notifications/progress", &serde_json::Value::Object(params).to_string()).await
    }

    /// Sends a log entry to the client, if it wants entries of this severity: in the legacy era, what
    /// `logging/setLevel` says, in the modern one, what the request says.
    ///
    /// # Errors
    /// If the server was built without [`logging`](super::Builder::logging), or the data can't be encoded.
    ///
    /// Specification: `server/utilities/logging`.
    pub async fn log(&self, level: Level, logger: Option<&str>, data: impl serde::Serialize) -> Result<()> {
        if !self.0.shared.config.logging {
            return Err(Error::Internal("call `.logging()` on the builder to log to clients".to_owned()));
        }
        let wanted = match self.0.peer.era() {
            Era::Legacy => self.0.session.wants(level),
            Era::Modern => self.0.peer.level().is_some_and(|least| level >= least),
        };
        if !wanted {
            return Ok(());
        }
        let mut params = serde_json::Map::new();
        params.insert("level".to_owned(), level.as_str().into());
        params.extend(logger.map(|logger| ("logger".to_owned(), logger.into())));
        params.insert("data".to_owned(), serde_json::to_value(data)?);
        self.tell("notifications/message", &serde_json::Value::Object(params).to_string()).await
    }

    /// Sends a notification about this request, given in the words of the newest revision.
    async fn tell(&self, method: &'static str, params: &str) -> Result<()> {
        self.0.link.outbox.room().await;
        // Work that was handed to others may go on; the client hears nothing of it any more.
        if self.is_cancelled() || self.is_answered() {
            return Ok(());
        }
        let peer = self.0.peer.version();
        let params = self.0.shared.translate(
            ProtocolVersion::LATEST,
            peer,
            method,
            Part::Notification,
            Some(params),
            &mcprism_types::bridge::Options::default(),
        )?;
        let params = params.map(|params| self.related(params));
        self.0.link.notify(method, params.as_deref())
    }

    /// Params that say which task they belong to, if they do.
    pub(super) fn related(&self, params: String) -> String {
        match &self.0.task {
            Some(task) => super::tasks::with_task(&params, task).unwrap_or(params),
            None => params,
        }
    }

    /// Notes that the request runs as a task, before anybody else has the context.
    pub(super) fn set_task(&mut self, id: &str) {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.task = Some(id.to_owned());
        }
    }

    pub(super) fn cancel(&self) -> &Arc<Cancel> {
        self.0.cancel.get_or_init(Arc::default)
    }

    pub(super) fn asking(&self) -> MutexGuard<'_, Asking> {
        self.0.asking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the handler waits for answers that come with another attempt.
    pub(super) fn waits(&self) -> bool {
        self.0.asked.load(Ordering::Acquire) && !self.asking().questions.is_empty()
    }
}

/// A number as JSON: without a fraction if it has none.
fn number(value: f64) -> serde_json::Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value.fract() == 0.0 && value.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and in range")]
        true => (value as i64).into(),
        false => value.into(),
    }
}
