//! One column of a design matrix: its source and its scaling.

use super::categorical::{TargetMeans, category_of};
use super::numeric::Scaling;

/// A fitted design column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column {
    /// The feature it reads.
    pub feature: usize,
    /// What is read from the feature's value.
    pub source: Source,
    /// How it is scaled.
    pub scaling: Scaling,
}

/// What a design column reads from its feature.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Source {
    /// The number.
    Number {
        /// The replacement for a missing value; `None` to keep it missing.
        fill: Option<f32>,
    },
    /// 1 where the value is missing, else 0.
    Missing {
        /// Whether the feature is categorical. A category not seen in training counts as missing.
        words: bool,
    },
    /// One-hot: 1 for one category, else 0, also if the value is missing or unseen.
    Indicator {
        /// The category.
        category: usize,
    },
    /// Target encoding: the target's mean over the category.
    Target {
        /// By category.
        means: TargetMeans,
        /// Which outcome is averaged: a position in [`super::categorical::outcomes`].
        outcome: usize,
        /// Whether a missing or unseen category stays missing.
        keep_missing: bool,
    },
}

impl Column {
    /// The design value of a sample that is not in the training part.
    pub(crate) fn encode(&self, value: f32) -> f32 {
        self.scaling.apply(self.source.read(value))
    }
}

impl Source {
    /// The value before scaling, for a sample that is not in the training part.
    pub(crate) fn read(&self, value: f32) -> f32 {
        match self {
            Source::Number { fill } => fill.filter(|_| value.is_nan()).unwrap_or(value),
            Source::Missing { words } => {
                f32::from(u8::from(value.is_nan() || *words && category_of(value).is_none()))
            }
            Source::Indicator { category } => f32::from(u8::from(category_of(value) == Some(*category))),
            Source::Target { keep_missing: true, .. } if category_of(value).is_none() => f32::NAN,
            Source::Target { means, .. } => means.mean(value) as f32,
        }
    }

    /// The value before scaling, for a training sample with these outcomes. Target means leave out the sample
    /// itself.
    pub(crate) fn read_trained(&self, value: f32, outcomes: impl Fn(usize) -> f64) -> f32 {
        match self {
            Source::Target { means, outcome, .. } if category_of(value).is_some() => {
                means.mean_of_others(value, outcomes(*outcome)) as f32
            }
            _ => self.read(value),
        }
    }
}
