//! What all units of a training share: the samples, their labels in every form, and who judges whom.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::answers::{Answers, class_factors, counts, targets};
use super::bins::Bins;
use super::board::Board;
use super::folds::{Fold, folds};
use super::harden::Meaning;
use super::run::Part;
use super::{ClassWeight, Config};
use crate::encode::{Design, Labels};
use crate::learn::{Chosen, Judges, Measure};
use crate::numeric::pinball::Pinball;
use crate::tree::{PostTransform, Tree};

/// Samples times features up to which every part of the samples judges the others.
const FEW_NUMBERS: usize = 400_000;
/// Rounds of such folds: as many as make about this many judgements.
const JUDGEMENTS: usize = 3000;
/// And at most so many.
const MOST_ROUNDS: usize = 6;

/// The samples of a training.
pub struct Ground {
    /// Hyper-parameters.
    pub config: Config,
    /// The seed.
    pub seed: u64,
    /// Training samples.
    pub train: Arc<Design>,
    /// Validation samples; may be none.
    pub valid: Arc<Design>,
    /// Both, the validation samples last.
    pub all: Arc<Design>,
    /// What leaves mean.
    pub meaning: Meaning,
    /// (N × C) targets of all samples.
    pub target: Vec<f32>,
    /// All samples in bins.
    pub bins: Bins,
    /// Who judges whom; the first holds out the validation samples, if there are any.
    pub folds: Vec<Fold>,
}

