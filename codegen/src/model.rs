//! What the generator knows of a revision: definitions, their shapes, and methods.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// One revision of the protocol, or a draft of one.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Revision {
    /// The date that names it, or the name of the draft.
    pub version: String,
    /// How connections begin; `None` for a schema that isn't ours.
    pub era: Option<Era>,
    /// The schema's keyword for definitions, for messages.
    #[serde(skip)]
    pub keyword: &'static str,
    /// The named types, by their name in the specification.
    pub definitions: BTreeMap<String, Definition>,
    /// The methods, sorted by name.
    pub methods: Vec<Method>,
    /// What left the model for the JSON-RPC envelope, and what stands inside it, by name.
    pub envelopes: BTreeMap<String, Envelope>,
    /// Whether messages may come in batches.
    pub batches: bool,
    /// Whether an error may lack an id.
    pub errors_without_id: bool,
    /// What was read loosely, for schemas that aren't ours.
    #[serde(skip)]
    pub warnings: Vec<String>,
    /// Params whose `_meta` is that of a base type, for conversions.
    #[serde(skip)]
    pub borrowed_meta: BTreeSet<String>,
}

/// How a connection learns the revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Era {
    /// By `initialize`.
    Legacy,
    /// By `_meta` on each request.
    Modern,
}

/// A named type.
#[derive(Clone, Debug, Serialize)]
pub struct Definition {
    /// The name in Rust.
    pub ident: String,
    /// Where it stands in the schema.
    pub pointer: String,
    /// One line on what it is.
    pub docs: String,
    /// What values look like.
    pub shape: Shape,
}

/// What the values of a type look like.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// An object with named members.
    Struct(Struct),
    /// One of several strings, or another that the schema doesn't know yet.
    Enum(Vec<EnumValue>),
    /// One of several types.
    Union(Union),
    /// Another type under this name.
    Alias(Type),
    /// One value only, which may be absent or stand among others.
    Constant(Literal),
}

/// An object with named members.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Struct {
    /// The members, sorted by their wire names.
    pub fields: Vec<Field>,
    /// What members beside those may be; `None` if there may be none.
    pub rest: Option<Type>,
}

/// A named member. Two are equal whatever is said about them.
#[derive(Clone, Debug, Serialize)]
pub struct Field {
    /// The name on the wire.
    pub wire_name: String,
    /// The name in Rust.
    pub ident: String,
    /// One line on what it is, if the name doesn't say it.
    pub docs: String,
    /// What it holds.
    pub ty: Type,
    /// Whether it has to be there.
    pub presence: Presence,
    /// The text of its value unless the author says otherwise.
    pub preset: Option<String>,
}

/// Whether a member has to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// It has to be there.
    Required,
    /// It may be absent.
    Optional,
    /// It has to be there, and may be null.
    RequiredNullable,
    /// It has to be there, but absent it reads as empty.
    RequiredOrEmpty,
}

/// One of the strings of an enumeration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EnumValue {
    /// The string on the wire.
    pub wire: String,
    /// The variant in Rust.
    pub ident: String,
}

/// One of several types.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Union {
    /// The types, in the order of the schema.
    pub arms: Vec<Arm>,
    /// How to tell them apart; `None` until it has been proved, or if it can't be.
    pub tree: Option<Tree>,
}

/// One of the types of a union.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Arm {
    /// The variant in Rust.
    pub ident: String,
    /// What it holds.
    pub ty: Type,
}

/// How to tell the arms of a union apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tree {
    /// It is this arm.
    Arm(usize),
    /// It is kept as it came.
    Unknown,
    /// By the kind of the JSON value.
    Kind(BTreeMap<JsonKind, Tree>),
    /// By the string that a member holds. A string without a case keeps the original.
    Tag {
        /// The way to the member.
        path: Vec<String>,
        /// What each string leads to.
        cases: BTreeMap<String, Tree>,
        /// What an absent member leads to; `None` if it has to be there.
        absent: Option<Box<Tree>>,
    },
    /// By the presence of members: the first that is there decides.
    Keys {
        /// The ways to the members, and what their presence leads to.
        present: Vec<(Vec<String>, Tree)>,
        /// What leads on if none is there; `None` if one has to be.
        absent: Option<Box<Tree>>,
    },
}

