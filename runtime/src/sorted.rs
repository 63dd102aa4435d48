//! Values by name, in the order of the names.

/// A map as a sorted list: what is looked up often, changes seldom, and need not have the code of a tree for each type
/// of value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sorted<T>(Vec<(String, T)>);

impl<T> Default for Sorted<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Sorted<T> {
    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.place(name).ok().map(|at| &self.0[at].1)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.place(name).ok().map(|at| &mut self.0[at].1)
    }

    /// Sets a value; gives back the one that was there.
    pub(crate) fn insert(&mut self, name: String, value: T) -> Option<T> {
        match self.place(&name) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (name, value));
                None
            }
        }
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Those whose names aren't before this one.
    pub(crate) fn from(&self, name: &str) -> &[(String, T)] {
        let at = self.place(name).unwrap_or_else(|at| at);
        &self.0[at..]
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&str, &T) -> bool) {
        self.0.retain(|(name, value)| keep(name, value));
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| other.as_str().cmp(name))
    }
}
