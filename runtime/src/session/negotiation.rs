//! How a client finds out which revision a server speaks.

use mcprism_types::{Decoded, Era, JsonObject, Kind, ProtocolVersion, Reader};

use crate::error::Error;
use crate::jsonrpc::{ErrorObject, code};

/// Finds the revision: asks `server/discover` first if a modern one is spoken, and falls back to `initialize`
/// on any answer that isn't a modern one, or on none.
///
/// Specification: `basic/transports/stdio` of 2026-07-28, Backward Compatibility; `basic/versioning`.
#[derive(Debug)]
pub struct Negotiation {
    /// What the client speaks, newest first.
    spoken: Vec<ProtocolVersion>,
    /// What was asked for and is waited for.
    asked: Asked,
    /// The modern revisions that were tried.
    tried: Vec<ProtocolVersion>,
}

#[derive(Clone, Copy, Debug)]
enum Asked {
    Discover,
    Initialize,
}

/// What to do next.
#[derive(Debug)]
pub enum Step {
    /// Send `server/discover` in this revision, and say what comes of it.
    Discover(ProtocolVersion),
    /// Send `initialize` that asks for this revision, and say what comes of it.
    Initialize(ProtocolVersion),
    /// It is agreed. After a handshake, `notifications/initialized` has to be sent first.
    Agreed(Agreed),
    /// There is no way. After a handshake the connection has to be closed.
    Failed(Error),
}

/// What came of what was sent.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A result.
    Result(&'a str),
    /// An error.
    Error(&'a ErrorObject),
    /// Nothing, in the time that was given.
    Silence,
}

/// What was agreed on.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreed {
    /// The revision.
    pub version: ProtocolVersion,
    /// `ServerCapabilities`.
    pub capabilities: JsonObject,
    /// What the server calls itself (`Implementation`).
    pub info: Option<JsonObject>,
    /// How to use the server, for a model.
    pub instructions: Option<String>,
}

impl Negotiation {
    /// The negotiation of a client that speaks these revisions, and its first step.
    pub fn begin(spoken: &[ProtocolVersion]) -> (Self, Step) {
        let mut spoken = spoken.to_vec();
        spoken.sort_unstable_by(|a, b| b.cmp(a));
        spoken.dedup();
        let mut this = Self { spoken, asked: Asked::Discover, tried: Vec::new() };
        let step = match this.newest(Era::Modern) {
            Some(version) => this.discover(version),
            None => this.initialize(None),
        };
        (this, step)
    }

    /// The step that follows.
    pub fn next(&mut self, event: Event<'_>) -> Step {
        match (self.asked, event) {
            (Asked::Discover, Event::Result(result)) => self.discovered(result),
            (Asked::Discover, Event::Error(error)) => self.refused(error),
            (Asked::Discover, Event::Silence) => self.legacy("did not answer `server/discover`"),
            (Asked::Initialize, Event::Result(result)) => self.initialized(result),
            (Asked::Initialize, Event::Error(error)) => Step::Failed(match supported(error) {
                Some(offered) => Error::UnsupportedVersion { offered, spoken: self.spoken.clone() },
                None => Error::Rpc(error.clone()),
            }),
            (Asked::Initialize, Event::Silence) => {
                Step::Failed(Error::Protocol("the server did not answer `initialize` in time".to_owned()))
            }
        }
    }

    fn newest(&self, era: Era) -> Option<ProtocolVersion> {
        self.spoken.iter().copied().find(|version| version.era() == era)
    }

    fn discover(&mut self, version: ProtocolVersion) -> Step {
        self.asked = Asked::Discover;
        self.tried.push(version);
        Step::Discover(version)
    }

    fn initialize(&mut self, version: Option<ProtocolVersion>) -> Step {
        self.asked = Asked::Initialize;
        match version.or_else(|| self.newest(Era::Legacy)) {
            Some(version) => Step::Initialize(version),
            None => Step::Failed(Error::Internal("a client has to speak at least one revision".to_owned())),
        }
    }

    /// The server is of the legacy era.
    fn legacy(&mut self, what: &str) -> Step {
        if self.newest(Era::Legacy).is_some() {
            return self.initialize(None);
        }
        let newest = ProtocolVersion::ALL.iter().rev().find(|version| version.era() == Era::Legacy);
        let allow = newest.map(|version| format!("; allow {version} or an older revision to talk to it"));
        Step::Failed(Error::Protocol(format!(
            "the server {what}, so it is of the legacy era, which begins with `initialize`{}",
            allow.unwrap_or_default(),
        )))
    }

