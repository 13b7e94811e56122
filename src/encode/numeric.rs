//! Scalings of numeric columns. Every one preserves the order of the values, so that a threshold can be
//! converted back.

use crate::numeric::ndtri;
use crate::numeric::order::sort_numbers;
use crate::numeric::random::Random;

/// How columns of numbers are scaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// As they are, in the file's units.
    None,
    /// Mean 0 and standard deviation 1 over the training samples.
    Standard,
    /// From 0 to 1 over the training samples; new values may lie outside.
    MinMax,
    /// To a normal distribution over the training samples, by rank.
    Quantile,
}

/// A fitted scaling of one column.
#[derive(Debug, Clone, PartialEq)]
pub enum Scaling {
    /// `(x − centre) / scale`.
    Affine {
        /// What becomes 0.
        centre: f64,
        /// What becomes a difference of 1; positive.
        scale: f64,
    },
    /// By rank.
    Quantile(QuantileNormal),
}

impl Scaling {
    /// Fits a scaling to the training values of a column, which contain no NaN. Only the quantile scaling
    /// uses `noise` and `random`.
    pub(crate) fn fit(how: Scale, values: &[f32], noise: f64, random: &mut Random) -> Scaling {
        let (centre, scale) = match how {
            Scale::None => (0.0, 1.0),
            Scale::Standard => moments(values),
            Scale::MinMax => span(values),
            Scale::Quantile => {
                let values: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
                return Scaling::Quantile(QuantileNormal::fit(&values, noise, random));
            }
        };
        Scaling::Affine { centre, scale }
    }

    /// Scales a value; NaN stays NaN.
    pub(crate) fn apply(&self, value: f32) -> f32 {
        match self {
            Scaling::Affine { centre, scale } => ((f64::from(value) - centre) / scale) as f32,
            Scaling::Quantile(quantile) => quantile.apply(f64::from(value)) as f32,
        }
    }
}

/// Mean and population standard deviation; a deviation of 0 becomes 1.
fn moments(values: &[f32]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().map(|&value| f64::from(value)).sum::<f64>() / n;
    let variance =
        values.iter().map(|&value| (f64::from(value) - mean) * (f64::from(value) - mean)).sum::<f64>() / n;
    (mean, if variance > 0.0 { variance.sqrt() } else { 1.0 })
}

/// Minimum and range; a range of 0 becomes 1.
fn span(values: &[f32]) -> (f64, f64) {
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if least < most {
        (f64::from(least), f64::from(most) - f64::from(least))
    } else {
        (f64::from(values.first().copied().unwrap_or(0.0)), 1.0)
    }
}

/// scikit-learn's `QuantileTransformer` to a normal distribution, as GradTree's authors use it. Ranks are
/// interpolated between at most 1000 quantiles; the result is the normal quantile of the rank. The minimum
/// and maximum of the training values become −5.2 and 5.2.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantileNormal {
    /// The column is divided by this first.
    unit: f64,
    /// Q_k, ascending; at least one.
    quantiles: Vec<f64>,
}

/// Maximum number of reference quantiles.
const REFERENCES: usize = 1000;
/// scikit-learn's margin at both ends: a value this close to the minimum counts as the minimum.
const MARGIN: f64 = 1e-7;
/// A column is measured in units of its standard deviation if that is not well above the margin.
const SMALL: f64 = 1e-4;
/// The outermost output: the normal quantile of scikit-learn's margin less one rounding error.
const CLIP: f64 = 5.199_337_582_605_575;

impl QuantileNormal {
    /// Fits the quantiles to a copy of the values with noise added, `N(0, (noise / max(deviation, noise))²)`,
    /// so that repeated values do not all share one rank. Noise 0 adds none.
    ///
    /// The noise and the margin are in the column's own units. The noise even shrinks as the deviation grows;
    /// this is kept as the authors have it. They would swamp a column whose deviation is below `noise` or
    /// 1e-4, so such a column is first divided by its deviation. Neither scikit-learn nor the authors'
    /// program does that.
    pub fn fit(values: &[f64], noise: f64, random: &mut Random) -> QuantileNormal {
        let n = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / n;
        let deviation = (values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n).sqrt();
        let unit = if deviation > 0.0 && deviation < noise.max(SMALL) { deviation } else { 1.0 };
        let spread = if noise > 0.0 { noise / (deviation / unit).max(noise) } else { 0.0 };
        let mut noisy: Vec<f64> = values
            .iter()
            .map(|&x| if spread > 0.0 { x / unit + spread * random.normal() } else { x / unit })
            .collect();
        sort_numbers(&mut noisy);
        if noisy.is_empty() {
            return QuantileNormal { unit, quantiles: vec![0.0] };
        }
        let references = noisy.len().min(REFERENCES);
        let last = (references - 1).max(1);
        let quantile = |k: usize| {
            // Position k (N − 1) / (R − 1), with exact integer and fractional parts.
            let (whole, rest) = (k * (noisy.len() - 1) / last, k * (noisy.len() - 1) % last);
            let weight = rest as f64 / last as f64;
            noisy[whole] + if rest > 0 { (noisy[whole + 1] - noisy[whole]) * weight } else { 0.0 }
        };
        let mut quantiles: Vec<f64> = (0..references).map(quantile).collect();
        // Rounding may put an interpolated quantile below its neighbour.
        for k in 1..references {
            quantiles[k] = quantiles[k].max(quantiles[k - 1]);
        }
        QuantileNormal { unit, quantiles }
    }

