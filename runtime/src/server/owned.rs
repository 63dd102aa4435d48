//! The methods that the runtime itself answers.

use std::sync::Arc;

use mcprism_types::{Kind, Reader};

use super::connection::ServerConnection;
use crate::connection::{Cancel, Replier};
use crate::jsonrpc::{ErrorObject, RawRequest, code};
use crate::session::level::Level;
use crate::session::subscriptions::{Filter, TooMany};
use crate::session::{edit, meta::key, peer::Peer};

/// A method of the runtime's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owned {
    Initialize,
    Ping,
    Discover,
    SetLevel,
    Subscribe,
    Unsubscribe,
    Listen,
    Tasks,
}

/// The methods by name.
const OWNED: [(&str, Owned); 11] = [
    ("initialize", Owned::Initialize),
    ("ping", Owned::Ping),
    ("server/discover", Owned::Discover),
    ("logging/setLevel", Owned::SetLevel),
    ("resources/subscribe", Owned::Subscribe),
    ("resources/unsubscribe", Owned::Unsubscribe),
    ("subscriptions/listen", Owned::Listen),
    ("tasks/cancel", Owned::Tasks),
    ("tasks/get", Owned::Tasks),
    ("tasks/list", Owned::Tasks),
    ("tasks/result", Owned::Tasks),
];

impl Owned {
    pub(super) fn of(method: &str) -> Option<Self> {
        OWNED.iter().find(|(name, _)| *name == method).map(|(_, owned)| *owned)
    }
}

impl ServerConnection {
    /// Answers a request for one of the runtime's own methods.
    pub(super) fn owned(&mut self, owned: Owned, request: &RawRequest<'_>, peer: &Arc<Peer>, replier: Replier) {
        let answer = match owned {
            Owned::Ping => Ok("{}".to_owned()),
            Owned::Discover => Ok(self.opening(peer)),
            Owned::SetLevel => self.set_level(request.params),
            Owned::Subscribe => self.subscribe(request.params),
            Owned::Unsubscribe => uri(request.params).map(|uri| {
                self.live.subscriptions().unsubscribe(&uri);
                "{}".to_owned()
            }),
            Owned::Listen => match self.listen(request, peer) {
                Ok(()) => return,
                Err(error) => Err(error),
            },
            Owned::Tasks => return self.about_tasks(request, replier),
            // It is answered before it is known who asks.
            Owned::Initialize => Err(ErrorObject::new(code::METHOD_NOT_FOUND, "no such method")),
        };
        replier.send(answer.as_deref());
    }

    /// The result that tells a client who the server is.
    pub(super) fn opening(&self, peer: &Peer) -> String {
        self.shared.table(peer.version()).map_or_else(String::new, |table| table.opening.clone())
    }

    fn set_level(&mut self, params: Option<&str>) -> Result<String, ErrorObject> {
        let name = string(params, "level")?;
        let level: Level = name.parse().map_err(|error| invalid("/level", error))?;
        self.live.set_level(level);
        Ok("{}".to_owned())
    }

    fn subscribe(&mut self, params: Option<&str>) -> Result<String, ErrorObject> {
        let uri = uri(params)?;
        self.live.subscriptions().subscribe(&uri).map_err(too_many)?;
        Ok("{}".to_owned())
    }

    /// Opens a stream of notifications. It stays open: its answer comes when it is closed.
    fn listen(&mut self, request: &RawRequest<'_>, peer: &Peer) -> Result<(), ErrorObject> {
        let filter = Filter::read(request.params).map_err(|error| invalid(&error.pointer(), error.message()))?;
        let config = &self.shared.config;
        let has = |method: &str| self.shared.entry(peer.version(), method).is_some();
        let lists = |method: &str| config.list_changed && has(method);
        let filter =
            filter.limited(lists("tools/list"), lists("prompts/list"), lists("resources/list"), config.subscribe);
        let agreed = filter.written().to_string();
        let twice = |()| ErrorObject::new(code::INVALID_REQUEST, "a request of this id is being served");
        self.link.begin(&request.id, &Arc::new(Cancel::default()), None).map_err(twice)?;
        if let Err(many) = self.live.subscriptions().listen(request.id.clone(), filter) {
            self.link.cancel(&request.id);
            return Err(too_many(many));
        }
        let id = serde_json::to_string(&request.id).unwrap_or_default();
        let params = format!(r#"{{"_meta":{{"{}":{id}}},"notifications":{agreed}}}"#, key::SUBSCRIPTION_ID);
        let _ = self.link.notify("notifications/subscriptions/acknowledged", Some(&params));
        Ok(())
    }
}

fn too_many(_: TooMany) -> ErrorObject {
    ErrorObject::new(code::INTERNAL_ERROR, "this connection has as many subscriptions as it may have")
}

fn uri(params: Option<&str>) -> Result<String, ErrorObject> {
    string(params, "uri")
}

/// A string that has to be in the params.
fn string(params: Option<&str>, name: &str) -> Result<String, ErrorObject> {
    let params = params.unwrap_or("{}");
    let mut reader = Reader::new(params);
    if !matches!(reader.kind(), Ok(Kind::Object)) {
        return Err(invalid("", "the params have to be an object"));
    }
    match reader.tag(name) {
        Ok(Some(value)) => Ok(value.into_owned()),
        Ok(None) => Err(invalid("", format!("missing member `{name}`"))),
        Err(error) => Err(invalid(&error.pointer(), error.message())),
    }
}

/// The error for params that don't fit.
fn invalid(pointer: &str, why: impl std::fmt::Display) -> ErrorObject {
    let message = match pointer {
        "" => why.to_string(),
        pointer => format!("{pointer}: {why}"),
    };
    ErrorObject::new(code::INVALID_PARAMS, message).with_data(serde_json::json!({ "pointer": pointer }))
}

/// The text of a modern result of nothing, for whoever needs one.
pub(super) fn cancelled_id(params: Option<&str>) -> Option<crate::jsonrpc::Id> {
    let mut reader = Reader::new(params?).member("requestId").ok()??;
    mcprism_types::Decode::decode(&mut reader).ok()
}

/// A name and settings as they stand in capabilities; the name of an extension has a prefix.
pub(super) fn extension_name(name: &str) -> bool {
    name.split_once('/').is_some_and(|(prefix, rest)| !prefix.is_empty() && !rest.is_empty())
        && edit::quoted(name).len() == name.len() + 2
}
