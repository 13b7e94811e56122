//! One descent: a tree is moved by the gradient of its soft loss, and the best hard tree seen on the way is kept.

use std::sync::Arc;

use super::blocks::Blocks;
use super::hard::{Refit, refit, routes, set_costs};
use super::optim::{AdamW, one_cycle};
use super::parameters::{Answer, Parameters};
use super::soft::{Sums, Workspace};
use crate::numeric::random::Random;

/// How a descent is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recipe {
    /// Passes over the samples, at most.
    pub epochs: usize,
    /// Blocks per step; at least as many as there are means all samples at once.
    pub batch: usize,
    /// Greatest learning rate.
    pub rate: f64,
    /// Weight decay.
    pub decay: f64,
    /// Strength of the L1 penalty on plane weights.
    pub l1: f64,
    /// Whether leaves take their best value for the present shares, instead of following their gradient. Classes always do.
    pub closed_leaves: bool,
    /// Epochs between hard checks.
    pub check: usize,
    /// Epochs without a better hard tree after which the descent ends; 0 for never.
    pub patience: usize,
    /// Reach below which a branch is passed over for a block.
    pub negligible: f32,
    /// How leaves are refitted in hard checks.
    pub refit: Refit,
}

/// A descent of one tree.
pub struct Run {
    recipe: Recipe,
    blocks: Arc<Blocks<f32>>,
    /// Scale factor at the first and the last epoch.
    alpha: [f64; 2],
    tree: Parameters<f32>,
    /// 0 where a number must not move; empty if all may.
    free: Arc<Vec<f32>>,
    workspace: Workspace<f32>,
    sums: Sums<f32>,
    /// Sums of leaves over about the last epoch, for closed leaves.
    memory: Vec<f32>,
    optimisers: [AdamW<f32>; 2],
    random: Random,
    /// Blocks in this epoch's order, and how many were used.
    order: Vec<usize>,
    used: usize,
    steps: usize,
    epoch: usize,
    /// Hard leaf of each sample, as the blocks of this epoch found it; only whole with one step per epoch.
    route: Vec<u32>,
    /// Sum of soft losses of this epoch, and of weights.
    soft: [f64; 2],
    /// Soft and hard loss of the last epoch checked.
    losses: [f64; 2],
    best: Best,
    /// Room for the leaves of a hard check.
    aside: Vec<f32>,
    idle: usize,
    /// Whether it has ended before its last epoch: on a plateau, or because the numbers were left.
    ended: bool,
}

/// The best hard tree seen.
#[derive(Debug, Clone)]
pub struct Best {
    /// Its mean hard loss.
    pub loss: f64,
    /// Its planes with refitted leaves.
    pub tree: Parameters<f32>,
    /// Epochs of descent that led to it.
    pub epochs: u32,
}

impl Run {
    /// Begins at a tree, whose leaves are those of the soft pass, with scale factors at the first and the last epoch.
    pub fn new(
        recipe: Recipe,
        blocks: Arc<Blocks<f32>>,
        start: Parameters<f32>,
        free: Arc<Vec<f32>>,
        alpha: [f64; 2],
        random: Random,
    ) -> Run {
        let mut first = start.clone();
        let loss = refit(&mut first, &blocks, &routes(&start, &blocks), &recipe.refit);
        Run::after_check(recipe, blocks, start, Best { loss, tree: first, epochs: 0 }, free, alpha, random)
    }

    /// The same where the tree with refitted leaves is known.
    pub fn after_check(
        recipe: Recipe,
        blocks: Arc<Blocks<f32>>,
        start: Parameters<f32>,
        best: Best,
        free: Arc<Vec<f32>>,
        alpha: [f64; 2],
        random: Random,
    ) -> Run {
        let sums = Sums::new(&start);
        Run {
            workspace: Workspace::new(&start),
            memory: vec![0.0; sums.leaves.len()],
            sums,
            optimisers: [AdamW::new(start.planes.len(), recipe.decay), AdamW::new(start.leaves.len(), recipe.decay)],
            order: (0..blocks.count()).collect(),
            used: 0,
            steps: 0,
            epoch: 0,
            route: vec![0; blocks.samples()],
            soft: [0.0; 2],
            losses: [f64::NAN, best.loss],
            aside: best.tree.leaves.clone(),
            best,
            idle: 0,
            ended: false,
            recipe,
            blocks,
            alpha,
            tree: start,
            free,
            random,
        }
    }