    /// The reference quantiles, ascending, in the column's unit.
    pub fn quantiles(&self) -> &[f64] {
        &self.quantiles
    }

    /// Transforms a value; NaN stays NaN. The result never decreases as the value grows.
    pub fn apply(&self, value: f64) -> f64 {
        if value.is_nan() {
            return value;
        }
        ndtri(self.rank(value / self.unit)).clamp(-CLIP, CLIP)
    }

    /// The rank from 0 to 1. Where several quantiles are equal, it is the mean of the ranks at both ends.
    fn rank(&self, x: f64) -> f64 {
        let (q, last) = (&self.quantiles, self.quantiles.len() - 1);
        if x < q[0] + MARGIN {
            return 0.0;
        }
        if x > q[last] - MARGIN {
            return 1.0;
        }
        let r = |k: usize| k as f64 / last as f64;
        // Each interpolation is clamped to its interval, so that rounding never reverses two values.
        let after = q.partition_point(|&quantile| quantile <= x).clamp(1, last);
        let upper =
            r(after - 1) + (r(after) - r(after - 1)) * share(x - q[after - 1], q[after] - q[after - 1]);
        let at = q.partition_point(|&quantile| quantile < x).clamp(1, last);
        let lower = r(at) - (r(at) - r(at - 1)) * share(q[at] - x, q[at] - q[at - 1]);
        (upper.min(r(after)) + lower.max(r(at - 1))) / 2.0
    }
}

/// A part as a share of the whole, 0 to 1; 1 if the whole is empty.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random() -> Random {
        Random::new(1)
    }

    #[test]
    fn affine_scalings_have_the_moments_they_promise() {
        let values = [1.0, 2.0, 2.0, 7.0];
        let scaled = |how| values.map(|x| Scaling::fit(how, &values, 0.0, &mut random()).apply(x));
        assert_eq!(scaled(Scale::None), values);
        assert_eq!(scaled(Scale::MinMax), [0.0, 1.0 / 6.0, 1.0 / 6.0, 1.0]);
        let standard = scaled(Scale::Standard);
        assert!(standard.iter().sum::<f32>().abs() < 1e-6);
        assert!((standard.iter().map(|x| x * x).sum::<f32>() / 4.0 - 1.0).abs() < 1e-6);
        for how in [Scale::Standard, Scale::MinMax] {
            assert_eq!(Scaling::fit(how, &[4.0, 4.0], 0.0, &mut random()).apply(5.0), 1.0);
        }
    }

    #[test]
    fn quantiles_never_reverse_two_values() {
        for (values, noise) in [
            (vec![0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 1e20], 0.0),
            (vec![-1e30, 3.0, 3.000_000_2, 5.0], 1e-3),
            ((0..3000).map(|i| f64::from(i * 7919 % 1009) / 10.0).collect(), 1e-3),
            (vec![1e-12, 2e-12, 3e-12, 9e-12], 1e-3),
        ] {
            let scaling = QuantileNormal::fit(&values, noise, &mut random());
            let mut sorted: Vec<f64> =
                values.iter().flat_map(|&x| [x - 0.3, x, x * 1.000_000_1, x + 0.01]).collect();
            sort_numbers(&mut sorted);
            for pair in sorted.windows(2) {
                assert!(scaling.apply(pair[0]) <= scaling.apply(pair[1]), "{pair:?}");
            }
        }
    }

    #[test]
    fn a_column_on_a_tiny_scale_is_not_swallowed_by_the_noise() {
        let values: Vec<f64> = (0..50).map(|i| f64::from(i) * 1e-12).collect();
        let scaling = QuantileNormal::fit(&values, 1e-3, &mut random());
        let scaled: Vec<f64> = values.iter().map(|&x| scaling.apply(x)).collect();
        assert!(scaled[10] < -0.1 && scaled[40] > 0.1 && scaled[10] < scaled[11], "{scaled:?}");
        assert!(scaled[25].abs() < 0.3);
    }
}
