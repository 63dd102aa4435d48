//! Reads a text as a type that is chosen at run time, and writes it again.

use mcprism::jsonrpc::{ErrorObject, ErrorResponse, Fault, Incoming, Message, Notification, Request, Response};
use mcprism_types::by_name::{Form, NamedType, RecodeMessage};
use mcprism_types::{DecodeError, Decoded, Json, Map, ProtocolVersion, Reader};
use serde::{Deserialize, Serialize};

/// A line of input.
#[derive(Deserialize)]
struct Question {
    revision: String,
    #[serde(rename = "type")]
    ty: Option<String>,
    decode: Option<String>,
    method: Option<String>,
    json: String,
}

/// A line of output.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Read {
        json: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        variant: Option<&'static str>,
    },
    Refused {
        error: String,
        pointer: String,
    },
}

/// Answers one line. A line that is no question is answered with an error, too.
pub fn answer(line: &[u8]) -> String {
    let answer = match serde_json::from_slice::<Question>(line) {
        Ok(question) => match ask(&question) {
            Ok((json, variant)) => Answer::Read { json, variant },
            Err(error) => Answer::Refused { error: error.message().to_owned(), pointer: error.pointer() },
        },
        Err(error) => Answer::Refused { error: format!("not a question: {error}"), pointer: String::new() },
    };
    serde_json::to_string(&answer).expect("strings can be written")
}

fn ask(question: &Question) -> Decoded<(String, Option<&'static str>)> {
    let version: ProtocolVersion =
        question.revision.parse().map_err(|error| DecodeError::shape(format!("revision: {error}")))?;
    match (&question.ty, &question.decode) {
        (Some(ty), None) => Ok((recode(version, ty, &question.json)?, None)),
        (None, Some(decoder)) => {
            let (text, variant) = keyed(version, decoder, question.method.as_deref(), &question.json)?;
            Ok((text, Some(variant)))
        }
        _ => Err(DecodeError::shape("expected either `type` or `decode`")),
    }
}

/// Reads a text as the type of that name in that revision, and writes it again.
///
/// # Errors
/// If there is no such type, or the text doesn't fit it.
pub fn recode(version: ProtocolVersion, name: &str, text: &str) -> Decoded<String> {
    let Some(ty) = find(version, name) else {
        return message(version, name, text);
    };
    match ty.form {
        Form::Plain => (ty.recode)(text),
        Form::Request => {
            let request = Request::<Json>::decode(text).map_err(error)?;
            written(Request { id: request.id, body: again(ty, &request.body)? }.encode())
        }
        Form::Notification => {
            let notification = Notification::<Json>::decode(text).map_err(error)?;
            written(Notification { body: again(ty, &notification.body)? }.encode())
        }
        Form::Result => {
            let response = Response::<Json>::decode(text).map_err(error)?;
            let result = again(ty, &response.result).map_err(|error| error.inside("result"))?;
            written(Response { id: response.id, result, extra: response.extra }.encode())
        }
        Form::Error => {
            let response = with_id(version, text, ErrorResponse::<Json>::decode(text).map_err(error)?)?;
            let body = again(ty, &response.error).map_err(|error| error.inside("error"))?;
            written(ErrorResponse { id: response.id, error: body, extra: response.extra }.encode())
        }
    }
}

fn find(version: ProtocolVersion, name: &str) -> Option<&'static NamedType> {
    let types = version.types();
    types.binary_search_by(|ty| ty.name.cmp(name)).ok().map(|at| &types[at])
}

fn again(ty: &NamedType, json: &Json) -> Decoded<Json> {
    Json::parse(&(ty.recode)(json.as_str())?)
}

/// Types that are only an envelope, and choose among others.
fn message(version: ProtocolVersion, name: &str, text: &str) -> Decoded<String> {
    let kinds: &[&str] = match name {
        "JSONRPCMessage" => &["request", "notification", "result", "error"],
        "JSONRPCResponse" => &["result", "error"],
        "JSONRPCError" | "JSONRPCErrorResponse" => &["error"],
        "JSONRPCBatchRequest" if version.batches() => return batch(version, &["request", "notification"], text),
        "JSONRPCBatchResponse" if version.batches() => return batch(version, &["result", "error"], text),
        _ => return Err(DecodeError::shape(format!("{version} has no type `{name}`"))),
    };
    if name == "JSONRPCMessage" && version.batches() && text.trim_start().starts_with('[') {
        // The first message says which way the batch goes.
        let answers = text.trim_start()[1..].trim_start().starts_with('{')
            && !Reader::new(&text.trim_start()[1..]).has(&["method"])?;
        let kinds: &[&str] = if answers { &["result", "error"] } else { &["request", "notification"] };
        return batch(version, kinds, text);
    }
    one(version, kinds, text)
}

fn one(version: ProtocolVersion, kinds: &[&str], text: &str) -> Decoded<String> {
    let (kind, names): (_, &[&str]) = match Message::parse(text).map_err(error)? {
        Message::Request(_) => ("request", &["JSONRPCRequest"]),
        Message::Notification(_) => ("notification", &["JSONRPCNotification"]),
        Message::Response(_) => ("result", &["JSONRPCResultResponse", "JSONRPCResponse"]),
        Message::Error(_) => ("error", &["JSONRPCErrorResponse"]),
    };
    if !kinds.contains(&kind) {
        return Err(DecodeError::shape(format!("expected a {}, found a {kind}", kinds.join(" or a "))));
    }
    match names.iter().find(|name| find(version, name).is_some()) {
        Some(name) => recode(version, name, text),
        None => {
            let response = with_id(version, text, ErrorResponse::<ErrorObject>::decode(text).map_err(error)?)?;
            written(response.encode())
        }
    }
}

