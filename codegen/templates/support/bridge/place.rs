//! Places: where something that was written comes from.

use super::fits::{items, members};
use crate::reader::{Kind, Reader};

/// What stands elsewhere than it stood.
#[derive(Debug, Default)]
pub(super) struct Moves {
    /// Items that are gone: the pointer of their list, and their index.
    pub(super) removed: Vec<(String, usize)>,
    /// Lists whose first item stands in their place.
    pub(super) unwrapped: Vec<String>,
}

impl Moves {
    /// Where that stood which now stands at a place.
    pub(super) fn origin(&self, pointer: &str) -> String {
        if self.removed.is_empty() && self.unwrapped.is_empty() {
            return pointer.to_owned();
        }
        let mut origin = String::new();
        let mut steps = pointer.split('/').skip(1);
        loop {
            if self.unwrapped.contains(&origin) {
                origin.push_str("/0");
            }
            let Some(step) = steps.next() else { return origin };
            let mut gone: Vec<usize> =
                self.removed.iter().filter(|(list, _)| *list == origin).map(|(_, index)| *index).collect();
            origin.push('/');
            match step.parse::<usize>() {
                Ok(index) if !gone.is_empty() => {
                    gone.sort_unstable();
                    // Each item that is gone before it has moved it down by one.
                    let index = gone.into_iter().fold(index, |index, gone| index + usize::from(gone <= index));
                    origin.push_str(&index.to_string());
                }
                _ => origin.push_str(step),
            }
        }
    }
}

/// The text of what stands at a JSON pointer; `None` if nothing does.
pub(super) fn find<'t>(text: &'t str, pointer: &str) -> Option<&'t str> {
    let mut text = text.trim();
    for step in pointer.split('/').skip(1) {
        text = match Reader::new(text).kind().ok()? {
            Kind::Array => items(text).ok()?.get(step.parse::<usize>().ok()?)?,
            Kind::Object => {
                let name = step.replace("~1", "/").replace("~0", "~");
                members(text).ok()?.into_iter().find(|(key, _)| *key == name)?.1
            }
            _ => return None,
        };
    }
    Some(text)
}
