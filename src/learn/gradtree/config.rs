//! Hyper-parameters: their defaults, their ranges and what the data must be like.

use super::plot::Recipe;
use crate::encode::{Categories, Design, Labels, Missing, Resample, Scale, Wants};
use crate::error::{Code, Error, Result};
use crate::learn::regression::{MEDIAN, QUANTILE_HELP, QUANTILES, RegressionLoss};
use crate::learn::{Entry, Params, Size, Slot, check_size, words};
use crate::numeric::activation::SplitFunction;
use crate::numeric::loss::Loss;
use crate::numeric::pinball::Pinball;

/// What is minimised. Numbers take a loss of classes as the squared error, so that one default serves both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossChoice {
    /// Cross-entropy.
    CrossEntropy,
    /// Focal loss.
    Focal,
    /// The squared error.
    Squared,
    /// The absolute error.
    Absolute,
    /// The pinball loss of a quantile.
    Quantile,
}

/// How much each class counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassWeight {
    /// Every sample alike.
    None,
    /// Every class alike.
    Balanced,
}

/// What becomes of missing numbers: a gradient cannot keep them missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// The training samples' median.
    Median,
    /// The same, and a column that says where they were.
    Indicator,
}

/// How categories are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Indicators of few categories, the target's mean of many.
    Auto,
    /// The target's mean over the other samples of the category, for all.
    LeaveOneOut,
}

/// Where units start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// At greedy trees.
    Greedy,
    /// At random parameters, as published.
    Random,
    /// At greedy trees first, then at random parameters.
    Both,
}

/// How the parameters are drawn at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Init {
    /// Uniform, within Glorot's bound: the authors' experiments.
    Glorot,
    /// Normal with deviation 0.05: the authors' later package.
    Normal,
}

words!(SplitFunction { Sigmoid = "sigmoid", Softsign = "softsign" });
words!(LossChoice {
    CrossEntropy = "cross_entropy",
    Focal = "focal",
    Squared = "squared",
    Absolute = "absolute",
    Quantile = "quantile",
});
words!(ClassWeight { None = "none", Balanced = "balanced" });
words!(Scale { Quantile = "quantile", Standard = "standard", MinMax = "minmax", None = "none" });
words!(Fill { Median = "median", Indicator = "indicator" });
words!(Resample { None = "none", Smote = "smote", Auto = "auto" });
words!(Encoding { Auto = "auto", LeaveOneOut = "leave_one_out" });
words!(Start { Greedy = "greedy", Random = "random", Both = "both" });
words!(Init { Glorot = "glorot", Normal = "normal" });

/// Epochs of a run that leaves them to the size of the table, at most.
const MOST_EPOCHS: u32 = 1000;

/// Numbers (samples times features) that such a run looks at beside greedy starts: with many samples it has learned
/// what it can after fewer epochs.
const MOST_NUMBERS: usize = 16_000_000;

