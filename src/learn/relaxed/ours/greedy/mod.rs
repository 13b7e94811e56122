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
use crate::learn::relaxed::paper::parameters::Shape;
use crate::learn::relaxed::paper::samples::Samples;
use crate::numeric::slices::Slice;
use cuts::{Targets, along};

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

/// Grows the tree of a shape on samples. `single` tries single columns only.
pub async fn grow(shape: &Shape, samples: &Samples, groups: &Groups, single: bool) -> Greedy {
    let (f, inner) = (shape.features, shape.inner());
    let mut tree =
        Greedy { planes: vec![0.0; shape.eta_at()], free: vec![0.0; shape.bias_at()], splits: vec![false; inner] };
    let targets = Targets::new(samples);
    let mut slice = Slice::default();
    slice.spend(4 * samples.len()).await;
    let mut reached: Vec<Vec<u32>> = vec![vec![]; shape.nodes()];
    reached[0] = (0..samples.len() as u32).collect();
    for t in 0..inner {
        let rows = std::mem::take(&mut reached[t]);
        let Some(cut) = targets.best_cut(samples, groups, &rows, single, &mut slice).await else { continue };
        // Scores of deviation 1 over the samples here: as steep in a small node as in a large one.
        let places: Vec<f64> =
            rows.iter().map(|&i| along(samples, &cut.columns, &cut.weights, i) - cut.bound).collect();
        let spread = (places.iter().map(|s| s * s).sum::<f64>() / places.len() as f64).sqrt();
        if !(spread > 0.0 && spread.is_finite()) {
            continue;
        }
        tree.splits[t] = true;
        for (&column, &w) in cut.columns.iter().zip(&cut.weights) {
            tree.planes[t * f + column] = w / spread;
        }
        for &column in groups.beside(&cut.columns) {
            tree.free[t * f + column] = 1.0;
        }
        tree.planes[shape.bias_at() + t] = -cut.bound / spread;
        for (&i, &place) in rows.iter().zip(&places) {
            reached[2 * t + if place < 0.0 { 1 } else { 2 }].push(i);
        }
        slice.spend(4 * rows.len()).await;
    }
    tree
}
