//! The Cholesky factor of a symmetric positive definite matrix, and what it solves.

use nalgebra::{Cholesky, DMatrix};

/// L of `A = L Lᵀ` (n × n). Only its lower triangle is meaningful.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor(DMatrix<f64>);

impl Factor {
    /// Factorises A (n × n), given row by row; only its lower triangle is read. `None` if a pivot is not
    /// positive.
    pub fn of(a: &[f64], n: usize) -> Option<Factor> {
        Cholesky::new(DMatrix::from_row_slice(n, n, a)).map(|done| Factor(done.unpack_dirty()))
    }

    /// Solves `A k = b` in place; false if the solution is not finite.
    pub fn solve(&self, b: &mut [f64]) -> bool {
        let (l, n) = (&self.0, b.len());
        // L u = b, then Lᵀ k = u. The parent module explains why nalgebra's own solves are not used.
        for j in 0..n {
            let done: f64 = (0..j).map(|i| l[(j, i)] * b[i]).sum();
            b[j] = (b[j] - done) / l[(j, j)];
        }
        for j in (0..n).rev() {
            let done: f64 = (j + 1..n).map(|i| l[(i, j)] * b[i]).sum();
            b[j] = (b[j] - done) / l[(j, j)];
        }
        b.iter().all(|k| k.is_finite())
    }

    /// `A⁻¹ = L⁻ᵀ L⁻¹` (n × n), row by row.
    pub fn inverse(&self) -> Vec<f64> {
        let n = self.0.nrows();
        let mut lower = DMatrix::identity(n, n);
        self.0.solve_lower_triangular_unchecked_mut(&mut lower);
        let mut inverse = vec![0.0; n * n];
        for j in 0..n {
            for k in 0..=j {
                let sum: f64 = (j..n).map(|i| lower[(i, j)] * lower[(i, k)]).sum();
                inverse[j * n + k] = sum;
                inverse[k * n + j] = sum;
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::Random;

    #[test]
    fn an_inverse_is_one() {
        let matrix = [4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0];
        let inverse = Factor::of(&matrix, 3).unwrap().inverse();
        for (i, j) in (0..9).map(|at| (at / 3, at % 3)) {
            let product: f64 = (0..3).map(|k| matrix[i * 3 + k] * inverse[k * 3 + j]).sum();
            assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12, "{i} {j}: {product}");
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_has_no_factor() {
        assert_eq!(Factor::of(&[1.0, 0.0, 2.0, 1.0], 2), None);
        assert_eq!(Factor::of(&[0.0], 1), None);
        assert_eq!(Factor::of(&[f64::NAN], 1), None);
    }

    /// Compares with the textbook loops, whose bits trees in earlier files depend on.
    #[test]
    fn factor_and_inverse_have_the_bits_of_the_textbook_loops() {
        let mut random = Random::new(11);
        for n in 1..=40 {
            let rows: Vec<f64> = (0..n * (n + 3)).map(|_| random.normal()).collect();
            let product = |j: usize, k: usize| rows.chunks_exact(n).map(|x| x[j] * x[k]).sum::<f64>();
            let a: Vec<f64> = (0..n * n).map(|at| product(at / n, at % n)).collect();
            let mut l = a.clone();
            for j in 0..n {
                for k in 0..=j {
                    let sum = (0..k).fold(l[j * n + k], |sum, i| sum - l[j * n + i] * l[k * n + i]);
                    l[j * n + k] = if k < j { sum / l[k * n + k] } else { sum.sqrt() };
                }
            }
            let factor = Factor::of(&a, n).unwrap();
            for (j, k) in (0..n).flat_map(|j| (0..=j).map(move |k| (j, k))) {
                assert_eq!(factor.0[(j, k)].to_bits(), l[j * n + k].to_bits(), "n {n}: {j} {k}");
            }
            let mut solved = vec![0.0; n * n];
            for k in 0..n {
                solved[k * n + k] = 1.0 / l[k * n + k];
                for j in k + 1..n {
                    let done: f64 = (k..j).map(|i| l[j * n + i] * solved[i * n + k]).sum();
                    solved[j * n + k] = -done / l[j * n + j];
                }
            }
            let inverse = factor.inverse();
            for (j, k) in (0..n).flat_map(|j| (0..=j).map(move |k| (j, k))) {
                let sum: f64 = (j..n).map(|i| solved[i * n + j] * solved[i * n + k]).sum();
                assert_eq!(inverse[j * n + k].to_bits(), sum.to_bits(), "n {n}: {j} {k}");
            }
        }
    }
}
