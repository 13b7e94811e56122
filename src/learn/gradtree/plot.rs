//! A greedy start on one fold: growing it, judging its alternatives, and descending from it.

use std::sync::Arc;

use super::Config;
use super::board::Board;
use super::crossed::{Crossed, Crossing, answer};
use super::folds::Fold;
use super::ground::Ground;
use super::grow::{Grown, Growth, Limits, Soil, leaf_of, pruned};
use super::harden::{Meaning, complete, start_from, tree_of};
use super::quantiles;
use super::run::{Part, Run};
use super::teacher::Teacher;
use crate::encode::Labels;
use crate::learn::{Kept, Phase, Start, Work};
use crate::numeric::order::first_largest;
use crate::numeric::random::Random;
use crate::tree::Tree;

/// How a greedy start is grown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recipe {
    /// How far rare classes weigh more in growth.
    pub power: f64,
    /// The teacher's share in the targets; 0 is none.
    pub trust: f32,
}

/// Least samples in a leaf, to choose from.
pub const LEAST: [usize; 3] = [1, 3, 8];
/// Costs of a leaf as shares of the root's, to choose from.
pub const COSTS: [f64; 10] = [0.0, 2e-4, 5e-4, 1e-3, 2e-3, 4e-3, 8e-3, 0.016, 0.032, 0.064];
/// How far answers favour rare classes, to choose from.
pub const POWERS: [f64; 4] = [0.0, 0.35, 0.7, 1.0];
/// What is taken unless held-out samples clearly prefer something else: they are few, and the best of many alternatives is
/// the luckiest one.
pub const USUAL: Choice = Choice { least: 1, cost: 5, power: POWERS.len() - 1, epochs: 0 };

/// Steps of an epoch of descent from a greedy start, at most: with more samples a step has more of them.
const STEPS: usize = 8;

/// Numbers that are looked at in one piece of growth: some ten milliseconds.
const WORK: usize = 1 << 20;

/// What held-out samples have chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// Position in [`LEAST`].
    pub least: usize,
    /// Position in [`COSTS`].
    pub cost: usize,
    /// Position in [`POWERS`].
    pub power: usize,
    /// Epochs of descent.
    pub epochs: u32,
}

/// A fold with what was grown on it.
pub struct Plot {
    /// The fold.
    pub fold: Fold,
    teacher: Teacher,
    /// (N × C) the targets it is grown on.
    target: Vec<f32>,
    stage: Stage,
    /// (N) the weights it is grown with; empty before that.
    weight: Vec<f32>,
    /// The tree that is being grown.
    growth: Option<Growth>,
    /// The tree that has grown, and how many samples it answers for by now.
    answering: Option<(Vec<Grown>, usize)>,
    /// Trees that taught it, and made-up samples that it was grown on, so far.
    pub taught: u32,
    pub made_up: u32,
    /// A tree per entry of [`LEAST`].
    pub grown: Vec<Vec<Grown>>,
    /// Its descent, once begun.
    pub run: Option<Run>,
}

/// What a plot is busy with.
enum Stage {
    /// Its teacher learns, if it has one.
    Teaching,
    Crossing(Crossing),
    /// Trees are grown on the fold's samples, and on crossed ones.
    Growing(Option<Crossed>),
}

impl Plot {
    /// Nothing grown yet. `at` tells the teachers of folds apart.
    pub fn new(ground: &Ground, fold: Fold, at: u64) -> Plot {
        let seed = ground.seed.wrapping_add(at);
        let teacher = Teacher::new(ground.all.samples(), ground.outputs(), seed);
        Plot {
            fold,
            teacher,
            target: ground.target.clone(),
            stage: Stage::Teaching,
            weight: vec![],
            growth: None,
            answering: None,
            taught: 0,
            made_up: 0,
            grown: vec![],
            run: None,
        }
    }

