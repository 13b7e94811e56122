//! The choice by validation: which of some trees, how many of its levels, and how far its leaves are shrunk.

use super::blocks::Blocks;
use super::harden::{leaf_of, skeleton};
use super::parameters::Parameters;
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
    trees: Vec<Parameters<f32>>,
    /// So many pairs were tried.
    tried: usize,
    /// The least loss of each tree on validation samples so far, and how it is finished then.
    best: Vec<Option<(f64, Finish)>>,
    /// Where the tree being tried sends the samples that its leaves are fitted to, and those of validation.
    routes: [Vec<u32>; 2],
}

impl Choice {
    /// Begins with the tree at `first`; those before are not tried.
    pub fn new(trees: Vec<Parameters<f32>>, first: usize) -> Self {
        let strengths = trees.first().map_or(0, |tree| strengths(tree.answer).len());
        Choice { tried: first * strengths, best: vec![None; trees.len()], trees, routes: [vec![], vec![]] }
    }

    /// The trees.
    pub fn trees(&self) -> &[Parameters<f32>] {
        &self.trees
    }

    /// Tries one strength for one tree, whose leaves are fitted to some samples; returns whether there are more.
    pub fn step(&mut self, fitted: &Blocks<f32>, valid: &Blocks<f32>) -> bool {
        let Some(answer) = self.trees.first().map(|tree| tree.answer) else { return false };
        let strengths = strengths(answer);
        let (at, lambda) = (self.tried / strengths.len(), strengths[self.tried % strengths.len()]);
        let Some(tree) = self.trees.get(at) else { return false };
        let depth = tree.depth;
        if self.tried.is_multiple_of(strengths.len()) {
            let skeleton = skeleton(tree, fitted.features());
            self.routes = [fitted, valid].map(|blocks| hard_routes(&skeleton, blocks));
        }
        self.tried += 1;
        let [fitted_route, valid_route] = &self.routes;
        let answers = answers(fitted, fitted_route, depth, answer, lambda);
        let losses = answers.losses(valid, valid_route, depth, answer);
        for (kept, &loss) in losses.iter().enumerate() {
            if self.best[at].is_none_or(|(least, _)| loss < least) {
                self.best[at] = Some((loss, Finish { lambda, kept }));
            }
        }
        true
    }

    /// How a tree is finished best; none if it was not tried.
    pub fn finish(&self, at: usize) -> Option<Finish> {
        self.best.get(at).copied().flatten().map(|(_, finish)| finish)
    }

    /// The tree with the least loss, the first of equals, that loss and how it is finished; none if nothing was tried.
    pub fn chosen(&self) -> Option<(usize, f64, Finish)> {
        let tried = self.best.iter().enumerate().filter_map(|(at, best)| best.map(|(loss, finish)| (at, loss, finish)));
        tried.reduce(|best, other| if other.1 < best.1 { other } else { best })
    }
}

/// The leaf of each sample in a skeleton.
pub fn hard_routes(skeleton: &Tree, blocks: &Blocks<f32>) -> Vec<u32> {
    (0..blocks.samples()).map(|i| leaf_of(skeleton, &blocks.sample(i)[..blocks.features()])).collect()
}
