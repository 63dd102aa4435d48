//! The model of a schema: a flat list of nodes that refer to one another by index.

use serde_json::Value;

/// Where a node stands in its [`Model`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeId(pub(super) usize);

/// What a schema allows at one place, with `$ref`, `allOf` and lists of types resolved.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    /// Every JSON value.
    Any,
    /// No value at all.
    Never,
    Null,
    Boolean,
    String,
    /// A number without a fraction, however it is written.
    Integer(Range),
    Number(Range),
    Const(Value),
    Enum(Vec<Value>),
    Array(Array),
    Object(Object),
    /// A value of at least one of the arms.
    Union(Vec<NodeId>),
    /// A definition that is only another name for a second one.
    Same(NodeId),
}

/// The bounds of a number, both inclusive.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Range {
    pub(super) least: Option<f64>,
    pub(super) most: Option<f64>,
}

impl Range {
    /// Tells whether a number lies within the bounds.
    pub(super) fn holds(&self, number: f64) -> bool {
        self.least.is_none_or(|least| number >= least) && self.most.is_none_or(|most| number <= most)
    }
}

/// A list of values of one shape.
#[derive(Debug, Clone)]
pub(super) struct Array {
    pub(super) items: NodeId,
    pub(super) least: usize,
    pub(super) most: Option<usize>,
}

impl Array {
    /// Tells whether a list may have this many elements.
    pub(super) fn holds(&self, length: usize) -> bool {
        length >= self.least && self.most.is_none_or(|most| length <= most)
    }
}

/// Named members, and what else an object may have.
#[derive(Debug, Clone)]
pub(super) struct Object {
    pub(super) members: Vec<Member>,
    pub(super) rest: Rest,
}

impl Object {
    /// The member of that name, if the schema names it.
    pub(super) fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name == name)
    }
}

/// One member that a schema names.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) node: NodeId,
    pub(super) required: bool,
}

/// The members that a schema does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// Any name, any value.
    Open,
    /// Any name, values of one shape: the object is a map.
    Map(NodeId),
    /// None.
    Closed,
}

/// A whole schema. The first nodes are its definitions, in their order.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) names: Vec<String>,
    pub(super) nodes: Vec<Shape>,
    /// Whether a definition can contain itself.
    pub(super) recursive: Vec<bool>,
    /// Whether a definition that can contain itself lies at or below the node.
    pub(super) leads: Vec<bool>,
}

impl Model {
    /// The definition of that name.
    pub(super) fn definition(&self, name: &str) -> Option<NodeId> {
        self.names.iter().position(|known| known == name).map(NodeId)
    }

    /// The name of a node that is a definition.
    pub(super) fn name(&self, node: NodeId) -> Option<&str> {
        self.names.get(node.0).map(String::as_str)
    }

    /// The node itself or the one that it is another name for.
    pub(super) fn target(&self, mut node: NodeId) -> NodeId {
        while let Shape::Same(other) = self.nodes[node.0] {
            node = other;
        }
        node
    }

    /// What a node allows; never [`Shape::Same`].
    pub(super) fn shape(&self, node: NodeId) -> &Shape {
        &self.nodes[self.target(node).0]
    }

    /// The arms of a union with unions among them opened; the node itself if it is none.
    pub(super) fn arms(&self, node: NodeId) -> Vec<NodeId> {
        match self.shape(node) {
            Shape::Union(arms) => arms.iter().flat_map(|arm| self.arms(*arm)).collect(),
            _ => vec![node],
        }
    }

    /// The nodes directly below one.
    pub(super) fn children(&self, node: NodeId) -> Vec<NodeId> {
        match &self.nodes[node.0] {
            Shape::Array(array) => vec![array.items],
            Shape::Object(object) => {
                let rest = match object.rest {
                    Rest::Map(entry) => Some(entry),
                    Rest::Open | Rest::Closed => None,
                };
                object.members.iter().map(|member| member.node).chain(rest).collect()
            }
            Shape::Union(arms) => arms.clone(),
            Shape::Same(other) => vec![*other],
            _ => Vec::new(),
        }
    }
}
