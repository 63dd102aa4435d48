//! A place in an instance, and what the walk knows about it.

use super::fault::below;
use super::model::NodeId;
use std::rc::Rc;

/// Where the walk is.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    pub(super) pointer: String,
    /// Whether the place is an optional member.
    pub(super) optional: bool,
    /// Whether only the outer kind of something above is checked.
    pub(super) lazy: bool,
    /// The unions above of which more than one arm may have been meant.
    pub(super) vague: Vec<String>,
    /// The union whose arms are told apart by this member.
    pub(super) tag: Option<Rc<Tag>>,
}

/// A member that tells the arms of a union apart.
#[derive(Debug)]
pub(super) struct Tag {
    pub(super) union: String,
    pub(super) name: String,
    pub(super) arms: Vec<NodeId>,
}

impl Place {
    /// The place of a member, entry or element.
    pub(super) fn inner(&self, name: &str) -> Place {
        Place {
            pointer: below(&self.pointer, name),
            optional: false,
            lazy: self.lazy,
            vague: self.vague.clone(),
            tag: None,
        }
    }

    /// Where a wrong value of this place may be reported: here, and at the union if it is a tag.
    pub(super) fn pointers(&self) -> Vec<String> {
        let union = self.tag.iter().map(|tag| tag.union.clone());
        std::iter::once(self.pointer.clone()).chain(union).collect()
    }
}
