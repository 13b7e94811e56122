//! The number types that kernels run on.

use std::cmp::Ordering;
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::four::{Four, FourF32};

/// A floating-point number: f32 for training, f64 to check the same source against other programs.
///
/// Everything beyond `+ - * /` and the square root goes through `libm`, because system functions differ in
/// their last bits between machines.
pub trait Real:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
{
    /// Four of them side by side.
    type Four: Four<Self>;

    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;

    /// The nearest number of this type.
    fn from_f64(value: f64) -> Self;
    /// The same number in f64.
    fn to_f64(self) -> f64;
    /// e^self.
    fn portable_exp(self) -> Self;
    /// e^self for `self <= 0`, in a form that vectorises; 0 if the result would not be a normal number.
    fn exp_of_negative(self) -> Self;
    /// The natural logarithm.
    fn portable_ln(self) -> Self;
    /// ln(1 + self), accurate near 0.
    fn portable_ln_1p(self) -> Self;
    /// self^exponent.
    fn portable_pow(self, exponent: Self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// The absolute value.
    fn abs(self) -> Self;
    /// Whether this is neither NaN nor infinite.
    fn is_finite(self) -> bool;
    /// A total order that includes NaN: sorting must not panic when a run diverges.
    fn total_cmp(&self, other: &Self) -> Ordering;

    /// The greater of two numbers; `other` if either is NaN.
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
}

macro_rules! real {
    ($type:ident, $four:ty, $decay:path, $exp:ident, $log:ident, $log1p:ident, $pow:ident) => {
        impl Real for $type {
            type Four = $four;

            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;

            #[inline]
            fn from_f64(value: f64) -> Self {
                value as $type
            }
            #[inline]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            fn portable_exp(self) -> Self {
                libm::$exp(self)
            }
            #[inline(always)]
            fn exp_of_negative(self) -> Self {
                $decay(self)
            }
            fn portable_ln(self) -> Self {
                libm::$log(self)
            }
            fn portable_ln_1p(self) -> Self {
                libm::$log1p(self)
            }
            fn portable_pow(self, exponent: Self) -> Self {
                libm::$pow(self, exponent)
            }
            #[inline]
            fn sqrt(self) -> Self {
                $type::sqrt(self)
            }
            #[inline]
            fn abs(self) -> Self {
                $type::abs(self)
            }
            #[inline]
            fn is_finite(self) -> bool {
                $type::is_finite(self)
            }
            #[inline]
            fn total_cmp(&self, other: &Self) -> Ordering {
                $type::total_cmp(self, other)
            }
        }
    };
}

real!(f32, FourF32, decay, expf, logf, log1pf, powf);
real!(f64, [f64; 4], libm::exp, exp, log, log1p, pow);

/// e^x without branches or tables: `e^x = 2^n e^r` with n whole and |r| <= ln 2 / 2, and e^r by its power
/// series to r⁶ (relative error 1.2e-7).
#[inline(always)]
fn decay(x: f32) -> f32 {
    /// Below this the result would not be a normal number.
    const LEAST: f32 = -87.0;
    // NaN stays NaN.
    let held = if x < LEAST { LEAST } else { x };
    let held = decay_within(held);
    if x < LEAST { 0.0 } else { held }
}

/// The same for x from −87 to 0, which needs no clamping.
#[inline(always)]
pub(crate) fn decay_within(x: f32) -> f32 {
    /// ln 2 in two parts; the first has few enough bits for an exact product with n.
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    /// Adding this rounds to a whole number, which is then in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = x - n * LN_2[0] - n * LN_2[1];
    let series = 1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0));
    let series = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * series)));
    let power = f32::from_bits(shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127) << 23);
    series * power
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pins the bits of a few values, so that a change of library or target shows. ln 3 in f64 is not the
    /// nearest number, which the system's own function returns here: the two must not be mixed.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn transcendental_functions_keep_their_bits() {
        assert_eq!(Real::portable_exp(0.5f32).to_bits(), 0x3fd3_094c);
        assert_eq!(Real::portable_ln(3.0f32).to_bits(), 0x3f8c_9f54);
        assert_eq!(Real::portable_exp(0.5f64).to_bits(), 0x3ffa_6129_8e1e_069c);
        assert_eq!(Real::portable_ln(3.0f64).to_bits(), 0x3ff1_93ea_7aad_030a);
        assert_eq!(Real::portable_ln_1p(1e-20f64), 1e-20);
        assert_eq!(Real::portable_pow(0.25f32, 1.5), 0.125);
    }

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn the_exponential_in_lanes_is_right_to_two_units_in_the_last_place() {
        for i in 0..=87_000 {
            let x = -(i as f32) / 1000.0;
            let (quick, exact) = (f64::from(x.exp_of_negative()), libm::exp(f64::from(x)));
            assert!((quick - exact).abs() <= 2.4e-7 * exact, "e^{x}: {quick} and {exact}");
        }
        assert_eq!((0f32.exp_of_negative(), 0f64.exp_of_negative()), (1.0, 1.0));
        for far in [-87.1, -1e10, f32::NEG_INFINITY] {
            assert_eq!(far.exp_of_negative(), 0.0);
        }
        assert!(f32::NAN.exp_of_negative().is_nan() && f64::NAN.exp_of_negative().is_nan());
    }

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn the_maximum_passes_over_nan_on_the_left() {
        assert_eq!(Real::max(f64::NAN, 0.0), 0.0);
        assert_eq!(Real::max(2.0f32, 1.0), 2.0);
    }
}
