//! How good a model is: scores by name.
//!
//! A score that is not defined on the rows at hand (the area under the curve with a single class, anything without rows, a
//! value that is not finite) is left out rather than given a stand-in, so no score is ever NaN.

mod classification;
mod clustering;
mod regression;
pub mod statistics;

use std::collections::BTreeMap;

pub use classification::classification;
pub use clustering::{Hierarchy, dendrogram_purity};
pub use regression::regression;

pub(crate) use classification::classification_of;
pub(crate) use regression::with_pinball;

/// Scores by metric name, in the order of the names.
pub type Scores = BTreeMap<&'static str, f64>;

/// Keeps a score that is defined and finite.
fn keep(scores: &mut Scores, name: &'static str, value: Option<f64>) {
    if let Some(value) = value.filter(|value| value.is_finite()) {
        scores.insert(name, value);
    }
}
