//! Node by node: with the rest of the tree as it is, the best plane of one node is a problem of two classes.
//!
//! Each sample that reaches a node costs what the leaf costs to which the left subtree would send it, or the
//! right one. Which side is cheaper is its class, by how much is its weight (tree alternating optimisation:
//! Carreira-Perpiñán and Tavallali, NeurIPS 2018). A logistic fit gives a direction, all cuts along it are
//! tried, and a plane stays unless another is cheaper for the samples as they are routed. A sweep goes from
//! the last level to the root, then leaves are refitted. A descent sees all nodes at once but a soft tree;
//! this sees one node, but the hard tree itself. It fits training samples closely, so it is for many of them.

pub(crate) mod direction;
pub(crate) mod node;

use std::sync::Arc;

use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::ours::node_refinement::node::{Plane, Refiner};
use crate::learn::get::paper::descent::Best;
use crate::learn::get::paper::hard_leaves::{Refit, refit, routes};
use crate::learn::get::paper::parameters::Parameters;
use crate::numeric::slices::{Slice, Task};

/// How nodes are refined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RefinementSettings {
    /// Times that all nodes are visited, at most.
    pub most: usize,
    /// Ridge of the logistic fit, in samples of mean weight.
    pub ridge: f64,
    /// A node with fewer samples keeps its plane.
    pub least: usize,
    /// Whether a plane may only have weights where it has some already.
    pub sparse: bool,
    /// What planes may cost if they name fewer columns; none if planes are to gain.
    pub allowance: Option<Allowance>,
}

/// What planes of fewer columns may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Allowance {
    /// So much loss in all nodes together.
    pub loss: f64,
    /// And for each column dropped so many times the mean loss of a node's samples.
    pub readiness: f64,
}

/// A sweep that lowers the loss by less than this share is the last.
const PLATEAU: f64 = 1e-3;
/// A refinement of one tree, to be advanced node by node.
pub(crate) struct NodeRefinement {
    how: RefinementSettings,
    refit: Refit,
    blocks: Arc<Blocks<f32>>,
    best: Best,
    tree: Parameters<f32>,
    /// Samples that reach each node, as routed when the sweep began: what is above a node has not moved when
    /// its turn comes.
    reached: Vec<Vec<u32>>,
    /// Nodes that are left in this sweep; the next one is the last of them.
    left: usize,
    /// RefinementSettings ended.
    sweep: usize,
    /// The node at work.
    open: Option<(usize, Task<Option<Plane>>)>,
}

impl NodeRefinement {
    /// Begins at a tree with its loss on the samples.
    pub(crate) fn new(how: RefinementSettings, refit: Refit, blocks: Arc<Blocks<f32>>, start: Best) -> Self {
        let tree = start.tree.clone();
        NodeRefinement {
            how,
            refit,
            blocks,
            best: start,
            tree,
            reached: vec![],
            left: 0,
            sweep: 0,
            open: None,
        }
    }

    /// The best tree so far.
    pub(crate) fn best(&self) -> &Best {
        &self.best
    }

    /// Share of the work that is surely done.
    pub(crate) fn share(&self) -> f64 {
        let nodes = self.tree.nodes().max(1);
        let left = self.left + usize::from(self.open.is_some());
        let within = if left > 0 { 1.0 - left as f64 / nodes as f64 } else { 0.0 };
        ((self.sweep as f64 + within) / self.how.most.max(1) as f64).min(1.0)
    }

    /// Refines one node, or does a part of that; returns whether there is more to do.
    pub(crate) fn step(&mut self) -> bool {
        if self.sweep >= self.how.most || self.tree.nodes() == 0 {
            return false;
        }
        if self.open.is_none() {
            if self.left == 0 {
                self.begin_sweep();
            }
            self.left -= 1;
            let samples = std::mem::take(&mut self.reached[self.left]);
            if samples.len() >= self.how.least.max(2) {
                let node = self.left;
                let mut refiner = Refiner::new(self.how, self.blocks.clone(), self.tree.clone());
                let task = async move { refiner.refined(node, &samples, &mut Slice::default()).await };
                self.open = Some((node, Task::new(task)));
            }
        }
        if let Some((node, task)) = &mut self.open {
            let Some(better) = task.advance() else { return true };
            if let Some(Plane { direction, threshold }) = better {
                let plane = self.tree.plane_mut(*node);
                plane.iter_mut().zip(&direction).for_each(|(to, weight)| *to = -weight);
                plane[direction.len()] = threshold;
            }
            self.open = None;
        }
        self.left > 0 || self.end_sweep()
    }

    fn begin_sweep(&mut self) {
        let nodes = self.tree.nodes();
        self.reached = vec![vec![]; nodes];
        for (i, leaf) in routes(&self.tree, &self.blocks).into_iter().enumerate() {
            let mut at = nodes + leaf as usize;
            while at > 0 {
                at = (at - 1) / 2;
                self.reached[at].push(i as u32);
            }
        }
        self.left = nodes;
    }

