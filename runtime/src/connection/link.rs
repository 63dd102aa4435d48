//! What a connection is to those who use it: requests go out and come back, answers go out once.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use mcprism_types::{Decode, Decoded, Reader, Slot};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::Batch;
use super::outbox::Outbox;
use crate::error::{Error, Result};
use crate::jsonrpc::{ErrorObject, Fault, Id, RawError, RawResponse};
use crate::session::calls::Calls;
use crate::session::deadline::{Deadline, Limits};
use crate::session::{edit, meta::key};

/// How many progress notifications of one request may wait to be looked at; more are dropped.
const PROGRESS: usize = 64;

/// One connection.
#[derive(Debug, Default)]
pub(crate) struct Link {
    pub(crate) outbox: Outbox,
    calls: Mutex<Calls<Waiting>>,
    running: Mutex<HashMap<Id, Running>>,
    gone: AtomicBool,
}

/// Who waits for an answer.
#[derive(Debug)]
struct Waiting {
    answer: oneshot::Sender<Answer>,
    progress: Option<mpsc::Sender<Progress>>,
}

#[derive(Debug)]
enum Answer {
    Result(String),
    Error(ErrorObject),
    Invalid(Fault),
    Cancelled,
}

/// A request that is being served.
#[derive(Debug)]
pub(crate) struct Running {
    task: Option<AbortHandle>,
    cancel: Arc<Cancel>,
    batch: Option<Arc<Batch>>,
}

/// Says that a request was given up by who sent it.
#[derive(Debug, Default)]
pub(crate) struct Cancel {
    flag: AtomicBool,
    told: Notify,
}

impl Cancel {
    pub(crate) fn cancel(&self) {
        self.flag.store(true, Ordering::Release);
        self.told.notify_waiters();
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Acquire)
    }

    pub(crate) async fn cancelled(&self) {
        let told = self.told.notified();
        if !self.is_cancelled() {
            told.await;
        }
    }
}

/// How far a request has come, as the peer reports it.
///
/// Specification: `basic/utilities/progress`; `basic/patterns/progress` of 2026-07-28.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// How much is done; it rises.
    pub progress: f64,
    /// How much there is in all, if it is known.
    pub total: Option<f64>,
    /// What is being done, for people.
    pub message: Option<String>,
}

/// How a request is sent.
#[derive(Default)]
pub(crate) struct CallOptions<'a> {
    /// How long to wait.
    pub(crate) limits: Limits,
    /// Who wants to hear of progress.
    pub(crate) progress: Option<&'a mut (dyn FnMut(Progress) + Send)>,
    /// Who wants to know the id, before the request goes out.
    pub(crate) on_id: Option<&'a mut (dyn FnMut(&Id) + Send)>,
    /// Whether the peer is not to be told if the request is given up: as with `initialize`.
    pub(crate) silent: bool,
}

