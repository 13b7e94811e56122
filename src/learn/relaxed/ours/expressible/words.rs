//! Planes over the encodings of one column of words, which stand for sets of words.

use std::collections::BTreeMap;

use super::Plane;
use crate::encode::Design;
use crate::numeric::order::map_of;

/// Added to the number of samples of a category when its agreement is weighed: small categories count little.
const DOUBT: f64 = 2.0;

/// The columns that one column of words was encoded in.
#[derive(Debug, Clone)]
pub(super) struct Words {
    /// The encoded columns.
    pub columns: Vec<usize>,
    /// Which of the encodings that occur each training sample has.
    code: Vec<u32>,
    /// The encodings.
    patterns: Vec<Vec<f32>>,
}

impl Words {
    /// Of the training samples.
    pub(super) fn new(design: &Design, columns: Vec<usize>) -> Words {
        let pattern = |i: usize| columns.iter().map(|&j| design.row(i)[j].to_bits()).collect::<Vec<u32>>();
        let mut known: BTreeMap<Vec<u32>, u32> = map_of((0..design.samples()).map(|i| (pattern(i), 0)));
        known.values_mut().zip(0..).for_each(|(code, at)| *code = at);
        let code = (0..design.samples()).map(|i| known[&pattern(i)]).collect();
        let patterns =
            known.keys().map(|bits| bits.iter().map(|&bits| f32::from_bits(bits)).collect()).collect();
        Words { columns, code, patterns }
    }

    /// Whether every column says yes or no to one word.
    pub(super) fn are_indicators(&self) -> bool {
        (0..self.columns.len()).all(|at| {
            let [least, most] = self.range(at);
            self.patterns.iter().all(|pattern| pattern[at] == least || pattern[at] == most)
        })
    }

    /// What a column is for "no" and for "yes".
    fn range(&self, at: usize) -> [f32; 2] {
        let values = || self.patterns.iter().map(|pattern| pattern[at]);
        [values().fold(f32::INFINITY, f32::min), values().fold(f32::NEG_INFINITY, f32::max)]
    }

    /// Every word goes to the side that the sum of its samples' scores chooses.
    pub(super) fn by_word(&self, rows: &[u32], scores: &[f64]) -> Option<Plane> {
        if rows.is_empty() {
            return None;
        }
        let mut sums = vec![(0.0, 0.0); self.patterns.len()];
        for (&i, &s) in rows.iter().zip(scores) {
            let sum = &mut sums[self.code[i as usize] as usize];
            *sum = (sum.0 + s, sum.1 + 1.0);
        }
        let agreement = sums.iter().map(|(sum, count)| sum.abs() * count / (count + DOUBT)).sum();
        let overall = scores.iter().sum::<f64>() / rows.len() as f64;
        let size = scores.iter().map(|s| s.abs()).sum::<f64>();
        // As steep as the plane was: sums of opposite scores are small.
        let stretch = size / sums.iter().map(|(sum, _)| sum.abs()).sum::<f64>().max(1e-3 * size);
        let wanted = |code: usize| {
            let (sum, count) = sums[code];
            stretch * if count > 0.0 { sum / count } else { overall }
        };
        // The word without a column of its own, if there is one, is where all columns say no.
        let says_yes =
            |code: usize| (0..self.columns.len()).find(|&at| self.patterns[code][at] > self.range(at)[0]);
        let base =
            (0..self.patterns.len()).find(|&code| says_yes(code).is_none()).map_or(stretch * overall, wanted);
        let (mut weights, mut bias) = (vec![0.0; self.columns.len()], base);
        for code in 0..self.patterns.len() {
            if let Some(at) = says_yes(code) {
                let [no, yes] = self.range(at).map(f64::from);
                weights[at] = (wanted(code) - base) / (yes - no);
                bias -= weights[at] * no;
            }
        }
        Some(Plane { columns: self.columns.clone(), weights, bias, agreement })
    }
}
