//! What trees are grown on, and the sums of a node.

use std::sync::Arc;

use super::bins::Bins;

/// What trees are grown on.
#[derive(Debug, Clone)]
pub struct SoftSamples {
    /// The features.
    pub bins: Arc<Bins>,
    /// C.
    pub outputs: usize,
    /// (N × C) the targets.
    pub target: Arc<Vec<f32>>,
    /// (N) the weights.
    pub weight: Arc<Vec<f32>>,
}

/// The sums of a node's samples.
#[derive(Debug, Clone, PartialEq)]
pub struct SoftSums {
    /// S (C), then W.
    pub sums: Vec<f64>,
    /// The cost.
    pub cost: f64,
}

impl SoftSamples {
    /// The sums of some samples.
    pub fn sums(&self, samples: &[u32]) -> SoftSums {
        let outputs = self.outputs;
        let mut sums = vec![0.0; outputs + 1];
        let mut squares = 0.0;
        for &sample in samples {
            let (weight, target) = self.sample(sample);
            for (sum, &y) in sums.iter_mut().zip(target) {
                *sum += weight * f64::from(y);
                squares += weight * f64::from(y) * f64::from(y);
            }
            sums[outputs] += weight;
        }
        let cost = (squares - gain(&sums)).max(0.0);
        SoftSums { sums, cost }
    }

    /// Weight and target of a sample.
    fn sample(&self, sample: u32) -> (f64, &[f32]) {
        let at = sample as usize;
        (f64::from(self.weight[at]), &self.target[at * self.outputs..(at + 1) * self.outputs])
    }

    /// Adds a sample to S (C) and W.
    pub fn add(&self, sample: u32, sums: &mut [f64]) {
        let (weight, target) = self.sample(sample);
        for (sum, &y) in sums.iter_mut().zip(target) {
            *sum += weight * f64::from(y);
        }
        sums[self.outputs] += weight;
    }

    /// Adds a sample to S (C), W and the number of samples.
    pub(super) fn count(&self, sample: u32, cell: &mut [f64]) {
        self.add(sample, cell);
        cell[self.outputs + 1] += 1.0;
    }
}

/// |S|²/W.
fn gain(sums: &[f64]) -> f64 {
    let (weight, sums) = sums.split_last().expect("the weight is always there");
    if *weight > 0.0 { sums.iter().map(|sum| sum * sum).sum::<f64>() / weight } else { 0.0 }
}
