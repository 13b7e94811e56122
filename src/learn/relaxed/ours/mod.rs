//! What we add to the published learner. None of it is in the paper.
//!
//! | file | what it adds | under the recipe `published` |
//! | --- | --- | --- |
//! | [`greedy`], [`greedy_start`] | the first two descents begin at greedy trees | off |
//! | [`objective`] | κ per sample; a charge λ per node, not the norm of η; ridge; L1 | only `l1` |
//! | [`course`] | scores that grow steeper; a rate that falls with every epoch | off |
//! | [`class_weights`] | rare classes count more | off (`balance` is 0) |
//! | [`restraints`] | what a step may not move; small frozen pruning variables are 0 | columns only |
//! | [`expressible`] | planes settle on columns that one split of the file can name | on |
//! | [`harden`], [`hardened`] | the hard tree; the best one of all epochs is kept | the best relaxed one |
//! | [`answers`] | answers shrunk towards the parent's; the best subtree under λ | no charge |
//! | [`stages`] | the order of all this in one descent | |
//! | [`context`] | what all descents of a training share | |
//!
//! Why: λ shall lead from the whole tree to one split, and the tree that is trained shall be the tree that is
//! read.

pub mod answers;
pub mod class_weights;
pub mod context;
pub mod course;
pub mod expressible;
pub mod greedy;
pub mod greedy_start;
pub mod harden;
pub mod hardened;
pub mod objective;
pub mod restraints;
pub mod stages;
