//! Which nodes pruning leaves, and where a sample ends: nodes with `a_t = 0` are pruned with their subtrees.

use super::parameters::Shape;
use super::samples::Samples;

/// Which nodes of a complete tree are splits after pruning (N): those that are not pruned and have a child
/// that is not.
///
/// A node is pruned where `a_t = 0`. The root is always a split: a tree of one leaf needs no training.
pub fn kept_splits(shape: &Shape, a: &[f64]) -> Vec<bool> {
    let inner = shape.inner();
    let mut kept = vec![false; inner];
    for t in 0..inner {
        let above = t == 0 || kept[(t - 1) / 2];
        let worth = a[2 * t + 1] > 0.0 || a[2 * t + 2] > 0.0;
        // A child that was pruned is a leaf, even though its sibling is not.
        let own = t == 0 || a[t] > 0.0;
        kept[t] = above && (t == 0 || own && worth);
    }
    kept
}

/// The node at which each sample ends, in heap order: left where `s_t(x) < 0`, until a node is no split.
pub fn ends(shape: &Shape, theta: &[f64], kept: &[bool], samples: &Samples) -> Vec<u32> {
    let planes = shape.planes(theta, 1.0);
    let end = |x: &[f32]| {
        let mut t = 0;
        while t < kept.len() && kept[t] {
            t = 2 * t + if planes.score(t, x) < 0.0 { 1 } else { 2 };
        }
        t as u32
    };
    samples.design.rows().map(end).collect()
}
