//! Hyper-parameters: their defaults, the published preset and what the data must be like.

use super::hard::Refit;
use super::multistart::Plan;
use super::parameters::Answer;
use super::run::Recipe;
use super::warm::Draw;
use crate::encode::{Categories, Design, Labels, Missing, Resample, Scale, Wants};
use crate::error::{Code, Error, Result};
use crate::learn::{Entry, Params, Slot, check_size, words};

/// Where the settings that are not given come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// Batches, few epochs, leaves in closed form: as good in a fraction of the time.
    Quick,
    /// As published: 3000 epochs of all samples at once, ten starts, every epoch checked.
    Paper,
}

/// Whether something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// As the preset has it.
    Auto,
    /// Yes.
    On,
    /// No.
    Off,
}

words!(Preset { Quick = "quick", Paper = "paper" });
words!(Choice { Auto = "auto", On = "on", Off = "off" });

/// Hyper-parameters of GET and GET-Linear. Zero takes the preset's value.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Whether leaves are linear models.
    pub linear: bool,
    /// Depth of the complete tree before pruning.
    pub depth: u32,
    /// Where the settings that are not given come from.
    pub preset: Preset,
    /// Descents, the one from CART's tree first.
    pub starts: u32,
    /// Passes over the training samples per run.
    pub epochs: u32,
    /// Samples per step.
    pub batch: u32,
    /// Greatest learning rate.
    pub rate: f64,
    /// Strength of the L1 penalty on plane weights.
    pub l1: f64,
    /// The most columns in a split; 0 for all.
    pub columns: u32,
    /// How readily splits do without columns, at most: times the gain of a column of noise.
    pub spare: f64,
    /// Subtree polish.
    pub polish: Choice,
    /// Whether leaves are shrunk, and levels cut, by validation, and the tree descends once more on all samples.
    pub refine: Choice,
    /// Whether a tree is taught by the others.
    pub teach: Choice,
    /// Encoded columns that may only be asked about alone, set by whoever encoded them.
    pub apart: Vec<usize>,
}

impl Config {
    /// Defaults, with constant or with linear leaves.
    pub fn new(linear: bool) -> Config {
        Config {
            linear,
            depth: if linear { 7 } else { 9 },
            preset: Preset::Quick,
            starts: 0,
            epochs: 0,
            batch: 0,
            rate: 0.0,
            l1: 0.0,
            columns: 0,
            spare: 2.0,
            polish: Choice::Auto,
            refine: Choice::Auto,
            teach: Choice::Auto,
            apart: vec![],
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
            validation: self.refines(),
        }
    }

    /// Whether the tree is refined by validation.
    pub fn refines(&self) -> bool {
        match self.refine {
            Choice::Auto => self.preset == Preset::Quick,
            choice => choice == Choice::On,
        }
    }

    /// Whether the best tree is refined node by node on the training samples, which fits their noise too: where validation is
    /// not asked.
    pub fn sweeps(&self) -> bool {
        self.preset == Preset::Quick && !self.refines()
    }

    /// Whether trees are taught by the others: numbers only, where validation can judge it. With constant leaves a student gained on
    /// some tables what it lost on others, and took most of the time (benches/record), so there it has to be asked for.
    pub fn teaches(&self, answer: Answer) -> bool {
        let wanted = match self.teach {
            Choice::Auto => answer == Answer::Linear,
            choice => choice == Choice::On,
        };
        wanted && self.refines() && !matches!(answer, Answer::Classes(_))
    }

    /// How readily splits do without columns, at most; the published settings know nothing of it.
    pub fn spared(&self) -> f64 {
        if self.preset == Preset::Quick { self.spare } else { 0.0 }
    }

    /// What leaves answer with.
    pub fn answer(&self, labels: &Labels) -> Answer {
        match labels {
            Labels::Classes { classes, .. } => Answer::Classes(*classes),
            Labels::Values(_) if self.linear => Answer::Linear,
            Labels::Values(_) => Answer::Constant,
        }
    }

