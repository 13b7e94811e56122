//! Loops in lanes: a fixed number of values side by side. Sums have a fixed order on every machine, and
//! compilers can keep the lanes in vector registers.

use super::Real;
use super::four::Four;

/// Values processed side by side: two f32 vectors in wasm and on the simplest 64-bit machines.
pub(crate) const LANES: usize = 8;

/// A value per lane.
pub type Lanes<T> = [T; LANES];

/// Visits each value with its lane; the remainder, shorter than a full step, goes to the first lanes.
#[inline(always)]
fn each<R: Real>(values: &[R], mut take: impl FnMut(usize, R)) {
    let (whole, rest) = values.as_chunks::<LANES>();
    for step in whole {
        for lane in 0..LANES {
            take(lane, step[lane]);
        }
    }
    for (lane, &value) in rest.iter().enumerate() {
        take(lane, value);
    }
}

/// Adds up the lanes of a sum, in pairs.
#[inline(always)]
pub(crate) fn total<R: Real>(lanes: Lanes<R>) -> R {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// The largest of at least one value; NaN is ignored unless it is the first.
#[inline]
pub(crate) fn largest<R: Real>(values: &[R]) -> R {
    let mut most = [values[0]; LANES];
    each(values, |lane, value| most[lane] = if value > most[lane] { value } else { most[lane] });
    most.into_iter().fold(most[0], R::max)
}

/// Counts the values above a bound.
#[inline]
pub(crate) fn count_above<R: Real>(values: &[R], bound: R) -> usize {
    let mut count = [0u32; LANES];
    each(values, |lane, value| count[lane] += u32::from(value > bound));
    count.into_iter().sum::<u32>() as usize
}

/// The first position of a value, if it occurs.
#[inline]
pub(crate) fn position<R: Real>(values: &[R], wanted: R) -> Option<usize> {
    let (whole, rest) = values.as_chunks::<LANES>();
    let step = whole.iter().position(|step| {
        let mut found = false;
        step.iter().for_each(|&value| found |= value == wanted);
        found
    });
    let at = step.unwrap_or(whole.len()) * LANES;
    let near = if step.is_some() { &values[at..at + LANES] } else { rest };
    near.iter().position(|&value| value == wanted).map(|lane| at + lane)
}

/// Σ r and Σ r g.
#[inline]
pub(crate) fn sum_and_product<R: Real>(r: &[R], g: &[R]) -> (R, R) {
    let ((whole_r, rest_r), (whole_g, rest_g)) = (r.as_chunks::<4>(), g.as_chunks::<4>());
    let (one, mut sum, mut product) =
        (R::Four::splat(R::ONE), R::Four::splat(R::ZERO), R::Four::splat(R::ZERO));
    for (r, g) in whole_r.iter().zip(whole_g) {
        let r = R::Four::load(r);
        sum = sum.plus_product(r, one);
        product = product.plus_product(r, R::Four::load(g));
    }
    let (mut sums, mut products) = ([R::ZERO; 4], [R::ZERO; 4]);
    sum.store(&mut sums);
    product.store(&mut products);
    for (lane, (&r, &g)) in rest_r.iter().zip(rest_g).enumerate() {
        sums[lane] += r;
        products[lane] += r * g;
    }
    let total = |[a, b, c, d]: [R; 4]| (a + c) + (b + d);
    (total(sums), total(products))
}

/// Count, sum, sum of squares and minimum of the values above a bound; the minimum of none is infinite.
pub struct Above<R> {
    /// How many there are.
    pub count: R,
    /// Σ x.
    pub sum: R,
    /// Σ x².
    pub squares: R,
    /// min x.
    pub least: R,
}

/// Summarises the values above a bound.
#[inline]
pub(crate) fn above<R: Real>(values: &[R], bound: R) -> Above<R> {
    let (mut count, mut sum, mut squares) = ([R::ZERO; LANES], [R::ZERO; LANES], [R::ZERO; LANES]);
    let far = R::from_f64(f64::INFINITY);
    let mut least = [far; LANES];
    each(values, |lane, x| {
        let (one, inside, low) = if x > bound { (R::ONE, x, x) } else { (R::ZERO, R::ZERO, far) };
        count[lane] += one;
        sum[lane] += inside;
        squares[lane] += inside * inside;
        least[lane] = if low < least[lane] { low } else { least[lane] };
    });
    let least = least.into_iter().fold(far, |a, b| if b < a { b } else { a });
    Above { count: total(count), sum: total(sum), squares: total(squares), least }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::Random;

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn lanes_find_what_plain_loops_find() {
        let mut random = Random::new(8);
        for length in (1..40).chain([100, 257]) {
            // Multiples of a quarter have ties, and sums without rounding.
            let x: Vec<f64> = (0..length).map(|_| (random.normal() * 4.0).round() / 4.0).collect();
            let g: Vec<f64> = (0..length).map(|_| (random.normal() * 4.0).round() / 4.0).collect();
            let most = x.iter().copied().fold(x[0], f64::max);
            assert_eq!(largest(&x), most);
            assert_eq!(position(&x, most), x.iter().position(|&value| value == most));
            assert_eq!(position(&x, 1e9), None);
            assert_eq!(count_above(&x, 0.25), x.iter().filter(|&&value| value > 0.25).count());
            let (sum, product) = sum_and_product(&x, &g);
            assert_eq!(sum, x.iter().sum::<f64>());
            assert_eq!(product, x.iter().zip(&g).map(|(a, b)| a * b).sum::<f64>());
            let above = above(&x, 0.25);
            let inside: Vec<f64> = x.iter().copied().filter(|&value| value > 0.25).collect();
            assert_eq!(above.count, inside.len() as f64);
            assert_eq!(above.sum, inside.iter().sum::<f64>());
            assert_eq!(above.squares, inside.iter().map(|x| x * x).sum::<f64>());
            assert_eq!(above.least, inside.iter().copied().fold(f64::INFINITY, f64::min));
        }
    }
}
