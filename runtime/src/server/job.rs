//! Runs a handler, and answers with what comes of it.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::task::{Poll, Waker};

use mcprism_types::bridge::{Options, Part};
use mcprism_types::{Era, ProtocolVersion, Reader};

use super::context::{Asking, Context, Inner};
use super::live::Live;
use super::shared::Shared;
use super::tasks;
use crate::breaches::made;
use crate::connection::Replier;
use crate::error::{Error, Result};
use crate::jsonrpc::{ErrorObject, Id, RawRequest, code};
use crate::router::{Handle, Started, Working};
use crate::session::edit;
use crate::session::peer::Peer;

/// How often a handler may ask by itself for input before a legacy client is spared.
const ROUNDS: usize = 16;

/// The context of a request.
pub(super) fn context(
    shared: &Arc<Shared>,
    live: &Arc<Live>,
    peer: &Arc<Peer>,
    method: &Arc<str>,
    request: &RawRequest<'_>,
    token: Option<Id>,
) -> Context {
    let asks = peer.era() == Era::Modern;
    let params = asks.then(|| request.params.unwrap_or("{}").to_owned());
    Context(Arc::new(Inner {
        shared: Arc::clone(shared),
        link: Arc::clone(&live.link),
        session: Arc::clone(live),
        peer: Arc::clone(peer),
        id: request.id.clone(),
        method: Arc::clone(method),
        token,
        task: None,
        cancel: std::sync::OnceLock::new(),
        progress: std::sync::Mutex::default(),
        asked: AtomicBool::new(false),
        answered: AtomicBool::new(false),
        asking: std::sync::Mutex::new(Asking { params, ..Asking::default() }),
    }))
}

/// What a handler came to.
enum End {
    Result(String),
    /// It waits for answers of the client, which come with another attempt.
    Waits,
}

/// A request with who handles it.
struct Job {
    handler: Arc<dyn Handle<Context>>,
    context: Context,
    reply: Reply,
    /// The params in the handler's revision, where the handler may have to be called again.
    params: Option<String>,
}

/// Where the answer goes.
enum Reply {
    /// To the client, on a line.
    Line(Replier),
    /// To the task of this name.
    Task(String),
}

/// Begins to serve a request. A handler that is ready at once is answered at once; any other goes on in a task
/// of its own.
pub(super) fn begin(handler: Arc<dyn Handle<Context>>, params: Option<&str>, context: Context, replier: Replier) {
    let peer = context.version();
    match start(&handler, params, &context) {
        Ok((mut working, params)) => {
            let job = Job { handler, context, reply: Reply::Line(replier), params };
            let mut first = std::task::Context::from_waker(Waker::noop());
            match job.poll(&mut working, &mut first) {
                Poll::Ready(end) if !job.goes_on(&end) => job.answer_now(end),
                ready => job.go_on(working, ready),
            }
        }
        Err(error) => replier.send(Err(&error.to_object(peer))),
    }
}

/// Begins to serve a request that runs as the task of this name.
pub(super) fn begin_task(handler: Arc<dyn Handle<Context>>, params: Option<&str>, context: Context, id: &str) {
    let live = Arc::clone(&context.0.session);
    match start(&handler, params, &context) {
        Ok((working, params)) => {
            let cancel = Arc::clone(context.cancel());
            let job = Job { handler, context, reply: Reply::Task(id.to_owned()), params };
            let task = tokio::spawn(job.serve(working, Poll::Pending));
            live.tasks.runs_in(id, task.abort_handle(), cancel);
        }
        Err(error) => tasks::finish(&live, id, Err(error.to_object(context.version()))),
    }
}

/// Has a handler read the params and begin; gives back the params in its revision, too, if it may have to be
/// called again.
fn start(
    handler: &Arc<dyn Handle<Context>>,
    params: Option<&str>,
    context: &Context,
) -> Result<(Working, Option<String>)> {
    let (peer, shared) = (&context.0.peer, &context.0.shared);
    let version = handler.version().unwrap_or(peer.version());
    // Only a handler of the modern era may answer in person with what is asked of a client of the legacy one.
    let again = version.era() == Era::Modern && peer.era() == Era::Legacy;
    let options = if version == peer.version() { Options::default() } else { shared.options(peer) };
    let kept = match again {
        true => shared.translate(peer.version(), version, &context.0.method, Part::Params, params, &options),
        false => Ok(None),
    };
    let kept = kept.map_err(refused)?;
    let Started { working, losses } = guarded(|| match &kept {
        Some(kept) => handler.start(version, Some(kept), &options, context.clone()),
        None => handler.start(peer.version(), params, &options, context.clone()),
    })?;
    shared.report(peer.version(), version, &context.0.method, Part::Params, losses);
    Ok((working, kept))
}

impl Job {
    fn poll(&self, working: &mut Working, context: &mut std::task::Context<'_>) -> Poll<Result<End>> {
        let polled = catch_unwind(AssertUnwindSafe(|| working.as_mut().poll(context)));
        match polled {
            Ok(Poll::Ready(result)) => Poll::Ready(result.map(End::Result)),
            Ok(Poll::Pending) if self.context.waits() => Poll::Ready(Ok(End::Waits)),
            Ok(Poll::Pending) => Poll::Pending,
            Err(_) => Poll::Ready(Err(panicked())),
        }
    }

    /// Whether the client has to be asked before there is an answer.
    fn goes_on(&self, end: &Result<End>) -> bool {
        self.params.is_some() && matches!(end, Ok(End::Result(result)) if wants_input(result))
    }

    fn answer_now(self, end: Result<End>) {
        let answer = self.answer(end);
        match self.reply {
            Reply::Line(replier) => replier.send(answer.as_deref()),
            Reply::Task(id) => tasks::finish(&self.context.0.session, &id, answer),
        }
    }

