//! What the recipe `espalier` adds to the paper: a greedy start, and the choice between starts by held-out
//! samples.
//!
//! - `stages`: the stages of a training in order, one line each
//! - `data`: the samples in every form that these stages need
//! - `answers`: what the leaves of a greedy tree answer
//! - `alternatives`: what held-out samples choose among
//! - `parameters_of_tree`: from a greedy tree to parameters that descend
//! - `fold_start`: a greedy start on one fold
//! - `greedy_start`: the unit that makes one on every fold, and chooses; `refinement` in it is the descent
//! - `greedy_refit`: the last stage, which makes the chosen one again on all samples
//! - `random_starts`: random starts beside a greedy one

mod alternatives;
mod answers;
mod data;
mod fold_start;
mod greedy_refit;
mod greedy_start;
mod parameters_of_tree;
mod random_starts;
mod stages;

pub(super) use alternatives::GrowthSettings;
pub(super) use data::PreparedData;
pub(super) use greedy_refit::GreedyRefit;
pub(super) use greedy_start::GreedyStart;
pub(super) use random_starts::beside_greedy;
pub use stages::{RecipeStage, Share};
