//! What the rows that reach a node look like along the axis its split cuts: the picture inside each node of a
//! drawn tree.

use super::cuts::Outcomes;
use super::rows::{Rows, split_of, threshold};
use crate::encode::Labels;
use crate::numeric::order::sort_numbers;
use crate::tree::{Split, Tree};

/// Bars of a histogram.
pub(crate) const BINS: usize = 16;

/// Classes with bars of their own; with more, the last stands for all the others, as in the page's legend.
const MOST_SLOTS: usize = 8;

/// Share of the values at either end that may lie outside the axis, so that one far value does not flatten
/// the rest.
const OUTSIDE: f64 = 0.01;

/// A histogram for every node, as plain numbers.
///
/// First `BINS` and the slots S, then for each node in order 4 + `BINS` · S numbers: the axis's least and
/// greatest value, where the split cuts it, where a greedy learner would cut the same rows on the same axis
/// (NaN for nowhere, −∞ for words, which have no axis but are counted from 0), and for each bar its S
/// numbers. Of classes these are rows by slot; of a number the rows and the mean of the target among them.
///
/// The axis is what the split compares with its threshold. Of a split of words a bar is a word or several,
/// those that go left first. Of a leaf the bars are empty for classes, and the spread of the target for a
/// number.
pub fn marks(tree: &Tree, rows: &Rows) -> Vec<f32> {
    let slots = match &rows.labels {
        Labels::Classes { classes, .. } => (*classes).min(MOST_SLOTS),
        Labels::Values(_) => 2,
    };
    let outcomes = Outcomes::new(&rows.labels);
    let reached = rows.by_node(tree);
    let all: Vec<usize> = (0..rows.len()).collect();
    let mut axes: Vec<Option<(f64, f64)>> = vec![None; rows.features()];
    let mut of_target = None;
    let mut numbers = vec![BINS as f32, slots as f32];
    for (node, here) in tree.nodes().iter().zip(&reached) {
        let mut bars = vec![0.0f64; BINS * slots];
        let (low, high, cut, greedy) = match split_of(node) {
            Some(Split::Categorical { feature, left }) => {
                let place = word_places(left);
                let bar = |row: usize| {
                    let word = rows.row(row)[*feature];
                    if word >= 0.0 { place.get(word as usize).copied() } else { None }
                };
                fill(&mut bars, slots, &rows.labels, here, &bar);
                let end = |bars: Option<&usize>| bars.map_or(0.0, |bar| (bar + 1) as f64);
                let cut = end(left.iter().zip(&place).filter(|(left, _)| **left).map(|(_, bar)| bar).max());
                (0.0, end(place.iter().max()), cut, f64::NEG_INFINITY)
            }
            Some(split) => {
                let value = |row: usize| rows.compared(split, row);
                // Of a column the axis is the same in every node; a weighted sum is a quantity of its node
                // alone.
                let (low, high) = match split {
                    Split::Numerical { feature, .. } => {
                        *axes[*feature].get_or_insert_with(|| axis(&all, &value))
                    }
                    _ => axis(here, &value),
                };
                fill(&mut bars, slots, &rows.labels, here, &|row| bar_of(value(row), low, high));
                (low, high, threshold(split), outcomes.best_cut(here, &value).unwrap_or(f64::NAN))
            }
            None => {
                let (mut low, mut high) = (0.0, 0.0);
                if let Labels::Values(values) = &rows.labels {
                    (low, high) = *of_target.get_or_insert_with(|| axis(&all, &|row| values[row]));
                    fill(&mut bars, slots, &rows.labels, here, &|row| bar_of(values[row], low, high));
                }
                (low, high, f64::NAN, f64::NAN)
            }
        };
        numbers.extend([low, high, cut, greedy].map(|number| number as f32));
        numbers.extend(bars.iter().map(|&bar| bar as f32));
    }
    numbers
}

/// Adds rows to their bars.
fn fill(
    bars: &mut [f64],
    slots: usize,
    labels: &Labels,
    here: &[usize],
    bar: &dyn Fn(usize) -> Option<usize>,
) {
    for &row in here {
        let Some(at) = bar(row).map(|bar| bar * slots) else { continue };
        match labels {
            Labels::Classes { label, .. } => bars[at + (label[row] as usize).min(slots - 1)] += 1.0,
            Labels::Values(values) => {
                bars[at] += 1.0;
                bars[at + 1] += (values[row] - bars[at + 1]) / bars[at];
            }
        }
    }
}

/// Least and greatest value without the outermost ones.
fn axis(rows: &[usize], value: &dyn Fn(usize) -> f64) -> (f64, f64) {
    let mut values: Vec<f64> = rows.iter().map(|&row| value(row)).filter(|value| !value.is_nan()).collect();
    sort_numbers(&mut values);
    let outside = (values.len() as f64 * OUTSIDE).floor() as usize;
    match (values.get(outside), values.iter().rev().nth(outside)) {
        (Some(&low), Some(&high)) if low < high => (low, high),
        (Some(&low), _) => (low - 0.5, low + 0.5),
        _ => (0.0, 1.0),
    }
}

/// The bar of a value; what lies outside the axis counts in the outermost bar.
fn bar_of(value: f64, low: f64, high: f64) -> Option<usize> {
    let place = (value - low) / (high - low) * BINS as f64;
    (!place.is_nan()).then(|| (place.max(0.0) as usize).min(BINS - 1))
}

/// The bar of each word: those that go left first. More words than bars share them, but never across the cut.
fn word_places(left: &[bool]) -> Vec<usize> {
    let going = left.iter().filter(|left| **left).count();
    let staying = left.len() - going;
    let (bars_left, bars_right) = if left.len() <= BINS {
        (going, staying)
    } else {
        let most = BINS - usize::from(staying > 0);
        let bars = (going * BINS).div_ceil(left.len()).min(most);
        (bars, BINS - bars)
    };
    let (mut a, mut b) = (0, 0);
    left.iter()
        .map(|&goes_left| {
            let (seen, all, from, bars) = if goes_left {
                (&mut a, going, 0, bars_left)
            } else {
                (&mut b, staying, bars_left, bars_right)
            };
            let bar = from + *seen * bars / all;
            *seen += 1;
            bar
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_go_left_come_first_and_never_share_a_bar_with_others() {
        assert_eq!(word_places(&[false, true, false, true]), [2, 0, 3, 1]);
        for going in [1, 20, 39] {
            let left: Vec<bool> = (0..40).map(|word| word < going).collect();
            let places = word_places(&left);
            let last = places[going - 1];
            assert!(
                places[..going].iter().all(|bar| *bar <= last)
                    && places[going..].iter().all(|bar| *bar > last)
            );
            assert!(places.iter().all(|bar| *bar < BINS), "{places:?}");
        }
    }

    #[test]
    fn far_values_count_in_the_outermost_bars() {
        assert_eq!(
            [-9.0, 0.0, 0.5, 1.0, 9.0].map(|value| bar_of(value, 0.0, 1.0)),
            [0, 0, 8, 15, 15].map(Some)
        );
        assert_eq!(bar_of(f64::NAN, 0.0, 1.0), None);
        let values: Vec<f64> = (0..199).map(f64::from).chain([1e9]).collect();
        let rows: Vec<usize> = (0..200).collect();
        assert_eq!(axis(&rows, &|row| values[row]), (2.0, 197.0));
        assert_eq!(axis(&rows[..1], &|row| values[row]), (-0.5, 0.5));
    }
}
