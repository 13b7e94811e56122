//! The choice by validation: which of the trees found, how many of its levels, and how far its leaves are shrunk.

use super::blocks::Blocks;
use super::harden::{leaf_of, skeleton};
use super::parameters::{Answer, Parameters};
use super::shrink::{answers, strengths};
use crate::tree::Tree;

/// How finished leaves are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finish {
    /// Strength of the shrinkage.
    pub lambda: f64,
    /// Levels that are kept.
    pub kept: usize,
}

/// Trees and strengths of shrinkage, tried one pair at a time.
pub struct Choice {
    /// The trees.
    pub trees: Vec<Parameters<f32>>,
    /// The position of a tree that was taught.
    taught: Option<usize>,
    /// So many pairs were tried.
    tried: usize,
    /// The least loss on validation samples so far, with the tree and how it is finished.
    best: Option<(f64, usize, Finish)>,
}

impl Choice {
    /// Begins with the tree at `first`; those before are not tried.
    pub fn new(trees: Vec<Parameters<f32>>, first: usize, taught: Option<usize>, answer: Answer) -> Self {
        Choice { trees, taught, tried: first * strengths(answer).len(), best: None }
    }

    /// Tries one strength for one tree, whose leaves are fitted to the samples that `fitted` gives for a tree that was
    /// taught (true) or not; returns whether there are more.
    pub fn step<'a>(&mut self, fitted: impl Fn(bool) -> &'a Blocks<f32>, valid: &Blocks<f32>) -> bool {
        let Some(answer) = self.trees.first().map(|tree| tree.answer) else { return false };
        let strengths = strengths(answer);
        let (at, lambda) = (self.tried / strengths.len(), strengths[self.tried % strengths.len()]);
        let Some(tree) = self.trees.get(at) else { return false };
        self.tried += 1;
        let (blocks, depth) = (fitted(self.taught == Some(at)), tree.depth);
        let skeleton = skeleton(tree, blocks.features());
        let answers = answers(blocks, &hard_routes(&skeleton, blocks), depth, answer, lambda);
        let losses = answers.losses(valid, &hard_routes(&skeleton, valid), depth, answer);
        for (kept, &loss) in losses.iter().enumerate() {
            if self.best.as_ref().is_none_or(|(least, ..)| loss < *least) {
                self.best = Some((loss, at, Finish { lambda, kept }));
            }
        }
        true
    }

    /// Whether a tree is the one that was taught.
    pub fn is_taught(&self, at: usize) -> bool {
        self.taught == Some(at)
    }

    /// The tree with the least loss and how it is finished; none if nothing was tried.
    pub fn chosen(&self) -> Option<(usize, Finish)> {
        self.best.map(|(_, at, finish)| (at, finish))
    }
}

/// The leaf of each sample in a skeleton.
pub fn hard_routes(skeleton: &Tree, blocks: &Blocks<f32>) -> Vec<u32> {
    (0..blocks.samples()).map(|i| leaf_of(skeleton, &blocks.sample(i)[..blocks.features()])).collect()
}
