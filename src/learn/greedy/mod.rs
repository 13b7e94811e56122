//! Greedy growth: one grower, and the searches that choose its cuts.
//!
//! | file | holds |
//! | --- | --- |
//! | `grower` | the tree that grows node by node, in slices |
//! | `exact` | every threshold of every column is tried, as scikit-learn does: CART and the forest |
//! | `histogram` | thresholds between bins, on soft targets: greedy starts of GradTree, and the forest that teaches |
//! | `forest` | trees on bootstrap samples, one after another |
//! | `pruning` | cost-complexity pruning |
//!
//! Oblique searches read the samples in the layout of their learner, so they are in its room:
//! `get/ours/greedy_oblique` and `relaxed/ours/greedy`. They grow by the same grower.

pub mod exact;
mod forest;
mod grower;
pub mod histogram;
mod pruning;

pub use forest::BootstrapForest;
pub use grower::{
    Grower, Grown, GrownNode, Growth, Halves, NodeOf, Order, Search, heap_positions, partition,
};
pub use pruning::{cut_back, tree_of};
