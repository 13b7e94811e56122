//! One start: the tree it begins at, and the descents from it, one for each scale factor or one in which it grows.
//!
//! A start depends on the plan, the samples, its number and the seed alone, never on what other starts found.

use std::sync::Arc;

use super::blocks::Blocks;
use super::hard::{by_leaf, refit, routes_in_slices};
use super::multistart::Plan;
use super::parameters::{Answer, Parameters};
use super::run::{Best, Run};
use super::sloped::{Growth, Sloped};
use super::warm;
use crate::learn::{Phase, Training, Work, cart};
use crate::numeric::random::Random;
use crate::numeric::slices::{Slice, Task};

/// How often the planes of the second greedy oblique tree are fitted to the sides they made.
const ROUNDS: usize = 2;

/// A start, to be advanced step by step.
pub struct Start {
    plan: Arc<Plan>,
    blocks: Arc<Blocks<f32>>,
    depth: usize,
    answer: Answer,
    index: usize,
    seed: u64,
    stage: Stage,
    /// The run: 0 for the first scale factor.
    scale: usize,
    /// The scale factors of this start.
    alphas: Vec<f64>,
    /// Epochs of descent before the run at work.
    before: u32,
    /// The best tree of the runs that have ended.
    best: Option<Best>,
    /// The tree that the last run ended with, if the plan wants it.
    ended: Option<Best>,
    /// The epoch that the last step ended, if it did, with its soft and hard loss.
    epoch: Option<(usize, [f64; 2])>,
}

enum Stage {
    /// CART's tree grows.
    Greedy(Box<cart::Growth>),
    /// The greedy oblique tree grows.
    Sloped(Box<Sloped>),
    /// The tree to begin at is given, or drawn at random (none).
    Ready(Option<Parameters<f32>>),
    /// The leaves of a tree that has grown are fitted.
    Fitted(Task<Parameters<f32>>),
    /// The samples are put in order for a descent from this tree.
    Begun(Parameters<f32>, Task<Run>),
    Descent(Box<Run>),
    Ended,
}

impl Start {
    /// Start `index`: the first begins at CART's tree, the next at the greedy oblique ones that the plan has, then follow the trees
    /// that are given (`warm`), then random ones.
    pub fn new(
        plan: Arc<Plan>,
        blocks: Arc<Blocks<f32>>,
        depth: usize,
        answer: Answer,
        warm: &[Parameters<f32>],
        index: usize,
        seed: u64,
    ) -> Self {
        let stage = match index {
            0 => Stage::Greedy(Box::new(warm::greedy(&blocks, depth, answer))),
            _ if index < plan.greedy() => {
                let Plan { columns, price, .. } = *plan;
                let rounds = if index == 1 { 0 } else { ROUNDS };
                let how = Growth { ridge: plan.recipe.refit.ridge, columns, price, rounds };
                Stage::Sloped(Box::new(Sloped::new(blocks.clone(), depth, answer, how)))
            }
            _ => Stage::Ready(warm.get(index - plan.greedy()).cloned()),
        };
        let (alphas, best, ended, epoch) = (vec![], None, None, None);
        Start { plan, blocks, depth, answer, index, seed, stage, scale: 0, alphas, before: 0, best, ended, epoch }
    }

    /// Epochs of descent that led to [`Start::best`], over both runs.
    pub fn epochs(&self) -> u32 {
        match (self.run().map(Run::best), &self.best) {
            (Some(run), Some(best)) if run.loss < best.loss => self.before + run.epochs,
            (Some(run), None) => self.before + run.epochs,
            (_, best) => best.as_ref().map_or(0, |best| best.epochs),
        }
    }

    /// What it is doing.
    pub fn phase(&self) -> Phase {
        match &self.stage {
            Stage::Greedy(_) | Stage::Sloped(_) | Stage::Fitted(_) => Work::Greedy.into(),
            Stage::Descent(run) => {
                Phase::from(self.plan.descent(self.index, self.scale)).counted(run.epoch(), self.plan.recipe.epochs)
            }
            Stage::Ready(_) | Stage::Begun(..) | Stage::Ended => self.plan.descent(self.index, self.scale).into(),
        }
    }

