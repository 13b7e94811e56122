//! GradTree: a hard, axis-aligned tree whose splits and leaves are all fitted together by gradient descent.
//!
//! Marton, Lüdtke, Bartelt, Stuckenschmidt: *GradTree: Learning Axis-Aligned Decision Trees with Gradient Descent*, AAAI
//! 2024. Equations and algorithms are numbered as in the proceedings.
//!
//! A complete tree of depth D has at each inner node i a row of scores `I_i` that choose its feature, a threshold `T_ij`
//! per feature, and at each leaf l a row of outputs `L_l`. The forward pass is hard: the feature with the best score, left
//! if `x < T`. The backward pass puts an entmax in place of the choice and a sigmoid in place of the step (straight-through).
//! [`backward`] computes that gradient along each sample's path only, which is exact: no other node has one.
//!
//! Differs from the paper:
//! - two classes have one logit instead of two columns, as in the authors' program;
//! - the node above leaf l at level j follows eq. 4; algorithm 1 prints another exponent, which leaves the tree;
//! - left is `x < T` (algorithm 1); the sign in eq. 6 is the opposite;
//! - a checkpoint of weight averaging (`average`) is the end of an epoch, for the text does not say when one is taken;
//! - leave-one-out encoding (`categories`) has one column per class where there are more than two.
//!
//! Differs from the released program:
//! - weights are averaged as in the text under the recipe `published`; the program computes averages and does not use
//!   them;
//! - all categories are encoded by leave-one-out as in the text under the recipe `published`; the program one-hot
//!   encodes nominal columns that its authors list by hand;
//! - I and T are drawn independently; there they come from one seed and start equal (`tie_init` does that);
//! - the best parameters are always restored, also when the epoch limit ends a run;
//! - validation loss is the mean over all samples, not over batches, so it does not depend on the batch size;
//! - the focal loss works on logits and is not clipped; PolyLoss is the published formula, not one softmax of another;
//! - class weights act per sample, in the training and in the validation loss;
//! - a value on a threshold goes right in training and in the finished tree; there the finished tree sends it left.
//!   The finished tree tests `x <= t` with t the largest f32 below T, which is the same test;
//! - columns are standardised unless `scale` asks for the paper's ranks; zeros and ones are standardised in either case, where
//!   ranks would put them at −5.2 and 5.2;
//! - a class too small for synthetic samples gets copies by itself; there, all classes do;
//! - the settings of the authors' experiments are the recipe `published`; the recipe `espalier` goes beyond them.
//!
//! The recipe `espalier` begins with a greedy start ([`GradPlan`] lists the units, each independent of the others):
//! 1. a small forest votes on the samples that each of its trees has not seen (`teacher`), and a tree is grown on targets that are
//!    half votes and half the samples' own, rare classes counting more, and on made-up samples that the forest answers (`crossed`);
//! 2. held-out samples choose its pruning and how far answers favour rare classes, but only where they clearly object to the
//!    usual choice: the best of many alternatives on few samples is the luckiest one;
//! 3. gradient descent moves all its splits together for a few epochs, and stays where held-out samples do not object;
//! 4. random starts follow as published; one of them wins only if it is better by more than chance, as where greedy growth
//!    sees nothing;
//! 5. the winner's recipe is repeated on training and validation samples together.
//!
//! Numbers may be fitted by the absolute error or by the loss of a quantile instead of the squared error: see
//! `quantiles.rs`.

mod answers;
mod average;
pub mod backward;
mod bins;
mod board;
mod config;
mod crossed;
mod folds;
pub mod forward;
mod ground;
mod grow;
pub mod harden;
mod params;
mod plan;
mod plot;
mod published;
mod quantiles;
mod rebuild;
mod run;
mod search;
mod teacher;
mod warm;

pub use config::{ClassWeight, Config, Encoding, Fill, Init, LossChoice, Start};
pub use params::Parameters;
pub use plan::GradPlan;
