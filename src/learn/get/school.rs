//! A tree that is taught: a forest grows beside the trees found, their mean answers a lesson, and trees learn it from one
//! beginning or another.

use std::sync::Arc;

use super::alternate::{Alternate, Sweeps};
use super::blocks::Blocks;
use super::ground::Ground;
use super::lesson::{Lesson, Teachers, opinion, shares};
use super::parameters::{Answer, Parameters};
use super::run::Best;
use super::start::Start;
use super::warm::design;
use crate::learn::{Kept, Phase, Work, forest};
use crate::numeric::random::Random;
use crate::tree::Tree;

/// Trees of the forest that teaches.
const FOREST: usize = 100;
/// What a descent has found is refined node by node: a lesson has samples enough for that.
const SWEEPS: Sweeps = Sweeps { most: 2, ridge: 0.1, least: 20, sparse: false, spare: None };
/// About what part of the work is done when the forest has grown, and when the lesson is made.
const GROWN: f64 = 0.2;
const MADE: f64 = 0.4;

/// Where a student begins.
#[derive(Debug, Clone)]
pub enum Beginning {
    /// At a tree.
    At(Parameters<f32>),
    /// At the start of this number on the lesson; the first is CART's tree.
    Start(usize),
}

enum Stage {
    Forest(Box<forest::Growth>),
    Lesson(Box<Lesson>),
    Descent(Box<Start>),
    Sweeps(Box<Alternate>),
    Ended,
}

/// Lessons and students, to be advanced step by step.
pub struct School {
    ground: Arc<Ground>,
    /// The samples that the lesson is made from.
    blocks: Arc<Blocks<f32>>,
    /// Trees that have an opinion; one with a share of 0 may be missing.
    trees: Vec<Option<Tree>>,
    /// Trees whose leaves say which samples are near to each other.
    near: Arc<Vec<Tree>>,
    /// The share of each tree's opinion, and at last of the forest's; empty until validation has told.
    shares: Vec<f64>,
    /// Of the random numbers of the lesson.
    name: &'static str,
    beginnings: Vec<Beginning>,
    lesson: Option<Arc<Blocks<f32>>>,
    /// Trees that have a share in the lesson's answers.
    taught_by: u32,
    /// What the students found, in the order of their beginnings.
    students: Vec<Best>,
    stage: Stage,
    epoch: Option<(usize, [f64; 2])>,
}

impl School {
    /// A first lesson, on the training samples. Validation weighs the opinions of the trees, which answer in scaled units.
    pub fn first(ground: Arc<Ground>, trees: Vec<Tree>, beginnings: Vec<Beginning>) -> Self {
        let near = Arc::new(trees.clone());
        let trees = trees.into_iter().map(Some).collect();
        let blocks = ground.blocks.clone();
        Self::new(ground, blocks, trees, near, vec![], beginnings, "lesson")
    }

    /// A lesson with the same shares from other samples and trees.
    pub fn again(&self, blocks: Arc<Blocks<f32>>, trees: Vec<Option<Tree>>, beginning: Beginning) -> Self {
        let (near, shares) = (self.near.clone(), self.shares.clone());
        Self::new(self.ground.clone(), blocks, trees, near, shares, vec![beginning], "last lesson")
    }

    fn new(
        ground: Arc<Ground>,
        blocks: Arc<Blocks<f32>>,
        trees: Vec<Option<Tree>>,
        near: Arc<Vec<Tree>>,
        shares: Vec<f64>,
        beginnings: Vec<Beginning>,
        name: &'static str,
    ) -> Self {
        let wanted = shares.last().is_none_or(|&share| share > 0.0);
        let growth = forest::Growth::new(design(&blocks, ground.answer), if wanted { FOREST } else { 0 }, ground.seed);
        let stage = Stage::Forest(Box::new(growth));
        let (lesson, students, epoch, taught_by) = (None, vec![], None, 0);
        School { ground, blocks, trees, near, shares, name, beginnings, lesson, taught_by, students, stage, epoch }
    }

    /// Which of the trees have a share.
    pub fn teaching(&self) -> Vec<usize> {
        (0..self.trees.len()).filter(|&at| self.shares.get(at).is_some_and(|&share| share > 0.0)).collect()
    }

    /// The samples of the lesson, once it is made.
    pub fn lesson(&self) -> Option<&Arc<Blocks<f32>>> {
        self.lesson.as_ref()
    }

    /// Where a student comes from. One that began at a tree, whose origin is `from`, went on from there.
    pub fn taught(&self, student: usize, from: Kept) -> Kept {
        let epochs = self.students.get(student).map_or(0, |best| best.epochs);
        let begun = match self.beginnings.get(student) {
            Some(Beginning::Start(index)) => {
                Kept { restart: *index as u32 + 1, chosen: from.chosen, ..Kept::at(self.ground.plan.kind(*index)) }
            }
            _ => from,
        };
        let made_up = self.lesson.as_ref().map_or(0, |lesson| lesson.samples() - self.blocks.samples());
        Kept {
            gradient_epochs: begun.gradient_epochs + epochs,
            taught: self.taught_by,
            synthetic_rows: made_up as u32,
            ..begun
        }
    }

