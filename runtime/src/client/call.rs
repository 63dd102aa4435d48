//! Calls: params at the author's revision, on the wire at the server's, and the result back.

use mcprism_types::bridge::{Part, read_result};
use mcprism_types::{
    Decode, Decoded, Era, Json, Kind, MethodKind, Notification, ProtocolVersion, Reader, Request, Revision, Sender,
};

use super::{Client, connection};
use crate::breaches::made;
use crate::connection::{CallOptions as LinkOptions, Cancel, Progress};
use crate::error::{Error, Result};
use crate::session::deadline::Limits;
use crate::session::edit;
use crate::session::gate::{self, Closed, Declared};

/// How often a server may ask for input before a call is given up.
const ROUNDS: usize = 16;

/// How one call is made.
#[derive(Default)]
pub struct CallOptions<'a> {
    /// How long to wait; what the client says if `None`.
    pub limits: Option<Limits>,
    /// Who wants to hear of progress: only then does the server report any.
    pub on_progress: Option<&'a mut (dyn FnMut(Progress) + Send)>,
}

impl Client {
    /// Calls a method, in the words of any revision.
    ///
    /// Params and result are converted if the server speaks another one. What a modern server asks for on the way
    /// is answered by the handlers, and the call is sent again, until it is complete.
    ///
    /// # Errors
    /// The server's error; that its revision has no such method, that it has not declared what it needs, or that
    /// one side can't say what the other has said; that no answer came in time, or the connection is closed.
    pub async fn call<R: Request>(&self, request: R) -> Result<R::Result> {
        self.call_with(request, CallOptions::default()).await
    }

