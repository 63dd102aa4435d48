//! What values look like in a revision, as data: what a conversion walks along.

/// What a value looks like.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "not every set of schemas has all of them")]
pub(crate) enum Shape {
    /// Any JSON.
    Any,
    /// Null.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A string.
    String,
    /// A whole number.
    Integer(Bounds),
    /// A number.
    Number(Bounds),
    /// One string only.
    Constant(&'static str),
    /// One whole number only.
    ConstantInteger(i64),
    /// One of the booleans only.
    ConstantBoolean(bool),
    /// A list.
    List(&'static List),
    /// The shape, or null.
    Nullable(&'static Shape),
    /// An object.
    Object(&'static Object),
    /// One of several strings.
    Enum(&'static Enum),
    /// One of several shapes.
    Union(&'static Union),
}

/// The bounds of a number, both inclusive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) minimum: Option<f64>,
    pub(crate) maximum: Option<f64>,
}

/// A list, with the bounds of its length, both inclusive.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) items: Shape,
    pub(crate) minimum: Option<usize>,
    pub(crate) maximum: Option<usize>,
}

/// An object.
#[derive(Debug)]
pub(crate) struct Object {
    /// The name of the type; empty for one with free names.
    pub(crate) name: &'static str,
    /// The members, sorted by name.
    pub(crate) members: &'static [Member],
    /// What members beside those may be; `None` if there may be none.
    pub(crate) rest: Option<Shape>,
}

/// A named member.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) presence: Presence,
    pub(crate) shape: Shape,
}

/// Whether a member has to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It has to be there.
    Required,
    /// It has to be there, but peers leave it out: an empty list.
    OrEmpty,
    /// It may be absent.
    Optional,
    /// It may be absent, and only a base type names it: the schema of this type lets it be anything.
    Borrowed,
}

/// One of several strings.
#[derive(Debug)]
pub(crate) struct Enum {
    /// The name of the type.
    pub(crate) name: &'static str,
    pub(crate) values: &'static [&'static str],
}

/// One of several shapes.
#[derive(Debug)]
pub(crate) struct Union {
    /// The name of the type.
    pub(crate) name: &'static str,
    pub(crate) arms: &'static [Shape],
    /// Whether it is all that may come as a result. Some arm is so open that anything goes for it, and
    /// only the arm that is meant says what is right.
    pub(crate) outcome: bool,
    /// How to tell them apart; `None` if that takes more than the value.
    pub(crate) tree: Option<Tree>,
}

/// How to tell the arms of a union apart.
#[derive(Debug)]
pub(crate) enum Tree {
    /// It is this arm.
    Arm(usize),
    /// It is none that the revision knows.
    Unknown,
    /// By the kind of the value.
    Kind(&'static [(Kind, Tree)]),
    /// By the string that a member holds.
    Tag { path: &'static [&'static str], cases: &'static [(&'static str, Tree)], absent: Option<&'static Tree> },
    /// By the presence of members: the first that is there decides.
    Keys { present: &'static [(&'static [&'static str], Tree)], absent: Option<&'static Tree> },
}

pub(crate) use crate::reader::Kind;

/// What travels with a method.
#[derive(Debug)]
pub(crate) struct Message {
    /// The name on the wire.
    pub(crate) method: &'static str,
    /// What `params` look like.
    pub(crate) params: Shape,
    /// Whether they have to be there.
    pub(crate) required: bool,
    /// What the result looks like; `None` for a notification.
    pub(crate) result: Option<Shape>,
}

/// An object about which nothing is known.
pub(crate) static OPEN: Object = Object { name: "", members: &[], rest: Some(Shape::Any) };

/// A number without bounds.
pub(crate) const FREE: Bounds = Bounds { minimum: None, maximum: None };

/// A member that has to be there.
pub(crate) const fn required(name: &'static str, shape: Shape) -> Member {
    Member { name, presence: Presence::Required, shape }
}

/// A member that may be absent.
pub(crate) const fn optional(name: &'static str, shape: Shape) -> Member {
    Member { name, presence: Presence::Optional, shape }
}

/// A member that may be absent, and that only a base type names.
pub(crate) const fn borrowed(name: &'static str, shape: Shape) -> Member {
    Member { name, presence: Presence::Borrowed, shape }
}

/// A list that has to be there, but that peers leave out.
pub(crate) const fn or_empty(name: &'static str, shape: Shape) -> Member {
    Member { name, presence: Presence::OrEmpty, shape }
}

impl Member {
    /// Whether it may be absent.
    pub(crate) fn may_be_absent(&self) -> bool {
        matches!(self.presence, Presence::Optional | Presence::Borrowed)
    }
}

impl List {
    /// Whether a list may have that many items.
    pub(crate) fn allows(&self, count: usize) -> bool {
        self.minimum.is_none_or(|minimum| count >= minimum) && self.maximum.is_none_or(|maximum| count <= maximum)
    }
}

impl Object {
    /// Where a member stands among the members.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.members.binary_search_by(|member| member.name.cmp(name)).ok()
    }
}

impl Shape {
    /// What rules call it: the name of the type, or `[…]` for a list of it.
    pub(crate) fn label(&self) -> String {
        match self {
            Self::Any => "any".to_owned(),
            Self::Null => "null".to_owned(),
            Self::Boolean | Self::ConstantBoolean(_) => "boolean".to_owned(),
            Self::String | Self::Constant(_) => "string".to_owned(),
            Self::Integer(_) | Self::ConstantInteger(_) => "integer".to_owned(),
            Self::Number(_) => "number".to_owned(),
            Self::List(list) => format!("[{}]", list.items.label()),
            Self::Nullable(inner) => inner.label(),
            Self::Object(object) => object.name.to_owned(),
            Self::Enum(values) => values.name.to_owned(),
            Self::Union(union) => union.name.to_owned(),
        }
    }
}
