//! The samples of a training with the plan of its search, and the way from planes to the finished tree.

use std::sync::Arc;

use crate::encode::Design;
use crate::learn::get::kernel::blocks::{BLOCK, Blocks};
use crate::learn::get::paper::hard_leaves::{Refit, answers};
use crate::learn::get::paper::hard_tree::{TargetScale, skeleton, skeleton_routes, with_answers};
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::learn::get::paper::search_plan::SearchPlan;
use crate::learn::get::paper::start::StartRun;
use crate::learn::get::settings::Config;
use crate::numeric::random::Random;
use crate::tree::Tree;

/// About how many products of a number and a weight a step may take: a few milliseconds.
const STEP_WORK: usize = 10_000_000;

/// The samples of a training with the plan of its search.
pub struct TrainingSet {
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
    /// How the target is scaled.
    pub scale: TargetScale,
    train: Arc<Design>,
}

impl TrainingSet {
    /// The configuration has been checked against `train`. The columns `apart` are only asked about alone.
    pub fn new(config: Config, plan: SearchPlan, apart: &[usize], train: Arc<Design>, seed: u64) -> Self {
        let answer = config.answer(&train.y);
        let scale = TargetScale::of(&train.y);
        let order = Random::stream(seed, "rows").permutation(train.samples());
        let blocks = Arc::new(pack(&train, &order, apart, scale));
        TrainingSet { config, plan: Arc::new(plan), seed, answer, blocks, scale, train }
    }

    /// Other samples in the same form, in their order.
    pub fn packed(&self, design: &Design, apart: &[usize]) -> Blocks<f32> {
        pack(design, &(0..design.samples()).collect::<Vec<_>>(), apart, self.scale)
    }

    /// Levels of the tree that is searched for.
    pub fn depth(&self) -> usize {
        self.config.depth as usize
    }

    /// Blocks that a step may pass over.
    pub fn blocks_per_step(&self) -> usize {
        let per_block = (BLOCK * self.blocks.width() * 2) << self.config.depth;
        (STEP_WORK / per_block).max(1)
    }

    /// A start of a plan on some samples.
    pub fn start(
        &self,
        plan: &Arc<SearchPlan>,
        blocks: &Arc<Blocks<f32>>,
        depth: usize,
        index: usize,
    ) -> StartRun {
        StartRun::new(plan.clone(), blocks.clone(), depth, self.answer, &[], index, self.seed)
    }

    /// The finished tree of some planes: every leaf has the best answer for the training samples that reach
    /// it (Algorithm 1, line 6).
    pub fn hard_tree(&self, tree: &Parameters<f32>) -> Tree {
        let splits = skeleton(tree, self.blocks.features());
        let route = skeleton_routes(&splits, &self.blocks);
        let answers = answers(&self.blocks, &route, tree.nodes() + 1, self.answer, &Refit::PLAIN);
        self.reached(&with_answers(&splits, |leaf| &answers[leaf], self.answer, self.scale), Some(&route))
    }

    /// A complete tree without what no training sample reaches. `route` has the leaf of each, where it is
    /// known.
    pub fn reached(&self, tree: &Tree, route: Option<&[u32]>) -> Tree {
        let reached = match route {
            Some(route) => {
                let mut arrivals = vec![0; tree.size()];
                route.iter().for_each(|&leaf| arrivals[tree.size() / 2 + leaf as usize] += 1);
                tree.sum_upwards(&mut arrivals);
                tree.without_unreached_traced(&arrivals).0
            }
            None => tree.without_empty_branches(self.train.rows()),
        };
        reached.without_idle_splits()
    }

    /// The answer that asks nothing, until there is a tree.
    pub fn root(&self) -> Tree {
        self.hard_tree(&Parameters::zeros(0, self.blocks.width(), self.answer))
    }
}

fn pack(design: &Design, order: &[usize], apart: &[usize], scale: TargetScale) -> Blocks<f32> {
    let rows = order.iter().map(|&i| (design.row(i), scale.truth(&design.y, i)));
    Blocks::pack(design.features(), rows).with_apart(apart)
}
