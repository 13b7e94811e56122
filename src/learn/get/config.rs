//! Hyper-parameters: the values of each recipe, their ranges and what the data must be like.

use super::ground::{MOST_TAUGHT, MOST_TAUGHT_FEATURES};
use super::hard::Refit;
use super::multistart::Plan;
use super::parameters::Answer;
use super::run::Recipe;
use super::warm::Draw;
use crate::encode::{Categories, Design, Labels, Missing, Resample, Scale, Wants};
use crate::error::{Code, Error, Result};
use crate::learn::{Entry, Params, Recipe as Origin, Size, Slot, TargetKind, check_size, words};

/// The greatest depth.
const MOST_DEPTH: u32 = 12;

/// Whether something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Yes.
    On,
    /// No.
    Off,
}

words!(Choice { On = "on", Off = "off" });

/// What is chosen by validation before the tree is learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tune {
    /// Nothing.
    Off,
    /// The depth.
    Depth,
    /// The depth and the strength of the L1 penalty.
    DepthAndL1,
}

words!(Tune { Off = "off", Depth = "depth", DepthAndL1 = "depth_and_l1" });

/// Hyper-parameters of GET and GET-Linear.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Whether leaves are linear models.
    pub linear: bool,
    /// What decides the parts of a descent that have no hyper-parameter.
    pub recipe: Origin,
    /// Depth of the complete tree before pruning.
    pub depth: u32,
    /// Whether validation chooses depth, which is then the greatest one, and penalty.
    pub tune: Tune,
    /// Descents, the one from CART's tree first.
    pub starts: u32,
    /// Passes over the training samples per run; 0 leaves it to their number.
    pub epochs: u32,
    /// Samples per step; 0 for all.
    pub batch: u32,
    /// Greatest learning rate.
    pub rate: f64,
    /// Number of scale factors.
    pub alphas: u32,
    /// Range of the first scale factor.
    pub alpha_first: [f64; 2],
    /// Range of the last scale factor.
    pub alpha_last: [f64; 2],
    /// Strength of the L1 penalty on plane weights.
    pub l1: f64,
    /// The most columns in a split; 0 for all.
    pub columns: u32,
    /// How readily splits do without columns, at most: times the gain of a column of noise.
    pub spare: f64,
    /// Subtree polish.
    pub polish: Choice,
    /// Descents in each node that is polished.
    pub polish_starts: u32,
    /// Whether leaves are shrunk, and levels cut, by validation, and the tree descends once more on all samples.
    pub refine: Choice,
    /// Whether a tree is taught by the others.
    pub teach: Choice,
}

impl Config {
    /// The values of a recipe, with constant or with linear leaves.
    pub fn of(linear: bool, recipe: Origin) -> Config {
        let espalier = Config {
            linear,
            recipe,
            depth: if linear { 7 } else { 9 },
            tune: Tune::Off,
            starts: 4,
            epochs: 0,
            batch: 256,
            rate: 0.03,
            alphas: 2,
            alpha_first: [5.0, 25.0],
            // The authors' program; the text has 50 to 150.
            alpha_last: [80.0, 120.0],
            l1: 0.0,
            columns: 0,
            spare: 2.0,
            polish: Choice::Off,
            polish_starts: 3,
            refine: Choice::On,
            // With constant leaves a student gained on some tables what it lost on others, and took most of the time
            // (benches/record), so there it has to be asked for.
            teach: if linear { Choice::On } else { Choice::Off },
        };
        match recipe {
            Origin::Espalier => espalier,
            Origin::Published => Config {
                depth: MOST_DEPTH,
                tune: if linear { Tune::DepthAndL1 } else { Tune::Depth },
                starts: 10,
                epochs: 3000,
                batch: 0,
                rate: 0.01,
                alpha_last: [50.0, 150.0],
                spare: 0.0,
                polish: if linear { Choice::Off } else { Choice::On },
                polish_starts: 10,
                refine: Choice::Off,
                teach: Choice::Off,
                ..espalier
            },
        }
    }

