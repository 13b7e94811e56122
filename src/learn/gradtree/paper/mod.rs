//! GradTree as published: one complete tree, trained by gradient descent from random starts.
//!
//! Marton, Lüdtke, Bartelt, Stuckenschmidt: *GradTree: Learning Axis-Aligned Decision Trees with Gradient
//! Descent*, AAAI 2024 (preprint arXiv:2305.03515, version 6). Equations and algorithms are numbered as in
//! the proceedings. "The program" is the authors' of the experiments, "the package" their later one; both are
//! s-marton/GradTree.
//!
//! # Symbols
//!
//! | paper | here | shape | |
//! | --- | --- | --- | --- |
//! | d | D, `depth` | | levels of splits |
//! | n | F, `features` | | encoded columns |
//! | c | C, `outputs` | | classes; 1 for two classes and for numbers |
//! | – | N, L | | inner nodes 2^D − 1 in heap order; leaves 2^D from left to right |
//! | I | `Parameters::split_index` | N × F | scores by which a node chooses its feature |
//! | T | `Parameters::split_threshold` | N × F | a threshold for every feature that the node might choose |
//! | L, λ | `Parameters::leaf` | L × C | raw outputs |
//! | ι, τ | `HardSplits` | N | the chosen feature and its threshold (eq. 1 to 3) |
//! | x | `Samples::x` | F | a sample |
//! | i(l, j) | `Paths::node` | D | the node above leaf l at level j (eq. 4) |
//! | p(l, j) | the sign of `Paths::margin` | D | on which side of that node the leaf is (eq. 5) |
//! | S | `SplitFunction` | | sigmoid in the backward pass (eq. 6), rounded in the forward pass (eq. 7) |
//! | ŷ | u, `Parameters::leaf_row` | C | the raw output (eq. 1), before softmax or sigmoid |
//!
//! # Algorithm 1 and the training around it
//!
//! Algorithm 1 is the tree pass: for one sample it visits every leaf and every node above it.
//!
//! | step | here |
//! | --- | --- |
//! | entmax of I, in the forward pass its one-hot argmax | [`forward::HardSplits::refresh`] |
//! | for every leaf and level the node (line 8, eq. 4) and the side (eq. 5) | [`forward::HardSplits::walk`] |
//! | the decision at that node (eq. 6 and 7) | the same |
//! | the product of the decisions (eq. 2), which is 1 at one leaf | the leaf of [`forward::HardSplits::leaves`] |
//! | the sum over the leaves (eq. 1) | that leaf's row of L |
//! | softmax or sigmoid of ŷ, and the loss | [`Loss`](crate::numeric::loss::Loss) |
//! | the gradient, straight through both hard functions | [`backward::gradient`] |
//!
//! The program evaluates all of it densely. Here a pass follows each sample's own path, which gives the same
//! numbers: [`backward`] says why. The dense form, as the paper writes it, is in `benches/dense` and in the
//! oracle of `tests/gradtree_oracle.rs`, which holds this one to it.
//!
//! - `parameters`: I, T and L, and how they are drawn at the start
//! - `forward`, `backward`: the two passes; `samples` is what they read
//! - `descent`: batches and epochs, three Adam optimisers
//! - `weight_average`: the mean over checkpoints
//! - `early_stopping`: the best parameters so far, and when a run ends
//! - `random_start`: a run from a random start, one of several restarts
//! - `harden`: from parameters to the tree, without what no training sample reaches
//! - `data`, `units`, `class_weights`: the samples, and what leaves mean
//!
//! # Differs from the paper
//!
//! - Two classes have one logit instead of two columns, as in the program.
//! - The node above leaf l at level j follows eq. 4. Algorithm 1 prints the exponent d − j in line 8, which
//!   leaves the tree.
//! - Left is `x < T`, as in Algorithm 1 and in the program. Eq. 6 prints the opposite sign, with which eq. 3
//!   would send `x >= T` left.
//! - L has 2^d rows; the text says 2^n.
//! - p is the side of a node (eq. 5); Algorithm 1 also calls the running product of eq. 2 so.
//! - The bound of the initialiser is Glorot's of the array's own shape, as in the program; the text prints
//!   2^(2d−1) and 2^(2d) in it.
//! - The update subtracts the gradient; the text prints a plus.
//! - Samples near a threshold have the largest slope; the text says the smallest.
//! - A checkpoint of weight averaging (`average`) is the end of an epoch, for the text does not say when one
//!   is taken.
//! - Leave-one-out encoding (`categories`) has one column per class where there are more than two.
//! - Numbers are fitted too, standardised and by the squared error, as in the program; the paper has classes
//!   only.
//!
//! # Differs from the released program
//!
//! - Weights are averaged as in the text under the recipe `published`; the program computes averages and does
//!   not use them.
//! - All categories are encoded by leave-one-out as in the text under the recipe `published`; the program
//!   does so with columns that its authors list by hand, and there the mean is of the number of the class,
//!   also of more than two.
//! - I and T are drawn independently; there they come from one seed and start equal (`tie_init` does that).
//! - The best parameters are always restored, also when the epoch limit ends a run.
//! - Validation loss is the mean over all samples, not over batches, so it does not depend on the batch size.
//! - The focal loss works on logits and is not clipped; PolyLoss is the published formula, not one softmax of
//!   another.
//! - Class weights act per sample, in the training and in the validation loss. In the package they scale
//!   whole batches, which Adam undoes.
//! - A value on a threshold goes right in training and in the finished tree; there the finished tree sends it
//!   left. The finished tree tests `x <= t` with t the largest f32 below T, which is the same test.
//! - A split whose two sides answer the same is taken out of the finished tree.
//! - Columns are standardised unless `scale` asks for the paper's ranks; zeros and ones are standardised in
//!   either case, where ranks would put them at −5.2 and 5.2.
//! - A class too small for synthetic samples gets copies by itself; there, all classes do.

pub mod backward;
mod class_weights;
mod data;
mod descent;
mod early_stopping;
pub mod forward;
pub mod harden;
mod parameters;
mod random_start;
mod samples;
mod units;
mod weight_average;

pub(super) use class_weights::{class_counts, class_factors};
pub(super) use data::{TrainingData, WeightedSamples, targets};
pub(super) use descent::Descent;
pub use parameters::Parameters;
pub(super) use random_start::{LowestLoss, RandomStart, Ranking, RestartTerms};
pub use samples::Samples;
pub use units::OutputUnits;
