//! The training: a node per step, or a slice of a node with many samples.

use std::sync::Arc;

use super::Config;
use crate::encode::{Design, Labels};
use crate::learn::greedy::cut_back;
use crate::learn::greedy::exact::{ExactGrower, ExactNode, ExactSearch, Splitter, tree_of};
use crate::learn::{Kept, Progress, Start, StopReason, Training, Work};
use crate::tree::{PostTransform, Tree};

/// A tree that grows level by level.
pub struct CartTraining {
    grower: ExactGrower,
    ccp_alpha: f64,
    classes: bool,
}

impl CartTraining {
    /// Begins with a root that holds all samples.
    pub fn new(config: &Config, train: Arc<Design>) -> Self {
        let samples: Vec<u32> = (0..train.samples() as u32).collect();
        let classes = matches!(train.y, Labels::Classes { .. });
        let splitter = Arc::new(Splitter::new(config.rules(), train));
        CartTraining { grower: ExactSearch::grower(splitter, samples), ccp_alpha: config.ccp_alpha, classes }
    }

    /// The nodes so far, unpruned, the root first.
    pub fn nodes(&self) -> &[ExactNode] {
        self.grower.nodes()
    }
}

impl Training for CartTraining {
    fn step(&mut self) -> Progress {
        self.grower.step();
        self.progress()
    }

    fn progress(&self) -> Progress {
        Progress {
            step: self.grower.visited(),
            restarts: 1,
            share: self.grower.share(),
            phase: Work::Greedy.into(),
            stop: self.grower.is_complete().then_some(StopReason::Grown),
            ..Progress::default()
        }
    }

    /// One tree is grown, so nothing is chosen.
    fn kept(&self) -> Kept {
        Kept { restart: 1, ..Kept::at(Start::Cart) }
    }

    /// The tree so far; a node that is still to be split is a leaf.
    fn current(&self) -> Tree {
        tree_of(self.nodes(), &vec![false; self.nodes().len()], self.classes)
    }

    /// The tree so far, cost-complexity pruned once it is complete. Before that, only a part of a branch's
    /// gain would be known.
    fn best(&self) -> Tree {
        if !self.grower.is_complete() {
            return self.current();
        }
        // R(t) is the impurity of t weighted by its share of the samples.
        let nodes = self.nodes();
        let whole = nodes[0].summary.weight;
        let collapsed = cut_back(nodes, self.ccp_alpha, |node| node.impurity * node.weight / whole);
        tree_of(nodes, &collapsed, self.classes)
    }

    fn post_transform(&self) -> PostTransform {
        PostTransform::None
    }
}
