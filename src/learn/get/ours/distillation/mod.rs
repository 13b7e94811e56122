//! Distillation: one tree, the student, learns from the mean of the trees found and of a small forest.
//!
//! The forest grows; validation weighs the teachers ([`ensemble`]); real and synthetic samples are labelled
//! by them ([`synthetic`]); then students descend on these samples from one tree or another, and are refined
//! node by node.

mod ensemble;
mod neighbours;
mod synthetic;

use std::sync::Arc;

use self::ensemble::{Ensemble, opinion, shares};
use self::synthetic::SyntheticSamples;
use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::ours::context::Context;
use crate::learn::get::ours::node_refinement::{NodeRefinement, RefinementSettings};
use crate::learn::get::paper::descent::Best;
use crate::learn::get::paper::initial_trees::design;
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::learn::get::paper::start::StartRun;
use crate::learn::get::paper::training_set::TrainingSet;
use crate::learn::{Kept, Phase, Work, forest};
use crate::numeric::random::Random;
use crate::tree::Tree;

/// Trees of the forest that teaches.
const FOREST: usize = 100;
/// What a descent has found is refined node by node: there are samples enough for that.
const SWEEPS: RefinementSettings =
    RefinementSettings { most: 2, ridge: 0.1, least: 20, sparse: false, allowance: None };
/// About what part of the work is done when the forest has grown, and when the samples are made.
const GROWN: f64 = 0.2;
const MADE: f64 = 0.4;

/// Where a student begins.
#[derive(Debug, Clone)]
pub(crate) enum Beginning {
    /// At a tree.
    At(Parameters<f32>),
    /// At the start of this number on the labelled samples; the first is CART's tree.
    Start(usize),
}

enum State {
    Forest(Box<forest::ForestGrowth>),
    Samples(Box<SyntheticSamples>),
    Descent(Box<StartRun>),
    Sweeps(Box<NodeRefinement>),
    Ended,
}

/// Students and what they learn from, to be advanced step by step.
pub(crate) struct Distillation {
    context: Arc<Context>,
    /// The real samples.
    blocks: Arc<Blocks<f32>>,
    /// Trees that have an opinion; one with a share of 0 may be missing.
    trees: Vec<Option<Tree>>,
    /// Trees whose leaves say which samples are near to each other.
    near: Arc<Vec<Tree>>,
    /// The share of each tree's opinion, and at last of the forest's; empty until validation has told.
    shares: Vec<f64>,
    /// Of the random numbers of the synthetic samples.
    name: &'static str,
    beginnings: Vec<Beginning>,
    samples: Option<Arc<Blocks<f32>>>,
    /// Trees that have a share in the labels.
    taught_by: u32,
    /// What the students found, in the order of their beginnings.
    students: Vec<Best>,
    state: State,
    epoch: Option<(usize, [f64; 2])>,
}

impl Distillation {
    /// A first distillation, on the training samples. Validation weighs the trees, which answer in scaled
    /// units.
    pub(crate) fn first(context: Arc<Context>, trees: Vec<Tree>, beginnings: Vec<Beginning>) -> Self {
        let near = Arc::new(trees.clone());
        let trees = trees.into_iter().map(Some).collect();
        let blocks = context.blocks.clone();
        Self::new(context, blocks, trees, near, vec![], beginnings, "lesson")
    }

    /// A distillation with the same shares from other samples and trees.
    pub(crate) fn again(
        &self,
        blocks: Arc<Blocks<f32>>,
        trees: Vec<Option<Tree>>,
        beginning: Beginning,
    ) -> Self {
        let (near, shares) = (self.near.clone(), self.shares.clone());
        Self::new(self.context.clone(), blocks, trees, near, shares, vec![beginning], "last lesson")
    }