/// Hyper-parameters of GradTree.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Depth of the complete tree before pruning.
    pub depth: u32,
    /// Number of runs, each from its own start.
    pub restarts: u32,
    /// Most epochs per run; 0 leaves it to the size of the table.
    pub epochs: u32,
    /// Epochs without a better validation loss after which a run ends.
    pub patience: u32,
    /// Checkpoints, one per epoch, whose mean a random start's tree is read from; 1 for none.
    pub average: u32,
    /// Samples per step, if there are at least twice as many.
    pub batch: u32,
    /// Learning rate of the feature scores I.
    pub lr_index: f64,
    /// Learning rate of the thresholds T.
    pub lr_values: f64,
    /// Learning rate of the leaves L.
    pub lr_leaf: f64,
    /// The function whose slope a split uses.
    pub split: SplitFunction,
    /// What is minimised.
    pub loss: LossChoice,
    /// The quantile that the loss of that name is about.
    pub quantile: f64,
    /// γ of the focal loss.
    pub focal_gamma: f64,
    /// ε of PolyLoss.
    pub poly_epsilon: f64,
    /// How much each class counts.
    pub class_weight: ClassWeight,
    /// How the parameters are drawn at the start.
    pub init: Init,
    /// Start with thresholds equal to the feature scores, as the authors' program does.
    pub tie_init: bool,
    /// How numbers are scaled.
    pub scale: Scale,
    /// Noise of the quantile scaling.
    pub quantile_noise: f64,
    /// What becomes of missing numbers.
    pub missing: Fill,
    /// How categories are encoded.
    pub categories: Encoding,
    /// Whether rare classes get more training samples.
    pub resample: Resample,
    /// Where units start.
    pub start: Start,
    /// Trees of a greedy start's teacher; 0 is none.
    pub teacher: u32,
    /// The teacher's share in the targets of a greedy start.
    pub trust: f64,
    /// Crossed samples that a teacher answers, per training sample; 0 is none.
    pub crossed: f64,
    /// How far rare classes count more in a greedy start: 0 not at all, 1 as if all were equally common.
    pub balance: f64,
    /// Epochs of descent from a greedy start; 0 is none.
    pub refine: u32,
    /// What multiplies the learning rates from a greedy start.
    pub refine_rate: f64,
    /// How far a greedy split's own column leads the others.
    pub lead: f64,
    /// By how many deviations of a held-out score something must be better than the usual to be taken instead.
    pub caution: f64,
    /// Whether the winner is fitted again to training and validation samples together.
    pub refit: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            depth: 10,
            // The first is the greedy start.
            restarts: 8,
            epochs: 0,
            patience: 50,
            average: 1,
            batch: 128,
            lr_index: 0.05,
            lr_values: 0.01,
            lr_leaf: 0.05,
            split: SplitFunction::Sigmoid,
            loss: LossChoice::CrossEntropy,
            quantile: MEDIAN,
            focal_gamma: 3.0,
            poly_epsilon: 0.0,
            class_weight: ClassWeight::None,
            init: Init::Glorot,
            tie_init: false,
            scale: Scale::Standard,
            quantile_noise: 1e-3,
            missing: Fill::Indicator,
            categories: Encoding::Auto,
            resample: Resample::None,
            start: Start::Both,
            teacher: 50,
            trust: 0.5,
            crossed: 5.0,
            balance: 0.5,
            refine: 6,
            refine_rate: 0.6,
            lead: 1.9,
            caution: 1.0,
            refit: true,
        }
    }
}

