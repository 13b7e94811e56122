//! GET and GET-Linear as published: one oblique tree, trained as a soft one and read as a hard one.
//!
//! Qiangqiang Mao and Yankai Cao: *Can a single tree outperform an entire forest?*, arXiv:2411.17003v1, 2024.
//! GET stands for gradient-based entire tree optimisation; the authors' program is maoqiangqiang/GET, version
//! 0.1.1.
//!
//! Every node t of a complete tree has a plane: `a_t·x <= b_t` goes left. Every leaf has a constant (GET) or
//! a linear model (GET-Linear). A scaled sigmoid of the distance to the plane shares each sample between both
//! sides, so the expected loss over all leaves is differentiable in everything. While it is descended, the
//! tree is also read hard, with leaves in closed form, and the best hard tree seen is kept.
//!
//! | paper | here | shape |
//! | --- | --- | --- |
//! | n, p | samples, F features ([`Blocks`](super::kernel::blocks::Blocks)) | |
//! | D, T_B, T_L | `depth`, nodes in heap order from 0, leaves from left to right | N = 2^D − 1, L = 2^D |
//! | a_t, b_t | [`Parameters::planes`](parameters::Parameters::planes), row t is `(−a_t, b_t)` | N × (F + 1), padded |
//! | h_t (GET), k_t and h_t (GET-Linear) | [`Parameters::leaves`](parameters::Parameters::leaves) | L, or L × (F + 1), padded |
//! | `b_t − a_t·x_i` | `score`, U_it | N × samples |
//! | α | `alpha`, [`ScaleFactors`](scale_factors::ScaleFactors) | one per run |
//! | sigmoid of α U | `left`, I_it | N × samples |
//! | products of sigmoids along a path | `reach`, π_it | (N + L) × samples |
//! | λ | `l1` | |
//! | N_start | [`SearchPlan::starts`](search_plan::SearchPlan::starts) | |
//!
//! # Algorithm 1, entire tree optimisation
//!
//! The line numbers are those of this restatement; comments in the code refer to them.
//!
//! ```text
//!  1  for each of N_start starts                                          multistart
//!  2      begin at CART's tree (the first start) or at a random one       start, initial_trees
//!  3      for each scale factor α, the smallest first                     start, scale_factors
//!  4          for each epoch                                              descent
//!  5              soft loss and its gradient (eqs. 3-4)                   soft_pass
//!  6              hard check: route by a·x <= b, leaves in closed form;   hard_leaves
//!                 keep the tree if its hard loss is the least so far
//!  7              move planes and leaves by AdamW                         optimiser
//!  8              next learning rate                                      optimiser
//!  9          begin the next α at the best tree seen
//! 10  return the best tree of all starts
//! ```
//!
//! # Algorithm 2, subtree polish
//!
//! ```text
//!  1  B ← the tree of Algorithm 1                                         polish
//!  2  for each node t in pre-order, the root first, down to level 4 (all levels if D <= 4)
//!  3      S ← samples that reach t in B; skip t if they are at most one or all alike
//!  4      starts: CART on S, the subtree of B below t with its leaves refitted on S, then random ones
//!  5      Algorithm 1 on S, for a tree of the depth that is left below t
//!  6      put it in the place of the subtree in a copy of B; refit all leaves on all samples
//!  7      B ← the copy, if its hard loss is less
//!  8  return B
//! ```
//!
//! # Differs from the paper
//!
//! - The loss is a mean over samples, as in the program; the text has a sum. It matters to AdamW and to λ.
//! - The hard check is made every epoch, as in the program; the text makes it after the last one.
//! - The first start begins at CART's tree, as in the program; the text has random starts only.
//! - AdamW decays weights by 0.01, the default of the program's library; the text does not mention it.
//! - The learning rate rises over eleven steps and then falls along half a cosine, as in the program. The
//!   text names a scheduler with restarts; there is no restart.
//! - Classes, which the paper does not have: leaves hold shares, the loss at a leaf is `−ln p`, and p has a
//!   closed form.
//! - Slopes of linear leaves start at 0, and their least squares have a ridge of 1e-8 of the mean diagonal.
//!   Finished linear leaves answer within [`Bounds`](crate::tree::Bounds): the range of the targets and as
//!   far again on either side.
//! - Branches that all samples of a block reach by less than 1e-5 are passed over.
//! - Categories have no place in a weighted sum. They are asked about alone, in splits that come from CART's
//!   tree.
//! - Tuning takes the shallowest of equally good depths, and columns keep the scale of the training part
//!   ([`tuning`]).
//!
//! # Differs from the released program
//!
//! - The second scale factor is drawn from 50 to 150, as in the text; the program draws from 80 to 120.
//! - Features and target are scaled to [0, 1], as the text assumes; the program leaves that to its caller.
//! - Below a leaf of CART's tree all leaves start with its value. The program sets the leftmost one and
//!   leaves 0 in the others, which the soft pass sees.
//! - Polish routes samples by the best tree. The program routes them by the planes found last, rejected ones
//!   too.
//! - Polish refits the leaves of the current subtree on its own samples; the program takes all samples.
//! - Polish has ten starts, as in the text.
//!
//! # Options that are off as published
//!
//! A few fields of [`SearchPlan`](search_plan::SearchPlan) and [`DescentSettings`](descent::DescentSettings)
//! let another recipe change a step without a second copy of the algorithm: batches, closed leaves, patience,
//! checks every few epochs, an annealed scale factor, planes through samples, further initial trees.
//! `published` gives each of them its neutral value.

pub mod closed_leaves;
pub mod descent;
mod descent_settings;
pub mod free_weights;
pub mod hard_leaves;
pub mod hard_tree;
pub mod initial_trees;
pub mod multistart;
pub mod optimiser;
pub mod parameters;
pub mod polish;
pub mod scale_factors;
pub mod search_plan;
pub mod soft_pass;
pub mod start;
pub mod training_set;
pub mod tuning;
pub mod units;
