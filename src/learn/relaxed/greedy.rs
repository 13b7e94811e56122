//! A greedy oblique tree to begin from: each node's plane is the best of some that are cheap to find.
//!
//! At a node the columns one by one are tried, and unless `single` the directions that least squares finds for each number of
//! the truth: over all columns that may be summed, and over those of each column of words. Along each direction the cut with
//! the least squared error is taken; with classes the truth is an indicator per class, whose squared error is Gini's
//! impurity. A direction of P columns was fitted on the same n samples, so its error counts n/(n − P) times.
//!
//! Least squares, with a little ridge for columns that repeat each other, is solved by conjugate gradients, which needs no factorisation
//! and is stopped early where columns are many.

use super::parameters::Shape;
use super::samples::Samples;
use super::settle::Groups;
use crate::numeric::order::{sort_positions, sorted_positions};
use crate::numeric::slices::Slice;

/// Samples on each side of a cut, at least.
const LEAST: usize = 3;

/// A cut through a sum lies in a gap of at least this share of all its places: in a narrower one f32 weights would not keep the rows
/// apart.
const NARROWEST: f64 = 1e-5;

/// Steps of conjugate gradients, at most.
const STEPS: usize = 40;

/// Added to the diagonal of the normal equations, whose other entries there are 1: columns that add up to a constant but for their
/// rounding would else get weights of hundreds of thousands that cancel each other, and that f32 cannot hold.
const RIDGE: f64 = 1e-4;

/// What sorting and trying a sample costs, in numbers looked at.
const COST: usize = 12;
/// From so many samples on, sorting by digits is quicker than by comparison; both keep the order of equal places.
const MANY: usize = 2000;

/// Directions of least squares at a node, at most: those of the most frequent classes.
const DIRECTIONS: usize = 8;

/// The planes of a greedy tree.
pub struct Greedy {
    /// Weights (N × F) and constants (N), as in the list of all that is learned. A node without a plane has only zeros: no sample comes
    /// below it.
    pub planes: Vec<f64>,
    /// 1 for each weight that may move: those of the columns that a split may name together with its own; else 0 (N × F).
    pub free: Vec<f64>,
    /// Whether a node has a plane (N).
    pub splits: Vec<bool>,
}

/// A direction with its best cut.
struct Cut {
    columns: Vec<usize>,
    weights: Vec<f64>,
    bound: f64,
    /// The squared error that is left, with what the direction's own fit counts for.
    error: f64,
}

/// A node's samples together.
struct Whole {
    /// Weighted sums of the truth, and of the weights.
    sums: Vec<f64>,
    total: f64,
    /// The weighted sum of its squares, and what of it is left around the mean.
    squares: f64,
    error: f64,
}