/// The kinds of JSON values that a tree tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JsonKind {
    /// An array.
    Array,
    /// A boolean.
    Boolean,
    /// Null.
    Null,
    /// A number.
    Number,
    /// An object.
    Object,
    /// A string.
    String,
}

/// What a member, an item or an arm holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// Any JSON.
    Any,
    /// Any JSON object.
    Object,
    /// A string.
    String,
    /// A boolean.
    Boolean,
    /// Null.
    Null,
    /// A whole number.
    Integer(Bounds),
    /// A number.
    Number(Bounds),
    /// One value only.
    Literal(Literal),
    /// A list.
    Array(Box<Type>, Lengths),
    /// An object with free names and values of one type.
    Map(Box<Type>),
    /// The type of that name.
    Named(String),
    /// The type or null.
    Nullable(Box<Type>),
    /// The type, on the heap, to give a recursive type a size.
    Boxed(Box<Type>),
    /// A shape without a name; gone after `name_inline`.
    Inline(Box<Inline>),
    /// All of these at once; gone after `fold_all_of`.
    AllOf(Vec<Type>),
}

/// A shape without a name. Two are equal wherever they stand.
#[derive(Clone, Debug, Serialize)]
pub struct Inline {
    /// Where it stands in the schema.
    pub pointer: String,
    /// What its values look like.
    pub shape: Shape,
}

/// The bounds of a number, both inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bounds {
    /// The smallest value.
    pub minimum: Option<f64>,
    /// The largest value.
    pub maximum: Option<f64>,
}

/// The bounds of a list's length, both inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Lengths {
    /// The smallest length.
    pub minimum: Option<u64>,
    /// The largest length.
    pub maximum: Option<u64>,
}

/// The one value of a type that has only one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum Literal {
    /// A string.
    String(String),
    /// A whole number.
    Integer(i64),
    /// A boolean.
    Boolean(bool),
}

/// A method of the protocol.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Method {
    /// The name on the wire.
    pub name: String,
    /// How it travels.
    pub kind: MethodKind,
    /// Who may send it.
    pub sender: Sender,
    /// The type of the request or notification.
    pub definition: String,
    /// The type of `params`.
    pub params: Type,
    /// Whether `params` has to be there.
    pub params_required: bool,
    /// The type of the result; `None` for a notification, or where nothing says it.
    pub result: Option<String>,
    /// Types that may come in place of the result.
    pub alternatives: Vec<String>,
    /// The union of the result and its alternatives, if there are any.
    pub outcome: Option<String>,
    /// What has to have been declared before it may be sent.
    pub capabilities: Vec<Capability>,
    /// One line on what it does.
    pub docs: String,
}

/// How a method travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MethodKind {
    /// As a request.
    Request,
    /// As a notification.
    Notification,
    /// Inside a result that asks for input.
    InputRequest,
}

/// Who may send a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sender {
    /// Only the client.
    Client,
    /// Only the server.
    Server,
    /// Either side.
    Both,
}

/// A capability that has to have been declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Capability {
    /// The rule is for messages of this side.
    pub sender: Sender,
    /// The side that has to have declared it.
    pub declared_by: Sender,
    /// The way to it in the capabilities.
    pub path: String,
    /// A condition on the params.
    pub when: Option<When>,
}

/// A condition on the params of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// The member that decides.
    pub member: String,
    /// The string that it has to be.
    pub equals: Option<String>,
    /// Whether the condition also holds if it is absent.
    #[serde(default)]
    pub absent: bool,
}

/// How a definition relates to the JSON-RPC envelope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Envelope {
    /// Which envelope it has.
    pub form: Form,
    /// The type that remains when the envelope is taken off; `None` where only the envelope is.
    pub body: Option<String>,
}

/// The envelopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// `jsonrpc`, `id`, `method`, `params`.
    Request,
    /// `jsonrpc`, `method`, `params`.
    Notification,
    /// `jsonrpc`, `id`, `result`.
    Result,
    /// `jsonrpc`, `id`, `error`.
    Error,
    /// Several of those.
    Message,
}