impl Params for Config {
    fn entries(&mut self) -> Vec<Entry<'_>> {
        let entry = |key, help, slot| Entry { key, help, slot };
        let rate = 0.0..=10.0;
        vec![
            entry(
                "depth",
                "Questions from the root to a leaf, at most; unused branches are cut afterwards.",
                Slot::Whole(&mut self.depth, 1..=12),
            ),
            entry(
                "restarts",
                "Number of runs. With greedy starts the first begins at a greedy tree and the others at random; \
                 held-out rows choose.",
                Slot::Whole(&mut self.restarts, 1..=32),
            ),
            entry(
                "epochs",
                "Passes over the training rows from a random start, at most; 0 takes 1000, and fewer for many rows. refine sets \
                 those from a greedy tree.",
                Slot::Whole(&mut self.epochs, 0..=100_000),
            ),
            entry(
                "patience",
                "A random start ends after this many passes without a better validation loss.",
                Slot::Whole(&mut self.patience, 1..=100_000),
            ),
            entry(
                "average",
                "Weight averaging: a random start's tree is the mean of the parameters after so many last passes; 1 is \
                 no averaging.",
                Slot::Whole(&mut self.average, 1..=100),
            ),
            entry(
                "batch",
                "Training rows per step; at most half of them are used at once.",
                Slot::Whole(&mut self.batch, 1..=65_536),
            ),
            entry(
                "lr_index",
                "How fast a split may change its mind about which column to ask about.",
                Slot::Real(&mut self.lr_index, rate.clone()),
            ),
            entry("lr_values", "How fast thresholds move.", Slot::Real(&mut self.lr_values, rate.clone())),
            entry("lr_leaf", "How fast the answers in the leaves move.", Slot::Real(&mut self.lr_leaf, rate)),
            entry(
                "split",
                "How rows far from a threshold count: sigmoid lets them fade, softsign keeps some of their say.",
                Slot::Choice(&mut self.split),
            ),
            entry(
                "loss",
                "What is minimised. Classes: cross_entropy, or focal to dwell on the rows that are still wrong. Numbers: squared \
                 (the default), absolute (leaves answer with the median) or quantile.",
                Slot::Choice(&mut self.loss),
            ),
            entry("quantile", QUANTILE_HELP, Slot::Real(&mut self.quantile, QUANTILES)),
            entry(
                "focal_gamma",
                "How strongly the focal loss passes over rows that are already right.",
                Slot::Real(&mut self.focal_gamma, 0.0..=10.0),
            ),
            entry(
                "poly_epsilon",
                "Extra push towards the right class (PolyLoss); 0 is none.",
                Slot::Real(&mut self.poly_epsilon, -1.0..=10.0),
            ),
            entry(
                "class_weight",
                "balanced gives rare classes the same say as common ones.",
                Slot::Choice(&mut self.class_weight),
            ),
            entry(
                "init",
                "How a run starts: glorot as in the paper, normal as in the authors' later package.",
                Slot::Choice(&mut self.init),
            ),
            entry(
                "tie_init",
                "Start with thresholds equal to the column scores, as the authors' program does by accident.",
                Slot::Flag(&mut self.tie_init),
            ),
            entry(
                "scale",
                "How columns of numbers are scaled for training: quantile by rank, standard by mean and deviation, minmax to 0 \
                 and 1, or none. The tree always speaks in the file's units.",
                Slot::Choice(&mut self.scale),
            ),
            entry(
                "quantile_noise",
                "Noise that keeps repeated values from sharing one rank when scale is quantile.",
                Slot::Real(&mut self.quantile_noise, 0.0..=1.0),
            ),
            entry(
                "missing",
                "What stands for a missing number: the median, or with indicator also a column that says where it was missing.",
                Slot::Choice(&mut self.missing),
            ),
            entry(
                "categories",
                "How words become numbers: auto has a column per word below ten words, and the target's mean beyond; \
                 leave_one_out has the mean over the other rows in every column of words, as published, for random \
                 starts.",
                Slot::Choice(&mut self.categories),
            ),
            entry(
                "resample",
                "smote adds synthetic training rows until every class is as common as the most common one; auto does so only if \
                 a class is rare.",
                Slot::Choice(&mut self.resample),
            ),
            entry(
                "start",
                "Where runs start: at a greedy tree, at random numbers as published, or the first at a greedy tree \
                 and the others at random.",
                Slot::Choice(&mut self.start),
            ),
            entry(
                "teacher",
                "Trees of the forest that teaches a greedy start: their votes soften its targets; 0 is none.",
                Slot::Whole(&mut self.teacher, 0..=500),
            ),
            entry(
                "trust",
                "The share of those votes in a greedy start's targets; the rest is the row's own.",
                Slot::Real(&mut self.trust, 0.0..=1.0),
            ),
            entry(
                "crossed",
                "Made-up rows per training row that a greedy start is also grown on, answered by those trees; 0 is none.",
                Slot::Real(&mut self.crossed, 0.0..=100.0),
            ),
            entry(
                "balance",
                "How far rare classes count more in a greedy start: 0 not at all, 1 as if all classes were equally common.",
                Slot::Real(&mut self.balance, 0.0..=1.0),
            ),
            entry(
                "refine",
                "Passes of gradient descent from a greedy start; they are undone where held-out rows get clearly \
                 worse. 0 is none.",
                Slot::Whole(&mut self.refine, 0..=10_000),
            ),
            entry(
                "refine_rate",
                "What multiplies the learning rates from a greedy start.",
                Slot::Real(&mut self.refine_rate, 0.0..=10.0),
            ),
            entry(
                "lead",
                "How far a greedy split's own column leads the others; from 2 on it cannot change any more.",
                Slot::Real(&mut self.lead, 0.0..=10.0),
            ),
            entry(
                "caution",
                "How much clearer than chance held-out rows must prefer another pruning or answer to the usual one.",
                Slot::Real(&mut self.caution, 0.0..=10.0),
            ),
            entry(
                "refit",
                "Make the chosen tree again from the training and validation rows together; of a random start only \
                 the leaves.",
                Slot::Flag(&mut self.refit),
            ),
        ]
    }
}

impl Config {
    /// How the design matrix is to be.
    pub fn wants(&self) -> Wants {
        Wants {
            scale: self.scale,
            quantile_noise: self.quantile_noise,
            missing: match self.missing {
                Fill::Median => Missing::Median,
                Fill::Indicator => Missing::Indicator,
            },
            // A greedy search would take the small step that leaving a row's own outcome out makes, and learn nothing.
            categories: match self.categories {
                Encoding::LeaveOneOut => Categories::AllLeaveOneOut,
                Encoding::Auto if self.has_greedy_starts() => Categories::Mean,
                Encoding::Auto => Categories::LeaveOneOut,
            },
            resample: self.resample,
            validation: true,
        }
    }

