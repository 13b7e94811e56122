//! Shared sort functions. Each use of the standard library's sort with another type or comparison compiles to
//! some ten more kilobytes; code that is not hot shares these instead.

use std::cmp::Ordering;
use std::collections::BTreeMap;

pub use super::radix::{sort_numbers, sort_pairs, sorted_positions};

/// Sorts numbers in ascending order; -0 comes before 0.
pub(crate) fn sort_values(values: &mut [f32]) {
    values.sort_unstable_by(f32::total_cmp);
}

/// Sorts positions by a comparison; ties keep their order.
pub(crate) fn sort_positions(positions: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    positions.sort_by(|&a, &b| compare(a, b));
}

/// Sorts words and removes duplicates.
pub(crate) fn sort_words(words: &mut Vec<&str>) {
    words.sort();
    words.dedup();
}

/// The position of the first largest value.
pub fn first_largest(values: &[f64]) -> usize {
    let mut best = 0;
    for (at, &value) in values.iter().enumerate() {
        if value > values[best] {
            best = at;
        }
    }
    best
}

/// Builds a map from pairs. Collecting into a map would compile a sort of the pairs; this inserts them one by
/// one.
pub(crate) fn map_of<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(pairs);
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_positions_and_words() {
        let mut values = [2.0, -1.0, 0.0, -0.0];
        sort_values(&mut values);
        assert_eq!(values.map(f32::to_bits), [-1.0f32, -0.0, 0.0, 2.0].map(f32::to_bits));
        let mut positions = [0, 1, 2, 3];
        let sizes = [5, 1, 5, 0];
        sort_positions(&mut positions, &|a, b| sizes[a].cmp(&sizes[b]));
        assert_eq!(positions, [3, 1, 0, 2]);
        let mut words = vec!["b", "a", "b"];
        sort_words(&mut words);
        assert_eq!(words, ["a", "b"]);
    }
}
