//! File values to design values, and learned trees back.

use nalgebra::DMatrix;

use super::threshold::{neat_threshold, raw_threshold, tidy_threshold};
use super::vocabulary::quantile;
use super::{Design, Labels, Wants};
use crate::numeric::order::{sort_positions, sort_values};
use crate::tree::{Feature, FeatureKind, Node, Split, Tree};

/// A column of words gets an indicator for each of at most this many words, the most frequent ones.
const MOST_INDICATORS: usize = 24;

/// How a design column comes from a feature.
#[derive(Debug, Clone, PartialEq)]
enum Column {
    /// A number, shifted and scaled: `(x − centre) / scale`.
    Number {
        feature: usize,
        centre: f64,
        scale: f64,
        /// What stands in for a missing value; none to keep it missing.
        fill: Option<f32>,
        /// The values seen, ascending and all different.
        seen: Vec<f32>,
    },
    /// 1 for one category, 0 for the others, for unseen words and for missing values.
    Indicator { feature: usize, category: usize },
}

/// How thresholds are written in the file's units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thresholds {
    /// Exactly where the learner put them: every possible value goes the way it went in training.
    Exact,
    /// The shortest decimal within one step of f32: for thresholds that are the middle of two values.
    Neat,
    /// The shortest decimal that sends every value seen the way it went in training.
    Tidy,
}

/// A fitted encoding.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoder {
    columns: Vec<Column>,
    /// The number of categories of each feature; 0 for numbers.
    categories: Vec<usize>,
}

impl Encoder {
    /// Fits the encoding a learner wants. `fitted` (P × N) has the file values of the training samples, from which means,
    /// medians and frequent words are taken; `seen` those of all samples whose routes must not change under
    /// [`Thresholds::Tidy`].
    pub fn fit(features: &[Feature], fitted: &DMatrix<f32>, seen: &DMatrix<f32>, wants: Wants) -> Encoder {
        let mut columns = vec![];
        for (at, feature) in features.iter().enumerate() {
            let values = || fitted.row(at).iter().copied().filter(|value| !value.is_nan()).collect::<Vec<f32>>();
            match &feature.kind {
                FeatureKind::Numerical { .. } => {
                    let seen = seen.row(at).iter().copied().filter(|value| !value.is_nan()).collect();
                    columns.push(number(at, values(), seen, wants));
                }
                FeatureKind::Categorical { categories } => {
                    let missing = fitted.row(at).iter().any(|value| value.is_nan());
                    let used = indicators(&values(), categories.len(), missing);
                    columns.extend(used.into_iter().map(|category| Column::Indicator { feature: at, category }));
                }
            }
        }
        let categories = features.iter().map(|feature| match &feature.kind {
            FeatureKind::Numerical { .. } => 0,
            FeatureKind::Categorical { categories } => categories.len(),
        });
        Encoder { columns, categories: categories.collect() }
    }

    /// Encodes samples. `values` is P × N.
    pub fn design(&self, values: &DMatrix<f32>, y: Labels) -> Design {
        let x = DMatrix::from_fn(self.columns.len(), values.ncols(), |column, sample| {
            let column = &self.columns[column];
            column.encode(values[(column.feature(), sample)])
        });
        Design { x, y }
    }

    /// A tree in design space as a tree that reads file values: thresholds in the file's units, indicators as sets of words.
    ///
    /// # Panics
    /// If the tree has splits of a kind that no learner makes in design space (categorical) or that cannot be taken back
    /// column by column (oblique).
    pub fn decode(&self, tree: &Tree, thresholds: Thresholds) -> Tree {
        let nodes = tree.nodes().iter().map(|node| match node {
            Node::Leaf(leaf) => Node::Leaf(leaf.clone()),
            Node::Split { split: Split::Numerical { feature, threshold }, left, right, default_left } => {
                let (split, default_left) =
                    self.decode_split(&self.columns[*feature], *threshold, *default_left, thresholds);
                Node::Split { split, left: *left, right: *right, default_left }
            }
            Node::Split { split, .. } => panic!("{split:?} is not a split of one design column"),
        });
        Tree::new(nodes.collect()).expect("the shape of the tree is unchanged")
    }

    fn decode_split(&self, column: &Column, threshold: f32, default_left: bool, how: Thresholds) -> (Split, bool) {
        match column {
            Column::Number { feature, fill, seen, .. } => {
                let raw = raw_threshold(|x| column.encode(x), threshold);
                let raw = match how {
                    Thresholds::Exact => raw,
                    Thresholds::Neat => neat_threshold(seen, raw),
                    Thresholds::Tidy => tidy_threshold(seen, raw),
                };
                let default_left = fill.map_or(default_left, |fill| fill <= raw);
                (Split::Numerical { feature: *feature, threshold: raw }, default_left)
            }
            Column::Indicator { feature, category } => {
                let mut left = vec![0.0 <= threshold; self.categories[*feature]];
                left[*category] = 1.0 <= threshold;
                (Split::Categorical { feature: *feature, left }, 0.0 <= threshold)
            }
        }
    }
}

impl Column {
    fn feature(&self) -> usize {
        match self {
            Column::Number { feature, .. } | Column::Indicator { feature, .. } => *feature,
        }
    }

    fn encode(&self, value: f32) -> f32 {
        match self {
            Column::Number { centre, scale, fill, .. } => {
                let value = if value.is_nan() { fill.unwrap_or(value) } else { value };
                ((f64::from(value) - centre) / scale) as f32
            }
            Column::Indicator { category, .. } => f32::from(u8::from(value == *category as f32)),
        }
    }
}

