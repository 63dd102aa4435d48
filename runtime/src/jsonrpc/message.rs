//! A message as it was received: the envelope read, the rest left raw.

use std::borrow::Cow;

use mcprism_types::{Decode, DecodeError, Decoded, Json, Map, Reader};

use super::error::unique;
use super::{ErrorObject, Fault, Id};

/// One message, borrowed from its text.
///
/// Names are exact (no folding of case), and a name that stands twice in the envelope is refused:
/// two readers must not see two messages in one text.
#[derive(Clone, Debug, PartialEq)]
pub enum Message<'a> {
    /// Asks for an answer.
    Request(RawRequest<'a>),
    /// Asks for none.
    Notification(RawNotification<'a>),
    /// Answers with a result.
    Response(RawResponse<'a>),
    /// Answers with an error.
    Error(RawError),
}

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub struct RawRequest<'a> {
    /// What its answer will be matched by.
    pub id: Id,
    /// The method's name.
    pub method: Cow<'a, str>,
    /// The text of `params`.
    pub params: Option<&'a str>,
    /// Members that JSON-RPC doesn't name.
    pub extra: Map,
}

/// A notification.
#[derive(Clone, Debug, PartialEq)]
pub struct RawNotification<'a> {
    /// The method's name.
    pub method: Cow<'a, str>,
    /// The text of `params`.
    pub params: Option<&'a str>,
    /// Members that JSON-RPC doesn't name.
    pub extra: Map,
}

/// A response with a result.
#[derive(Clone, Debug, PartialEq)]
pub struct RawResponse<'a> {
    /// The id of the request.
    pub id: Id,
    /// The text of `result`.
    pub result: &'a str,
    /// Members that JSON-RPC doesn't name.
    pub extra: Map,
}

/// A response with an error.
#[derive(Clone, Debug, PartialEq)]
pub struct RawError {
    /// The id of the request; `None` if the sender could not read it.
    pub id: Option<Id>,
    /// The error.
    pub error: ErrorObject,
    /// Members that JSON-RPC doesn't name.
    pub extra: Map,
}

impl<'a> Message<'a> {
    /// Reads one message.
    ///
    /// # Errors
    /// What is wrong with the envelope, with the code to answer with and, if it could be read, the
    /// id. `params` and `result` are only checked to be JSON.
    pub fn parse(text: &'a str) -> Result<Self, Fault> {
        let mut members = Members::default();
        let read = members.read(text);
        let id = members.id.map(mcprism_types::decode::<Id>);
        // An id at which the text ends may be the beginning of another.
        let whole = |id: &str| read.is_ok() || !text.trim_end().ends_with(id);
        let known =
            id.clone().and_then(Result::ok).filter(|_| !members.twice.contains(&"id") && members.id.is_some_and(whole));
        let response = members.answers && !members.asks;
        let fault = |error: DecodeError| Fault::envelope(known.clone(), response, error);
        read.map_err(fault)?;
        if let Some(name) = members.twice.first() {
            return Err(fault(DecodeError::shape("the member stands twice").inside(name)));
        }
        match members.jsonrpc {
            None => return Err(fault(DecodeError::shape("missing member `jsonrpc`"))),
            Some(version) if Reader::new(version).string().is_ok_and(|version| version == "2.0") => {}
            Some(version) => {
                return Err(fault(
                    DecodeError::shape(format!(
                        "expected \"2.0\", found {}",
                        version.chars().take(64).collect::<String>()
                    ))
                    .inside("jsonrpc"),
                ));
            }
        }
        let extra = unique(members.extra).map_err(fault)?;
        let inside_id = |error: DecodeError| fault(error.inside("id"));
        match (members.method, members.result, members.error) {
            (Some(method), None, None) => {
                let method = Reader::new(method).string().map_err(|error| fault(error.inside("method")))?;
                match id {
                    Some(id) => Ok(Self::Request(RawRequest {
                        id: id.map_err(inside_id)?,
                        method,
                        params: members.params,
                        extra,
                    })),
                    None => Ok(Self::Notification(RawNotification { method, params: members.params, extra })),
                }
            }
            (None, Some(result), None) => match id {
                Some(id) => Ok(Self::Response(RawResponse { id: id.map_err(inside_id)?, result, extra })),
                None => Err(fault(DecodeError::shape("missing member `id`"))),
            },
            (None, None, Some(error)) => {
                let error = mcprism_types::decode(error).map_err(|error| fault(error.inside("error")))?;
                match members.id {
                    None | Some("null") => Ok(Self::Error(RawError { id: None, error, extra })),
                    Some(_) => Ok(Self::Error(RawError { id: id.transpose().map_err(inside_id)?, error, extra })),
                }
            }
            (None, None, None) => Err(fault(DecodeError::shape("missing member `method`"))),
            (None, Some(_), Some(_)) => Err(fault(DecodeError::shape("both `result` and `error`"))),
            (Some(_), _, _) => Err(fault(DecodeError::shape("both `method` and an answer"))),
        }
    }
}

/// The members of an envelope, each as its text.
#[derive(Default)]
struct Members<'a> {
    jsonrpc: Option<&'a str>,
    id: Option<&'a str>,
    method: Option<&'a str>,
    params: Option<&'a str>,
    result: Option<&'a str>,
    error: Option<&'a str>,
    /// Whether the name of a method was seen, whatever its value.
    asks: bool,
    /// Whether the name of an answer was seen, whatever its value.
    answers: bool,
    extra: Vec<(String, Json)>,
    /// Names that stand twice.
    twice: Vec<&'static str>,
}

impl<'a> Members<'a> {
    /// Reads as far as it goes: what came before an error is there all the same.
    fn read(&mut self, text: &'a str) -> Decoded<()> {
        let mut reader = Reader::new(text);
        reader.object(&mut |reader, key| {
            let (name, member) = match key {
                "jsonrpc" => ("jsonrpc", &mut self.jsonrpc),
                "id" => ("id", &mut self.id),
                "method" => ("method", &mut self.method),
                "params" => ("params", &mut self.params),
                "result" => ("result", &mut self.result),
                "error" => ("error", &mut self.error),
                key => {
                    self.extra.push((key.to_owned(), Json::decode(reader)?));
                    return Ok(());
                }
            };
            self.asks |= name == "method";
            self.answers |= name == "result" || name == "error";
            match reader.skip()? {
                _ if member.is_some() && self.twice.len() < 8 => self.twice.push(name),
                value => *member = Some(value),
            }
            Ok(())
        })?;
        reader.finish()
    }
}