    /// Goes on in a task: with a handler that isn't ready yet, or with one that wants to be called again.
    fn go_on(self, working: Working, first: Poll<Result<End>>) {
        let (link, id) = (Arc::clone(&self.context.0.link), self.context.0.id.clone());
        let Reply::Line(replier) = &self.reply else { return };
        if link.begin(&id, self.context.cancel(), replier.batch.as_ref()).is_err() {
            let error = ErrorObject::new(code::INVALID_REQUEST, "a request of this id is being served");
            if let Reply::Line(replier) = self.reply {
                replier.send(Err(&error));
            }
            return;
        }
        let task = tokio::spawn(self.serve(working, first));
        link.runs_in(&id, task.abort_handle());
    }

    /// Serves the request to its end.
    async fn serve(mut self, working: Working, first: Poll<Result<End>>) {
        let end = match first {
            Poll::Ready(end) => end,
            Poll::Pending => self.run(working).await,
        };
        let end = match end {
            Ok(End::Result(result)) if self.params.is_some() => self.until_complete(result).await,
            end => end,
        };
        let answer = self.answer(end);
        match self.reply {
            Reply::Line(replier) => replier.finish(self.context.cancel(), answer.as_deref()),
            Reply::Task(id) => tasks::finish(&self.context.0.session, &id, answer),
        }
    }

    async fn run(&self, mut working: Working) -> Result<End> {
        poll_fn(|context| self.poll(&mut working, context)).await
    }

    /// Asks a legacy client what a modern handler wants to know, and calls the handler again with the answers,
    /// until it is done.
    async fn until_complete(&mut self, mut result: String) -> Result<End> {
        let version = self.handler.version().unwrap_or(self.context.version());
        for _ in 0..ROUNDS {
            if !wants_input(&result) {
                return Ok(End::Result(result));
            }
            let params = self.answered(version, &result).await?;
            let started =
                guarded(|| self.handler.start(version, Some(&params), &Options::default(), self.context.clone()))?;
            self.params = Some(params);
            match self.run(started.working).await? {
                End::Result(next) => result = next,
                End::Waits => return Ok(End::Waits),
            }
        }
        Err(Error::Internal(format!("the handler still asks for input after {ROUNDS} rounds")))
    }

    /// The params with the answers to what the handler wants to know.
    async fn answered(&self, version: ProtocolVersion, result: &str) -> Result<String> {
        let invalid = |error| Error::Invalid { what: "the handler's InputRequiredResult".to_owned(), error };
        let reader = Reader::new(result);
        let mut requests: Vec<(String, String, String)> = Vec::new();
        if let Some(mut asked) = reader.member("inputRequests").map_err(invalid)? {
            let read = asked.object(&mut |reader, key| {
                let request = Reader::new(reader.skip()?);
                let method = request.tag("method")?.unwrap_or_default().into_owned();
                let params = request.member("params")?.map(|mut params| params.skip()).transpose()?;
                requests.push((key.to_owned(), method, params.unwrap_or("{}").to_owned()));
                Ok(())
            });
            read.map_err(|error| invalid(error.inside("inputRequests")))?;
        }
        let mut responses = String::from("{");
        for (key, method, params) in requests {
            let known = version.method(&method).map(|known| known.name);
            let method = known.ok_or(Error::NoSuchMethod { method, version })?;
            let answer = self.context.ask_raw(&key, method, version, Some(&params)).await?;
            if responses.len() > 1 {
                responses.push(',');
            }
            responses.push_str(&format!("{}:{answer}", edit::quoted(&key)));
        }
        responses.push('}');
        let state = reader.member("requestState").map_err(invalid)?;
        let state = state.map(|mut state| state.skip()).transpose().map_err(invalid)?;
        let params = self.params.as_deref().unwrap_or("{}");
        edit::set(params, &[("inputResponses", Some(&responses)), ("requestState", state)]).map_err(invalid)
    }

    /// The answer in the client's revision.
    fn answer(&self, end: Result<End>) -> Result<String, ErrorObject> {
        let peer = &self.context.0.peer;
        let shared = &self.context.0.shared;
        let method = &self.context.0.method;
        self.context.0.answered.store(true, std::sync::atomic::Ordering::Release);
        let answer = match end {
            Ok(End::Result(result)) => match self.handler.version() {
                Some(version) => made(version, method, Part::Result, &result).and_then(|()| {
                    if version == peer.version() {
                        return Ok(result);
                    }
                    let options = Options::default();
                    let result =
                        shared.translate(version, peer.version(), method, Part::Result, Some(&result), &options);
                    result.map(Option::unwrap_or_default)
                }),
                None => Ok(result),
            },
            Ok(End::Waits) => self.context.input_required(),
            Err(error) => Err(error),
        };
        match answer {
            Ok(result) if peer.era() == Era::Modern => Ok(shared.stamp(&result)),
            Ok(result) => Ok(result),
            Err(error) => Err(error.to_object(peer.version())),
        }
    }
}

/// Whether a modern result asks for input.
fn wants_input(result: &str) -> bool {
    Reader::new(result).tag("resultType").is_ok_and(|kind| kind.is_some_and(|kind| kind == "input_required"))
}

/// A refusal of params by a conversion, as the client is to be told.
fn refused(error: Error) -> Error {
    match error {
        Error::Untranslatable(refused) => crate::router::refused_params(refused),
        error => error,
    }
}

/// Calls what an author wrote: if it panics, that is a failure like any other.
pub(super) fn guarded<T>(call: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| Err(panicked()))
}

fn panicked() -> Error {
    Error::Internal("the handler panicked".to_owned())
}
