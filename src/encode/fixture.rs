//! A small problem for the tests of this module.

use nalgebra::DMatrix;

use super::{Categories, Labels, Missing, Resample, Scale, Wants};
use crate::tree::{CellReading, Feature, FeatureKind};

/// Example settings of a gradient learner.
pub(crate) const GRADIENT: Wants = Wants {
    scale: Scale::Standard,
    quantile_noise: 1e-3,
    missing: Missing::Median,
    categories: Categories::LeaveOneOut,
    resample: Resample::None,
    validation: true,
};

/// Settings of the greedy learner.
pub(crate) const GREEDY: Wants = Wants {
    scale: Scale::None,
    quantile_noise: 0.0,
    missing: Missing::Keep,
    categories: Categories::Mean,
    resample: Resample::None,
    validation: false,
};

/// A numeric feature, then categorical ones with two, three and fifteen categories.
pub(crate) fn features() -> Vec<Feature> {
    let words =
        |n: usize| FeatureKind::Categorical { categories: (0..n).map(|i| format!("w{i:02}")).collect() };
    let number =
        FeatureKind::Numerical { min: 0.0, max: 40.0, quartiles: [0.0; 3], reading: CellReading::default() };
    [("n", number), ("two", words(2)), ("three", words(3)), ("many", words(15))]
        .into_iter()
        .map(|(name, kind)| Feature { name: name.into(), kind, missing_tokens: vec![] })
        .collect()
}

/// Sixty samples. The numbers and the features with three and fifteen categories have missing values. One of
/// the fifteen categories occurs once.
pub(crate) fn values() -> DMatrix<f32> {
    DMatrix::from_fn(4, 60, |feature, i| match feature {
        0 if i % 7 == 3 => f32::NAN,
        0 => (i * 31 % 47) as f32 / 2.0 - if i == 1 { 14.0 } else { 0.0 },
        1 => (i % 2) as f32,
        2 if i % 4 == 3 => f32::NAN,
        2 => (i % 4) as f32,
        _ if i % 13 == 5 => f32::NAN,
        _ if i == 0 => 14.0,
        _ => (i * i % 14) as f32,
    })
}

/// Two classes.
pub(crate) fn labels() -> Labels {
    Labels::Classes {
        label: (0..60).map(|i| u32::from(i * 31 % 47 > 20 || i % 5 == 0)).collect(),
        classes: 2,
    }
}
