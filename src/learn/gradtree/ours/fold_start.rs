//! A greedy start on one fold: growing it, judging its alternatives, and descending from it.

use std::sync::Arc;

use super::alternatives::{Alternative, COSTS, GrowthSettings, LEAST, position, powers, tally};
use super::answers::answer_quantiles;
use super::data::PreparedData;
use super::parameters_of_tree::parameters_of;
use super::stages::RecipeStage;
use crate::learn::gradtree::paper::harden::complete;
use crate::learn::gradtree::paper::{Descent, WeightedSamples};
use crate::learn::gradtree::settings::Config;
use crate::learn::greedy::histogram::{
    GrowthLimits, HistogramGrower, HistogramNode, HistogramSearch, SoftSamples, leaf_of, pruned,
};
use crate::learn::select::{Fold, Scoreboard};
use crate::learn::teach::{RecombinedRows, VotingForest, answer_real};
use crate::learn::{Kept, Phase, Start};
use crate::numeric::random::Random;
use crate::tree::Tree;

/// Steps of an epoch of descent from a greedy start, at most: with more samples a step has more of them.
const STEPS: usize = 8;

/// A fold with what was grown on it.
pub(super) struct FoldStart {
    /// The fold.
    pub fold: Fold,
    /// Of the random numbers of its teacher.
    seed: u64,
    teacher: Option<VotingForest>,
    /// All samples with the targets and weights it is grown on; none before that.
    samples: Option<SoftSamples>,
    state: GrowthState,
    /// The tree that is being grown.
    growing: Option<HistogramGrower>,
    /// The tree that has grown, and how many samples it answers for by now.
    answering: Option<(Vec<HistogramNode>, usize)>,
    /// Trees that taught it, and synthetic samples that it was grown on, so far.
    pub taught: u32,
    pub synthetic_rows: u32,
    /// A tree per entry of [`LEAST`].
    pub grown: Vec<Vec<HistogramNode>>,
    /// Its descent, once begun.
    pub descent: Option<Descent>,
}

/// What the growth of a start is at.
enum GrowthState {
    /// Its teacher learns, if it has one.
    Teaching,
    /// Synthetic rows are made.
    Synthesising(RecombinedRows),
    /// Trees are grown on the fold's samples, or on these: its own and synthetic ones, with their positions.
    Growing(Option<(SoftSamples, Vec<u32>)>),
}

impl FoldStart {
    /// Nothing grown yet. `at` tells the teachers of folds apart.
    pub(super) fn new(data: &PreparedData, fold: Fold, at: u64) -> FoldStart {
        FoldStart {
            fold,
            seed: data.seed().wrapping_add(at),
            teacher: None,
            samples: None,
            state: GrowthState::Teaching,
            growing: None,
            answering: None,
            taught: 0,
            synthetic_rows: 0,
            grown: vec![],
            descent: None,
        }
    }

    /// The stage that the next call of [`FoldStart::grow`] works at.
    pub(super) fn stage(&self, growth: GrowthSettings) -> RecipeStage {
        match &self.state {
            GrowthState::Teaching if growth.trust > 0.0 => RecipeStage::Teacher,
            GrowthState::Synthesising(_) => RecipeStage::SyntheticRows,
            GrowthState::Teaching | GrowthState::Growing(_) => RecipeStage::Growth,
        }
    }

    /// The same with counts.
    pub(super) fn phase(&self, data: &PreparedData, growth: GrowthSettings) -> Phase {
        let phase = self.stage(growth).phase();
        match &self.state {
            GrowthState::Teaching if growth.trust > 0.0 => {
                phase.counted(self.voted() as usize, data.config().teacher as usize)
            }
            GrowthState::Synthesising(builder) => {
                let (made, count) = builder.made(data.all().features());
                phase.counted(made, count)
            }
            GrowthState::Teaching | GrowthState::Growing(_) => phase,
        }
    }

    /// Trees of its teacher that have voted.
    fn voted(&self) -> u32 {
        self.teacher.as_ref().map_or(0, VotingForest::voted)
    }

    /// A piece of the teacher or of the start's trees; returns whether all are there.
    pub(super) fn grow(&mut self, data: &PreparedData, growth: GrowthSettings, wanted: &[usize]) -> bool {
        let FoldStart { fold, seed, teacher, samples, state, .. } = self;
        let (config, design, fit) = (data.config(), data.all(), &fold.fit);
        let own = samples.get_or_insert_with(|| data.soft_samples(growth.power));
        match state {
            GrowthState::Teaching if growth.trust > 0.0 => {
                let teacher = teacher.get_or_insert_with(|| {
                    VotingForest::new(own, fit.clone(), config.teacher, config.depth.max(10), *seed)
                });
                if teacher.advance(design, fit) {
                    own.target = Arc::new(teacher.soften(&data.target, growth.trust));
                    self.taught = teacher.voted();
                    *state = match RecipeStage::SyntheticRows.takes_part(config) {
                        true => GrowthState::Synthesising(RecombinedRows::new(
                            own,
                            fit,
                            config.crossed,
                            data.seed(),
                        )),
                        false => GrowthState::Growing(None),
                    };
                }
                false
            }
            GrowthState::Teaching => {
                *state = GrowthState::Growing(None);
                false
            }
            GrowthState::Synthesising(rows) => {
                let Some(teacher) = teacher else { unreachable!("synthetic rows are made by a teacher") };
                if rows.advance(design, fit, own.outputs, teacher) {
                    teacher.drop_trees();
                    let (mixed, samples) = rows.finish(own, fit);
                    self.synthetic_rows = (samples.len() - fit.len()) as u32;
                    *state = GrowthState::Growing(Some((mixed, samples)));
                }
                false
            }
            GrowthState::Growing(_) => self.grow_tree(data, wanted),
        }
    }