    /// What the next call of [`Plot::grow`] does.
    pub fn phase(&self, ground: &Ground, recipe: Recipe) -> Phase {
        match &self.stage {
            Stage::Teaching if recipe.trust > 0.0 => {
                Phase::from(Work::Teachers).counted(self.teacher.grown as usize, ground.config.teacher as usize)
            }
            Stage::Crossing(crossing) => {
                let (made, count) = crossing.made(ground);
                Phase::from(Work::MadeUpRows).counted(made, count)
            }
            Stage::Teaching | Stage::Growing(_) => Work::Greedy.into(),
        }
    }

    /// One tree of the teacher or a piece of the start's; whether all are there.
    pub fn grow(&mut self, ground: &Ground, recipe: Recipe, wanted: &[usize]) -> bool {
        if self.weight.is_empty() {
            self.weight = ground.weights(recipe.power);
        }
        let (weight, depth) = (&self.weight, ground.config.depth);
        let soil = |target| Soil { bins: &ground.bins, outputs: ground.outputs(), target, weight: weight.as_slice() };
        let fit = &self.fold.fit;
        let crossed = match &mut self.stage {
            Stage::Teaching if recipe.trust > 0.0 => {
                if self.teacher.grown < ground.config.teacher {
                    self.teacher.learn(soil(&ground.target), &ground.all, fit, depth.max(10), WORK);
                    return false;
                }
                self.target = self.teacher.soften(&ground.target, recipe.trust);
                self.taught = self.teacher.grown;
                self.stage = match ground.config.crossed > 0.0 {
                    true => Stage::Crossing(Crossing::new(ground, fit, &self.target, weight)),
                    false => Stage::Growing(None),
                };
                return false;
            }
            Stage::Teaching => {
                self.stage = Stage::Growing(None);
                return false;
            }
            Stage::Crossing(crossing) => {
                if crossing.advance(ground, fit, &self.teacher) {
                    self.teacher.retire();
                    let crossed = crossing.finish(ground, fit);
                    self.made_up = (crossed.samples.len() - fit.len()) as u32;
                    self.stage = Stage::Growing(Some(crossed));
                }
                return false;
            }
            Stage::Growing(crossed) => crossed,
        };
        let own = soil(&self.target);
        let (rich, samples) = match crossed {
            Some(crossed) => (crossed.soil(own), &crossed.samples),
            None => (own, fit),
        };
        let limits = Limits { depth, least: wanted[self.grown.len()], tried: None };
        if self.answering.is_none() {
            let growth = self.growth.get_or_insert_with(|| rich.begin(samples.clone(), limits));
            if !rich.advance(growth, &mut Random::new(0), WORK) {
                return false;
            }
            self.answering = self.growth.take().map(|growth| (growth.finish(), 0));
        }
        let Some((nodes, added)) = &mut self.answering else { return false };
        if crossed.is_some() && !answer(nodes, own, ground, fit, added) {
            return false;
        }
        if let Some(pinball) = ground.config.pinball() {
            quantiles::answer(nodes, pinball, ground, fit);
        }
        self.grown.push(std::mem::take(nodes));
        self.answering = None;
        let done = self.grown.len() == wanted.len();
        if done {
            *crossed = None;
        }
        done
    }

    /// About what share of its growth is done: most of the time goes to the teacher.
    pub fn share(&self, ground: &Ground) -> f64 {
        match self.stage {
            Stage::Teaching => 0.7 * f64::from(self.teacher.grown) / f64::from(ground.config.teacher.max(1)),
            Stage::Crossing(_) => 0.7,
            Stage::Growing(_) => 0.75 + 0.2 * self.grown.len() as f64 / LEAST.len() as f64,
        }
    }

    /// Tallies every power of one cost of a grown tree on the held-out samples.
    pub fn judge(&self, ground: &Ground, recipe: Recipe, least: usize, cost: usize, board: &mut Board) {
        let nodes = &self.grown[least];
        let powers = powers(ground);
        let leaf = pruned(nodes, COSTS[cost]);
        let decided: Vec<Vec<(usize, f64)>> = powers
            .iter()
            .map(|&favour| {
                let answers = ground.answers(favour - recipe.power);
                nodes.iter().map(|node| answers.decide(&node.sums)).collect()
            })
            .collect();
        let first = (least * COSTS.len() + cost) * powers.len();
        for &sample in &self.fold.held {
            let at = sample as usize;
            let leaf = leaf_of(nodes, &leaf, ground.all.row(at));
            for (power, decided) in decided.iter().enumerate() {
                let (class, value) = decided[leaf];
                tally(ground, board, first + power, self.fold.round, at, class, value);
            }
        }
    }

