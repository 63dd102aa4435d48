//! Requests that run as tasks of the session, and the methods about them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use mcprism_types::{DecodeError, Kind, Reader};
use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::connection::ServerConnection;
use super::context::Context;
use super::job;
use super::live::Live;
use crate::connection::{Cancel, Link, Replier};
use crate::jsonrpc::{ErrorObject, RawRequest, code};
use crate::router::Handle;
use crate::session::tasks::{Outcome, Refused, Status, Task, Tasks};
use crate::session::{edit, meta::key};

/// How many tasks a session may have.
const LIMIT: usize = 1024;

/// Whether a tool may be called as a task (`ToolExecution.taskSupport`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskSupport {
    /// Never: the default.
    Forbidden,
    /// If the client wants.
    Optional,
    /// Always.
    Required,
}

/// The tasks of one connection.
#[derive(Debug)]
pub(super) struct LiveTasks {
    tasks: Mutex<Tasks>,
    running: Mutex<HashMap<String, (AbortHandle, Arc<Cancel>)>>,
    /// A task has finished.
    finished: Notify,
}

impl Default for LiveTasks {
    fn default() -> Self {
        Self { tasks: Mutex::new(Tasks::new(LIMIT)), running: Mutex::default(), finished: Notify::new() }
    }
}

impl LiveTasks {
    fn tasks(&self) -> MutexGuard<'_, Tasks> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves a task, and tells the client.
    pub(super) fn moves(&self, link: &Link, id: &str, status: Status) {
        let task = self.tasks().moves(id, status, now());
        tell(link, task);
    }

    /// Finishes a task, and tells the client.
    pub(super) fn finish(&self, link: &Link, id: &str, outcome: Outcome) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        let failed = outcome.as_ref().is_ok_and(|result| says_that_it_failed(result));
        let task = self.tasks().finish(id, failed, outcome, now());
        tell(link, task);
        self.finished.notify_waiters();
    }

    /// Notes what runs a task.
    pub(super) fn runs_in(&self, id: &str, task: AbortHandle, cancel: Arc<Cancel>) {
        // One that is finished may be forgotten already.
        let runs = matches!(self.tasks().outcome(id, now()), Ok(None));
        if runs {
            self.running.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned(), (task, cancel));
        }
    }

    /// Stops everything: the client has closed its end. Who waits for a task is told.
    pub(super) fn abort(&self) {
        let all: Vec<_> = self.running.lock().unwrap_or_else(PoisonError::into_inner).drain().collect();
        for (id, (task, cancel)) in all {
            cancel.cancel();
            task.abort();
            let ended = ErrorObject::new(code::INTERNAL_ERROR, "the task ended with the connection");
            // One that is finished already has its outcome.
            let _ = self.tasks().cancel(&id, ended, now());
        }
        self.finished.notify_waiters();
    }
}

/// Tells the client of a task whose state has changed. It may ask, too, so nothing is lost if it isn't told.
fn tell(link: &Link, task: Option<Task>) {
    if let Some(task) = task.filter(|_| !link.outbox.is_full()) {
        let _ = link.notify("notifications/tasks/status", Some(&task.written().to_string()));
    }
}

/// Whether a tool's result is a failure.
fn says_that_it_failed(result: &str) -> bool {
    let flag = Reader::new(result).member("isError");
    flag.is_ok_and(|flag| flag.is_some_and(|mut flag| flag.boolean().unwrap_or(false)))
}

impl ServerConnection {
    /// Decides whether a request runs as a task. `None` if it doesn't; otherwise how long it wants to be kept.
    ///
    /// # Errors
    /// If it has to and doesn't, or does and must not.
    pub(super) fn as_task(&self, request: &RawRequest<'_>, declared: bool) -> Result<Option<Option<u64>>, ErrorObject> {
        // Who has not declared tasks takes no notice of them.
        if !declared {
            return Ok(None);
        }
        let reader = Reader::new(request.params.unwrap_or("{}"));
        let name = reader.optional_tag("name").ok().flatten().unwrap_or_default();
        let support = self.shared.task_support(&name);
        let asked = task_member(&reader)
            .map_err(|error| ErrorObject::new(code::INVALID_PARAMS, error.inside("task").to_string()))?;
        match (support, asked) {
            (TaskSupport::Forbidden, Some(_)) => {
                Err(ErrorObject::new(code::METHOD_NOT_FOUND, format!("the tool `{name}` can't be called as a task")))
            }
            (TaskSupport::Required, None) => {
                Err(ErrorObject::new(code::METHOD_NOT_FOUND, format!("the tool `{name}` has to be called as a task")))
            }
            (_, asked) => Ok(asked),
        }
    }

    /// Begins to serve a request as a task, and answers with the task.
    pub(super) fn begin_task(
        &self,
        handler: Arc<dyn Handle<Context>>,
        params: Option<&str>,
        mut context: Context,
        ttl: Option<u64>,
        replier: Replier,
    ) {
        let mut random = [0; 16];
        if let Err(error) = getrandom::fill(&mut random) {
            return replier.send(Err(&ErrorObject::new(code::INTERNAL_ERROR, error.to_string())));
        }
        let id: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        // Bound first, so that the lock is free when the handler begins.
        let created = self.live.tasks.tasks().create(id.clone(), ttl, now());
        match created {
            Ok(task) => {
                let created = serde_json::json!({ "task": task.written() });
                replier.send(Ok(&created.to_string()));
                context.set_task(&id);
                job::begin_task(handler, params, context, &id);
            }
            Err(_) => {
                let many = format!("this session has {LIMIT} tasks already");
                replier.send(Err(&ErrorObject::new(code::INTERNAL_ERROR, many)));
            }
        }
    }

