//! Least squares for a leaf: centred normal equations with a ridge, solved by Cholesky in f64.

use super::need::Need;
use crate::numeric::Real;

/// Memory of one fit.
#[derive(Debug, Clone)]
pub struct Normal {
    features: usize,
    /// Which features may have a coefficient.
    summable: Vec<bool>,
    /// Means of the features.
    centre: Vec<f64>,
    /// F × F: the lower triangle of `Xc'Xc`, then its Cholesky factor.
    gram: Vec<f64>,
    /// `Xc'yc`, then the coefficients, then the constant behind them (F + 1).
    model: Vec<f64>,
    row: Vec<f64>,
}

impl Normal {
    /// Room for features, of which some may have a coefficient.
    pub fn new(summable: &[bool]) -> Self {
        let features = summable.len();
        let zeros = |count: usize| vec![0.0; count];
        Normal {
            features,
            summable: summable.to_vec(),
            centre: zeros(features),
            gram: zeros(features * features),
            model: zeros(features + 1),
            row: zeros(features),
        }
    }

    /// Coefficients and constant (F + 1) of the model `k·x + h` of some samples, each F or more values, its target and its weight.
    ///
    /// `(Xc'Xc + ρ I) k = Xc'yc`, `h = ȳ − k·x̄`, with ρ = `ridge` times the mean of the diagonal, plus `rho`. It makes the
    /// equations solvable where samples are few or columns constant, and tends to the least-norm solution. With fewer than
    /// `rows_per_coefficient` samples of weight 1 per coefficient the answer is the mean; without any sample it is `empty`.
    pub fn fit<'a, R: Real, I>(
        &mut self,
        rows: impl Fn() -> I,
        [ridge, rho]: [f64; 2],
        rows_per_coefficient: f64,
        empty: f64,
    ) -> &[f64]
    where
        I: Iterator<Item = (&'a [R], f64, f64)>,
    {
        let f = self.features;
        self.centre.fill(0.0);
        self.gram.fill(0.0);
        self.model.fill(0.0);
        let (mut count, mut mean) = (0.0, 0.0);
        for (x, y, weight) in rows() {
            count += weight;
            mean += weight * y;
            self.centre.iter_mut().zip(x).for_each(|(sum, x)| *sum += weight * x.to_f64());
        }
        self.model[f] = if count > 0.0 { mean / count } else { empty };
        if count <= 1.0 || count < rows_per_coefficient * (f + 1) as f64 {
            return &self.model;
        }
        let mean = mean / count;
        self.centre.iter_mut().for_each(|sum| *sum /= count);
        for (x, y, weight) in rows() {
            for (((row, x), centre), &summable) in self.row.iter_mut().zip(x).zip(&self.centre).zip(&self.summable) {
                // A column of zeros gets no coefficient.
                *row = if summable { x.to_f64() - centre } else { 0.0 };
            }
            for j in 0..f {
                let xj = weight * self.row[j];
                self.model[j] += xj * (y - mean);
                for (sum, xk) in self.gram[j * f..j * f + j + 1].iter_mut().zip(&self.row) {
                    *sum += xj * xk;
                }
            }
        }
        let trace: f64 = (0..f).map(|j| self.gram[j * f + j]).sum();
        let rho = ridge * trace / f as f64 + rho;
        (0..f).for_each(|j| self.gram[j * f + j] += rho);
        if trace > 0.0 && cholesky_solve(&mut self.gram, &mut self.model[..f]) {
            let shift: f64 = self.model.iter().zip(&self.centre).map(|(k, centre)| k * centre).sum();
            self.model[f] = mean - shift;
        } else {
            self.model[..f].fill(0.0);
        }
        &self.model
    }
}

impl Normal {
    /// Which of the last fit's features it needs; none if it answered with a mean.
    pub fn need(&self) -> Option<Need> {
        let model = &self.model[..self.features];
        model.iter().any(|&k| k != 0.0).then(|| Need::of(model, &self.gram, self.features))
    }
}

/// Solves `A k = b` in place, A (n × n) given by its lower triangle; false if a pivot is not positive.
pub fn cholesky_solve(a: &mut [f64], b: &mut [f64]) -> bool {
    let n = b.len();
    for j in 0..n {
        for k in 0..=j {
            let mut sum = a[j * n + k];
            for i in 0..k {
                sum -= a[j * n + i] * a[k * n + i];
            }
            if k < j {
                a[j * n + k] = sum / a[k * n + k];
            } else if sum > 0.0 {
                a[j * n + j] = sum.sqrt();
            } else {
                return false;
            }
        }
    }
    for j in 0..n {
        let done: f64 = (0..j).map(|i| a[j * n + i] * b[i]).sum();
        b[j] = (b[j] - done) / a[j * n + j];
    }
    for j in (0..n).rev() {
        let done: f64 = (j + 1..n).map(|i| a[i * n + j] * b[i]).sum();
        b[j] = (b[j] - done) / a[j * n + j];
    }
    b.iter().all(|k| k.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_found_and_too_few_rows_answer_with_their_mean() {
        let rows: Vec<([f64; 2], f64)> = (0..9)
            .map(|i| {
                let x = [f64::from(i % 3), f64::from(i / 3)];
                (x, 2.0 * x[0] - x[1] + 0.5)
            })
            .collect();
        let mut normal = Normal::new(&[true; 2]);
        let given = || rows.iter().map(|(x, y)| (&x[..], *y, 1.0));
        let model = normal.fit(given, [1e-10, 0.0], 0.0, 0.0);
        assert!(model.iter().zip([2.0, -1.0, 0.5]).all(|(a, b)| (a - b).abs() < 1e-6), "{model:?}");
        assert_eq!(normal.fit(given, [1e-10, 0.0], 4.0, 0.0), [0.0, 0.0, 1.5]);
        assert_eq!(normal.fit(|| given().take(0), [1e-10, 0.0], 0.0, 7.0), [0.0, 0.0, 7.0]);
        // Columns that are one: the ridge shares the slope between them.
        let same: Vec<([f64; 2], f64)> = (0..4).map(|i| ([f64::from(i); 2], 3.0 * f64::from(i))).collect();
        let model = normal.fit(|| same.iter().map(|(x, y)| (&x[..], *y, 1.0)), [1e-8, 0.0], 0.0, 0.0);
        assert!((model[0] - 1.5).abs() < 1e-6 && (model[1] - 1.5).abs() < 1e-6, "{model:?}");
    }
}
