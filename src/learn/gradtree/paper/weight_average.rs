//! Weight averaging: the mean of I, T and L over the last checkpoints, which are the ends of epochs.
//!
//! The paper averages over 5 consecutive checkpoints. The authors' program keeps such averages and never uses
//! them.

use std::collections::VecDeque;

use super::Parameters;

/// The last checkpoints of a run and their mean.
pub(super) struct WeightAverage {
    /// Checkpoints that count, at most.
    most: usize,
    checkpoints: VecDeque<Parameters<f32>>,
    mean: Parameters<f32>,
}

impl WeightAverage {
    /// Of at most `most` checkpoints; none where that is one, which is its own mean.
    pub(super) fn new(most: u32, start: &Parameters<f32>) -> Option<WeightAverage> {
        let empty =
            || WeightAverage { most: most as usize, checkpoints: VecDeque::new(), mean: start.clone() };
        (most > 1).then(empty)
    }

    /// Adds a checkpoint; the oldest one goes if there are too many.
    pub(super) fn add(&mut self, parameters: &Parameters<f32>) {
        let mut checkpoint =
            if self.checkpoints.len() == self.most { self.checkpoints.pop_front() } else { None }
                .unwrap_or_else(|| parameters.clone());
        checkpoint.copy_from(parameters);
        self.checkpoints.push_back(checkpoint);
        let WeightAverage { checkpoints, mean, .. } = self;
        average(&mut mean.split_index, checkpoints, |checkpoint| &checkpoint.split_index);
        average(&mut mean.split_threshold, checkpoints, |checkpoint| &checkpoint.split_threshold);
        average(&mut mean.leaf, checkpoints, |checkpoint| &checkpoint.leaf);
    }

    /// The mean; the start before the first checkpoint.
    pub(super) fn mean(&self) -> &Parameters<f32> {
        &self.mean
    }
}

/// In f64, oldest first.
fn average(
    mean: &mut [f32],
    checkpoints: &VecDeque<Parameters<f32>>,
    numbers: impl Fn(&Parameters<f32>) -> &Vec<f32>,
) {
    for (at, mean) in mean.iter_mut().enumerate() {
        let sum: f64 = checkpoints.iter().map(|checkpoint| f64::from(numbers(checkpoint)[at])).sum();
        *mean = (sum / checkpoints.len() as f64) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_of_the_last_checkpoints() {
        let mut parameters = Parameters::<f32>::zeros(1, 2, 1);
        assert!(WeightAverage::new(1, &parameters).is_none());
        let mut average = WeightAverage::new(3, &parameters).unwrap();
        assert_eq!(average.mean(), &parameters);
        for value in [1.0, 2.0, 6.0, 10.0] {
            parameters.split_index.fill(value);
            parameters.split_threshold.fill(-value);
            parameters.leaf.fill(2.0 * value);
            average.add(&parameters);
        }
        assert_eq!(average.mean().split_index, [6.0, 6.0]);
        assert_eq!(average.mean().split_threshold, [-6.0, -6.0]);
        assert_eq!(average.mean().leaf, [12.0, 12.0]);
    }
}
