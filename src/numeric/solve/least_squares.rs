//! Weighted ridge regression: centred normal equations, solved by Cholesky in f64.

use super::Factor;
use crate::numeric::Real;

/// Working memory of a fit.
#[derive(Debug, Clone)]
pub struct LeastSquares {
    features: usize,
    /// Which features may have a coefficient.
    summable: Vec<bool>,
    /// Means of the features.
    centre: Vec<f64>,
    /// F × F: the lower triangle of `Xc'Xc`.
    gram: Vec<f64>,
    /// `Xc'yc`, then the coefficients, then the constant after them (F + 1).
    model: Vec<f64>,
    row: Vec<f64>,
    /// The Cholesky factor of the last fit; `None` if the fit was a mean.
    factor: Option<Factor>,
}

impl LeastSquares {
    /// Working memory for F features; `summable` says which may have a coefficient.
    pub fn new(summable: &[bool]) -> Self {
        let features = summable.len();
        let zeros = |count: usize| vec![0.0; count];
        LeastSquares {
            features,
            summable: summable.to_vec(),
            centre: zeros(features),
            gram: zeros(features * features),
            model: zeros(features + 1),
            row: zeros(features),
            factor: None,
        }
    }

    /// Fits the model `k·x + h`. Returns coefficients and constant (F + 1). A sample is F or more values, its
    /// target and its weight.
    ///
    /// `(Xc'Xc + ρ I) k = Xc'yc`, `h = ȳ − k·x̄`, with ρ from the two numbers of `strength` as in [`ridge`].
    /// The ridge makes the equations solvable if samples are few or columns constant, and tends to the
    /// least-norm solution. With fewer than `rows_per_coefficient` samples of weight 1 per coefficient the
    /// model is the mean; without samples it is `empty`.
    pub fn fit<'a, R: Real, I>(
        &mut self,
        rows: impl Fn() -> I,
        strength: [f64; 2],
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
        self.factor = None;
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
            for (((row, x), centre), &summable) in
                self.row.iter_mut().zip(x).zip(&self.centre).zip(&self.summable)
            {
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
        self.factor = ridge(&mut self.gram, &mut self.model[..f], strength);
        if self.factor.is_some() {
            let shift: f64 = self.model.iter().zip(&self.centre).map(|(k, centre)| k * centre).sum();
            self.model[f] = mean - shift;
        } else {
            self.model[..f].fill(0.0);
        }
        &self.model
    }

    /// Coefficients of the last fit (F), and the Cholesky factor of its equations; `None` if the fit was a
    /// mean.
    pub fn solution(&self) -> Option<(&[f64], &Factor)> {
        let model = &self.model[..self.features];
        let any = model.iter().any(|&k| k != 0.0);
        self.factor.as_ref().filter(|_| any).map(|factor| (model, factor))
    }
}

/// Solves `(G + ρ I) k = m` in place of m, where the ridge ρ is `ridge` times the mean of G's diagonal, plus
/// `rho`.
///
/// * `gram` (F × F)  G row by row; only the lower triangle is read, and ρ is added to its diagonal
/// * `moments` (F)  m, then the coefficients k
///
/// `None` if no column varies, or if the equations have no finite solution.
pub fn ridge(gram: &mut [f64], moments: &mut [f64], [ridge, rho]: [f64; 2]) -> Option<Factor> {
    let f = moments.len();
    let trace: f64 = (0..f).map(|j| gram[j * f + j]).sum();
    let rho = ridge * trace / f as f64 + rho;
    (0..f).for_each(|j| gram[j * f + j] += rho);
    let factor = (trace > 0.0).then(|| Factor::of(gram, f)).flatten()?;
    factor.solve(moments).then_some(factor)
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
        let mut fit = LeastSquares::new(&[true; 2]);
        let given = || rows.iter().map(|(x, y)| (&x[..], *y, 1.0));
        let model = fit.fit(given, [1e-10, 0.0], 0.0, 0.0);
        assert!(model.iter().zip([2.0, -1.0, 0.5]).all(|(a, b)| (a - b).abs() < 1e-6), "{model:?}");
        assert_eq!(fit.fit(given, [1e-10, 0.0], 4.0, 0.0), [0.0, 0.0, 1.5]);
        assert_eq!(fit.fit(|| given().take(0), [1e-10, 0.0], 0.0, 7.0), [0.0, 0.0, 7.0]);
        // Two equal columns: the ridge splits the slope between them.
        let same: Vec<([f64; 2], f64)> = (0..4).map(|i| ([f64::from(i); 2], 3.0 * f64::from(i))).collect();
        let model = fit.fit(|| same.iter().map(|(x, y)| (&x[..], *y, 1.0)), [1e-8, 0.0], 0.0, 0.0);
        assert!((model[0] - 1.5).abs() < 1e-6 && (model[1] - 1.5).abs() < 1e-6, "{model:?}");
    }
}