impl PartialEq for Inline {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape
    }
}

impl Type {
    /// Whether null is one of its values.
    pub fn admits_null(&self) -> bool {
        matches!(self, Self::Any | Self::Null | Self::Nullable(_))
    }

    /// Calls `visit` on the types directly inside this one.
    pub fn children_mut(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        match self {
            Self::Array(inner, _) | Self::Map(inner) | Self::Nullable(inner) | Self::Boxed(inner) => visit(inner),
            Self::Inline(inline) => inline.shape.types_mut(visit),
            Self::AllOf(types) => types.iter_mut().for_each(visit),
            _ => {}
        }
    }

    /// The name of the type that this refers to through lists, maps and boxes.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Named(name) => vec![name],
            Self::Array(inner, _) | Self::Map(inner) | Self::Nullable(inner) | Self::Boxed(inner) => inner.names(),
            Self::Inline(inline) => inline.shape.types().into_iter().flat_map(Self::names).collect(),
            Self::AllOf(types) => types.iter().flat_map(Self::names).collect(),
            _ => Vec::new(),
        }
    }
}

impl Shape {
    /// Calls `visit` on the types directly inside.
    pub fn types_mut(&mut self, visit: &mut dyn FnMut(&mut Type)) {
        match self {
            Self::Struct(shape) => {
                shape.fields.iter_mut().map(|field| &mut field.ty).chain(&mut shape.rest).for_each(visit)
            }
            Self::Union(union) => union.arms.iter_mut().map(|arm| &mut arm.ty).for_each(visit),
            Self::Alias(ty) => visit(ty),
            Self::Enum(_) | Self::Constant(_) => {}
        }
    }

    /// The types directly inside.
    pub fn types(&self) -> Vec<&Type> {
        match self {
            Self::Struct(shape) => shape.fields.iter().map(|field| &field.ty).chain(&shape.rest).collect(),
            Self::Union(union) => union.arms.iter().map(|arm| &arm.ty).collect(),
            Self::Alias(ty) => vec![ty],
            Self::Enum(_) | Self::Constant(_) => Vec::new(),
        }
    }
}

impl Struct {
    /// The member of that name.
    pub fn field(&self, wire_name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.wire_name == wire_name)
    }

    /// The string that a required member always holds, if it is such a member.
    pub fn literal(&self, wire_name: &str) -> Option<&str> {
        match &self.field(wire_name)?.ty {
            Type::Literal(Literal::String(value)) => Some(value),
            _ => None,
        }
    }
}

impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.wire_name == other.wire_name
            && self.ty == other.ty
            && self.presence == other.presence
            && self.preset == other.preset
    }
}

impl Field {
    /// Whether the value is fixed, so that it has no place in Rust.
    pub fn is_constant(&self) -> bool {
        matches!(self.ty, Type::Literal(_)) && self.presence == Presence::Required
    }
}

impl Revision {
    /// Calls `visit` on each type of each definition, outermost first.
    pub fn types_mut(&mut self, visit: &mut dyn FnMut(&mut Type)) {
        fn all(ty: &mut Type, visit: &mut dyn FnMut(&mut Type)) {
            visit(ty);
            ty.children_mut(&mut |child| all(child, visit));
        }
        for definition in self.definitions.values_mut() {
            definition.shape.types_mut(&mut |ty| all(ty, visit));
        }
    }

    /// The struct of that name, through aliases.
    pub fn structure(&self, name: &str) -> Option<&Struct> {
        match self.resolve(name)? {
            Shape::Struct(shape) => Some(shape),
            _ => None,
        }
    }

    /// The shape of that name, through aliases that lead to other definitions.
    pub fn resolve(&self, name: &str) -> Option<&Shape> {
        let mut shape = &self.definitions.get(name)?.shape;
        // Cycles of aliases are refused before anything asks.
        for _ in 0..=self.definitions.len() {
            match shape {
                Shape::Alias(Type::Named(next)) => shape = &self.definitions.get(next)?.shape,
                shape => return Some(shape),
            }
        }
        None
    }
}