    fn new(
        context: Arc<Context>,
        blocks: Arc<Blocks<f32>>,
        trees: Vec<Option<Tree>>,
        near: Arc<Vec<Tree>>,
        shares: Vec<f64>,
        beginnings: Vec<Beginning>,
        name: &'static str,
    ) -> Self {
        let wanted = shares.last().is_none_or(|&share| share > 0.0);
        let growth = forest::ForestGrowth::new(
            design(&blocks, context.answer),
            if wanted { FOREST } else { 0 },
            context.seed,
        );
        let state = State::Forest(Box::new(growth));
        let (samples, students, epoch, taught_by) = (None, vec![], None, 0);
        Distillation {
            context,
            blocks,
            trees,
            near,
            shares,
            name,
            beginnings,
            samples,
            taught_by,
            students,
            state,
            epoch,
        }
    }

    /// Which of the trees have a share.
    pub(crate) fn teaching(&self) -> Vec<usize> {
        (0..self.trees.len()).filter(|&at| self.shares.get(at).is_some_and(|&share| share > 0.0)).collect()
    }

    /// The labelled samples, once they are made.
    pub(crate) fn samples(&self) -> Option<&Arc<Blocks<f32>>> {
        self.samples.as_ref()
    }

    /// Where a student comes from. One that began at a tree, whose origin is `from`, went on from there.
    pub(crate) fn taught(&self, student: usize, from: Kept) -> Kept {
        let epochs = self.students.get(student).map_or(0, |best| best.epochs);
        let begun = match self.beginnings.get(student) {
            Some(Beginning::Start(index)) => Kept {
                restart: *index as u32 + 1,
                chosen: from.chosen,
                ..Kept::at(self.context.plan.kind(*index))
            },
            _ => from,
        };
        let made_up = self.samples.as_ref().map_or(0, |samples| samples.samples() - self.blocks.samples());
        Kept {
            gradient_epochs: begun.gradient_epochs + epochs,
            taught: self.taught_by,
            synthetic_rows: made_up as u32,
            ..begun
        }
    }

    /// What it is doing.
    pub(crate) fn phase(&self) -> Phase {
        match &self.state {
            State::Forest(growth) => {
                let (grown, all) = growth.grown();
                Phase::from(Work::Teachers).counted(grown, all)
            }
            State::Samples(_) => Work::MadeUpRows.into(),
            State::Descent(_) | State::Sweeps(_) | State::Ended => Work::Student.into(),
        }
    }

    /// What the students found, in the order of their beginnings.
    pub(crate) fn students(&self) -> &[Best] {
        &self.students
    }

    /// The epoch that the last step ended, if it did, with its soft and hard loss.
    pub(crate) fn epoch_ended(&self) -> Option<(usize, [f64; 2])> {
        self.epoch
    }

    /// Share of the work that is surely done.
    pub(crate) fn share(&self) -> f64 {
        let student = |within: f64| {
            MADE + (1.0 - MADE) * (self.students.len() as f64 + within) / self.beginnings.len().max(1) as f64
        };
        match &self.state {
            State::Forest(growth) => GROWN * growth.share(),
            State::Samples(samples) => GROWN + (MADE - GROWN) * samples.share(),
            State::Descent(start) => student(0.7 * start.share()),
            State::Sweeps(sweeps) => student(0.7 + 0.3 * sweeps.share()),
            State::Ended => 1.0,
        }
    }

    /// A small piece of work, with a pass over at most so many blocks. Returns whether there is more to do.
    pub(crate) fn advance(&mut self, blocks: usize) -> bool {
        self.epoch = None;
        let goes_on = match &mut self.state {
            State::Forest(growth) => growth.step(),
            State::Samples(samples) => samples.step(),
            State::Descent(start) => {
                let goes_on = start.advance(blocks);
                self.epoch = start.epoch_ended();
                goes_on
            }
            State::Sweeps(sweeps) => sweeps.step(),
            State::Ended => return false,
        };
        if !goes_on {
            self.state = match std::mem::replace(&mut self.state, State::Ended) {
                State::Forest(growth) => self.begin_samples(growth.forest().into_trees()),
                State::Samples(samples) => {
                    self.samples = Some(Arc::new(samples.samples()));
                    self.next_student()
                }
                State::Descent(start) => self.sweep(&start),
                State::Sweeps(sweeps) => {
                    self.students.push(sweeps.best().clone());
                    self.next_student()
                }
                State::Ended => State::Ended,
            };
        }
        !matches!(self.state, State::Ended)
    }

