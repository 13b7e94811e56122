//! The search on binned features and soft targets.
//!
//! A sample's target is a vector (C): the indicator of its class, a mixture of that with a teacher's shares,
//! or a number. With `S = Σ w y` and `W = Σ w` over a node's samples the cost of the node is `Σ w |y|² −
//! |S|²/W`, which is W times the Gini impurity for indicators and the squared error for numbers; a split is
//! the one that lowers it most.
//!
//! | file | holds |
//! | --- | --- |
//! | `bins` | features as a few ordered bins |
//! | `samples` | what trees are grown on, and the sums of a node |
//! | `cuts` | the cuts of one feature: samples are added up by bin |
//! | `routes` | the way of a row through grown nodes |

mod bins;
mod cuts;
mod routes;
mod samples;

use super::grower::{Grower, Growth, Halves, NodeOf, Order, Search, partition};
use crate::numeric::random::Random;
use crate::numeric::slices::Slice;
use cuts::Memory;

pub use bins::Bins;
pub use routes::{leaf_of, pruned};
pub use samples::{SoftSamples, SoftSums};

/// Where growth ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrowthLimits {
    /// Edges from the root to the deepest leaf.
    pub depth: u32,
    /// No leaf has fewer samples.
    pub least: usize,
    /// Features tried per node, drawn at random; none is all of them.
    pub tried: Option<usize>,
}

/// A cut between two bins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BinCut {
    /// The feature.
    pub feature: usize,
    /// The threshold: left is `x < threshold`.
    pub threshold: f32,
}

/// The search of one tree.
pub struct HistogramSearch {
    samples: SoftSamples,
    limits: GrowthLimits,
    /// All features; those that a node tries come first.
    features: Vec<usize>,
    memory: Memory,
    random: Random,
    /// The cost of the root.
    whole: f64,
}

/// A tree that grows on bins.
pub type HistogramGrower = Grower<HistogramSearch>;
/// A grown node of it.
pub type HistogramNode = NodeOf<HistogramSearch>;

impl HistogramSearch {
    /// A tree on some of the samples. Features are drawn by `random` where not all are tried.
    pub fn grower(
        data: &SoftSamples,
        samples: Vec<u32>,
        limits: GrowthLimits,
        random: Random,
    ) -> HistogramGrower {
        let root = data.sums(&samples);
        let search = HistogramSearch {
            limits,
            features: (0..data.bins.features()).collect(),
            memory: Memory::new(data.outputs),
            random,
            whole: root.cost,
            samples: data.clone(),
        };
        let growth = Growth::new(samples, root, limits.depth, Order::DepthFirst);
        Grower::new(search, growth)
    }

    /// Its random numbers, which go on in the next tree.
    pub fn into_random(self) -> Random {
        self.random
    }

    /// Draws the features that a node tries; returns their number.
    fn draw(&mut self) -> usize {
        let HistogramSearch { limits, features, random, .. } = self;
        let wanted = limits.tried.map_or(features.len(), |tried| tried.clamp(1, features.len()));
        if wanted < features.len() {
            for at in 0..wanted {
                let other = at + random.below(features.len() - at);
                features.swap(at, other);
            }
        }
        wanted
    }
}

impl Search for HistogramSearch {
    type Cut = BinCut;
    type Summary = SoftSums;

    fn stops(&self, samples: usize, depth: u32, node: &SoftSums) -> bool {
        // What is left of a pure node's cost is rounding.
        depth >= self.limits.depth || samples < 2 * self.limits.least || node.cost <= 1e-9 * self.whole
    }

    async fn cut(
        &mut self,
        samples: &mut [u32],
        _: u32,
        node: &SoftSums,
        slice: &mut Slice,
    ) -> Option<Halves<BinCut, SoftSums>> {
        let tried = self.draw();
        let HistogramSearch { samples: data, limits, features, memory, .. } = self;
        let mut best = None;
        for &feature in &features[..tried] {
            data.try_feature(samples, node, feature, limits.least, memory, &mut best);
            slice.spend(samples.len()).await;
        }
        let (_, feature, bin) = best?;
        let column = data.bins.column(feature);
        let boundary = partition(samples, |sample| column[sample as usize] <= bin);
        let (first, second) = samples.split_at(boundary);
        let (left, right) = (data.sums(first), data.sums(second));
        slice.spend(3 * samples.len()).await;
        Some(Halves {
            cut: BinCut { feature, threshold: data.bins.edge(feature, bin) },
            boundary,
            left,
            right,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use nalgebra::DMatrix;

    #[test]
    fn a_tree_is_grown_and_pruned_by_what_its_leaves_cost() {
        // x0 decides between 0 and 1 but for one sample, which x1 tells apart.
        let x = DMatrix::from_fn(2, 40, |j, i| if j == 0 { (i / 20) as f32 } else { (i % 20) as f32 });
        let target: Vec<f32> = (0..40).map(|i| if i == 7 { 1.0 } else { (i / 20) as f32 }).collect();
        let data = SoftSamples {
            bins: Arc::new(Bins::new(&x)),
            outputs: 1,
            target: Arc::new(target.clone()),
            weight: Arc::new(vec![1.0; 40]),
        };
        let limits = GrowthLimits { depth: 4, least: 1, tried: None };
        let mut grower = HistogramSearch::grower(&data, (0..40).collect(), limits, Random::new(0));
        while !grower.advance() {}
        let nodes = grower.finish().0;
        let whole = pruned(&nodes, 0.0);
        for i in 0..40 {
            let leaf = &nodes[leaf_of(&nodes, &whole, x.column(i).as_slice())].summary;
            assert_eq!(leaf.sums[0] / leaf.sums[1], f64::from(target[i]));
        }
        let small = pruned(&nodes, 0.06);
        let reached = |leaf: &[bool]| {
            let mut reached: Vec<usize> =
                (0..40).map(|i| leaf_of(&nodes, leaf, x.column(i).as_slice())).collect();
            reached.sort_unstable();
            reached.dedup();
            reached.len()
        };
        assert_eq!((reached(&small), reached(&pruned(&nodes, 1.0))), (2, 1));
        assert!(reached(&whole) > 2);
    }
}
