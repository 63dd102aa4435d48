//! Gathers failures by kind, and shows the smallest of each.

use std::collections::BTreeMap;
use std::fmt::Display;

/// How many kinds are shown in full.
const SHOWN: usize = 60;
/// How many characters of a text are shown.
const WIDTH: usize = 6000;

/// The failures of a test.
#[derive(Debug, Default)]
pub struct Report {
    kinds: BTreeMap<String, (usize, String)>,
}

impl Report {
    /// Adds a failure.
    pub fn add(&mut self, kind: impl Into<String>, what: impl Display) {
        let what = what.to_string();
        let (count, smallest) = self.kinds.entry(kind.into()).or_insert_with(|| (0, what.clone()));
        *count += 1;
        if what.len() < smallest.len() {
            *smallest = what;
        }
    }

    /// How many failures there are.
    pub fn count(&self) -> usize {
        self.kinds.values().map(|(count, _)| count).sum()
    }

    /// Shows the failures.
    ///
    /// # Panics
    /// If there are any.
    pub fn check(self) {
        let count = self.count();
        let shown = self.kinds.iter().take(SHOWN).map(|(kind, (count, what))| {
            let what: String = what.chars().take(WIDTH).collect();
            format!("{kind} ({count} times)\n  {what}")
        });
        let shown: Vec<String> = shown.collect();
        assert!(count == 0, "{count} failures of {} kinds:\n{}", self.kinds.len(), shown.join("\n"));
    }
}
