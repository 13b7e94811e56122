//! The matrix a learner works on.

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
    /// F × N, one *sample* per column: nalgebra stores columns one after another, so a sample's values are adjacent.
    /// NaN is a missing value and occurs only where the encoding keeps missing values.
    pub x: DMatrix<f32>,
    /// N labels.
    pub y: Labels,
}

/// How a learner wants its design matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wants {
    /// How numbers are scaled, and means of the target by category.
    pub scale: Scale,
    /// Noise of [`Scale::Quantile`].
    pub quantile_noise: f64,
    /// What becomes of missing values.
    pub missing: Missing,
    /// How categories are encoded.
    pub categories: Categories,
    /// Whether rare classes get more training samples.
    pub resample: Resample,
    /// A validation part apart from the training part, instead of both together.
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

    /// The labels of some samples, in the order asked for.
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