    /// Answers a request about tasks.
    pub(super) fn about_tasks(&self, request: &RawRequest<'_>, replier: Replier) {
        let reader = Reader::new(request.params.unwrap_or("{}"));
        let tasks = &self.live.tasks;
        if request.method == "tasks/list" {
            let cursor = reader.optional_tag("cursor").ok().flatten();
            let listed = tasks.tasks().list(cursor.as_deref(), now()).map(|(page, next)| {
                let mut result = serde_json::json!({ "tasks": page.iter().map(Task::written).collect::<Vec<_>>() });
                if let Some(next) = next {
                    result["nextCursor"] = next.into();
                }
                result.to_string()
            });
            return replier.send(listed.map_err(refusal).as_deref());
        }
        let id = match reader.tag("taskId") {
            Ok(Some(id)) => id.into_owned(),
            Ok(None) => return replier.send(Err(&ErrorObject::new(code::INVALID_PARAMS, "missing member `taskId`"))),
            Err(error) => return replier.send(Err(&ErrorObject::new(code::INVALID_PARAMS, error.to_string()))),
        };
        match &*request.method {
            "tasks/get" => {
                let found = tasks.tasks().get(&id, now()).map(|task| task.written().to_string());
                replier.send(found.map_err(refusal).as_deref());
            }
            "tasks/cancel" => {
                let error = ErrorObject::new(code::INTERNAL_ERROR, "the task was cancelled");
                let cancelled = tasks.tasks().cancel(&id, error, now());
                if cancelled.is_ok() {
                    let running = tasks.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
                    if let Some((task, cancel)) = running {
                        cancel.cancel();
                        task.abort();
                    }
                    tasks.finished.notify_waiters();
                }
                replier.send(cancelled.map(|task| task.written().to_string()).map_err(refusal).as_deref());
            }
            _ => self.await_task(id, replier),
        }
    }

    /// Answers with what a task came to, once it has.
    fn await_task(&self, id: String, replier: Replier) {
        let live = Arc::clone(&self.live);
        let outcome = live.tasks.tasks().outcome(&id, now());
        match outcome {
            Err(refused) => return replier.send(Err(&refusal(refused))),
            Ok(Some(outcome)) => return replier.send(related(&id, outcome).as_deref()),
            Ok(None) => {}
        }
        if self.link.load() >= self.shared.config.max_running {
            return replier.send(Err(&self.busy()));
        }
        let (link, request) = (Arc::clone(&self.link), replier.id.clone());
        let cancel = Arc::new(Cancel::default());
        if link.begin(&request, &cancel, replier.batch.as_ref()).is_err() {
            let twice = ErrorObject::new(code::INVALID_REQUEST, "a request of this id is being served");
            return replier.send(Err(&twice));
        }
        let waiting = tokio::spawn(async move {
            let outcome = loop {
                let finished = live.tasks.finished.notified();
                match live.tasks.tasks().outcome(&id, now()) {
                    Err(refused) => break Err(refusal(refused)),
                    Ok(Some(outcome)) => break related(&id, outcome),
                    Ok(None) => {}
                }
                finished.await;
            };
            replier.finish(&cancel, outcome.as_deref());
        });
        link.runs_in(&request, waiting.abort_handle());
    }
}

/// A result that says which task it belongs to.
fn related(id: &str, outcome: Outcome) -> Outcome {
    let result = outcome?;
    Ok(with_task(&result, id).unwrap_or(result))
}

/// A text whose `_meta` says which task it belongs to.
pub(super) fn with_task(text: &str, id: &str) -> Option<String> {
    let related = format!(r#"{{"taskId":{}}}"#, edit::quoted(id));
    edit::set_meta(text, &[(key::RELATED_TASK, Some(&related))]).ok()
}

fn refusal(refused: Refused) -> ErrorObject {
    let why = match refused {
        Refused::Unknown => "there is no such task, or its time has passed".to_owned(),
        Refused::Finished(status) => format!("the task is {} already", status.as_str()),
        Refused::TooMany => "there are too many tasks".to_owned(),
        Refused::Cursor => "no such cursor".to_owned(),
    };
    ErrorObject::new(code::INVALID_PARAMS, why)
}

/// The member `task` of params: its `ttl`.
fn task_member(reader: &Reader<'_>) -> Result<Option<Option<u64>>, DecodeError> {
    let Some(mut task) = reader.member("task")? else { return Ok(None) };
    if task.kind()? == Kind::Null {
        return Ok(None);
    }
    let Some(mut ttl) = task.member("ttl")? else { return Ok(Some(None)) };
    match ttl.kind()? {
        Kind::Null => Ok(Some(None)),
        _ => <u64 as mcprism_types::Decode>::decode(&mut ttl).map(|ttl| Some(Some(ttl))).map_err(|e| e.inside("ttl")),
    }
}

/// The milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Finishes the task of a connection.
pub(super) fn finish(live: &Live, id: &str, outcome: Outcome) {
    live.tasks.finish(&live.link, id, outcome);
}
