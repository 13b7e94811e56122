//! Finds rows that reach a given node, by intersecting the constraints on the path to it.
//!
//! On the path, every numeric split leaves an interval of its feature, and every categorical split a set of
//! words. Oblique splits leave half-spaces, into which a row is moved step by step. Every row is routed
//! through the tree before it is returned, so a failed search returns no row rather than a wrong one.

use std::collections::BTreeMap;

use crate::numeric::order::sort_positions;
use crate::tree::{FeatureKind, Model, Node, Split};

/// Iterations of moving a row into the half-spaces on its path.
const ROUNDS: i32 = 2000;
/// How far beyond a half-space's boundary the first iteration aims, in units of the features' ranges. Later
/// iterations aim less far, so that narrow regions can be hit.
const OVERSHOOT: f64 = 0.05;
/// The factor by which the aim shrinks in each iteration.
const SHORTER: f64 = 0.995;
/// Over-relaxation: the length of a projection, where 1 just reaches the aim. It is larger because plain
/// projections converge slowly between two nearly opposite half-spaces.
const STRETCH: f64 = 1.5;

/// The values of one feature that lead along a path.
enum Domain {
    /// From the first to the second; empty if they are in the wrong order.
    Interval(f32, f32),
    /// Words by code.
    Words(Vec<bool>),
}

/// Finds rows for the nodes of a model.
pub(super) struct Regions<'a> {
    model: &'a Model,
    /// The parent of each node, and whether the node is its left child; `None` for the root.
    parents: Vec<Option<(usize, bool)>>,
    /// Typical rows to start from: medians, then lower and upper quartiles; for categories, the first word.
    plain: [Vec<f32>; 3],
    /// Which words of a categorical feature can be spelled in a cell; empty for a numeric one.
    spelled: Vec<Vec<bool>>,
}

impl<'a> Regions<'a> {
    pub(crate) fn new(model: &'a Model) -> Regions<'a> {
        let mut parents = vec![None; model.tree.size()];
        for (id, node) in model.tree.nodes().iter().enumerate() {
            if let Node::Split { left, right, .. } = node {
                parents[*left] = Some((id, true));
                parents[*right] = Some((id, false));
            }
        }
        // A word with surrounding whitespace, or one that is also a missing-value token, is never read from a
        // cell.
        let spelled: Vec<Vec<bool>> = model
            .features
            .iter()
            .map(|feature| match &feature.kind {
                FeatureKind::Numerical { .. } => vec![],
                FeatureKind::Categorical { categories } => categories
                    .iter()
                    .enumerate()
                    .map(|(code, word)| feature.parse(word) == code as f32)
                    .collect(),
            })
            .collect();
        let plain = |quartile: usize| {
            let values = model.features.iter().zip(&spelled).map(|(feature, spelled)| match &feature.kind {
                FeatureKind::Numerical { quartiles, .. } => quartiles[quartile],
                FeatureKind::Categorical { .. } => first_word(spelled).unwrap_or(f32::NAN),
            });
            values.collect()
        };
        Regions { plain: [1, 0, 2].map(plain), model, parents, spelled }
    }

    /// The parent of a node, and whether the node is its left child.
    pub(crate) fn parent(&self, node: usize) -> Option<(usize, bool)> {
        self.parents[node]
    }

    /// The number of rows to start from: another one may lead to another row of a region.
    pub(crate) fn starts(&self) -> usize {
        self.plain.len()
    }

    /// A row that visits a node, with some features fixed and the others near a starting row. `None` if the
    /// constraints contradict each other, or (for oblique splits only) if no row was found.
    pub(crate) fn row_to(&self, node: usize, held: &[(usize, f32)], start: usize) -> Option<Vec<f32>> {
        let path = self.splits_above(node);
        let mut row = self.plain[start].clone();
        let domains = self.domains(&path);
        for (&feature, (domain, missing)) in &domains {
            let value = match domain {
                Domain::Interval(low, high) => (low <= high).then(|| row[feature].clamp(*low, *high)),
                Domain::Words(words) => first_word(words),
            };
            let is_held = held.iter().any(|(other, _)| *other == feature);
            row[feature] = match value {
                Some(value) => value,
                None if *missing || is_held => f32::NAN,
                None => return None,
            };
        }
        for &(feature, value) in held {
            row[feature] = value;
        }
        self.move_into_half_spaces(&path, &domains, held, &mut row);
        self.visits(&row, node).then_some(row)
    }

    /// Two rows that reach an oblique split, one f32 step of one feature apart. The first goes left, the
    /// second right.
    pub(crate) fn across(&self, node: usize, start: usize) -> Option<[Vec<f32>; 2]> {
        let Node::Split { split, left, right, .. } = &self.model.tree.nodes()[node] else { return None };
        let Split::Oblique { features, weights, .. } = split else { return None };
        let (inner, outer) = (self.row_to(*left, &[], start)?, self.row_to(*right, &[], start)?);
        // The region is convex: the line from one row to the other stays in it and crosses the split once.
        let between = |share: f64| -> Vec<f32> {
            let mix = |(&a, &b): (&f32, &f32)| (f64::from(a) + share * (f64::from(b) - f64::from(a))) as f32;
            let number =
                |at: usize| self.spelled[at].is_empty() && !inner[at].is_nan() && !outer[at].is_nan();
            let mixed = inner.iter().zip(&outer).map(mix);
            mixed.enumerate().map(|(at, value)| if number(at) { value } else { inner[at] }).collect()
        };
        let (mut near, mut far) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (near + far);
            if split.goes_left(&between(middle)) == Some(true) { near = middle } else { far = middle }
        }
        let row = between(near);
        let mut order: Vec<usize> = (0..features.len()).filter(|&at| !row[features[at]].is_nan()).collect();
        let pull = |at: usize| f64::from(weights[at].abs()) * self.range(features[at]);
        sort_positions(&mut order, &|a, b| pull(b).total_cmp(&pull(a)));
        order.into_iter().find_map(|at| {
            let rows = step_across(split, &row, features[at])?;
            (self.visits(&rows[0], *left) && self.visits(&rows[1], *right)).then_some(rows)
        })
    }