    /// Gives what was not said the values that follow from what was.
    pub(crate) fn follow(&mut self, target: TargetKind, said: &dyn Fn(&str) -> bool) {
        // A depth that is said is not searched for, nor is a penalty. What refines asks validation how many levels are kept.
        if !said("tune") {
            if said("depth") || self.refines() {
                self.tune = Tune::Off;
            } else if self.tune == Tune::DepthAndL1 && said("l1") {
                self.tune = Tune::Depth;
            }
        }
        // A student needs validation to judge it, and numbers to learn.
        if !said("teach") && (!self.refines() || matches!(target, TargetKind::Classes(_))) {
            self.teach = Choice::Off;
        }
        if !said("polish_starts") && said("starts") {
            self.polish_starts = self.starts;
        }
    }

    /// The values for a table of a size. Without validation samples there is nothing to refine or to judge a student by.
    pub(crate) fn sized(&self, size: Size) -> Config {
        let judged = size.valid > 0;
        let taught = judged && size.train <= MOST_TAUGHT && size.features <= MOST_TAUGHT_FEATURES;
        Config {
            epochs: self.epochs_for(size.train),
            refine: if judged { self.refine } else { Choice::Off },
            teach: if taught { self.teach } else { Choice::Off },
            ..self.clone()
        }
    }

