//! What the soft pass needs of a number beyond [`Real`]: an exponential that can be vectorised.

use crate::numeric::{Real, decay_within};

/// A number that the kernels run on: f32 where trees are trained, f64 where the same source is checked.
pub trait Exponential: Real {
    /// A reach probability is at least this. In f32 it keeps products of many small shares out of the
    /// subnormal numbers, which are a hundred times slower on some machines; f64 is for checks and has no
    /// bound.
    const LEAST: Self;

    /// e^self for `self <= 0`.
    fn decay(self) -> Self;
}

impl Exponential for f64 {
    const LEAST: f64 = 0.0;

    fn decay(self) -> f64 {
        libm::exp(self)
    }
}

impl Exponential for f32 {
    const LEAST: f32 = 1e-20;

    /// Below −30 the answer stays at 1e-13.
    #[inline(always)]
    fn decay(self) -> f32 {
        let x = if self > -30.0 { self } else { -30.0 };
        decay_within(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn the_exponential_never_comes_near_zero() {
        assert_eq!(0f32.decay(), 1.0);
        for far in [-31.0, -1e10, f32::NEG_INFINITY] {
            assert!(far.decay() > 0.0 && far.decay() < 1e-12);
        }
    }
}
