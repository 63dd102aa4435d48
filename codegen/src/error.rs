//! What stops the generator: where, what was expected, and what to do next.

use std::fmt;

/// The outcome of a step of the generator.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that is wrong, in the order in which it was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Error {
    faults: Vec<Fault>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The revision, or the file for a decision that is not about one revision.
    pub revision: String,
    /// The JSON pointer into the schema, as a fragment (`#/$defs/Task/ttl`), or a key of a file of decisions.
    pub pointer: String,
    /// What was found and what was expected.
    pub message: String,
    /// What to do next.
    pub advice: String,
}

impl Error {
    /// An error with one fault.
    pub fn new(
        revision: impl Into<String>,
        pointer: impl Into<String>,
        message: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        let fault = Fault {
            revision: revision.into(),
            pointer: pointer.into(),
            message: message.into(),
            advice: advice.into(),
        };
        Self { faults: vec![fault] }
    }

    /// All faults, in the order in which they were found.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// One error out of many; none if there are none.
    ///
    /// # Errors
    /// The faults of all, if there are any.
    pub fn all(errors: impl IntoIterator<Item = Self>) -> Result<()> {
        let faults: Vec<_> = errors.into_iter().flat_map(|error| error.faults).collect();
        match faults.is_empty() {
            true => Ok(()),
            false => Err(Self { faults }),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.revision, self.pointer, self.message)?;
        match self.advice.is_empty() {
            true => Ok(()),
            false => write!(f, "; {}", self.advice),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
