//! Summaries of a column's cells: a histogram of its numbers, or its most frequent words.

/// A summary of a column's present cells.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Profile {
    /// There are no present cells.
    #[default]
    Empty,
    /// Numbers. Dates are counted in days since 1970-01-01, times in hours.
    Numbers {
        /// Minimum, lower quartile, median, upper quartile, maximum.
        quantiles: [f64; 5],
        /// Edges of the histogram's bins: one more than there are bins.
        edges: Vec<f64>,
        /// Cells in each bin. A value on an edge is in the bin to its right; the maximum is in the last bin.
        counts: Vec<usize>,
    },
    /// Words.
    Words {
        /// The most frequent words with their counts, most frequent first; ties in alphabetical order.
        top: Vec<(String, usize)>,
        /// Cells with other words.
        others: usize,
    },
}

/// Bins of a histogram.
const BARS: usize = 20;

/// How many words are listed.
const TOP: usize = 10;

/// Summarises sorted numbers.
pub(super) fn numbers(sorted: &[f64]) -> Profile {
    let (Some(&least), Some(&greatest)) = (sorted.first(), sorted.last()) else { return Profile::Empty };
    let quantiles = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile(sorted, share));
    let distinct = 1 + sorted.windows(2).filter(|pair| pair[0] < pair[1]).take(BARS).count();
    let bars = distinct.min(BARS);
    let edge = |at: usize| least + (greatest - least) * (at as f64 / bars as f64);
    let edges: Vec<f64> = (0..bars).map(edge).chain([greatest]).collect();
    let below: Vec<usize> =
        edges[1..bars].iter().map(|&edge| sorted.partition_point(|&value| value < edge)).collect();
    let starts = [0].into_iter().chain(below.iter().copied());
    let ends = below.iter().copied().chain([sorted.len()]);
    let counts = starts.zip(ends).map(|(start, end)| end - start).collect();
    Profile::Numbers { quantiles, edges, counts }
}

/// Quantile of sorted numbers, by linear interpolation.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    let weight = place - place.floor();
    below * (1.0 - weight) + above * weight
}

/// Summarises words with their counts.
pub(super) fn words<'a>(words: impl Iterator<Item = (&'a str, usize)>) -> Profile {
    let mut top: Vec<(&str, usize)> = Vec::with_capacity(TOP + 1);
    let mut total = 0;
    for (word, count) in words {
        total += count;
        let before = |other: &(&str, usize)| other.1 > count || other.1 == count && other.0 < word;
        let place = top.iter().position(|other| !before(other)).unwrap_or(top.len());
        if place < TOP {
            top.insert(place, (word, count));
            top.truncate(TOP);
        }
    }
    if total == 0 {
        return Profile::Empty;
    }
    let others = total - top.iter().map(|(_, count)| count).sum::<usize>();
    Profile::Words { top: top.into_iter().map(|(word, count)| (word.to_owned(), count)).collect(), others }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_has_every_value_once() {
        let sorted: Vec<f64> = (0..=100).map(f64::from).collect();
        let Profile::Numbers { quantiles, edges, counts } = numbers(&sorted) else { panic!() };
        assert_eq!(quantiles, [0.0, 25.0, 50.0, 75.0, 100.0]);
        assert_eq!((edges.len(), counts.len(), counts.iter().sum::<usize>()), (21, 20, 101));
        assert_eq!((counts[0], counts[19]), (5, 6));
        let Profile::Numbers { edges, counts, .. } = numbers(&[0.0, 0.0, 1.0]) else { panic!() };
        assert_eq!((edges, counts), (vec![0.0, 0.5, 1.0], vec![2, 1]));
        let Profile::Numbers { edges, counts, .. } = numbers(&[7.0, 7.0]) else { panic!() };
        assert_eq!((edges, counts), (vec![7.0, 7.0], vec![2]));
        assert_eq!(numbers(&[]), Profile::Empty);
    }

    #[test]
    fn the_most_frequent_words_come_first() {
        let names: Vec<String> = (0..15).map(|i| format!("w{i:02}")).collect();
        let counted = names.iter().enumerate().map(|(i, name)| (name.as_str(), if i == 9 { 5 } else { 1 }));
        let Profile::Words { top, others } = words(counted) else { panic!() };
        assert_eq!((top.len(), others), (10, 5));
        assert_eq!((top[0].clone(), top[1].clone()), (("w09".into(), 5), ("w00".into(), 1)));
    }
}
