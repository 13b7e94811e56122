//! Decodes a learned tree: thresholds in the file's units, categories as sets of words.
//!
//! # The model is the exported tree
//!
//! A learner sees its training samples in their *training* encoding: a target mean leaves out the sample's
//! own outcome, and rare classes may have synthetic samples. Every other sample, and every cell that the
//! finished tree will ever read, is encoded *as a new one*. The two encodings of one row may fall on
//! different sides of a threshold.
//!
//! So before a tree is decoded, it is settled on the training rows encoded as new ones (`settle` of the
//! learners): branches that none of them reaches are removed. The decoded tree routes every seen row as the
//! settled tree does. It is the model: its counts, scores and files are computed from it alone.
//!
//! Missing and unseen values go one way at each split, `default_left`: the side of their replacement, or the
//! side that the learner chose if it keeps missing values.

use super::Encoder;
use super::column::{Column, Source};
use super::oblique::Reached;
use super::threshold::{Gap, raw_threshold};
use crate::numeric::order::sort_values;
use crate::tree::{Leaf, Node, Split, Tree};

/// How thresholds are written in the file's units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thresholds {
    /// Exactly where the learner put them: every possible value is routed as in training.
    Exact,
    /// The shortest decimal within a few f32 steps, for thresholds that are midpoints of two values.
    Neat,
    /// The shortest decimal that routes every seen value as in training.
    Tidy,
}

impl Encoder {
    /// Converts a tree in design space to a tree that reads file values.
    ///
    /// `None` if an oblique split or a linear leaf reads a column that is not an affinely scaled number. A
    /// sum over ranks, or over categories of several features, cannot be written in the file's terms. A sum
    /// over the columns of a single categorical feature becomes a set of its words.
    ///
    /// # Panics
    /// If the tree has categorical splits, which no learner makes in design space.
    pub(crate) fn decode(&self, tree: &Tree, thresholds: Thresholds) -> Option<Tree> {
        let reached = Reached::by_seen_rows(self, tree);
        let mut seen =
            Seen { scans: vec![0; self.categories.len()], ascending: vec![vec![]; self.categories.len()] };
        let nodes = tree.nodes().iter().enumerate().map(|(id, node)| {
            Some(match node {
                Node::Leaf(leaf @ Leaf::Linear { .. }) => Node::Leaf(self.decode_linear(leaf)?),
                Node::Leaf(leaf) => Node::Leaf(leaf.clone()),
                Node::Split { split, left, right, default_left } => {
                    let (split, default_left) = match split {
                        Split::Numerical { feature, threshold } => self.decode_split(
                            &self.columns[*feature],
                            *threshold,
                            *default_left,
                            thresholds,
                            &mut seen,
                        ),
                        Split::Oblique { .. } => match self.decode_words(split) {
                            Some(words) => words,
                            None => (self.decode_oblique(split, &reached, id)?, *default_left),
                        },
                        Split::Categorical { .. } => panic!("node {id}: design columns are numbers"),
                    };
                    Node::Split { split, left: *left, right: *right, default_left }
                }
            })
        });
        let nodes: Option<Vec<Node>> = nodes.collect();
        Some(Tree::new(nodes?).expect("the shape of the tree is unchanged"))
    }

    fn decode_split(
        &self,
        column: &Column,
        threshold: f32,
        default_left: bool,
        how: Thresholds,
        seen: &mut Seen,
    ) -> (Split, bool) {
        let feature = column.feature;
        let goes_left = |value: f32| column.encode(value) <= threshold;
        match &column.source {
            Source::Number { fill } => {
                let raw = raw_threshold(|x| column.encode(x), threshold);
                // The replacement counts as seen: a row with a missing value must keep its route.
                let mut gap = || seen.gap(self, feature, raw, *fill);
                let raw = match how {
                    Thresholds::Exact => raw,
                    Thresholds::Neat => gap().neat(raw),
                    Thresholds::Tidy => gap().tidy(raw),
                };
                let default_left = fill.map_or(default_left, |fill| fill <= raw);
                (Split::Numerical { feature, threshold: raw }, default_left)
            }
            Source::Missing { words: false } => {
                // Every number is at most the maximum f32, and none is below the minimum.
                let threshold = if goes_left(0.0) { f32::MAX } else { f32::MIN };
                (Split::Numerical { feature, threshold }, goes_left(f32::NAN))
            }
            Source::Missing { words: true } | Source::Indicator { .. } | Source::Target { .. } => {
                let left = (0..self.categories[feature]).map(|category| goes_left(category as f32)).collect();
                let kept = matches!(column.source, Source::Target { keep_missing: true, .. });
                let default_left = if kept { default_left } else { goes_left(f32::NAN) };
                (Split::Categorical { feature, left }, default_left)
            }
        }
    }
}

/// The seen values of each feature, sorted if many splits need them.
struct Seen {
    /// How often all values of a feature were scanned.
    scans: Vec<usize>,
    ascending: Vec<Vec<f32>>,
}

/// After this many scans, the values of a feature are sorted.
const SCANS: usize = 4;

