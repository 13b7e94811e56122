//! What all parts of a training share: its samples, the plan of its descents, and the way from planes to a
//! hard tree.

use std::sync::Arc;

use crate::encode::Design;
use crate::learn::Pace;
use crate::learn::get::kernel::blocks::{BLOCK, Blocks};
use crate::learn::get::ours::selection::{Finish, hard_routes};
use crate::learn::get::ours::shrinkage::answers;
use crate::learn::get::paper::hard_tree::{TargetScale, skeleton, with_answers};
use crate::learn::get::paper::multistart::SearchPlan;
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::learn::get::paper::start::Start;
use crate::learn::get::settings::{Config, MOST_TAUGHT, MOST_TAUGHT_FEATURES};
use crate::numeric::random::Random;
use crate::tree::Tree;

/// About how many products of a number and a weight a step may take: a few milliseconds.
const STEP_WORK: usize = 10_000_000;

/// What all parts of a training share.
pub struct Context {
    /// The hyper-parameters.
    pub config: Config,
    /// How descents on the training samples are made.
    pub plan: Arc<SearchPlan>,
    /// The seed of everything random.
    pub seed: u64,
    /// What leaves answer with.
    pub answer: Answer,
    /// The training samples in a random order.
    pub blocks: Arc<Blocks<f32>>,
    /// The validation samples; none if there are none or none are wanted.
    pub valid: Option<Blocks<f32>>,
    scale: TargetScale,
    train: Arc<Design>,
}

impl Context {
    /// The configuration has been checked against `train`; `valid` may have no sample. The columns `apart`
    /// are only asked about alone.
    pub fn new(config: Config, apart: &[usize], train: Arc<Design>, valid: &Design, seed: u64) -> Self {
        let answer = config.answer(&train.y);
        let scale = TargetScale::of(&train.y);
        let order = Random::stream(seed, "rows").permutation(train.samples());
        let pack = |design: &Design, order: &[usize]| {
            let rows = order.iter().map(|&i| (design.row(i), scale.truth(&design.y, i)));
            Blocks::pack(design.features(), rows).with_apart(apart)
        };
        let blocks = Arc::new(pack(&train, &order));
        let in_order: Vec<usize> = (0..valid.samples()).collect();
        let valid = (valid.samples() > 0 && config.refines()).then(|| pack(valid, &in_order));
        let plan = Arc::new(config.plan(train.samples()));
        Context { config, plan, seed, answer, blocks, valid, scale, train }
    }

    /// Levels of the tree that is searched for.
    pub fn depth(&self) -> usize {
        self.config.depth as usize
    }

    /// How leaves are made until validation has decided.
    pub fn finish(&self) -> Finish {
        let lambda = match (self.config.refines(), self.answer) {
            (true, Answer::Linear) => 1.0,
            (true, _) => 3.0,
            (false, _) => 0.0,
        };
        Finish { lambda, kept: self.depth() }
    }

    /// Blocks that a step may pass over.
    pub fn blocks_per_step(&self) -> usize {
        let per_block = (BLOCK * self.blocks.width() * 2) << self.config.depth;
        (STEP_WORK / per_block).max(1)
    }

    /// A start of a plan on some samples.
    pub fn start(&self, plan: &Arc<SearchPlan>, blocks: &Arc<Blocks<f32>>, depth: usize, index: usize) -> Start {
        Start::new(plan.clone(), blocks.clone(), depth, self.answer, &[], index, self.seed)
    }

    /// Training and validation samples together.
    pub fn all_samples(&self) -> Blocks<f32> {
        let Some(valid) = &self.valid else { return (*self.blocks).clone() };
        self.blocks.joined(valid, Random::stream(self.seed, "all rows"))
    }

    /// A hard tree from planes: leaves are fitted to some samples on the routes of the tree itself, and what
    /// no training sample reaches is cut.
    pub fn hardened(&self, blocks: &Blocks<f32>, tree: &Parameters<f32>, finish: Finish) -> Tree {
        let kept = finish.kept.min(tree.depth);
        let (hard, route) = self.answering(blocks, tree, Finish { kept, ..finish }, self.scale);
        let reached = if std::ptr::eq(blocks, &*self.blocks) {
            // Where these are the training samples, it is known already how many come to each leaf.
            let mut arrivals = vec![0; hard.size()];
            route.iter().for_each(|&leaf| arrivals[tree.nodes() + leaf as usize] += 1);
            hard.sum_upwards(&mut arrivals);
            hard.without_unreached_traced(&arrivals).0
        } else {
            hard.without_empty_branches(self.train.rows())
        };
        reached.without_idle_splits()
    }

    /// Whether a tree is distilled: where validation can judge it, and samples and features are not too many.
    pub fn teaches(&self) -> bool {
        let few = self.blocks.samples() <= MOST_TAUGHT && self.blocks.features() <= MOST_TAUGHT_FEATURES;
        few && self.valid.is_some() && self.config.teaches()
    }

    /// A tree that answers in scaled units.
    pub fn teacher(&self, blocks: &Blocks<f32>, tree: &Parameters<f32>, finish: Finish) -> Tree {
        self.answering(blocks, tree, finish, TargetScale::NONE).0
    }

    /// A complete tree with its answers, and the leaf of each sample.
    fn answering(
        &self,
        blocks: &Blocks<f32>,
        tree: &Parameters<f32>,
        finish: Finish,
        scale: TargetScale,
    ) -> (Tree, Vec<u32>) {
        let splits = skeleton(tree, blocks.features());
        let route = hard_routes(&splits, blocks);
        let answers = answers(blocks, &route, tree.depth, self.answer, finish.lambda);
        (with_answers(&splits, &answers.nodes, finish.kept, tree.depth, self.answer, scale), route)
    }

    /// The answer that asks nothing, until there is a tree.
    pub fn root(&self) -> Tree {
        self.hardened(&self.blocks, &Parameters::zeros(0, self.blocks.width(), self.answer), self.finish())
    }
}

impl Pace {
    /// An epoch of a descent has ended with this soft and hard loss.
    pub(in crate::learn::get) fn tell_epoch(&mut self, epoch: usize, [soft, hard]: [f64; 2]) {
        self.epoch = epoch as u32;
        self.epoch_ended = true;
        self.train_loss = soft.is_finite().then_some(soft);
        self.hard_loss = hard.is_finite().then_some(hard);
    }
}