    /// The start as chosen.
    pub fn start(&self, ground: &Ground, recipe: Recipe, choice: Choice, at: usize) -> Tree {
        let nodes = &self.grown[at];
        let answers = ground.answers(powers(ground)[choice.power] - recipe.power);
        let rows = self.fold.fit.iter().map(|&sample| ground.all.row(sample as usize));
        // Where crossed samples alone have gone nobody has taught anything.
        tree_of(nodes, &pruned(nodes, COSTS[choice.cost]), &answers).without_empty_branches(rows)
    }

    /// The tree where its descent stands, its leaves answering for the samples it is fitted to.
    pub fn descended(&self, ground: &Ground, recipe: Recipe, choice: Choice) -> Option<(Tree, Vec<usize>)> {
        let run = self.run.as_ref()?;
        let tree = complete(&run.parameters, ground.meaning);
        let answers = ground.answers(powers(ground)[choice.power] - recipe.power);
        let weight = ground.weights(recipe.power);
        // A quantile of targets that are half a mean of votes would be none of the samples' own.
        let target = if ground.config.pinball().is_some() { &ground.target } else { &self.target };
        Some(answers.refit_traced(&tree, &ground.all, target, &weight, &self.fold.fit))
    }

    /// Where its tree comes from after so many epochs of descent.
    pub fn kept(&self, epochs: u32) -> Kept {
        let gradient_epochs = if self.run.is_some() { epochs } else { 0 };
        Kept { gradient_epochs, taught: self.taught, synthetic_rows: self.made_up, ..Kept::at(Start::Greedy) }
    }

    /// Begins a descent at a start; a single leaf has nothing to descend.
    pub fn begin_descent(&mut self, ground: &Ground, part: &Arc<Part>, start: &Tree, seed: u64) {
        let Some(parameters) = start_from(start, ground.all.features(), ground.meaning, ground.config.lead) else {
            return;
        };
        let batch = ground.config.batch.max((self.fold.fit.len() / STEPS) as u32);
        let config = Config { batch, ..ground.config.clone() };
        self.run = Some(Run::new(&config, part.clone(), &self.fold.fit, parameters, config.refine_rate, seed));
    }

    /// One batch. Gives whether the epoch has ended, which has no batches without a descent; an error if the numbers have
    /// run away.
    pub fn descend(&mut self) -> Result<bool, ()> {
        self.run.as_mut().map_or(Ok(true), |run| run.step().map(|ended| ended.is_some()))
    }
}

/// Numbers have no classes to favour.
pub fn powers(ground: &Ground) -> &'static [f64] {
    if ground.outputs() > 1 { &POWERS } else { &POWERS[..1] }
}

/// Notes what a sample was given.
pub fn tally(
    ground: &Ground,
    board: &mut Board,
    alternative: usize,
    round: usize,
    at: usize,
    class: usize,
    value: f64,
) {
    match &ground.all.y {
        Labels::Classes { label, .. } => board.label(alternative, round, label[at] as usize, class),
        Labels::Values(_) => board.value(alternative, round, f64::from(ground.target[at]), value),
    }
}

/// Class and number of a raw output.
pub fn decided(ground: &Ground, output: &[f64]) -> (usize, f64) {
    match &ground.all.y {
        Labels::Classes { classes: 2, .. } => (usize::from(output[0] > 0.0), 0.0),
        Labels::Classes { .. } => (first_largest(output), 0.0),
        Labels::Values(_) => match ground.meaning {
            Meaning::Value { mean, deviation } => (0, (output[0] - mean) / deviation),
            Meaning::Scores => unreachable!("numbers are never scores"),
        },
    }
}
