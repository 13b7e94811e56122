//! The best split of a group of samples, over features and thresholds.

use super::criterion::{LabelSums, Outcomes};
use crate::encode::Design;
use crate::numeric::order::sort_pairs;
use crate::numeric::slices::Slice;
use crate::tree::{Split, round_down};

/// Neighbouring values that differ by no more than this are one value (scikit-learn's constant, compared in
/// f32).
const SAME_VALUE: f32 = 1e-7;

/// The best split of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BestSplit {
    /// The feature's position.
    pub feature: usize,
    /// Samples with a value at most this go left: the midpoint of two neighbouring values, in f64. To
    /// separate missing values from all others it is the greatest f32, which no cell exceeds. scikit-learn
    /// writes infinity, which JSON lacks.
    pub threshold: f64,
    /// Where missing values go.
    pub default_left: bool,
    /// The criterion's value, comparable within one group only; the higher the better.
    pub score: f64,
}

impl BestSplit {
    /// The split as a tree stores it. Rounding the threshold down to f32 moves no f32 value to the other
    /// side.
    pub fn split(&self) -> Split {
        Split::Numerical { feature: self.feature, threshold: round_down(self.threshold) }
    }
}

/// A value of the feature under search, with its sample.
type Cell = (f32, u32);

/// From this many values on, a radix sort is faster than comparisons; both keep the order of equal values.
const MANY: usize = 2000;
/// The cost of gathering, sorting and trying a value, in numbers read.
const COST: usize = 8;

/// The samples without a value of the feature under search.
struct Missing {
    sums: LabelSums,
    samples: Vec<u32>,
}

/// A search through one group of samples, with its memory.
struct GroupSearch<'a> {
    outcomes: &'a Outcomes,
    min_samples_leaf: usize,
    /// LabelSums over the group.
    whole: LabelSums,
    left: LabelSums,
    right: LabelSums,
    /// Places of the group's labels in their order, for losses that need it.
    places: Vec<u32>,
    best: Option<BestSplit>,
}

/// The split with the greatest score that leaves at least `min_samples_leaf` samples on each side, if there
/// is any.
///
/// Features are tried in ascending order, and so are thresholds. Missing values are tried on the right, then
/// on the left, then against all others. Among equal scores the first stays. `samples` are in ascending
/// order, which fixes the order of sums. Only `features` are tried.
pub(super) async fn best_split(
    design: &Design,
    outcomes: &Outcomes,
    samples: &[u32],
    features: &[usize],
    min_samples_leaf: usize,
    slice: &mut Slice,
) -> Option<BestSplit> {
    let nothing = outcomes.nothing();
    let whole = outcomes.sums(samples);
    let (left, right) = (nothing.clone(), nothing.clone());
    let places = if let Outcomes::Ordered(ordered) = outcomes { ordered.places(samples) } else { vec![] };
    let mut search = GroupSearch { outcomes, min_samples_leaf, whole, left, right, places, best: None };
    let mut cells = Vec::with_capacity(samples.len());
    let mut missing = Missing { sums: nothing, samples: vec![] };
    for &feature in features {
        let constant = gather(design, outcomes, samples, feature, &mut cells, &mut missing);
        if !constant {
            // Stable, so equal values stay in the order of the samples and sums are the same on every
            // machine. An indicator has two values, which the comparison sort takes in linear time.
            if cells.len() < MANY {
                cells.sort_by(|a, b| a.0.total_cmp(&b.0));
            } else {
                sort_pairs(&mut cells);
            }
            slice.spend(COST * samples.len() / 2).await;
            let sides = if missing.sums.rows > 0 { &[false, true][..] } else { &[false] };
            for &missing_left in sides {
                let scores = search.scores(&cells, &missing.samples, missing_left, slice).await;
                search.thresholds(feature, &cells, &missing, missing_left, scores.as_deref());
            }
        }
        if missing.sums.rows > 0 && !cells.is_empty() {
            search.missing_against_rest(feature, &cells, &missing);
        }
        slice.spend(COST * samples.len() / 2).await;
    }
    search.best
}

