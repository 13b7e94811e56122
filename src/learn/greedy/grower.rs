//! One grower for every greedy tree.
//!
//! A node is split by the best cut that a [`Search`] finds among its samples; then both sides wait for their
//! turn. What greedy trees differ in is the search. Samples are positions in the training data. Those of a
//! node are adjacent, and a split keeps their order on both sides, so sums are added in the same order
//! however the work is sliced.

use std::collections::VecDeque;

use crate::numeric::slices::{Slice, Task};

/// How the cut of a node is found.
pub trait Search: Sized + Send {
    /// A cut.
    type Cut: Send + 'static;
    /// The statistics of a node's samples.
    type Summary: Clone + Send + Sync + 'static;

    /// Whether a node is a leaf without a search.
    fn stops(&self, _samples: usize, _depth: u32, _node: &Self::Summary) -> bool {
        false
    }

    /// Cuts a node's samples; none if the node is a leaf. After a cut the left samples stand before the right
    /// ones, both sides in their old order.
    fn cut(
        &mut self,
        samples: &mut [u32],
        depth: u32,
        node: &Self::Summary,
        slice: &mut Slice,
    ) -> impl Future<Output = Option<Halves<Self::Cut, Self::Summary>>> + Send;
}

/// A cut with its two sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Halves<Cut, Summary> {
    /// The cut.
    pub cut: Cut,
    /// The number of samples that go left.
    pub boundary: usize,
    /// The samples that go left.
    pub left: Summary,
    /// The samples that go right.
    pub right: Summary,
}

/// A node of a growing tree; a leaf until it is split.
#[derive(Debug, Clone, PartialEq)]
pub struct GrownNode<Cut, Summary> {
    /// Edges from the root.
    pub depth: u32,
    /// The statistics of its samples.
    pub summary: Summary,
    /// Its split.
    pub split: Option<Cut>,
    /// Positions of its left and right child, both after its own.
    pub children: Option<[usize; 2]>,
}

impl<Cut, Summary> GrownNode<Cut, Summary> {
    fn leaf(depth: u32, summary: Summary) -> Self {
        GrownNode { depth, summary, split: None, children: None }
    }

    /// Its split with its children; none for a leaf.
    pub fn branches(&self) -> Option<(&Cut, [usize; 2])> {
        self.split.as_ref().zip(self.children)
    }
}

/// The node of a search's trees.
pub type NodeOf<S> = GrownNode<<S as Search>::Cut, <S as Search>::Summary>;

/// The order in which nodes are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Level by level, so a tree that is cut off is complete except for its last levels.
    Levels,
    /// The left subtree before the right one.
    DepthFirst,
}

/// A node that is still to be split; its samples are `samples[start..start + count]`.
struct Waiting {
    id: usize,
    start: usize,
    count: usize,
}

/// The state of a tree between two searches.
pub struct Growth<S: Search> {
    nodes: Vec<NodeOf<S>>,
    /// Empty while a search holds them.
    samples: Vec<u32>,
    waiting: VecDeque<Waiting>,
    order: Order,
    /// Nodes that were taken from the list of those that wait.
    visited: u64,
    /// Samples times levels that are done; below a leaf all levels are.
    done: f64,
    /// The same of a complete tree.
    all: f64,
    /// Levels of nodes, at most.
    levels: u32,
}

impl<S: Search> Growth<S> {
    /// Begins with a root that holds all samples. Splits are at most `depth` levels; the search sees to that.
    pub fn new(samples: Vec<u32>, summary: S::Summary, depth: u32, order: Order) -> Self {
        let (levels, count) = (depth + 1, samples.len());
        Growth {
            nodes: vec![GrownNode::leaf(0, summary)],
            samples,
            waiting: [Waiting { id: 0, start: 0, count }].into(),
            order,
            visited: 0,
            done: 0.0,
            all: count as f64 * f64::from(levels),
            levels,
        }
    }

    /// The next node that needs a search; leaves are passed over.
    fn next(&mut self, search: &S) -> Option<Waiting> {
        loop {
            let node = match self.order {
                Order::Levels => self.waiting.pop_front(),
                Order::DepthFirst => self.waiting.pop_back(),
            }?;
            self.visited += 1;
            let GrownNode { depth, summary, .. } = &self.nodes[node.id];
            if !search.stops(node.count, *depth, summary) {
                return Some(node);
            }
            self.close(&node, None);
        }
    }

    /// Records the result of a search.
    fn close(&mut self, node: &Waiting, halves: Option<Halves<S::Cut, S::Summary>>) {
        let &Waiting { id, start, count } = node;
        let depth = self.nodes[id].depth;
        let Some(Halves { cut, boundary, left, right }) = halves else {
            self.done += count as f64 * f64::from(self.levels - depth);
            return;
        };
        self.done += count as f64;
        let first = self.nodes.len();
        self.nodes[id].split = Some(cut);
        self.nodes[id].children = Some([first, first + 1]);
        self.nodes.push(GrownNode::leaf(depth + 1, left));
        self.nodes.push(GrownNode::leaf(depth + 1, right));
        let left = Waiting { id: first, start, count: boundary };
        let right = Waiting { id: first + 1, start: start + boundary, count: count - boundary };
        let pair = if self.order == Order::Levels { [left, right] } else { [right, left] };
        self.waiting.extend(pair);
    }