    /// The key of the learner.
    pub fn key(&self) -> &'static str {
        if self.linear { "get-linear" } else { "get" }
    }

    /// How the design matrix is to be: scaled to [0, 1], which planes and scale factors are meant for.
    pub fn wants(&self) -> Wants {
        Wants {
            scale: Scale::MinMax,
            quantile_noise: 0.0,
            missing: Missing::Median,
            categories: Categories::Mean,
            resample: Resample::None,
            validation: self.refines() || self.tunes(),
        }
    }

    /// Whether the tree is refined by validation.
    pub fn refines(&self) -> bool {
        self.refine == Choice::On
    }

    /// Whether validation chooses the depth before the tree is learned.
    pub fn tunes(&self) -> bool {
        self.tune != Tune::Off
    }

    /// Whether descents are as published.
    fn published(&self) -> bool {
        self.recipe == Origin::Published
    }

    /// Whether the best tree is refined node by node on the training samples, which fits their noise too: where validation is
    /// not asked.
    pub fn sweeps(&self) -> bool {
        !self.published() && !self.refines()
    }

    /// Whether trees are taught by the others.
    pub fn teaches(&self) -> bool {
        self.teach == Choice::On
    }

    /// What leaves answer with.
    pub fn answer(&self, labels: &Labels) -> Answer {
        match labels {
            Labels::Classes { classes, .. } => Answer::Classes(*classes),
            Labels::Values(_) if self.linear => Answer::Linear,
            Labels::Values(_) => Answer::Constant,
        }
    }

    /// Blocks of samples per step.
    fn batch_blocks(&self) -> usize {
        if self.batch == 0 { usize::MAX } else { self.batch as usize }.div_ceil(super::blocks::BLOCK)
    }

    /// Epochs of a run on so many samples. Small tables have few steps per epoch, so they get more epochs.
    fn epochs_for(&self, samples: usize) -> u32 {
        let steps = samples.div_ceil(super::blocks::BLOCK).div_ceil(self.batch_blocks()).max(1);
        if self.epochs > 0 { self.epochs } else { 600usize.div_ceil(steps).clamp(20, 150) as u32 }
    }

    /// Ranges of the scale factors. Those between the first and the last lie evenly on a logarithmic scale.
    fn scales(&self) -> Vec<[f64; 2]> {
        let last = self.alphas.max(1) - 1;
        let between = |run: u32, end: usize| match run {
            0 => self.alpha_first[end],
            run if run == last => self.alpha_last[end],
            run => {
                let share = f64::from(run) / f64::from(last);
                libm::pow(self.alpha_first[end], 1.0 - share) * libm::pow(self.alpha_last[end], share)
            }
        };
        (0..=last).map(|run| [between(run, 0), between(run, 1)]).collect()
    }

    /// The plan of the search for so many samples.
    pub fn plan(&self, samples: usize) -> Plan {
        let paper = self.published();
        Plan {
            recipe: Recipe {
                epochs: self.epochs_for(samples) as usize,
                batch: self.batch_blocks(),
                rate: self.rate,
                decay: 0.01,
                l1: self.l1,
                closed_leaves: !paper,
                check: if paper || !self.linear { 1 } else { 5 },
                patience: if paper { 0 } else { 60 },
                // With all samples in every step blocks are sorted by leaf, so passing over branches pays most there.
                negligible: if paper { 1e-5 } else { 1e-7 },
                refit: if paper { Refit::PLAIN } else { Refit { ridge: 1e-3, ..Refit::PLAIN } },
            },
            starts: self.starts as usize,
            sloped: match (paper, self.linear) {
                (true, _) => 0,
                (false, true) => 1,
                (false, false) => 2,
            },
            columns: self.columns as usize,
            // With linear leaves it cost a little, and splits end up with as few columns without it (benches/record). Where only the
            // training samples count, a column of noise is a gain.
            price: if self.linear || self.sweeps() { 0.0 } else { self.spare },
            // Distillation uses one tree per start.
            ended: !paper && !self.linear && !self.teaches(),
            draw: if paper { Draw::Uniform } else { Draw::Through },
            scales: self.scales(),
            anneal: !paper,
        }
    }

    /// Levels of nodes that are polished: all down to the last for shallow trees, four for deep ones.
    pub fn polish_levels(&self) -> usize {
        if self.polish == Choice::On { (self.depth as usize).min(4) } else { 0 }
    }

    /// Checks the hyper-parameters against the training samples.
    pub fn check(&self, train: &Design) -> Result<()> {
        let (key, features) = (self.key(), train.features());
        let refuse = |code, message: String, hint: &str| Err(Error::new(code, message, hint));
        if train.samples() == 0 {
            let hint = "Give more rows, or make the validation and test parts smaller.";
            return refuse(Code::TooFewRows, format!("There is no training row for {key}."), hint);
        }
        if features == 0 {
            let hint = "Use at least one column besides the target.";
            return refuse(Code::NoFeatures, format!("There is no column for {key} to learn from."), hint);
        }
        if let Some(at) = train.x.as_slice().iter().position(|x| !x.is_finite()) {
            let (row, column) = (at / features + 1, at % features + 1);
            let message = format!("Training row {row} has no number in encoded column {column}.");
            return refuse(Code::BadValue, message, "Missing values must be filled in first.");
        }
        match &train.y {
            Labels::Classes { .. } if self.linear => {
                let message = "get-linear predicts numbers, but the target has classes.".to_owned();
                return refuse(
                    Code::BadTask,
                    message,
                    "Choose get, gradtree or cart, or predict the target as a number.",
                );
            }
            Labels::Classes { classes, .. } if *classes < 2 => {
                let message = "The target has fewer than two classes.".to_owned();
                return refuse(Code::BadTarget, message, "Choose a target with at least two different values.");
            }
            Labels::Values(values) if values.iter().any(|y| !y.is_finite()) => {
                let message = "The target has values that are not numbers.".to_owned();
                return refuse(Code::BadTarget, message, "Leave out the rows without a target.");
            }
            _ => {}
        }
        for ([low, high], name) in [(self.alpha_first, "first"), (self.alpha_last, "last")] {
            if low > high {
                let message = format!("The {name} scale factor of {key} has no range: {low} is above {high}.");
                let hint = format!("Set alpha_{name}_min to at most alpha_{name}_max.");
                return refuse(Code::BadValue, message, &hint);
            }
        }
        if self.tunes() && self.refines() {
            let message =
                format!("The tune of {key} cannot go with refine: both leave the number of levels to validation.");
            return refuse(Code::BadValue, message, "Set tune or refine to off.");
        }
        if self.teaches() && (!self.refines() || matches!(train.y, Labels::Classes { .. })) {
            let message =
                format!("The teach \"on\" of {key} needs validation rows to judge it and a target of numbers.");
            return refuse(Code::BadValue, message, "Set refine to on and predict a number, or set teach to off.");
        }
        let width = features + 1 + self.answer(&train.y).numbers(features + 1);
        let numbers = (1usize << self.depth).saturating_mul(width);
        check_size(self.depth, features, numbers)
    }
}

