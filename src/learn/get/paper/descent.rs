//! One descent at a scale factor: Algorithm 1, lines 4 to 8.
//!
//! Each epoch passes over all blocks of samples for the soft loss and its gradient (line 5), checks the hard
//! tree (line 6) and moves the tree (lines 7 and 8). The work is cut into small pieces: [`Descent::advance`]
//! goes over some blocks or does a part of a hard check, and the order of all arithmetic is the same however
//! it is cut. With all samples in one step, as published, an epoch has one step, and its scores already say
//! where samples go, so the hard check routes nothing again.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::learn::get::kernel::blocks::{BLOCK, Blocks};
use crate::learn::get::paper::closed_leaves::LeafMemory;
pub use crate::learn::get::paper::descent_settings::DescentSettings;
use crate::learn::get::paper::hard_leaves::{refit, refit_in_slices, routes, routes_in_slices};
use crate::learn::get::paper::optimiser::{AdamW, one_cycle};
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::learn::get::paper::scale_factors::scale_factor;
use crate::learn::get::paper::soft_pass::{BatchSums, Workspace};
use crate::numeric::random::Random;
use crate::numeric::slices::{Slice, Task};

/// A descent of one tree.
pub struct Descent {
    settings: DescentSettings,
    blocks: Arc<Blocks<f32>>,
    /// Scale factor at the first and the last epoch.
    alpha: [f64; 2],
    tree: Parameters<f32>,
    /// 0 where a number must not move; empty if all may.
    free: Arc<Vec<f32>>,
    workspace: Workspace<f32>,
    sums: BatchSums<f32>,
    /// For closed leaves.
    memory: LeafMemory,
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
    /// The hard check at the end of an epoch, while it is made, and what follows it.
    checking: Option<(Task<Checked>, After)>,
    idle: usize,
    /// Whether it has ended before its last epoch: on a plateau, or because the numbers were left.
    ended: bool,
}

/// The tree with leaves refitted on hard routes, its loss, and the routes.
type Checked = (Parameters<f32>, f64, Vec<u32>);

/// What follows a hard check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    /// The tree moves, and the epoch ends.
    Update,
    /// The epoch has ended.
    Nothing,
}

/// The best hard tree seen.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Best {
    /// Its mean hard loss.
    pub loss: f64,
    /// Its planes with refitted leaves.
    pub tree: Parameters<f32>,
    /// Epochs of descent that led to it.
    pub epochs: u32,
}

impl Descent {
    /// Begins at a tree, whose leaves are those of the soft pass, with scale factors at the first and the
    /// last epoch.
    pub fn new(
        settings: DescentSettings,
        blocks: Arc<Blocks<f32>>,
        start: Parameters<f32>,
        free: Arc<Vec<f32>>,
        alpha: [f64; 2],
        random: Random,
    ) -> Descent {
        let mut first = start.clone();
        let loss = refit(&mut first, &blocks, &routes(&start, &blocks), &settings.refit);
        Descent::after_check(
            settings,
            blocks,
            start,
            Best { loss, tree: first, epochs: 0 },
            free,
            alpha,
            random,
        )
    }

