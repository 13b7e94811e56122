//! What our stages share beyond the published training set: validation samples, and leaves that are shrunk.

use std::ops::Deref;
use std::sync::Arc;

use crate::encode::Design;
use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::ours::selection::Finish;
use crate::learn::get::ours::shrinkage::answers;
use crate::learn::get::paper::hard_tree::{TargetScale, skeleton, skeleton_routes, with_answers};
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::learn::get::paper::training_set::TrainingSet;
use crate::learn::get::settings::{Config, MOST_TAUGHT, MOST_TAUGHT_FEATURES};
use crate::numeric::random::Random;
use crate::tree::Tree;

/// A training set with its validation samples.
pub(crate) struct Context {
    /// The training set.
    pub set: Arc<TrainingSet>,
    /// The validation samples; none if there are none or none are wanted.
    pub valid: Option<Blocks<f32>>,
}

/// Stages read the training set's fields as those of the context.
impl Deref for Context {
    type Target = TrainingSet;

    fn deref(&self) -> &TrainingSet {
        &self.set
    }
}

impl Context {
    /// The configuration has been checked against `train`; `valid` may have no sample. The columns `apart`
    /// are only asked about alone.
    pub(crate) fn new(
        config: Config,
        apart: &[usize],
        train: Arc<Design>,
        valid: &Design,
        seed: u64,
    ) -> Self {
        let plan = config.plan(train.samples());
        let wanted = valid.samples() > 0 && config.refines();
        let set = Arc::new(TrainingSet::new(config, plan, apart, train, seed));
        let valid = wanted.then(|| set.packed(valid, apart));
        Context { set, valid }
    }

    /// How leaves are made until validation has decided.
    pub(crate) fn finish(&self) -> Finish {
        let lambda = match (self.config.refines(), self.answer) {
            (true, Answer::Linear) => 1.0,
            (true, _) => 3.0,
            (false, _) => 0.0,
        };
        Finish { lambda, kept: self.depth() }
    }

    /// Training and validation samples together.
    pub(crate) fn all_samples(&self) -> Blocks<f32> {
        let Some(valid) = &self.valid else { return (*self.blocks).clone() };
        self.blocks.joined(valid, Random::stream(self.seed, "all rows"))
    }

    /// A hard tree from planes: leaves are fitted to some samples on the routes of the tree itself, and what
    /// no training sample reaches is cut.
    pub(crate) fn hardened(&self, blocks: &Blocks<f32>, tree: &Parameters<f32>, finish: Finish) -> Tree {
        let kept = finish.kept.min(tree.depth);
        let (hard, route) = self.answering(blocks, tree, Finish { kept, ..finish }, self.scale);
        // Where these are the training samples, it is known already how many come to each leaf.
        self.reached(&hard, std::ptr::eq(blocks, &*self.blocks).then_some(&route))
    }

    /// Whether a tree is distilled: where validation can judge it, and samples and features are not too many.
    pub(crate) fn teaches(&self) -> bool {
        let few = self.blocks.samples() <= MOST_TAUGHT && self.blocks.features() <= MOST_TAUGHT_FEATURES;
        few && self.valid.is_some() && self.config.teaches()
    }

    /// A tree that answers in scaled units.
    pub(crate) fn teacher(&self, blocks: &Blocks<f32>, tree: &Parameters<f32>, finish: Finish) -> Tree {
        self.answering(blocks, tree, finish, TargetScale::NONE).0
    }

    /// A complete tree with its answers, and the leaf of each sample. Leaves deeper than the levels kept
    /// answer as their ancestor there.
    fn answering(
        &self,
        blocks: &Blocks<f32>,
        tree: &Parameters<f32>,
        finish: Finish,
        scale: TargetScale,
    ) -> (Tree, Vec<u32>) {
        let splits = skeleton(tree, blocks.features());
        let route = skeleton_routes(&splits, blocks);
        let answers = answers(blocks, &route, tree.depth, self.answer, finish.lambda);
        let of =
            |leaf: usize| &answers.nodes[((tree.nodes() + leaf + 1) >> (tree.depth - finish.kept)) - 1][..];
        (with_answers(&splits, of, self.answer, scale), route)
    }
}
