//! Upper tails of the normal and the F distribution, in plain arithmetic.

/// The probability that a standard normal variable is above z.
pub(crate) fn normal_above(z: f64) -> f64 {
    0.5 * libm::erfc(z / std::f64::consts::SQRT_2)
}

/// The probability that an F variable with these degrees of freedom is above f, which is not negative.
pub(crate) fn f_above(f: f64, above: f64, below: f64) -> f64 {
    beta_share(below / (below + above * f), below / 2.0, above / 2.0)
}

/// The regularised incomplete beta function I_x(a, b), by its continued fraction (Abramowitz and Stegun,
/// 26.5.8).
fn beta_share(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    let ln_front =
        libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * libm::log(x) + b * libm::log1p(-x);
    let front = libm::exp(ln_front);
    // The fraction converges quickly only on this side of the mean.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(x, a, b) / a
    } else {
        1.0 - front * fraction(1.0 - x, b, a) / b
    }
}

/// The continued fraction, evaluated from the front (Lentz's method).
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    // Replaces a denominator of zero.
    const TINY: f64 = 1e-300;
    let kept = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut c, mut d) = (1.0, 1.0 / kept(1.0 - (a + b) * x / (a + 1.0)));
    let mut value = d;
    for m in 1..500 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / kept(1.0 + term * d);
            c = kept(1.0 + term / c);
            change = c * d;
            value *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}
