//! How severe a log entry is.

use std::fmt;
use std::str::FromStr;

/// The severity of a log entry, least severe first, as RFC 5424 has it.
///
/// Specification: `server/utilities/logging`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// For those who look for a fault.
    Debug,
    /// What goes on.
    Info,
    /// What is normal, but worth a note.
    Notice,
    /// What may become an error.
    Warning,
    /// What failed.
    Error,
    /// A component that fails.
    Critical,
    /// Something has to be done at once.
    Alert,
    /// Nothing works.
    Emergency,
}

impl Level {
    /// All of them, least severe first.
    pub const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(name: &str) -> Result<Self, UnknownLevel> {
        Self::ALL.into_iter().find(|level| level.as_str() == name).ok_or(UnknownLevel)
    }
}

/// The name is none of a level's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLevel;

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Level::ALL.into_iter().map(Level::as_str).collect();
        write!(f, "no such level; there are {}", names.join(", "))
    }
}

impl std::error::Error for UnknownLevel {}