    /// The plan of the search for so many samples.
    pub fn plan(&self, samples: usize) -> Plan {
        let given = |value: u32, quick: usize, paper: usize| match (value, self.preset) {
            (0, Preset::Quick) => quick,
            (0, Preset::Paper) => paper,
            (value, _) => value as usize,
        };
        let paper = self.preset == Preset::Paper;
        let rate = if self.rate > 0.0 {
            self.rate
        } else if paper {
            0.01
        } else {
            0.03
        };
        let batch = given(self.batch, 256, usize::MAX).div_ceil(super::blocks::BLOCK);
        // Small tables have few steps per epoch, so they get more epochs.
        let steps_per_epoch = samples.div_ceil(super::blocks::BLOCK).div_ceil(batch).max(1);
        let quick_epochs = (600usize.div_ceil(steps_per_epoch)).clamp(20, 150);
        Plan {
            recipe: Recipe {
                epochs: given(self.epochs, quick_epochs, 3000),
                batch,
                rate,
                decay: 0.01,
                l1: self.l1,
                closed_leaves: !paper,
                check: if paper || !self.linear { 1 } else { 5 },
                patience: if paper { 0 } else { 60 },
                // With all samples in every step blocks are sorted by leaf, so passing over branches pays most there.
                negligible: if paper { 1e-5 } else { 1e-7 },
                refit: if paper { Refit::PLAIN } else { Refit { ridge: 1e-3, ..Refit::PLAIN } },
            },
            starts: given(self.starts, 4, 10),
            sloped: match (paper, self.linear) {
                (true, _) => 0,
                (false, true) => 1,
                (false, false) => 2,
            },
            columns: self.columns as usize,
            // With linear leaves it cost a little, and splits end up with as few columns without it (benches/record). Where only the
            // training samples count, a column of noise is a gain.
            price: if self.linear || self.sweeps() { 0.0 } else { self.spared() },
            // Whoever is taught is taught by one tree of each start.
            ended: !paper && !self.linear && self.teach != Choice::On,
            draw: if paper { Draw::Uniform } else { Draw::Through },
            scales: [[5.0, 25.0], [80.0, 120.0]],
            anneal: !paper,
        }
    }

    /// Levels of nodes that are polished: all down to the last for shallow trees, four for deep ones.
    pub fn polish_levels(&self) -> usize {
        let on = match self.polish {
            Choice::Auto => !self.linear && self.preset == Preset::Paper,
            choice => choice == Choice::On,
        };
        if on { (self.depth as usize).min(4) } else { 0 }
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
        let width = features + 1 + self.answer(&train.y).numbers(features + 1);
        let numbers = (1usize << self.depth).saturating_mul(width);
        check_size(self.depth, features, numbers)
    }
}

impl Params for Config {
    fn entries(&mut self) -> Vec<Entry<'_>> {
        let entry = |key, help, slot| Entry { key, help, slot };
        vec![
            entry(
                "depth",
                "Questions from the root to a leaf, at most; validation may keep fewer.",
                Slot::Whole(&mut self.depth, 1..=12),
            ),
            entry(
                "preset",
                "quick learns in batches and few passes; paper has the published settings, which take many times as long.",
                Slot::Choice(&mut self.preset),
            ),
            entry(
                "starts",
                "Number of descents; the first one starts from CART's tree, with the preset quick the next from greedy oblique trees, the others at random. 0 takes the preset's.",
                Slot::Whole(&mut self.starts, 0..=100),
            ),
            entry(
                "epochs",
                "Passes over the training rows in one run. 0 takes the preset's.",
                Slot::Whole(&mut self.epochs, 0..=100_000),
            ),
            entry(
                "batch",
                "Training rows per step, in steps of 64. 0 takes the preset's.",
                Slot::Whole(&mut self.batch, 0..=1_000_000),
            ),
            entry("rate", "How fast splits move at most. 0 takes the preset's.", Slot::Real(&mut self.rate, 0.0..=1.0)),
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
                "How readily splits do without columns: one stays out if it gains less than this many times what a column of noise would. Validation may take less for the finished tree; 0, like the preset paper, keeps all.",
                Slot::Real(&mut self.spare, 0.0..=100.0),
            ),
            entry(
                "polish",
                "Whether every subtree is searched for anew on its own rows; auto does so for constant leaves as published.",
                Slot::Choice(&mut self.polish),
            ),
            entry(
                "refine",
                "Whether validation rows choose the tree, how many of its levels are kept and how far small \
                 leaves lean on their parents; the chosen tree is then made again on all rows.",
                Slot::Choice(&mut self.refine),
            ),
            entry(
                "teach",
                "Whether one more tree learns from the mean of the others, also at made-up rows; validation decides if it is better. For numbers only, up to 50,000 rows and 100 columns; auto does so for linear leaves with the preset quick.",
                Slot::Choice(&mut self.teach),
            ),
        ]
    }
}
