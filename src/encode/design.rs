//! The design matrix that a learner trains on.

use nalgebra::DMatrix;

use super::{Categories, Missing, Resample, Scale};

/// What a learner must predict.
#[derive(Debug, Clone, PartialEq)]
pub enum Labels {
    /// A class per sample.
    Classes {
        /// The class of each sample, below `classes`.
        label: Vec<u32>,
        /// The number of classes, at least 2.
        classes: usize,
    },
    /// A number per sample, in the target's own units.
    Values(Vec<f64>),
}

/// Encoded samples with their labels.
#[derive(Debug, Clone)]
pub struct Design {
    /// F × N, one *sample* per column. nalgebra is column-major, so a sample's values are adjacent. NaN is a
    /// missing value and occurs only if the encoding keeps missing values.
    pub x: DMatrix<f32>,
    /// N labels.
    pub y: Labels,
}

/// The encoding that a learner asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wants {
    /// How numbers and target means are scaled.
    pub scale: Scale,
    /// Noise of [`Scale::Quantile`].
    pub quantile_noise: f64,
    /// How missing values are encoded.
    pub missing: Missing,
    /// How categories are encoded.
    pub categories: Categories,
    /// Whether rare classes are oversampled.
    pub resample: Resample,
    /// Whether there is a validation part, or validation rows are merged into the training rows.
    pub validation: bool,
}

impl Labels {
    /// How many samples each class has; empty for numbers.
    pub(crate) fn counts(&self) -> Vec<usize> {
        let Labels::Classes { label, classes } = self else { return vec![] };
        let mut counts = vec![0; *classes];
        label.iter().for_each(|&class| counts[class as usize] += 1);
        counts
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        match self {
            Labels::Classes { label, .. } => label.len(),
            Labels::Values(values) => values.len(),
        }
    }

    /// The labels of some samples, in the given order.
    pub fn select(&self, samples: &[usize]) -> Labels {
        match self {
            Labels::Classes { label, classes } => {
                Labels::Classes { label: samples.iter().map(|&i| label[i]).collect(), classes: *classes }
            }
            Labels::Values(values) => Labels::Values(samples.iter().map(|&i| values[i]).collect()),
        }
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Design {
    /// The number of samples.
    pub fn samples(&self) -> usize {
        self.x.ncols()
    }

    /// The number of encoded features.
    pub fn features(&self) -> usize {
        self.x.nrows()
    }

    /// The values of sample `i`.
    pub fn row(&self, i: usize) -> &[f32] {
        let f = self.features();
        &self.x.as_slice()[i * f..(i + 1) * f]
    }

    /// All samples in order.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> + Clone {
        (0..self.samples()).map(|i| self.row(i))
    }
}