    /// What it is doing.
    pub fn phase(&self) -> Phase {
        match &self.stage {
            Stage::Forest(growth) => {
                let (grown, all) = growth.grown();
                Phase::from(Work::Teachers).counted(grown, all)
            }
            Stage::Lesson(_) => Work::MadeUpRows.into(),
            Stage::Descent(_) | Stage::Sweeps(_) | Stage::Ended => Work::Student.into(),
        }
    }

    /// What the students found, in the order of their beginnings.
    pub fn students(&self) -> &[Best] {
        &self.students
    }

    /// The epoch that the last step ended, if it did, with its soft and hard loss.
    pub fn epoch_ended(&self) -> Option<(usize, [f64; 2])> {
        self.epoch
    }

    /// Share of the work that is surely done.
    pub fn share(&self) -> f64 {
        let student = |within: f64| {
            MADE + (1.0 - MADE) * (self.students.len() as f64 + within) / self.beginnings.len().max(1) as f64
        };
        match &self.stage {
            Stage::Forest(growth) => GROWN * growth.share(),
            Stage::Lesson(lesson) => GROWN + (MADE - GROWN) * lesson.share(),
            Stage::Descent(start) => student(0.7 * start.share()),
            Stage::Sweeps(sweeps) => student(0.7 + 0.3 * sweeps.share()),
            Stage::Ended => 1.0,
        }
    }

    /// A small piece of work, with a pass over at most so many blocks. Returns whether there is more to do.
    pub fn advance(&mut self, blocks: usize) -> bool {
        self.epoch = None;
        let goes_on = match &mut self.stage {
            Stage::Forest(growth) => growth.step(),
            Stage::Lesson(lesson) => lesson.step(),
            Stage::Descent(start) => {
                let goes_on = start.advance(blocks);
                self.epoch = start.epoch_ended();
                goes_on
            }
            Stage::Sweeps(sweeps) => sweeps.step(),
            Stage::Ended => return false,
        };
        if !goes_on {
            self.stage = match std::mem::replace(&mut self.stage, Stage::Ended) {
                Stage::Forest(growth) => self.begin_lesson(growth.forest().into_trees()),
                Stage::Lesson(lesson) => {
                    self.lesson = Some(Arc::new(lesson.samples()));
                    self.next_student()
                }
                Stage::Descent(start) => self.sweep(&start),
                Stage::Sweeps(sweeps) => {
                    self.students.push(sweeps.best().clone());
                    self.next_student()
                }
                Stage::Ended => Stage::Ended,
            };
        }
        !matches!(self.stage, Stage::Ended)
    }

    fn begin_lesson(&mut self, forest: Vec<Tree>) -> Stage {
        let trees = self.trees.iter().map(|tree| tree.iter().cloned().collect());
        let opinions: Vec<Vec<Tree>> = trees.chain([forest]).collect();
        if let (true, Some(valid)) = (self.shares.is_empty(), &self.ground.valid) {
            let rows = (0..valid.samples()).map(|i| &valid.sample(i)[..valid.features()]);
            let answers = opinions.iter().map(|trees| opinion(trees, rows.clone()));
            self.shares = shares(&answers.collect::<Vec<_>>(), valid);
        }
        let teachers = self.shares.iter().copied().zip(opinions).filter(|(share, _)| *share > 0.0);
        let teachers: Vec<(f64, Vec<Tree>)> = teachers.collect();
        self.taught_by = teachers.iter().map(|(_, trees)| trees.len() as u32).sum();
        let random = Random::stream(self.ground.seed, self.name);
        // A linear leaf follows one extreme target with its slope, so there the teachers soften it; the mean of a leaf is
        // drawn towards its parent's anyway. Both were judged on held-out rows (benches/record).
        let trust = if self.ground.answer == Answer::Linear { 0.5 } else { 0.0 };
        Stage::Lesson(Box::new(Lesson::new(self.blocks.clone(), Teachers(teachers), trust, &self.near, random)))
    }

    fn next_student(&mut self) -> Stage {
        let (Some(beginning), Some(lesson)) = (self.beginnings.get(self.students.len()), &self.lesson) else {
            return Stage::Ended;
        };
        let Ground { config, answer, seed, .. } = &*self.ground;
        let plan = Arc::new(config.plan(lesson.samples()));
        let (warm, index) = match beginning {
            Beginning::At(tree) => (std::slice::from_ref(tree), plan.greedy()),
            Beginning::Start(index) => (&[][..], *index),
        };
        let depth = self.ground.depth();
        Stage::Descent(Box::new(Start::new(plan, lesson.clone(), depth, *answer, warm, index, *seed)))
    }

    fn sweep(&self, start: &Start) -> Stage {
        let (Some(best), Some(lesson)) = (start.best(), &self.lesson) else { return Stage::Ended };
        let how = Sweeps { sparse: self.ground.plan.columns > 0, ..SWEEPS };
        Stage::Sweeps(Box::new(Alternate::new(how, self.ground.plan.recipe.refit, lesson.clone(), best.clone())))
    }
}
