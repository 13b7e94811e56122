//! Epochs of GET's published settings on synthetic samples, natively and in WebAssembly.

use std::sync::Arc;

use espalier::learn::get::kernel::blocks::{Blocks, Truth};
use espalier::learn::get::paper::descent::{Descent, DescentSettings};
use espalier::learn::get::paper::hard_leaves::{Refit, by_leaf, routes};
use espalier::learn::get::paper::parameters::Parameters;
use espalier::numeric::random::Random;

/// The midpoints of the ranges from which the two scale factors of a start are drawn.
pub const ALPHA: [f64; 2] = [15.0, 100.0];

/// Enough epochs for the tree to move away from its start, but not too many to time.
pub fn count(blocks: &Blocks<f32>, depth: usize) -> usize {
    (600_000_000 / ((blocks.samples() * blocks.width()) << depth)).clamp(200, 1000)
}

/// A product of two columns, a slope, a step and some noise.
pub fn samples(rows: usize, features: usize) -> Blocks<f32> {
    let mut random = Random::new(3);
    let x: Vec<Vec<f32>> =
        (0..rows).map(|_| (0..features).map(|_| random.uniform() as f32).collect()).collect();
    let mut truth = |x: &[f32]| {
        let step = if x[3 % features] > 0.5 { 0.2 } else { 0.0 };
        let value = f64::from(0.5 * x[0] * x[1 % features] + 0.3 * x[2 % features] + step);
        Truth { value: value + 0.03 * random.normal(), class: 0, weight: 1.0 }
    };
    let truths: Vec<Truth> = x.iter().map(|x| truth(x)).collect();
    Blocks::pack(features, x.iter().zip(truths).map(|(x, truth)| (&x[..], truth)))
}

/// A descent with the published settings.
pub fn descent(
    blocks: &Blocks<f32>,
    tree: Parameters<f32>,
    alpha: f64,
    epochs: usize,
    negligible: f32,
) -> Descent {
    let recipe = DescentSettings {
        epochs,
        batch: usize::MAX,
        rate: 0.01,
        decay: 0.01,
        l1: 0.0,
        closed_leaves: false,
        check: 1,
        patience: 0,
        negligible,
        refit: Refit::PLAIN,
    };
    // In leaf order, as in the search.
    let (order, _) = by_leaf(&routes(&tree, blocks), tree.nodes() + 1);
    let blocks = Arc::new(blocks.select(&order));
    Descent::new(recipe, blocks, tree, Arc::new(vec![]), [alpha; 2], Random::new(1))
}
