//! Directions that predict a number of the targets: least squares by conjugate gradients.

use super::cuts::Targets;
use crate::learn::relaxed::paper::samples::Samples;
use crate::numeric::order::sort_positions;
use crate::numeric::solve::conjugate_gradients;

/// Steps of conjugate gradients, at most.
pub(super) const STEPS: usize = 40;

/// Added to the diagonal of the normal equations, whose other entries there are 1. Without it, columns that
/// sum to a constant up to rounding get weights of hundreds of thousands that cancel each other, which f32
/// cannot hold.
const RIDGE: f64 = 1e-4;

/// Directions of least squares at a node, at most: those of the most frequent classes.
const DIRECTIONS: usize = 8;

impl Targets {
    /// Which numbers of the targets a direction is fitted for: all of several, one of two classes, the most
    /// frequent classes.
    pub(super) fn leading(&self, sums: &[f64]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.width).collect();
        sort_positions(&mut order, &|a, b| sums[b].abs().total_cmp(&sums[a].abs()));
        order.truncate(if self.width == 2 { 1 } else { DIRECTIONS });
        order
    }

    /// The direction over some columns that predicts number `k` of the targets best.
    pub(super) fn least_squares(
        &self,
        samples: &Samples,
        columns: &[usize],
        rows: &[u32],
        k: usize,
    ) -> Vec<f64> {
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
        let image = |direction: &[f64]| {
            let along = |row: &[f64]| row.iter().zip(direction).map(|(x, d)| x * d).sum::<f64>();
            let mut image = back(&centred.chunks_exact(p).map(along).collect::<Vec<f64>>());
            image.iter_mut().zip(direction).for_each(|(image, d)| *image += RIDGE * d);
            image
        };
        let moments = back(&rows.iter().map(|&i| value(i) - middle).collect::<Vec<f64>>());
        let solution = conjugate_gradients(image, moments, STEPS.min(p));
        solution.iter().zip(&scale).map(|(w, s)| w * s).collect()
    }
}
