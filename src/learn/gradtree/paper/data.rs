//! The data of a training: the samples, and their labels as the loss wants them.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::class_weights::{class_counts, class_factors};
use super::samples::Samples;
use super::units::OutputUnits;
use crate::encode::{Design, Labels};
use crate::learn::gradtree::settings::{ClassWeight, Config};
use crate::numeric::loss::Truth;
use crate::numeric::pinball::Pinball;
use crate::tree::{Leaf, PostTransform, Tree};

/// Settings, seed and samples of a training.
pub(crate) struct TrainingData {
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
    /// The units of the leaves' outputs.
    pub units: OutputUnits,
}

impl TrainingData {
    /// The configuration has been checked against `train`; `valid` may have no sample.
    pub(crate) fn new(config: Config, train: Arc<Design>, valid: Arc<Design>, seed: u64) -> TrainingData {
        let all = if valid.samples() == 0 { train.clone() } else { Arc::new(joined(&train, &valid)) };
        let units = OutputUnits::of(&train.y);
        TrainingData { config, seed, train, valid, all, units }
    }

    /// What turns the leaves' outputs into probabilities or numbers.
    pub(crate) fn post_transform(&self) -> PostTransform {
        match &self.all.y {
            Labels::Values(_) => PostTransform::None,
            Labels::Classes { classes: 0..=2, .. } => PostTransform::Logistic,
            Labels::Classes { .. } => PostTransform::Softmax,
        }
    }

    /// The samples of a design for a descent in which rare classes are favoured by `power`.
    pub(crate) fn weighted(&self, design: &Arc<Design>, power: f64) -> WeightedSamples {
        WeightedSamples::new(design.clone(), self.units, &self.class_weights(power))
    }

    /// The weight of a sample of each class; none for numbers.
    pub(crate) fn class_weights(&self, power: f64) -> Vec<f64> {
        match &self.all.y {
            Labels::Classes { label, classes } => class_factors(&class_counts(label, *classes), power),
            Labels::Values(_) => vec![],
        }
    }

    /// The power that `class_weight` asks for.
    pub(crate) fn asked_power(&self) -> f64 {
        if self.config.class_weight == ClassWeight::Balanced { 1.0 } else { 0.0 }
    }

    /// The loss of numbers unless it is the squared error, with the best constant answer to some samples in
    /// units of the target's deviation from its mean.
    ///
    /// * `targets`  of those samples, in the same units
    pub(crate) fn constant(&self, targets: &[f32]) -> Option<(Pinball, f64)> {
        let best =
            |pinball: Pinball| pinball.answer_to(targets.iter().map(|&target| f64::from(target)).collect());
        self.config.pinball().map(|pinball| (pinball, best(pinball)))
    }

    /// The single leaf that knows nothing but how often each class occurs, or the mean, median or quantile.
    pub(crate) fn constant_tree(&self) -> Tree {
        let leaf = match (&self.train.y, self.units) {
            (Labels::Classes { label, classes }, _) => {
                // One sample more of each class, so that a class without samples has a logarithm.
                let mut counts = vec![1.0f64; *classes];
                label.iter().for_each(|&class| counts[class as usize] += 1.0);
                let logs: Vec<f64> = counts.iter().map(|&count| libm::log(count)).collect();
                let scores = if *classes == 2 { vec![logs[1] - logs[0]] } else { logs };
                Leaf::Scores(scores.into_iter().map(|score| score as f32).collect())
            }
            // 0 is the mean.
            (Labels::Values(_), units) => {
                let targets = targets(&self.train.y, units);
                units.leaf(&[self.constant(&targets).map_or(0.0, |(_, raw)| raw as f32)])
            }
        };
        Tree::leaf(leaf)
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

/// (N × C) indicators of classes, or (N) numbers in units of their deviation from the mean.
pub(crate) fn targets(labels: &Labels, units: OutputUnits) -> Vec<f32> {
    match (labels, units) {
        (Labels::Classes { label, classes }, _) => {
            let mut target = vec![0.0; label.len() * classes];
            label.iter().enumerate().for_each(|(at, &class)| target[at * classes + class as usize] = 1.0);
            target
        }
        (Labels::Values(values), OutputUnits::Value { mean, deviation }) => {
            values.iter().map(|y| ((y - mean) / deviation) as f32).collect()
        }
        (Labels::Values(_), OutputUnits::Scores) => unreachable!("numbers are never scores"),
    }
}

/// Samples with their labels as the loss wants them.
pub(crate) struct WeightedSamples {
    /// The samples.
    pub design: Arc<Design>,
    truth: Vec<Truth<f32>>,
    weight: Vec<f32>,
}

impl WeightedSamples {
    /// With a weight per class; numbers have none.
    fn new(design: Arc<Design>, units: OutputUnits, class_weight: &[f64]) -> Self {
        let (truth, weight) = match (&design.y, units) {
            (Labels::Values(values), OutputUnits::Value { mean, deviation }) => {
                let truth = values.iter().map(|y| Truth::Value(((y - mean) / deviation) as f32)).collect();
                (truth, vec![1.0; values.len()])
            }
            (Labels::Classes { label, .. }, _) => (
                label.iter().map(|&class| Truth::Class(class as usize)).collect(),
                label.iter().map(|&class| class_weight[class as usize] as f32).collect(),
            ),
            (Labels::Values(_), OutputUnits::Scores) => unreachable!("numbers are never scores"),
        };
        WeightedSamples { design, truth, weight }
    }

    /// The same samples, each counting the same.
    pub(crate) fn unweighted(&self) -> WeightedSamples {
        WeightedSamples {
            design: self.design.clone(),
            truth: self.truth.clone(),
            weight: vec![1.0; self.weight.len()],
        }
    }

    pub(super) fn samples(&self) -> Samples<'_, f32> {
        Samples { x: self.design.x.as_slice(), truth: &self.truth, weight: &self.weight }
    }
}
