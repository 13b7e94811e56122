//! The teacher of a greedy tree: a small forest on bootstrap samples.
//!
//! A single greedy tree follows the noise of its samples. Each tree of the forest votes on the samples that
//! it was not fitted to (Breiman, *Out-of-bag estimation*, 1996). The mean votes say how likely each class is
//! at a sample, and a tree grown on them splits where they change.

use crate::encode::Design;
use crate::learn::gradtree::ours::grow::{GrownNode, GrowthLimits, GrowthSamples, TreeGrowth, leaf_of};
use crate::numeric::random::Random;

/// A forest with its votes so far.
#[derive(Debug, Clone)]
pub struct TeacherForest {
    outputs: usize,
    /// (N × C) sums of votes.
    votes: Vec<f32>,
    /// (N) how many trees voted.
    voters: Vec<u32>,
    random: Random,
    /// How many trees have been grown.
    pub grown: u32,
    /// Those trees, until they are dropped.
    trees: Vec<Vec<GrownNode>>,
    /// The tree at work.
    at_work: Option<BootstrapTree>,
}

/// The tree at work, and which samples its bootstrap sample contains.
#[derive(Debug, Clone)]
struct BootstrapTree {
    seen: Vec<bool>,
    state: TreeState,
}

#[derive(Debug, Clone)]
enum TreeState {
    Growing(Box<TreeGrowth>),
    /// It votes; so many samples have been asked about.
    Voting(Vec<GrownNode>, usize),
}

/// Samples that a tree is asked about in one piece.
const ASKED: usize = 100_000;

impl TeacherForest {
    /// Nothing known yet.
    pub fn new(samples: usize, outputs: usize, seed: u64) -> TeacherForest {
        TeacherForest {
            outputs,
            votes: vec![0.0; samples * outputs],
            voters: vec![0; samples],
            random: Random::stream(seed, "teacher"),
            grown: 0,
            trees: vec![],
            at_work: None,
        }
    }

    /// Grows one more tree on as many samples, drawn with replacement, and lets it vote on the others. One
    /// call looks at about `work` numbers; whether the tree has voted.
    pub fn learn(
        &mut self,
        growth_samples: GrowthSamples<'_>,
        design: &Design,
        fit: &[u32],
        depth: u32,
        work: usize,
    ) -> bool {
        let Some(BootstrapTree { seen, state }) = &mut self.at_work else {
            self.at_work = Some(self.begin(growth_samples, fit, depth));
            return false;
        };
        match state {
            TreeState::Growing(growth) => {
                if growth_samples.advance(growth, &mut self.random, work) {
                    let nodes = growth.take_nodes();
                    *state = TreeState::Voting(nodes, 0);
                }
                false
            }
            TreeState::Voting(nodes, asked) => {
                let end = fit.len().min(*asked + ASKED);
                let leaf = vec![false; nodes.len()];
                for &sample in fit[*asked..end].iter().filter(|&&sample| !seen[sample as usize]) {
                    let at = sample as usize;
                    let sums = &nodes[leaf_of(nodes, &leaf, design.row(at))].sums;
                    let votes = &mut self.votes[at * self.outputs..(at + 1) * self.outputs];
                    votes.iter_mut().zip(sums).for_each(|(vote, sum)| *vote += (sum / sums[self.outputs]) as f32);
                    self.voters[at] += 1;
                }
                *asked = end;
                if end < fit.len() {
                    return false;
                }
                self.grown += 1;
                self.trees.push(std::mem::take(nodes));
                self.at_work = None;
                true
            }
        }
    }

    fn begin(&mut self, growth_samples: GrowthSamples<'_>, fit: &[u32], depth: u32) -> BootstrapTree {
        let drawn: Vec<u32> = (0..fit.len()).map(|_| fit[self.random.below(fit.len())]).collect();
        let mut seen = vec![false; self.voters.len()];
        drawn.iter().for_each(|&sample| seen[sample as usize] = true);
        // The usual number for classes; a third for numbers.
        let features = growth_samples.bins.features();
        let tried = (features as f64).sqrt().ceil() as usize;
        let limits = GrowthLimits { depth, least: 1, tried: Some(tried.max(features / 3)) };
        BootstrapTree { seen, state: TreeState::Growing(Box::new(growth_samples.begin(drawn, limits))) }
    }

    /// The mean vote (C) of all trees on a row that none of them was fitted to.
    pub fn vote(&self, row: &[f32], votes: &mut [f32]) {
        votes.fill(0.0);
        for nodes in &self.trees {
            let mut at = 0;
            while let Some([left, right]) = nodes[at].children {
                at = if row[nodes[at].feature] < nodes[at].threshold { left } else { right };
            }
            let sums = &nodes[at].sums;
            let share = 1.0 / (sums[self.outputs] * self.trees.len() as f64);
            votes.iter_mut().zip(sums).for_each(|(vote, sum)| *vote += (sum * share) as f32);
        }
    }

    /// Frees the trees once all rows have been answered.
    pub fn drop_trees(&mut self) {
        self.trees = vec![];
    }

    /// Targets of which the share `trust` is the mean vote and the rest the sample's own.
    pub fn soften(&self, target: &[f32], trust: f32) -> Vec<f32> {
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
