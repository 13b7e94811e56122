//! Growing the tree: one node per step, depth-first, the left child first.

use std::sync::Arc;

use super::ccp;
use super::search::BestSplit;
use super::splitter::{Splitter, Summary};
use super::{Config, Progress, StopReason, Training};
use crate::encode::{Design, Labels};
use crate::learn::{Kept, Start, Work};
use crate::tree::{Leaf, Node, PostTransform, Tree};

/// A node of a growing tree; a leaf until it is split.
#[derive(Debug, Clone, PartialEq)]
pub struct GrownNode {
    /// Edges from the root.
    pub depth: u32,
    /// What its samples say.
    pub summary: Summary,
    /// Its split.
    pub split: Option<BestSplit>,
    /// Positions of its left and right child, both after its own.
    pub children: Option<[usize; 2]>,
}

/// A node that waits for its turn.
struct Waiting {
    id: usize,
    /// Its samples are `samples[start..start + rows]`.
    start: usize,
}

/// A run.
pub struct Growth {
    splitter: Splitter,
    /// All features.
    features: Vec<usize>,
    ccp_alpha: f64,
    classes: bool,
    nodes: Vec<GrownNode>,
    /// All samples; those of a node are adjacent and in ascending order.
    samples: Vec<u32>,
    /// Last in, first out.
    waiting: Vec<Waiting>,
    steps: u64,
    /// Samples whose leaf is final.
    settled: usize,
}

impl Growth {
    /// Begins with a root that holds all samples.
    pub fn new(config: Config, train: Arc<Design>) -> Self {
        let samples: Vec<u32> = (0..train.samples() as u32).collect();
        let classes = matches!(train.y, Labels::Classes { .. });
        let ccp_alpha = config.ccp_alpha;
        let features = (0..train.features()).collect();
        let splitter = Splitter::new(config, train);
        let root = GrownNode { depth: 0, summary: splitter.summary(&samples), split: None, children: None };
        Growth {
            splitter,
            features,
            ccp_alpha,
            classes,
            nodes: vec![root],
            samples,
            waiting: vec![Waiting { id: 0, start: 0 }],
            steps: 0,
            settled: 0,
        }
    }

    /// The nodes so far, unpruned, the root first.
    pub fn nodes(&self) -> &[GrownNode] {
        &self.nodes
    }

    /// The tree in which the marked nodes are leaves.
    fn tree(&self, collapsed: &[bool]) -> Tree {
        let mut sources = vec![0];
        let mut nodes = Vec::new();
        while let Some(&source) = sources.get(nodes.len()) {
            let node = &self.nodes[source];
            nodes.push(match (node.split, node.children) {
                (Some(best), Some(children)) if !collapsed[source] => {
                    let left = sources.len();
                    sources.extend(children);
                    Node::Split { split: best.split(), left, right: left + 1, default_left: best.default_left }
                }
                _ => Node::Leaf(self.leaf(&node.summary)),
            });
        }
        Tree::new(nodes).expect("what has grown is a tree")
    }

    fn leaf(&self, summary: &Summary) -> Leaf {
        if self.classes {
            Leaf::Scores(summary.answer.iter().map(|&share| share as f32).collect())
        } else {
            Leaf::Constant(summary.answer[0] as f32)
        }
    }
}

impl Training for Growth {
    fn step(&mut self) -> Progress {
        let Some(Waiting { id, start }) = self.waiting.pop() else {
            return self.progress();
        };
        self.steps += 1;
        let GrownNode { depth, ref summary, .. } = self.nodes[id];
        let rows = summary.rows;
        match self.splitter.split(&mut self.samples[start..start + rows], depth, summary, &self.features) {
            None => self.settled += rows,
            Some(halves) => {
                let left = self.nodes.len();
                self.nodes[id].split = Some(halves.best);
                self.nodes[id].children = Some([left, left + 1]);
                self.waiting.push(Waiting { id: left + 1, start: start + halves.left.rows });
                self.waiting.push(Waiting { id: left, start });
                for summary in [halves.left, halves.right] {
                    self.nodes.push(GrownNode { depth: depth + 1, summary, split: None, children: None });
                }
            }
        }
        self.progress()
    }

    fn progress(&self) -> Progress {
        Progress {
            step: self.steps,
            restarts: 1,
            share: self.settled as f64 / self.samples.len() as f64,
            phase: Work::Greedy.into(),
            stop: self.waiting.is_empty().then_some(StopReason::Grown),
            ..Progress::default()
        }
    }

    /// One tree is grown, so nothing is chosen.
    fn kept(&self) -> Kept {
        Kept { restart: 1, ..Kept::at(Start::Cart) }
    }

    /// The tree grown so far; a node whose turn has not come is a leaf.
    fn current(&self) -> Tree {
        self.tree(&vec![false; self.nodes.len()])
    }

    /// The tree grown so far, cost-complexity pruned once it is complete: before that, a branch would be judged by a part of
    /// what it gains.
    fn best(&self) -> Tree {
        // As in scikit-learn, alpha 0 asks for no pruning, not for the removal of splits that gain nothing.
        if self.ccp_alpha > 0.0 && self.waiting.is_empty() {
            self.tree(&ccp::collapsed(&self.nodes, self.ccp_alpha))
        } else {
            self.current()
        }
    }

    fn post_transform(&self) -> PostTransform {
        PostTransform::None
    }
}
