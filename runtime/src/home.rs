//! The revision that the runtime itself is written at.

use mcprism_types::ProtocolVersion;

/// What a server calls itself, and what the toolbox makes, is in the words of this revision, and is converted for
/// peers of others.
pub(crate) const HOME: ProtocolVersion = ProtocolVersion::V2025_11_25;