    /// Whether a row visits a node.
    pub(crate) fn visits(&self, row: &[f32], node: usize) -> bool {
        self.model.tree.path_of(row).any(|visited| visited == node)
    }

    /// The splits above a node with the side taken at each, the nearest first.
    fn splits_above(&self, node: usize) -> Vec<(usize, bool)> {
        std::iter::successors(self.parents[node], |&(id, _)| self.parents[id]).collect()
    }

    /// The values of each feature that lead along the path, and whether a missing value takes the same path.
    fn domains(&self, path: &[(usize, bool)]) -> BTreeMap<usize, (Domain, bool)> {
        let mut domains: BTreeMap<usize, (Domain, bool)> = BTreeMap::new();
        for &(id, goes_left) in path {
            let Node::Split { split, default_left, .. } = &self.model.tree.nodes()[id] else { continue };
            if let Split::Oblique { .. } = split {
                continue;
            }
            let feature = split.features()[0];
            let (domain, missing) = domains.entry(feature).or_insert_with(|| (self.all(feature), true));
            *missing &= *default_left == goes_left;
            match (domain, split) {
                (Domain::Interval(_, high), Split::Numerical { threshold, .. }) if goes_left => {
                    *high = high.min(*threshold);
                }
                (Domain::Interval(low, _), Split::Numerical { threshold, .. }) => {
                    *low = low.max(threshold.next_up())
                }
                (Domain::Words(words), Split::Categorical { left, .. }) => {
                    words.iter_mut().zip(left).for_each(|(word, left)| *word &= *left == goes_left);
                }
                _ => {} // A split that does not suit its feature; routing decides.
            }
        }
        domains
    }

    /// All values of a feature.
    fn all(&self, feature: usize) -> Domain {
        match &self.model.features[feature].kind {
            FeatureKind::Numerical { .. } => Domain::Interval(f32::MIN, f32::MAX),
            FeatureKind::Categorical { .. } => Domain::Words(self.spelled[feature].clone()),
        }
    }

    /// The range of a numeric feature, the unit in which its moves are measured.
    pub(crate) fn range(&self, feature: usize) -> f64 {
        match &self.model.features[feature].kind {
            FeatureKind::Numerical { min, max, .. } if max > min => f64::from(*max) - f64::from(*min),
            _ => 1.0,
        }
    }