/// Grows the tree of a shape on samples. `single` tries single columns only.
pub async fn grow(shape: &Shape, samples: &Samples, groups: &Groups, single: bool) -> Greedy {
    let (f, inner) = (shape.features, shape.inner());
    let mut tree =
        Greedy { planes: vec![0.0; shape.eta_at()], free: vec![0.0; shape.bias_at()], splits: vec![false; inner] };
    let truth = Truth::new(samples);
    let mut slice = Slice::default();
    slice.spend(4 * samples.len()).await;
    let mut reached: Vec<Vec<u32>> = vec![vec![]; shape.nodes()];
    reached[0] = (0..samples.len() as u32).collect();
    for t in 0..inner {
        let rows = std::mem::take(&mut reached[t]);
        let Some(cut) = truth.best_cut(samples, groups, &rows, single, &mut slice).await else { continue };
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

/// How far along a direction a sample is.
fn along(samples: &Samples, columns: &[usize], weights: &[f64], i: u32) -> f64 {
    let x = samples.design.row(i as usize);
    columns.iter().zip(weights).map(|(&j, w)| w * f64::from(x[j])).sum()
}

/// What is to be predicted, as numbers with a weight per sample.
struct Truth {
    /// N × K.
    values: Vec<f64>,
    width: usize,
    weight: Vec<f64>,
}

impl Truth {
    fn new(samples: &Samples) -> Truth {
        let width = samples.goal.answers();
        let mut values = vec![0.0; samples.len() * width];
        let mut weight = Vec::with_capacity(samples.len());
        for i in 0..samples.len() {
            let own = &mut values[i * width..(i + 1) * width];
            let w = samples.add_truth(i, own);
            own.iter_mut().for_each(|value| *value /= w);
            weight.push(w);
        }
        Truth { values, width, weight }
    }

    /// The weighted sum of some samples' truths, and of their weights.
    fn sums(&self, rows: &[u32]) -> (Vec<f64>, f64) {
        let (mut sums, mut total) = (vec![0.0; self.width], 0.0);
        for &i in rows {
            let (i, w) = (i as usize, self.weight[i as usize]);
            sums.iter_mut().zip(&self.values[i * self.width..]).for_each(|(sum, y)| *sum += w * y);
            total += w;
        }
        (sums, total)
    }

    async fn best_cut(
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
                *best = Some(Cut { columns: columns.to_vec(), weights: weights.to_vec(), bound, error: rest });
            }
        }
    }

    /// Which numbers of the truth a direction is fitted for: all of several, one of two classes, the most frequent classes.
    fn leading(&self, sums: &[f64]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.width).collect();
        sort_positions(&mut order, &|a, b| sums[b].abs().total_cmp(&sums[a].abs()));
        order.truncate(if self.width == 2 { 1 } else { DIRECTIONS });
        order
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
                let gain: f64 =
                    left.iter().zip(sums).map(|(l, all)| l * l / weight + (all - l) * (all - l) / right).sum();
                if best.is_none_or(|best| gain > best.0) {
                    best = Some((gain, below + (above - below) / 2.0));
                }
            }
        }
        best
    }

    /// The direction over some columns that predicts number `k` of the truth best in a straight line.
    fn least_squares(&self, samples: &Samples, columns: &[usize], rows: &[u32], k: usize) -> Vec<f64> {
        let p = columns.len();
        let total: f64 = rows.iter().map(|&i| self.weight[i as usize]).sum();
        let value = |i: u32| self.values[i as usize * self.width + k];
        let x = |i: u32, at: usize| f64::from(samples.design.row(i as usize)[columns[at]]);
        let mut centre = vec![0.0; p];
        let mut middle = 0.0;
        for &i in rows {
            let w = self.weight[i as usize] / total;
            (0..p).for_each(|at| centre[at] += w * x(i, at));
            middle += w * value(i);
        }
        // Deviations here: columns alike in scale make the steps few.
        let mut scale = vec![0.0; p];
        for &i in rows {
            let w = self.weight[i as usize] / total;
            (0..p).for_each(|at| scale[at] += w * (x(i, at) - centre[at]) * (x(i, at) - centre[at]));
        }
        scale.iter_mut().for_each(|s| *s = if *s > 1e-20 { 1.0 / s.sqrt() } else { 0.0 });
        let centred: Vec<f64> = rows
            .iter()
            .flat_map(|&i| (0..p).map(move |at| (i, at)))
            .map(|(i, at)| (x(i, at) - centre[at]) * scale[at])
            .collect();
        let weight: Vec<f64> = rows.iter().map(|&i| self.weight[i as usize] / total).collect();
        // Xᵀ W r for a vector r of the samples.
        let back = |r: &[f64]| {
            let mut to = vec![0.0; p];
            for (row, (r, w)) in centred.chunks_exact(p).zip(r.iter().zip(&weight)) {
                to.iter_mut().zip(row).for_each(|(to, x)| *to += w * r * x);
            }
            to
        };
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut solution = vec![0.0; p];
        let mut gradient = back(&rows.iter().map(|&i| value(i) - middle).collect::<Vec<f64>>());
        let mut direction = gradient.clone();
        let mut size = product(&gradient, &gradient);
        let first = size;
        for _ in 0..STEPS.min(p) {
            if size <= 1e-16 * first || first == 0.0 {
                break;
            }
            let seen: Vec<f64> = centred.chunks_exact(p).map(|row| product(row, &direction)).collect();
            let mut bent = back(&seen);
            bent.iter_mut().zip(&direction).for_each(|(bent, d)| *bent += RIDGE * d);
            let length = size / product(&direction, &bent).max(f64::MIN_POSITIVE);
            if !length.is_finite() {
                break;
            }
            for at in 0..p {
                solution[at] += length * direction[at];
                gradient[at] -= length * bent[at];
            }
            let next = product(&gradient, &gradient);
            direction.iter_mut().zip(&gradient).for_each(|(d, g)| *d = g + next / size * *d);
            size = next;
        }
        solution.iter().zip(&scale).map(|(w, s)| w * s).collect()
    }
}