impl Ground {
    /// Joins and prepares the samples. The configuration has been checked against `train`.
    pub fn new(config: Config, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> Ground {
        let all = if valid.samples() == 0 { train.clone() } else { Arc::new(joined(&train, &valid)) };
        let meaning = meaning(&train.y);
        let samples = all.samples();
        let few = samples * all.features() <= FEW_NUMBERS && config.cross_validates();
        let rounds = if few { (JUDGEMENTS / samples.max(1)).clamp(1, MOST_ROUNDS) } else { 0 };
        let rounds = if valid.samples() == 0 { rounds.max(1) } else { rounds };
        Ground {
            target: targets(&all.y, meaning),
            bins: Bins::new(&all.x),
            folds: folds(&all.y, train.samples(), rounds, seed),
            config,
            seed,
            train,
            valid,
            all,
            meaning,
        }
    }

    /// How many folds hold out every sample once, and how often that is done.
    pub fn fold_counts(&self) -> (u32, u32) {
        let folds = self.folds.iter().filter(|fold| fold.round == 0).count() as u32;
        let rounds = self.folds.iter().map(|fold| fold.round + 1).max().unwrap_or(1) as u32;
        (folds, rounds)
    }

    /// What greedy starts are chosen by: macro F1 or R² on the folds.
    pub fn chosen(&self) -> Chosen {
        let by = if matches!(self.all.y, Labels::Values(_)) { Measure::R2 } else { Measure::MacroF1 };
        let validation = self.valid.samples() > 0;
        let on = match self.fold_counts() {
            (1, 1) if validation => Judges::Validation,
            (1, 1) => Judges::Training,
            (folds, rounds) => Judges::Folds { folds, rounds, validation },
        };
        Chosen { by, on }
    }

    /// What turns the leaves' outputs into probabilities or numbers.
    pub fn post_transform(&self) -> PostTransform {
        match &self.all.y {
            Labels::Values(_) => PostTransform::None,
            Labels::Classes { classes: 0..=2, .. } => PostTransform::Logistic,
            Labels::Classes { .. } => PostTransform::Softmax,
        }
    }

    /// The loss that curves show and trees of all units share: the mean log loss of a tree's answers, or the squared
    /// error in units of the target's variance, every sample counting the same. None without samples.
    pub fn shown_loss(&self, tree: &Tree, samples: &[u32]) -> Option<f64> {
        /// As near to 0 as a probability counts, as in the scores.
        const CLIP: f64 = 1e-15;
        let transform = self.post_transform();
        let loss = |&sample: &u32| {
            let (at, row) = (sample as usize, self.all.row(sample as usize));
            let output = tree.output(tree.leaf_of(row), row);
            match (&self.all.y, self.meaning) {
                (Labels::Classes { label, .. }, _) => {
                    -libm::log(transform.apply(&output)[label[at] as usize].clamp(CLIP, 1.0 - CLIP))
                }
                (Labels::Values(values), Meaning::Value { deviation, .. }) => {
                    let off = (output[0] - values[at]) / deviation;
                    off * off
                }
                (Labels::Values(_), Meaning::Scores) => unreachable!("numbers are never scores"),
            }
        };
        let sum: f64 = samples.iter().map(loss).sum();
        Some(sum / samples.len() as f64).filter(|loss| loss.is_finite())
    }

    /// The validation samples among all.
    pub fn validation(&self) -> Vec<u32> {
        (self.train.samples() as u32..self.all.samples() as u32).collect()
    }

    /// Numbers per target: classes, or 1.
    pub fn outputs(&self) -> usize {
        self.target.len() / self.all.samples()
    }

    /// How leaves answer when rare classes are favoured by `power`.
    pub fn answers(&self, power: f64) -> Answers {
        Answers::new(&self.all.y, self.meaning, power, self.config.pinball())
    }

    /// The loss of numbers unless it is the squared error, with the best constant answer to the first `samples` of all,
    /// in units of the target's deviation from its mean.
    pub fn constant(&self, samples: usize) -> Option<(Pinball, f64)> {
        let targets = &self.target[..samples];
        let best = |pinball: Pinball| pinball.answer_to(targets.iter().map(|&target| f64::from(target)).collect());
        self.config.pinball().map(|pinball| (pinball, best(pinball)))
    }

    /// An empty board for alternatives that are judged by the loss asked for.
    pub fn board(&self, rounds: usize, alternatives: usize) -> Board {
        Board::new(&self.all.y, rounds, alternatives).by(self.constant(self.all.samples()))
    }

    /// The samples of a design for a descent in which rare classes are favoured by `power`.
    pub fn part(&self, design: &Arc<Design>, power: f64) -> Part {
        Part::new(design.clone(), self.meaning, &self.class_weights(power))
    }

    /// The weight of a sample of each class; none for numbers.
    pub fn class_weights(&self, power: f64) -> Vec<f64> {
        match &self.all.y {
            Labels::Classes { label, classes } => class_factors(&counts(label, *classes), power),
            Labels::Values(_) => vec![],
        }
    }

    /// The weight of every sample when rare classes are favoured by `power`.
    pub fn weights(&self, power: f64) -> Vec<f32> {
        let weights = self.class_weights(power);
        match &self.all.y {
            Labels::Classes { label, .. } => label.iter().map(|&class| weights[class as usize] as f32).collect(),
            Labels::Values(values) => vec![1.0; values.len()],
        }
    }

    /// The power that `class_weight` asks for.
    pub fn asked_power(&self) -> f64 {
        if self.config.class_weight == ClassWeight::Balanced { 1.0 } else { 0.0 }
    }
}

fn joined(train: &Design, valid: &Design) -> Design {
    let numbers = [train.x.as_slice(), valid.x.as_slice()].concat();
    let x = DMatrix::from_vec(train.features(), train.samples() + valid.samples(), numbers);
    let y = match (&train.y, &valid.y) {
        (Labels::Classes { label, classes }, Labels::Classes { label: more, .. }) => {
            Labels::Classes { label: [label.as_slice(), more].concat(), classes: *classes }
        }
        (Labels::Values(values), Labels::Values(more)) => Labels::Values([values.as_slice(), more].concat()),
        _ => unreachable!("both parts have the same target"),
    };
    Design { x, y }
}

/// What leaves mean for these labels. A constant target has deviation 1 here, so that it can be divided by.
fn meaning(labels: &Labels) -> Meaning {
    let Labels::Values(values) = labels else { return Meaning::Scores };
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let deviation = (values.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>() / n).sqrt();
    Meaning::Value { mean, deviation: if deviation > 0.0 { deviation } else { 1.0 } }
}
