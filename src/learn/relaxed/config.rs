//! Hyper-parameters: the values of each recipe, their ranges and what the data must be like.

use super::model::{Penalty, Recipe, Weight};
use super::parameters::Shape;
use super::predictor::Predictor;
use super::start::Scores;
use super::traversal::Version;
use crate::encode::{Categories, Design, Labels, Missing, Resample, Scale, Wants};
use crate::error::{Code, Error, Result};
use crate::learn::{self, Entry, Params, Size, Slot, check_size};

/// Hyper-parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// What decides the parts of a descent that have no hyper-parameter.
    pub recipe: learn::Recipe,
    /// Depth of the complete tree before pruning.
    pub depth: u32,
    /// 0 keeps everything, 1 one split.
    pub prune: f64,
    /// The version of the relaxation.
    pub version: Version,
    /// What reads the traversal.
    pub predictor: Predictor,
    /// Runs from different starts.
    pub restarts: u32,
    /// Passes over the training samples, at most; 0 leaves it to their number.
    pub epochs: u32,
    /// Samples per step; 0 leaves it to their number.
    pub batch: u32,
    /// Learning rate at the start.
    pub rate: f64,
    /// How far rare classes count more: 0 not at all, 1 as if all were equally common.
    pub balance: f64,
    /// Strength of the L1 penalty on plane weights.
    pub l1: f64,
    /// The most columns in a weighted sum; 0 for all.
    pub columns: u32,
}

impl Default for Config {
    fn default() -> Self {
        Config::of(learn::Recipe::Espalier)
    }
}

/// A descent's course, worked out for a number of samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Course {
    /// Passes over the samples, at most.
    pub epochs: usize,
    /// Samples per step.
    pub batch: usize,
    /// Learning rate at the start.
    pub rate: f64,
    /// Epochs without improvement after which a descent ends.
    pub patience: usize,
    /// How steep scores are at the start and at the end.
    pub scale: [f64; 2],
    /// The epoch after which planes are settled.
    pub settle: usize,
    /// Epochs before this are not kept if the start was random: a random tree that validation likes is luck.
    pub ripe: usize,
    /// Epochs in which the planes of a greedy start rest, while the predictor finds its numbers.
    pub rest: usize,
    /// Whether the rate falls with every epoch; if not, tenfold after three epochs without improvement.
    pub falling: bool,
}

impl Config {
    /// The values of a recipe.
    pub fn of(recipe: learn::Recipe) -> Config {
        let espalier = Config {
            recipe,
            depth: 6,
            prune: 0.2,
            version: Version::A,
            predictor: Predictor::Traversal,
            restarts: 4,
            epochs: 0,
            batch: 0,
            rate: 0.02,
            balance: 0.5,
            l1: 0.0,
            columns: 0,
        };
        match recipe {
            learn::Recipe::Espalier => espalier,
            // One run, in which all samples count alike.
            learn::Recipe::Published => {
                Config { restarts: 1, epochs: 100, batch: 512, rate: 1e-3, balance: 0.0, ..espalier }
            }
        }
    }

    /// The values for a table of a size.
    pub(crate) fn sized(&self, size: Size) -> Config {
        let course = self.course(size.train);
        Config { epochs: course.epochs as u32, batch: course.batch as u32, ..self.clone() }
    }

    /// Whether descents are as published.
    pub(crate) fn published(&self) -> bool {
        self.recipe == learn::Recipe::Published
    }

    /// How the design matrix is to be: standardised, as planes and their start assume.
    pub fn wants(&self) -> Wants {
        Wants {
            scale: Scale::Standard,
            quantile_noise: 0.0,
            missing: Missing::Median,
            categories: Categories::Mean,
            resample: Resample::None,
            validation: true,
        }
    }

    /// The tree to be learned. The strongest pruning leaves one split, which is a tree of depth 1.
    pub fn shape(&self, features: usize, outputs: usize) -> Shape {
        let depth = if self.prune >= 1.0 { 1 } else { self.depth as usize };
        Shape { depth, features, outputs, predictor: self.predictor }
    }

    /// How batches are judged.
    pub fn recipe(&self) -> Recipe {
        // The slider is logarithmic between its ends.
        let between = |low: f64, high: f64| libm::pow(10.0, low + (high - low) * self.prune);
        let paper = self.published();
        let prunes = self.prune > 0.0 && self.prune < 1.0;
        let (weight, penalty) = match (self.version, paper) {
            _ if !prunes => (None, Penalty::None),
            // λ of the text is log-uniform in 0.001 to 1000.
            (Version::A, true) => (Some(Weight::Fixed(1.0)), Penalty::Infinity(between(-3.0, 3.0))),
            (Version::A, false) => (Some(Weight::PerSample(1.0)), Penalty::Size(between(-5.0, 0.0))),
            (Version::B, true) => (Some(Weight::Fixed(between(0.0, 4.0))), Penalty::None),
            (Version::B, false) => (Some(Weight::PerSample(between(-3.0, 1.0))), Penalty::None),
        };
        // A node can do with a smaller a if the predictor grows, so a never quite reaches 0. With the ridge μ on the predictor a
        // node of effect p settles at a³ = 2 μ p²/λ, which is at most the bound where p² is at most 80 λ.
        let (least, ridge) = if paper { (0.0, 0.0) } else { (0.25, 1e-4) };
        Recipe { version: self.version, weight, penalty, least, ridge, l1: self.l1 }
    }

