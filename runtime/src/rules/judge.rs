//! Gathers breaches, and knows where in a message they are.

use mcprism_types::{Decoded, Kind, ProtocolVersion, Reader};

use super::table::Rule;
use super::{Breach, MAX_BREACHES};

/// What was found so far, in a message of one revision.
pub(super) struct Judge {
    version: ProtocolVersion,
    breaches: Vec<Breach>,
}

impl Judge {
    pub(super) fn new(version: ProtocolVersion) -> Self {
        Self { version, breaches: Vec::new() }
    }

    pub(super) fn version(&self) -> ProtocolVersion {
        self.version
    }

    /// Whether the revision has this rule.
    pub(super) fn has(&self, rule: &Rule) -> bool {
        rule.holds_in(self.version)
    }

    /// Notes a breach, if the revision has the rule.
    pub(super) fn breaks(&mut self, rule: &Rule, place: &Place<'_>) {
        if self.has(rule) && self.breaches.len() < MAX_BREACHES {
            self.breaches.push(rule.breach(place.pointer()));
        }
    }

    pub(super) fn breaches(self) -> Vec<Breach> {
        self.breaches
    }
}

/// A place in a message, as the way to it. It becomes a text only where something is wrong.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    outer: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Name(&'a str),
    Item(usize),
}

impl<'a> Place<'a> {
    /// The params or result itself.
    pub(super) const TOP: Place<'static> = Place { outer: None, step: Step::Item(0) };

    /// A member of what is here.
    pub(super) fn name(&'a self, name: &'a str) -> Self {
        Self { outer: Some(self), step: Step::Name(name) }
    }

    /// An item of what is here.
    pub(super) fn item(&'a self, index: usize) -> Self {
        Self { outer: Some(self), step: Step::Item(index) }
    }

    fn pointer(&self) -> String {
        let mut steps = Vec::new();
        let mut place = self;
        while let Some(outer) = place.outer {
            steps.push(place.step);
            place = outer;
        }
        let mut pointer = String::new();
        for step in steps.into_iter().rev() {
            pointer.push('/');
            match step {
                Step::Name(name) => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
                Step::Item(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }
}

/// A reader at a member of the object that comes next; `None` if there is no such member, or it is null.
pub(super) fn member<'a>(reader: &Reader<'a>, name: &str) -> Option<Reader<'a>> {
    let mut found = reader.member(name).ok()??;
    (found.kind().ok()? != Kind::Null).then_some(found)
}

/// The string that a member holds; `None` if it holds anything else.
pub(super) fn string(reader: &Reader<'_>, name: &str) -> Option<String> {
    member(reader, name)?.string().ok().map(Into::into)
}

/// Goes through the items of the array that comes next. `each` looks at an item with a reader of its own.
pub(super) fn items<'a>(reader: &Reader<'a>, each: &mut dyn FnMut(usize, &Reader<'a>)) {
    let mut index = 0;
    let mut item = |reader: &mut Reader<'a>| -> Decoded<()> {
        each(index, reader);
        index += 1;
        reader.skip().map(drop)
    };
    // A text that doesn't fit is judged as far as it goes.
    let _ = reader.clone().array(&mut item);
}

/// Goes through the members of the object that comes next. `each` looks at a value with a reader of its own.
pub(super) fn members<'a>(reader: &Reader<'a>, each: &mut dyn FnMut(&str, &Reader<'a>)) {
    let mut member = |reader: &mut Reader<'a>, name: &str| -> Decoded<()> {
        each(name, reader);
        reader.skip().map(drop)
    };
    // As above.
    let _ = reader.clone().object(&mut member);
}