    /// The best hard tree so far; none while there is no tree to begin at.
    pub fn best(&self) -> Option<&Best> {
        match (self.run().map(Run::best), &self.best) {
            (Some(run), Some(best)) if run.loss < best.loss => Some(run),
            (_, Some(best)) => Some(best),
            (run, None) => run,
        }
    }

    /// The tree that the last run ended with, if the plan wants it. It fits the training samples less closely than the best one, and new
    /// ones sometimes better: a descent rounds off what a greedy tree made of noise.
    pub fn ended(&self) -> Option<&Best> {
        self.ended.as_ref()
    }

    /// The tree as it stands: the one that grows, or that descends while it has numbers.
    pub fn current(&self) -> Option<Parameters<f32>> {
        match &self.stage {
            Stage::Greedy(greedy) => Some(warm::planes(&greedy.best(), self.depth, &self.blocks, self.answer)),
            Stage::Sloped(sloped) => Some(sloped.tree().clone()),
            Stage::Begun(tree, _) => Some(tree.clone()),
            Stage::Descent(run) if run.tree().is_finite() => Some(run.tree().clone()),
            _ => self.best().map(|best| best.tree.clone()),
        }
    }

    /// The run at work.
    pub fn run(&self) -> Option<&Run> {
        if let Stage::Descent(run) = &self.stage { Some(run) } else { None }
    }

    /// The run of this start: 0 for the first scale factor, 1 for the second, …
    pub fn scale(&self) -> usize {
        self.scale
    }

    /// The epoch that the last step ended, if it did, from 1, with its soft and hard loss.
    pub fn epoch_ended(&self) -> Option<(usize, [f64; 2])> {
        self.epoch
    }

    /// Share of the work that is surely done.
    pub fn share(&self) -> f64 {
        let within = match &self.stage {
            Stage::Descent(run) => run.share(),
            Stage::Ended => return 1.0,
            _ => 0.0,
        };
        (self.scale as f64 + within) / self.plan.runs() as f64
    }

    /// A node of a tree that grows, or a pass over at most so many blocks. Returns whether there is more to do.
    pub fn advance(&mut self, blocks: usize) -> bool {
        self.epoch = None;
        match &mut self.stage {
            Stage::Greedy(greedy) => {
                if greedy.step().stop.is_some() {
                    let tree = warm::planes(&greedy.best(), self.depth, &self.blocks, self.answer);
                    self.begin(Some(tree));
                }
            }
            Stage::Sloped(sloped) => {
                if !sloped.step() {
                    let (mut tree, blocks, plan) = (sloped.tree().clone(), self.blocks.clone(), self.plan.clone());
                    self.stage = Stage::Fitted(Task::new(async move {
                        let route = routes_in_slices(&tree, &blocks, &mut Slice::default()).await;
                        refit(&mut tree, &blocks, &route, &plan.recipe.refit);
                        tree
                    }));
                }
            }
            Stage::Fitted(task) => {
                if let Some(tree) = task.advance() {
                    self.begin(Some(tree));
                }
            }
            Stage::Begun(_, task) => {
                if let Some(run) = task.advance() {
                    self.stage = Stage::Descent(Box::new(run));
                }
            }
            Stage::Ready(tree) => {
                let tree = tree.take();
                self.begin(tree);
            }
            Stage::Descent(run) => {
                let before = run.epoch();
                let goes_on = run.advance(blocks);
                self.epoch = (run.epoch() != before).then(|| (run.epoch(), run.losses()));
                if !goes_on {
                    self.end_run();
                }
            }
            Stage::Ended => {}
        }
        !matches!(self.stage, Stage::Ended)
    }

