//! The values of each recipe: `espalier`, which is the default, and `published`, the values of the authors'
//! experiments.

use super::{ClassWeight, Config, Encoding, Fill, Init, LossChoice};
use crate::encode::{Resample, Scale};
use crate::learn::regression::MEDIAN;
use crate::learn::{Recipe, StartChoice, TargetKind, Teach};
use crate::numeric::activation::SplitFunction;

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
            start: StartChoice::Both,
            teach: Teach::Forest,
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

impl Config {
    /// The values of a recipe for a target. The authors' experiments have one column of values for two
    /// classes and one for more; numbers, which the paper has not, take the second.
    pub fn of(recipe: Recipe, target: TargetKind) -> Config {
        let published = Config {
            depth: 10,
            restarts: 4,
            epochs: 10_000,
            patience: 200,
            average: 5,
            batch: 128,
            lr_index: 0.05,
            lr_values: 0.01,
            lr_leaf: 0.05,
            split: SplitFunction::Sigmoid,
            loss: LossChoice::CrossEntropy,
            focal_gamma: 3.0,
            poly_epsilon: 0.0,
            init: Init::Glorot,
            tie_init: false,
            scale: Scale::Quantile,
            quantile_noise: 1e-3,
            missing: Fill::Median,
            categories: Encoding::LeaveOneOut,
            resample: Resample::Auto,
            start: StartChoice::Random,
            // The paper has no greedy start and no teacher. A greedy start that is asked for is a plain one.
            teach: Teach::Off,
            teacher: 0,
            crossed: 0.0,
            balance: 0.0,
            refine: 0,
            refit: false,
            ..Config::default()
        };
        match (recipe, target) {
            (Recipe::Espalier, _) => Config::default(),
            (Recipe::Published, TargetKind::Classes(0..=2)) => {
                Config { lr_leaf: 0.005, restarts: 6, ..published }
            }
            (Recipe::Published, TargetKind::Classes(_)) => Config { loss: LossChoice::Focal, ..published },
            (Recipe::Published, TargetKind::Number) => published,
        }
    }

    /// Gives what was not said the values that follow from what was.
    pub(crate) fn follow(&mut self, target: TargetKind, said: &dyn Fn(&str) -> bool) {
        // What runs is what is recorded: numbers have no loss of classes.
        if !said("loss") && target == TargetKind::Number {
            self.loss = LossChoice::Squared;
        }
        if !said("teach") && (self.start == StartChoice::Random || self.teacher == 0) {
            self.teach = Teach::Off;
        }
        let usual = Config::default();
        if self.teach == Teach::Forest && self.teacher == 0 && !said("teacher") {
            self.teacher = usual.teacher;
        }
        if self.teach == Teach::Forest && self.crossed == 0.0 && !said("crossed") {
            self.crossed = usual.crossed;
        }
        // A greedy tree would read a row's own outcome from what was left out.
        if !said("categories") && self.grows_greedily() {
            self.categories = Encoding::Auto;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_values_follow_the_number_of_classes() {
        let of = |target| {
            let config = Config::of(Recipe::Published, target);
            (config.depth, config.loss, config.focal_gamma, config.lr_leaf, config.restarts)
        };
        assert_eq!(of(TargetKind::Classes(2)), (10, LossChoice::CrossEntropy, 3.0, 0.005, 6));
        assert_eq!(of(TargetKind::Classes(3)), (10, LossChoice::Focal, 3.0, 0.05, 4));
        assert_eq!(of(TargetKind::Number), (10, LossChoice::CrossEntropy, 3.0, 0.05, 4));
    }
}
