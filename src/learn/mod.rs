//! The learners, behind one trait, driven step by step by their caller.
//!
//! A learner knows no file, no message and no clock. It works on a [`Design`](crate::encode::Design), counts
//! its own steps, and gives a hard [`Tree`](crate::tree::Tree) in design space whenever it is asked. A
//! [`Settings`] says which hyper-parameters were set by hand and which [`Recipe`] gives the others. It is
//! resolved to a [`Config`] once the target is known, and [`Config::check`] checks that once; code behind the
//! check trusts it.
//!
//! To add a learner: write a module with a `Config` that lists its parameters and a type that implements
//! [`Training`], then add a line to each `match` of `registry.rs`.

#[doc(hidden)]
pub mod cart;
mod check;
mod choices;
#[doc(hidden)]
pub mod forest;
#[doc(hidden)]
pub mod get;
#[doc(hidden)]
pub mod gradtree;
#[doc(hidden)]
pub mod greedy;
mod kept;
#[cfg(any(feature = "study", not(target_arch = "wasm32")))]
#[doc(hidden)]
pub mod kmeans;
mod parallel;
mod params;
mod phase;
mod recipe;
mod registry;
mod regression;
#[doc(hidden)]
pub mod relaxed;
mod select;
mod settings;
mod teach;
mod training;

pub(crate) use check::{check_samples, check_size};
pub(crate) use choices::TEACH_HELP;
#[doc(hidden)]
pub use choices::{StartChoice, Teach};
pub use kept::{Chosen, Judges, Kept, Measure, Start};
pub(crate) use params::words;
pub use params::{Domain, Param, Value};
pub use phase::{On, Phase, Work};
pub use recipe::{Recipe, TargetKind};
pub use registry::{Checked, Columns, Config, LEARNERS, Learner, Size};
pub use settings::Settings;
pub use training::{Alone, NodeChoice, Progress, StopReason, Training};

#[doc(hidden)]
pub use {
    parallel::{Brought, Found, Moment, Moments, Notes, Once, Outcome, Pace, Plan, Sequence, Unit},
    params::{Entry, Params, Slot, Words},
    regression::RegressionLoss,
};