/// The feature's values in the order of the samples, and the samples without one. Returns whether the
/// values are all alike.
fn gather(
    design: &Design,
    outcomes: &Outcomes,
    samples: &[u32],
    feature: usize,
    cells: &mut Vec<Cell>,
    missing: &mut Missing,
) -> bool {
    cells.clear();
    missing.sums.clear();
    missing.samples.clear();
    let (mut least, mut greatest) = (f32::INFINITY, f32::NEG_INFINITY);
    for &sample in samples {
        let value = design.row(sample as usize)[feature];
        if value.is_nan() {
            outcomes.add(&mut missing.sums, sample);
            missing.samples.push(sample);
        } else {
            (least, greatest) = (least.min(value), greatest.max(value));
            cells.push((value, sample));
        }
    }
    cells.is_empty() || greatest <= least + SAME_VALUE
}

impl GroupSearch<'_> {
    /// Tries every boundary between two values of the feature, the missing values all on one side. LabelSums give
    /// the scores of the boundaries unless they are known.
    fn thresholds(
        &mut self,
        feature: usize,
        cells: &[Cell],
        missing: &Missing,
        missing_left: bool,
        scores: Option<&[f64]>,
    ) {
        if missing_left {
            self.left.copy_from(&missing.sums);
        } else {
            self.left.clear();
        }
        for (at, pair) in cells.windows(2).enumerate() {
            self.outcomes.add(&mut self.left, pair[0].1);
            let (low, high) = (pair[0].0, pair[1].0);
            if high <= low + SAME_VALUE {
                continue;
            }
            // Where training has no missing value, a later one goes where most samples went.
            let default_left =
                if missing.sums.rows > 0 { missing_left } else { 2 * self.left.rows > self.whole.rows };
            // Halved before they are added, as in scikit-learn; halves of f32 values are exact in f64.
            let score = scores.map(|scores| scores[at]);
            self.consider(feature, f64::from(low) / 2.0 + f64::from(high) / 2.0, default_left, score);
        }
    }

    /// The scores of the boundaries, where sums do not give them: the losses of both sides, negated.
    async fn scores(
        &self,
        cells: &[Cell],
        missing: &[u32],
        missing_left: bool,
        slice: &mut Slice,
    ) -> Option<Vec<f64>> {
        let Outcomes::Ordered(ordered) = self.outcomes else { return None };
        let (left, right) = if missing_left { (missing, &[][..]) } else { (&[][..], missing) };
        let left = ordered.losses(&self.places, left, cells.iter().map(|cell| cell.1), slice).await;
        let right = ordered.losses(&self.places, right, cells.iter().rev().map(|cell| cell.1), slice).await;
        Some((1..cells.len()).map(|at| -(left[at - 1] + right[cells.len() - at - 1])).collect())
    }

    /// Tries the missing values on the right against all others on the left.
    fn missing_against_rest(&mut self, feature: usize, cells: &[Cell], missing: &Missing) {
        self.left.set_difference(&self.whole, &missing.sums);
        let score = if let Outcomes::Ordered(ordered) = self.outcomes {
            let samples: Vec<u32> = cells.iter().map(|cell| cell.1).collect();
            let loss = |samples: &[u32]| ordered.summary(samples).0 * samples.len() as f64;
            Some(-(loss(&samples) + loss(&missing.samples)))
        } else {
            None
        };
        self.consider(feature, f64::from(f32::MAX), false, score);
    }

    /// Takes the split whose left side is `self.left` if it is admissible and better than the best so far.
    /// LabelSums give its score unless it is known.
    fn consider(&mut self, feature: usize, threshold: f64, default_left: bool, known: Option<f64>) {
        let rows_right = self.whole.rows - self.left.rows;
        if self.left.rows < self.min_samples_leaf || rows_right < self.min_samples_leaf {
            return;
        }
        let score = known.unwrap_or_else(|| {
            self.right.set_difference(&self.whole, &self.left);
            self.outcomes.score(&self.left, &self.right)
        });
        if self.best.is_none_or(|best| score > best.score) {
            self.best = Some(BestSplit { feature, threshold, default_left, score });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Criterion, SplitRules};
    use super::*;
    use crate::encode::Labels;
    use crate::numeric::slices::at_once;
    use nalgebra::DMatrix;

    const NAN: f32 = f32::NAN;

    /// Columns of values, one class per sample.
    fn best(columns: &[&[f32]], label: &[u32], min_samples_leaf: usize) -> Option<BestSplit> {
        let y = Labels::Classes { label: label.to_vec(), classes: 2 };
        let x = DMatrix::from_fn(columns.len(), label.len(), |feature, sample| columns[feature][sample]);
        let outcomes =
            Outcomes::new(&y, &SplitRules { criterion: Criterion::Gini, ..SplitRules::down_to(5) });
        let samples: Vec<u32> = (0..label.len() as u32).collect();
        let features: Vec<usize> = (0..columns.len()).collect();
        at_once(best_split(
            &Design { x, y },
            &outcomes,
            &samples,
            &features,
            min_samples_leaf,
            &mut Slice::default(),
        ))
    }

    fn check(columns: &[&[f32]], label: &[u32], expected: (usize, f64, bool)) {
        let found = best(columns, label, 1).expect("there is a split");
        assert_eq!((found.feature, found.threshold, found.default_left), expected);
    }

    #[test]
    fn among_equals_the_first_feature_and_the_lowest_threshold_win() {
        check(&[&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]], &[0, 1, 0], (0, 1.5, false));
        check(&[&[0.0, 0.0, 1.0, 1.0], &[5.0, 5.0, 7.0, 7.0]], &[0, 0, 1, 1], (0, 0.5, false));
        check(&[&[4.0, 4.0, 4.0], &[1.0, 2.0, 3.0]], &[0, 0, 1], (1, 2.5, true));
    }

    #[test]
    fn missing_values_go_where_they_fit() {
        check(&[&[1.0, 2.0, 3.0, NAN, NAN]], &[0, 0, 1, 1, 1], (0, 2.5, false));
        check(&[&[1.0, 2.0, 3.0, NAN, NAN]], &[0, 1, 1, 0, 0], (0, 1.5, true));
        check(&[&[1.0, 2.0, 3.0, NAN, NAN]], &[0, 0, 0, 1, 1], (0, f64::from(f32::MAX), false));
        check(&[&[1.0, 1.0, NAN]], &[0, 0, 1], (0, f64::from(f32::MAX), false));
    }

    #[test]
    fn without_missing_values_the_larger_side_takes_those_to_come_and_the_right_one_on_equality() {
        check(&[&[1.0, 2.0, 3.0]], &[0, 0, 1], (0, 2.5, true));
        check(&[&[1.0, 2.0, 3.0]], &[0, 1, 1], (0, 1.5, false));
        check(&[&[1.0, 2.0]], &[0, 1], (0, 1.5, false));
    }

    #[test]
    fn values_too_near_to_tell_apart_are_one_value() {
        assert_eq!(best(&[&[0.0, 0.9e-7]], &[0, 1], 1), None);
        assert!(best(&[&[0.0, 1.1e-7]], &[0, 1], 1).is_some());
        assert_eq!(best(&[&[NAN, NAN]], &[0, 1], 1), None);
        // At this size the sum with the constant rounds away and every f32 counts.
        assert!(best(&[&[1e6, 1e6f32.next_up()]], &[0, 1], 1).is_some());
    }

    #[test]
    fn sides_keep_their_least_number_of_samples_missing_ones_included() {
        assert_eq!(best(&[&[1.0, 2.0, 3.0]], &[0, 1, 1], 2), None);
        let found = best(&[&[1.0, 2.0, 3.0, NAN]], &[0, 1, 1, 0], 2).unwrap();
        assert_eq!((found.threshold, found.default_left), (1.5, true));
        assert_eq!(best(&[&[1.0, 1.0, 1.0, NAN]], &[0, 0, 0, 1], 2), None);
    }

    #[test]
    fn thresholds_stay_finite_and_between_their_values_at_the_ends_of_f32() {
        for (low, high) in
            [(f32::MIN, f32::MAX), (f32::MAX.next_down(), f32::MAX), (1.0, 1f32.next_up().next_up())]
        {
            let found = best(&[&[low, high]], &[0, 1], 1).unwrap();
            assert!(found.threshold >= f64::from(low) && found.threshold < f64::from(high));
            assert!(found.split().goes_left(&[low]).unwrap() && !found.split().goes_left(&[high]).unwrap());
        }
    }
}