    /// The same where the tree with refitted leaves is known.
    pub fn after_check(
        settings: DescentSettings,
        blocks: Arc<Blocks<f32>>,
        start: Parameters<f32>,
        best: Best,
        free: Arc<Vec<f32>>,
        alpha: [f64; 2],
        random: Random,
    ) -> Descent {
        let sums = BatchSums::new(&start);
        Descent {
            workspace: Workspace::new(&start),
            memory: LeafMemory::new(&sums),
            sums,
            optimisers: [
                AdamW::new(start.planes.len(), settings.decay),
                AdamW::new(start.leaves.len(), settings.decay),
            ],
            order: (0..blocks.count()).collect(),
            used: 0,
            steps: 0,
            epoch: 0,
            route: vec![0; blocks.samples()],
            soft: [0.0; 2],
            losses: [f64::NAN, best.loss],
            best,
            checking: None,
            idle: 0,
            ended: false,
            settings,
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
    pub fn last(&self) -> impl Future<Output = Option<Best>> + Send + 'static {
        let (tree, blocks) = (self.tree.clone(), self.blocks.clone());
        let (how, epochs) = (self.settings.refit, self.epoch as u32);
        async move {
            let mut tree = tree.is_finite().then_some(tree)?;
            let slice = &mut Slice::long();
            let route = routes_in_slices(&tree, &blocks, slice).await;
            let loss = refit_in_slices(&mut tree, &blocks, &route, &how, slice).await;
            Some(Best { loss, tree, epochs })
        }
    }

    /// The tree as it is now, with the leaves of the soft pass.
    pub fn tree(&self) -> &Parameters<f32> {
        &self.tree
    }

    /// Soft and hard loss where they were last measured.
    pub fn losses(&self) -> [f64; 2] {
        self.losses
    }

    /// Epochs ended, their checks included.
    pub fn epoch(&self) -> usize {
        self.epoch - usize::from(matches!(self.checking, Some((_, After::Nothing))))
    }

    /// The scale factor of this epoch.
    pub fn steepness(&self) -> f64 {
        let share = self.epoch as f64 / self.settings.epochs as f64;
        scale_factor(self.alpha, share)
    }

    /// Whether there is no epoch to come.
    fn is_over(&self) -> bool {
        self.checking.is_none() && (self.ended || self.epoch >= self.settings.epochs)
    }

    /// Share of the epochs that are behind.
    pub fn share(&self) -> f64 {
        if self.ended {
            return 1.0;
        }
        (self.epoch as f64 + self.used as f64 / self.order.len() as f64) / self.settings.epochs as f64
    }

    fn batches(&self) -> usize {
        self.order.len().div_ceil(self.settings.batch)
    }

    /// Whether an epoch is one step: then each epoch's scores say where its samples go.
    fn whole(&self) -> bool {
        self.settings.batch >= self.order.len()
    }

    /// Lines 4 to 8, piece by piece: passes over at most `blocks` blocks, moves the tree at the end of a
    /// batch, or does a part of a hard check. Returns whether the descent goes on.
    pub fn advance(&mut self, blocks: usize) -> bool {
        if let Some((task, after)) = &mut self.checking {
            let (checked, after) = (task.advance(), *after);
            if let Some(checked) = checked {
                self.checking = None;
                self.take(checked, after);
            }
            return !self.is_over();
        }
        if self.is_over() {
            return false;
        }
        if self.used == 0 && !self.whole() {
            self.random.shuffle(&mut self.order);
        }
        let batch_end = ((self.used / self.settings.batch + 1) * self.settings.batch).min(self.order.len());
        let end = (self.used + blocks).min(batch_end);
        // Line 5: soft loss and gradient at the tree as it is.
        let alpha = self.steepness() as f32;
        for at in self.used..end {
            let block = self.order[at];
            let samples = self.blocks.block(block);
            self.workspace.pass(&self.tree, alpha, self.settings.negligible, samples, &mut self.sums);
            let from = block * BLOCK;
            for (route, &leaf) in self.route[from..].iter_mut().zip(&self.workspace.route) {
                *route = leaf as u32;
            }
        }
        self.used = end;
        if end < batch_end {
            return true;
        }
        let ended = end == self.order.len();
        if ended && self.whole() && (self.epoch.is_multiple_of(self.settings.check)) {
            // Line 6. The scores just computed are those of the tree before it moves.
            let route = std::mem::take(&mut self.route);
            self.check(Some(route), After::Update);
            return !self.is_over();
        }
        self.update();
        if ended {
            self.end_epoch();
        }
        !self.is_over()
    }

    /// Lines 7 and 8: a step of AdamW for planes and for leaves, at the learning rate of this step.
    fn update(&mut self) {
        self.soft[0] += self.sums.loss;
        self.soft[1] += self.sums.weight;
        let closed = self.settings.closed_leaves && self.tree.answer == Answer::Constant;
        let classes = matches!(self.tree.answer, Answer::Classes(_));
        if closed || classes {
            let prior = self.settings.refit.prior;
            self.memory.close(&mut self.tree, &self.sums, self.blocks.total(), prior);
        }
        let loss = self.sums.into_gradient(&self.tree, self.blocks.features(), self.settings.l1);
        let total = self.settings.epochs * self.batches();
        let rate = one_cycle(self.steps, total, self.settings.rate);
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

    /// Line 4: the next epoch, or the end. With several batches per epoch the hard check of line 6 comes
    /// here.
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
        let last = self.epoch == self.settings.epochs;
        if !self.whole() && (last || self.epoch.is_multiple_of(self.settings.check)) {
            return self.check(None, After::Nothing);
        }
        self.end_if_idle();
    }

    /// Ends on a plateau, where there is patience only for so many epochs; never as published.
    fn end_if_idle(&mut self) {
        if self.settings.patience > 0 && self.idle >= self.settings.patience {
            self.ended = true;
        }
    }

    /// Line 6: begins a hard check and does its first piece: leaves are refitted on hard routes, which are
    /// computed if they are not known. Constant leaves and class shares of a table of usual size take just
    /// one piece.
    fn check(&mut self, route: Option<Vec<u32>>, after: After) {
        let (mut tree, blocks, how) = (self.tree.clone(), self.blocks.clone(), self.settings.refit);
        let mut task = Task::new(async move {
            let slice = &mut Slice::long();
            let route = match route {
                Some(route) => route,
                None => routes_in_slices(&tree, &blocks, slice).await,
            };
            let loss = refit_in_slices(&mut tree, &blocks, &route, &how, slice).await;
            (tree, loss, route)
        });
        match task.advance() {
            Some(checked) => self.take(checked, after),
            None => self.checking = Some((task, after)),
        }
    }

    /// Line 6, the end: keeps a tree with refitted leaves if it is strictly better than all before, and goes
    /// on.
    fn take(&mut self, (tree, loss, route): Checked, after: After) {
        self.losses[1] = loss;
        if loss < self.best.loss {
            // A plateau is left only by more than a thousandth.
            if loss < 0.999 * self.best.loss {
                self.idle = 0;
            }
            self.best = Best { loss, tree, epochs: self.epoch as u32 };
        } else {
            self.idle += self.settings.check;
        }
        match after {
            After::Update => {
                self.route = route;
                self.update();
                self.end_epoch();
            }
            After::Nothing => self.end_if_idle(),
        }
    }
}