impl Seen {
    /// The gap around a threshold among a feature's values and the replacement for missing ones.
    fn gap(&mut self, encoder: &Encoder, feature: usize, threshold: f32, fill: Option<f32>) -> Gap {
        let row = encoder.seen.row(feature);
        let values = row.iter().copied();
        if self.scans[feature] < SCANS {
            self.scans[feature] += 1;
            return Gap::around(threshold, values.chain(fill));
        }
        let ascending = &mut self.ascending[feature];
        if ascending.is_empty() {
            *ascending = values.filter(|value| !value.is_nan()).collect();
            sort_values(ascending);
        }
        Gap::within(threshold, ascending, fill)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{GRADIENT, GREEDY, features, labels, values};
    use super::super::{Missing, Scale, Wants};
    use super::*;
    use crate::tree::FeatureKind;

    fn stump(feature: usize, threshold: f32, default_left: bool) -> Tree {
        let split = Split::Numerical { feature, threshold };
        Tree::new(vec![
            Node::Split { split, left: 1, right: 2, default_left },
            Node::Leaf(Leaf::Constant(0.0)),
            Node::Leaf(Leaf::Constant(1.0)),
        ])
        .unwrap()
    }

    fn all_wants() -> Vec<Wants> {
        let scales = [Scale::None, Scale::Standard, Scale::MinMax, Scale::Quantile];
        let gradient = scales.into_iter().flat_map(|scale| {
            [Missing::Median, Missing::Indicator].map(|missing| Wants { scale, missing, ..GRADIENT })
        });
        gradient.chain([GREEDY]).collect()
    }

    /// A decoded split sends a file value where the design split sends its encoding. With exact thresholds
    /// this holds for every possible value, with tidy ones for those seen. It always holds for missing and
    /// unseen values.
    #[test]
    fn decoded_splits_route_every_value_alike() {
        for wants in all_wants() {
            let encoder = Encoder::fit(&features(), &values(), &labels(), &values(), &wants, 7);
            for column in 0..encoder.columns.len() {
                for threshold in
                    [-6.0, -5.0, -2.0, -0.3, 0.0, 0.2, 0.39, 0.6, 0.999, 1.0, 1.7, 3.0, 5.0, 12.0, 30.0]
                {
                    for default_left in [false, true] {
                        let tree = stump(column, threshold, default_left);
                        check(&encoder, &tree, column, &wants);
                    }
                }
            }
        }
    }

    fn check(encoder: &Encoder, tree: &Tree, column: usize, wants: &Wants) {
        let feature = encoder.columns[column].feature;
        let decoded = |how| encoder.decode(tree, how).unwrap();
        let (exact, tidy, neat) =
            (decoded(Thresholds::Exact), decoded(Thresholds::Tidy), decoded(Thresholds::Neat));
        let mut design = vec![0.0; encoder.columns.len()];
        let mut row = vec![f32::NAN; encoder.categories.len()];
        let mut expected = |value: f32| {
            design[column] = encoder.columns[column].encode(value);
            tree.leaf_of(&design)
        };
        let mut found = |tree: &Tree, value: f32| {
            row[feature] = value;
            tree.leaf_of(&row)
        };
        for &value in values().row(feature).iter().chain([&f32::NAN]) {
            for tree in [&exact, &tidy, &neat] {
                assert_eq!(found(tree, value), expected(value), "{wants:?} {column} {value}");
            }
        }
        let others: &[f32] = match features()[feature].kind {
            FeatureKind::Numerical { .. } => &[-1e30, -3.3, 0.26, 7.77, 22.9, 1e9],
            FeatureKind::Categorical { .. } => &[-1.0], // a word not seen in training
        };
        for &value in others {
            assert_eq!(found(&exact, value), expected(value), "{wants:?} {column} {value}");
        }
    }

    #[test]
    fn missing_and_unseen_categories_share_the_route_of_their_stand_in() {
        let encoder = Encoder::fit(&features(), &values(), &labels(), &values(), &GRADIENT, 7);
        let many = encoder.columns.len() - 1;
        let overall = encoder.columns[many].encode(f32::NAN);
        for (threshold, left) in [(overall, true), (overall.next_down(), false)] {
            let tree = encoder.decode(&stump(many, threshold, !left), Thresholds::Exact).unwrap();
            let Node::Split { split: Split::Categorical { left: set, .. }, default_left, .. } =
                &tree.nodes()[0]
            else {
                panic!("a set of categories was expected");
            };
            assert_eq!(*default_left, left);
            assert_eq!(set[14], left, "a category seen once is encoded like one never seen");
            for value in [f32::NAN, -1.0] {
                assert_eq!(tree.leaf_of(&[0.0, 0.0, 0.0, value]), if left { 1 } else { 2 });
            }
        }
    }

    #[test]
    fn a_split_on_being_missing_has_a_way_back() {
        let wants = Wants { missing: Missing::Indicator, ..GRADIENT };
        let encoder = Encoder::fit(&features(), &values(), &labels(), &values(), &wants, 7);
        let tree = encoder.decode(&stump(1, 0.5, true), Thresholds::Tidy).unwrap();
        assert_eq!(tree.leaf_of(&[f32::NAN, 0.0, 0.0, 0.0]), 2);
        for number in [-1e30, 0.0, 7.0, 1e30] {
            assert_eq!(tree.leaf_of(&[number, 0.0, 0.0, 0.0]), 1);
        }
    }
}
