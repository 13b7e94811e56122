//! Samples as the passes read them.

use crate::numeric::Real;
use crate::numeric::lanes::Lanes;
use crate::numeric::loss::Truth;

/// Samples with what they should give and how much they count.
#[derive(Debug, Clone, Copy)]
pub struct Samples<'a, R> {
    /// (samples × F, one sample after another)
    pub x: &'a [R],
    /// One per sample.
    pub truth: &'a [Truth<R>],
    /// One per sample.
    pub weight: &'a [R],
}

impl<'a, R: Real> Samples<'a, R> {
    /// The number of samples.
    pub fn len(&self) -> usize {
        self.truth.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.truth.is_empty()
    }

    /// The values of one sample (F).
    pub fn row(&self, sample: usize, features: usize) -> &'a [R] {
        &self.x[sample * features..(sample + 1) * features]
    }

    /// The rows of up to [`LANES`](crate::numeric::lanes::LANES) samples; lanes that are left over repeat the
    /// first.
    pub fn block(&self, samples: &[usize], features: usize) -> Lanes<&'a [R]> {
        std::array::from_fn(|lane| self.row(*samples.get(lane).unwrap_or(&samples[0]), features))
    }
}
