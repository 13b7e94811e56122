//! What leaves answer: class scores or numbers from the samples that reach them.

mod quantiles;

use crate::encode::{Design, Labels};
use crate::learn::gradtree::paper::{OutputUnits, class_counts, class_factors};
use crate::learn::greedy::histogram::{BinCut, HistogramNode, SoftSums};
use crate::learn::greedy::tree_of;
use crate::numeric::order::first_largest;
use crate::numeric::pinball::Pinball;
use crate::tree::{Leaf, Node, Split, Tree};

pub(super) use quantiles::answer_quantiles;

/// How many samples the classes' shares of the whole are worth in a leaf: a leaf of few samples is not sure.
const PRIOR: f64 = 0.5;
/// The least share of a class.
const LEAST: f64 = 1e-4;

/// From sums of targets to outputs.
#[derive(Debug, Clone)]
pub(crate) struct LeafAnswers {
    /// Per class, what multiplies its share; empty for numbers.
    factor: Vec<f64>,
    /// Shares of the classes among all samples.
    prior: Vec<f64>,
    units: OutputUnits,
    /// The loss of numbers, unless it is the squared error.
    pinball: Option<Pinball>,
}

impl LeafAnswers {
    /// `power` says how far rare classes are favoured: a class of `n_k` of N samples has its share multiplied
    /// by `(N / (C n_k))^power`. 0 answers with the likeliest class; 1 as if all classes were equally common.
    pub(crate) fn new(
        labels: &Labels,
        units: OutputUnits,
        power: f64,
        pinball: Option<Pinball>,
    ) -> LeafAnswers {
        let (factor, prior) = match labels {
            Labels::Classes { label, classes } => {
                let counts = class_counts(label, *classes);
                let prior = counts.iter().map(|n| n / label.len().max(1) as f64).collect();
                (class_factors(&counts, power), prior)
            }
            Labels::Values(_) => (vec![], vec![0.0]),
        };
        LeafAnswers { factor, prior, units, pinball }
    }

    /// The likeliest class after the factors, or the number, from S (C) and W.
    pub(crate) fn decide(&self, sums: &[f64]) -> (usize, f64) {
        if self.factor.is_empty() {
            return (0, if sums[1] > 0.0 { sums[0] / sums[1] } else { 0.0 });
        }
        (first_largest(&self.shares(sums)), 0.0)
    }

    fn shares(&self, sums: &[f64]) -> Vec<f64> {
        let parts = sums.iter().zip(&self.prior).zip(&self.factor);
        parts.map(|((sum, prior), factor)| (sum + PRIOR * prior) * factor).collect()
    }

    /// Raw outputs: one logit for two classes, one per class beyond, or a number in units of the target's
    /// deviation.
    pub(crate) fn outputs(&self, sums: &[f64]) -> Vec<f32> {
        if self.factor.is_empty() {
            return vec![self.decide(sums).1 as f32];
        }
        let shares = self.shares(sums);
        let total: f64 = shares.iter().sum();
        let logs: Vec<f64> = shares.iter().map(|share| libm::log((share / total).max(LEAST))).collect();
        match logs.as_slice() {
            [no, yes] => vec![(yes - no) as f32],
            _ => logs.iter().map(|&log| log as f32).collect(),
        }
    }

    /// A leaf.
    pub(crate) fn leaf(&self, sums: &[f64]) -> Leaf {
        self.units.leaf(&self.outputs(sums))
    }

    /// A grown tree whose nodes of `leaf` are leaves.
    pub(crate) fn tree(&self, nodes: &[HistogramNode], leaf: &[bool]) -> Tree {
        let split = |&BinCut { feature, threshold }: &BinCut| {
            (Split::Numerical { feature, threshold: threshold.next_down() }, false)
        };
        tree_of(nodes, leaf, split, |SoftSums { sums, .. }| self.leaf(sums)).without_idle_splits()
    }

    /// The tree with its leaves answering for the samples that reach them; branches without any are cut.
    ///
    /// * `target` (N × C), `weight` (N), `samples` positions in the design
    pub(crate) fn refit(
        &self,
        tree: &Tree,
        design: &Design,
        target: &[f32],
        weight: &[f32],
        samples: &[u32],
    ) -> Tree {
        self.refit_traced(tree, design, target, weight, samples).0
    }

    /// The same, with the position in `tree` that each node comes from.
    pub(crate) fn refit_traced(
        &self,
        tree: &Tree,
        design: &Design,
        target: &[f32],
        weight: &[f32],
        samples: &[u32],
    ) -> (Tree, Vec<usize>) {
        let outputs = self.prior.len();
        let leaves: Vec<u32> = tree.leaves_of(samples.iter().map(|&sample| design.row(sample as usize)));
        let mut sums = vec![vec![0.0; outputs + 1]; tree.size()];
        let mut arrivals = vec![0; tree.size()];
        for (&sample, &leaf) in samples.iter().zip(&leaves) {
            let (sample, leaf) = (sample as usize, leaf as usize);
            let sums = &mut sums[leaf];
            let (values, weight) =
                (&target[sample * outputs..(sample + 1) * outputs], f64::from(weight[sample]));
            sums.iter_mut().zip(values).for_each(|(sum, &y)| *sum += weight * f64::from(y));
            sums[outputs] += weight;
            arrivals[leaf] += 1;
        }
        if let Some(pinball) = self.pinball {
            let reached =
                samples.iter().zip(&leaves).map(|(&sample, &leaf)| (leaf as usize, target[sample as usize]));
            sums = quantiles::sums(pinball, tree.size(), reached);
        }
        tree.sum_upwards(&mut arrivals);
        let (tree, reached) = tree.without_unreached_traced(&arrivals);
        let nodes = tree.nodes().iter().zip(&reached).map(|(node, &source)| match node {
            Node::Leaf(_) => Node::Leaf(self.leaf(&sums[source])),
            split => split.clone(),
        });
        let tree = Tree::new(nodes.collect()).expect("the same tree with other leaves");
        let (tree, kept) = tree.without_idle_splits_traced();
        (tree, kept.into_iter().map(|at| reached[at]).collect())
    }
}
