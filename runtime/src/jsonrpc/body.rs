//! Whole messages with a typed body.

use mcprism_types::{Decode, DecodeError, Decoded, Map};
use serde::Serialize;

use super::splice::splice;
use super::{ErrorObject, Fault, Id, Message};

/// A request with its id.
#[derive(Clone, Debug, PartialEq)]
pub struct Request<B> {
    /// What its answer will be matched by.
    pub id: Id,
    /// The method and its params.
    pub body: B,
}

/// A notification.
#[derive(Clone, Debug, PartialEq)]
pub struct Notification<B> {
    /// The method and its params.
    pub body: B,
}

/// A response with a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Response<R> {
    /// The id of the request.
    pub id: Id,
    /// The result.
    pub result: R,
    /// Members that JSON-RPC doesn't name.
    pub extra: Map,
}

/// A response with an error, which may be of a type of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorResponse<E = ErrorObject> {
    /// The id of the request; `None` if it could not be read.
    pub id: Option<Id>,
    /// The error.
    pub error: E,
    /// Members that JSON-RPC doesn't name.
    pub extra: Map,
}

impl<B: Decode> Request<B> {
    /// Reads a whole request. Read as a union of requests, one of a method that the revision doesn't
    /// know is its variant `Unknown`.
    ///
    /// # Errors
    /// What is wrong with the envelope or the body, with the code to answer with.
    pub fn decode(text: &str) -> Result<Self, Fault> {
        match Message::parse(text)? {
            Message::Request(request) => {
                let id = request.id;
                let body = body(&request.method, request.params, &request.extra);
                Ok(Self { body: body.map_err(|error| Fault::body(Some(id.clone()), false, error))?, id })
            }
            other => Err(unexpected("a request", &other)),
        }
    }
}

impl<B: Decode> Notification<B> {
    /// Reads a whole notification.
    ///
    /// # Errors
    /// What is wrong with the envelope or the body.
    pub fn decode(text: &str) -> Result<Self, Fault> {
        match Message::parse(text)? {
            Message::Notification(notification) => body(&notification.method, notification.params, &notification.extra)
                .map(|body| Self { body })
                .map_err(|error| Fault::body(None, false, error)),
            other => Err(unexpected("a notification", &other)),
        }
    }
}

impl<R> Response<R> {
    /// A response to the request of that id.
    pub fn new(id: impl Into<Id>, result: R) -> Self {
        Self { id: id.into(), result, extra: Map::new() }
    }
}

impl<E> ErrorResponse<E> {
    /// A response to the request of that id; `None` if it could not be read.
    pub fn new(id: Option<Id>, error: E) -> Self {
        Self { id, error, extra: Map::new() }
    }
}

impl<R: Decode> Response<R> {
    /// Reads a whole response.
    ///
    /// # Errors
    /// What is wrong with the envelope or the result; a response that is an error, too.
    pub fn decode(text: &str) -> Result<Self, Fault> {
        match Message::parse(text)? {
            Message::Response(response) => match mcprism_types::decode(response.result) {
                Ok(result) => Ok(Self { id: response.id, result, extra: response.extra }),
                Err(error) => Err(Fault::body(Some(response.id), true, error.inside("result"))),
            },
            other => Err(unexpected("a response with a result", &other)),
        }
    }
}

impl<E: Decode> ErrorResponse<E> {
    /// Reads a whole error response.
    ///
    /// # Errors
    /// What is wrong with the envelope or the error; a response that is a result, too.
    pub fn decode(text: &str) -> Result<Self, Fault> {
        match Message::parse(text)? {
            Message::Error(raw) => {
                let id = raw.id;
                let error = encoded(&raw.error).and_then(|text| mcprism_types::decode(&text));
                let error = error.map_err(|error| Fault::body(id.clone(), true, error.inside("error")))?;
                Ok(Self { id, error, extra: raw.extra })
            }
            other => Err(unexpected("a response with an error", &other)),
        }
    }
}

impl<B: Serialize> Request<B> {
    /// Writes the whole request on one line.
    ///
    /// # Errors
    /// If the body holds something that JSON can't say, such as an infinite number.
    pub fn encode(&self) -> serde_json::Result<String> {
        text(|out| self.encode_into(out))
    }