impl Link {
    /// Sends a request and waits for its result. Dropped before that, it tells the peer that it is cancelled.
    ///
    /// # Errors
    /// The peer's error, or that none came in time or the connection was closed.
    pub(crate) async fn call(&self, method: &str, params: Option<&str>, options: CallOptions<'_>) -> Result<String> {
        let start = Instant::now();
        let mut deadline = Deadline::new(options.limits, start.into_std());
        let late = || Error::Timeout { method: method.to_owned(), after: start.elapsed() };
        // A peer that reads nothing is not waited for any longer than one that says nothing.
        tokio::time::timeout_at(deadline.due().into(), self.outbox.room()).await.map_err(|_| late())?;
        let (sender, mut answer) = oneshot::channel();
        let (reports, mut reported) = mpsc::channel(PROGRESS);
        let progress = options.progress.is_some().then_some(reports);
        let id = {
            let mut calls = self.calls();
            // What is added after the peer has gone would be waited for in vain.
            if self.is_gone() {
                return Err(Error::Closed);
            }
            let id = calls.fresh();
            calls.insert(id.clone(), Waiting { answer: sender, progress });
            id
        };
        if let Some(on_id) = options.on_id {
            on_id(&id);
        }
        let mut guard = Guard { link: self, id: &id, armed: true, silent: options.silent };
        let params = match (&options.progress, params) {
            (None, params) => params.map(str::to_owned),
            (Some(_), params) => {
                let token = serde_json::to_string(&id)?;
                let set = edit::set_meta(params.unwrap_or("{}"), &[(key::PROGRESS_TOKEN, Some(&token))]);
                Some(set.map_err(Error::internal)?)
            }
        };
        self.outbox.push(&mut |out| {
            out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
            serde_json::to_writer(&mut *out, &id)?;
            finish_message(out, method, params.as_deref())
        })?;
        let mut listener = options.progress;
        let mut last = f64::NEG_INFINITY;
        let mut sleep = pin!(tokio::time::sleep_until(deadline.due().into()));
        let answer = poll_fn(|context| {
            // What was reported before the answer is looked at before it.
            let found = Pin::new(&mut answer).poll(context);
            while let Poll::Ready(Some(report)) = reported.poll_recv(context) {
                deadline.progress(Instant::now().into_std());
                sleep.as_mut().reset(deadline.due().into());
                // It rises from one report to the next (`basic/utilities/progress`).
                if report.progress <= last {
                    tracing::warn!(%id, last, next = report.progress, "progress that does not rise is dropped");
                    continue;
                }
                last = report.progress;
                if let Some(listener) = &mut listener {
                    listener(report);
                }
            }
            match found {
                Poll::Ready(answer) => Poll::Ready(answer.map_err(|_| Error::Closed)),
                Poll::Pending => sleep.as_mut().poll(context).map(|()| Err(late())),
            }
        })
        .await;
        guard.armed = matches!(answer, Err(Error::Timeout { .. }));
        drop(guard);
        match answer? {
            Answer::Result(text) => Ok(text),
            Answer::Error(error) => Err(Error::Rpc(error)),
            Answer::Cancelled => Err(Error::Cancelled),
            Answer::Invalid(fault) => {
                Err(Error::Invalid { what: format!("the answer to {method}"), error: fault.error })
            }
        }
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// Only if it can't be encoded.
    pub(crate) fn notify(&self, method: &str, params: Option<&str>) -> Result<()> {
        self.outbox.push(&mut |out| {
            out.extend_from_slice(br#"{"jsonrpc":"2.0""#);
            finish_message(out, method, params)
        })?;
        Ok(())
    }

    /// Hands a result to who waits for it.
    pub(crate) fn result(&self, response: &RawResponse<'_>) {
        self.hand(&response.id, Answer::Result(response.result.to_owned()));
    }

    /// Hands an error to who waits for it. One without an id belongs to the connection.
    pub(crate) fn error(&self, error: RawError) {
        match error.id {
            Some(id) => self.hand(&id, Answer::Error(error.error)),
            None => {
                tracing::warn!(code = error.error.code, message = %error.error.message, "the peer reports an error")
            }
        }
    }

    /// Fails who waits for an answer that could not be read.
    pub(crate) fn invalid(&self, fault: Fault) {
        match fault.id.clone() {
            Some(id) => self.hand(&id, Answer::Invalid(fault)),
            None => tracing::warn!(%fault, "an answer that belongs to nothing"),
        }
    }

    /// Fails who waits for an answer that the peer says won't come.
    pub(crate) fn given_up(&self, id: &Id) {
        self.hand(id, Answer::Cancelled);
    }

    fn hand(&self, id: &Id, answer: Answer) {
        let waiting = self.calls().answered(id);
        match waiting {
            // Who has stopped waiting at this very moment doesn't need it.
            Some(waiting) => drop(waiting.answer.send(answer)),
            None => tracing::debug!(%id, "an answer that nobody waits for"),
        }
    }

    /// Hands progress to who waits for it; late and unknown ones are dropped.
    pub(crate) fn progress(&self, params: Option<&str>) {
        let Ok((token, progress)) = Reported::read(params.unwrap_or("{}")) else {
            tracing::debug!("progress that can't be read");
            return;
        };
        let calls = self.calls();
        match calls.get(&token).and_then(|waiting| waiting.progress.as_ref()) {
            Some(listener) if listener.try_send(progress).is_ok() => {}
            Some(_) => tracing::debug!(%token, "more progress than is looked at"),
            None => tracing::debug!(%token, "progress that nobody waits for"),
        }
    }

    /// Notes that a request is being served from now on.
    ///
    /// # Errors
    /// If one of the same id is.
    pub(crate) fn begin(&self, id: &Id, cancel: &Arc<Cancel>, batch: Option<&Arc<Batch>>) -> Result<(), ()> {
        let mut running = self.running();
        if running.contains_key(id) {
            return Err(());
        }
        let entry = Running { task: None, cancel: Arc::clone(cancel), batch: batch.cloned() };
        running.insert(id.clone(), entry);
        Ok(())
    }

    /// Notes which task serves a request, if it is still being served.
    pub(crate) fn runs_in(&self, id: &Id, task: AbortHandle) {
        match self.running().get_mut(id) {
            Some(entry) => entry.task = Some(task),
            None => task.abort(),
        }
    }

    /// Gives up a request that the peer has cancelled: it isn't answered. Unknown ids, and those of requests
    /// that are finished, are ignored.
    pub(crate) fn cancel(&self, id: &Id) {
        let entry = self.running().remove(id);
        if let Some(entry) = entry {
            self.give_up(entry);
        }
    }

    fn give_up(&self, entry: Running) {
        entry.cancel.cancel();
        if let Some(task) = entry.task {
            task.abort();
        }
        if let Some(batch) = entry.batch {
            batch.done(self, None);
        }
        self.outbox.wake();
    }

    /// How many requests are being served.
    pub(crate) fn load(&self) -> usize {
        self.running().len()
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.running().is_empty()
    }

    /// Whether the peer takes or sends nothing any more.
    pub(crate) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Acquire) || self.outbox.is_closed()
    }

