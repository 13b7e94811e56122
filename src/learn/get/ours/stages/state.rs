//! What the stages hand on to each other.

use std::sync::Arc;

use super::starts_that_teach::StartsThatTeach;
use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::ours::context::Context;
use crate::learn::get::ours::distillation::Distillation;
use crate::learn::get::ours::fewer_columns::readiness;
use crate::learn::get::ours::selection::folds::Origin;
use crate::learn::get::ours::selection::{Finish, TreeSelection};
use crate::learn::get::paper::descent::Best;
use crate::learn::get::paper::parameters::Parameters;
use crate::learn::{Chosen, Judges, Kept, Measure, Outcome};
use crate::tree::Tree;

/// What the final stages may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// All that the settings ask for.
    Everything,
    /// Only what leaves the result one of descent alone, at little cost: no polish, which begins at greedy
    /// subtrees, no teachers, and a selection on the validation samples without folds.
    Alone,
}

/// A tree that validation may choose: where it comes from, and its hard loss on the training samples.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub origin: Origin,
    pub kept: Kept,
    pub loss: f64,
}

/// What the stages hand on to each other.
pub(super) struct State {
    pub context: Arc<Context>,
    pub how: How,
    /// The best start's outcome.
    pub winner: Outcome,
    /// The samples that leaves are fitted to: the training samples, later all samples.
    pub blocks: Arc<Blocks<f32>>,
    /// The trees of every start, until one is selected, and where they come from.
    pub found: Vec<Best>,
    pub candidates: Vec<Candidate>,
    /// The tree that counts now, and where it comes from.
    pub best: Best,
    pub kept: Kept,
    /// How its leaves are made.
    pub finish: Finish,
    /// The trees that validation chose from, and the position of the one it chose. The first tree is the
    /// winner, polished or not; tree `k + 1` is candidate `k`.
    pub selection: Option<TreeSelection>,
    pub selected: usize,
    /// The chosen tree as it was before the validation samples joined.
    pub chosen: Option<Tree>,
    /// A distillation that has ended.
    pub distillation: Option<Box<Distillation>>,
    /// The samples that the chosen student was fitted to, and what it was taught by.
    pub taught_on: Option<Arc<Blocks<f32>>>,
    pub taught: Option<Box<StartsThatTeach>>,
    /// How readily columns are dropped in the end.
    pub readiness: f64,
    /// Whether the chosen tree was made once more on all samples.
    pub again: bool,
}

impl State {
    /// Begins with the best tree and those of all starts.
    pub(super) fn new(
        context: Arc<Context>,
        winner: Outcome,
        best: Best,
        found: Vec<Vec<Best>>,
        how: How,
    ) -> Self {
        let mut candidates = vec![];
        for (start, trees) in found.iter().enumerate() {
            for (at, best) in trees.iter().enumerate() {
                let start_at = Kept::at(context.plan.kind(start));
                let kept = Kept { restart: start as u32 + 1, gradient_epochs: best.epochs, ..start_at };
                candidates.push(Candidate { origin: Origin { start, ended: at > 0 }, kept, loss: best.loss });
            }
        }
        State {
            how,
            kept: winner.kept,
            winner,
            blocks: context.blocks.clone(),
            candidates,
            found: found.into_iter().flatten().collect(),
            best,
            finish: context.finish(),
            selection: None,
            selected: 0,
            chosen: None,
            distillation: None,
            taught_on: None,
            taught: None,
            readiness: readiness::careful(context.config.spare),
            again: false,
            context,
        }
    }

    /// Levels of nodes that are polished.
    pub(super) fn polish_levels(&self) -> usize {
        if self.how == How::Everything { self.context.config.polish_levels() } else { 0 }
    }

    /// Where the candidates come from.
    pub(super) fn origins(&self) -> Vec<Origin> {
        self.candidates.iter().map(|candidate| candidate.origin).collect()
    }

    /// Where the selected tree comes from; none for the first one, which may be polished.
    pub(super) fn origin(&self) -> Option<Origin> {
        self.selected.checked_sub(1).map(|at| self.candidates[at].origin)
    }

    /// Takes the tree that a selection on some samples prefers.
    pub(super) fn select(&mut self, selection: TreeSelection, on: Judges) {
        let (at, _, finish) = selection.chosen().unwrap_or((0, 0.0, self.finish));
        self.finish = finish;
        if let Some(&Candidate { kept, loss, .. }) = at.checked_sub(1).and_then(|at| self.candidates.get(at))
        {
            (self.winner.loss, self.winner.epoch) = (Some(loss), kept.gradient_epochs);
            self.kept = kept;
            self.best.loss = loss;
        }
        self.kept.chosen = Some(Chosen { by: Measure::Loss, on });
        self.best.tree = selection.trees()[at].clone();
        self.chosen = Some(self.hardened(&self.best.tree));
        (self.selection, self.selected) = (Some(selection), at);
    }

    /// A hard tree from planes, with leaves as they are finished now.
    pub(super) fn hardened(&self, tree: &Parameters<f32>) -> Tree {
        self.context.hardened(&self.blocks, tree, self.finish)
    }
}
