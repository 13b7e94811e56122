//! Greedy trees to start from, grown on binned features and soft targets.
//!
//! A sample's target is a vector (C): the indicator of its class, a mixture of that with a teacher's shares, or a number. With
//! `S = Σ w y` and `W = Σ w` over a node's samples the cost of the node is `Σ w |y|² − |S|²/W`, which is W times the Gini
//! impurity for indicators and the squared error for numbers; a split is the one that lowers it most.

use super::bins::Bins;
use crate::numeric::random::Random;

/// Where growth ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Edges from the root to the deepest leaf.
    pub depth: u32,
    /// No leaf has fewer samples.
    pub least: usize,
    /// Features tried per node, drawn at random; none is all of them.
    pub tried: Option<usize>,
}

/// A grown node.
#[derive(Debug, Clone)]
pub struct Grown {
    /// The feature it tests and the bin up to which samples go left; meaningless at a leaf.
    pub feature: usize,
    /// The threshold: left is `x < threshold`.
    pub threshold: f32,
    /// Its children, both after it.
    pub children: Option<[usize; 2]>,
    /// S (C), then W.
    pub sums: Vec<f64>,
    /// Its cost.
    pub cost: f64,
}

/// What trees are grown on.
#[derive(Clone, Copy)]
pub struct Soil<'a> {
    /// The features.
    pub bins: &'a Bins,
    /// C.
    pub outputs: usize,
    /// (N × C) the targets.
    pub target: &'a [f32],
    /// (N) the weights.
    pub weight: &'a [f32],
}

/// Memory of a search.
#[derive(Debug, Clone)]
struct Search {
    /// (bins × (C + 2)) S, W and the number of samples per bin.
    histogram: Vec<f64>,
    left: Vec<f64>,
    /// The bins of a few samples in order, without repetition.
    slots: Vec<u8>,
}

/// Up to so many samples are put in order; more are added up bin by bin, empty bins included.
const FEW: usize = 48;

/// A tree that is being grown.
#[derive(Debug, Clone)]
pub struct Growth {
    limits: Limits,
    samples: Vec<u32>,
    features: Vec<usize>,
    search: Search,
    /// The root first.
    nodes: Vec<Grown>,
    /// Nodes that may still be split: position, first sample, number of samples, depth.
    waiting: Vec<(usize, usize, usize, u32)>,
    /// The node at work.
    open: Option<Open>,
}

/// A node whose features are being tried.
#[derive(Debug, Clone)]
struct Open {
    /// As in the list of those that wait.
    place: (usize, usize, usize, u32),
    /// Features to try, and how many have been tried.
    wanted: usize,
    tried: usize,
    /// The greatest gain so far, its feature and its last bin on the left.
    best: Option<(f64, usize, u8)>,
}

