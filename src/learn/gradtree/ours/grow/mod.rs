//! Greedy growth: trees on binned features and soft targets, pruned by cost, with answers in their leaves.
//!
//! - `bins`: features as a few ordered bins
//! - `samples`: what trees are grown on, and their nodes
//! - `growth`: the trees, in pieces of work; `split_search` finds a node's split
//! - `pruning`: cost-complexity pruning
//! - `answers`: what leaves answer; `quantile_answers` under absolute and pinball loss
//! - `to_tree`: from grown nodes to the one tree type

mod answers;
mod bins;
mod growth;
mod pruning;
mod quantile_answers;
mod samples;
mod split_search;
mod to_tree;

pub use answers::LeafAnswers;
pub use bins::Bins;
pub use growth::{GrowthLimits, TreeGrowth};
pub use pruning::{leaf_of, pruned};
pub use quantile_answers::answer_quantiles;
pub use samples::{GrownNode, GrowthSamples};
pub use to_tree::tree_of;
