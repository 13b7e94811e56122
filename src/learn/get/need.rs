//! Which columns a fit needs, and what becomes of it with fewer.

/// A fit with fewer and fewer columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Need {
    /// Columns, by their positions, in the order of need: the last one is what the fit can do without at the least loss, the one before
    /// what it can then do without, and so on. Of columns that say the same all but one come last.
    pub order: Vec<usize>,
    /// The coefficients with 0, 1, … of these columns; those of the others are 0.
    pub models: Vec<Vec<f64>>,
}

impl Need {
    /// Of a solution and its curvature, which is given by its Cholesky factor (n × n). The first `columns` coefficients are those of
    /// columns; what is behind them, a constant, stays.
    ///
    /// A quadratic about the solution says what each column is worth, `k² / (2 V)` with the curvature's inverse V, and how the
    /// others' coefficients follow when it goes (Hassibi and Stork's surgeon), so no sample is looked at again. For least squares
    /// that is exact.
    pub fn of(model: &[f64], factor: &[f64], columns: usize) -> Need {
        let width = model.len();
        let (mut model, mut inverse) = (model.to_vec(), inverse(factor, width));
        // Columns that are left, then what stays.
        let mut left: Vec<usize> = (0..width).collect();
        let (mut order, mut models) = (vec![], vec![model.clone()]);
        for count in (1..=columns).rev() {
            let worth = |j: usize| model[j] * model[j] / inverse[j * width + j];
            let least = (1..count).fold(0, |least, i| if worth(left[i]) < worth(left[least]) { i } else { least });
            let gone = left.remove(least);
            order.push(gone);
            let line = inverse[gone * width..][..width].to_vec();
            let (k, v) = (model[gone] / line[gone], line[gone]);
            for &j in &left {
                model[j] -= k * line[j];
                for &i in &left {
                    inverse[j * width + i] -= line[j] * line[i] / v;
                }
            }
            model[gone] = 0.0;
            models.push(model.clone());
        }
        order.reverse();
        models.reverse();
        Need { order, models }
    }
}

/// The inverse of a matrix (n × n) whose Cholesky factor is given in the lower triangle.
fn inverse(factor: &[f64], n: usize) -> Vec<f64> {
    // The factor's own inverse, then its transpose times itself.
    let mut solved = vec![0.0; n * n];
    for k in 0..n {
        solved[k * n + k] = 1.0 / factor[k * n + k];
        for j in k + 1..n {
            let done: f64 = (k..j).map(|i| factor[j * n + i] * solved[i * n + k]).sum();
            solved[j * n + k] = -done / factor[j * n + j];
        }
    }
    let mut inverse = vec![0.0; n * n];
    for j in 0..n {
        for k in 0..=j {
            let sum: f64 = (j..n).map(|i| solved[i * n + j] * solved[i * n + k]).sum();
            inverse[j * n + k] = sum;
            inverse[k * n + j] = sum;
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::super::linear::{Normal, cholesky_solve};
    use super::*;
    use crate::numeric::random::Random;

    #[test]
    fn an_inverse_is_one() {
        let matrix = [4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0];
        let mut factor = matrix.to_vec();
        assert!(cholesky_solve(&mut factor, &mut [1.0, 1.0, 1.0]));
        let inverse = inverse(&factor, 3);
        for (i, j) in (0..9).map(|at| (at / 3, at % 3)) {
            let product: f64 = (0..3).map(|k| matrix[i * 3 + k] * inverse[k * 3 + j]).sum();
            assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12, "{i} {j}: {product}");
        }
    }

    /// What the surgeon says is what a fit of those columns alone finds.
    #[test]
    fn fewer_columns_of_least_squares_are_their_own_fit() {
        let mut random = Random::new(6);
        let rows: Vec<([f64; 5], f64)> = (0..200)
            .map(|_| {
                let x: [f64; 5] = std::array::from_fn(|_| random.uniform());
                (x, 3.0 * x[1] - 2.0 * x[4] + 0.5 * x[0] + 0.05 * x[2] + 0.1 * random.normal())
            })
            .collect();
        let given = || rows.iter().map(|(x, y)| (&x[..], *y, 1.0));
        let mut normal = Normal::new(&[true; 5]);
        assert!(normal.need().is_none(), "nothing was fitted");
        normal.fit(given, [1e-12, 0.0], 0.0, 0.0);
        let Need { order, models } = normal.need().unwrap();
        assert_eq!(order[..3], [1, 4, 0]);
        assert_eq!(models.len(), 6);
        for (count, model) in models.iter().enumerate() {
            let allowed: Vec<bool> = (0..5).map(|column| order[..count].contains(&column)).collect();
            let alone = Normal::new(&allowed).fit(given, [1e-12, 0.0], 0.0, 0.0).to_vec();
            assert!(model.iter().zip(&alone).all(|(a, b)| (a - b).abs() < 1e-8), "{count}: {model:?} {alone:?}");
        }
    }
}