impl Soil<'_> {
    /// Grows a tree on some samples, the root first.
    #[cfg(test)]
    pub fn grow(&self, samples: Vec<u32>, limits: Limits, random: &mut Random) -> Vec<Grown> {
        let mut growth = self.begin(samples, limits);
        while !self.advance(&mut growth, random, usize::MAX) {}
        growth.nodes
    }

    /// A tree of the root alone.
    pub fn begin(&self, samples: Vec<u32>, limits: Limits) -> Growth {
        let width = self.outputs + 2;
        let search = Search { histogram: vec![0.0; 256 * width], left: vec![0.0; width], slots: vec![] };
        let features = (0..self.bins.features()).collect();
        let (nodes, waiting) = (vec![self.node(&samples)], vec![(0, 0, samples.len(), 0)]);
        Growth { limits, samples, features, search, nodes, waiting, open: None }
    }

    /// Splits nodes until about `work` numbers have been looked at; whether the tree is complete. A large node takes
    /// several calls.
    pub fn advance(&self, growth: &mut Growth, random: &mut Random, work: usize) -> bool {
        let mut done = 0usize;
        while done < work {
            if growth.open.is_none() {
                let Some(place) = growth.waiting.pop() else { return true };
                growth.open = growth.begin(place, random);
                continue;
            }
            let Growth { limits, samples, features, search, nodes, open, .. } = growth;
            let Some(Open { place: (id, start, count, _), wanted, tried, best }) = open else { continue };
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
    fn close(&self, growth: &mut Growth) {
        let Growth { samples, nodes, waiting, open, .. } = growth;
        let Some(Open { place: (id, start, count, depth), best: Some((_, feature, bin)), .. }) = open.take() else {
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

    fn node(&self, samples: &[u32]) -> Grown {
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
        Grown { feature: 0, threshold: 0.0, children: None, sums, cost }
    }

    fn sample(&self, sample: u32) -> (f64, &[f32]) {
        let at = sample as usize;
        (f64::from(self.weight[at]), &self.target[at * self.outputs..(at + 1) * self.outputs])
    }

    /// Adds the samples up by bin; gives the number of bins.
    fn fill(&self, samples: &[u32], column: &[u8], bins: usize, search: &mut Search) -> usize {
        let width = self.outputs + 2;
        search.histogram[..bins * width].fill(0.0);
        for &sample in samples {
            let at = usize::from(column[sample as usize]) * width;
            self.count(sample, &mut search.histogram[at..at + width]);
        }
        bins
    }

    /// Adds a few samples up by the bins that occur; gives the number of those.
    fn line_up(&self, samples: &[u32], column: &[u8], search: &mut Search) -> usize {
        let width = self.outputs + 2;
        search.slots.clear();
        search.slots.extend(samples.iter().map(|&sample| column[sample as usize]));
        // So few are in order soonest by insertion.
        for at in 1..search.slots.len() {
            let (bin, mut to) = (search.slots[at], at);
            while to > 0 && search.slots[to - 1] > bin {
                search.slots[to] = search.slots[to - 1];
                to -= 1;
            }
            search.slots[to] = bin;
        }
        search.slots.dedup();
        search.histogram[..search.slots.len() * width].fill(0.0);
        for &sample in samples {
            let bin = column[sample as usize];
            let at = search.slots.partition_point(|&known| known < bin) * width;
            self.count(sample, &mut search.histogram[at..at + width]);
        }
        search.slots.len()
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
    fn count(&self, sample: u32, cell: &mut [f64]) {
        self.add(sample, cell);
        cell[self.outputs + 1] += 1.0;
    }

    /// Tries the cuts of a feature: the one that lowers the cost most takes the place of the best so far; the first of
    /// equals stays. A split that lowers nothing is still made, for the gain may come further down.
    fn try_feature(
        &self,
        samples: &[u32],
        node: &Grown,
        feature: usize,
        least: usize,
        search: &mut Search,
        best: &mut Option<(f64, usize, u8)>,
    ) {
        let (outputs, width) = (self.outputs, self.outputs + 2);
        let column = self.bins.column(feature);
        let bins = self.bins.count(feature);
        if bins < 2 {
            return;
        }
        let occupied = if samples.len() <= FEW {
            self.line_up(samples, column, search)
        } else {
            self.fill(samples, column, bins, search)
        };
        let left = &mut search.left;
        left.fill(0.0);
        for slot in 0..occupied {
            let cell = &search.histogram[slot * width..(slot + 1) * width];
            if cell[outputs + 1] == 0.0 {
                continue;
            }
            left.iter_mut().zip(cell).for_each(|(sum, part)| *sum += part);
            let count = left[outputs + 1] as usize;
            if count == samples.len() {
                break;
            }
            if count < least || samples.len() - count < least {
                continue;
            }
            let (mut on_left, mut on_right) = (0.0, 0.0);
            for (whole, part) in node.sums.iter().zip(left.iter()).take(outputs) {
                on_left += part * part;
                on_right += (whole - part) * (whole - part);
            }
            let gain = on_left / left[outputs] + on_right / (node.sums[outputs] - left[outputs]);
            // Equal up to rounding is equal: the first feature wins then, in whatever order sums were taken.
            if best.is_none_or(|(most, ..)| gain > most + 1e-10 * most.abs()) {
                *best = Some((gain, feature, if samples.len() <= FEW { search.slots[slot] } else { slot as u8 }));
            }
        }
    }
}

impl Growth {
    /// Opens a node and draws the features it tries; none if it stays a leaf.
    fn begin(&mut self, place: (usize, usize, usize, u32), random: &mut Random) -> Option<Open> {
        let Growth { limits, features, nodes, .. } = self;
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
        Some(Open { place, wanted, tried: 0, best: None })
    }

    /// The nodes as they are, the root first.
    pub fn finish(self) -> Vec<Grown> {
        self.nodes
    }

    /// The same of a tree that is complete.
    pub fn take_nodes(&mut self) -> Vec<Grown> {
        std::mem::take(&mut self.nodes)
    }
}

/// |S|²/W.
fn gain(sums: &[f64]) -> f64 {
    let (weight, sums) = sums.split_last().expect("the weight is always there");
    if *weight > 0.0 { sums.iter().map(|sum| sum * sum).sum::<f64>() / weight } else { 0.0 }
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

/// Where a row ends in a tree whose nodes of `leaf` are leaves.
pub fn leaf_of(nodes: &[Grown], leaf: &[bool], row: &[f32]) -> usize {
    let mut at = 0;
    while let (Some([left, right]), false) = (nodes[at].children, leaf[at]) {
        at = if row[nodes[at].feature] < nodes[at].threshold { left } else { right };
    }
    at
}

/// Cost-complexity pruning (Breiman et al., 1984): which nodes are leaves when a leaf costs `alpha` times the root.
pub fn pruned(nodes: &[Grown], alpha: f64) -> Vec<bool> {
    let price = alpha * nodes[0].cost;
    let mut leaf = vec![true; nodes.len()];
    let mut branch = vec![(0.0, 0.0); nodes.len()];
    for (id, node) in nodes.iter().enumerate().rev() {
        branch[id] = (node.cost, 1.0);
        if let Some([left, right]) = node.children {
            let below = (branch[left].0 + branch[right].0, branch[left].1 + branch[right].1);
            leaf[id] = alpha > 0.0 && node.cost - below.0 <= price * (below.1 - 1.0);
            if !leaf[id] {
                branch[id] = below;
            }
        }
    }
    leaf
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    #[test]
    fn a_tree_is_grown_and_pruned_by_what_its_leaves_cost() {
        // x0 decides between 0 and 1 but for one sample, which x1 tells apart.
        let x = DMatrix::from_fn(2, 40, |j, i| if j == 0 { (i / 20) as f32 } else { (i % 20) as f32 });
        let target: Vec<f32> = (0..40).map(|i| if i == 7 { 1.0 } else { (i / 20) as f32 }).collect();
        let bins = Bins::new(&x);
        let soil = Soil { bins: &bins, outputs: 1, target: &target, weight: &[1.0; 40] };
        let limits = Limits { depth: 4, least: 1, tried: None };
        let nodes = soil.grow((0..40).collect(), limits, &mut Random::new(0));
        let (mut growth, mut pieces) = (soil.begin((0..40).collect(), limits), 1);
        while !soil.advance(&mut growth, &mut Random::new(0), 1) {
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