    /// How many descents begin at greedy trees, at most; the others begin at random.
    pub fn greedy(&self) -> u32 {
        if self.published() { 0 } else { 2 }
    }

    /// What each node but the root costs when the tree is read hard: as much as while it was learned.
    pub fn charge(&self) -> f64 {
        if self.published() || self.prune == 0.0 { 0.0 } else { libm::pow(10.0, 5.0 * (self.prune - 1.0)) }
    }

    /// How pruning scores begin.
    pub fn scores(&self) -> Scores {
        match (self.version, self.published()) {
            (Version::B, _) => Scores::Level(0.0),
            (Version::A, true) => Scores::Uniform,
            (Version::A, false) => Scores::Level(0.8),
        }
    }

    /// The course of a descent over so many samples.
    pub fn course(&self, samples: usize) -> Course {
        let given = |value: u32, by_size: usize| if value == 0 { by_size } else { value as usize };
        let paper = self.published();
        let batch = given(self.batch, (samples / 16).clamp(16, 256)).clamp(1, samples.max(1));
        let per_epoch = samples.div_ceil(batch).max(1);
        let epochs = given(self.epochs, 2400usize.div_ceil(per_epoch).clamp(20, 150));
        Course {
            epochs,
            batch,
            rate: self.rate,
            patience: if paper { 10 } else { epochs.div_ceil(2) },
            scale: if paper { [1.0; 2] } else { [1.0, 4.0] },
            settle: epochs * 2 / 5,
            ripe: if paper { 0 } else { epochs * 2 / 5 },
            rest: epochs / 10,
            falling: !paper,
        }
    }

    /// Checks the hyper-parameters against the training samples.
    pub fn check(&self, train: &Design) -> Result<()> {
        let features = train.features();
        let refuse = |code, message: String, hint: &str| Err(Error::new(code, message, hint));
        if train.samples() == 0 {
            let hint = "Give more rows, or make the validation and test parts smaller.";
            return refuse(Code::TooFewRows, "There is no training row for relaxed.".into(), hint);
        }
        if features == 0 {
            let hint = "Use at least one column besides the target.";
            return refuse(Code::NoFeatures, "There is no column for relaxed to learn from.".into(), hint);
        }
        if let Some(at) = train.x.as_slice().iter().position(|x| !x.is_finite()) {
            let (row, column) = (at / features + 1, at % features + 1);
            let message = format!("Training row {row} has no number in encoded column {column}.");
            return refuse(Code::BadValue, message, "Missing values must be filled in first.");
        }
        let outputs = match &train.y {
            Labels::Classes { classes, .. } if *classes < 2 => {
                let message = "The target has fewer than two classes.".to_owned();
                return refuse(Code::BadTarget, message, "Choose a target with at least two different values.");
            }
            Labels::Values(values) if values.iter().any(|y| !y.is_finite()) => {
                let message = "The target has values that are not numbers.".to_owned();
                return refuse(Code::BadTarget, message, "Leave out the rows without a target.");
            }
            Labels::Classes { classes, .. } => *classes,
            Labels::Values(_) => 1,
        };
        check_size(self.depth, features, self.shape(features, outputs).numbers())
    }
}

impl Params for Config {
    fn entries(&mut self) -> Vec<Entry<'_>> {
        let entry = |key, help, slot| Entry { key, help, slot };
        vec![
            entry(
                "depth",
                "Questions from the root to a leaf, at most; pruning may leave fewer.",
                Slot::Whole(&mut self.depth, 1..=10),
            ),
            entry(
                "prune",
                "How strongly nodes are pruned while they are learned: 0 keeps everything, 1 leaves one split.",
                Slot::Real(&mut self.prune, 0.0..=1.0),
            ),
            entry(
                "restarts",
                "Number of runs. With the preset quick the first two begin at greedy trees and the others at \
                 random; validation chooses.",
                Slot::Whole(&mut self.restarts, 1..=100),
            ),
            entry(
                "columns",
                "The most columns in a weighted sum, so that a split can be read; 0 for all of them.",
                Slot::Whole(&mut self.columns, 0..=1000),
            ),
            entry(
                "version",
                "a learns a pruning score for every node; b has one strength for all, as in the released program.",
                Slot::Choice(&mut self.version),
            ),
            entry(
                "predictor",
                "What reads the tree while it is learned: traversal sees the tree alone, linear and mlp the columns too.",
                Slot::Choice(&mut self.predictor),
            ),
            entry(
                "epochs",
                "Passes over the training rows, at most; 0 takes 20 to 150, the more the fewer rows there are.",
                Slot::Whole(&mut self.epochs, 0..=100_000),
            ),
            entry(
                "batch",
                "Training rows per step; 0 takes a sixteenth of them, 16 to 256.",
                Slot::Whole(&mut self.batch, 0..=1_000_000),
            ),
            entry("rate", "How fast everything moves at first.", Slot::Real(&mut self.rate, 0.0..=1.0)),
            entry(
                "balance",
                "How far rare classes count more: 0 not at all, 1 as if all classes were equally common.",
                Slot::Real(&mut self.balance, 0.0..=1.0),
            ),
            entry(
                "l1",
                "Draws small weights of a split towards 0; 0.001 is much.",
                Slot::Real(&mut self.l1, 0.0..=1.0),
            ),
        ]
    }
}
