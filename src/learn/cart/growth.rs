//! The training: a node per step, or a part of a node with many samples.
//!
//! Nodes are split level by level, so a tree that a budget cuts off is complete except for its last levels.

use std::collections::VecDeque;
use std::sync::Arc;

use super::ccp;
use super::search::BestSplit;
use super::splitter::{Halves, Splitter, Summary};
use super::{Config, Progress, StopReason, Training};
use crate::encode::{Design, Labels};
use crate::learn::{Kept, Start, Work};
use crate::numeric::slices::{Slice, Task};
use crate::tree::{Leaf, Node, PostTransform, Tree};

/// A node of a growing tree; a leaf until it is split.
#[derive(Debug, Clone, PartialEq)]
pub struct GrownNode {
    /// Edges from the root.
    pub depth: u32,
    /// The statistics of its samples.
    pub summary: Summary,
    /// Its split.
    pub split: Option<BestSplit>,
    /// Positions of its left and right child, both after its own.
    pub children: Option<[usize; 2]>,
}

/// A node that is still to be split.
struct Waiting {
    id: usize,
    /// Its samples are `samples[start..start + rows]`.
    start: usize,
}

/// The result of the search at a node: all samples, the node's left ones before its right ones, and the
/// split.
type Searched = (Vec<u32>, Option<Halves>);

/// A tree that grows.
pub struct Growth {
    splitter: Arc<Splitter>,
    /// All features.
    features: Arc<Vec<usize>>,
    ccp_alpha: f64,
    classes: bool,
    nodes: Vec<GrownNode>,
    /// All samples; those of a node are adjacent and in ascending order. Empty while the search at a node
    /// holds them.
    samples: Vec<u32>,
    /// How many there are.
    count: usize,
    /// The node at work, with the split that is searched for and the samples.
    open: Option<(Waiting, Task<Searched>)>,
    /// First in, first out.
    waiting: VecDeque<Waiting>,
    steps: u64,
    /// The most levels of splits.
    depth: u32,
    /// Samples times levels that are done, the leaves' own too; below a leaf all levels are.
    done: usize,
}

impl Growth {
    /// Begins with a root that holds all samples.
    pub fn new(config: Config, train: Arc<Design>) -> Self {
        let samples: Vec<u32> = (0..train.samples() as u32).collect();
        let classes = matches!(train.y, Labels::Classes { .. });
        let (ccp_alpha, depth) = (config.ccp_alpha, config.depth);
        let features = Arc::new((0..train.features()).collect());
        let splitter = Arc::new(Splitter::new(config, train));
        let root = GrownNode { depth: 0, summary: splitter.summary(&samples), split: None, children: None };
        Growth {
            splitter,
            features,
            ccp_alpha,
            classes,
            nodes: vec![root],
            count: samples.len(),
            samples,
            open: None,
            waiting: [Waiting { id: 0, start: 0 }].into(),
            steps: 0,
            depth,
            done: 0,
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

    /// The search for a node's split.
    fn task(&mut self, node: &Waiting) -> Task<Searched> {
        let GrownNode { depth, ref summary, .. } = self.nodes[node.id];
        let (splitter, features, summary) = (self.splitter.clone(), self.features.clone(), summary.clone());
        let (mut samples, start) = (std::mem::take(&mut self.samples), node.start);
        Task::new(async move {
            let own = &mut samples[start..start + summary.rows];
            let halves = splitter.split_in_slices(own, depth, &summary, &features, &mut Slice::default()).await;
            (samples, halves)
        })
    }

    /// Records the result of a search.
    fn close(&mut self, id: usize, start: usize, halves: Option<Halves>) {
        let GrownNode { depth, ref summary, .. } = self.nodes[id];
        let Some(halves) = halves else {
            self.done += summary.rows * (self.depth + 1 - depth) as usize;
            return;
        };
        self.done += summary.rows;
        let (left, depth) = (self.nodes.len(), depth + 1);
        self.nodes[id].split = Some(halves.best);
        self.nodes[id].children = Some([left, left + 1]);
        self.waiting.push_back(Waiting { id: left, start });
        self.waiting.push_back(Waiting { id: left + 1, start: start + halves.left.rows });
        for summary in [halves.left, halves.right] {
            self.nodes.push(GrownNode { depth, summary, split: None, children: None });
        }
    }

    /// Whether no node is left to be split.
    fn is_grown(&self) -> bool {
        self.waiting.is_empty() && self.open.is_none()
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
        if self.open.is_none() {
            let Some(node) = self.waiting.pop_front() else { return self.progress() };
            self.steps += 1;
            let task = self.task(&node);
            self.open = Some((node, task));
        }
        let Some((Waiting { id, start }, mut task)) = self.open.take() else { return self.progress() };
        match task.advance() {
            None => self.open = Some((Waiting { id, start }, task)),
            Some((samples, halves)) => {
                self.samples = samples;
                self.close(id, start, halves);
            }
        }
        self.progress()
    }

    fn progress(&self) -> Progress {
        Progress {
            step: self.steps,
            restarts: 1,
            share: self.done as f64 / (self.count * (self.depth as usize + 1)) as f64,
            phase: Work::Greedy.into(),
            stop: self.is_grown().then_some(StopReason::Grown),
            ..Progress::default()
        }
    }

    /// One tree is grown, so nothing is chosen.
    fn kept(&self) -> Kept {
        Kept { restart: 1, ..Kept::at(Start::Cart) }
    }

    /// The tree so far; a node that is still to be split is a leaf.
    fn current(&self) -> Tree {
        self.tree(&vec![false; self.nodes.len()])
    }

    /// The tree so far, cost-complexity pruned once it is complete. Before that, only a part of a branch's
    /// gain would be known.
    fn best(&self) -> Tree {
        // As in scikit-learn, alpha 0 means no pruning, not the removal of splits without a gain.
        if self.ccp_alpha > 0.0 && self.is_grown() {
            self.tree(&ccp::collapsed(&self.nodes, self.ccp_alpha))
        } else {
            self.current()
        }
    }

    fn post_transform(&self) -> PostTransform {
        PostTransform::None
    }
}
