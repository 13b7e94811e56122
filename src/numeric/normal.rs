//! Quantiles of the normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The quantile of the standard normal distribution at `u`: the inverse of its distribution function Φ. Minus
/// and plus infinity at 0 and 1.
pub(crate) fn ndtri(u: f64) -> f64 {
    if !(u > 0.0 && u < 1.0) {
        return if u <= 0.0 {
            f64::NEG_INFINITY
        } else if u >= 1.0 {
            f64::INFINITY
        } else {
            f64::NAN
        };
    }
    // Φ is most accurate in its lower tail; above the median, 1 − u is exact.
    if u > 0.5 { -lower(1.0 - u) } else { lower(u) }
}

/// The quantile of `u` in (0, 0.5]. It starts from a rational approximation, accurate to 4.5e-4 (Abramowitz
/// and Stegun 26.2.23). Two steps of Halley's method on Φ(x) − u follow, each of which triples the number of
/// correct digits.
fn lower(u: f64) -> f64 {
    let t = (-2.0 * libm::log(u)).sqrt();
    let above = 2.515517 + t * (0.802853 + t * 0.010328);
    let below = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    let mut x = above / below - t;
    for _ in 0..2 {
        let off = 0.5 * libm::erfc(-x * FRAC_1_SQRT_2) - u;
        // The derivative of Φ is the density; the derivative of the density is −x times itself.
        let newton = off * (2.0 * PI).sqrt() * libm::exp(0.5 * x * x);
        x -= newton / (1.0 + 0.5 * x * newton);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles from tables of the normal distribution.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn known_quantiles() {
        for (u, x) in [
            (0.5, 0.0),
            (0.841_344_746_068_542_9, 1.0),
            (0.975, 1.959_963_984_540_054),
            (0.99, 2.326_347_874_040_841),
            (0.001, -3.090_232_306_167_813_5),
            (1e-7, -5.199_337_582_192_817),
        ] {
            assert!((ndtri(u) - x).abs() < 1e-12, "{u}: {} and {x}", ndtri(u));
            assert!((ndtri(1.0 - u) + x).abs() < 1e-8, "{u}");
        }
        assert_eq!((ndtri(0.0), ndtri(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(ndtri(f64::NAN).is_nan());
    }

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn the_distribution_function_leads_back() {
        let mut last = f64::NEG_INFINITY;
        for k in 1..10_000 {
            let u = f64::from(k) / 10_000.0;
            let x = ndtri(u);
            assert!(x > last);
            last = x;
            assert!((0.5 * libm::erfc(-x * FRAC_1_SQRT_2) - u).abs() < 1e-15, "{u}");
        }
    }
}
