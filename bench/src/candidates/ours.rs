//! mcprism, the whole way: the envelope, then the body by its method.

use mcprism::jsonrpc::{Message as Incoming, Notification, Request, Response};
use mcprism_types::v2025_11_25::{ClientRequest, MethodResult, ServerNotification};

use super::{Candidate, Failure, checked};
use crate::messages::{Kind, Message};

pub fn candidate(message: &Message) -> Result<Candidate, Failure> {
    match message.kind {
        Kind::Request => {
            checked(message, request, |request| request.body.type_name(), |request, out| request.encode_into(out))
        }
        Kind::Notification => checked(
            message,
            notification,
            |notification| notification.body.type_name(),
            |notification, out| notification.encode_into(out),
        ),
        Kind::Result(method) => checked(
            message,
            move |text| response(method, text),
            |response| response.result.type_name(),
            |response, out| response.encode_into(out),
        ),
    }
}

fn request(text: &str) -> Result<Request<ClientRequest>, Failure> {
    match Incoming::parse(text)? {
        Incoming::Request(raw) => Ok(Request { id: raw.id, body: ClientRequest::decode(&raw.method, raw.params)? }),
        _ => Err("not a request".into()),
    }
}

fn notification(text: &str) -> Result<Notification<ServerNotification>, Failure> {
    match Incoming::parse(text)? {
        Incoming::Notification(raw) => Ok(Notification { body: ServerNotification::decode(&raw.method, raw.params)? }),
        _ => Err("not a notification".into()),
    }
}

fn response(method: &str, text: &str) -> Result<Response<MethodResult>, Failure> {
    match Incoming::parse(text)? {
        Incoming::Response(raw) => {
            Ok(Response { id: raw.id, result: MethodResult::decode(method, raw.result)?, extra: raw.extra })
        }
        _ => Err("not a response".into()),
    }
}