    /// The best hard tree so far.
    pub fn best(&self) -> &Best {
        &self.best
    }

    /// The best hard tree of a descent that has ended.
    pub fn into_best(self) -> Best {
        self.best
    }

    /// The tree as it is now, with refitted leaves; none if it has left the numbers.
    pub fn last(&self) -> Option<Best> {
        let mut tree = self.tree.is_finite().then(|| self.tree.clone())?;
        let route = routes(&tree, &self.blocks);
        let loss = refit(&mut tree, &self.blocks, &route, &self.recipe.refit);
        Some(Best { loss, tree, epochs: self.epoch as u32 })
    }

    /// The tree as it is now, with the leaves of the soft pass.
    pub fn tree(&self) -> &Parameters<f32> {
        &self.tree
    }

    /// Soft and hard loss where they were last measured.
    pub fn losses(&self) -> [f64; 2] {
        self.losses
    }

    /// Epochs ended.
    pub fn epoch(&self) -> usize {
        self.epoch
    }

    /// The scale factor of this epoch.
    pub fn steepness(&self) -> f64 {
        let share = self.epoch as f64 / self.recipe.epochs as f64;
        let [first, last] = self.alpha;
        first * libm::pow(last / first, share)
    }

    /// Whether there is no epoch to come.
    fn is_over(&self) -> bool {
        self.ended || self.epoch >= self.recipe.epochs
    }

    /// Share of the epochs that are behind.
    pub fn share(&self) -> f64 {
        if self.ended {
            return 1.0;
        }
        (self.epoch as f64 + self.used as f64 / self.order.len() as f64) / self.recipe.epochs as f64
    }

    fn batches(&self) -> usize {
        self.order.len().div_ceil(self.recipe.batch)
    }

    /// Whether an epoch is one step: then each epoch's scores say where its samples go.
    fn whole(&self) -> bool {
        self.recipe.batch >= self.order.len()
    }

    /// Passes over at most `blocks` blocks, and moves the tree at the end of a batch. Returns whether the descent goes on.
    pub fn advance(&mut self, blocks: usize) -> bool {
        if self.is_over() {
            return false;
        }
        if self.used == 0 && !self.whole() {
            self.random.shuffle(&mut self.order);
        }
        let batch_end = ((self.used / self.recipe.batch + 1) * self.recipe.batch).min(self.order.len());
        let end = (self.used + blocks).min(batch_end);
        let alpha = self.steepness() as f32;
        for at in self.used..end {
            let block = self.order[at];
            let samples = self.blocks.block(block);
            self.workspace.pass(&self.tree, alpha, self.recipe.negligible, samples, &mut self.sums);
            let from = block * super::blocks::BLOCK;
            for (route, &leaf) in self.route[from..].iter_mut().zip(&self.workspace.route) {
                *route = leaf as u32;
            }
        }
        self.used = end;
        if end < batch_end {
            return true;
        }
        let ended = end == self.order.len();
        if ended && self.whole() && (self.epoch.is_multiple_of(self.recipe.check)) {
            // The scores just computed are those of the tree before it moves.
            let route = std::mem::take(&mut self.route);
            self.check(&route);
            self.route = route;
        }
        self.update();
        if ended {
            self.end_epoch();
        }
        !self.is_over()
    }

