//! Who is at the other end, as far as it has said.

use mcprism_types::{Era, JsonObject, ProtocolVersion};

use super::capability::declares;
use super::level::Level;

/// The other side: of a session in the legacy era, of one request in the modern one.
///
/// What it says of itself is not verified: it is for logs and display, never for trust.
#[derive(Clone, Debug, PartialEq)]
pub struct Peer {
    version: ProtocolVersion,
    capabilities: JsonObject,
    info: Option<JsonObject>,
    level: Option<Level>,
}

impl Peer {
    /// A peer that speaks `version` and has declared `capabilities`.
    pub fn new(version: ProtocolVersion, capabilities: JsonObject, info: Option<JsonObject>) -> Self {
        Self { version, capabilities, info, level: None }
    }

    /// The same, which wants log entries from this level on.
    #[must_use]
    pub fn with_level(mut self, level: Option<Level>) -> Self {
        self.level = level;
        self
    }

    /// The revision that it speaks.
    pub fn version(&self) -> ProtocolVersion {
        self.version
    }

    /// How that revision is agreed on.
    pub fn era(&self) -> Era {
        self.version.era()
    }

    /// What it has declared, in the words of its revision.
    pub fn capabilities(&self) -> &JsonObject {
        &self.capabilities
    }

    /// Whether it has declared what is at the end of a way, such as `sampling.tools`.
    pub fn declares(&self, path: &str) -> bool {
        declares(&self.capabilities, path)
    }

    /// What it calls itself (`Implementation`): `None` if it has not said.
    pub fn info(&self) -> Option<&JsonObject> {
        self.info.as_ref()
    }

    /// The name that it gives itself.
    pub fn name(&self) -> Option<String> {
        self.info.as_ref()?.get("name")?.read().ok()
    }

    /// The least severe log entries that this request asked for: always `None` in the legacy era, where the
    /// session has a level (`logging/setLevel`).
    pub fn level(&self) -> Option<Level> {
        self.level
    }
}
