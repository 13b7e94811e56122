//! Conjugate gradients: solves a system whose matrix is known only by its products.

/// The iteration stops once the squared residual is this share of the first one.
const SOLVED: f64 = 1e-16;

/// Solves `A k = b` from 0 in at most `steps` steps; `product` returns `A d` for a direction d.
///
/// A is symmetric and positive definite. No factorisation is needed, and few steps are enough if A is well
/// conditioned.
pub fn conjugate_gradients(product: impl Fn(&[f64]) -> Vec<f64>, b: Vec<f64>, steps: usize) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut k = vec![0.0; b.len()];
    let mut residual = b;
    let mut direction = residual.clone();
    let mut size = dot(&residual, &residual);
    let first = size;
    for _ in 0..steps {
        if size <= SOLVED * first || first == 0.0 {
            break;
        }
        let image = product(&direction);
        let length = size / dot(&direction, &image).max(f64::MIN_POSITIVE);
        if !length.is_finite() {
            break;
        }
        for at in 0..k.len() {
            k[at] += length * direction[at];
            residual[at] -= length * image[at];
        }
        let next = dot(&residual, &residual);
        direction.iter_mut().zip(&residual).for_each(|(d, r)| *d = r + next / size * *d);
        size = next;
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_steps_as_unknowns_solve_a_system() {
        let a = [[4.0, 1.0], [1.0, 3.0]];
        let product = |d: &[f64]| a.iter().map(|row| row[0] * d[0] + row[1] * d[1]).collect();
        let k = conjugate_gradients(product, vec![1.0, 2.0], 2);
        assert!((k[0] - 1.0 / 11.0).abs() < 1e-12 && (k[1] - 7.0 / 11.0).abs() < 1e-12, "{k:?}");
        assert_eq!(conjugate_gradients(product, vec![0.0; 2], 2), [0.0; 2]);
    }
}
