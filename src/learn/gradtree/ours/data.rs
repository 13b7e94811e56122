//! The samples of a training in every form that our stages need: joined, as targets, in bins and in folds.

use std::sync::Arc;

use super::answers::LeafAnswers;
use crate::encode::{Design, Labels};
use crate::learn::gradtree::paper::{OutputUnits, TrainingData, targets};
use crate::learn::gradtree::settings::Config;
use crate::learn::greedy::histogram::{Bins, SoftSamples};
use crate::learn::select::{Fold, Scoreboard, folds};
use crate::learn::{Chosen, Judges, Measure};
use crate::numeric::pinball::Pinball;
use crate::numeric::scores::log_loss;
use crate::tree::Tree;

/// Samples times features up to which every part of the samples is held out once.
const FEW_NUMBERS: usize = 400_000;
/// Rounds of such folds: as many as make about this many judgements.
const JUDGEMENTS: usize = 3000;
/// And at most so many.
const MOST_ROUNDS: usize = 6;

/// The data of a training with what our stages make of it once.
pub(crate) struct PreparedData {
    /// The samples as the paper's training takes them.
    pub training: Arc<TrainingData>,
    /// (N × C) targets of all samples.
    pub target: Arc<Vec<f32>>,
    /// All samples in bins.
    pub bins: Arc<Bins>,
    /// The folds; the first holds out the validation samples, if there are any.
    pub folds: Vec<Fold>,
}

impl PreparedData {
    /// Prepares the samples.
    pub(crate) fn new(training: Arc<TrainingData>) -> PreparedData {
        let TrainingData { config, seed, train, valid, all, units } = &*training;
        let samples = all.samples();
        let few = samples * all.features() <= FEW_NUMBERS && config.cross_validates();
        let rounds = if few { (JUDGEMENTS / samples.max(1)).clamp(1, MOST_ROUNDS) } else { 0 };
        let rounds = if valid.samples() == 0 { rounds.max(1) } else { rounds };
        PreparedData {
            target: Arc::new(targets(&all.y, *units)),
            bins: Arc::new(Bins::new(&all.x)),
            folds: folds(&all.y, train.samples(), rounds, *seed),
            training,
        }
    }

    /// Hyper-parameters.
    pub(crate) fn config(&self) -> &Config {
        &self.training.config
    }

    /// The seed.
    pub(crate) fn seed(&self) -> u64 {
        self.training.seed
    }

    /// Training and validation samples, the validation samples last.
    pub(crate) fn all(&self) -> &Arc<Design> {
        &self.training.all
    }

    /// The units of the leaves' outputs.
    pub(crate) fn units(&self) -> OutputUnits {
        self.training.units
    }

    /// How many folds hold out every sample once, and how often that is done.
    pub(crate) fn fold_counts(&self) -> (u32, u32) {
        let folds = self.folds.iter().filter(|fold| fold.round == 0).count() as u32;
        (folds, self.rounds() as u32)
    }

    /// How often every sample is held out.
    pub(crate) fn rounds(&self) -> usize {
        self.folds.iter().map(|fold| fold.round + 1).max().unwrap_or(1)
    }

    /// What greedy starts are chosen by: macro F1 or R² on the folds.
    pub(crate) fn chosen(&self) -> Chosen {
        let by = if matches!(self.all().y, Labels::Values(_)) { Measure::R2 } else { Measure::MacroF1 };
        let validation = self.training.valid.samples() > 0;
        let on = match self.fold_counts() {
            (1, 1) if validation => Judges::Validation,
            (1, 1) => Judges::Training,
            (folds, rounds) => Judges::Folds { folds, rounds, validation },
        };
        Chosen { by, on }
    }

    /// The loss that curves show and trees of all units share: the mean log loss of a tree's answers, or the
    /// squared error in units of the target's variance, every sample counting the same. None without samples.
    pub(crate) fn shown_loss(&self, tree: &Tree, samples: &[u32]) -> Option<f64> {
        let transform = self.training.post_transform();
        let loss = |&sample: &u32| {
            let (at, row) = (sample as usize, self.all().row(sample as usize));
            let output = tree.output(tree.leaf_of(row), row);
            match (&self.all().y, self.units()) {
                (Labels::Classes { label, .. }, _) => log_loss(transform.apply(&output)[label[at] as usize]),
                (Labels::Values(values), OutputUnits::Value { deviation, .. }) => {
                    let off = (output[0] - values[at]) / deviation;
                    off * off
                }
                (Labels::Values(_), OutputUnits::Scores) => unreachable!("numbers are never scores"),
            }
        };
        let sum: f64 = samples.iter().map(loss).sum();
        Some(sum / samples.len() as f64).filter(|loss| loss.is_finite())
    }

    /// The validation samples among all.
    pub(crate) fn validation(&self) -> Vec<u32> {
        (self.training.train.samples() as u32..self.all().samples() as u32).collect()
    }

    /// Numbers per target: classes, or 1.
    pub(crate) fn outputs(&self) -> usize {
        self.target.len() / self.all().samples()
    }

    /// How leaves answer when rare classes are favoured by `power`.
    pub(crate) fn answers(&self, power: f64) -> LeafAnswers {
        LeafAnswers::new(&self.all().y, self.units(), power, self.config().pinball())
    }

    /// The loss of numbers unless it is the squared error, with the best constant answer to all samples in
    /// units of the target's deviation from its mean.
    pub(crate) fn constant(&self) -> Option<(Pinball, f64)> {
        self.training.constant(&self.target)
    }

    /// Empty scores of alternatives that are judged by the loss asked for.
    pub(crate) fn scoreboard(&self, rounds: usize, alternatives: usize) -> Scoreboard {
        Scoreboard::new(&self.all().y, rounds, alternatives).by(self.constant())
    }

    /// All samples with their own targets, for growth in which rare classes are favoured by `power`.
    pub(crate) fn soft_samples(&self, power: f64) -> SoftSamples {
        let (bins, target, weight) = (self.bins.clone(), self.target.clone(), Arc::new(self.weights(power)));
        SoftSamples { bins, outputs: self.outputs(), target, weight }
    }

    /// The weight of every sample when rare classes are favoured by `power`.
    pub(crate) fn weights(&self, power: f64) -> Vec<f32> {
        let weights = self.training.class_weights(power);
        match &self.all().y {
            Labels::Classes { label, .. } => {
                label.iter().map(|&class| weights[class as usize] as f32).collect()
            }
            Labels::Values(values) => vec![1.0; values.len()],
        }
    }
}
