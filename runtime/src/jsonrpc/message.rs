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
        let whole = read.is_ok();
        match read.and_then(|()| members.message()) {
            Ok(message) => Ok(message),
            Err(error) => {
                let fault = Fault::envelope(members.known_id(text, whole), members.answers && !members.asks, error);
                Err(Fault { request: members.asks, ..fault })
            }
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

    /// The message that these members make.
    fn message(&mut self) -> Decoded<Message<'a>> {
        if let Some(name) = self.twice.first() {
            return Err(DecodeError::shape("the member stands twice").inside(name));
        }
        match self.jsonrpc {
            None => return Err(DecodeError::shape("missing member `jsonrpc`")),
            Some("\"2.0\"") => {}
            Some(version) if Reader::new(version).string().is_ok_and(|version| version == "2.0") => {}
            Some(version) => {
                let shown: String = version.chars().take(64).collect();
                return Err(DecodeError::shape(format!("expected \"2.0\", found {shown}")).inside("jsonrpc"));
            }
        }
        let extra = unique(std::mem::take(&mut self.extra))?;
        let id = |text: &str| mcprism_types::decode::<Id>(text).map_err(|error| error.inside("id"));
        match (self.method, self.result, self.error) {
            (Some(method), None, None) => {
                let method = Reader::new(method).string().map_err(|error| error.inside("method"))?;
                let params = self.params;
                Ok(match self.id {
                    Some(text) => Message::Request(RawRequest { id: id(text)?, method, params, extra }),
                    None => Message::Notification(RawNotification { method, params, extra }),
                })
            }
            (None, Some(result), None) => match self.id {
                Some(text) => Ok(Message::Response(RawResponse { id: id(text)?, result, extra })),
                None => Err(DecodeError::shape("missing member `id`")),
            },
            (None, None, Some(error)) => {
                let error = mcprism_types::decode(error).map_err(|error| error.inside("error"))?;
                let id = self.id.filter(|text| *text != "null").map(id).transpose()?;
                Ok(Message::Error(RawError { id, error, extra }))
            }
            (None, None, None) => Err(DecodeError::shape("missing member `method`")),
            (None, Some(_), Some(_)) => Err(DecodeError::shape("both `result` and `error`")),
            (Some(_), _, _) => Err(DecodeError::shape("both `method` and an answer")),
        }
    }

    /// The id to answer with, if it could be read.
    fn known_id(&self, text: &str, whole: bool) -> Option<Id> {
        // An id at which the text ends may be the beginning of another.
        let end = |text: &str| text.as_ptr() as usize + text.len();
        let id = self.id.filter(|id| whole || end(id) < end(text.trim_end()))?;
        if self.twice.contains(&"id") {
            return None;
        }
        mcprism_types::decode(id).ok()
    }
}
