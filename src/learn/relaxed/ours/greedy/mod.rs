//! A greedy oblique tree as a start: each node takes the best of a few planes that are cheap to find.
//!
//! A node tries each column by itself and, unless `single`, the directions of least squares for each number
//! of the target: over all columns that may be summed, and over the columns of each column of words. Along
//! each direction it takes the cut with the least squared error. With classes the target is an indicator per
//! class, whose squared error is the Gini impurity. A direction of P columns was fitted on the same n
//! samples, so its error counts n/(n − P) times.
//!
//! Least squares has a small ridge for columns that repeat each other. Conjugate gradients solve it, without
//! a factorisation, and stop early where columns are many.

mod cuts;
mod directions;

use super::expressible::Groups;
use crate::learn::greedy::{Growth, Halves, Order, Search, heap_positions, partition};
use crate::learn::relaxed::paper::parameters::Shape;
use crate::learn::relaxed::paper::samples::Samples;
use crate::numeric::slices::Slice;
use cuts::{Cut, Targets, along};

/// The planes of a greedy tree.
pub struct Greedy {
    /// Weights (N × F) and biases (N), as in θ. A node without a plane has only zeros: no sample gets below
    /// it.
    pub planes: Vec<f64>,
    /// 1 for each weight that may move: those of the columns that a split may name together with its own;
    /// else 0 (N × F).
    pub free: Vec<f64>,
    /// Whether a node has a plane (N).
    pub splits: Vec<bool>,
}

/// The search for the planes of a tree.
struct PlaneSearch<'a> {
    samples: &'a Samples,
    groups: &'a Groups,
    targets: Targets,
    /// Whether single columns alone are tried.
    single: bool,
    /// Levels of splits.
    depth: u32,
}

/// A plane through a node, and by how much it is divided so that its scores have deviation 1.
struct ScaledCut {
    cut: Cut,
    spread: f64,
}

impl Search for PlaneSearch<'_> {
    type Cut = ScaledCut;
    type Summary = ();

    fn stops(&self, _: usize, depth: u32, (): &()) -> bool {
        depth >= self.depth
    }

    async fn cut(
        &mut self,
        rows: &mut [u32],
        _: u32,
        (): &(),
        slice: &mut Slice,
    ) -> Option<Halves<ScaledCut, ()>> {
        let cut = self.targets.best_cut(self.samples, self.groups, rows, self.single, slice).await?;
        // Scores of deviation 1 over the samples here: as steep in a small node as in a large one.
        let score = |i: u32| along(self.samples, &cut.columns, &cut.weights, i) - cut.bound;
        let squares: f64 = rows.iter().map(|&i| score(i) * score(i)).sum();
        let spread = (squares / rows.len() as f64).sqrt();
        if !(spread > 0.0 && spread.is_finite()) {
            return None;
        }
        let boundary = partition(rows, |i| score(i) < 0.0);
        slice.spend(4 * rows.len()).await;
        Some(Halves { cut: ScaledCut { cut, spread }, boundary, left: (), right: () })
    }
}

/// Grows the tree of a shape on samples. `single` tries single columns only.
pub async fn grow(shape: &Shape, samples: &Samples, groups: &Groups, single: bool) -> Greedy {
    let (f, inner) = (shape.features, shape.inner());
    let mut tree = Greedy {
        planes: vec![0.0; shape.eta_at()],
        free: vec![0.0; shape.bias_at()],
        splits: vec![false; inner],
    };
    let (mut slice, depth) = (Slice::default(), (inner + 1).ilog2());
    let mut search = PlaneSearch { samples, groups, targets: Targets::new(samples), single, depth };
    slice.spend(4 * samples.len()).await;
    let growth = Growth::new((0..samples.len() as u32).collect(), (), depth, Order::Levels);
    let nodes = growth.complete(&mut search, &mut slice).await;
    for (node, t) in nodes.iter().zip(heap_positions(&nodes)) {
        let Some((ScaledCut { cut, spread }, _)) = node.branches() else { continue };
        tree.splits[t] = true;
        for (&column, &w) in cut.columns.iter().zip(&cut.weights) {
            tree.planes[t * f + column] = w / spread;
        }
        for &column in groups.beside(&cut.columns) {
            tree.free[t * f + column] = 1.0;
        }
        tree.planes[shape.bias_at() + t] = -cut.bound / spread;
    }
    tree
}
