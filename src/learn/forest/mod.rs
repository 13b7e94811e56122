//! A random forest: a baseline for single trees, and the teacher when GET distils. The page does not offer
//! it, since a forest has no single tree to show.
//!
//! Breiman, *Random Forests*, Machine Learning 45, 2001. Each tree grows on a bootstrap sample of the rows.
//! Each node tries a random subset of the columns. The answer is the mean over the trees.
//!
//! Differs from scikit-learn 1.9:
//! - thresholds and ties are those of this crate's CART;
//! - trees are at most 32 levels deep;
//! - where no drawn column can be split, all others are tried at once, not one after another.

use std::sync::Arc;

use super::greedy::BootstrapForest;
use super::greedy::exact::{ExactNode, ExactSearch, SplitRules, Splitter, tree_of};
use crate::encode::{Design, Labels};
use crate::numeric::random::Random;
use crate::tree::Tree;

/// The deepest tree.
const DEPTH: u32 = 32;

/// The trees of a forest.
#[derive(Debug, Clone)]
pub struct Forest {
    trees: Vec<Tree>,
}

/// A forest that grows tree by tree.
pub struct ForestGrowth {
    growing: BootstrapForest<ExactSearch>,
    classes: bool,
    trees: Vec<Tree>,
}

impl ForestGrowth {
    /// A forest of this many trees. For numbers a node tries a third of the columns, for classes the square
    /// root of their number, rounded up.
    pub fn new(train: Arc<Design>, trees: usize, seed: u64) -> Self {
        let features = train.features();
        let tried = match train.y {
            Labels::Values(_) => features.div_ceil(3),
            Labels::Classes { .. } => (features as f64).sqrt().ceil() as usize,
        };
        let classes = matches!(train.y, Labels::Classes { .. });
        let splitter = Arc::new(Splitter::new(SplitRules::down_to(DEPTH), train.clone()));
        let mut planted = 0;
        let plant = move |_| {
            let mut random = Random::stream(seed, &format!("tree {planted}"));
            planted += 1;
            let mut drawn = vec![0u32; train.samples()];
            (0..train.samples()).for_each(|_| drawn[random.below(train.samples())] += 1);
            // In ascending order, a sample as often as it was drawn.
            let samples = (0u32..).zip(drawn).flat_map(|(i, times)| std::iter::repeat_n(i, times as usize));
            ExactSearch::random_grower(splitter.clone(), samples.collect(), tried, random)
        };
        ForestGrowth { growing: BootstrapForest::new(trees, plant), classes, trees: vec![] }
    }

    /// Grows some nodes of a tree, or a part of a large node; returns whether trees are still to grow.
    pub fn step(&mut self) -> bool {
        if let Some((nodes, _)) = self.growing.advance() {
            self.trees.push(self.tree(&nodes));
        }
        !self.growing.is_complete()
    }

    fn tree(&self, nodes: &[ExactNode]) -> Tree {
        tree_of(nodes, &vec![false; nodes.len()], self.classes)
    }

    /// The number of grown trees, and of all trees.
    pub(crate) fn grown(&self) -> (usize, usize) {
        self.growing.counts()
    }

    /// Share of the trees that have grown.
    pub fn share(&self) -> f64 {
        self.growing.share()
    }

    /// The trees that have grown.
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// The forest of the grown trees.
    pub(crate) fn forest(self) -> Forest {
        Forest { trees: self.trees }
    }

    /// The forest of the grown trees; if there is none, of the first tree as far as it has grown.
    pub fn so_far(mut self) -> Forest {
        if self.trees.is_empty() {
            let first = self.growing.take_growing();
            self.trees.push(self.tree(first.nodes()));
        }
        self.forest()
    }
}

impl Forest {
    /// Grows this many trees.
    #[cfg(test)]
    pub(crate) fn grow(train: Arc<Design>, trees: usize, seed: u64) -> Forest {
        let mut growth = ForestGrowth::new(train, trees, seed);
        while growth.step() {}
        growth.forest()
    }

    /// The trees.
    pub fn into_trees(self) -> Vec<Tree> {
        self.trees
    }

    /// The mean of the trees' answers.
    #[cfg(test)]
    pub(crate) fn answer(&self, row: &[f32]) -> Vec<f64> {
        let mut sum: Vec<f64> = vec![];
        for tree in &self.trees {
            let answer = tree.output(tree.leaf_of(row), row);
            sum.resize(answer.len(), 0.0);
            sum.iter_mut().zip(answer).for_each(|(sum, answer)| *sum += answer);
        }
        sum.iter_mut().for_each(|sum| *sum /= self.trees.len() as f64);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    fn noisy(seed: u64, samples: usize) -> Design {
        let mut random = Random::new(seed);
        let x = DMatrix::from_fn(4, samples, |_, _| random.uniform() as f32);
        let target = |x: &[f32]| f64::from(x[0] * x[1] + x[2]);
        let y = x.column_iter().map(|x| target(x.as_slice()) + 0.2 * random.normal()).collect();
        Design { x, y: Labels::Values(y) }
    }

    #[test]
    fn a_forest_is_better_than_one_of_its_trees_and_depends_on_the_seed_alone() {
        let (train, test) = (Arc::new(noisy(1, 300)), noisy(2, 500));
        let error = |forest: &Forest| {
            let Labels::Values(y) = &test.y else { unreachable!() };
            test.rows().zip(y).map(|(row, y)| (forest.answer(row)[0] - y).powi(2)).sum::<f64>() / 500.0
        };
        let (one, many) = (Forest::grow(train.clone(), 1, 3), Forest::grow(train.clone(), 40, 3));
        assert!(error(&many) < 0.75 * error(&one), "{} {}", error(&many), error(&one));
        assert_eq!(many.trees, Forest::grow(train, 40, 3).trees);
        assert_eq!(many.trees[0], one.trees[0], "a tree does not depend on how many there are");
    }
}