    /// Checks the hyper-parameters against the training samples.
    pub fn check(&self, train: &Design) -> Result<()> {
        let (samples, features) = (train.samples(), train.features());
        if samples == 0 {
            return Err(Error::new(
                Code::TooFewRows,
                "There is no training row for gradtree.",
                "Give more rows, or make the validation and test parts smaller.",
            ));
        }
        if features == 0 {
            return Err(Error::new(
                Code::NoFeatures,
                "There is no column for gradtree to learn from.",
                "Use at least one column besides the target.",
            ));
        }
        if let Some(at) = train.x.as_slice().iter().position(|x| !x.is_finite()) {
            return Err(Error::new(
                Code::BadValue,
                format!("Training row {} has no number in encoded column {}.", at / features + 1, at % features + 1),
                "gradtree needs missing values to be filled in first.",
            ));
        }
        self.regression().check(self.quantile, matches!(train.y, Labels::Classes { .. }))?;
        match &train.y {
            Labels::Classes { .. } if self.loss == LossChoice::Squared => {
                return Err(Error::new(
                    Code::BadValue,
                    "The loss \"squared\" is for numbers, but the target has classes.",
                    "Choose \"cross_entropy\" or \"focal\", or predict the target as a number.",
                ));
            }
            Labels::Classes { classes, .. } if *classes < 2 => {
                return Err(Error::new(
                    Code::BadTarget,
                    "The target has fewer than two classes.",
                    "Choose a target with at least two different values.",
                ));
            }
            Labels::Values(_) if self.resample == Resample::Smote => {
                return Err(Error::new(
                    Code::BadValue,
                    "The resample \"smote\" is for classes, but the target is a number.",
                    "Choose \"none\" or \"auto\", or predict the target as classes.",
                ));
            }
            Labels::Values(values) if values.iter().any(|y| !y.is_finite()) => {
                return Err(Error::new(
                    Code::BadTarget,
                    "The target has values that are not numbers.",
                    "Leave out the rows without a target.",
                ));
            }
            _ => {}
        }
        if self.categories == Encoding::LeaveOneOut && self.has_greedy_starts() {
            return Err(Error::new(
                Code::BadValue,
                "The categories \"leave_one_out\" need random starts: a greedy tree would read a row's own outcome \
                 from them.",
                "Set start to random, or categories to auto.",
            ));
        }
        let numbers = (1usize << self.depth).saturating_mul(features.saturating_add(outputs(&train.y)));
        check_size(self.depth, features, numbers)
    }

    /// Most epochs of a run on so many samples of so many encoded columns.
    pub(super) fn epochs_for(&self, samples: usize, features: usize) -> u32 {
        match self.epochs {
            0 if self.has_greedy_starts() => {
                MOST_EPOCHS.min((MOST_NUMBERS / (samples * features).max(1)).max(10) as u32)
            }
            0 => MOST_EPOCHS,
            epochs => epochs,
        }
    }

    /// The values for a table of a size.
    pub(crate) fn sized(&self, size: Size) -> Config {
        Config { epochs: self.epochs_for(size.train, size.features), ..self.clone() }
    }

    /// Whether some units start at greedy trees.
    pub fn has_greedy_starts(&self) -> bool {
        self.start != Start::Random
    }

    /// Whether parts of the training samples may judge the others: synthetic samples would judge their own models.
    pub fn cross_validates(&self) -> bool {
        self.has_greedy_starts() && self.resample == Resample::None
    }

    /// How the greedy start is grown: with every class counting the same, and half of each target a teacher's.
    pub(super) fn recipe(&self, labels: &Labels) -> Recipe {
        let power = if matches!(labels, Labels::Classes { .. }) { self.balance } else { 0.0 };
        Recipe { power, trust: if self.teacher > 0 { self.trust as f32 } else { 0.0 } }
    }

    /// What regression minimises.
    fn regression(&self) -> RegressionLoss {
        match self.loss {
            LossChoice::Absolute => RegressionLoss::Absolute,
            LossChoice::Quantile => RegressionLoss::Quantile,
            LossChoice::CrossEntropy | LossChoice::Focal | LossChoice::Squared => RegressionLoss::Squared,
        }
    }

    /// What regression minimises, unless it is the squared error.
    pub fn pinball(&self) -> Option<Pinball> {
        self.regression().pinball(self.quantile)
    }

    /// The loss for these labels.
    pub fn loss(&self, labels: &Labels) -> Loss {
        match labels {
            Labels::Values(_) => self.pinball().map_or(Loss::SquaredError, Loss::Pinball),
            Labels::Classes { .. } => {
                let focal_gamma = if self.loss == LossChoice::Focal { self.focal_gamma } else { 0.0 };
                Loss::Classes { focal_gamma, poly_epsilon: self.poly_epsilon }
            }
        }
    }
}

/// Outputs per leaf: one logit for two classes, one per class beyond, one number for regression.
pub(super) fn outputs(labels: &Labels) -> usize {
    match labels {
        Labels::Classes { classes: 0..=2, .. } | Labels::Values(_) => 1,
        Labels::Classes { classes, .. } => *classes,
    }
}
