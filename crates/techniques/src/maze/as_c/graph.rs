//! The nodes that C can say, each kept once.

use smt::{Operator, SortId, SymbolId};
use std::collections::HashMap;

/// A node. Children have smaller numbers than their parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(u32);

/// What is at the root of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum What {
    /// A bit-vector literal, as limbs, the lowest first, without leading zeros.
    Vector(Vec<u32>),
    /// The numerator of a literal.
    Number(i128),
    /// A free variable.
    Name(SymbolId),
    /// An element of an array or function, by its number.
    Read(usize),
    /// An index of a read, by the number of the read and its place.
    Index(usize, usize),
    /// An array that a function returns. It stands only below reads.
    Call(SymbolId),
    /// An operator of SMT-LIB. `Distinct` has two children, as have all operators that take any number.
    Apply(Operator),
    /// The numerator times a constant.
    Times(i128),
}

/// The numerators that a number may have, over one denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Interval {
    pub(super) low: i128,
    pub(super) high: i128,
    pub(super) denominator: i128,
}

/// What values a node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// 0 or 1.
    Truth,
    /// A bit-vector.
    Vector(u32),
    /// An integer or a real.
    Number(Interval),
    /// An element of a declared sort, by its number.
    Element,
    /// An array with few elements, of this sort.
    Array(SortId),
    /// An array that C cannot hold, of this sort. Only its elements are said.
    Unsaid(SortId),
}

impl Kind {
    /// The width of a bit-vector, 0 for other values.
    pub(super) fn width(self) -> u32 {
        if let Kind::Vector(width) = self { width } else { 0 }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    what: What,
    children: Vec<NodeId>,
    kind: Kind,
}

/// The store of nodes.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    table: HashMap<Node, NodeId>,
}

impl Graph {
    /// The node with this root, these children and these values.
    pub(super) fn add(&mut self, what: What, children: &[NodeId], kind: Kind) -> NodeId {
        let node = Node { what, children: children.to_vec(), kind };
        if let Some(known) = self.table.get(&node) {
            return *known;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.table.insert(node, id);
        id
    }

    pub(super) fn what(&self, node: NodeId) -> &What {
        &self.nodes[node.0 as usize].what
    }

    pub(super) fn children(&self, node: NodeId) -> &[NodeId] {
        &self.nodes[node.0 as usize].children
    }

    pub(super) fn kind(&self, node: NodeId) -> Kind {
        self.nodes[node.0 as usize].kind
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }
}