    /// The same, with limits of its own, or somebody who hears of progress.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub async fn call_with<R: Request>(&self, request: R, options: CallOptions<'_>) -> Result<R::Result> {
        let result = self.text(&request, options).await?;
        let at = R::Revision::VERSION;
        let result = self.0.shared.translate(self.version(), at, R::METHOD, Part::Result, Some(&result))?;
        mcprism_types::decode(result.as_deref().unwrap_or("{}")).map_err(|error| invalid(R::METHOD, error))
    }

    /// The same, where something else than the usual result may come, such as a task.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub async fn outcome<R: Request>(&self, request: R, options: CallOptions<'_>) -> Result<R::Outcome> {
        let result = self.text(&request, options).await?;
        let (from, at) = (self.version(), R::Revision::VERSION);
        let read = read_result::<R>(from, &result, &self.0.shared.options(at))?;
        self.0.shared.report(from, at, R::METHOD, Part::Result, read.losses);
        Ok(read.value)
    }

    /// Calls a method that no revision knows, in the raw form.
    ///
    /// # Errors
    /// As [`call`](Self::call), but that nothing is converted.
    pub async fn call_raw(&self, method: &str, params: Option<Json>) -> Result<Json> {
        let params = params.map(|params| params.to_string());
        let result = self.rounds(method, params, CallOptions::default()).await?;
        Json::parse(&result).map_err(|error| invalid(method, error))
    }

    /// Sends a notification, in the words of any revision.
    ///
    /// # Errors
    /// If the server's revision doesn't have it, or it can't be encoded.
    pub async fn notify<N: Notification>(&self, notification: N) -> Result<()> {
        let text = notification.params().map(serde_json::to_string).transpose()?;
        let at = N::Revision::VERSION;
        let text = self.0.shared.translate(at, self.version(), N::METHOD, Part::Notification, text.as_deref())?;
        self.open(&[MethodKind::Notification], N::METHOD, text.as_deref())?;
        self.0.link.outbox.room().await;
        self.0.link.notify(N::METHOD, text.as_deref())
    }

    /// The text of a result, in the words of the server's revision.
    async fn text<R: Request>(&self, request: &R, options: CallOptions<'_>) -> Result<String> {
        let params = request.params().map(serde_json::to_string).transpose()?;
        self.text_of(R::Revision::VERSION, R::METHOD, params.as_deref(), options).await
    }

    /// The same, for params that are text.
    pub(super) async fn text_of(
        &self,
        at: ProtocolVersion,
        method: &'static str,
        params: Option<&str>,
        options: CallOptions<'_>,
    ) -> Result<String> {
        let version = self.version();
        if version.method(method).is_none() {
            return Err(Error::NoSuchMethod { method: method.to_owned(), version });
        }
        if let Some(params) = params {
            made(at, method, Part::Params, params)?;
        }
        let params = self.0.shared.translate(at, version, method, Part::Params, params)?;
        self.open(&[MethodKind::Request], method, params.as_deref())?;
        let result = self.rounds(method, params, options).await?;
        self.0.shared.watch.received(version, method, Part::Result, Some(&result));
        Ok(result)
    }

    /// Whether a message may be sent.
    fn open(&self, kinds: &[MethodKind], method: &str, params: Option<&str>) -> Result<()> {
        let version = self.version();
        let declared = Declared { client: Some(&self.0.capabilities), server: Some(self.0.server.capabilities()) };
        match gate::open(version, Sender::Client, kinds, method, params, declared) {
            Ok(_) => Ok(()),
            Err(Closed::Method) => Err(Error::NoSuchMethod { method: method.to_owned(), version }),
            Err(Closed::Capability { path, .. }) => Err(Error::NotDeclared { capability: path.to_owned() }),
        }
    }

    /// Sends a request, again with what the server asks for, until it is complete.
    async fn rounds(&self, method: &str, params: Option<String>, options: CallOptions<'_>) -> Result<String> {
        let CallOptions { limits, mut on_progress } = options;
        let modern = self.era() == Era::Modern;
        let mut params = self.0.shared.signed(self.version(), params)?;
        for _ in 0..ROUNDS {
            let options = LinkOptions {
                limits: limits.unwrap_or(self.0.shared.limits),
                progress: on_progress.as_mut().map(|hook| &mut **hook as &mut (dyn FnMut(Progress) + Send)),
                ..LinkOptions::default()
            };
            let result = self.0.link.call(method, params.as_deref(), options).await?;
            if !modern {
                return Ok(result);
            }
            let kind = Reader::new(&result).optional_tag("resultType").map_err(|error| invalid(method, error))?;
            match kind.as_deref() {
                Some("complete") => return Ok(result),
                // Absent, it has to be taken as complete (`basic`, ResultType); a vendor's result is left alone.
                None if self.version().method(method).is_none() => return Ok(result),
                None => {
                    let complete = edit::set(&result, &[("resultType", Some("\"complete\""))]);
                    return complete.map_err(|error| invalid(method, error));
                }
                Some("input_required") if asks(self.version(), method) => {
                    params = Some(self.answered(params.as_deref().unwrap_or("{}"), &result).await?);
                }
                Some(kind) => {
                    let kind: String = kind.chars().take(64).collect();
                    return Err(Error::Protocol(format!("a result of {method} is of the kind `{kind}`")));
                }
            }
        }
        Err(Error::Protocol(format!("the server still asks for input after {ROUNDS} rounds of {method}")))
    }

    /// The params of the next attempt, with the answers to what a result asks for.
    async fn answered(&self, params: &str, result: &str) -> Result<String> {
        let broken = |error| Error::Invalid { what: "the server's InputRequiredResult".to_owned(), error };
        let reader = Reader::new(result);
        let mut requests: Vec<(String, String, Option<String>)> = Vec::new();
        if let Some(mut asked) = present(&reader, "inputRequests").map_err(broken)? {
            let read = asked.object(&mut |reader, key| {
                let request = Reader::new(reader.skip()?);
                let method = request.tag("method")?.unwrap_or_default().into_owned();
                let params = request.member("params")?.map(|mut params| params.skip()).transpose()?;
                requests.push((key.to_owned(), method, params.map(str::to_owned)));
                Ok(())
            });
            read.map_err(|error| broken(error.inside("inputRequests")))?;
        }
        let mut responses = None;
        for (key, method, params) in requests {
            let (shared, server) = (self.0.shared.clone(), self.0.server.clone());
            let asked = format!("what the server asks for, `{method}`, was not answered");
            let answer = connection::answer(shared, server, method, params, std::sync::Arc::new(Cancel::default()));
            // It is this side that fails, and not the server.
            let answer = connection::guarded(answer).await;
            let answer = answer.map_err(|error| Error::Internal(format!("{asked}: {error}")))?;
            let responses = responses.get_or_insert_with(|| "{".to_owned());
            if responses.len() > 1 {
                responses.push(',');
            }
            responses.push_str(&format!("{}:{answer}", edit::quoted(&key)));
        }
        if let Some(responses) = &mut responses {
            responses.push('}');
        }
        // It goes back as the text that it came in.
        let state = present(&reader, "requestState").map_err(broken)?;
        let state = state.map(|mut state| state.expect(Kind::String).and_then(|()| state.skip()));
        let state = state.transpose().map_err(|error| broken(error.inside("requestState")))?;
        // What was not sent with the last result must not be sent again.
        edit::set(params, &[("inputResponses", responses.as_deref()), ("requestState", state)]).map_err(broken)
    }
}

/// A member that isn't null.
fn present<'a>(reader: &Reader<'a>, name: &'static str) -> Decoded<Option<Reader<'a>>> {
    let Some(mut member) = reader.member(name)? else { return Ok(None) };
    Ok((member.kind()? != Kind::Null).then_some(member))
}

/// Whether results of a method may ask for input.
fn asks(version: ProtocolVersion, method: &str) -> bool {
    version.method(method).is_some_and(|method| method.alternatives.contains(&"InputRequiredResult"))
}

pub(super) fn invalid(method: &str, error: mcprism_types::DecodeError) -> Error {
    Error::Invalid { what: format!("the result of {method}"), error }
}

/// Reads a result's cursor: where the next page is, if there is one. Null means that there is none; an empty
/// string is a cursor like any other.
pub(super) fn next_cursor(result: &str) -> Result<Option<String>> {
    let reader = Reader::new(result);
    let cursor = reader.optional_tag("nextCursor").map_err(|error| invalid("a list", error))?;
    Ok(cursor.map(std::borrow::Cow::into_owned))
}

/// Reads a result that is in the author's revision.
pub(super) fn read<T: Decode>(method: &str, text: &str) -> Result<T> {
    mcprism_types::decode(text).map_err(|error| invalid(method, error))
}
