//! One tree of a forest, grown in slices.

use std::sync::Arc;

use super::super::cart::{Halves, Splitter, Summary};
use crate::numeric::random::Random;
use crate::numeric::slices::{Slice, Task, WORK};
use crate::tree::{Leaf, Node, Tree};

/// A node that is still to be split.
struct Waiting {
    id: usize,
    depth: u32,
    samples: Vec<u32>,
    summary: Summary,
}

/// The result of the search at a node: its samples, the left ones first, and the split.
type Searched = (Vec<u32>, Option<Halves>);

/// A tree that grows.
pub struct GrowingTree {
    splitter: Arc<Splitter>,
    features: usize,
    /// Columns that a node tries.
    looked_at: usize,
    random: Random,
    classes: bool,
    nodes: Vec<Node>,
    /// Last in, first out.
    waiting: Vec<Waiting>,
    /// The node at work: its position, its depth and the search.
    open: Option<(usize, u32, Task<Searched>)>,
    /// Samples in all, and those whose leaf is final.
    count: usize,
    settled: usize,
}

impl GrowingTree {
    /// Begins with a root that holds all samples, in ascending order.
    pub(crate) fn new(
        splitter: Arc<Splitter>,
        samples: Vec<u32>,
        features: usize,
        looked_at: usize,
        random: Random,
        classes: bool,
    ) -> Self {
        let summary = splitter.summary(&samples);
        let (nodes, count) = (vec![leaf(&summary, classes)], samples.len());
        let waiting = vec![Waiting { id: 0, depth: 0, samples, summary }];
        let (open, settled) = (None, 0);
        GrowingTree { splitter, features, looked_at, random, classes, nodes, waiting, open, count, settled }
    }

    /// Grows some nodes, or a part of a large node; returns whether the tree is complete.
    pub(crate) fn advance(&mut self) -> bool {
        let mut spent = 0;
        while spent < WORK {
            let Some((id, depth, mut task)) = self.open.take().or_else(|| self.begin()) else { return true };
            match task.advance() {
                None => {
                    self.open = Some((id, depth, task));
                    return false;
                }
                Some((samples, halves)) => {
                    // A large node has slices of its own; many small nodes share one.
                    spent += 8 * samples.len() * self.looked_at + 100;
                    self.close(id, depth, samples, halves);
                }
            }
        }
        self.waiting.is_empty()
    }

    /// Share of the samples whose leaf is final.
    pub(crate) fn share(&self) -> f64 {
        self.settled as f64 / self.count.max(1) as f64
    }

    /// The tree so far; a node that is still to be split is a leaf.
    pub(crate) fn tree(self) -> Tree {
        Tree::new(self.nodes).expect("what has grown is a tree")
    }

    fn begin(&mut self) -> Option<(usize, u32, Task<Searched>)> {
        let Waiting { id, depth, mut samples, summary } = self.waiting.pop()?;
        let mut drawn = self.random.permutation(self.features);
        let mut others = drawn.split_off(self.looked_at.min(self.features));
        drawn.sort_unstable();
        others.sort_unstable();
        let splitter = self.splitter.clone();
        let task = Task::new(async move {
            let slice = &mut Slice::default();
            let mut halves = splitter.split_in_slices(&mut samples, depth, &summary, &drawn, slice).await;
            if halves.is_none() {
                halves = splitter.split_in_slices(&mut samples, depth, &summary, &others, slice).await;
            }
            (samples, halves)
        });
        Some((id, depth, task))
    }

    fn close(&mut self, id: usize, depth: u32, mut samples: Vec<u32>, halves: Option<Halves>) {
        let Some(halves) = halves else {
            self.settled += samples.len();
            return;
        };
        let (left, right, depth) = (self.nodes.len(), self.nodes.len() + 1, depth + 1);
        let default_left = halves.best.default_left;
        self.nodes[id] = Node::Split { split: halves.best.split(), left, right, default_left };
        let rest = samples.split_off(halves.left.rows);
        self.nodes.extend([leaf(&halves.left, self.classes), leaf(&halves.right, self.classes)]);
        self.waiting.push(Waiting { id: right, depth, samples: rest, summary: halves.right });
        self.waiting.push(Waiting { id: left, depth, samples, summary: halves.left });
    }
}

fn leaf(summary: &Summary, classes: bool) -> Node {
    let answer = summary.answer.iter().map(|&answer| answer as f32);
    Node::Leaf(if classes { Leaf::Scores(answer.collect()) } else { Leaf::Constant(summary.answer[0] as f32) })
}
