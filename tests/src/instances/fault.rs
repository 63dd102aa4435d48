//! One fault: an instance that was valid, what was done to it, and where that may be reported.

use serde_json::Value;

/// A valid instance with a single thing wrong, refused by the judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// The instance with the fault in it.
    pub instance: Value,
    /// Every JSON pointer at which an error may be reported; the exact place comes first.
    pub pointers: Vec<String>,
    /// What was done, and where, for the message of a failing test.
    pub what: String,
    pub(super) kind: Kind,
    /// Whether the fault lies where only the outer kind is looked at.
    pub(super) lazy: bool,
}

/// What a fault does, as far as tolerances care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing that any tolerance covers.
    Plain,
    /// The list of contents of a tool result is gone.
    ContentDropped,
    /// An optional member is null.
    NullForOptional,
    /// A string that the enum doesn't list.
    UnknownEnumString,
    /// A string that no arm of the union has for its tag.
    UnknownTag,
}

/// The pointer of a member or element below another pointer.
pub fn below(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// A copy of a value with the place at a pointer edited.
///
/// # Panics
///
/// If the pointer leads nowhere; pointers here were made by walking the same value.
pub(super) fn edited(root: &Value, pointer: &str, edit: impl FnOnce(&mut Value)) -> Value {
    let mut copy = root.clone();
    edit(copy.pointer_mut(pointer).expect("the pointer was made by walking this value"));
    copy
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_are_escaped_in_pointers() {
        let root = json!({"a/b~c": {"": 1}});
        let pointer = below(&below("", "a/b~c"), "");
        assert_eq!(pointer, "/a~1b~0c/");
        assert_eq!(edited(&root, &pointer, |place| *place = json!(2)), json!({"a/b~c": {"": 2}}));
    }
}
