//! What a comparison results in: plain data, in a fixed order.

use std::collections::BTreeMap;

use serde::Serialize;

use super::class::Class;
use crate::model::{Capability, Era, Literal, MethodKind, Sender};

/// What is different between two revisions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The old revision.
    pub old: String,
    /// The new one.
    pub new: String,
    /// How many changes there are of each class.
    pub counts: BTreeMap<Class, usize>,
    /// What is true of the revision as a whole.
    pub facts: Vec<Change>,
    /// The methods that changed, by name.
    pub methods: Vec<Entry>,
    /// The types that changed, by their new name. What came or went with a method stands there; the
    /// unions that list methods or outcomes are left out, since the methods say the same.
    pub types: Vec<Entry>,
}

/// A method or a type, and what changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// Its name, the new one if it was renamed.
    pub name: String,
    /// Who sends it; `None` for a type that no message carries.
    pub sent_by: Option<Sender>,
    /// What changed.
    pub changes: Vec<Change>,
    /// The types that came or went with a method, and have no other use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<String>,
}

/// One change, and what it means for a side that is still at the old revision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// What it is.
    #[serde(flatten)]
    pub what: What,
    /// How much it matters.
    pub class: Class,
    /// What it means for a server; empty if it doesn't concern servers.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub server: String,
    /// What it means for a client; empty if it doesn't concern clients.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub client: String,
}

/// What a change is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
#[expect(missing_docs, reason = "`old` and `new` are the two revisions, and the others are what they are called")]
pub enum What {
    /// Connections begin in another way.
    Era { old: Era, new: Era },
    /// Whether messages may come in batches.
    Batches { allowed: bool },
    /// Whether an error may lack an id.
    ErrorsWithoutId { allowed: bool },
    /// There is a new method.
    MethodAdded { travels: MethodKind },
    /// A method is gone.
    MethodRemoved { travels: MethodKind },
    /// Somebody else sends a method.
    Sender { old: Sender, new: Sender },
    /// A method travels in another way.
    Travels { old: MethodKind, new: MethodKind },
    /// Whether `params` have to be there.
    ParamsPresence { required: bool },
    /// `params` are of another type.
    Params { old: String, new: String },
    /// The result is of another type.
    Result { old: String, new: String },
    /// Another type may come in place of the result.
    AlternativeAdded { ty: String },
    /// A type may not come in place of the result any more.
    AlternativeRemoved { ty: String },
    /// Something has to have been declared.
    CapabilityAdded { capability: Capability },
    /// Something need not have been declared any more.
    CapabilityRemoved { capability: Capability },
    /// There is a new type.
    TypeAdded { ty: String },
    /// A type is gone.
    TypeRemoved { ty: String },
    /// A type has a new name.
    TypeRenamed { old: String },
    /// A type has values of another form.
    Type { old: String, new: String },
    /// There is a new member.
    MemberAdded { member: String, ty: String, required: bool },
    /// A member is gone.
    MemberRemoved { member: String, ty: String, required: bool },
    /// A member is of another type.
    MemberType { member: String, old: String, new: String },
    /// Whether a member may be absent or null.
    MemberPresence { member: String, old: Presence, new: Presence },
    /// There is a new value.
    ValueAdded { value: Literal },
    /// A value is gone.
    ValueRemoved { value: Literal },
    /// A union has a new arm.
    ArmAdded { ty: String },
    /// A union has lost an arm.
    ArmRemoved { ty: String },
    /// An arm of a union is of another type.
    ArmType { old: String, new: String },
    /// Members that the type doesn't name are refused.
    Closed,
    /// Members that the type doesn't name are let in.
    Opened,
    /// Members that the type doesn't name are of another type.
    OtherMembers { old: String, new: String },
}

/// Whether a member may be absent or null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Presence {
    /// Whether it has to be there.
    pub required: bool,
    /// Whether it may be null.
    pub nullable: bool,
}

impl Difference {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.methods.is_empty() && self.types.is_empty()
    }

    /// All changes: those of the revision, of its methods, of its types.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        let entries = self.methods.iter().chain(&self.types);
        self.facts.iter().chain(entries.flat_map(|entry| &entry.changes))
    }
}
