//! What can be set: the hyper-parameters, their declared list, the values of each recipe, and what leaves
//! answer with.
//!
//! This room imports no other room of the learner.

mod answer;
mod config;
mod entries;
mod recipes;

pub use answer::Answer;
pub use config::{BLOCK, Config, Switch, Tune};
pub(super) use recipes::{MOST_TAUGHT, MOST_TAUGHT_FEATURES};