    fn update(&mut self) {
        self.soft[0] += self.sums.loss;
        self.soft[1] += self.sums.weight;
        let closed = self.recipe.closed_leaves && self.tree.answer == Answer::Constant;
        let classes = matches!(self.tree.answer, Answer::Classes(_));
        if closed || classes {
            self.close_leaves();
        }
        let loss = self.sums.into_gradient(&self.tree, self.blocks.features(), self.recipe.l1);
        let total = self.recipe.epochs * self.batches();
        let rate = one_cycle(self.steps, total, self.recipe.rate);
        if loss.is_finite() {
            for (d, free) in self.sums.planes.iter_mut().zip(self.free.iter()) {
                *d *= free;
            }
            self.optimisers[0].step(&mut self.tree.planes, &self.sums.planes, rate);
            if self.tree.answer == Answer::Linear && !self.free.is_empty() {
                for d in self.sums.leaves.chunks_exact_mut(self.tree.width) {
                    let slopes = d.iter_mut().zip(self.blocks.summable());
                    slopes.filter(|(_, summable)| !**summable).for_each(|(d, _)| *d = 0.0);
                }
            }
            if !(closed || classes) {
                let leaves = self.tree.leaves.len();
                self.optimisers[1].step(&mut self.tree.leaves, &self.sums.leaves[..leaves], rate);
            }
        }
        self.steps += 1;
        self.sums.clear();
    }

    /// Leaves take the best value for the shares of about the last epoch's samples: the weighted mean, or the class shares.
    fn close_leaves(&mut self) {
        let keep = (1.0 - self.sums.weight / self.blocks.total()).max(0.0) as f32;
        for (memory, sum) in self.memory.iter_mut().zip(&self.sums.leaves) {
            *memory = keep * *memory + sum;
        }
        match self.tree.answer {
            Answer::Constant => {
                for (h, sums) in self.tree.leaves.iter_mut().zip(self.memory.chunks_exact(2)) {
                    if sums[0] > 1e-6 {
                        *h = sums[1] / sums[0];
                    }
                }
            }
            Answer::Classes(classes) => {
                let mut all = vec![0.0; classes];
                let mass: Vec<f64> = self.memory.iter().map(|&mass| f64::from(mass)).collect();
                for mass in mass.chunks_exact(classes) {
                    all.iter_mut().zip(mass).for_each(|(all, mass)| *all += mass);
                }
                let total: f64 = all.iter().sum();
                for (cost, mass) in self.tree.leaves.chunks_exact_mut(classes).zip(mass.chunks_exact(classes)) {
                    set_costs(cost, mass, &all, total, self.recipe.refit.prior);
                }
            }
            Answer::Linear => unreachable!("linear leaves follow their gradient"),
        }
    }

    fn end_epoch(&mut self) {
        let soft = self.soft[0] / self.soft[1].max(f64::MIN_POSITIVE);
        self.soft = [0.0; 2];
        self.losses[0] = soft;
        self.used = 0;
        self.epoch += 1;
        if !soft.is_finite() || !self.tree.is_finite() {
            // What was best before the numbers were left stays.
            self.ended = true;
            return;
        }
        let last = self.epoch == self.recipe.epochs;
        if !self.whole() && (last || self.epoch.is_multiple_of(self.recipe.check)) {
            let route = routes(&self.tree, &self.blocks);
            self.check(&route);
        }
        if self.recipe.patience > 0 && self.idle >= self.recipe.patience {
            self.ended = true;
        }
    }

    /// The hard check: refits leaves on hard routes, and keeps the tree if it is strictly better than all before.
    fn check(&mut self, route: &[u32]) {
        // The leaves of the soft pass stand aside meanwhile; planes are copied only where they are kept.
        std::mem::swap(&mut self.tree.leaves, &mut self.aside);
        let loss = refit(&mut self.tree, &self.blocks, route, &self.recipe.refit);
        self.losses[1] = loss;
        if loss < self.best.loss {
            // A plateau is left only by more than a thousandth.
            if loss < 0.999 * self.best.loss {
                self.idle = 0;
            }
            self.best.loss = loss;
            self.best.epochs = self.epoch as u32;
            self.best.tree.planes.copy_from_slice(&self.tree.planes);
            self.best.tree.leaves.copy_from_slice(&self.tree.leaves);
        } else {
            self.idle += self.recipe.check;
        }
        std::mem::swap(&mut self.tree.leaves, &mut self.aside);
    }
}
