//! Which types are the same under another name, as somebody has to say.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::model::Revision;

/// Pairs of an old name and a new one. An old type may go on as several new ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renames(pub Vec<(String, String)>);

/// The one table of a bridge that matters here.
#[derive(Deserialize)]
struct Bridge {
    #[serde(default)]
    rename: Vec<Rename>,
}

/// One type and what it is called later.
#[derive(Deserialize)]
struct Rename {
    old: String,
    new: Vec<String>,
}

impl Renames {
    /// Reads the tables `[[rename]]` of a bridge, and nothing else of it.
    ///
    /// # Errors
    /// If the text isn't TOML, or such a table has another form.
    pub fn read(file: &str, text: &str) -> Result<Self> {
        let bridge: Bridge = toml::from_str(text).map_err(|error| {
            let message = format!("not as expected: {}", error.to_string().trim_end());
            Error::new(file, "#", message, "write `[[rename]]` with old = \"…\" and new = [\"…\"]")
        })?;
        let pairs = bridge.rename.into_iter().flat_map(|Rename { old, new }| {
            let pair = move |new| (old.clone(), new);
            new.into_iter().map(pair)
        });
        Ok(Self(pairs.collect()))
    }

    /// These, and after them those of the next revision: a type that was renamed twice is one type.
    #[must_use]
    pub fn then(mut self, next: &Self) -> Self {
        for (from, to) in &next.0 {
            let before: Vec<String> =
                self.0.iter().filter(|(_, now)| now == from).map(|(old, _)| old.clone()).collect();
            self.0.extend(before.into_iter().map(|old| (old, to.clone())));
            self.0.push((from.clone(), to.clone()));
        }
        self
    }

    /// Those of which both names are defined where they should be.
    #[must_use]
    pub fn fitting(mut self, old: &Revision, new: &Revision) -> Self {
        self.0.retain(|(from, to)| old.definitions.contains_key(from) && new.definitions.contains_key(to));
        self
    }

    /// The same for the way back.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self(self.0.iter().map(|(old, new)| (new.clone(), old.clone())).collect())
    }

    /// The pairs of which a name isn't defined where it should be.
    pub fn idle(&self, old: &Revision, new: &Revision) -> Vec<&(String, String)> {
        let is_idle =
            |(from, to): &&(String, String)| !old.definitions.contains_key(from) || !new.definitions.contains_key(to);
        self.0.iter().filter(is_idle).collect()
    }

    /// What an old type is called in the new revision, itself included if it is still there.
    pub(super) fn targets<'r>(&self, name: &str, new: &'r Revision) -> BTreeSet<&'r str> {
        let renamed = self.0.iter().filter(|(old, _)| old == name).map(|(_, new)| new.as_str());
        let names = renamed.chain(std::iter::once(name));
        names.filter_map(|name| new.definitions.get_key_value(name).map(|(name, _)| name.as_str())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_tables_of_a_bridge_are_passed_over() {
        let text = "[[rename]]\nold = \"A\"\nnew = [\"B\", \"C\"]\nreason = \"…\"\n[[default]]\nmember = \"A.b\"\n";
        let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        let renames = Renames::read("a..b.toml", text).unwrap();
        assert_eq!(renames, Renames(vec![pair("A", "B"), pair("A", "C")]));
        assert_eq!(renames.reversed(), Renames(vec![pair("B", "A"), pair("C", "A")]));
        assert_eq!(Renames::read("a..b.toml", "").unwrap(), Renames::default());
    }

    #[test]
    fn a_type_that_was_renamed_twice_is_one_type() {
        let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        let renames = Renames(vec![pair("A", "B"), pair("X", "Y")]).then(&Renames(vec![pair("B", "C")]));
        assert!(renames.0.contains(&pair("A", "C")), "{renames:?}");
        assert!(renames.0.contains(&pair("X", "Y")) && renames.0.contains(&pair("B", "C")), "{renames:?}");
        assert!(!renames.0.contains(&pair("X", "C")), "{renames:?}");
    }

    #[test]
    fn a_rename_of_another_form_is_an_error_that_names_the_file() {
        let error = Renames::read("a..b.toml", "[[rename]]\nold = 1\nnew = []\n").unwrap_err().to_string();
        assert!(error.starts_with("a..b.toml"), "{error}");
    }
}