impl Params for Config {
    fn entries(&mut self) -> Vec<Entry<'_>> {
        let entry = |key, help, slot| Entry { key, help, slot };
        let ([first_min, first_max], [last_min, last_max]) = (&mut self.alpha_first, &mut self.alpha_last);
        let alpha = 0.1..=10_000.0;
        vec![
            entry(
                "depth",
                "Questions from the root to a leaf, at most; validation may keep fewer.",
                Slot::Whole(&mut self.depth, 1..=MOST_DEPTH),
            ),
            entry(
                "tune",
                "Whether validation chooses the depth, from 1 to the one given, and the l1: one training for each, then one more on all rows.",
                Slot::Choice(&mut self.tune),
            ),
            entry(
                "starts",
                "Number of descents. The first one starts from CART's tree; under the recipe espalier the next ones start from greedy \
                 oblique trees; the others start at random.",
                Slot::Whole(&mut self.starts, 1..=100),
            ),
            entry(
                "epochs",
                "Passes over the training rows in one run; 0 takes 20 to 150, the more the fewer rows there are.",
                Slot::Whole(&mut self.epochs, 0..=100_000),
            ),
            entry(
                "batch",
                "Training rows per step, in steps of 64; 0 takes all of them.",
                Slot::Whole(&mut self.batch, 0..=1_000_000),
            ),
            entry("rate", "How fast splits move at most.", Slot::Real(&mut self.rate, 0.0..=1.0)),
            entry(
                "alphas",
                "Number of scale factors that make the splits of a start steeper: under the recipe published there is a run for each, under \
                 espalier one run goes from the first to the last.",
                Slot::Whole(&mut self.alphas, 1..=8),
            ),
            entry(
                "alpha_first_min",
                "Least first scale factor; each start draws its own.",
                Slot::Real(first_min, alpha.clone()),
            ),
            entry("alpha_first_max", "Greatest first scale factor.", Slot::Real(first_max, alpha.clone())),
            entry("alpha_last_min", "Least last scale factor.", Slot::Real(last_min, alpha.clone())),
            entry("alpha_last_max", "Greatest last scale factor.", Slot::Real(last_max, alpha)),
            entry(
                "l1",
                "Draws small weights of a split towards 0; 0.0001 is much.",
                Slot::Real(&mut self.l1, 0.0..=1.0),
            ),
            entry(
                "columns",
                "The most columns in a weighted sum, so that a split can be read; 0 for all of them.",
                Slot::Whole(&mut self.columns, 0..=1000),
            ),
            entry(
                "spare",
                "How readily splits do without columns: one stays out if it gains less than this many times what a column of noise \
                 would. Validation may take less for the finished tree; 0 keeps all.",
                Slot::Real(&mut self.spare, 0.0..=100.0),
            ),
            entry(
                "polish",
                "Whether every subtree is searched for anew on its own rows.",
                Slot::Choice(&mut self.polish),
            ),
            entry(
                "polish_starts",
                "Number of descents in each node that is polished.",
                Slot::Whole(&mut self.polish_starts, 1..=100),
            ),
            entry(
                "refine",
                "Whether validation rows choose how many levels are kept and how far small leaves lean on their parents.",
                Slot::Choice(&mut self.refine),
            ),
            entry(
                "teach",
                "Whether one more tree learns from the mean of the others, also at synthetic rows; validation decides if it is better. \
                 For numbers only, up to 50,000 rows and 100 columns; it needs refine.",
                Slot::Choice(&mut self.teach),
            ),
        ]
    }
}
