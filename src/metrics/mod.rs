//! Scores of a model, by metric name.
//!
//! A score that is undefined on the given rows is left out, so no score is ever NaN. Examples are the area
//! under the curve with a single class, any score without rows, and a value that is not finite.

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

/// Scores by metric name, in alphabetical order.
pub type Scores = BTreeMap<&'static str, f64>;

/// Adds a score if it is defined and finite.
fn keep(scores: &mut Scores, name: &'static str, value: Option<f64>) {
    if let Some(value) = value.filter(|value| value.is_finite()) {
        scores.insert(name, value);
    }
}
