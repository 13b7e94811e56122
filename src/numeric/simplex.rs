//! From scores to a point of the simplex: entmax with α = 1.5 (Peters, Niculae, Martins: *Sparse Sequence-to-Sequence
//! Models*, ACL 2019, algorithm 2 and proposition 1), sparse where a softmax is not.
//!
//! Both functions speak of r = √p instead of p: the derivative needs r, and p is its square.

use super::Real;

/// The square roots of entmax 1.5: `r_j = max(x_j − τ, 0)` with `x = (v − max v) / 2` and τ such that `Σ r_j² = 1`.
///
/// * `v` (n)  scores, n ≥ 1
/// * `r` (n)  out; 0 outside of the support
/// * `sorted` scratch memory, kept by the caller so that it is allocated once
///
/// A best score that leads by 2 or more gives exactly one 1.
pub fn entmax15_root<R: Real>(v: &[R], r: &mut [R], sorted: &mut Vec<R>) {
    debug_assert!(!v.is_empty() && v.len() == r.len());
    let half = R::from_f64(0.5);
    let most = v.iter().copied().fold(v[0], R::max);
    for (r, &v) in r.iter_mut().zip(v) {
        *r = (v - most) * half;
    }
    // The best score has x = 0 and p <= 1, so τ >= -1 and nothing at or below -1 can be in the support.
    sorted.clear();
    sorted.extend(r.iter().copied().filter(|&x| x > -R::ONE));
    sorted.sort_unstable_by(|a, b| b.total_cmp(a));

    let tau = R::from_f64(threshold(sorted));
    for r in r.iter_mut() {
        *r = (*r - tau).max(R::ZERO);
    }
}

/// τ for values sorted in descending order, the first of them 0. In f64, since it subtracts nearly equal sums.
fn threshold<R: Real>(sorted: &[R]) -> f64 {
    let (mut sum, mut squares) = (0.0, 0.0);
    let mut tau = -1.0;
    for (k, &x) in sorted.iter().enumerate() {
        let (k, x) = ((k + 1) as f64, x.to_f64());
        sum += x;
        squares += x * x;
        let mean = sum / k;
        let delta = (1.0 - (squares - sum * mean)) / k;
        let candidate = mean - f64::max(delta, 0.0).sqrt();
        // The condition holds for a prefix of the sorted values, so the first failure ends the search.
        if candidate > x {
            break;
        }
        tau = candidate;
    }
    tau
}

/// The product of entmax 1.5's Jacobian, `diag(r) − r rᵀ / Σr`, with a direction, in place. The Jacobian is symmetric, so
/// this serves forward and backward alike.
///
/// * `r` (n)  the square roots that [`entmax15_root`] gave
/// * `g` (n)  the direction; out: the product
pub fn entmax15_product<R: Real>(r: &[R], g: &mut [R]) {
    debug_assert_eq!(r.len(), g.len());
    let (mut total, mut along) = (R::ZERO, R::ZERO);
    for (&r, &g) in r.iter().zip(g.iter()) {
        total += r;
        along += r * g;
    }
    let mean = along / total;
    for (&r, g) in r.iter().zip(g.iter_mut()) {
        *g = r * (*g - mean);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(v: &[f64]) -> Vec<f64> {
        let mut r = vec![0.0; v.len()];
        entmax15_root(v, &mut r, &mut Vec::new());
        r
    }

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn equal_scores_share_and_a_lead_of_two_takes_all() {
        assert_eq!(root(&[3.0, 3.0, 3.0, 3.0]), [0.5; 4]);
        assert_eq!(root(&[7.0]), [1.0]);
        for lead in [2.0, 2.5, 1e6] {
            let r = root(&[1.0, 1.0 + lead, 0.5]);
            assert_eq!(r, [0.0, 1.0, 0.0]);
            let mut g = [0.3, -0.7, 5.0];
            entmax15_product(&r, &mut g);
            assert_eq!(g, [0.0; 3]);
        }
    }
}
