//! A greedy start on one fold: growing it, judging its alternatives, and descending from it.

use std::sync::Arc;

use super::alternatives::{Alternative, COSTS, GrowthSettings, LEAST, position, powers, tally};
use super::data::PreparedData;
use super::grow::{GrownNode, GrowthLimits, GrowthSamples, TreeGrowth, answer_quantiles, leaf_of, pruned, tree_of};
use super::judge::{Fold, Scoreboard};
use super::parameters_of_tree::parameters_of;
use super::stages::RecipeStage;
use super::teach::{SyntheticBuilder, SyntheticSamples, TeacherForest, answer_real};
use crate::learn::gradtree::paper::harden::complete;
use crate::learn::gradtree::paper::{Descent, WeightedSamples};
use crate::learn::gradtree::settings::Config;
use crate::learn::{Kept, Phase, Start};
use crate::numeric::random::Random;
use crate::tree::Tree;

/// Steps of an epoch of descent from a greedy start, at most: with more samples a step has more of them.
const STEPS: usize = 8;

/// Numbers that are looked at in one piece of growth: some ten milliseconds.
const WORK: usize = 1 << 20;

/// A fold with what was grown on it.
pub struct FoldStart {
    /// The fold.
    pub fold: Fold,
    teacher: TeacherForest,
    /// (N × C) the targets it is grown on.
    target: Vec<f32>,
    state: GrowthState,
    /// (N) the weights it is grown with; empty before that.
    weight: Vec<f32>,
    /// The tree that is being grown.
    growing: Option<TreeGrowth>,
    /// The tree that has grown, and how many samples it answers for by now.
    answering: Option<(Vec<GrownNode>, usize)>,
    /// Trees that taught it, and synthetic samples that it was grown on, so far.
    pub taught: u32,
    pub synthetic_rows: u32,
    /// A tree per entry of [`LEAST`].
    pub grown: Vec<Vec<GrownNode>>,
    /// Its descent, once begun.
    pub descent: Option<Descent>,
}

/// What the growth of a start is at.
enum GrowthState {
    /// Its teacher learns, if it has one.
    Teaching,
    /// Synthetic rows are made.
    Synthesising(SyntheticBuilder),
    /// Trees are grown on the fold's samples, and on synthetic ones.
    Growing(Option<SyntheticSamples>),
}

impl FoldStart {
    /// Nothing grown yet. `at` tells the teachers of folds apart.
    pub fn new(data: &PreparedData, fold: Fold, at: u64) -> FoldStart {
        let seed = data.seed().wrapping_add(at);
        let teacher = TeacherForest::new(data.all().samples(), data.outputs(), seed);
        FoldStart {
            fold,
            teacher,
            target: data.target.clone(),
            state: GrowthState::Teaching,
            weight: vec![],
            growing: None,
            answering: None,
            taught: 0,
            synthetic_rows: 0,
            grown: vec![],
            descent: None,
        }
    }

    /// The stage that the next call of [`FoldStart::grow`] works at.
    pub fn stage(&self, growth: GrowthSettings) -> RecipeStage {
        match &self.state {
            GrowthState::Teaching if growth.trust > 0.0 => RecipeStage::Teacher,
            GrowthState::Synthesising(_) => RecipeStage::SyntheticRows,
            GrowthState::Teaching | GrowthState::Growing(_) => RecipeStage::Growth,
        }
    }

    /// The same with counts.
    pub fn phase(&self, data: &PreparedData, growth: GrowthSettings) -> Phase {
        let phase = self.stage(growth).phase();
        match &self.state {
            GrowthState::Teaching if growth.trust > 0.0 => {
                phase.counted(self.teacher.grown as usize, data.config().teacher as usize)
            }
            GrowthState::Synthesising(builder) => {
                let (made, count) = builder.made(data);
                phase.counted(made, count)
            }
            GrowthState::Teaching | GrowthState::Growing(_) => phase,
        }
    }

    /// One tree of the teacher or a piece of the start's; whether all are there.
    pub fn grow(&mut self, data: &PreparedData, growth: GrowthSettings, wanted: &[usize]) -> bool {
        if self.weight.is_empty() {
            self.weight = data.weights(growth.power);
        }
        let (weight, depth) = (&self.weight, data.config().depth);
        let growth_samples =
            |target| GrowthSamples { bins: &data.bins, outputs: data.outputs(), target, weight: weight.as_slice() };
        let fit = &self.fold.fit;
        let synthetic = match &mut self.state {
            GrowthState::Teaching if growth.trust > 0.0 => {
                if self.teacher.grown < data.config().teacher {
                    self.teacher.learn(growth_samples(&data.target), data.all(), fit, depth.max(10), WORK);
                    return false;
                }
                self.target = self.teacher.soften(&data.target, growth.trust);
                self.taught = self.teacher.grown;
                self.state = match RecipeStage::SyntheticRows.takes_part(data.config()) {
                    true => GrowthState::Synthesising(SyntheticBuilder::new(data, fit, &self.target, weight)),
                    false => GrowthState::Growing(None),
                };
                return false;
            }
            GrowthState::Teaching => {
                self.state = GrowthState::Growing(None);
                return false;
            }
            GrowthState::Synthesising(builder) => {
                if builder.advance(data, fit, &self.teacher) {
                    self.teacher.drop_trees();
                    let synthetic = builder.finish(data, fit);
                    self.synthetic_rows = (synthetic.samples.len() - fit.len()) as u32;
                    self.state = GrowthState::Growing(Some(synthetic));
                }
                return false;
            }
            GrowthState::Growing(synthetic) => synthetic,
        };
        let own = growth_samples(&self.target);
        let (grown_on, samples) = match synthetic {
            Some(synthetic) => (synthetic.growth_samples(own), &synthetic.samples),
            None => (own, fit),
        };
        let limits = GrowthLimits { depth, least: wanted[self.grown.len()], tried: None };
        if self.answering.is_none() {
            let growing = self.growing.get_or_insert_with(|| grown_on.begin(samples.clone(), limits));
            if !grown_on.advance(growing, &mut Random::new(0), WORK) {
                return false;
            }
            self.answering = self.growing.take().map(|growing| (growing.finish(), 0));
        }
        let Some((nodes, added)) = &mut self.answering else { return false };
        if synthetic.is_some() && !answer_real(nodes, own, data, fit, added) {
            return false;
        }
        if let Some(pinball) = data.config().pinball() {
            answer_quantiles(nodes, pinball, data.all(), &data.target, fit);
        }
        self.grown.push(std::mem::take(nodes));
        self.answering = None;
        let done = self.grown.len() == wanted.len();
        if done {
            *synthetic = None;
        }
        done
    }

