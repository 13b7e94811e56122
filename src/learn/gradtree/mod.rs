//! GradTree: a hard, axis-aligned tree whose splits and leaves are all fitted together by gradient descent.
//!
//! A complete tree of depth D has at each inner node i a row of scores `I_i` that choose its feature, a
//! threshold `T_ij` per feature, and at each leaf l a row of outputs `L_l`. The forward pass is hard: the
//! feature with the best score, left if `x < T`. The backward pass puts an entmax in place of the choice and
//! a sigmoid in place of the step (straight-through).
//!
//! Rooms, each of which imports only from those above it:
//!
//! - `settings`: the hyper-parameters, and the values of each recipe;
//! - [`paper`]: the algorithm as published (Marton et al., AAAI 2024), whole, with its symbols and equation
//!   numbers, and with what differs from the paper and from the released program;
//! - `ours`: what the recipe `espalier` adds: a greedy start that a forest teaches, the choice by held-out
//!   samples, and the refit on all samples. Its `stages` lists the stages of a training, one line each;
//! - `plan`: the units of a training, from both.
//!
//! The public surface is [`Config`] with its choices, [`GradPlan`], [`RecipeStage`], and the kernels in
//! [`paper`] that tests and benches call.

mod ours;
pub mod paper;
mod plan;
mod settings;

pub use ours::{RecipeStage, Share};
pub use paper::Parameters;
pub use plan::GradPlan;
pub use settings::{ClassWeight, Config, Encoding, Fill, Init, LossChoice};
