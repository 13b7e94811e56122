//! A forest whose votes soften targets.
//!
//! A single greedy tree follows the noise of its samples. Each tree of the forest votes on the samples that
//! it was not fitted to (Breiman, *Out-of-bag estimation*, 1996). The mean votes say how likely each class is
//! at a sample, and a tree grown on them splits where they change.

use crate::encode::Design;
use crate::learn::greedy::BootstrapForest;
use crate::learn::greedy::histogram::{GrowthLimits, HistogramNode, HistogramSearch, SoftSamples, leaf_of};
use crate::numeric::random::Random;

/// A forest with its votes so far.
pub(crate) struct VotingForest {
    forest: BootstrapForest<HistogramSearch>,
    outputs: usize,
    /// (N × C) sums of votes.
    votes: Vec<f32>,
    /// (N) how many trees voted.
    voters: Vec<u32>,
    /// Trees that have voted, until they are dropped.
    trees: Vec<Vec<HistogramNode>>,
    /// The tree that votes now.
    voting: Option<Voter>,
    voted: u32,
}

/// A tree that votes on the samples that it has not seen.
struct Voter {
    nodes: Vec<HistogramNode>,
    /// Which samples its bootstrap sample contains.
    seen: Vec<bool>,
    /// Samples that it has been asked about.
    asked: usize,
}

/// Samples that a tree is asked about in one piece.
const ASKED: usize = 100_000;

impl VotingForest {
    /// A forest of so many trees on the samples of `fit`.
    pub(crate) fn new(data: &SoftSamples, fit: Vec<u32>, trees: u32, depth: u32, seed: u64) -> VotingForest {
        let (samples, outputs, features) = (data.weight.len(), data.outputs, data.bins.features());
        // The usual number for classes; a third for numbers.
        let tried = ((features as f64).sqrt().ceil() as usize).max(features / 3);
        let limits = GrowthLimits { depth, least: 1, tried: Some(tried) };
        let data = data.clone();
        let plant = move |before: Option<HistogramSearch>| {
            let mut random =
                before.map_or_else(|| Random::stream(seed, "teacher"), HistogramSearch::into_random);
            let drawn = (0..fit.len()).map(|_| fit[random.below(fit.len())]).collect();
            HistogramSearch::grower(&data, drawn, limits, random)
        };
        VotingForest {
            forest: BootstrapForest::new(trees as usize, plant),
            outputs,
            votes: vec![0.0; samples * outputs],
            voters: vec![0; samples],
            trees: vec![],
            voting: None,
            voted: 0,
        }
    }

    /// A piece of a tree's growth or of its votes; returns whether all trees have voted.
    pub(crate) fn advance(&mut self, design: &Design, fit: &[u32]) -> bool {
        match &mut self.voting {
            None => {
                if let Some((nodes, drawn)) = self.forest.advance() {
                    let mut seen = vec![false; self.voters.len()];
                    drawn.iter().for_each(|&sample| seen[sample as usize] = true);
                    self.voting = Some(Voter { nodes, seen, asked: 0 });
                }
            }
            Some(Voter { nodes, seen, asked }) => {
                let end = fit.len().min(*asked + ASKED);
                let leaf = vec![false; nodes.len()];
                for &sample in fit[*asked..end].iter().filter(|&&sample| !seen[sample as usize]) {
                    let at = sample as usize;
                    let sums = &nodes[leaf_of(nodes, &leaf, design.row(at))].summary.sums;
                    let votes = &mut self.votes[at * self.outputs..(at + 1) * self.outputs];
                    votes
                        .iter_mut()
                        .zip(sums)
                        .for_each(|(vote, sum)| *vote += (sum / sums[self.outputs]) as f32);
                    self.voters[at] += 1;
                }
                *asked = end;
                if end == fit.len() {
                    self.trees.push(std::mem::take(nodes));
                    self.voting = None;
                    self.voted += 1;
                }
            }
        }
        self.voting.is_none() && self.forest.is_complete()
    }

    /// Trees that have voted.
    pub(crate) fn voted(&self) -> u32 {
        self.voted
    }

    /// The mean vote (C) of all trees on a row that none of them was fitted to.
    pub(crate) fn vote(&self, row: &[f32], votes: &mut [f32]) {
        votes.fill(0.0);
        for nodes in &self.trees {
            let mut at = 0;
            while let Some(next) = nodes[at].below(row) {
                at = next;
            }
            let sums = &nodes[at].summary.sums;
            let share = 1.0 / (sums[self.outputs] * self.trees.len() as f64);
            votes.iter_mut().zip(sums).for_each(|(vote, sum)| *vote += (sum * share) as f32);
        }
    }

    /// Frees the trees once all rows have been answered.
    pub(crate) fn drop_trees(&mut self) {
        self.trees = vec![];
    }

    /// Targets of which the share `trust` is the mean vote and the rest the sample's own.
    pub(crate) fn soften(&self, target: &[f32], trust: f32) -> Vec<f32> {
        let mut soft = target.to_vec();
        for (at, &voters) in self.voters.iter().enumerate().filter(|(_, voters)| **voters > 0) {
            let range = at * self.outputs..(at + 1) * self.outputs;
            for (soft, &votes) in soft[range.clone()].iter_mut().zip(&self.votes[range]) {
                *soft += trust * (votes / voters as f32 - *soft);
            }
        }
        soft
    }
}
