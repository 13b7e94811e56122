//! GET and GET-Linear: one oblique tree, trained by gradient descent as a soft tree and read as a hard one.
//!
//! | room | holds |
//! | --- | --- |
//! | `settings` | the hyper-parameters, their declared list and the values of each recipe |
//! | [`kernel`] | samples in blocks, the matrix product and the exponential of the soft pass |
//! | [`paper`] | the published algorithm, with its citation, symbols, and where it differs |
//! | `ours` | what the recipe `espalier` adds: other starts, selection, refinement, distillation, fewer columns |
//! | `plan` | the units of a training: one per start, then the final stages |
//!
//! A room imports only the rooms above it in this table; `tests/purity.rs` checks that. Both fit leaves and
//! planes with [`crate::numeric::solve`].

pub mod kernel;
mod ours;
pub mod paper;
mod plan;
mod settings;

pub use paper::tuning::Tuned;
pub use plan::GetPlan;
pub use settings::{Config, Switch, Tune};
