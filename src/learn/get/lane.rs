//! What the soft pass needs of a number beyond [`Real`]: an exponential that runs in lanes.

use super::four::{Four, FourF32};
use crate::numeric::Real;

/// A number that the kernels run on: f32 where trees are trained, f64 where the same source is checked.
pub trait Lane: Real {
    /// Four of them side by side.
    type Four: Four<Self>;

    /// A reach probability is at least this. In f32 it keeps products of many small shares out of the subnormal numbers, which are
    /// a hundred times slower on some machines; f64 is for checks and has no bound.
    const LEAST: Self;

    /// e^self for `self <= 0`.
    fn decay(self) -> Self;
}

impl Lane for f64 {
    type Four = [f64; 4];

    const LEAST: f64 = 0.0;

    fn decay(self) -> f64 {
        libm::exp(self)
    }
}

impl Lane for f32 {
    type Four = FourF32;

    const LEAST: f32 = 1e-20;

    /// Without a branch or a table, so that the compiler runs it in lanes: `e^x = 2^n e^r` with n whole and |r| <= ln 2 / 2,
    /// e^r by its power series to r⁶ (relative error 1.2e-7). Below −30 the answer stays at 1e-13.
    #[inline(always)]
    fn decay(self) -> f32 {
        /// ln 2 in two parts, of which the first has few enough bits to be multiplied by n exactly.
        const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
        /// Adding it rounds to a whole number, which is then found in the lowest bits.
        const ROUND: f32 = 12_582_912.0;
        let x = if self > -30.0 { self } else { -30.0 };
        let shifted = x * std::f32::consts::LOG2_E + ROUND;
        let n = shifted - ROUND;
        let r = x - n * LN_2[0] - n * LN_2[1];
        let series = 1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0));
        let series = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * series)));
        let power = f32::from_bits(shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127) << 23);
        series * power
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn the_exponential_in_lanes_is_right_to_two_units_in_the_last_place() {
        for i in 0..=30_000 {
            let x = -(i as f32) / 1000.0;
            let (quick, exact) = (f64::from(x.decay()), libm::exp(f64::from(x)));
            assert!((quick - exact).abs() <= 2.4e-7 * exact, "e^{x}: {quick} and {exact}");
        }
        assert_eq!(0f32.decay(), 1.0);
        for far in [-31.0, -1e10, f32::NEG_INFINITY] {
            assert!(far.decay() > 0.0 && far.decay() < 1e-12);
        }
    }
}
