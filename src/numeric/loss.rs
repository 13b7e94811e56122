//! Losses of one sample, with their gradient with respect to the raw output.
//!
//! All of them start from the raw output, not from a probability. So a confidently wrong sample has a finite
//! loss and keeps its full gradient.

use super::Real;
use super::pinball::Pinball;

/// The true label of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Truth<R> {
    /// A class; 0 or 1 with a single logit.
    Class(usize),
    /// A number.
    Value(R),
}

/// A loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Loss {
    /// Classification, by cross-entropy with two published extensions.
    ///
    /// One raw output is the logit of class 1 against class 0; several are one logit per class. With `p` the
    /// probability of the true class, the loss is `−(1−p)^γ ln p + ε (1−p)`.
    Classes {
        /// γ of the focal loss (Lin et al., 2017): how strongly samples that are already right are
        /// down-weighted. 0 is cross-entropy.
        focal_gamma: f64,
        /// ε of PolyLoss (Leng et al., 2022): extra weight on the first term of the cross-entropy's series. 0
        /// is none.
        poly_epsilon: f64,
    },
    /// Regression, by squared error.
    SquaredError,
    /// Regression, by absolute error or by the pinball loss of a quantile. The gradient of an exact
    /// prediction is taken as 0.
    Pinball(Pinball),
}

impl Loss {
    /// Plain cross-entropy.
    pub const CROSS_ENTROPY: Loss = Loss::Classes { focal_gamma: 0.0, poly_epsilon: 0.0 };

    /// The loss in which trainings on one target are shown, whatever each minimises: for classes, the
    /// cross-entropy.
    pub(crate) fn plain(&self) -> Loss {
        match self {
            Loss::Classes { .. } => Loss::CROSS_ENTROPY,
            numbers => *numbers,
        }
    }

    /// Returns the weighted loss of one sample, and writes its weighted gradient.
    ///
    /// * `u` (C)    raw outputs
    /// * `d_u` (C)  out: gradient with respect to `u`
    ///
    /// # Panics
    /// If the truth is a class and the loss is for regression, or the reverse.
    pub fn evaluate<R: Real>(&self, u: &[R], truth: Truth<R>, weight: R, d_u: &mut [R]) -> R {
        match (*self, truth) {
            (Loss::SquaredError, Truth::Value(y)) => {
                let off = u[0] - y;
                d_u[0] = weight * (off + off);
                weight * off * off
            }
            (Loss::Pinball(Pinball { quantile, scale }), Truth::Value(y)) => {
                let off = u[0] - y;
                let slope = match (off > R::ZERO, off < R::ZERO) {
                    (true, _) => R::from_f64(scale * (1.0 - quantile)),
                    (_, true) => R::from_f64(-scale * quantile),
                    _ => R::ZERO,
                };
                d_u[0] = weight * slope;
                weight * slope * off
            }
            (Loss::Classes { focal_gamma, poly_epsilon }, Truth::Class(class)) => {
                let odds = if let [u] = *u { logistic(u, class, d_u) } else { softmax(u, class, d_u) };
                let (value, factor) = odds.loss(R::from_f64(focal_gamma), R::from_f64(poly_epsilon));
                for d in d_u.iter_mut() {
                    *d *= weight * factor;
                }
                weight * value
            }
            (loss, truth) => panic!("{loss:?} cannot score {truth:?}"),
        }
    }
}

/// The true class's probability `p`, `1 − p` and `ln p`. Each is computed on its own: deriving one from
/// another loses digits at one end.
struct Odds<R> {
    p: R,
    q: R,
    ln_p: R,
}

impl<R: Real> Odds<R> {
    /// The loss, and the factor f of its gradient: `d loss / d u_k = f ([k = y] − p_k)`.
    fn loss(&self, gamma: R, epsilon: R) -> (R, R) {
        let &Odds { p, q, ln_p } = self;
        let poly = epsilon * q;
        if gamma == R::ZERO {
            return (poly - ln_p, -R::ONE - epsilon * p);
        }
        let shrink = q.portable_pow(gamma);
        // γ p q^(γ-1) ln p − q^γ, with q^γ factored out: ln p / q tends to -1 as both vanish.
        let slope = if q > R::ZERO { ln_p / q } else { -R::ONE };
        (poly - shrink * ln_p, shrink * (gamma * p * slope - R::ONE) - epsilon * p)
    }
}

/// Computes the odds from one logit. Writes `[k = y] − p_k` of class 1 into `d_u`.
fn logistic<R: Real>(u: R, class: usize, d_u: &mut [R]) -> Odds<R> {
    debug_assert!(class < 2);
    // The logit of the true class against the other.
    let s = if class == 1 { u } else { -u };
    // Both sigmoids, of s and −s, and the softplus share one exponential.
    let e = (-s.abs()).portable_exp();
    let (likely, unlikely) = (R::ONE / (R::ONE + e), e / (R::ONE + e));
    let (p, q) = if s < R::ZERO { (unlikely, likely) } else { (likely, unlikely) };
    d_u[0] = if class == 1 { q } else { -q };
    Odds { p, q, ln_p: -((-s).max(R::ZERO) + e.portable_ln_1p()) }
}

