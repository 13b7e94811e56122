//! The inverse of a small matrix by Gauss–Jordan elimination.

/// The inverse of a matrix (p × p) with nonzero pivots on the diagonal, such as a positive definite one.
///
/// The order of elimination is fixed and no rows are exchanged, so columns that are exact copies get equal
/// numbers.
pub fn gauss_jordan(matrix: impl Fn(usize, usize) -> f64, p: usize) -> Vec<Vec<f64>> {
    // The matrix, and to its right the identity, which becomes the inverse.
    let mut rows: Vec<Vec<f64>> = (0..p)
        .map(|j| {
            let left = (0..p).map(|k| matrix(j, k));
            left.chain((0..p).map(|k| f64::from(u8::from(j == k)))).collect()
        })
        .collect();
    for j in 0..p {
        let pivot = rows[j][j];
        rows[j].iter_mut().for_each(|value| *value /= pivot);
        let own = rows[j].clone();
        for (k, row) in rows.iter_mut().enumerate() {
            let factor = row[j];
            if k != j && factor != 0.0 {
                row.iter_mut().zip(&own).for_each(|(value, own)| *value -= factor * own);
            }
        }
    }
    rows.into_iter().map(|mut row| row.split_off(p)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        let matrix = |j: usize, k: usize| 1.0 / (1 + j + k) as f64 + f64::from(u8::from(j == k));
        let inverse = gauss_jordan(matrix, 4);
        for (j, k) in (0..16).map(|at| (at / 4, at % 4)) {
            let product: f64 = (0..4).map(|i| matrix(j, i) * inverse[i][k]).sum();
            assert!((product - f64::from(u8::from(j == k))).abs() < 1e-12, "{j} {k}: {product}");
        }
    }
}
