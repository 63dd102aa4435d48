//! What a message says of itself in `params._meta`.

use std::borrow::Cow;

use mcprism_types::{Decode, DecodeError, Decoded, Kind, Reader};

use crate::jsonrpc::Id;

/// The names that the protocol gives a meaning in `_meta`.
///
/// Specification: `basic` of 2026-07-28, `_meta`; `basic/utilities/progress` and `basic/utilities/tasks` of
/// 2025-11-25.
pub mod key {
    /// What progress is reported under.
    pub const PROGRESS_TOKEN: &str = "progressToken";
    /// The revision of a request.
    pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    /// What the client calls itself.
    pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
    /// What the client declares for a request.
    pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    /// The least severe log entries that a request wants.
    pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
    /// The subscription that a notification belongs to.
    pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
    /// What the server calls itself.
    pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
    /// The task that a message belongs to.
    pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
}

/// The members of `_meta` that the runtime reads, as they stand in the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meta<'a> {
    /// What progress is to be reported under.
    pub progress_token: Option<Id>,
    /// The revision, which makes the request a modern one.
    pub protocol_version: Option<Cow<'a, str>>,
    /// The text of the client's info.
    pub client_info: Option<&'a str>,
    /// The text of the client's capabilities.
    pub client_capabilities: Option<&'a str>,
    /// The least severe level.
    pub log_level: Option<Cow<'a, str>>,
    /// The subscription.
    pub subscription_id: Option<Id>,
}

impl<'a> Meta<'a> {
    /// Reads them from the text of `params`. Absent ones stay empty, as does null; so does all if there is no
    /// `_meta`.
    ///
    /// # Errors
    /// If `params` or `_meta` is no object, or one of the members has a wrong type; the place counts from
    /// `params`.
    pub fn read(params: Option<&'a str>) -> Decoded<Self> {
        let Some(params) = params else { return Ok(Self::default()) };
        // Most params of the legacy era have none, which is seen at once: the name doesn't stand there, and nothing
        // is written with escapes.
        if memchr::memchr(b'\\', params.as_bytes()).is_none()
            && memchr::memmem::find(params.as_bytes(), b"\"_meta\"").is_none()
            && params.starts_with('{')
        {
            return Ok(Self::default());
        }
        let reader = Reader::new(params);
        let Some(mut reader) = reader.member("_meta")? else { return Ok(Self::default()) };
        let mut meta = Self::default();
        if reader.kind()? == Kind::Null {
            return Ok(meta);
        }
        // The closure gets names that live as long as the call, and values that live as long as the text.
        let members = reader.object(&mut |reader, name| {
            let value = reader.skip()?;
            if value == "null" {
                return Ok(());
            }
            let text = |value: &'a str| Reader::new(value).string();
            let id = |value: &'a str| Id::decode(&mut Reader::new(value));
            match name {
                key::PROGRESS_TOKEN => meta.progress_token = Some(id(value)?),
                key::SUBSCRIPTION_ID => meta.subscription_id = Some(id(value)?),
                key::PROTOCOL_VERSION => meta.protocol_version = Some(text(value)?),
                key::LOG_LEVEL => meta.log_level = Some(text(value)?),
                key::CLIENT_INFO => meta.client_info = Some(object(value)?),
                key::CLIENT_CAPABILITIES => meta.client_capabilities = Some(object(value)?),
                _ => {}
            }
            Ok(())
        });
        members.map_err(|error| error.inside("_meta"))?;
        Ok(meta)
    }
}

/// The text, if it is an object.
fn object(text: &str) -> Decoded<&str> {
    match Reader::new(text).kind()? {
        Kind::Object => Ok(text),
        found => Err(DecodeError::shape(format!("expected an object, found {}", found.described()))),
    }
}
