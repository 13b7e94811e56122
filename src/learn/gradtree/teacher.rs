//! A teacher: greedy trees on resampled samples, whose votes on the samples each of them has not seen make softer targets.
//!
//! A single greedy tree follows the accidents of its samples. Votes of many trees on samples that they were not fitted to
//! (Breiman, *Out-of-bag estimation*, 1996) say how sure a class is at each sample, and a tree grown on them splits where the
//! votes change.

use super::grow::{Grown, Growth, Limits, Soil, leaf_of};
use crate::encode::Design;
use crate::numeric::random::Random;

/// Votes so far.
#[derive(Debug, Clone)]
pub struct Teacher {
    outputs: usize,
    /// (N × C) sums of votes.
    votes: Vec<f32>,
    /// (N) how many trees voted.
    voters: Vec<u32>,
    random: Random,
    /// How many trees have been grown.
    pub grown: u32,
    /// Those trees, until it retires.
    trees: Vec<Vec<Grown>>,
    /// The tree at work.
    lesson: Option<Lesson>,
}

/// A tree at work, with the samples that it was drawn from.
#[derive(Debug, Clone)]
struct Lesson {
    seen: Vec<bool>,
    stage: Stage,
}

#[derive(Debug, Clone)]
enum Stage {
    Growing(Box<Growth>),
    /// It votes; so many samples have been asked about.
    Voting(Vec<Grown>, usize),
}

/// Samples that a tree is asked about in one piece.
const ASKED: usize = 100_000;

impl Teacher {
    /// Nothing known yet.
    pub fn new(samples: usize, outputs: usize, seed: u64) -> Teacher {
        Teacher {
            outputs,
            votes: vec![0.0; samples * outputs],
            voters: vec![0; samples],
            random: Random::stream(seed, "teacher"),
            grown: 0,
            trees: vec![],
            lesson: None,
        }
    }

    /// Grows one more tree on as many samples, drawn with replacement, and lets it vote on the others. One call looks
    /// at about `work` numbers; whether the tree has voted.
    pub fn learn(&mut self, soil: Soil<'_>, design: &Design, fit: &[u32], depth: u32, work: usize) -> bool {
        let Some(Lesson { seen, stage }) = &mut self.lesson else {
            self.lesson = Some(self.begin(soil, fit, depth));
            return false;
        };
        match stage {
            Stage::Growing(growth) => {
                if soil.advance(growth, &mut self.random, work) {
                    let nodes = growth.take_nodes();
                    *stage = Stage::Voting(nodes, 0);
                }
                false
            }
            Stage::Voting(nodes, asked) => {
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
                self.lesson = None;
                true
            }
        }
    }

    fn begin(&mut self, soil: Soil<'_>, fit: &[u32], depth: u32) -> Lesson {
        let drawn: Vec<u32> = (0..fit.len()).map(|_| fit[self.random.below(fit.len())]).collect();
        let mut seen = vec![false; self.voters.len()];
        drawn.iter().for_each(|&sample| seen[sample as usize] = true);
        // The usual number for classes; a third for numbers.
        let features = soil.bins.features();
        let tried = (features as f64).sqrt().ceil() as usize;
        let limits = Limits { depth, least: 1, tried: Some(tried.max(features / 3)) };
        Lesson { seen, stage: Stage::Growing(Box::new(soil.begin(drawn, limits))) }
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

    /// Forgets the trees: what they had to say has been said.
    pub fn retire(&mut self) {
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
