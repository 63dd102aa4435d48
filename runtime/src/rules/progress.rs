//! Progress that only rises.

use std::fmt;

use mcprism_types::Number;

/// Watches the progress of one request, which has to rise with every notification.
///
/// Pages: `basic/utilities/progress`, and `basic/patterns/progress` since 2026-07-28; the rule is the same
/// in every revision. It serves both sides: a sender asks before it sends, a receiver when it has received.
/// There is one for each progress token.
///
/// ```
/// use mcprism::rules::Rising;
///
/// let mut progress = Rising::new();
/// assert!(progress.step(0.5).is_ok());
/// assert!(progress.step(0.5).is_err());
/// assert!(progress.step(2).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rising {
    last: Option<Number>,
}

impl Rising {
    /// Nothing was reported yet, so that any progress rises.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next value.
    ///
    /// # Errors
    /// If it isn't above the last one, or isn't finite; then the last one stays.
    pub fn step(&mut self, progress: impl Into<Number>) -> Result<(), NotRising> {
        let next = progress.into();
        let rises = self.last.is_none_or(|last| next > last);
        match rises && next.as_f64().is_finite() {
            true => {
                self.last = Some(next);
                Ok(())
            }
            false => Err(NotRising { last: self.last, next }),
        }
    }

    /// The last value that was taken.
    pub fn last(&self) -> Option<Number> {
        self.last
    }
}

/// A progress that isn't above the one before.
#[derive(Clone, Copy, Debug)]
pub struct NotRising {
    /// The one before; `None` if this was the first.
    pub last: Option<Number>,
    /// This one.
    pub next: Number,
}

impl fmt::Display for NotRising {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last {
            Some(last) => write!(f, "progress has to rise, but {} follows {last}", self.next),
            None => write!(f, "progress can't be {}", self.next),
        }
    }
}

impl std::error::Error for NotRising {}
