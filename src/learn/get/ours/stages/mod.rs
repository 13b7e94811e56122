//! What follows the starts, as a list of stages.
//!
//! ```text
//! polish               search subtrees anew (Algorithm 2)                  polish=on
//! refine_nodes         improve planes one by one on training samples       refine=off
//! select_tree          which tree, levels and shrinkage, by validation     refine=on
//! select_by_folds      the same by cross-validation, where samples are few refine=on, constant leaves
//! distil               students learn from all trees and a forest          teach=on
//! judge_students       the same selection among the students               teach=on
//! column_readiness     how readily columns are dropped, by validation      spare > 0
//! merge_validation     validation samples join the training samples        refine=on
//! teachers_again       the starts that teach, on all samples               a student was chosen
//! student_again        the student once more, on all samples               a student was chosen
//! start_again          the greedy start that won, on all samples           it was chosen
//! descend_again        one more descent of any other tree, on all samples  it was chosen
//! drop_columns         splits of the finished tree name fewer columns      spare > 0
//! ```
//!
//! The right column says when a stage has something to do; otherwise it is left out. Stages hand results on
//! in [`State`].

mod column_readiness;
mod descend_again;
mod distil;
mod drop_columns;
mod judge_students;
mod merge_validation;
mod polish;
mod refine_nodes;
mod run;
mod select_by_folds;
mod select_tree;
mod shares;
mod start_again;
mod starts_that_teach;
mod state;
mod student_again;
mod teachers_again;

pub(crate) use run::FinalStages;
pub(crate) use shares::last_share;
pub(crate) use state::How;

use shares::StageShares;
use state::State;

use crate::learn::get::paper::parameters::Parameters;
use crate::learn::{Kept, Phase};

/// Begins a stage; none if it has nothing to do, or has done it at once.
type Begin = fn(&mut State) -> Option<Box<dyn Stage>>;

/// All stages, in order.
const STAGES: [Begin; 13] = [
    polish::begin,
    refine_nodes::begin,
    select_tree::begin,
    select_by_folds::begin,
    distil::begin,
    judge_students::begin,
    column_readiness::begin,
    merge_validation::begin,
    teachers_again::begin,
    student_again::begin,
    start_again::begin,
    descend_again::begin,
    drop_columns::begin,
];

/// An epoch of a descent that has ended, from 1, with its soft and hard loss.
type Epoch = (usize, [f64; 2]);

/// A stage at work. What it needs it takes from the state when it begins.
trait Stage: Send {
    /// A small piece of work; returns whether there is more.
    fn step(&mut self, state: &State) -> bool;

    /// Hands the result on.
    fn end(self: Box<Self>, state: &mut State);

    /// What it is doing, for people.
    fn phase(&self) -> Phase;

    /// The share of a whole training that is done, counted from the end of the starts.
    fn done(&self, shares: &StageShares) -> f64;

    /// The epoch that the last step ended, if it did.
    fn epoch_ended(&self) -> Option<Epoch> {
        None
    }

    /// Its best tree so far; none where the tree counts that it began with.
    fn tree(&self) -> Option<&Parameters<f32>> {
        None
    }

    /// Where that tree comes from, if the one it began with comes from `kept`.
    fn kept(&self, kept: Kept) -> Kept {
        kept
    }
}