    /// A piece of the next tree; returns whether all are there.
    fn grow_tree(&mut self, data: &PreparedData, wanted: &[usize]) -> bool {
        let FoldStart { fold, samples: Some(own), state: GrowthState::Growing(mixed), .. } = self else {
            return false;
        };
        let fit = &fold.fit;
        if self.answering.is_none() {
            let limits =
                GrowthLimits { depth: data.config().depth, least: wanted[self.grown.len()], tried: None };
            let growing = self.growing.get_or_insert_with(|| {
                let (grown_on, samples) =
                    mixed.as_ref().map_or((&*own, fit), |(mixed, samples)| (mixed, samples));
                HistogramSearch::grower(grown_on, samples.clone(), limits, Random::new(0))
            });
            if !growing.advance() {
                return false;
            }
            self.answering = self.growing.take().map(|growing| (growing.finish().0, 0));
        }
        let Some((nodes, added)) = &mut self.answering else { return false };
        if mixed.is_some() && !answer_real(nodes, own, data.all(), fit, added) {
            return false;
        }
        if let Some(pinball) = data.config().pinball() {
            answer_quantiles(nodes, pinball, data.all(), &data.target, fit);
        }
        self.grown.push(std::mem::take(nodes));
        self.answering = None;
        let done = self.grown.len() == wanted.len();
        if done {
            *mixed = None;
        }
        done
    }

    /// About what share of the work on this fold is done.
    pub(super) fn share(&self, data: &PreparedData) -> f64 {
        let (stage, part) = match self.state {
            GrowthState::Teaching => {
                (RecipeStage::Teacher, f64::from(self.voted()) / f64::from(data.config().teacher.max(1)))
            }
            GrowthState::Synthesising(_) => (RecipeStage::SyntheticRows, 0.0),
            GrowthState::Growing(_) => (RecipeStage::Growth, self.grown.len() as f64 / LEAST.len() as f64),
        };
        stage.share_of_fold().map_or(0.0, |share| share.done(part))
    }

    /// Tallies every power of one cost of a grown tree on the held-out samples.
    pub(super) fn judge(
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
                nodes.iter().map(|node| answers.decide(&node.summary.sums)).collect()
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
    pub(super) fn start(
        &self,
        data: &PreparedData,
        growth: GrowthSettings,
        choice: Alternative,
        at: usize,
    ) -> Tree {
        let nodes = &self.grown[at];
        let answers = data.answers(powers(data)[choice.power] - growth.power);
        let rows = self.fold.fit.iter().map(|&sample| data.all().row(sample as usize));
        // Where only synthetic samples have gone, no answer has been learned.
        answers.tree(nodes, &pruned(nodes, COSTS[choice.cost])).without_empty_branches(rows)
    }

    /// The tree where its descent stands, its leaves answering for the samples it is fitted to.
    pub(super) fn descended(
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
        let own = self.samples.as_ref().filter(|_| data.config().pinball().is_none());
        let target = own.map_or(&data.target, |own| &own.target);
        Some(answers.refit_traced(&tree, data.all(), target, &weight, &self.fold.fit))
    }

    /// Where its tree comes from after so many epochs of descent.
    pub(super) fn kept(&self, epochs: u32) -> Kept {
        let gradient_epochs = if self.descent.is_some() { epochs } else { 0 };
        Kept {
            gradient_epochs,
            taught: self.taught,
            synthetic_rows: self.synthetic_rows,
            ..Kept::at(Start::Greedy)
        }
    }

    /// Begins a descent at a start; a single leaf has nothing to descend.
    pub(super) fn begin_descent(
        &mut self,
        data: &PreparedData,
        samples: &Arc<WeightedSamples>,
        start: &Tree,
        seed: u64,
    ) {
        let Some(parameters) = parameters_of(start, data.all().features(), data.units(), data.config().lead)
        else {
            return;
        };
        let batch = data.config().batch.max((self.fold.fit.len() / STEPS) as u32);
        let config = Config { batch, ..data.config().clone() };
        self.descent = Some(Descent::new(
            &config,
            samples.clone(),
            &self.fold.fit,
            parameters,
            config.refine_rate,
            seed,
        ));
    }

    /// One batch. Gives whether the epoch has ended, which has no batches without a descent; an error if a
    /// loss or a parameter is not finite.
    pub(super) fn descend(&mut self) -> Result<bool, ()> {
        self.descent.as_mut().map_or(Ok(true), |descent| descent.step().map(|ended| ended.is_some()))
    }
}
