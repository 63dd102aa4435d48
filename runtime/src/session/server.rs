//! Which revision each request to a server is served at: by the handshake, or by what the request says.

use std::sync::Arc;

use mcprism_types::{DecodeError, Decoded, Era, JsonObject, Kind, ProtocolVersion, Reader};

use super::level::Level;
use super::meta::Meta;
use super::peer::Peer;
use crate::jsonrpc::{ErrorObject, code};

/// What a server knows of the connection. It serves both eras side by side if it speaks revisions of both:
/// a request that names a modern revision in its `_meta` is served at that one, whatever went before; any
/// other is served at the revision of the handshake.
///
/// Specification: `basic/versioning` of 2026-07-28; `basic/lifecycle` of the older revisions.
#[derive(Debug)]
pub struct ServerSession {
    spoken: Vec<ProtocolVersion>,
    legacy: Option<Arc<Peer>>,
    level: Option<Level>,
    modern: Option<Known>,
}

/// The client of the last modern request: the next one is most likely from the same.
#[derive(Debug)]
struct Known {
    capabilities: String,
    info: Option<String>,
    peer: Arc<Peer>,
}

/// How a request is to be answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Admission {
    /// At the revision of this peer.
    Serve(Arc<Peer>),
    /// With an empty result: a `ping` before the handshake.
    Pong,
}

impl ServerSession {
    /// The session of a server that speaks these revisions.
    pub fn new(spoken: &[ProtocolVersion]) -> Self {
        let mut spoken = spoken.to_vec();
        spoken.sort_unstable();
        Self { spoken, legacy: None, level: None, modern: None }
    }

    /// The client of the handshake, once there was one.
    pub fn legacy(&self) -> Option<&Arc<Peer>> {
        self.legacy.as_ref()
    }

    /// The least severe log entries that the session sends; all of them until the client says otherwise.
    pub fn level(&self) -> Option<Level> {
        self.level
    }

    /// Notes the level of `logging/setLevel`.
    pub fn set_level(&mut self, level: Level) {
        self.level = Some(level);
    }

    /// Whether messages may come in batches.
    pub fn batches(&self) -> bool {
        self.legacy.as_ref().is_some_and(|peer| peer.version().batches())
    }

    /// Whether an error may go out for a request whose id could not be read. Before it is known which revision
    /// is spoken it may not: the older ones have no such error.
    pub fn errors_without_id(&self) -> bool {
        let peer = self.legacy.as_ref().or(self.modern.as_ref().map(|known| &known.peer));
        peer.is_some_and(|peer| peer.version().errors_without_id())
    }

    /// Decides on a request other than `initialize`, by its method and what its `_meta` says.
    ///
    /// # Errors
    /// What to answer with.
    pub fn admit(&mut self, method: &str, meta: &Meta<'_>) -> Result<Admission, ErrorObject> {
        if let Some(name) = &meta.protocol_version {
            match name.parse::<ProtocolVersion>() {
                Ok(version) if version.era() == Era::Modern && self.spoken.contains(&version) => {
                    return self.modern(version, meta).map(Admission::Serve);
                }
                // A hybrid: it has shaken hands, and says so again with each request.
                Ok(version) if version.era() == Era::Legacy && self.legacy.is_some() => {}
                // A server of the legacy era alone knows nothing of this, as any such server.
                _ if !self.speaks(Era::Modern) => {}
                _ => return Err(self.unsupported(name)),
            }
        }
        match &self.legacy {
            Some(peer) => Ok(Admission::Serve(Arc::clone(peer))),
            None if method == "ping" && self.speaks(Era::Legacy) => Ok(Admission::Pong),
            None if self.speaks(Era::Modern) => Err(ErrorObject::new(
                code::INVALID_PARAMS,
                format!(
                    "missing `{}` in `params._meta`{}",
                    super::meta::key::PROTOCOL_VERSION,
                    if self.speaks(Era::Legacy) { ", and there was no `initialize` before" } else { "" },
                ),
            )),
            None => Err(ErrorObject::new(code::INVALID_REQUEST, "the session has to begin with `initialize`")),
        }
    }

