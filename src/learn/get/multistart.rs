//! Several descents of one tree over the same samples, each in two runs; the best hard tree of all is the result.

use std::sync::Arc;

use super::blocks::Blocks;
use super::hard::{by_leaf, refit, routes};
use super::parameters::{Answer, Parameters};
use super::run::{Best, Recipe, Run};
use super::sloped::Sloped;
use super::warm::{self, Draw};
use crate::learn::{Training, cart};
use crate::numeric::random::Random;

/// How often and from where descents begin.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// How each descent is made.
    pub recipe: Recipe,
    /// Descents in all, warm ones too.
    pub starts: usize,
    /// Whether the second start is the greedy oblique tree.
    pub sloped: bool,
    /// The most columns in a split; 0 for all.
    pub columns: usize,
    /// How random planes are drawn.
    pub draw: Draw,
    /// Ranges of the two scale factors.
    pub scales: [[f64; 2]; 2],
    /// One run in which the scale factor grows from the first to the second, instead of one run at each.
    pub anneal: bool,
    /// A start whose first run ends with a loss more than this share above the best so far is dropped; infinite to keep all.
    pub drop: f64,
}

impl Plan {
    /// Epochs of all starts together, at most.
    pub fn epochs(&self) -> usize {
        self.starts * self.recipe.epochs * if self.anneal { 1 } else { 2 }
    }
}

/// A search over starts, to be advanced step by step.
pub struct Multistart {
    plan: Plan,
    blocks: Arc<Blocks<f32>>,
    depth: usize,
    answer: Answer,
    seed: u64,
    /// CART at work, for the first start.
    greedy: Option<cart::Growth>,
    /// The oblique greedy tree at work, for the second.
    sloped: Option<Sloped>,
    /// Trees to begin with, after the greedy ones.
    warm: Vec<Parameters<f32>>,
    start: usize,
    /// 0 in the first run of a start, 1 in the second.
    scale: usize,
    alphas: [f64; 2],
    run: Option<Run>,
    best: Option<Best>,
    /// The start that `best` is from.
    winner: usize,
    /// The best tree of every start that has ended.
    found: Vec<Best>,
}

impl Multistart {
    /// Begins a search for a tree of a depth. `warm` are trees to begin with, after CART's own.
    pub fn new(
        plan: Plan,
        blocks: Arc<Blocks<f32>>,
        depth: usize,
        answer: Answer,
        warm: Vec<Parameters<f32>>,
        seed: u64,
    ) -> Self {
        let greedy = Some(warm::greedy(&blocks, depth, answer));
        let ridge = plan.recipe.refit.ridge;
        let sloped = plan.sloped.then(|| Sloped::new(blocks.clone(), depth, answer, ridge, plan.columns));
        Multistart {
            plan,
            blocks,
            depth,
            answer,
            seed,
            greedy,
            sloped,
            warm,
            start: 0,
            scale: 0,
            alphas: [0.0; 2],
            run: None,
            best: None,
            winner: 0,
            found: vec![],
        }
    }

    /// The same search reduced to one start, as it would be with others before and after it.
    pub fn only(mut self, start: usize) -> Self {
        self.start = start;
        self.plan.starts = start + 1;
        self
    }

    /// The best hard tree so far; none while CART grows.
    pub fn best(&self) -> Option<&Best> {
        let running = self.run.as_ref().map(Run::best);
        match (running, &self.best) {
            (Some(run), Some(best)) if run.loss < best.loss => Some(run),
            (_, Some(best)) => Some(best),
            (run, None) => run,
        }
    }

    /// The run at work.
    pub fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// This start, from 0.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The best tree of every start that has ended.
    pub fn found(&self) -> &[Best] {
        &self.found
    }

    /// The start that the best tree is from.
    pub fn winner(&self) -> usize {
        self.winner
    }

    /// The run of this start: 0 for the first scale factor, 1 for the second.
    pub fn scale(&self) -> usize {
        self.scale
    }

    /// Share of the work that is surely done.
    pub fn share(&self) -> f64 {
        let within = self.run.as_ref().map_or(0.0, Run::share);
        let within = if self.plan.anneal { within } else { (self.scale as f64 + within) / 2.0 };
        ((self.start as f64 + within) / self.plan.starts as f64).min(1.0)
    }

    /// A node of CART's tree, or a pass over at most so many blocks. Returns whether there is more to do.
    pub fn advance(&mut self, blocks: usize) -> bool {
        if let Some(greedy) = &mut self.greedy {
            if greedy.step().stop.is_some() {
                let tree = warm::planes(&greedy.best(), self.depth, &self.blocks, self.answer);
                self.warm.insert(0, tree);
                self.greedy = None;
                if self.sloped.is_none() {
                    self.begin_start();
                }
            }
            return true;
        }
        if let Some(sloped) = &mut self.sloped {
            if !sloped.step() {
                let mut tree = sloped.tree().clone();
                let route = routes(&tree, &self.blocks);
                refit(&mut tree, &self.blocks, &route, &self.plan.recipe.refit);
                self.warm.insert(1, tree);
                self.sloped = None;
                self.begin_start();
            }
            return true;
        }
        let goes_on = self.run.as_mut().is_some_and(|run| run.advance(blocks));
        goes_on || self.end_run()
    }

    fn begin_start(&mut self) {
        let mut random = Random::stream(self.seed, &format!("start {}", self.start));
        self.alphas = self.plan.scales.map(|[low, high]| random.uniform_in(low, high));
        let tree = if self.start < self.warm.len() {
            self.warm[self.start].clone()
        } else {
            let (draw, columns) = (self.plan.draw, self.plan.columns);
            warm::random(self.depth, &self.blocks, self.answer, draw, columns, &mut random)
        };
        self.scale = 0;
        let alpha = if self.plan.anneal { self.alphas } else { [self.alphas[0]; 2] };
        self.run = Some(self.descent(tree, alpha, random));
    }

    fn descent(&self, tree: Parameters<f32>, alpha: [f64; 2], random: Random) -> Run {
        let free = Arc::new(free_numbers(&tree, self.blocks.summable(), self.plan.columns > 0));
        let mut blocks = self.blocks.clone();
        if self.plan.recipe.batch >= blocks.count() {
            // With all samples in each step their order is free. Side by side with those of the same leaf, a block reaches
            // few nodes of a steep tree, and the others are passed over.
            let (order, _) = by_leaf(&routes(&tree, &blocks), tree.nodes() + 1);
            blocks = Arc::new(blocks.select(&order));
        }
        Run::new(self.plan.recipe, blocks, tree, free, alpha, random)
    }

    /// Closes a run, and begins the next one if there is one.
    fn end_run(&mut self) -> bool {
        let Some(run) = self.run.take() else { return false };
        let found = run.best().clone();
        let least = self.best.as_ref().map_or(f64::INFINITY, |best| best.loss);
        let second = !self.plan.anneal && self.scale == 0 && found.loss <= least * (1.0 + self.plan.drop);
        if found.loss < least {
            self.winner = self.start;
            self.best = Some(found.clone());
        }
        if second {
            self.scale = 1;
            let random = Random::stream(self.seed, &format!("second run {}", self.start));
            self.run = Some(self.descent(found.tree.clone(), [self.alphas[1]; 2], random));
            return true;
        }
        self.found.push(found);
        self.start += 1;
        if self.start < self.plan.starts {
            self.begin_start();
        }
        self.run.is_some()
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