    fn end_sweep(&mut self) -> bool {
        let route = routes(&self.tree, &self.blocks);
        let loss = refit(&mut self.tree, &self.blocks, &route, &self.refit);
        let goes_on = loss < self.best.loss * (1.0 - PLATEAU);
        if loss < self.best.loss || self.how.allowance.is_some() {
            self.best = Best { loss, tree: self.tree.clone(), epochs: self.best.epochs };
        }
        self.sweep = if goes_on { self.sweep + 1 } else { self.how.most };
        self.sweep < self.how.most
    }
}

#[cfg(test)]
mod tests {
    use super::direction::best_cut;
    use super::*;
    use crate::learn::get::kernel::blocks::Truth;
    use crate::learn::get::ours::along::project;
    use crate::learn::get::paper::parameters::Answer;
    use crate::numeric::random::Random;

    const HOW: RefinementSettings =
        RefinementSettings { most: 6, ridge: 0.1, least: 10, sparse: false, allowance: None };

    /// Two oblique cuts, told to a tree that begins elsewhere.
    fn case(answer: Answer, seed: u64) -> (Arc<Blocks<f32>>, Best) {
        let mut random = Random::new(seed);
        let rows: Vec<[f32; 3]> =
            (0..600).map(|_| std::array::from_fn(|_| random.uniform() as f32)).collect();
        let truth = |x: &[f32; 3]| {
            let [first, second] = [x[0] + x[1] > 1.0, x[1] - x[2] > 0.1];
            let value = f64::from(u8::from(first)) + 0.3 * f64::from(u8::from(second));
            Truth { value: value / 1.3, class: u32::from(first != second), weight: 1.0 }
        };
        let blocks = Arc::new(Blocks::pack(3, rows.iter().map(|x| (&x[..], truth(x)))));
        let mut tree = crate::learn::get::paper::initial_trees::random(
            2,
            &blocks,
            answer,
            crate::learn::get::paper::initial_trees::Draw::Through,
            0,
            &mut random,
        );
        let route = routes(&tree, &blocks);
        let loss = refit(&mut tree, &blocks, &route, &Refit::PLAIN);
        (blocks, Best { loss, tree, epochs: 0 })
    }

    #[test]
    fn sweeps_lower_the_hard_loss_and_tell_it_right() {
        for answer in [Answer::Constant, Answer::Linear, Answer::Classes(2)] {
            for seed in 0..4 {
                let (blocks, start) = case(answer, seed);
                let before = start.loss;
                let mut alternate = NodeRefinement::new(HOW, Refit::PLAIN, blocks.clone(), start);
                let mut share = 0.0;
                while alternate.step() {
                    assert!(alternate.share() >= share);
                    share = alternate.share();
                }
                let mut best = alternate.best().clone();
                assert!(best.loss < 0.7 * before, "{answer:?}, seed {seed}: {before} to {}", best.loss);
                let route = routes(&best.tree, &blocks);
                let again = refit(&mut best.tree, &blocks, &route, &Refit::PLAIN);
                assert!((again - best.loss).abs() < 1e-9, "{again} {}", best.loss);
            }
        }
    }

    #[test]
    fn the_cut_taken_is_the_best_of_all() {
        let (blocks, _) = case(Answer::Constant, 9);
        let mut random = Random::new(4);
        let samples: Vec<u32> = (0..200).collect();
        let gains: Vec<f64> = samples.iter().map(|_| random.normal()).collect();
        let direction = [0.5, -1.0, 0.2];
        let (gain, threshold) = best_cut(&blocks, &samples, &gains, &direction).unwrap();
        let gained = |bound: f32| -> f64 {
            let left = samples.iter().filter(|i| project(blocks.sample(**i as usize), &direction) <= bound);
            left.map(|&i| gains[i as usize]).sum()
        };
        assert!((gained(threshold) - gain).abs() < 1e-9);
        let most = samples.iter().map(|&i| gained(project(blocks.sample(i as usize), &direction)));
        assert!((most.fold(f64::NEG_INFINITY, f64::max).max(gain) - gain).abs() < 1e-9);
    }

    #[test]
    fn sparse_planes_stay_sparse() {
        let (blocks, mut start) = case(Answer::Constant, 2);
        start.tree.planes.chunks_exact_mut(4).for_each(|plane| plane[2] = 0.0);
        let route = routes(&start.tree, &blocks);
        start.loss = refit(&mut start.tree, &blocks, &route, &Refit::PLAIN);
        let how = RefinementSettings { sparse: true, ..HOW };
        let mut alternate = NodeRefinement::new(how, Refit::PLAIN, blocks, start.clone());
        while alternate.step() {}
        assert!(alternate.best().loss < start.loss);
        assert!(alternate.best().tree.planes.chunks_exact(4).all(|plane| plane[2] == 0.0));
    }
}
