//! Settings that belong together.

use super::config::{Config, Fill, Init, LossChoice, Start};
use crate::encode::{Labels, Resample, Scale};
use crate::learn::params::set;
use crate::learn::{Params, Value, words};
use crate::numeric::activation::SplitFunction;

/// A set of settings. Choosing one sets all others, but for those that are set to something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// What does best on tables at large.
    Default,
    /// The settings of the authors' experiments.
    Paper,
}

words!(Preset { Default = "default", Paper = "paper" });

/// Learning rate of the leaves and number of runs in the authors' experiments, with two classes and with more.
const PAPER_LEAF_RATE: [f64; 2] = [0.005, 0.05];
const PAPER_RUNS: [u32; 2] = [6, 4];

impl Preset {
    /// Its settings.
    fn settings(self) -> Config {
        match self {
            Preset::Default => Config::default(),
            Preset::Paper => Config {
                preset: Preset::Paper,
                depth: 10,
                restarts: PAPER_RUNS[0],
                epochs: 10_000,
                patience: 200,
                batch: 128,
                lr_index: 0.05,
                lr_values: 0.01,
                lr_leaf: PAPER_LEAF_RATE[0],
                split: SplitFunction::Sigmoid,
                loss: LossChoice::CrossEntropy,
                focal_gamma: 3.0,
                poly_epsilon: 0.0,
                init: Init::Glorot,
                tie_init: false,
                scale: Scale::Quantile,
                quantile_noise: 1e-3,
                missing: Fill::Median,
                resample: Resample::Auto,
                start: Start::Random,
                refit: false,
                ..Config::default()
            },
        }
    }
}

impl Config {
    /// Takes on the settings of the preset that was just chosen, where they stood as the one before had them: what was set to
    /// something else stays, whether it was set before or after.
    pub fn adopt(&mut self, before: Preset) {
        let (mut old, mut new) = (before.settings(), self.preset.settings());
        let changes: Vec<(&str, Value)> = self
            .entries()
            .iter()
            .zip(old.entries().iter().zip(new.entries().iter()))
            .filter(|(mine, (old, new))| mine.param().value == old.param().value && mine.key == new.key)
            .map(|(mine, (_, new))| (mine.key, new.param().value))
            .collect();
        for (key, value) in &changes {
            set(self, "gradtree", key, value).expect("a preset is within the ranges");
        }
    }

    /// The settings for these labels: the paper has a column of settings for two classes and one for more, and what was left as
    /// the preset has it follows the labels.
    pub fn for_labels(mut self, labels: &Labels) -> Config {
        let many = !matches!(labels, Labels::Classes { classes: 0..=2, .. });
        if self.preset == Preset::Paper && many {
            if self.lr_leaf == PAPER_LEAF_RATE[0] {
                self.lr_leaf = PAPER_LEAF_RATE[1];
            }
            if self.restarts == PAPER_RUNS[0] {
                self.restarts = PAPER_RUNS[1];
            }
            // The loss of numbers is no choice between those of classes.
            if matches!(labels, Labels::Classes { .. }) {
                self.loss = LossChoice::Focal;
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Config as Learner;

    #[test]
    fn a_preset_sets_what_was_not_set_otherwise() {
        let mut learner = Learner::new("gradtree").unwrap();
        learner.set("depth", &Value::Number(3.0)).unwrap();
        learner.set("preset", &Value::Choice("paper".into())).unwrap();
        learner.set("patience", &Value::Number(21.0)).unwrap();
        let Learner::GradTree(config) = &learner else { unreachable!() };
        assert_eq!((config.depth, config.patience, config.scale), (3, 21, Scale::Quantile));
        let two = config.clone().for_labels(&Labels::Classes { label: vec![0, 1], classes: 2 });
        assert_eq!((two.loss, two.lr_leaf, two.restarts), (LossChoice::CrossEntropy, 0.005, 6));
        let three = config.clone().for_labels(&Labels::Classes { label: vec![0, 1], classes: 3 });
        assert_eq!((three.loss, three.lr_leaf, three.restarts), (LossChoice::Focal, 0.05, 4));
        learner.set("preset", &Value::Choice("default".into())).unwrap();
        let mut other = Learner::new("gradtree").unwrap();
        other.set("depth", &Value::Number(3.0)).unwrap();
        other.set("patience", &Value::Number(21.0)).unwrap();
        assert_eq!(learner, other);
    }
}
