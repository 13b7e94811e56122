//! The published learner.
//!
//! V. Zantedeschi, M. J. Kusner and V. Niculae, arXiv 2010.04627. The paper exists in two versions:
//!
//! - **version A**, *Learning Binary Trees via Sparse Relaxation*, arXiv v1, October 2020: every node has a
//!   learned pruning score η. This is the default here.
//! - **version B**, *Learning Binary Decision Trees by Argmin Differentiation*, ICML 2021 (PMLR 139), and the
//!   released program (`vzantedeschi/LatentTrees`): one strength λ for all nodes, and scores are raised by
//!   1/2.
//!
//! Numbers of algorithms and propositions are those of version A. Both versions share the isotonic problem
//! and its solver.
//!
//! # Symbols
//!
//! | symbol | shape | name in code | meaning |
//! | --- | --- | --- | --- |
//! | D, N, T | – | `depth`, `inner`, `nodes` | depth; 2^D − 1 splits; 2^(D+1) − 1 nodes, in heap order |
//! | F, C, B | – | `features`, `outputs`, `samples` | encoded columns; raw outputs; samples of a batch |
//! | w_t, b_t | N × F, N | `weights`, `bias` | the plane of split t |
//! | s_t(x) | N | `score` | split score `w_t·x + b_t`; left where `s < 0` |
//! | q_it | B × T | `q` | how far sample i comes down: the least signed score on the path to t |
//! | o | – | `offset` | 0 in version A, 1/2 in version B |
//! | η_t | T | `eta` | pruning scores (version A) |
//! | a_t | T | `a` | pruning variables, in `[0, 1]`, never growing from a node to its child |
//! | z_it | B × T | `z` | the traversal, `clip(q + o, 0, a)` |
//! | κ | – | `kappa` | weight of the first term of the isotonic problem: 1 in version A, λ in version B |
//! | λ | – | `lambda` | strength of pruning |
//! | G, S | – | `top`, `active` | a group of nodes with one value; the scores in it above that value |
//! | f | – | [`predictor`] | reads z, or x and z |
//! | θ | – | `theta` | w, b, η and the predictor's numbers in one list |
//! | x̄ | as x | `x_bar` | the gradient of the loss by x |
//!
//! # Where to find what
//!
//! | step of the paper | here |
//! | --- | --- |
//! | split scores and q, a minimum along the path | [`traversal`] |
//! | pruned traversal: z and a solve a quadratic programme | [`isotonic`] |
//! | Proposition 2, the value of a group | `Pruning::alone` and `Pruning::take_in` in [`isotonic`] |
//! | Algorithm 1, pool adjacent violators | [`isotonic::Pruning::solve`] |
//! | backward pass: the derivative of Proposition 2 | [`backward`] |
//! | the predictor f | [`predictor`] |
//! | the objective, with `λ \|η\|_∞` | [`objective`] |
//! | random start, biases that divide the samples evenly | [`start`] |
//! | one batch, forward and backward | [`batch`] |
//! | training: QHAdam, epochs | [`descent`] |
//! | learning rate and early stopping | [`stopping`] |
//! | which nodes pruning leaves, and where a sample ends | [`pruning`] |
//! | the answer for a new row | [`inference`] |
//!
//! # Differs from the paper
//!
//! - q at the root is 1, as in the released program; the text takes a minimum over nothing.
//! - The traversal is computed along positive scores only. This is exact ([`traversal`]).
//! - Algorithm 1 merges one violating child at a time. Here a node takes in all groups above its value by one
//!   root search, which finds the same solution ([`isotonic`]).
//! - A score equal to its group's value counts as not above it. The value is the same either way.
//! - Of equal minima on a path the uppermost gets the gradient.
//! - After each epoch a is solved for once on all training samples and frozen, so an answer depends on the
//!   row alone. The paper solves for a on the batch that is predicted.
//! - By default the predictor reads z alone, so that the tree is the whole model. The paper's reads x too.
//! - Depth and λ are settings, where the text tunes them, and the recipe `published` is one run.
//!
//! # Differs from the released program
//!
//! - No batch normalisation of the split scores. Columns are standardised instead.
//! - Biases are set on all training samples and are trained. The program sets them on the first batch, and
//!   its optimiser never sees them.
//! - Version B has its 1/2 both in a and in z, and the backward pass has the real denominator. The program
//!   forgets the 1/2 in z and truncates the denominator to an integer.
//! - A row with all leaves pruned stops at the deepest node that is left. The program answers with leaf 0.
//! - A sample goes left where `s < 0`, as in the text; the program has it the other way round.
//! - The hidden layer is one of 64 units, without dropout.

pub mod backward;
pub mod batch;
pub mod descent;
pub mod inference;
pub mod isotonic;
pub mod objective;
pub mod parameters;
pub mod predictor;
pub mod pruning;
pub mod samples;
pub mod start;
pub mod stopping;
pub mod traversal;