    /// About what share of the work on this fold is done.
    pub fn share(&self, data: &PreparedData) -> f64 {
        let (stage, part) = match self.state {
            GrowthState::Teaching => {
                (RecipeStage::Teacher, f64::from(self.teacher.grown) / f64::from(data.config().teacher.max(1)))
            }
            GrowthState::Synthesising(_) => (RecipeStage::SyntheticRows, 0.0),
            GrowthState::Growing(_) => (RecipeStage::Growth, self.grown.len() as f64 / LEAST.len() as f64),
        };
        stage.share_of_fold().map_or(0.0, |share| share.done(part))
    }

    /// Tallies every power of one cost of a grown tree on the held-out samples.
    pub fn judge(
        &self,
        data: &PreparedData,
        growth: GrowthSettings,
        least: usize,
        cost: usize,
        scoreboard: &mut Scoreboard,
    ) {
        let nodes = &self.grown[least];
        let powers = powers(data);
        let leaf = pruned(nodes, COSTS[cost]);
        let decided: Vec<Vec<(usize, f64)>> = powers
            .iter()
            .map(|&favour| {
                let answers = data.answers(favour - growth.power);
                nodes.iter().map(|node| answers.decide(&node.sums)).collect()
            })
            .collect();
        let first = position(data, least, cost);
        for &sample in &self.fold.held {
            let at = sample as usize;
            let leaf = leaf_of(nodes, &leaf, data.all().row(at));
            for (power, decided) in decided.iter().enumerate() {
                let (class, value) = decided[leaf];
                tally(data, scoreboard, first + power, self.fold.round, at, class, value);
            }
        }
    }

    /// The start as chosen.
    pub fn start(&self, data: &PreparedData, growth: GrowthSettings, choice: Alternative, at: usize) -> Tree {
        let nodes = &self.grown[at];
        let answers = data.answers(powers(data)[choice.power] - growth.power);
        let rows = self.fold.fit.iter().map(|&sample| data.all().row(sample as usize));
        // Where only synthetic samples have gone, no answer has been learned.
        tree_of(nodes, &pruned(nodes, COSTS[choice.cost]), &answers).without_empty_branches(rows)
    }

    /// The tree where its descent stands, its leaves answering for the samples it is fitted to.
    pub fn descended(
        &self,
        data: &PreparedData,
        growth: GrowthSettings,
        choice: Alternative,
    ) -> Option<(Tree, Vec<usize>)> {
        let descent = self.descent.as_ref()?;
        let tree = complete(&descent.parameters, data.units());
        let answers = data.answers(powers(data)[choice.power] - growth.power);
        let weight = data.weights(growth.power);
        // A quantile of targets that are half a mean of votes would be none of the samples' own.
        let target = if data.config().pinball().is_some() { &data.target } else { &self.target };
        Some(answers.refit_traced(&tree, data.all(), target, &weight, &self.fold.fit))
    }

    /// Where its tree comes from after so many epochs of descent.
    pub fn kept(&self, epochs: u32) -> Kept {
        let gradient_epochs = if self.descent.is_some() { epochs } else { 0 };
        Kept { gradient_epochs, taught: self.taught, synthetic_rows: self.synthetic_rows, ..Kept::at(Start::Greedy) }
    }

    /// Begins a descent at a start; a single leaf has nothing to descend.
    pub fn begin_descent(&mut self, data: &PreparedData, samples: &Arc<WeightedSamples>, start: &Tree, seed: u64) {
        let Some(parameters) = parameters_of(start, data.all().features(), data.units(), data.config().lead) else {
            return;
        };
        let batch = data.config().batch.max((self.fold.fit.len() / STEPS) as u32);
        let config = Config { batch, ..data.config().clone() };
        self.descent =
            Some(Descent::new(&config, samples.clone(), &self.fold.fit, parameters, config.refine_rate, seed));
    }

    /// One batch. Gives whether the epoch has ended, which has no batches without a descent; an error if a
    /// loss or a parameter is not finite.
    pub fn descend(&mut self) -> Result<bool, ()> {
        self.descent.as_mut().map_or(Ok(true), |descent| descent.step().map(|ended| ended.is_some()))
    }
}
