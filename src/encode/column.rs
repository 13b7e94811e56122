//! One column of a design matrix: where its values come from, and how they are scaled.

use super::categorical::{TargetMeans, category_of};
use super::numeric::Scaling;

/// A fitted design column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column {
    /// The feature it reads.
    pub feature: usize,
    /// What is taken from the feature's value.
    pub source: Source,
    /// What is done to it.
    pub scaling: Scaling,
}

/// What a design column takes from its feature.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Source {
    /// The number.
    Number {
        /// What stands in for a missing one; none to keep it missing.
        fill: Option<f32>,
    },
    /// 1 where the value is missing, else 0.
    Missing {
        /// Whether values are categories: one not seen in training is as good as missing.
        words: bool,
    },
    /// 1 for one category, else 0, also where the value is missing or unseen.
    Indicator {
        /// The category.
        category: usize,
    },
    /// The target's mean over the category.
    Target {
        /// By category.
        means: TargetMeans,
        /// Which outcome the means are of (a position in [`super::categorical::outcomes`]).
        outcome: usize,
        /// Whether a missing or unseen category stays missing.
        keep_missing: bool,
    },
}

impl Column {
    /// The design value of a sample that was not trained on.
    pub(crate) fn encode(&self, value: f32) -> f32 {
        self.scaling.apply(self.source.read(value))
    }
}

impl Source {
    /// The value before scaling, of a sample that was not trained on.
    pub(crate) fn read(&self, value: f32) -> f32 {
        match self {
            Source::Number { fill } => fill.filter(|_| value.is_nan()).unwrap_or(value),
            Source::Missing { words } => f32::from(u8::from(value.is_nan() || *words && category_of(value).is_none())),
            Source::Indicator { category } => f32::from(u8::from(category_of(value) == Some(*category))),
            Source::Target { keep_missing: true, .. } if category_of(value).is_none() => f32::NAN,
            Source::Target { means, .. } => means.mean(value) as f32,
        }
    }

    /// The value before scaling, of a training sample with these outcomes: as above, but a mean leaves the sample out.
    pub(crate) fn read_trained(&self, value: f32, outcomes: impl Fn(usize) -> f64) -> f32 {
        match self {
            Source::Target { means, outcome, .. } if category_of(value).is_some() => {
                means.mean_of_others(value, outcomes(*outcome)) as f32
            }
            _ => self.read(value),
        }
    }
}
