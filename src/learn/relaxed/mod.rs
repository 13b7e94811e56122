//! Relaxed trees: oblique trees whose traversal and pruning solve a quadratic programme, learned through its
//! solution.
//!
//! Every split asks for the sign of a plane. How far a sample comes down the tree is the least of the scores
//! on its path. How much of it a node lets through is the node's pruning variable, which never grows from a
//! node to its child. A predictor reads the traversal, and one optimiser moves planes, pruning scores and
//! predictor together. In the end the tree is read hard: pruned nodes are gone, and leaves answer for the
//! samples that reach them.
//!
//! | folder | holds | imports |
//! | --- | --- | --- |
//! | [`paper`] | the published learner: citation, symbols, what differs | neither of the others |
//! | [`ours`] | what we add: greedy starts, expressible splits, the hard tree, stages | `paper` |
//! | `settings` | hyper-parameters, the declared list, the values of each recipe | `ours`, `paper` |
//! | `plan` | the units of a training, which other code drives | all of them |
//!
//! [`Config`] holds the settings and [`RelaxedPlan`] is the training. The recipe `published` switches off
//! what `ours` adds, except that splits are expressible and the tree is read hard.

pub mod ours;
pub mod paper;
mod plan;
mod settings;

pub use plan::RelaxedPlan;
pub use settings::Config;
