//! Maps scores to a point of the simplex by entmax with α = 1.5 (Peters, Niculae, Martins: *Sparse
//! Sequence-to-Sequence Models*, ACL 2019, algorithm 2 and proposition 1). Unlike softmax, it is sparse.
//!
//! Both functions work with r = √p instead of p: the derivative needs r, and p is its square.

use super::Real;
use super::lanes::{Above, above, largest, sum_and_product};

/// The square roots of entmax 1.5: `r_j = max(x_j − τ, 0)` with `x = (v − max v) / 2` and τ such that `Σ r_j²
/// = 1`.
///
/// * `v` (n)  scores, n ≥ 1
/// * `r` (n)  out; 0 outside the support
///
/// If the best score leads by 2 or more, the result is exactly one-hot.
pub fn entmax15_root<R: Real>(v: &[R], r: &mut [R]) {
    debug_assert!(!v.is_empty() && v.len() == r.len());
    let half = R::from_f64(0.5);
    let most = largest(v);
    for (r, &v) in r.iter_mut().zip(v) {
        *r = (v - most) * half;
    }
    let tau = R::from_f64(threshold(r));
    for r in r.iter_mut() {
        *r = (*r - tau).max(R::ZERO);
    }
}

/// Maximum number of Newton steps in the search for τ. Two or three are enough; only NaN needs more.
const MOST_STEPS: usize = 64;

/// τ for values whose maximum is 0, without sorting them.
///
/// `f(τ) = √(Σ max(x − τ, 0)²)` is decreasing, convex and nearly straight. Newton steps start at −1, where f
/// is at least 1, and approach the solution of f = 1 from below without passing it. After each step, τ is
/// computed as if the values above the step were the support. If no value lies between the step and this τ,
/// they are the support. The result is then exact, not approximate.
///
/// Sums are of x itself, which is small where the support is large, so f32 loses little precision.
fn threshold<R: Real>(x: &[R]) -> f64 {
    let mut bound = R::from_f64(-1.0);
    for _ in 0..MOST_STEPS {
        let Above { count, sum, squares, least } = above(x, bound);
        let (count, sum, squares) = (count.to_f64(), sum.to_f64(), squares.to_f64());
        // The smaller root of Σ (x − t)² = 1 over the values above.
        let mean = sum / count;
        let under = (1.0 - (squares - sum * mean)) / count;
        let right = mean - f64::max(under, 0.0).sqrt();
        if under >= 0.0 && least.to_f64() >= right {
            return right;
        }
        let tau = bound.to_f64();
        let norm = (squares - 2.0 * tau * sum + count * tau * tau).sqrt();
        let next = R::from_f64(tau + (norm - 1.0) * norm / (sum - count * tau));
        if next <= bound {
            // Too close for the type to resolve.
            break;
        }
        bound = next;
    }
    bound.to_f64()
}

/// Multiplies entmax 1.5's Jacobian, `diag(r) − r rᵀ / Σr`, with a direction, in place. The Jacobian is
/// symmetric, so this serves both forward and backward passes.
///
/// * `r` (n)  the square roots from [`entmax15_root`]
/// * `g` (n)  the direction; out: the product
pub fn entmax15_product<R: Real>(r: &[R], g: &mut [R]) {
    debug_assert_eq!(r.len(), g.len());
    let (total, along) = sum_and_product(r, g);
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
        entmax15_root(v, &mut r);
        r
    }

    /// τ as published: sort, and take the longest prefix whose last value is still above the prefix's own τ.
    fn sorted_root(v: &[f64]) -> Vec<f64> {
        let most = v.iter().copied().fold(f64::MIN, f64::max);
        let x: Vec<f64> = v.iter().map(|v| (v - most) / 2.0).collect();
        let mut sorted = x.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let mut tau = -1.0;
        for k in 1..=sorted.len() {
            let mean = sorted[..k].iter().sum::<f64>() / k as f64;
            let spread: f64 = sorted[..k].iter().map(|x| (x - mean) * (x - mean)).sum();
            let candidate = mean - f64::max((1.0 - spread) / k as f64, 0.0).sqrt();
            if candidate > sorted[k - 1] {
                break;
            }
            tau = candidate;
        }
        x.iter().map(|x| f64::max(x - tau, 0.0)).collect()
    }

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn the_search_finds_what_sorting_finds() {
        let mut random = crate::numeric::random::Random::new(15);
        for case in 0..3000 {
            let spread = [1e-9, 0.01, 0.5, 2.0, 50.0][case % 5];
            // Coarse values have ties, and values exactly on the threshold.
            let coarse = |value: f64| if case % 3 == 0 { (value * 4.0).round() / 4.0 } else { value };
            let v: Vec<f64> = (0..1 + random.below(60)).map(|_| spread * coarse(random.normal())).collect();
            for (ours, theirs) in root(&v).iter().zip(sorted_root(&v)) {
                assert!((ours - theirs).abs() < 1e-12, "{v:?}: {ours} and {theirs}");
            }
        }
    }

    #[test]
    fn what_is_no_number_ends_the_search() {
        assert_eq!(root(&[f64::NAN, 1.0]).len(), 2);
        assert_eq!(root(&[f64::INFINITY, 1.0]).len(), 2);
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
