//! Relaxed trees: an oblique tree whose traversal and pruning solve a small quadratic programme, learned through its solution.
//!
//! Zantedeschi, Kusner, Niculae: *Learning binary trees by argmin differentiation*, 2020 and 2021 (the first version, with
//! learned pruning scores, is version A here; the released program is version B).
//!
//! Every node asks for the sign of a plane; how far a sample comes down is the least of the scores on its path
//! ([`traversal`]). How much of it each node lets through is its pruning variable a, the same for all samples, which never
//! grows from a node to its child: an isotonic problem over the tree, solved exactly ([`isotonic`]). A predictor reads the
//! traversal ([`predictor`]); everything is moved by one optimiser ([`descent`]). In the end the tree is read hard
//! ([`harden`]): pruned nodes are gone and leaves answer for the samples that reach them.
//!
//! Differs from the paper:
//! - the traversal is computed along the sample's own path only, which is exact ([`traversal`]);
//! - after each epoch a is computed once on all training samples and frozen, so that an answer depends on the row alone;
//! - the recipe `espalier` weighs pruning scores in proportion to the batch, so that a batch and the whole training set
//!   prune alike; charges λ for every unit of a instead of the infinity norm of η and takes a quarter for 0 once a is
//!   frozen, so that the strength leads from everything to one split; lets scores grow steeper, so that the tree can be
//!   read hard; and keeps the best hard tree, not the best relaxed one;
//! - in the recipe `espalier` the first two descents begin at greedy trees ([`greedy`]), rare classes count more, and
//!   the hard tree is the best subtree under the same charge λ per node ([`answers::Sums::worth`]);
//! - planes settle on a group of columns that the file can express ([`settle`]);
//! - leaves of the hard tree are shrunk towards their parents, as validation wants;
//! - depth and the strength of pruning are settings, where the text tunes them, and the recipe `published` is one run.
//!
//! Differs from the released program:
//! - no batch normalisation; the constants of planes are set on all training samples, and trained;
//! - version B has its 1/2 in both places and the real denominator in the backward pass;
//! - by default the predictor sees the traversal alone.

pub mod answers;
mod config;
pub mod descent;
pub mod greedy;
pub mod harden;
pub mod isotonic;
pub mod model;
pub mod parameters;
mod plan;
pub mod predictor;
pub mod samples;
pub mod settle;
pub mod start;
pub mod traversal;

pub use config::{Config, Course};
pub use plan::RelaxedPlan;