    /// The peer sends nothing any more: what is waited for fails, what is being served goes on.
    pub(crate) fn peer_is_gone(&self) {
        self.gone.store(true, Ordering::Release);
        // Dropping them fails those who wait.
        let waiting = self.calls().take();
        drop(waiting);
    }

    /// Gives up all that is being served.
    pub(crate) fn abort(&self) {
        let all: Vec<Running> = self.running().drain().map(|(_, entry)| entry).collect();
        for entry in all {
            self.give_up(entry);
        }
    }

    /// Ends the connection: nothing is written any more, and nothing waited for.
    pub(crate) fn close(&self) {
        self.peer_is_gone();
        self.outbox.close();
        self.abort();
    }

    fn calls(&self) -> MutexGuard<'_, Calls<Waiting>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> MutexGuard<'_, HashMap<Id, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets a request that isn't waited for any more, and tells the peer.
struct Guard<'a> {
    link: &'a Link,
    id: &'a Id,
    armed: bool,
    silent: bool,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        let known = self.link.calls().answered(self.id).is_some();
        if self.armed && known && !self.silent {
            let params = serde_json::json!({ "requestId": self.id });
            // If it can't be said, the answer is late, and is dropped.
            let _ = self.link.notify("notifications/cancelled", Some(&params.to_string()));
        }
    }
}

/// The one answer to a request.
#[derive(Debug)]
pub(crate) struct Replier {
    pub(crate) link: Arc<Link>,
    pub(crate) id: Id,
    pub(crate) batch: Option<Arc<Batch>>,
}

impl Replier {
    /// Answers a request that was noted with [`begin`](Link::begin), unless it was cancelled meanwhile, and its id
    /// perhaps taken by another: `cancel` is the one that it was noted with.
    pub(crate) fn finish(self, cancel: &Arc<Cancel>, answer: Result<&str, &ErrorObject>) {
        let mut running = self.link.running();
        let mine = running.get(&self.id).is_some_and(|entry| Arc::ptr_eq(&entry.cancel, cancel));
        if mine {
            running.remove(&self.id);
            drop(running);
            self.send(answer);
        }
    }

    /// Answers a request whose id nothing but its end makes free.
    pub(crate) fn end(self, answer: Result<&str, &ErrorObject>) {
        if self.link.running().remove(&self.id).is_some() {
            self.send(answer);
        }
    }

    /// Answers at once.
    pub(crate) fn send(self, answer: Result<&str, &ErrorObject>) {
        let write = &mut |out: &mut Vec<u8>| write_answer(out, Some(&self.id), answer);
        match &self.batch {
            Some(batch) => {
                let mut bytes = Vec::new();
                let written = write(&mut bytes).is_ok();
                batch.done(&self.link, written.then_some(&bytes));
            }
            // Texts and numbers can always be written.
            None => drop(self.link.outbox.answer(write)),
        }
    }
}

/// Writes an answer.
pub(crate) fn write_answer(
    out: &mut Vec<u8>,
    id: Option<&Id>,
    answer: Result<&str, &ErrorObject>,
) -> serde_json::Result<()> {
    out.extend_from_slice(br#"{"jsonrpc":"2.0""#);
    if let Some(id) = id {
        out.extend_from_slice(br#","id":"#);
        serde_json::to_writer(&mut *out, id)?;
    }
    match answer {
        Ok(result) => {
            out.extend_from_slice(br#","result":"#);
            out.extend_from_slice(result.as_bytes());
        }
        Err(error) => {
            out.extend_from_slice(br#","error":"#);
            serde_json::to_writer(&mut *out, error)?;
        }
    }
    out.push(b'}');
    Ok(())
}

fn finish_message(out: &mut Vec<u8>, method: &str, params: Option<&str>) -> serde_json::Result<()> {
    out.extend_from_slice(br#","method":"#);
    serde_json::to_writer(&mut *out, method)?;
    if let Some(params) = params {
        out.extend_from_slice(br#","params":"#);
        out.extend_from_slice(params.as_bytes());
    }
    out.push(b'}');
    Ok(())
}

/// The params of `notifications/progress`, in any revision.
struct Reported;

impl Reported {
    fn read(params: &str) -> Decoded<(Id, Progress)> {
        let (mut token, mut progress) = (Slot::Absent, Slot::Absent);
        let (mut total, mut message) = (Slot::Absent, Slot::Absent);
        Reader::new(params).object(&mut |reader, name| match name {
            "progressToken" => token.read(reader, Decode::decode),
            "progress" => progress.read(reader, number),
            "total" => total.read_optional(reader, number),
            "message" => message.read_optional(reader, Decode::decode),
            _ => reader.skip().map(drop),
        })?;
        let progress =
            Progress { progress: progress.required("progress")?, total: total.optional(), message: message.optional() };
        Ok((token.required("progressToken")?, progress))
    }
}

fn number(reader: &mut Reader<'_>) -> Decoded<f64> {
    mcprism_types::Number::decode(reader).map(|number| number.as_f64())
}
