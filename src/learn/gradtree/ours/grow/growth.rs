//! Greedy trees to start from, grown on binned features and soft targets.
//!
//! A sample's target is a vector (C): the indicator of its class, a mixture of that with a teacher's shares,
//! or a number. With `S = Σ w y` and `W = Σ w` over a node's samples the cost of the node is `Σ w |y|² −
//! |S|²/W`, which is W times the Gini impurity for indicators and the squared error for numbers; a split is
//! the one that lowers it most.

use super::samples::{GrownNode, GrowthSamples};
use super::split_search::SplitSearch;
use crate::numeric::random::Random;

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

/// A tree that is being grown.
#[derive(Debug, Clone)]
pub struct TreeGrowth {
    limits: GrowthLimits,
    samples: Vec<u32>,
    features: Vec<usize>,
    search: SplitSearch,
    /// The root first.
    nodes: Vec<GrownNode>,
    /// Nodes that may still be split: position, first sample, number of samples, depth.
    waiting: Vec<(usize, usize, usize, u32)>,
    /// The node at work.
    open: Option<OpenNode>,
}

/// A node whose features are being tried.
#[derive(Debug, Clone)]
struct OpenNode {
    /// As in the list of those that wait.
    place: (usize, usize, usize, u32),
    /// Features to try, and how many have been tried.
    wanted: usize,
    tried: usize,
    /// The greatest gain so far, its feature and its last bin on the left.
    best: Option<(f64, usize, u8)>,
}

impl GrowthSamples<'_> {
    /// Grows a tree on some samples, the root first.
    #[cfg(test)]
    pub fn grow(&self, samples: Vec<u32>, limits: GrowthLimits, random: &mut Random) -> Vec<GrownNode> {
        let mut growth = self.begin(samples, limits);
        while !self.advance(&mut growth, random, usize::MAX) {}
        growth.nodes
    }

    /// A tree of the root alone.
    pub fn begin(&self, samples: Vec<u32>, limits: GrowthLimits) -> TreeGrowth {
        let search = SplitSearch::new(self.outputs);
        let features = (0..self.bins.features()).collect();
        let (nodes, waiting) = (vec![self.node(&samples)], vec![(0, 0, samples.len(), 0)]);
        TreeGrowth { limits, samples, features, search, nodes, waiting, open: None }
    }

    /// Splits nodes until about `work` numbers have been looked at; whether the tree is complete. A large
    /// node takes several calls.
    pub fn advance(&self, growth: &mut TreeGrowth, random: &mut Random, work: usize) -> bool {
        let mut done = 0usize;
        while done < work {
            if growth.open.is_none() {
                let Some(place) = growth.waiting.pop() else { return true };
                growth.open = growth.begin(place, random);
                continue;
            }
            let TreeGrowth { limits, samples, features, search, nodes, open, .. } = growth;
            let Some(OpenNode { place: (id, start, count, _), wanted, tried, best }) = open else { continue };
            if tried < wanted {
                let rows = &samples[*start..*start + *count];
                self.try_feature(rows, &nodes[*id], features[*tried], limits.least, search, best);
                *tried += 1;
                done = done.saturating_add(*count);
                continue;
            }
            done = done.saturating_add(3 * *count);
            self.close(growth);
        }
        false
    }

    /// Splits the node at work by the best feature, if there is one.
    fn close(&self, growth: &mut TreeGrowth) {
        let TreeGrowth { samples, nodes, waiting, open, .. } = growth;
        let Some(OpenNode { place: (id, start, count, depth), best: Some((_, feature, bin)), .. }) = open.take() else {
            return;
        };
        let rows = &mut samples[start..start + count];
        let column = self.bins.column(feature);
        let boundary = partition(rows, |sample| column[sample as usize] <= bin);
        let left = nodes.len();
        nodes[id].feature = feature;
        nodes[id].threshold = self.bins.edge(feature, bin);
        nodes[id].children = Some([left, left + 1]);
        let (first, second) = rows.split_at(boundary);
        let pair = [self.node(first), self.node(second)];
        nodes.extend(pair);
        waiting.push((left + 1, start + boundary, count - boundary, depth + 1));
        waiting.push((left, start, boundary, depth + 1));
    }
}

