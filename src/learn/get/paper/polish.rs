//! Subtree polish: Algorithm 2. Each subtree is searched for anew on the samples that reach it.
//!
//! The expected loss of a soft tree adds up errors of approximation along each path. A search below one node
//! sees shorter paths and only its own samples, and is accepted only if the whole hard tree is better with
//! it.

use std::sync::Arc;

use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::paper::descent::Best;
use crate::learn::get::paper::hard_leaves::{Refit, refit, routes};
use crate::learn::get::paper::multistart::Multistart;
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::learn::get::paper::search_plan::SearchPlan;

/// A polish over the nodes of a tree in pre-order, to be advanced step by step.
pub struct Polish {
    plan: SearchPlan,
    blocks: Arc<Blocks<f32>>,
    /// B.
    best: Best,
    /// Subtrees that were replaced.
    replaced: u32,
    /// Nodes whose turn has not come; the next one last.
    waiting: Vec<usize>,
    node: usize,
    search: Option<Multistart>,
    seed: u64,
    refit: Refit,
    /// Nodes that are done, of all.
    done: usize,
    total: usize,
}

impl Polish {
    /// Begins at the best tree of a search. Nodes down to `levels` levels are visited, the root being at the
    /// first.
    pub fn new(plan: SearchPlan, blocks: Arc<Blocks<f32>>, best: Best, levels: usize, seed: u64) -> Self {
        let refit = plan.descent.refit;
        let total = (1 << levels.min(best.tree.depth)) - 1;
        let waiting = pre_order(total);
        Polish {
            plan,
            blocks,
            best,
            replaced: 0,
            waiting,
            node: 0,
            search: None,
            seed,
            refit,
            done: 0,
            total,
        }
    }

    /// How many subtrees were replaced so far.
    pub fn replaced(&self) -> u32 {
        self.replaced
    }

    /// The best tree so far.
    pub fn best(&self) -> &Best {
        &self.best
    }

    /// The node at work.
    pub fn node(&self) -> usize {
        self.node
    }

    /// Share of the nodes that are done.
    pub fn share(&self) -> f64 {
        let within = self.search.as_ref().map_or(0.0, Multistart::share);
        (self.done as f64 + within) / self.total.max(1) as f64
    }

    /// Line 2, piece by piece; returns whether there is more to do.
    pub fn advance(&mut self, blocks: usize) -> bool {
        if let Some(search) = &mut self.search {
            if search.advance(blocks) {
                return true;
            }
            self.accept();
            self.done += 1;
        } else if let Some(node) = self.waiting.pop() {
            self.node = node;
            self.begin(node);
            self.done += usize::from(self.search.is_none());
        }
        self.search.is_some() || !self.waiting.is_empty()
    }

    /// Lines 3 to 5: begins the search below a node, unless there is nothing to be found.
    fn begin(&mut self, node: usize) {
        // Line 3: the samples below the node, by the best tree.
        let level = (node + 1).ilog2() as usize;
        let below = self.best.tree.depth - level;
        let route = routes(&self.best.tree, &self.blocks);
        let first = ((node + 1) << below) - 1 - self.best.tree.nodes();
        let here = |leaf: u32| (first..first + (1 << below)).contains(&(leaf as usize));
        let samples: Vec<u32> = (0..route.len() as u32).filter(|&i| here(route[i as usize])).collect();
        let alike = |&i: &u32| {
            let (a, b) = (self.blocks.truth(samples[0] as usize), self.blocks.truth(i as usize));
            a.value == b.value && a.class == b.class
        };
        if samples.len() <= 1 || samples.iter().all(alike) {
            return;
        }
        let blocks = Arc::new(self.blocks.select(&samples));
        // Line 4: beside CART, the subtree as it is with its leaves refitted on these samples.
        let mut current = self.best.tree.subtree(node);
        let route = routes(&current, &blocks);
        refit(&mut current, &blocks, &route, &self.refit);
        // Line 5.
        let answer: Answer = current.answer;
        let seed = self.seed.wrapping_add(1 + node as u64);
        let warm = vec![current];
        self.search = Some(Multistart::new(self.plan.clone(), blocks, below, answer, warm, seed));
    }

    /// Lines 6 and 7: takes the subtree found if the whole tree is strictly better with it.
    fn accept(&mut self) {
        let Some(found) = self.search.take().and_then(|search| search.best().cloned()) else { return };
        let mut tree: Parameters<f32> = self.best.tree.clone();
        tree.put(self.node, &found.tree);
        let route = routes(&tree, &self.blocks);
        let loss = refit(&mut tree, &self.blocks, &route, &self.refit);
        if loss < self.best.loss {
            self.best = Best { loss, tree, epochs: self.best.epochs + found.epochs };
            self.replaced += 1;
        }
    }
}

/// The first `nodes` nodes in heap order, in pre-order, the first one last.
fn pre_order(nodes: usize) -> Vec<usize> {
    let (mut order, mut stack) = (vec![], vec![0]);
    while let Some(node) = stack.pop() {
        if node < nodes {
            order.push(node);
            stack.extend([2 * node + 2, 2 * node + 1]);
        }
    }
    order.reverse();
    order
}