/// Computes the odds from one logit per class. Writes `[k = y] − p_k` into `d_u`.
fn softmax<R: Real>(u: &[R], class: usize, d_u: &mut [R]) -> Odds<R> {
    let most = u.iter().copied().fold(u[0], R::max);
    let (mut total, mut others) = (R::ZERO, R::ZERO);
    for (k, (d, &u)) in d_u.iter_mut().zip(u).enumerate() {
        *d = (u - most).exp_of_negative();
        total += *d;
        if k != class {
            others += *d;
        }
    }
    let q = others / total;
    let p = d_u[class] / total;
    for d in d_u.iter_mut() {
        *d = -(*d / total);
    }
    d_u[class] = q;
    // Near certainty the difference of logarithms loses all digits; far from it ln(1-q) does.
    let ln_p =
        if q < R::from_f64(0.5) { (-q).portable_ln_1p() } else { u[class] - most - total.portable_ln() };
    Odds { p, q, ln_p }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn the_gradient_is_the_derivative_of_the_loss() {
        // Central differences with step 1e-5 have an error near 1e-10 for losses of this size.
        let h = 1e-5;
        for gamma in [0.0, 0.5, 1.0, 3.0] {
            for epsilon in [0.0, 2.0] {
                let loss = Loss::Classes { focal_gamma: gamma, poly_epsilon: epsilon };
                for u in [vec![0.3], vec![-4.0], vec![0.1, -0.7, 2.0], vec![5.0, 1.0]] {
                    for class in 0..2 {
                        let mut d_u = vec![0.0; u.len()];
                        let mut spare = d_u.clone();
                        loss.evaluate(&u, Truth::Class(class), 1.5, &mut d_u);
                        for k in 0..u.len() {
                            let mut at = |shift: f64| {
                                let mut moved = u.clone();
                                moved[k] += shift;
                                loss.evaluate(&moved, Truth::Class(class), 1.5, &mut spare)
                            };
                            let difference = (at(h) - at(-h)) / (2.0 * h);
                            assert!((d_u[k] - difference).abs() < 1e-8, "{loss:?} {u:?} {class} {k}");
                        }
                    }
                }
            }
        }
    }

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn the_gradient_of_a_quantile_is_the_derivative_away_from_its_kink() {
        // The loss is linear on both sides, so central differences are exact except for rounding.
        let h = 1e-4;
        for pinball in [Pinball::ABSOLUTE, Pinball::of(0.1), Pinball::of(0.9)] {
            let loss = Loss::Pinball(pinball);
            for (u, y) in [(0.3, 1.0), (2.0, -1.5), (-4.0, -3.9), (1e3, 1.0)] {
                let (mut d_u, mut spare) = ([0.0f64], [0.0]);
                let value = loss.evaluate(&[u], Truth::Value(y), 1.5, &mut d_u);
                let mut at = |shift: f64| loss.evaluate(&[u + shift], Truth::Value(y), 1.5, &mut spare);
                let difference = (at(h) - at(-h)) / (2.0 * h);
                assert!((d_u[0] - difference).abs() < 1e-8, "{pinball:?} {u} {y}");
                assert!((value - 1.5 * pinball.loss(y, u)).abs() < 1e-12);
            }
            let mut d_u = [1.0f64];
            assert_eq!((loss.evaluate(&[2.0], Truth::Value(2.0), 1.0, &mut d_u), d_u), (0.0, [0.0]));
        }
    }

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn one_logit_is_a_softmax_of_zero_and_that_logit() {
        for gamma in [0.0, 3.0] {
            let loss = Loss::Classes { focal_gamma: gamma, poly_epsilon: 2.0 };
            for u in [-30.0, -1.0, 0.0, 0.4, 12.0f64] {
                for class in 0..2 {
                    let (mut one, mut two) = ([0.0], [0.0; 2]);
                    let a = loss.evaluate(&[u], Truth::Class(class), 1.0, &mut one);
                    let b = loss.evaluate(&[0.0, u], Truth::Class(class), 1.0, &mut two);
                    assert!((a - b).abs() < 1e-12 && (one[0] - two[1]).abs() < 1e-12, "{u} {class}");
                }
            }
        }
    }

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn a_confidently_wrong_sample_keeps_its_gradient() {
        for gamma in [0.0, 0.5, 3.0] {
            let loss = Loss::Classes { focal_gamma: gamma, poly_epsilon: 0.0 };
            let mut d_u = [0.0f32; 3];
            let value = loss.evaluate(&[40.0, 0.0, -40.0], Truth::Class(1), 1.0, &mut d_u);
            assert!((value - 40.0).abs() < 1e-4 && (d_u[0] - 1.0).abs() < 1e-5, "{value} {d_u:?}");
            // A perfectly right sample has zero loss and a gradient that is not NaN.
            let value = loss.evaluate(&[200.0, 0.0, 0.0], Truth::Class(0), 1.0, &mut d_u);
            assert_eq!((value, d_u), (0.0, [0.0; 3]));
        }
    }
}