    fn begin_samples(&mut self, forest: Vec<Tree>) -> State {
        let trees = self.trees.iter().map(|tree| tree.iter().cloned().collect());
        let opinions: Vec<Vec<Tree>> = trees.chain([forest]).collect();
        if let (true, Some(valid)) = (self.shares.is_empty(), &self.context.valid) {
            let rows = (0..valid.samples()).map(|i| &valid.sample(i)[..valid.features()]);
            let answers = opinions.iter().map(|trees| opinion(trees, rows.clone()));
            self.shares = shares(&answers.collect::<Vec<_>>(), valid);
        }
        let teachers = self.shares.iter().copied().zip(opinions).filter(|(share, _)| *share > 0.0);
        let teachers: Vec<(f64, Vec<Tree>)> = teachers.collect();
        self.taught_by = teachers.iter().map(|(_, trees)| trees.len() as u32).sum();
        let random = Random::stream(self.context.seed, self.name);
        // A linear leaf follows one extreme target with its slope, so there the teachers soften it; the mean
        // of a leaf is drawn towards its parent's anyway. Both were judged on held-out rows (benches/record).
        let trust = if self.context.answer == Answer::Linear { 0.5 } else { 0.0 };
        State::Samples(Box::new(SyntheticSamples::new(
            self.blocks.clone(),
            Ensemble(teachers),
            trust,
            &self.near,
            random,
        )))
    }

    fn next_student(&mut self) -> State {
        let (Some(beginning), Some(samples)) = (self.beginnings.get(self.students.len()), &self.samples)
        else {
            return State::Ended;
        };
        let TrainingSet { config, answer, seed, .. } = &*self.context.set;
        let plan = Arc::new(config.plan(samples.samples()));
        let (warm, index) = match beginning {
            Beginning::At(tree) => (std::slice::from_ref(tree), plan.greedy()),
            Beginning::Start(index) => (&[][..], *index),
        };
        let depth = self.context.depth();
        State::Descent(Box::new(StartRun::new(plan, samples.clone(), depth, *answer, warm, index, *seed)))
    }

    fn sweep(&self, start: &StartRun) -> State {
        let (Some(best), Some(samples)) = (start.best(), &self.samples) else { return State::Ended };
        let how = RefinementSettings { sparse: self.context.plan.columns > 0, ..SWEEPS };
        State::Sweeps(Box::new(NodeRefinement::new(
            how,
            self.context.plan.descent.refit,
            samples.clone(),
            best.clone(),
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::get::kernel::blocks::Truth;
    use crate::tree::{Leaf, Node, Split};

    /// A tree of one split.
    pub(super) fn stump(threshold: f32, answers: [f32; 2]) -> Tree {
        let split = Split::Numerical { feature: 0, threshold };
        let leaves = answers.map(|answer| Node::Leaf(Leaf::Constant(answer)));
        let [left, right] = leaves;
        Tree::new(vec![Node::Split { split, left: 1, right: 2, default_left: true }, left, right]).unwrap()
    }

    /// Samples along a line, with a category beside it.
    pub(super) fn line(count: usize) -> Blocks<f32> {
        let rows: Vec<[f32; 2]> = (0..count).map(|i| [i as f32 / count as f32, (i % 7) as f32]).collect();
        let truth = |x: &[f32; 2]| Truth { value: f64::from(x[0]), class: 0, weight: 1.0 };
        Blocks::pack(2, rows.iter().map(|x| (&x[..], truth(x)))).with_apart(&[1])
    }
}
