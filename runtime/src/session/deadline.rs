//! How long an answer is waited for.

use std::time::{Duration, Instant};

/// The limits of one request: how long without a sign of life, and how long in all.
///
/// Specification: `basic/lifecycle` of 2025-11-25, Timeouts; `basic/patterns/cancellation` of 2026-07-28.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long to wait; each progress notification begins it anew.
    pub idle: Duration,
    /// How long to wait in all, whatever progress is reported.
    pub total: Duration,
}

impl Default for Limits {
    /// 30 seconds, and up to 10 minutes as long as progress is reported.
    fn default() -> Self {
        Self { idle: Duration::from_secs(30), total: Duration::from_secs(600) }
    }
}

/// The moment at which a request is given up, moved by progress.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    limits: Limits,
    start: Instant,
    due: Instant,
}

impl Deadline {
    /// The deadline of a request that was sent at `start`.
    pub fn new(limits: Limits, start: Instant) -> Self {
        let mut deadline = Self { limits, start, due: start };
        deadline.progress(start);
        deadline
    }

    /// Moves the deadline: something was heard at `now`.
    pub fn progress(&mut self, now: Instant) {
        // A limit so long that no clock can say its end is none: a century is not waited for.
        let far = Duration::from_secs(100 * 365 * 24 * 60 * 60);
        let after = |start: Instant, wait: Duration| start + wait.min(far);
        self.due = after(now, self.limits.idle).min(after(self.start, self.limits.total));
    }

    /// The moment.
    pub fn due(&self) -> Instant {
        self.due
    }
}
