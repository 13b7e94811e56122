//! The exact search: every threshold between two neighbouring values of a column is tried.
//!
//! | file | holds |
//! | --- | --- |
//! | `criterion` | impurity of a group of samples, score of a split: Gini, entropy, squared error |
//! | `ordered` | the same for absolute and pinball loss, which need the order of the labels |
//! | `search` | the best split of a group over features and thresholds |
//! | `splitter` | the stopping rules, and the two sides of a split |

mod criterion;
mod ordered;
mod search;
mod splitter;

use std::sync::Arc;

use super::grower::{Grower, Growth, Halves, Order, Search};
use crate::learn::words;
use crate::numeric::pinball::Pinball;
use crate::numeric::random::Random;
use crate::numeric::slices::Slice;
use crate::tree::{Leaf, Tree};

pub use search::BestSplit;
pub use splitter::{Splitter, Summary};

/// The impurity that a split decreases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Criterion {
    /// Gini for classes, squared error for numbers.
    Auto,
    /// `1 − Σ p²` over the class shares.
    Gini,
    /// `− Σ p log2 p` over the class shares.
    Entropy,
    /// Variance of the labels.
    SquaredError,
}

words!(Criterion { Auto = "auto", Gini = "gini", Entropy = "entropy", SquaredError = "squared_error" });

/// The weight of a sample of each class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassWeight {
    /// 1.
    None,
    /// `N / (C N_k)`: every class counts the same in total.
    Balanced,
}

words!(ClassWeight { None = "none", Balanced = "balanced" });

/// What is minimised, and where growth ends.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitRules {
    /// Edges from the root to the deepest leaf, at most.
    pub depth: u32,
    /// The impurity that a split decreases.
    pub criterion: Criterion,
    /// The loss of numbers, unless it is the squared error.
    pub pinball: Option<Pinball>,
    /// A node with fewer samples is a leaf.
    pub min_samples_split: u32,
    /// No leaf has fewer samples.
    pub min_samples_leaf: u32,
    /// A split must decrease the impurity by this, weighted by the node's share of all samples.
    pub min_impurity_decrease: f64,
    /// The weight of a sample of each class.
    pub class_weight: ClassWeight,
}

impl SplitRules {
    /// scikit-learn's defaults, down to a depth.
    pub fn down_to(depth: u32) -> SplitRules {
        SplitRules {
            depth,
            criterion: Criterion::Auto,
            pinball: None,
            min_samples_split: 2,
            min_samples_leaf: 1,
            min_impurity_decrease: 0.0,
            class_weight: ClassWeight::None,
        }
    }
}

/// The columns that a node tries.
enum Tried {
    /// All of them.
    All,
    /// So many, drawn at random; where none of them can be split, the others.
    Drawn(usize, Random),
}

/// The exact search of one tree.
pub struct ExactSearch {
    splitter: Arc<Splitter>,
    /// All columns; those that a node tries first come first.
    features: Vec<usize>,
    tried: Tried,
}

/// A tree that grows by the exact search.
pub type ExactGrower = Grower<ExactSearch>;

impl ExactSearch {
    /// A tree in which every node tries every column, level by level.
    pub fn grower(splitter: Arc<Splitter>, samples: Vec<u32>) -> ExactGrower {
        Self::begin(splitter, samples, Tried::All, Order::Levels)
    }

    /// A tree of a forest, in which every node tries some columns drawn at random.
    pub fn random_grower(
        splitter: Arc<Splitter>,
        samples: Vec<u32>,
        tried: usize,
        random: Random,
    ) -> ExactGrower {
        let tried = tried.min(splitter.features());
        Self::begin(splitter, samples, Tried::Drawn(tried, random), Order::DepthFirst)
    }

    fn begin(splitter: Arc<Splitter>, samples: Vec<u32>, tried: Tried, order: Order) -> ExactGrower {
        let (summary, depth) = (splitter.summary(&samples), splitter.depth());
        let features = (0..splitter.features()).collect();
        let growth = Growth::new(samples, summary, depth, order);
        Grower::new(ExactSearch { splitter, features, tried }, growth)
    }
}

impl Search for ExactSearch {
    type Cut = BestSplit;
    type Summary = Summary;

    async fn cut(
        &mut self,
        samples: &mut [u32],
        depth: u32,
        node: &Summary,
        slice: &mut Slice,
    ) -> Option<Halves<BestSplit, Summary>> {
        let ExactSearch { splitter, features, tried } = self;
        if let Tried::Drawn(count, random) = tried {
            *features = random.permutation(features.len());
            features[..*count].sort_unstable();
            features[*count..].sort_unstable();
        }
        let first = if let Tried::Drawn(count, _) = tried { *count } else { features.len() };
        let (drawn, others) = features.split_at(first);
        for columns in [drawn, others] {
            if let Some(halves) = splitter.split_in_slices(samples, depth, node, columns, slice).await {
                return Some(halves);
            }
        }
        None
    }
}

/// A grown node of the exact search.
pub type ExactNode = super::NodeOf<ExactSearch>;

/// The tree of grown nodes in which the marked ones are leaves.
pub fn tree_of(nodes: &[ExactNode], collapsed: &[bool], classes: bool) -> Tree {
    let leaf = |summary: &Summary| {
        let answer = summary.answer.iter().map(|&answer| answer as f32);
        if classes { Leaf::Scores(answer.collect()) } else { Leaf::Constant(summary.answer[0] as f32) }
    };
    super::tree_of(nodes, collapsed, |cut| (cut.split(), cut.default_left), leaf)
}
