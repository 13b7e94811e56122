//! What is learned: I, T and L of a complete tree, the dense representation of the paper.

use crate::learn::gradtree::settings::Init;
use crate::numeric::Real;
use crate::numeric::random::Random;
use crate::tree::topology::{leaves_of_complete, splits_of_complete};

/// The parameters of a complete tree of depth D over F features with C outputs: N = 2^D − 1 inner nodes in
/// heap order, L = 2^D leaves from left to right. Also the type of a gradient, and of anything else of this
/// shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters<R> {
    /// D, at least 1.
    pub depth: usize,
    /// F, at least 1.
    pub features: usize,
    /// C, at least 1.
    pub outputs: usize,
    /// I (N × F, rows one after another): scores by which a node chooses its feature.
    pub split_index: Vec<R>,
    /// T (N × F, likewise): a threshold for each feature the node might choose.
    pub split_threshold: Vec<R>,
    /// L (L × C, likewise): raw outputs.
    pub leaf: Vec<R>,
}

impl<R: Real> Parameters<R> {
    /// All zero.
    pub fn zeros(depth: usize, features: usize, outputs: usize) -> Self {
        let splits = splits_of_complete(depth);
        Parameters {
            depth,
            features,
            outputs,
            split_index: vec![R::ZERO; splits * features],
            split_threshold: vec![R::ZERO; splits * features],
            leaf: vec![R::ZERO; leaves_of_complete(depth) * outputs],
        }
    }

    /// A random start, uniform within Glorot's bound as in the paper, or normal as in the package. I, T and L
    /// are drawn from streams of their own; with `tie` T is a copy of I.
    pub fn draw(depth: usize, features: usize, outputs: usize, init: Init, tie: bool, seed: u64) -> Self {
        let mut parameters = Parameters::zeros(depth, features, outputs);
        let (splits, leaves) = (splits_of_complete(depth), leaves_of_complete(depth));
        // The array's own shape is Glorot's (fan in, fan out); a leaf array of one column counts as square.
        // The paper prints other powers of 2 in the bounds; these are the program's.
        let split_bound = glorot(splits, features);
        let leaf_bound = glorot(leaves, if outputs == 1 { leaves } else { outputs });
        fill(&mut parameters.split_index, init, split_bound, Random::stream(seed, "split index"));
        if tie {
            parameters.split_threshold.copy_from_slice(&parameters.split_index);
        } else {
            fill(&mut parameters.split_threshold, init, split_bound, Random::stream(seed, "split threshold"));
        }
        fill(&mut parameters.leaf, init, leaf_bound, Random::stream(seed, "leaf"));
        parameters
    }

    /// Takes over another tree's numbers without allocating. Both have the same shape.
    pub fn copy_from(&mut self, other: &Parameters<R>) {
        self.split_index.copy_from_slice(&other.split_index);
        self.split_threshold.copy_from_slice(&other.split_threshold);
        self.leaf.copy_from_slice(&other.leaf);
    }

    /// Whether every number is one.
    pub fn is_finite(&self) -> bool {
        [&self.split_index, &self.split_threshold, &self.leaf]
            .into_iter()
            .flatten()
            .all(|value| value.is_finite())
    }

    /// The outputs of leaf `leaf` (C).
    pub fn leaf_row(&self, leaf: usize) -> &[R] {
        &self.leaf[leaf * self.outputs..(leaf + 1) * self.outputs]
    }
}

/// Glorot's bound.
fn glorot(fan_in: usize, fan_out: usize) -> f64 {
    (6.0 / (fan_in + fan_out) as f64).sqrt()
}

/// Deviation of the normal start, from the authors' later package.
const NORMAL_DEVIATION: f64 = 0.05;

fn fill<R: Real>(values: &mut [R], init: Init, bound: f64, mut random: Random) {
    for value in values {
        *value = R::from_f64(match init {
            Init::Glorot => random.uniform_in(-bound, bound),
            Init::Normal => NORMAL_DEVIATION * random.normal(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_stays_within_its_bounds_and_ties_on_demand() {
        let free = Parameters::<f64>::draw(3, 5, 1, Init::Glorot, false, 1);
        let bound = (6.0f64 / 12.0).sqrt();
        assert!(free.split_index.iter().chain(&free.split_threshold).all(|v| v.abs() <= bound));
        assert!(free.leaf.iter().all(|v| v.abs() <= (6.0f64 / 16.0).sqrt()));
        assert_ne!(free.split_index, free.split_threshold);
        let tied = Parameters::<f64>::draw(3, 5, 1, Init::Glorot, true, 1);
        assert_eq!(tied.split_index, tied.split_threshold);
        assert_eq!((&tied.split_index, &tied.leaf), (&free.split_index, &free.leaf));
        let normal = Parameters::<f32>::draw(6, 20, 3, Init::Normal, false, 1);
        let square: f32 = normal.split_index.iter().map(|v| v * v).sum();
        let deviation = (square / normal.split_index.len() as f32).sqrt();
        assert!((deviation - 0.05).abs() < 0.005, "{deviation}");
    }
}