    fn discovered(&mut self, result: &str) -> Step {
        let Ok((offered, agreed)) = read_discovered(result) else {
            return self.legacy("answered `server/discover` with something else");
        };
        let best = self.spoken.iter().find(|version| offered.iter().any(|offer| offer == version.as_str()));
        match best {
            Some(version) if version.era() == Era::Modern => Step::Agreed(Agreed { version: *version, ..agreed }),
            Some(version) => self.initialize(Some(*version)),
            None => Step::Failed(Error::UnsupportedVersion { offered, spoken: self.spoken.clone() }),
        }
    }

    fn refused(&mut self, error: &ErrorObject) -> Step {
        match (error.code, supported(error)) {
            (code::UNSUPPORTED_PROTOCOL_VERSION, Some(offered)) => {
                let offers = |version: &&ProtocolVersion| offered.iter().any(|offer| offer == version.as_str());
                let fresh = |version: &&ProtocolVersion| !self.tried.contains(version);
                match self.spoken.iter().filter(fresh).find(offers).copied() {
                    Some(version) if version.era() == Era::Modern => self.discover(version),
                    Some(version) => self.initialize(Some(version)),
                    None => Step::Failed(Error::UnsupportedVersion { offered, spoken: self.spoken.clone() }),
                }
            }
            (code::MISSING_REQUIRED_CLIENT_CAPABILITY | code::HEADER_MISMATCH, _) => {
                Step::Failed(Error::Rpc(error.clone()))
            }
            _ => self.legacy(&format!("answered `server/discover` with the error {}", error.code)),
        }
    }

    fn initialized(&mut self, result: &str) -> Step {
        match read_initialized(result) {
            Ok((name, agreed)) => {
                let known = name.parse().ok();
                let version =
                    self.spoken.iter().find(|version| version.era() == Era::Legacy && Some(**version) == known);
                match version {
                    Some(version) => Step::Agreed(Agreed { version: *version, ..agreed }),
                    None => {
                        Step::Failed(Error::UnsupportedVersion { offered: vec![name], spoken: self.spoken.clone() })
                    }
                }
            }
            Err(error) => Step::Failed(Error::Invalid { what: "the result of initialize".to_owned(), error }),
        }
    }
}

/// The revisions that an error says are supported.
fn supported(error: &ErrorObject) -> Option<Vec<String>> {
    let data = error.data.as_ref()?;
    names(&mut Reader::new(data.as_str()).member("supported").ok()??).ok()
}

fn names(reader: &mut Reader<'_>) -> Decoded<Vec<String>> {
    let mut names = Vec::new();
    reader.array(&mut |reader| {
        names.push(reader.string()?.into_owned());
        Ok(())
    })?;
    Ok(names)
}

fn read_discovered(result: &str) -> Decoded<(Vec<String>, Agreed)> {
    let missing = |name: &str| mcprism_types::DecodeError::shape(format!("missing member `{name}`"));
    let reader = Reader::new(result);
    let mut versions = reader.member("supportedVersions")?.ok_or_else(|| missing("supportedVersions"))?;
    let versions = names(&mut versions).map_err(|error| error.inside("supportedVersions"))?;
    let mut agreed = read_agreed(result)?;
    if let Some(meta) = object(&reader, "_meta")? {
        agreed.info = object(&Reader::new(meta.as_str()), super::meta::key::SERVER_INFO)?;
    }
    Ok((versions, agreed))
}

fn read_initialized(result: &str) -> Decoded<(String, Agreed)> {
    let reader = Reader::new(result);
    let version = reader.tag("protocolVersion")?;
    let version = version.ok_or_else(|| mcprism_types::DecodeError::shape("missing member `protocolVersion`"))?;
    let mut agreed = read_agreed(result)?;
    agreed.info = object(&reader, "serverInfo")?;
    Ok((version.into_owned(), agreed))
}

/// What both results have. The revision in it is yet to be chosen.
fn read_agreed(result: &str) -> Decoded<Agreed> {
    let reader = Reader::new(result);
    Ok(Agreed {
        version: ProtocolVersion::LATEST,
        capabilities: object(&reader, "capabilities")?.unwrap_or_default(),
        info: None,
        instructions: reader.optional_tag("instructions")?.map(std::borrow::Cow::into_owned),
    })
}

/// A member that is an object; `None` if it is absent or null.
fn object(reader: &Reader<'_>, name: &str) -> Decoded<Option<JsonObject>> {
    let Some(mut member) = reader.member(name)? else { return Ok(None) };
    match member.kind()? {
        Kind::Null => Ok(None),
        _ => JsonObject::parse(member.skip()?).map(Some).map_err(|error| error.inside(name)),
    }
}
