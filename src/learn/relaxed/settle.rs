//! Splits that can be said in the file's words: a weighted sum of few numbers, or a set of words of one column.
//!
//! Planes are trained over all encoded columns at first. A sum over words of several columns has no form in the file, and a
//! sum of many numbers cannot be read. So in the middle of a training every plane is settled, from the root down: it keeps one
//! *group* of columns, either numbers or the columns that one column of words was encoded in, namely the group that best
//! repeats where the plane sent the samples that reach it, each counted by its score. From then on only the weights of that
//! group are trained. A weighted sum over the encodings of one column of words is a set of words, which the way back knows.

use std::collections::BTreeMap;

use super::parameters::Shape;
use super::traversal::dot;
use crate::encode::Design;
use crate::numeric::order::{map_of, sort_positions};

/// Encoded columns by what may stand in one split.
#[derive(Debug, Clone, Default)]
pub struct Groups {
    /// Columns that may be summed.
    numbers: Vec<usize>,
    words: Vec<Words>,
    /// The most columns in a sum; 0 for all.
    most: usize,
}

/// The columns that one column of words was encoded in.
#[derive(Debug, Clone)]
struct Words {
    columns: Vec<usize>,
    /// Which of the encodings that occur each training sample has.
    code: Vec<u32>,
    /// The encodings.
    patterns: Vec<Vec<f32>>,
}

/// Samples that a category needs for its own say, in effect: small ones say little.
const DOUBT: f64 = 2.0;

impl Groups {
    /// `apart` are the encoded columns that may not be summed with others, `feature` the file's column behind each.
    pub fn new(design: &Design, apart: &[usize], feature: &[usize], most: usize) -> Groups {
        let mut by_feature: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &column in apart {
            by_feature.entry(feature.get(column).copied().unwrap_or(column)).or_default().push(column);
        }
        let words = by_feature.into_values().map(|columns| Words::new(design, columns)).collect();
        let numbers = (0..design.features()).filter(|column| !apart.contains(column)).collect();
        Groups { numbers, words, most }
    }

    /// Whether any plane over all columns will do.
    pub fn are_free(&self) -> bool {
        self.words.is_empty() && (self.most == 0 || self.most >= self.numbers.len())
    }

    /// Sets of columns that may stand together in one split: the numbers, then those of each column of words.
    pub fn sums(&self) -> impl Iterator<Item = &[usize]> {
        std::iter::once(self.numbers.as_slice()).chain(self.words.iter().map(|words| words.columns.as_slice()))
    }

    /// The columns of a sum with the greatest weights, as many as a split may have, in order; words are not counted.
    pub fn strongest(&self, columns: &[usize], weights: &[f64]) -> Vec<usize> {
        if self.most == 0 || self.most >= columns.len() || columns != self.numbers {
            return columns.to_vec();
        }
        let mut order: Vec<usize> = (0..columns.len()).collect();
        sort_positions(&mut order, &|a, b| weights[b].abs().total_cmp(&weights[a].abs()).then(a.cmp(&b)));
        order.truncate(self.most);
        sort_positions(&mut order, &|a, b| a.cmp(&b));
        order.into_iter().map(|at| columns[at]).collect()
    }

    /// The columns whose weights may move in a split over some: all that may stand beside them, but no more than are allowed.
    pub fn beside<'a>(&'a self, columns: &'a [usize]) -> &'a [usize] {
        let Some(all) = self.sums().find(|all| columns.first().is_some_and(|first| all.contains(first))) else {
            return columns;
        };
        if self.most > 0 && all.len() > self.most && std::ptr::eq(all, self.numbers.as_slice()) { columns } else { all }
    }

    /// Settles every plane; returns 1 for each weight that may move from now on, else 0.
    pub fn settle(&self, shape: &Shape, theta: &mut [f64], design: &Design) -> Vec<f64> {
        let (f, inner) = (shape.features, shape.inner());
        let mut free = vec![0.0; shape.bias_at()];
        let mut reached: Vec<Vec<u32>> = vec![vec![]; 2 * inner + 1];
        reached[0] = (0..design.samples() as u32).collect();
        for t in 0..inner {
            let rows = std::mem::take(&mut reached[t]);
            let old = theta[t * f..(t + 1) * f].to_vec();
            let bias = theta[shape.bias_at() + t];
            let scores: Vec<f64> = rows.iter().map(|&i| dot(&old, design.row(i as usize)) + bias).collect();
            let plane = self.best(&old, bias, design, &rows, &scores);
            theta[t * f..(t + 1) * f].iter_mut().for_each(|w| *w = 0.0);
            for (&column, &w) in plane.columns.iter().zip(&plane.weights) {
                theta[t * f + column] = w;
                free[t * f + column] = 1.0;
            }
            theta[shape.bias_at() + t] = plane.bias;
            for &i in &rows {
                let s = dot(&theta[t * f..(t + 1) * f], design.row(i as usize)) + plane.bias;
                reached[2 * t + if s < 0.0 { 1 } else { 2 }].push(i);
            }
        }
        free
    }