fn batch(version: ProtocolVersion, kinds: &[&str], text: &str) -> Decoded<String> {
    let mut texts = Vec::new();
    let mut reader = Reader::new(text);
    reader.array(&mut |reader| {
        texts.push(one(version, kinds, reader.skip()?)?);
        Ok(())
    })?;
    reader.finish()?;
    // The schema lets a batch be empty, JSON-RPC and so the runtime don't.
    debug_assert_eq!(Incoming::parse(text, true).is_ok(), !texts.is_empty());
    Ok(format!("[{}]", texts.join(",")))
}

/// Refuses an error without an id where the revision does.
fn with_id<E>(version: ProtocolVersion, text: &str, response: ErrorResponse<E>) -> Decoded<ErrorResponse<E>> {
    if response.id.is_some() || version.errors_without_id() {
        return Ok(response);
    }
    match Reader::new(text).member("id")?.is_some() {
        true => Err(DecodeError::shape("expected a string or an integer, found null").inside("id")),
        false => Err(DecodeError::shape("missing member `id`")),
    }
}

/// Uses a keyed decoder; what it reads may stand in an envelope or by itself.
fn keyed(version: ProtocolVersion, decoder: &str, method: Option<&str>, text: &str) -> Decoded<(String, &'static str)> {
    let keyed = version.keyed().ok_or_else(|| DecodeError::shape("the revision is not compiled in"))?;
    let recode = match decoder {
        "client_request" => keyed.client_request,
        "server_request" => keyed.server_request,
        "input_request" => keyed.input_request,
        "client_notification" => keyed.client_notification,
        "server_notification" => keyed.server_notification,
        "result" => {
            let method = method.ok_or_else(|| DecodeError::shape("a result needs the `method` that is pending"))?;
            return result(keyed.result, method, text);
        }
        other => return Err(DecodeError::shape(format!("no decoder `{other}`"))),
    };
    let recode = recode.ok_or_else(|| DecodeError::shape(format!("{version} has no {}", decoder.replace('_', " "))))?;
    if !Reader::new(text).has(&["jsonrpc"])? {
        return bare(recode, text);
    }
    match Message::parse(text).map_err(error)? {
        Message::Request(request) if decoder.ends_with("request") => {
            let (body, variant) = recoded(recode, &request.method, request.params, &request.extra)?;
            Ok((written(Request { id: request.id, body }.encode())?, variant))
        }
        Message::Notification(notification) if decoder.ends_with("notification") => {
            let (body, variant) = recoded(recode, &notification.method, notification.params, &notification.extra)?;
            Ok((written(Notification { body }.encode())?, variant))
        }
        _ => Err(DecodeError::shape(format!("expected a {}", decoder.replace('_', " ")))),
    }
}

fn result(
    recode: fn(&str, &str) -> Decoded<mcprism_types::by_name::Recoded>,
    method: &str,
    text: &str,
) -> Decoded<(String, &'static str)> {
    let mut whole = Reader::new(text);
    if whole.has(&["jsonrpc"])? && whole.has(&["result"])? {
        let response = Response::<Json>::decode(text).map_err(error)?;
        let recoded = recode(method, response.result.as_str()).map_err(|error| error.inside("result"))?;
        let result = Json::parse(&recoded.text)?;
        return Ok((written(Response { id: response.id, result, extra: response.extra }.encode())?, recoded.variant));
    }
    recode(method, text).map(|recoded| (recoded.text, recoded.variant))
}

/// A message without its envelope: `method` and `params`.
fn bare(recode: RecodeMessage, text: &str) -> Decoded<(String, &'static str)> {
    let mut extra: Map = mcprism_types::decode(text)?;
    let method = extra.remove("method").map(|method| method.decode_as::<String>());
    let method = method.transpose().map_err(|error| error.inside("method"))?;
    let params = extra.remove("params");
    let params = params.as_ref().map(Json::as_str);
    let method = method.ok_or_else(|| DecodeError::shape("missing member `method`"))?;
    recoded(recode, &method, params, &extra).map(|(body, variant)| (body.to_string(), variant))
}

fn recoded(recode: RecodeMessage, method: &str, params: Option<&str>, extra: &Map) -> Decoded<(Json, &'static str)> {
    let recoded = recode(method, params).map_err(|error| match params {
        Some(_) if error.kind() != mcprism_types::ErrorKind::UnknownMethod => error.inside("params"),
        _ => error,
    })?;
    let members: Map = mcprism_types::decode(&recoded.text)?;
    let extra = extra.iter().map(|(name, value)| (name.to_owned(), value.clone()));
    let members: Map = members.into_iter().chain(extra).collect();
    Ok((Json::from_serialize(&members)?, recoded.variant))
}

fn written(text: serde_json::Result<String>) -> Decoded<String> {
    text.map_err(|error| DecodeError::shape(error.to_string()))
}

fn error(fault: Fault) -> DecodeError {
    fault.error
}
