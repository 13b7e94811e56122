//! Distillation: a forest teaches one tree.
//!
//! A single tree follows the noise of its samples; a forest follows it less, but cannot be read. One tree
//! that is trained on the forest's answers comes near it (Breiman and Shang, *Born again trees*, 1996).
//!
//! | file | holds |
//! | --- | --- |
//! | `votes` | a forest whose out-of-bag votes soften targets |
//! | `taught` | any training on synthetic rows behind the real ones |
//! | `labelled_rows` | those rows, with hard labels of the forest |
//! | `recombined` | synthetic rows, recombined from real ones and labelled by the forest |

mod labelled_rows;
mod recombined;
mod taught;
mod votes;

pub(super) use recombined::{RecombinedRows, answer_real};
pub(super) use taught::Taught;
pub(super) use votes::VotingForest;