    /// The plane of one group that agrees best with the scores.
    fn best(&self, old: &[f64], bias: f64, design: &Design, rows: &[u32], scores: &[f64]) -> Plane {
        let mut best: Option<Plane> = None;
        let mut offer = |plane: Option<Plane>| {
            if let Some(plane) = plane
                && best.as_ref().is_none_or(|best| plane.agreement > best.agreement)
            {
                best = Some(plane);
            }
        };
        let mut kept = self.numbers.clone();
        if self.most > 0 {
            sort_positions(&mut kept, &|a, b| old[b].abs().total_cmp(&old[a].abs()).then(a.cmp(&b)));
            kept.truncate(self.most);
            sort_positions(&mut kept, &|a, b| a.cmp(&b));
        }
        offer(cut(&kept, old, bias, design, rows, scores));
        for words in &self.words {
            offer(if words.are_indicators() {
                words.by_word(rows, scores)
            } else {
                cut(&words.columns, old, bias, design, rows, scores)
            });
        }
        best.unwrap_or_else(|| Plane {
            columns: kept.clone(),
            weights: kept.iter().map(|&j| old[j]).collect(),
            bias,
            agreement: 0.0,
        })
    }
}

/// A plane on some columns.
struct Plane {
    columns: Vec<usize>,
    weights: Vec<f64>,
    bias: f64,
    /// `Σ ± s_i`, plus where the plane sends sample i to the side that its score wants.
    agreement: f64,
}

/// The same direction on some columns only, cut where it agrees best; none without samples or columns.
fn cut(columns: &[usize], old: &[f64], bias: f64, design: &Design, rows: &[u32], scores: &[f64]) -> Option<Plane> {
    if columns.is_empty() || rows.is_empty() {
        return None;
    }
    let weights: Vec<f64> = columns.iter().map(|&j| old[j]).collect();
    if weights.iter().all(|&w| w == 0.0) {
        return None;
    }
    let along = |&i: &u32| {
        let x = design.row(i as usize);
        columns.iter().zip(&weights).map(|(&j, w)| w * f64::from(x[j])).sum::<f64>()
    };
    let places: Vec<f64> = rows.iter().map(along).collect();
    if columns.len() == old.len() {
        // Nothing was left out, so nothing need change.
        return Some(Plane { columns: columns.to_vec(), weights, bias, agreement: f64::INFINITY });
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    sort_positions(&mut order, &|a, b| places[a].total_cmp(&places[b]));
    let total: f64 = scores.iter().sum();
    // With k samples on the left the agreement is what is on the right less what is on the left.
    let (mut left, mut best) = (0.0, (f64::NEG_INFINITY, -bias));
    for k in 1..order.len() {
        left += scores[order[k - 1]];
        let (below, above) = (places[order[k - 1]], places[order[k]]);
        let agreement = total - 2.0 * left;
        if below < above && agreement > best.0 {
            best = (agreement, below + (above - below) / 2.0);
        }
    }
    Some(Plane { columns: columns.to_vec(), weights, bias: -best.1, agreement: best.0 })
}

impl Words {
    fn new(design: &Design, columns: Vec<usize>) -> Words {
        let pattern = |i: usize| columns.iter().map(|&j| design.row(i)[j].to_bits()).collect::<Vec<u32>>();
        let mut known: BTreeMap<Vec<u32>, u32> = map_of((0..design.samples()).map(|i| (pattern(i), 0)));
        known.values_mut().zip(0..).for_each(|(code, at)| *code = at);
        let code = (0..design.samples()).map(|i| known[&pattern(i)]).collect();
        let patterns = known.keys().map(|bits| bits.iter().map(|&bits| f32::from_bits(bits)).collect()).collect();
        Words { columns, code, patterns }
    }

    /// Whether every column says yes or no to one word.
    fn are_indicators(&self) -> bool {
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

    /// Every word goes where the scores of its samples want it together.
    fn by_word(&self, rows: &[u32], scores: &[f64]) -> Option<Plane> {
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
        let says_yes = |code: usize| (0..self.columns.len()).find(|&at| self.patterns[code][at] > self.range(at)[0]);
        let base = (0..self.patterns.len()).find(|&code| says_yes(code).is_none()).map_or(stretch * overall, wanted);
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