/// A number column: as it is, or with mean 0 and deviation 1 over the training samples.
fn number(feature: usize, mut values: Vec<f32>, mut seen: Vec<f32>, wants: Wants) -> Column {
    sort_values(&mut values);
    let (centre, scale) = if wants.standardised { moments(&values) } else { (0.0, 1.0) };
    let fill = (!wants.missing_kept && !values.is_empty()).then(|| quantile(&values, 0.5));
    // The stand-in was seen too: a row with a missing value must keep its route.
    seen.extend(fill);
    sort_values(&mut seen);
    seen.dedup();
    Column::Number { feature, centre, scale, fill, seen }
}

/// Mean and population deviation; a deviation of 0 counts as 1.
fn moments(values: &[f32]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().map(|&value| f64::from(value)).sum::<f64>() / n;
    let variance = values.iter().map(|&value| (f64::from(value) - mean) * (f64::from(value) - mean)).sum::<f64>() / n;
    (mean, if variance > 0.0 { variance.sqrt() } else { 1.0 })
}

/// The categories that get an indicator, ascending. Of two that are never missing the second says it all.
fn indicators(codes: &[f32], categories: usize, missing: bool) -> Vec<usize> {
    if categories == 2 && !missing {
        return vec![1];
    }
    let mut counts = vec![0usize; categories];
    codes.iter().for_each(|&code| counts[code as usize] += 1);
    let mut frequent: Vec<usize> = (0..categories).collect();
    sort_positions(&mut frequent, &|a, b| counts[b].cmp(&counts[a]));
    frequent.truncate(MOST_INDICATORS);
    sort_positions(&mut frequent, &|a, b| a.cmp(&b));
    frequent
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{CellReading, Leaf};

    const GRADIENT: Wants = Wants { standardised: true, missing_kept: false, validation: true };
    const GREEDY: Wants = Wants { standardised: false, missing_kept: true, validation: false };

    fn features() -> Vec<Feature> {
        let words = |words: &[&str]| FeatureKind::Categorical { categories: words.iter().map(|&w| w.into()).collect() };
        let number =
            FeatureKind::Numerical { min: 1.0, max: 5.0, quartiles: [0.0; 3], reading: CellReading::default() };
        [("n", number), ("two", words(&["a", "b"])), ("three", words(&["u", "v", "w"]))]
            .into_iter()
            .map(|(name, kind)| Feature { name: name.into(), kind, missing_tokens: vec![] })
            .collect()
    }

    /// n: 1, 2, missing, 5; two: a, b, b, a; three: u, v, missing, w.
    fn values() -> DMatrix<f32> {
        let nan = f32::NAN;
        DMatrix::from_row_slice(3, 4, &[1.0, 2.0, nan, 5.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, nan, 2.0])
    }

    fn encoder(wants: Wants) -> Encoder {
        Encoder::fit(&features(), &values(), &values(), wants)
    }

    fn design(wants: Wants) -> Design {
        encoder(wants).design(&values(), Labels::Values(vec![0.0; 4]))
    }

    #[test]
    fn numbers_are_kept_or_standardised_and_words_become_indicators() {
        let kept = design(GREEDY);
        assert_eq!(kept.row(0), [1.0, 0.0, 1.0, 0.0, 0.0]);
        assert!(kept.row(2)[0].is_nan());
        assert_eq!(kept.row(2)[1..], [1.0, 0.0, 0.0, 0.0]);
        let scaled = design(GRADIENT);
        let column: Vec<f32> = [0, 1, 3].iter().map(|&i| scaled.row(i)[0]).collect();
        assert!(column.iter().sum::<f32>().abs() < 1e-6);
        assert!((column.iter().map(|x| x * x).sum::<f32>() / 3.0 - 1.0).abs() < 1e-6);
        assert_eq!(scaled.row(2)[0], scaled.row(1)[0], "the median, 2, stands in for the missing value");
    }

    /// A decoded split sends every file value where the design split sends its encoding.
    #[test]
    fn decoded_splits_route_every_value_alike() {
        let stump = |feature, threshold| {
            let split = Split::Numerical { feature, threshold };
            Tree::new(vec![
                Node::Split { split, left: 1, right: 2, default_left: false },
                Node::Leaf(Leaf::Constant(0.0)),
                Node::Leaf(Leaf::Constant(1.0)),
            ])
            .unwrap()
        };
        for wants in [GRADIENT, GREEDY] {
            let encoder = encoder(wants);
            for feature in 0..5 {
                for threshold in [-2.0, -0.3, 0.0, 0.2, 0.999, 1.0, 1.7, 3.0] {
                    let tree = stump(feature, threshold);
                    let decoded = encoder.decode(&tree, Thresholds::Exact);
                    let tidy = encoder.decode(&tree, Thresholds::Tidy);
                    let mut file = values().clone().insert_columns(4, 2, 1.5);
                    file.column_mut(4).copy_from_slice(&[f32::NAN, -1.0, -1.0]);
                    file.column_mut(5).copy_from_slice(&[4.999, f32::NAN, f32::NAN]);
                    let encoded = encoder.design(&file, Labels::Values(vec![0.0; 6]));
                    for sample in 0..6 {
                        let row = file.column(sample);
                        let expected = tree.leaf_of(encoded.row(sample));
                        assert_eq!(decoded.leaf_of(row.as_slice()), expected, "{feature} {threshold} {sample}");
                        if sample < 4 {
                            assert_eq!(tidy.leaf_of(row.as_slice()), expected, "{feature} {threshold} {sample}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn only_frequent_words_get_an_indicator() {
        let codes: Vec<f32> = (0..100).flat_map(|code| vec![code as f32; 100 - code]).collect();
        assert_eq!(indicators(&codes, 100, false), (0..MOST_INDICATORS).collect::<Vec<_>>());
        assert_eq!(indicators(&[0.0, 1.0], 2, true), [0, 1]);
    }
}
