//! The choice by validation: which of some trees, how many of its levels, and how far its leaves are shrunk.

pub(crate) mod folds;

use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::ours::shrinkage::{answers, strengths};
use crate::learn::get::paper::hard_tree::{skeleton, skeleton_routes};
use crate::learn::get::paper::parameters::Parameters;

/// How finished leaves are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Finish {
    /// Strength of the shrinkage.
    pub lambda: f64,
    /// Levels that are kept.
    pub kept: usize,
}

/// Trees and strengths of shrinkage, tried one pair at a time.
pub(crate) struct TreeSelection {
    trees: Vec<Parameters<f32>>,
    /// So many pairs were tried.
    tried: usize,
    /// Losses of each tree on validation samples: for each strength tried so far those of 0 to D levels kept.
    losses: Vec<Vec<f64>>,
    /// Where a tree sends the samples that its leaves are fitted to, and those of validation.
    routes: [Vec<u32>; 2],
    /// That tree.
    routed: Option<usize>,
}

impl TreeSelection {
    /// Begins with the tree at `first`; those before are not tried.
    pub(crate) fn new(trees: Vec<Parameters<f32>>, first: usize) -> Self {
        let strengths = trees.first().map_or(0, |tree| strengths(tree.answer).len());
        TreeSelection {
            tried: first * strengths,
            losses: vec![vec![]; trees.len()],
            trees,
            routes: [vec![], vec![]],
            routed: None,
        }
    }

    /// The trees.
    pub(crate) fn trees(&self) -> &[Parameters<f32>] {
        &self.trees
    }

    /// Routes the samples through a tree, or tries one strength for it with leaves that are fitted to some
    /// samples; returns whether there is more to do.
    pub(crate) fn step(&mut self, fitted: &Blocks<f32>, valid: &Blocks<f32>) -> bool {
        let Some(answer) = self.trees.first().map(|tree| tree.answer) else { return false };
        let strengths = strengths(answer);
        let (at, lambda) = (self.tried / strengths.len(), strengths[self.tried % strengths.len()]);
        let Some(tree) = self.trees.get(at) else { return false };
        let depth = tree.depth;
        if self.routed != Some(at) {
            let skeleton = skeleton(tree, fitted.features());
            self.routes = [fitted, valid].map(|blocks| skeleton_routes(&skeleton, blocks));
            self.routed = Some(at);
            return true;
        }
        self.tried += 1;
        let [fitted_route, valid_route] = &self.routes;
        let answers = answers(fitted, fitted_route, depth, answer, lambda);
        self.losses[at].extend(answers.losses(valid, valid_route, depth, answer));
        true
    }

    /// Adds what a tree of the same origin, or none, lost on other samples, to what one of these did; see
    /// [`losses`].
    pub(crate) fn add(&mut self, at: usize, other: Option<&[f64]>) {
        for (k, loss) in self.losses[at].iter_mut().enumerate() {
            *loss += other.and_then(|other| other.get(k)).copied().unwrap_or(f64::INFINITY);
        }
    }

    /// The least loss of a tree, and how it is finished then; none if it was not tried.
    fn best(&self, at: usize) -> Option<(f64, Finish)> {
        let (tree, losses) = (self.trees.get(at)?, &self.losses[at]);
        let least = (1..losses.len()).fold(0, |least, k| if losses[k] < losses[least] { k } else { least });
        let (lambda, kept) = (strengths(tree.answer)[least / (tree.depth + 1)], least % (tree.depth + 1));
        losses.get(least).map(|&loss| (loss, Finish { lambda, kept }))
    }

    /// The least loss of a tree; none if it was not tried.
    pub(crate) fn loss(&self, at: usize) -> Option<f64> {
        self.best(at).map(|(loss, _)| loss)
    }

    /// How a tree is finished best; none if it was not tried.
    pub(crate) fn finish(&self, at: usize) -> Option<Finish> {
        self.best(at).map(|(_, finish)| finish)
    }

    /// The tree with the least loss, the first of equals, that loss and how it is finished; none if nothing
    /// was tried.
    pub(crate) fn chosen(&self) -> Option<(usize, f64, Finish)> {
        let tried =
            (0..self.trees.len()).filter_map(|at| self.best(at).map(|(loss, finish)| (at, loss, finish)));
        tried.reduce(|best, other| if other.1 < best.1 { other } else { best })
    }
}

/// What a tree loses on validation samples with its leaves fitted to others: for each strength of shrinkage,
/// with 0 to D levels kept.
pub(crate) fn losses(tree: &Parameters<f32>, fitted: &Blocks<f32>, valid: &Blocks<f32>) -> Vec<f64> {
    let mut choice = TreeSelection::new(vec![tree.clone()], 0);
    while choice.step(fitted, valid) {}
    choice.losses.swap_remove(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::get::kernel::blocks::Truth;
    use crate::learn::get::paper::parameters::Answer;

    /// A step at one half, and a plane that cuts there or elsewhere.
    fn cut_at(threshold: f32) -> Parameters<f32> {
        let mut tree = Parameters::zeros(1, 4, Answer::Constant);
        tree.plane_mut(0)[0] = -1.0;
        tree.plane_mut(0)[1] = threshold;
        tree
    }

    #[test]
    fn what_other_samples_lose_is_added_and_a_tree_that_is_missing_there_is_out() {
        let rows: Vec<[f32; 1]> = (0..64).map(|i| [i as f32 / 64.0]).collect();
        let truth = |x: &[f32; 1]| Truth { value: f64::from(u8::from(x[0] >= 0.5)), class: 0, weight: 1.0 };
        let blocks = Blocks::pack(1, rows.iter().map(|x| (&x[..], truth(x))));
        let trees = vec![cut_at(0.2), cut_at(0.49)];
        let mut choice = TreeSelection::new(trees.clone(), 0);
        assert!(choice.chosen().is_none());
        while choice.step(&blocks, &blocks) {}
        let (at, loss, finish) = choice.chosen().unwrap();
        assert_eq!((at, finish.kept), (1, 1));
        assert!(loss < 1e-9 && choice.loss(0).unwrap() > 0.05, "{loss}");
        // The other one lost nothing elsewhere, this one much.
        let far: Vec<f64> = losses(&trees[1], &blocks, &blocks).iter().map(|loss| loss + 1.0).collect();
        choice.add(1, Some(&far));
        choice.add(0, Some(&vec![0.0; far.len()]));
        assert_eq!(choice.chosen().unwrap().0, 0);
        choice.add(0, None);
        assert_eq!(choice.chosen().unwrap().0, 1);
    }
}
