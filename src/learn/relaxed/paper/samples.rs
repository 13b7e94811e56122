//! Samples, and the targets of the predictor: classes or numbers.

use std::sync::Arc;

use crate::encode::{Design, Labels};

/// The target.
#[derive(Debug, Clone, PartialEq)]
pub enum Goal {
    /// A class.
    Classes {
        /// Of each sample (N).
        label: Vec<u32>,
        /// How many there are, at least 2.
        classes: usize,
        /// The weight of a sample of each class (classes): 1 as published, and on average over the training
        /// samples.
        weight: Vec<f64>,
    },
    /// One number or several, each with mean 0 and deviation 1 over the training samples.
    Numbers {
        /// Of each sample (N × C).
        values: Vec<f64>,
        /// C.
        outputs: usize,
    },
}

/// Mean and deviation of a number before it was standardised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Units {
    /// The mean.
    pub centre: f64,
    /// The deviation; 1 where there is none.
    pub scale: f64,
}

/// Encoded samples and their goal.
#[derive(Debug, Clone)]
pub struct Samples {
    /// The encoded samples. Their own labels are not read.
    pub design: Arc<Design>,
    /// What is to be predicted of them.
    pub goal: Goal,
}

impl Units {
    /// Of some numbers.
    pub fn of(values: &[f64]) -> Units {
        let n = values.len().max(1) as f64;
        let centre = values.iter().sum::<f64>() / n;
        let deviation = (values.iter().map(|y| (y - centre) * (y - centre)).sum::<f64>() / n).sqrt();
        Units { centre, scale: if deviation > 0.0 && deviation.is_finite() { deviation } else { 1.0 } }
    }
}

impl Goal {
    /// The target of a design's labels; `weight` is the weight of each class.
    pub fn of(labels: &Labels, units: Units, weight: &[f64]) -> Goal {
        match labels {
            Labels::Classes { label, classes } => {
                Goal::Classes { label: label.clone(), classes: *classes, weight: weight.to_vec() }
            }
            Labels::Values(values) => {
                let values = values.iter().map(|y| (y - units.centre) / units.scale).collect();
                Goal::Numbers { values, outputs: 1 }
            }
        }
    }

    /// Raw outputs of a predictor: one logit for two classes, else one per class; one per number.
    pub fn outputs(&self) -> usize {
        match self {
            Goal::Classes { classes: 2, .. } => 1,
            Goal::Classes { classes, .. } => *classes,
            Goal::Numbers { outputs, .. } => *outputs,
        }
    }

    /// Numbers that a leaf answers with: a share per class, or the numbers.
    pub fn answers(&self) -> usize {
        match self {
            Goal::Classes { classes, .. } => *classes,
            Goal::Numbers { outputs, .. } => *outputs,
        }
    }
}

impl Samples {
    /// The samples of a design with its own labels.
    pub fn of(design: Arc<Design>, units: Units, weight: &[f64]) -> Samples {
        let goal = Goal::of(&design.y, units, weight);
        Samples { design, goal }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.design.samples()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The weight of sample `i`.
    pub fn weight(&self, i: usize) -> f64 {
        match &self.goal {
            Goal::Classes { label, weight, .. } => weight[label[i] as usize],
            Goal::Numbers { .. } => 1.0,
        }
    }

    /// Adds the target of sample `i` to `sum`: its weight at its class, or its numbers. Returns the weight.
    pub fn add_truth(&self, i: usize, sum: &mut [f64]) -> f64 {
        let weight = self.weight(i);
        match &self.goal {
            Goal::Classes { label, .. } => sum[label[i] as usize] += weight,
            Goal::Numbers { values, outputs } => {
                sum.iter_mut().zip(&values[i * outputs..(i + 1) * outputs]).for_each(|(sum, y)| *sum += y);
            }
        }
        weight
    }
}
