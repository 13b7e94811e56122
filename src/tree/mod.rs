//! One hard tree for every learner.
//!
//! A [`Tree`] reads a row of `f32` values, one per feature. The same type is used in two spaces. In *design*
//! space, where a learner works, features are encoded columns, all numeric. In the *file* space of a
//! [`Model`], features are the file's own columns: numbers in the file's units, categories as the index of
//! their word. `encode` maps the first to the second.
//!
//! Invariants: nodes are stored breadth-first with the root at 0, every other node has exactly one parent,
//! and a child's position is greater than its parent's.

mod bounds;
mod decision;
mod model;
mod parameters;
mod prune;
mod reading;
mod route;
mod shares;
mod split;
mod stats;
#[doc(hidden)]
pub mod topology;

#[doc(inline)]
pub use crate::numeric::{DateFormat, DatePart, NumberFormat, Thousands};
pub use bounds::Bounds;
pub use decision::Decision;
pub use model::{Feature, FeatureKind, Model, PostTransform, Prediction, Target};
pub use reading::CellReading;
pub use split::{Leaf, Split};
pub use stats::NodeStats;

pub(crate) use shares::STRENGTHS;

#[doc(hidden)]
pub use split::round_down;

use serde::{Deserialize, Serialize};

/// A node: a split with two children, or a leaf.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Node {
    /// An internal node.
    Split {
        /// The test.
        split: Split,
        /// Position of the child for rows that pass the test.
        left: usize,
        /// Position of the child for all other rows.
        right: usize,
        /// Whether a row goes left if its value is missing or unseen.
        default_left: bool,
    },
    /// A leaf.
    Leaf(Leaf),
}

impl Node {
    /// The features that a split tests or that a leaf's linear model reads.
    pub fn features(&self) -> &[usize] {
        match self {
            Node::Split { split, .. } => split.features(),
            Node::Leaf(Leaf::Linear { features, .. }) => features,
            Node::Leaf(_) => &[],
        }
    }
}

/// A binary decision tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Node>", into = "Vec<Node>")]
pub struct Tree {
    nodes: Vec<Node>,
}

impl TryFrom<Vec<Node>> for Tree {
    type Error = String;

    fn try_from(nodes: Vec<Node>) -> Result<Tree, String> {
        Tree::new(nodes)
    }
}

impl From<Tree> for Vec<Node> {
    fn from(tree: Tree) -> Vec<Node> {
        tree.nodes
    }
}

impl Tree {
    /// Builds a tree from nodes in any order, the root first; they are sorted breadth-first.
    ///
    /// Fails, with a sentence that names the node, if the nodes do not form one binary tree: they may come
    /// from a file.
    pub fn new(nodes: Vec<Node>) -> Result<Tree, String> {
        topology::breadth_first(nodes).map(|nodes| Tree { nodes })
    }

    /// A tree of one leaf.
    pub fn leaf(leaf: Leaf) -> Tree {
        Tree { nodes: vec![Node::Leaf(leaf)] }
    }

    /// The nodes, breadth-first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Number of splits and leaves.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Features per split on average; `None` if there is no split.
    pub fn columns_per_split(&self) -> Option<f64> {
        let splits = self.nodes.iter().filter(|node| matches!(node, Node::Split { .. }));
        let (count, features) = splits.fold((0, 0), |(n, sum), node| (n + 1, sum + node.features().len()));
        (count > 0).then(|| features as f64 / f64::from(count))
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node, Node::Leaf(_))).count()
    }

    /// Edges from the root to the deepest leaf.
    pub fn depth(&self) -> usize {
        self.paths().iter().map(String::len).max().unwrap_or(0)
    }

    /// Every node's path from the root: one `L` or `R` per edge.
    pub fn paths(&self) -> Vec<String> {
        let mut paths = vec![String::new(); self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            if let Node::Split { left, right, .. } = node {
                paths[*left] = format!("{}L", paths[id]);
                paths[*right] = format!("{}R", paths[id]);
            }
        }
        paths
    }

    /// The leaf that a row reaches. `row` has one value per feature; NaN is missing.
    pub fn leaf_of(&self, row: &[f32]) -> usize {
        let mut at = 0;
        while let Some(next) = self.step(at, row) {
            at = next;
        }
        at
    }

    /// Every node a row visits, root to leaf.
    pub fn path_of<'a>(&'a self, row: &'a [f32]) -> impl Iterator<Item = usize> + 'a {
        std::iter::successors(Some(0), move |&at| self.step(at, row))
    }

    /// The child of node `at` that a row goes to; `None` at a leaf. All routing of single rows goes through
    /// here.
    fn step(&self, at: usize, row: &[f32]) -> Option<usize> {
        match &self.nodes[at] {
            Node::Leaf(_) => None,
            Node::Split { split, left, right, default_left } => {
                Some(if split.goes_left(row).unwrap_or(*default_left) { *left } else { *right })
            }
        }
    }

    /// The raw outputs of the leaf at position `leaf` for a row, before any output transform.
    ///
    /// # Panics
    /// If `leaf` is not a leaf.
    pub fn output(&self, leaf: usize, row: &[f32]) -> Vec<f64> {
        match &self.nodes[leaf] {
            Node::Leaf(leaf) => leaf.output(row),
            Node::Split { .. } => panic!("node {leaf} is a split"),
        }
    }
}
