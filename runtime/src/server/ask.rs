//! Questions to the client: on the connection in the legacy era, with another attempt in the modern one.

use std::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};

use mcprism_types::bridge::{Options, Part};
use mcprism_types::{Decode, Era, Json, Map, MethodKind, ProtocolVersion, Reader, Request, Revision, Sender};

use super::context::{Context, Question};
use crate::breaches::made;
use crate::connection::CallOptions;
use crate::error::{Error, Result};
use crate::jsonrpc::{ErrorObject, code};
use crate::session::edit;
use crate::session::gate::{self, Closed, Declared};
use crate::session::request_state::{Rejected, Seal, State, digest};
use crate::session::tasks::Status;

/// How many questions one request may ask.
const QUESTIONS: usize = 64;

impl Context {
    /// Asks the client something, such as [`ElicitRequest`](mcprism_types::v2025_11_25::ElicitRequest), and
    /// waits for the answer; the types may be of any revision.
    ///
    /// `key` names the question within this request. In the modern era the request is answered with the
    /// question, and **the handler is run again from its beginning** once the client sends the answer: questions
    /// that are answered then return at once. So a handler has to ask the same questions in the same order
    /// each time, and what it does to the world belongs after its last question.
    ///
    /// # Errors
    /// If the client has not declared what this needs, its revision can't say it, it answers with an error, or
    /// it doesn't answer in time. In the modern era also if the method's results have no way to ask.
    ///
    /// Specification: `client/elicitation`, `client/sampling`, `client/roots`; `basic/patterns/mrtr` of
    /// 2026-07-28.
    pub async fn ask<R: Request>(&self, key: &str, request: R) -> Result<R::Result> {
        let params = request.params().map(serde_json::to_string).transpose()?;
        let answer = self.ask_raw(key, R::METHOD, R::Revision::VERSION, params.as_deref()).await?;
        mcprism_types::decode(&answer)
            .map_err(|error| Error::Invalid { what: format!("the answer to {}", R::METHOD), error })
    }

    /// Asks in the words of one revision; the answer is in them, too.
    pub(super) async fn ask_raw(
        &self,
        key: &str,
        method: &'static str,
        version: ProtocolVersion,
        params: Option<&str>,
    ) -> Result<String> {
        let (peer, shared) = (&self.0.peer, &self.0.shared);
        if self.is_answered() {
            return Err(Error::Internal(format!("`{method}` belongs to a request, and that is answered already")));
        }
        if peer.version().method(method).is_none() {
            return Err(Error::NoSuchMethod { method: method.to_owned(), version: peer.version() });
        }
        if let Some(params) = params {
            made(version, method, Part::Params, params)?;
        }
        let options = Options::default();
        let params = shared.translate(version, peer.version(), method, Part::Params, params, &options)?;
        let params = params.unwrap_or_else(|| "{}".to_owned());
        self.may_ask(method, &params)?;
        let answer = match peer.era() {
            Era::Legacy => {
                let options = CallOptions { limits: shared.config.limits, ..CallOptions::default() };
                let params = self.related(params);
                let waits = self.0.task.as_ref().map(|task| Waits::begin(self, task));
                let answer = self.0.link.call(method, Some(&params), options).await?;
                drop(waits);
                answer
            }
            Era::Modern => self.answer_or_wait(key, method, params).await?.as_str().to_owned(),
        };
        shared.config.watch.received(peer.version(), method, Part::Result, Some(&answer));
        let answer = shared.translate(peer.version(), version, method, Part::Result, Some(&answer), &options)?;
        answer.ok_or_else(|| Error::Protocol("a result can't be absent".to_owned()))
    }

    /// Whether the client may be asked this: its revision has it, and it has declared it.
    fn may_ask(&self, method: &str, params: &str) -> Result<()> {
        let version = self.0.peer.version();
        let kinds = [MethodKind::Request, MethodKind::InputRequest];
        let declared = Declared { client: Some(self.0.peer.capabilities()), server: None };
        gate::open(version, Sender::Server, &kinds, method, Some(params), declared).map(drop).map_err(|closed| {
            match closed {
                Closed::Method => Error::NoSuchMethod { method: method.to_owned(), version },
                Closed::Capability { path, .. } => Error::NotDeclared { capability: path.to_owned() },
            }
        })
    }

    /// The answer that came with this attempt, or never: the request is then answered with the question.
    async fn answer_or_wait(&self, key: &str, method: &'static str, params: String) -> Result<Json> {
        if let Some(answer) = self.answer(key, method, params)? {
            return Ok(answer);
        }
        self.0.asked.store(true, Ordering::Release);
        std::future::pending().await
    }

