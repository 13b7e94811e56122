//! The hard tree of a relaxed one: which splits are worth their charge, its answers, and how good it is.

use super::answers::{NodeSums, STRENGTHS, hard_loss, shown_loss};
use super::context::Context;
use super::harden::{heap_leaf, skeleton, with_answers};
use crate::learn::relaxed::paper::inference::Relaxed;
use crate::learn::relaxed::paper::pruning::{ends, kept_splits};
use crate::learn::relaxed::paper::samples::{Goal, Samples};
use crate::tree::Tree;

/// Shrinkage while epochs are compared; the finished tree's is chosen from several.
pub const SHRINKAGE: f64 = 3.0;

impl Context {
    /// The splits of the hard tree, and the sums of the training samples at its nodes.
    fn kept(&self, relaxed: &Relaxed) -> (Vec<bool>, NodeSums) {
        let kept = kept_splits(&self.shape, &relaxed.a);
        let mut sums = NodeSums::new(self.shape.nodes(), &self.train.goal);
        sums.add(&self.train, &ends(&self.shape, &relaxed.theta, &kept, &self.train));
        if self.charge > 0.0 {
            let classes = matches!(self.train.goal, Goal::Classes { .. });
            (sums.worth(&kept, classes, self.charge), sums)
        } else {
            (kept, sums)
        }
    }

    /// The hard tree of a relaxed one: leaves are fitted on its own routes, and what no training sample
    /// reaches is cut. With `all` validation samples count in the leaves too.
    pub fn hardened(&self, relaxed: &Relaxed, lambda: f64, all: bool) -> Tree {
        self.hardened_traced(relaxed, lambda, all).0
    }

    /// The tree without a split: the root answers.
    pub fn root(&self) -> Tree {
        let shape = &self.shape;
        let relaxed = Relaxed { theta: vec![0.0; shape.numbers()], a: vec![0.0; shape.nodes()], scale: 1.0 };
        self.hardened(&relaxed, 0.0, false)
    }

    /// [`Context::hardened`] with the position in heap order that each node comes from.
    pub fn hardened_traced(&self, relaxed: &Relaxed, lambda: f64, all: bool) -> (Tree, Vec<usize>) {
        let (kept, _) = self.kept(relaxed);
        let (bare, heap) = skeleton(&self.shape, &relaxed.theta, &kept);
        let leaves =
            |samples: &Samples| samples.design.rows().map(|x| heap_leaf(&bare, x)).collect::<Vec<u32>>();
        let mut sums = NodeSums::new(self.shape.nodes(), &self.train.goal);
        sums.add(&self.train, &leaves(&self.train));
        if all {
            sums.add(&self.valid, &leaves(&self.valid));
        }
        let tree = with_answers(&bare, &sums.answers(lambda), &self.train.goal, self.units);
        let (tree, first) = tree.without_idle_splits_traced();
        let (tree, second) = tree.without_empty_branches_traced(self.train.design.rows());
        let (tree, third) = tree.without_idle_splits_traced();
        let places = third.into_iter().map(|at| heap[first[second[at]]]).collect();
        (tree, places)
    }

    /// How good the hard tree of a relaxed one is.
    pub fn measured(&self, relaxed: &Relaxed) -> Measured {
        let (kept, sums) = self.kept(relaxed);
        let (judges, cost) = (self.setup().judges(), self.cost(&kept));
        let judging = ends(&self.shape, &relaxed.theta, &kept, judges);
        let loss = |lambda: f64| hard_loss(&sums.answers(lambda), judges, &judging);
        let (mut least, mut lambda) = (f64::INFINITY, SHRINKAGE);
        for strength in STRENGTHS {
            let lost = loss(strength);
            if lost < least {
                (least, lambda) = (lost, strength);
            }
        }
        let answers = sums.answers(lambda);
        Measured {
            judged: loss(SHRINKAGE) + cost,
            least: least + cost,
            lambda,
            train: sums.shown_loss(&answers, &kept, &self.train),
            valid: shown_loss(&answers, judges, &judging),
        }
    }

    /// What the nodes of a hard tree cost.
    fn cost(&self, kept: &[bool]) -> f64 {
        2.0 * self.charge * kept.iter().filter(|&&kept| kept).count() as f64
    }
}

/// How good a hard tree is.
pub struct Measured {
    /// Its loss on the validation samples, the judges, with what its nodes cost, at the shrinkage by which
    /// epochs are compared.
    pub judged: f64,
    /// The same at the shrinkage that the judges prefer.
    pub least: f64,
    /// That shrinkage.
    pub lambda: f64,
    /// The loss that curves show, on the training samples: at that shrinkage, without weights and without
    /// what nodes cost, so that trees of all units can be compared.
    pub train: f64,
    /// The same loss on the judges.
    pub valid: f64,
}