    /// Writes the whole request on one line, at the end of a buffer.
    ///
    /// # Errors
    /// As [`encode`](Self::encode); the buffer then ends with part of a message.
    pub fn encode_into(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        serde_json::to_writer(&mut *out, &self.id)?;
        splice(out, &self.body)
    }
}

impl<B: Serialize> Notification<B> {
    /// Writes the whole notification on one line.
    ///
    /// # Errors
    /// If the body holds something that JSON can't say, such as an infinite number.
    pub fn encode(&self) -> serde_json::Result<String> {
        text(|out| self.encode_into(out))
    }

    /// Writes the whole notification on one line, at the end of a buffer.
    ///
    /// # Errors
    /// As [`encode`](Self::encode); the buffer then ends with part of a message.
    pub fn encode_into(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        out.extend_from_slice(br#"{"jsonrpc":"2.0""#);
        splice(out, &self.body)
    }
}

impl<R: Serialize> Response<R> {
    /// Writes the whole response on one line.
    ///
    /// # Errors
    /// If the result holds something that JSON can't say, such as an infinite number.
    pub fn encode(&self) -> serde_json::Result<String> {
        text(|out| self.encode_into(out))
    }

    /// Writes the whole response on one line, at the end of a buffer.
    ///
    /// # Errors
    /// As [`encode`](Self::encode); the buffer then ends with part of a message.
    pub fn encode_into(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        serde_json::to_writer(&mut *out, &self.id)?;
        out.extend_from_slice(br#","result":"#);
        serde_json::to_writer(&mut *out, &self.result)?;
        extra(out, &self.extra)
    }
}

impl<E: Serialize> ErrorResponse<E> {
    /// Writes the whole error response on one line; without an id if there is none.
    ///
    /// # Errors
    /// If the error holds something that JSON can't say, such as an infinite number.
    pub fn encode(&self) -> serde_json::Result<String> {
        text(|out| self.encode_into(out))
    }

    /// Writes the whole error response on one line, at the end of a buffer.
    ///
    /// # Errors
    /// As [`encode`](Self::encode); the buffer then ends with part of a message.
    pub fn encode_into(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        out.extend_from_slice(br#"{"jsonrpc":"2.0""#);
        if let Some(id) = &self.id {
            out.extend_from_slice(br#","id":"#);
            serde_json::to_writer(&mut *out, id)?;
        }
        out.extend_from_slice(br#","error":"#);
        serde_json::to_writer(&mut *out, &self.error)?;
        extra(out, &self.extra)
    }
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> serde_json::Result<()>) -> serde_json::Result<String> {
    let mut out = Vec::new();
    write(&mut out)?;
    // serde_json writes UTF-8.
    String::from_utf8(out).map_err(serde::ser::Error::custom)
}

/// Writes further members, and closes the object.
fn extra(out: &mut Vec<u8>, extra: &Map) -> serde_json::Result<()> {
    for (name, value) in extra.iter().filter(|(name, _)| !["jsonrpc", "id", "result", "error", "method"].contains(name))
    {
        out.push(b',');
        serde_json::to_writer(&mut *out, name)?;
        out.push(b':');
        out.extend_from_slice(value.as_str().as_bytes());
    }
    out.push(b'}');
    Ok(())
}

/// Reads a body from what the envelope left of it.
fn body<B: Decode>(method: &str, params: Option<&str>, extra: &Map) -> Decoded<B> {
    let mut text = format!("{{\"method\":{}", encoded(&method)?);
    if let Some(params) = params {
        text.push_str(",\"params\":");
        text.push_str(params);
    }
    for (name, value) in extra.iter() {
        text.push_str(&format!(",{}:{value}", encoded(&name)?));
    }
    text.push('}');
    mcprism_types::decode(&text)
}

fn encoded(value: &impl Serialize) -> Decoded<String> {
    serde_json::to_string(value).map_err(|error| DecodeError::shape(error.to_string()))
}

fn unexpected(expected: &str, found: &Message<'_>) -> Fault {
    let (found, id) = match found {
        Message::Request(request) => ("a request", Some(request.id.clone())),
        Message::Notification(_) => ("a notification", None),
        Message::Response(response) => ("a response with a result", Some(response.id.clone())),
        Message::Error(error) => ("a response with an error", error.id.clone()),
    };
    let response = found.starts_with("a response");
    Fault::envelope(id, response, DecodeError::shape(format!("expected {expected}, found {found}")))
}