    fn answer(&self, key: &str, method: &'static str, params: String) -> Result<Option<Json>> {
        let takes = self.0.peer.version().method(&self.0.method);
        if !takes.is_some_and(|takes| takes.alternatives.contains(&"InputRequiredResult")) {
            let message = format!("`{}` can't ask the client anything in {}", self.0.method, self.version());
            return Err(Error::Internal(message));
        }
        self.read_state()?;
        let question = digest(method, Some(&params));
        let mut asking = self.asking();
        if asking.keys.len() >= QUESTIONS {
            return Err(Error::Internal(format!("a request may ask {QUESTIONS} questions at most")));
        }
        let before = asking.keys.insert(key, question.clone());
        if before.is_some_and(|before| before != question) {
            return Err(Error::Internal(format!("two questions have the key `{key}`")));
        }
        let state = asking.state.as_ref();
        let answered = state.and_then(|state| {
            let asked = state.asked.get(key)?;
            // A handler that asks something else under this key asks anew.
            (*asked == question).then(|| state.answers.get(key).cloned())?
        });
        if answered.is_none() {
            asking.questions.insert(key, Question { method, params, digest: question });
        }
        Ok(answered)
    }

    /// Looks at the state and the answers that came with the request, once.
    pub(super) fn read_state(&self) -> Result<()> {
        let mut asking = self.asking();
        let Some(params) = asking.params.take() else { return Ok(()) };
        asking.request = digest(&self.0.method, Some(&params));
        let reader = Reader::new(&params);
        let invalid = |error: mcprism_types::DecodeError| Error::invalid_params(error);
        let Some(text) = reader.optional_tag("requestState").map_err(invalid)? else { return Ok(()) };
        let request = asking.request.clone();
        let seal = &self.0.shared.seal;
        let mut state = seal.open(&text, &request, self.0.session.principal(), now()).map_err(rejected_state)?;
        if let Some(mut answers) = reader.member("inputResponses").map_err(invalid)? {
            answers
                .object(&mut |reader, key| {
                    let answer = Json::decode(reader)?;
                    // What was not asked is ignored.
                    if state.asked.contains(key) {
                        state.answers.insert(key, answer);
                    }
                    Ok(())
                })
                .map_err(|error| invalid(error.inside("inputResponses")))?;
        }
        asking.state = Some(state);
        Ok(())
    }

    /// The result that asks the questions of this round.
    pub(super) fn input_required(&self) -> Result<String> {
        let config = &self.0.shared.config;
        let mut asking = self.asking();
        let questions = std::mem::take(&mut asking.questions);
        let earlier = asking.state.take();
        let request = std::mem::take(&mut asking.request);
        drop(asking);
        let (asked, answers) = earlier.map(|state| (state.asked, state.answers)).unwrap_or_default();
        let answered: Vec<(String, String)> = asked.into_iter().filter(|(key, _)| answers.contains(key)).collect();
        let mut asked: Map<String> = answered.into_iter().collect();
        for (key, question) in questions.iter() {
            asked.insert(key, question.digest.clone());
        }
        let state = State {
            request,
            principal: self.0.session.principal().map(str::to_owned),
            expires: now().saturating_add(config.state_lifetime.as_secs()),
            asked,
            answers,
        };
        let sealed = self.0.shared.seal.close(&state).map_err(|large| {
            let sizes = format!("{} bytes, at most {} are allowed", large.size, large.limit);
            Error::Internal(format!("the answers so far are too large to travel with the request: {sizes}"))
        })?;
        let mut requests = String::from("{");
        for (key, question) in questions.iter() {
            if requests.len() > 1 {
                requests.push(',');
            }
            let (key, method) = (serde_json::to_string(key)?, serde_json::to_string(question.method)?);
            requests.push_str(&format!(r#"{key}:{{"method":{method},"params":{}}}"#, question.params));
        }
        requests.push('}');
        let sealed = serde_json::to_string(&sealed)?;
        Ok(format!(r#"{{"resultType":"input_required","inputRequests":{requests},"requestState":{sealed}}}"#))
    }
}

/// A task that waits for the client.
struct Waits<'a>(&'a Context, &'a str);

impl<'a> Waits<'a> {
    fn begin(context: &'a Context, task: &'a str) -> Self {
        context.0.session.tasks.moves(&context.0.link, task, Status::InputRequired);
        Self(context, task)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        let Self(context, task) = self;
        context.0.session.tasks.moves(&context.0.link, task, Status::Working);
    }
}

/// Whether a request brings a state of this runtime's.
pub(super) fn brings_state(params: Option<&str>) -> bool {
    let state = params.and_then(|params| Reader::new(params).optional_tag("requestState").ok()?);
    state.is_some_and(|state| Seal::claims(&state))
}

/// The params without the state and the answers.
pub(super) fn without_state(params: &str) -> String {
    let left = edit::set(params, &[("requestState", None), ("inputResponses", None)]);
    left.unwrap_or_else(|_| params.to_owned())
}

/// The error for a state that isn't taken, which tells a forger nothing.
fn rejected_state(rejected: Rejected) -> Error {
    tracing::warn!(?rejected, "a request state is rejected");
    let message = match rejected {
        Rejected::Expired => "the request state has expired; send the request anew",
        _ => "the request state is not valid for this request",
    };
    Error::Rpc(ErrorObject::new(code::INVALID_PARAMS, message))
}

/// The seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
