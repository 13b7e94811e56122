//! The best cut of a node's samples along one of several directions.

use super::super::expressible::Groups;
use super::directions::STEPS;
use crate::learn::relaxed::paper::samples::Samples;
use crate::numeric::order::{sort_positions, sorted_positions};
use crate::numeric::slices::Slice;

/// Samples on each side of a cut, at least.
const LEAST: usize = 3;

/// The narrowest gap for a cut through a sum, as a share of the sum's range: in a narrower one f32 weights
/// would not separate the rows.
const NARROWEST: f64 = 1e-5;

/// The cost of sorting and trying a sample, in numbers read.
const COST: usize = 12;
/// From this many samples on, a radix sort is faster than comparisons; both keep the order of equal places.
const MANY: usize = 2000;

/// A direction with its best cut.
pub(super) struct Cut {
    /// Its columns.
    pub columns: Vec<usize>,
    /// Their weights.
    pub weights: Vec<f64>,
    /// Where it is cut.
    pub bound: f64,
    /// The squared error that is left, with what the direction's own fit counts for.
    error: f64,
}

/// A node's samples together.
struct Whole {
    /// Weighted sums of the targets, and of the weights.
    sums: Vec<f64>,
    total: f64,
    /// The weighted sum of its squares, and what of it is left around the mean.
    squares: f64,
    error: f64,
}

/// How far along a direction a sample is.
pub(super) fn along(samples: &Samples, columns: &[usize], weights: &[f64], i: u32) -> f64 {
    let x = samples.design.row(i as usize);
    columns.iter().zip(weights).map(|(&j, w)| w * f64::from(x[j])).sum()
}

/// The targets as numbers, with a weight per sample.
pub(super) struct Targets {
    /// N × K.
    pub values: Vec<f64>,
    /// K.
    pub width: usize,
    /// N.
    pub weight: Vec<f64>,
}

impl Targets {
    pub(super) fn new(samples: &Samples) -> Targets {
        let width = samples.goal.answers();
        let mut values = vec![0.0; samples.len() * width];
        let mut weight = Vec::with_capacity(samples.len());
        for i in 0..samples.len() {
            let own = &mut values[i * width..(i + 1) * width];
            let w = samples.add_truth(i, own);
            own.iter_mut().for_each(|value| *value /= w);
            weight.push(w);
        }
        Targets { values, width, weight }
    }

    /// The weighted sum of some samples' targets, and of their weights.
    fn sums(&self, rows: &[u32]) -> (Vec<f64>, f64) {
        let (mut sums, mut total) = (vec![0.0; self.width], 0.0);
        for &i in rows {
            let (i, w) = (i as usize, self.weight[i as usize]);
            sums.iter_mut().zip(&self.values[i * self.width..]).for_each(|(sum, y)| *sum += w * y);
            total += w;
        }
        (sums, total)
    }

    /// The best cut of some samples; none if they are too few, alike, or no cut leaves less error.
    pub(super) async fn best_cut(
        &self,
        samples: &Samples,
        groups: &Groups,
        rows: &[u32],
        single: bool,
        slice: &mut Slice,
    ) -> Option<Cut> {
        if rows.len() < 2 * LEAST {
            return None;
        }
        let node = self.whole(rows)?;
        let mut best: Option<Cut> = None;
        for column in 0..samples.design.features() {
            self.offer(samples, &node, rows, &[column], &[1.0], &mut best);
            slice.spend(COST * rows.len()).await;
        }
        for columns in groups.sums().filter(|columns| columns.len() > 1 && !single) {
            for k in self.leading(&node.sums) {
                let weights = self.least_squares(samples, columns, rows, k);
                let steps = 2 * STEPS.min(columns.len()) + 3;
                slice.spend(steps * columns.len() * rows.len()).await;
                let kept = groups.strongest(columns, &weights);
                if kept.len() < columns.len() {
                    let weights = self.least_squares(samples, &kept, rows, k);
                    slice.spend(steps * kept.len() * rows.len()).await;
                    self.offer(samples, &node, rows, &kept, &weights, &mut best);
                } else {
                    self.offer(samples, &node, rows, columns, &weights, &mut best);
                }
                slice.spend((COST + columns.len()) * rows.len()).await;
            }
        }
        best
    }

    /// What a node has before it is cut; none if its samples are alike.
    fn whole(&self, rows: &[u32]) -> Option<Whole> {
        let (sums, total) = self.sums(rows);
        let squares: f64 = rows
            .iter()
            .map(|&i| {
                let y = &self.values[i as usize * self.width..][..self.width];
                self.weight[i as usize] * y.iter().map(|y| y * y).sum::<f64>()
            })
            .sum();
        let error = squares - sums.iter().map(|sum| sum * sum).sum::<f64>() / total;
        (error > 1e-9 * squares.max(f64::MIN_POSITIVE)).then_some(Whole { sums, total, squares, error })
    }

    /// Takes the best cut along a direction if it leaves less error than the best so far.
    fn offer(
        &self,
        samples: &Samples,
        node: &Whole,
        rows: &[u32],
        columns: &[usize],
        weights: &[f64],
        best: &mut Option<Cut>,
    ) {
        let left = rows.len() as f64 - columns.len() as f64;
        if columns.len() > 1 && left < rows.len() as f64 / 2.0 {
            return;
        }
        let doubt = if columns.len() > 1 { rows.len() as f64 / left } else { 1.0 };
        if let Some((gain, bound)) = self.cut(samples, columns, weights, rows, &node.sums, node.total) {
            let rest = (node.squares - gain) * doubt;
            if rest < node.error * (1.0 - 1e-9) && best.as_ref().is_none_or(|best| rest < best.error) {
                *best =
                    Some(Cut { columns: columns.to_vec(), weights: weights.to_vec(), bound, error: rest });
            }
        }
    }

    /// The cut along a direction that leaves the least error: `Σ S²/W` of both sides, and its place.
    fn cut(
        &self,
        samples: &Samples,
        columns: &[usize],
        weights: &[f64],
        rows: &[u32],
        sums: &[f64],
        total: f64,
    ) -> Option<(f64, f64)> {
        let places: Vec<f64> = rows.iter().map(|&i| along(samples, columns, weights, i)).collect();
        if !places.iter().all(|place| place.is_finite()) {
            return None;
        }
        let order: Vec<usize> = if rows.len() < MANY {
            let mut order: Vec<usize> = (0..rows.len()).collect();
            sort_positions(&mut order, &|a, b| places[a].total_cmp(&places[b]));
            order
        } else {
            sorted_positions(&places).into_iter().map(|at| at as usize).collect()
        };
        let (mut left, mut weight) = (vec![0.0; self.width], 0.0);
        let range = places[order[order.len() - 1]] - places[order[0]];
        let narrowest = if columns.len() > 1 { NARROWEST * range } else { 0.0 };
        let mut best: Option<(f64, f64)> = None;
        for k in 1..order.len() {
            let i = rows[order[k - 1]] as usize;
            let w = self.weight[i];
            left.iter_mut().zip(&self.values[i * self.width..]).for_each(|(sum, y)| *sum += w * y);
            weight += w;
            let (below, above) = (places[order[k - 1]], places[order[k]]);
            if above - below > narrowest && k >= LEAST && order.len() - k >= LEAST {
                let right = total - weight;
                let gain: f64 = left
                    .iter()
                    .zip(sums)
                    .map(|(l, all)| l * l / weight + (all - l) * (all - l) / right)
                    .sum();
                if best.is_none_or(|best| gain > best.0) {
                    best = Some((gain, below + (above - below) / 2.0));
                }
            }
        }
        best
    }
}
