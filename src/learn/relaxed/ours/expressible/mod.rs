//! Splits that one column or one sum of the file can express: a weighted sum of few numbers, or a set of one
//! column's words.
//!
//! Planes are trained over all encoded columns at first. A sum over words of several columns has no form in
//! the file, and a reader cannot follow a sum of many numbers. So in the middle of a training every plane is
//! settled, from the root down. It keeps one *group* of columns: either numbers, or the columns that one
//! column of words was encoded in. The group is the one that best repeats where the plane sent the samples
//! that reach it, each weighted by its score. From then on only the weights of that group are trained. A
//! weighted sum over the encodings of one column of words is a set of words, which the decoder knows.

mod words;

use std::collections::BTreeMap;

use crate::encode::Design;
use crate::learn::relaxed::paper::parameters::Shape;
use crate::learn::relaxed::paper::traversal::dot;
use crate::numeric::order::sort_positions;
use words::Words;

/// Encoded columns, grouped by what one split may name.
#[derive(Debug, Clone, Default)]
pub struct Groups {
    /// Columns that may be summed.
    numbers: Vec<usize>,
    words: Vec<Words>,
    /// The most columns in a sum; 0 for all.
    most: usize,
}

impl Groups {
    /// `apart` are the encoded columns that may not be summed with others, `feature` the file's column behind
    /// each.
    pub fn new(design: &Design, apart: &[usize], feature: &[usize], most: usize) -> Groups {
        let mut by_feature: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &column in apart {
            by_feature.entry(feature.get(column).copied().unwrap_or(column)).or_default().push(column);
        }
        let words = by_feature.into_values().map(|columns| Words::new(design, columns)).collect();
        let numbers = (0..design.features()).filter(|column| !apart.contains(column)).collect();
        Groups { numbers, words, most }
    }

    /// Whether any plane over all columns is expressible.
    pub fn are_free(&self) -> bool {
        self.words.is_empty() && (self.most == 0 || self.most >= self.numbers.len())
    }

    /// Sets of columns that may stand together in one split: the numbers, then those of each column of words.
    pub fn sums(&self) -> impl Iterator<Item = &[usize]> {
        std::iter::once(self.numbers.as_slice())
            .chain(self.words.iter().map(|words| words.columns.as_slice()))
    }

    /// The columns of a sum with the greatest weights, as many as a split may have, in order; words are not
    /// counted.
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

    /// The columns whose weights may move in a split over some: all that may stand beside them, but no more
    /// than are allowed.
    pub fn beside<'a>(&'a self, columns: &'a [usize]) -> &'a [usize] {
        let Some(all) = self.sums().find(|all| columns.first().is_some_and(|first| all.contains(first)))
        else {
            return columns;
        };
        if self.most > 0 && all.len() > self.most && std::ptr::eq(all, self.numbers.as_slice()) {
            columns
        } else {
            all
        }
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
    /// `Σ ± s_i`, with plus where the plane and the sign of s_i agree on the side of sample i.
    agreement: f64,
}

/// The same direction on some columns only, cut where it agrees best; none without samples or columns.
fn cut(
    columns: &[usize],
    old: &[f64],
    bias: f64,
    design: &Design,
    rows: &[u32],
    scores: &[f64],
) -> Option<Plane> {
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
        // No column was left out, so the plane stays.
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