    /// Decides on `initialize`: from then on the session is that of the peer.
    ///
    /// # Errors
    /// What to answer with; a session that was there before goes on.
    pub fn initialize(&mut self, params: Option<&str>) -> Result<Arc<Peer>, ErrorObject> {
        if self.legacy.is_some() {
            return Err(ErrorObject::new(code::INVALID_REQUEST, "the session is initialized already"));
        }
        let opening = Opening::read(params.unwrap_or("{}"))
            .map_err(|error| ErrorObject::new(code::INVALID_PARAMS, error.to_string()).with_data(place(&error)))?;
        let legacy = || self.spoken.iter().copied().filter(|version| version.era() == Era::Legacy);
        let asked = opening.version.parse().ok();
        let version = legacy().find(|version| Some(*version) == asked).or_else(|| legacy().next_back());
        let Some(version) = version else { return Err(self.unsupported(&opening.version)) };
        let peer = Arc::new(Peer::new(version, opening.capabilities, Some(opening.info)));
        self.legacy = Some(Arc::clone(&peer));
        Ok(peer)
    }

    fn speaks(&self, era: Era) -> bool {
        self.spoken.iter().any(|version| version.era() == era)
    }

    /// The client of a modern request.
    fn modern(&mut self, version: ProtocolVersion, meta: &Meta<'_>) -> Result<Arc<Peer>, ErrorObject> {
        let invalid = |why: String| ErrorObject::new(code::INVALID_PARAMS, why);
        let Some(capabilities) = meta.client_capabilities else {
            return Err(invalid(format!("missing `{}` in `params._meta`", super::meta::key::CLIENT_CAPABILITIES)));
        };
        let level = meta.log_level.as_ref().map(|level| level.parse::<Level>()).transpose();
        let level = level.map_err(|error| invalid(error.to_string()))?;
        if let Some(known) = self.modern.as_ref().filter(|known| {
            known.peer.version() == version
                && known.peer.level() == level
                && known.capabilities == capabilities
                && known.info.as_deref() == meta.client_info
        }) {
            return Ok(Arc::clone(&known.peer));
        }
        let object = |text: &str| JsonObject::parse(text).map_err(|error| invalid(error.to_string()));
        let peer = Peer::new(version, object(capabilities)?, meta.client_info.map(object).transpose()?);
        let peer = Arc::new(peer.with_level(level));
        let (capabilities, info) = (capabilities.to_owned(), meta.client_info.map(str::to_owned));
        self.modern = Some(Known { capabilities, info, peer: Arc::clone(&peer) });
        Ok(peer)
    }

    /// The error for a revision that isn't spoken, with those that are, newest first.
    fn unsupported(&self, requested: &str) -> ErrorObject {
        let supported: Vec<&str> = self.spoken.iter().rev().map(|version| version.as_str()).collect();
        let requested: String = requested.chars().take(64).collect();
        ErrorObject::new(
            code::UNSUPPORTED_PROTOCOL_VERSION,
            format!("unsupported protocol version; supported are {}", supported.join(", ")),
        )
        .with_data(serde_json::json!({ "supported": supported, "requested": requested }))
    }
}

/// The place of an error, as the `data` of the answer.
fn place(error: &DecodeError) -> serde_json::Value {
    serde_json::json!({ "pointer": error.pointer() })
}

/// What `initialize` says, in any revision.
struct Opening {
    version: String,
    capabilities: JsonObject,
    info: JsonObject,
}

impl Opening {
    fn read(params: &str) -> Decoded<Self> {
        let reader = Reader::new(params);
        let missing = |name: &str| DecodeError::shape(format!("missing member `{name}`"));
        let member = |name: &'static str| match reader.member(name)? {
            Some(reader) => Ok(reader),
            None => Err(missing(name)),
        };
        let version = member("protocolVersion")?.string().map_err(|error| error.inside("protocolVersion"))?;
        let object = |name: &'static str| -> Decoded<JsonObject> {
            let mut reader = member(name)?;
            let kind = reader.kind()?;
            let text = reader.skip()?;
            match kind {
                Kind::Object => JsonObject::parse(text).map_err(|error| error.inside(name)),
                found => {
                    Err(DecodeError::shape(format!("expected an object, found {}", found.described())).inside(name))
                }
            }
        };
        let (capabilities, info) = (object("capabilities")?, object("clientInfo")?);
        for name in ["name", "version"] {
            match info.get(name).map(|value| value.kind()) {
                Some(Kind::String) => {}
                _ => return Err(DecodeError::shape(format!("`{name}` has to be a string")).inside("clientInfo")),
            }
        }
        Ok(Self { version: version.into_owned(), capabilities, info })
    }
}
