//! The starts that teach the chosen student, as they are made once more on all samples.

use crate::learn::get::ours::distillation::{Beginning, Distillation};
use crate::learn::get::ours::selection::Finish;
use crate::learn::get::paper::start::StartRun;
use crate::tree::Tree;

/// What the chosen student was taught by.
pub(super) struct StartsThatTeach {
    pub distillation: Box<Distillation>,
    /// Where the student begins.
    pub beginning: Beginning,
    /// The tree of each start that teaches, made on all samples.
    pub trees: Vec<Option<Tree>>,
    /// How each start's tree is finished.
    pub finishes: Vec<Finish>,
    /// Starts whose turn has not come, the next one last.
    pub waiting: Vec<usize>,
    /// The start at work.
    pub start: Option<(usize, StartRun)>,
}

impl StartsThatTeach {
    /// Of a student that begins somewhere, with the way in which each start's tree is finished.
    pub(super) fn new(distillation: Box<Distillation>, beginning: Beginning, finishes: Vec<Finish>) -> Self {
        let mut waiting = distillation.teaching();
        waiting.reverse();
        StartsThatTeach {
            trees: vec![None; finishes.len()],
            start: None,
            waiting,
            finishes,
            beginning,
            distillation,
        }
    }

    /// Starts that have ended, and all that teach.
    pub(super) fn counts(&self) -> (usize, usize) {
        let ended = self.trees.iter().flatten().count();
        (ended, ended + self.waiting.len() + usize::from(self.start.is_some()))
    }
}