impl TreeGrowth {
    /// Opens a node and draws the features it tries; none if it stays a leaf.
    fn begin(&mut self, place: (usize, usize, usize, u32), random: &mut Random) -> Option<OpenNode> {
        let TreeGrowth { limits, features, nodes, .. } = self;
        let (id, _, count, depth) = place;
        // What is left of a pure node's cost is rounding.
        let pure = nodes[id].cost <= 1e-9 * nodes[0].cost;
        if depth >= limits.depth || count < 2 * limits.least || pure {
            return None;
        }
        let wanted = limits.tried.map_or(features.len(), |tried| tried.clamp(1, features.len()));
        if wanted < features.len() {
            for at in 0..wanted {
                let other = at + random.below(features.len() - at);
                features.swap(at, other);
            }
        }
        Some(OpenNode { place, wanted, tried: 0, best: None })
    }

    /// The nodes as they are, the root first.
    pub fn finish(self) -> Vec<GrownNode> {
        self.nodes
    }

    /// The same of a tree that is complete.
    pub fn take_nodes(&mut self) -> Vec<GrownNode> {
        std::mem::take(&mut self.nodes)
    }
}

/// Moves the samples that go left to the front, keeping both orders; returns their number.
fn partition(samples: &mut [u32], goes_left: impl Fn(u32) -> bool) -> usize {
    let mut right = Vec::new();
    let mut left = 0;
    for at in 0..samples.len() {
        let sample = samples[at];
        if goes_left(sample) {
            samples[left] = sample;
            left += 1;
        } else {
            right.push(sample);
        }
    }
    samples[left..].copy_from_slice(&right);
    left
}

#[cfg(test)]
mod tests {
    use super::super::bins::Bins;
    use super::super::pruning::{leaf_of, pruned};
    use super::*;
    use nalgebra::DMatrix;

    #[test]
    fn a_tree_is_grown_and_pruned_by_what_its_leaves_cost() {
        // x0 decides between 0 and 1 but for one sample, which x1 tells apart.
        let x = DMatrix::from_fn(2, 40, |j, i| if j == 0 { (i / 20) as f32 } else { (i % 20) as f32 });
        let target: Vec<f32> = (0..40).map(|i| if i == 7 { 1.0 } else { (i / 20) as f32 }).collect();
        let bins = Bins::new(&x);
        let growth_samples = GrowthSamples { bins: &bins, outputs: 1, target: &target, weight: &[1.0; 40] };
        let limits = GrowthLimits { depth: 4, least: 1, tried: None };
        let nodes = growth_samples.grow((0..40).collect(), limits, &mut Random::new(0));
        let (mut growth, mut pieces) = (growth_samples.begin((0..40).collect(), limits), 1);
        while !growth_samples.advance(&mut growth, &mut Random::new(0), 1) {
            pieces += 1;
        }
        assert_eq!(
            (format!("{:?}", growth.finish()), pieces > 3),
            (format!("{nodes:?}"), true),
            "in pieces or at once"
        );
        let whole = pruned(&nodes, 0.0);
        for i in 0..40 {
            let leaf = &nodes[leaf_of(&nodes, &whole, x.column(i).as_slice())];
            assert_eq!(leaf.sums[0] / leaf.sums[1], f64::from(target[i]));
        }
        let small = pruned(&nodes, 0.06);
        let reached = |leaf: &[bool]| {
            let mut reached: Vec<usize> = (0..40).map(|i| leaf_of(&nodes, leaf, x.column(i).as_slice())).collect();
            reached.sort_unstable();
            reached.dedup();
            reached.len()
        };
        assert_eq!((reached(&small), reached(&pruned(&nodes, 1.0))), (2, 1));
        assert!(reached(&whole) > 2);
    }
}