    fn begin(&mut self, tree: Option<Parameters<f32>>) {
        let mut random = Random::stream(self.seed, &format!("start {}", self.index));
        self.alphas = self.plan.scales.iter().map(|&[low, high]| random.uniform_in(low, high)).collect();
        let (draw, columns) = (self.plan.draw, self.plan.columns);
        let tree =
            tree.unwrap_or_else(|| warm::random(self.depth, &self.blocks, self.answer, draw, columns, &mut random));
        let first = self.alphas[0];
        let last = if self.plan.anneal { *self.alphas.last().unwrap_or(&first) } else { first };
        self.descend(tree, [first, last], random);
    }

    fn descend(&mut self, tree: Parameters<f32>, alpha: [f64; 2], random: Random) {
        let Plan { columns, price, .. } = *self.plan;
        let sparse = columns > 0 || price > 0.0 && (1..self.plan.greedy()).contains(&self.index);
        let free = Arc::new(free_numbers(&tree, self.blocks.summable(), sparse));
        let (from, blocks, recipe) = (tree.clone(), self.blocks.clone(), self.plan.recipe);
        let work = async move {
            let (mut blocks, slice) = (blocks, &mut Slice::default());
            let mut route = routes_in_slices(&tree, &blocks, slice).await;
            if recipe.batch >= blocks.count() {
                // With all samples in each step their order is free. Side by side with those of the same leaf, a block
                // reaches few nodes of a steep tree, and the others are passed over.
                let (order, _) = by_leaf(&route, tree.nodes() + 1);
                blocks = Arc::new(blocks.select_in_slices(&order, slice).await);
                route = order.iter().map(|&i| route[i as usize]).collect();
            }
            let mut first = tree.clone();
            let loss = refit(&mut first, &blocks, &route, &recipe.refit);
            Run::after_check(recipe, blocks, tree, Best { loss, tree: first, epochs: 0 }, free, alpha, random)
        };
        self.stage = Stage::Begun(from, Task::new(work));
    }

    /// Closes a run, and begins the next one, if there is one, at the best tree of this.
    fn end_run(&mut self) {
        let Stage::Descent(run) = std::mem::replace(&mut self.stage, Stage::Ended) else { return };
        let before = self.before;
        let since_start = |best: Best| Best { epochs: before + best.epochs, ..best };
        self.ended = self.plan.ended.then(|| run.last()).flatten().map(since_start);
        let found = since_start(run.into_best());
        let from = found.tree.clone();
        self.before = found.epochs;
        if self.best.as_ref().is_none_or(|best| found.loss < best.loss) {
            self.best = Some(found);
        }
        if self.scale + 1 < self.plan.runs() {
            self.scale += 1;
            let name = if self.scale == 1 { "second run".to_owned() } else { format!("run {}", self.scale + 1) };
            let random = Random::stream(self.seed, &format!("{name} {}", self.index));
            self.descend(from, [self.alphas[self.scale]; 2], random);
        }
    }
}

/// 1 for each number of the planes that may move, else 0; empty if all may. A plane on a feature that is not summable stands
/// alone and stays. Where splits are to be sparse, a weight of 0 stays 0.
pub fn free_numbers(tree: &Parameters<f32>, summable: &[bool], sparse: bool) -> Vec<f32> {
    if !sparse && summable.iter().all(|&summable| summable) {
        return vec![];
    }
    let mut free = vec![0.0; tree.planes.len()];
    for (free, plane) in free.chunks_exact_mut(tree.width).zip(tree.planes.chunks_exact(tree.width)) {
        let alone = plane.iter().zip(summable).any(|(&weight, &summable)| weight != 0.0 && !summable);
        if !alone {
            free[summable.len()] = 1.0;
            for ((free, &summable), &weight) in free.iter_mut().zip(summable).zip(plane) {
                *free = f32::from(u8::from(summable && (!sparse || weight != 0.0)));
            }
        }
    }
    free
}
