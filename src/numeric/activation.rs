//! Split functions: how far a decision leans to the left, from 0 to 1, and the slope of that.

use super::Real;

/// The function whose slope a straight-through split uses. All of them are 1/2 at 0 and round to the same
/// decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitFunction {
    /// `1 / (1 + e^−z)`: the slope falls exponentially, so distant samples have no influence.
    Sigmoid,
    /// `(z / (1 + |z|) + 1) / 2`: the slope falls with the square of the distance, so distant samples keep
    /// some influence.
    Softsign,
}

impl SplitFunction {
    /// s(z).
    pub fn value<R: Real>(self, z: R) -> R {
        match self {
            SplitFunction::Sigmoid => sigmoid(z),
            SplitFunction::Softsign => (z / (R::ONE + z.abs()) + R::ONE) * R::from_f64(0.5),
        }
    }

    /// s'(z), largest at 0.
    pub fn slope<R: Real>(self, z: R) -> R {
        let mut slope = [z];
        self.slopes(&mut slope);
        slope[0]
    }

    /// The slope for many values, in place.
    pub(crate) fn slopes<R: Real>(self, z: &mut [R]) {
        match self {
            SplitFunction::Sigmoid => z.iter_mut().for_each(|z| *z = sigmoid_slope(*z)),
            SplitFunction::Softsign => z.iter_mut().for_each(|z| *z = softsign_slope(*z)),
        }
    }
}

#[inline(always)]
fn softsign_slope<R: Real>(z: R) -> R {
    let reach = R::ONE + z.abs();
    R::from_f64(0.5) / (reach * reach)
}

/// s (1 − s), with the small factor computed directly: 1 − s would lose it for large z.
#[inline(always)]
fn sigmoid_slope<R: Real>(z: R) -> R {
    let e = (-z.abs()).exp_of_negative();
    e / ((R::ONE + e) * (R::ONE + e))
}

/// `1 / (1 + e^−z)`, without overflow on either side.
pub(crate) fn sigmoid<R: Real>(z: R) -> R {
    let e = (-z.abs()).portable_exp();
    if z < R::ZERO { e / (R::ONE + e) } else { R::ONE / (R::ONE + e) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn the_slope_is_the_derivative_of_the_value() {
        // Central differences with step 1e-5 have an error near 1e-11 in f64.
        let h = 1e-5;
        for split in [SplitFunction::Sigmoid, SplitFunction::Softsign] {
            for z in [-20.0, -3.0, -0.5, -1e-3, 1e-3, 0.7, 2.0, 15.0f64] {
                let difference = (split.value(z + h) - split.value(z - h)) / (2.0 * h);
                assert!((split.slope(z) - difference).abs() < 1e-9, "{split:?} at {z}");
            }
            assert_eq!(split.value(0.0f64), 0.5);
        }
    }

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn far_values_stay_numbers() {
        for z in [-1e30f32, -200.0, 200.0, 1e30] {
            for split in [SplitFunction::Sigmoid, SplitFunction::Softsign] {
                assert!(split.value(z).is_finite() && split.slope(z) >= 0.0);
            }
        }
    }
}
