//! The direction of a plane from what samples gain on its left side, and the best cut along a direction.

use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::ours::along::project;
use crate::numeric::order::sort_pairs;
use crate::numeric::solve::Logistic;

/// A logistic fit sees at most about so many samples, evenly taken; the planes are compared on all.
const FITTED: usize = 6000;

/// The direction of a logistic fit over some columns: samples that gain on the left lie at its lower end.
pub(in crate::learn::get) fn dividing(
    logistic: &mut Logistic,
    blocks: &Blocks<f32>,
    columns: &[usize],
    samples: &[u32],
    gains: &[f64],
    ridge: f64,
) -> Option<Vec<f32>> {
    let total: f64 = gains.iter().map(|gain| gain.abs()).sum();
    let (every, scale) = (samples.len().div_ceil(FITTED), samples.len() as f64 / total);
    let rows = || {
        let some = samples.iter().zip(gains).step_by(every).filter(|(_, gain)| **gain != 0.0);
        some.map(|(&i, &gain)| (blocks.sample(i as usize), gain * scale))
    };
    let model = logistic.fit(rows, columns, ridge);
    let mut direction = vec![0.0; blocks.features()];
    columns.iter().zip(model).for_each(|(&column, &k)| direction[column] = k as f32);
    own_direction(&direction)
}

/// `a` of weights `−a`, the largest of them 1 in size, as scale factors want it; none if there is none.
pub(in crate::learn::get) fn own_direction(weights: &[f32]) -> Option<Vec<f32>> {
    let most = weights.iter().fold(0.0f32, |most, weight| most.max(weight.abs()));
    (most > 0.0 && most.is_finite()).then(|| weights.iter().map(|weight| -weight / most).collect())
}

/// The greatest gain along a direction and its threshold; none if all samples are at one place.
pub(in crate::learn::get) fn best_cut(
    blocks: &Blocks<f32>,
    samples: &[u32],
    gains: &[f64],
    direction: &[f32],
) -> Option<(f64, f32)> {
    let places = samples.iter().map(|&i| project(blocks.sample(i as usize), direction));
    let mut order: Vec<(f32, u32)> = places.zip(0..).collect();
    sort_pairs(&mut order);
    let (mut best, mut gain): (Option<(f64, f32)>, f64) = (None, 0.0);
    for pair in order.windows(2) {
        let [(z, at), (next, _)] = [pair[0], pair[1]];
        gain += gains[at as usize];
        if z < next && best.is_none_or(|(most, _)| gain > most) {
            let middle = z + (next - z) / 2.0;
            best = Some((gain, if middle < next { middle } else { z }));
        }
    }
    best
}