    /// Grows the whole tree; the root comes first.
    pub async fn complete(mut self, search: &mut S, slice: &mut Slice) -> Vec<NodeOf<S>> {
        while let Some(node) = self.next(search) {
            let samples = &mut self.samples[node.start..node.start + node.count];
            let GrownNode { depth, summary, .. } = &self.nodes[node.id];
            let halves = search.cut(samples, *depth, summary, slice).await;
            self.close(&node, halves);
        }
        self.nodes
    }
}

/// What a search gives back: itself, the slice, all samples, and the cut.
type Searched<S> = (Box<S>, Slice, Vec<u32>, Option<Halves<<S as Search>::Cut, <S as Search>::Summary>>);

/// A tree that grows in slices, and can be looked at between them.
pub struct Grower<S: Search> {
    growth: Growth<S>,
    /// Away while the search at a node is under way.
    search: Option<(Box<S>, Slice)>,
    /// The node at work.
    open: Option<(Waiting, Task<Searched<S>>)>,
}

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grown {
    /// A part of a search.
    Part,
    /// The search at this node has ended.
    Node(usize),
    /// Nothing: no node is left to be split.
    All,
}

impl<S: Search + 'static> Grower<S> {
    /// Begins to grow.
    pub fn new(search: S, growth: Growth<S>) -> Self {
        Grower { growth, search: Some((Box::new(search), Slice::default())), open: None }
    }

    /// The search at one node, or a slice of it.
    pub fn step(&mut self) -> Grown {
        if self.open.is_none() {
            self.open();
        }
        let Some((node, task)) = &mut self.open else { return Grown::All };
        let Some((search, slice, samples, halves)) = task.advance() else { return Grown::Part };
        let id = node.id;
        self.growth.samples = samples;
        self.growth.close(node, halves);
        self.search = Some((search, slice));
        self.open = None;
        Grown::Node(id)
    }

    /// Nodes until a slice is spent; returns whether the tree is complete.
    pub fn advance(&mut self) -> bool {
        loop {
            match self.step() {
                Grown::Part => return false,
                Grown::Node(_) => {}
                Grown::All => return true,
            }
        }
    }

    /// Begins the search at the next node.
    fn open(&mut self) {
        let Some((mut search, mut slice)) = self.search.take() else { return };
        let Some(node) = self.growth.next(&search) else {
            self.search = Some((search, slice));
            return;
        };
        let mut samples = std::mem::take(&mut self.growth.samples);
        let GrownNode { depth, ref summary, .. } = self.growth.nodes[node.id];
        let (summary, own) = (summary.clone(), node.start..node.start + node.count);
        let task = Task::new(async move {
            let halves = search.cut(&mut samples[own], depth, &summary, &mut slice).await;
            (search, slice, samples, halves)
        });
        self.open = Some((node, task));
    }

    /// The nodes so far, unpruned, the root first.
    pub fn nodes(&self) -> &[NodeOf<S>] {
        &self.growth.nodes
    }

    /// Whether no node is left to be split.
    pub fn is_complete(&self) -> bool {
        self.growth.waiting.is_empty() && self.open.is_none()
    }

    /// Nodes whose turn has come.
    pub fn visited(&self) -> u64 {
        self.growth.visited
    }

    /// Share of the work that is done, 0 to 1.
    pub fn share(&self) -> f64 {
        self.growth.done / self.growth.all.max(1.0)
    }

    /// The nodes so far, all samples in the order of the leaves, and the search; none while a node is at
    /// work.
    pub fn finish(self) -> (Vec<NodeOf<S>>, Vec<u32>, Option<S>) {
        (self.growth.nodes, self.growth.samples, self.search.map(|(search, _)| *search))
    }
}

/// The position of every node in heap order, in which the children of i are 2i + 1 and 2i + 2.
pub fn heap_positions<Cut, Summary>(nodes: &[GrownNode<Cut, Summary>]) -> Vec<usize> {
    let mut positions = vec![0; nodes.len()];
    for (id, node) in nodes.iter().enumerate() {
        if let Some([left, right]) = node.children {
            (positions[left], positions[right]) = (2 * positions[id] + 1, 2 * positions[id] + 2);
        }
    }
    positions
}

/// Moves the samples that go left to the front without changing either side's order; returns their number.
pub fn partition(samples: &mut [u32], mut goes_left: impl FnMut(u32) -> bool) -> usize {
    let mut right = Vec::new();
    let mut left = 0;
    for at in 0..samples.len() {
        let sample = samples[at];
        if goes_left(sample) {
            samples[left] = sample;
            left += 1;
        } else {
            right.push(sample);
        }
    }
    samples[left..].copy_from_slice(&right);
    left
}