    /// Moves a row into the half-spaces on its path by projecting it onto one after the other, within the
    /// intervals.
    fn move_into_half_spaces(
        &self,
        path: &[(usize, bool)],
        domains: &BTreeMap<usize, (Domain, bool)>,
        held: &[(usize, f32)],
        row: &mut [f32],
    ) {
        for round in 0..ROUNDS {
            let mut settled = true;
            let beyond = OVERSHOOT * libm::pow(SHORTER, f64::from(round));
            for &(id, goes_left) in path {
                let Node::Split { split, .. } = &self.model.tree.nodes()[id] else { continue };
                let Split::Oblique { features, weights, missing_values, threshold } = split else { continue };
                if split.goes_left(row) == Some(goes_left) {
                    continue;
                }
                settled = false;
                let free = |feature: usize| {
                    !row[feature].is_nan() && held.iter().all(|(other, _)| *other != feature)
                };
                let mut sum = 0.0;
                let mut steep = 0.0; // squared length of the weights, in units of the ranges
                let mut moves = Vec::with_capacity(features.len());
                for ((&feature, &weight), &stand_in) in features.iter().zip(weights).zip(missing_values) {
                    let value = if row[feature].is_nan() { stand_in } else { row[feature] };
                    sum += f64::from(weight) * f64::from(value);
                    let range = if free(feature) { self.range(feature) } else { 0.0 };
                    steep += f64::from(weight) * f64::from(weight) * range * range;
                    moves.push(f64::from(weight) * range * range);
                }
                if steep == 0.0 {
                    return;
                }
                let beyond = beyond * steep.sqrt();
                let aim = if goes_left { threshold - beyond } else { threshold + beyond };
                let stretch = STRETCH * (aim - sum) / steep;
                for (&feature, direction) in features.iter().zip(moves) {
                    if direction != 0.0 {
                        let moved = f64::from(row[feature]) + direction * stretch;
                        let (low, high) = match domains.get(&feature) {
                            Some((Domain::Interval(low, high), _)) => (*low, *high),
                            _ => (f32::MIN, f32::MAX),
                        };
                        row[feature] = (moved as f32).max(low).min(high);
                    }
                }
            }
            if settled {
                return;
            }
        }
    }
}

/// The code of the first word of a set.
fn first_word(words: &[bool]) -> Option<f32> {
    words.iter().position(|&word| word).map(|code| code as f32)
}

/// Two copies of a row that differ by one f32 step of one feature. At the split, the first goes left and the
/// second right.
fn step_across(split: &Split, row: &[f32], feature: usize) -> Option<[Vec<f32>; 2]> {
    let with = |key: i32| {
        let mut row = row.to_vec();
        row[feature] = from_key(key);
        row
    };
    let goes_left = |key: i32| split.goes_left(&with(key)) == Some(true);
    let (mut left, mut right) = (to_key(f32::MIN), to_key(f32::MAX));
    if !goes_left(left) {
        std::mem::swap(&mut left, &mut right);
    }
    if !goes_left(left) || goes_left(right) {
        return None;
    }
    while left.abs_diff(right) > 1 {
        let middle = ((i64::from(left) + i64::from(right)) / 2) as i32;
        if goes_left(middle) { left = middle } else { right = middle }
    }
    Some([with(left), with(right)])
}

/// An integer that grows with the f32, by one per step; both zeros map to 0.
fn to_key(value: f32) -> i32 {
    let bits = value.to_bits() as i32;
    if bits < 0 { i32::MIN.wrapping_sub(bits) } else { bits }
}

/// The f32 of a key.
fn from_key(key: i32) -> f32 {
    f32::from_bits(if key < 0 { i32::MIN.wrapping_sub(key) } else { key } as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_grow_by_one_per_step() {
        for value in [f32::MIN, -1.5, -f32::MIN_POSITIVE, -1e-45, 1e-45, 0.1, 7.0, 1e30] {
            assert_eq!(from_key(to_key(value)), value);
            assert_eq!(to_key(value.next_up()), to_key(value) + 1);
        }
        assert_eq!((to_key(0.0), to_key(-0.0), to_key(-1e-45)), (0, 0, -1));
    }

    #[test]
    fn a_step_across_an_oblique_split_is_the_smallest_one() {
        let split = Split::Oblique {
            features: vec![0, 1],
            weights: vec![0.3, -2.0],
            missing_values: vec![0.0, 0.0],
            threshold: 1.0,
        };
        for feature in [0, 1] {
            let [left, right] = step_across(&split, &[5.0, 7.0], feature).unwrap();
            assert_eq!((split.goes_left(&left), split.goes_left(&right)), (Some(true), Some(false)));
            assert_eq!(to_key(left[feature]).abs_diff(to_key(right[feature])), 1);
        }
    }
}
