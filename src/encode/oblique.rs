//! Decodes weighted sums: folds the scaling of each column into its weight and into the threshold.
//!
//! `Σ w_j (x_j − c_j) / s_j <= t` is `Σ (w_j / s_j) x_j <= t + Σ w_j c_j / s_j`. Both the weights in the file
//! and the design values are rounded to f32, so rows very near the plane might change sides. The threshold is
//! therefore chosen anew, between the nearest seen rows on either side.

use super::Encoder;
use super::column::Source;
use super::numeric::Scaling;
use crate::tree::{Leaf, Node, Split, Tree};

/// How many multiples of a plane are tried. Rounding the weights may put two seen rows in the wrong order,
/// and another multiple of the same plane rounds differently.
const MULTIPLES: usize = 64;

/// For each oblique node of a tree, the seen rows that reach it and whether they go left.
pub(super) struct Reached(Vec<Vec<(usize, bool)>>);

/// A column of numbers in a weighted sum.
struct Term {
    feature: usize,
    /// `w / s`.
    weight: f64,
    /// `w c / s`.
    shift: f64,
    /// The replacement for a missing value, in the file's units.
    stand_in: f32,
}

impl Reached {
    /// Routes the seen rows through a tree in design space.
    pub(crate) fn by_seen_rows(encoder: &Encoder, tree: &Tree) -> Reached {
        let is_oblique = |node: &Node| matches!(node, Node::Split { split: Split::Oblique { .. }, .. });
        if !tree.nodes().iter().any(is_oblique) {
            return Reached(vec![]);
        }
        let mut reached = vec![vec![]; tree.size()];
        let mut row = vec![0.0; encoder.columns.len()];
        for sample in 0..encoder.seen.ncols() {
            for (value, column) in row.iter_mut().zip(&encoder.columns) {
                *value = column.encode(encoder.seen[(column.feature, sample)]);
            }
            let mut path = tree.path_of(&row).peekable();
            while let Some(id) = path.next() {
                // The next node shows which side was taken; a weighted sum routes every row.
                if let (Node::Split { split: Split::Oblique { .. }, left, .. }, Some(next)) =
                    (&tree.nodes()[id], path.peek())
                {
                    reached[id].push((sample, next == left));
                }
            }
        }
        Reached(reached)
    }
}

impl Encoder {
    /// Converts an oblique split to the file's units. `None` if it reads anything but affinely scaled
    /// numbers, or if its weights do not fit in f32.
    pub(super) fn decode_oblique(&self, split: &Split, reached: &Reached, id: usize) -> Option<Split> {
        let Split::Oblique { features, weights, missing_values, threshold } = split else { return None };
        let terms = self.terms(features, weights, missing_values)?;
        let threshold = threshold + terms.iter().map(|term| term.shift).sum::<f64>();
        let most = terms.iter().map(|term| term.weight.abs()).fold(0.0, f64::max);
        // A column on an extreme scale would overflow f32; any multiple is the same plane.
        let unit = if (1e-30..1e30).contains(&most) || most == 0.0 { 1.0 } else { 1.0 / most };
        let at = |multiple: f64, threshold: f64| Split::Oblique {
            features: terms.iter().map(|term| term.feature).collect(),
            weights: terms.iter().map(|term| (term.weight * multiple) as f32).collect(),
            missing_values: terms.iter().map(|term| term.stand_in).collect(),
            threshold,
        };
        let rows = reached.0.get(id).map_or(&[][..], Vec::as_slice);
        for k in 0..MULTIPLES {
            let multiple = unit * (1.0 + k as f64 / MULTIPLES as f64);
            let folded = at(multiple, threshold * multiple);
            let (below, above) = self.nearest(&folded, rows);
            if below < above {
                let threshold = threshold * multiple;
                let middle = below + (above - below) / 2.0;
                let inside = |t: f64| below <= t && t < above;
                let chosen = [threshold, middle].into_iter().find(|&t| inside(t)).unwrap_or(below);
                return chosen.is_finite().then(|| at(multiple, chosen));
            }
        }
        // Some rows are closer together than f32 can resolve. Those between change sides, and are counted
        // where they end up.
        (threshold * unit).is_finite().then(|| at(unit, threshold * unit))
    }

    /// Converts a weighted sum over the columns of one categorical feature to the set of words that go left,
    /// with the side of missing and unseen words. `None` for other sums.
    pub(super) fn decode_words(&self, split: &Split) -> Option<(Split, bool)> {
        let Split::Oblique { features: columns, .. } = split else { return None };
        let feature = self.columns[*columns.first()?].feature;
        let words = self.categories[feature];
        if words == 0 || columns.iter().any(|&column| self.columns[column].feature != feature) {
            return None;
        }
        let mut row = vec![0.0; self.columns.len()];
        let mut goes_left = |value: f32| {
            columns.iter().for_each(|&column| row[column] = self.columns[column].encode(value));
            split.goes_left(&row)
        };
        let left: Option<Vec<bool>> = (0..words).map(|category| goes_left(category as f32)).collect();
        Some((Split::Categorical { feature, left: left? }, goes_left(f32::NAN)?))
    }

    /// Converts a linear leaf to the file's units; `None` as for oblique splits.
    pub(super) fn decode_linear(&self, leaf: &Leaf) -> Option<Leaf> {
        let Leaf::Linear { constant, features, coefficients, missing_values, bounds } = leaf else {
            return None;
        };
        let terms = self.terms(features, coefficients, missing_values)?;
        let constant = (f64::from(*constant) - terms.iter().map(|term| term.shift).sum::<f64>()) as f32;
        let coefficients: Vec<f32> = terms.iter().map(|term| term.weight as f32).collect();
        let finite = constant.is_finite() && coefficients.iter().all(|coefficient| coefficient.is_finite());
        finite.then(|| Leaf::Linear {
            constant,
            features: terms.iter().map(|term| term.feature).collect(),
            coefficients,
            missing_values: terms.iter().map(|term| term.stand_in).collect(),
            // Bounds are in the target's units, which the columns' scalings do not affect.
            bounds: *bounds,
        })
    }

    fn terms(&self, columns: &[usize], weights: &[f32], stand_ins: &[f32]) -> Option<Vec<Term>> {
        let terms = columns.iter().zip(weights).zip(stand_ins).map(|((&column, &weight), &stand_in)| {
            let column = &self.columns[column];
            match (&column.source, &column.scaling) {
                (Source::Number { fill }, Scaling::Affine { centre, scale }) => {
                    let weight = f64::from(weight) / scale;
                    // If missing values are kept, the learner's own replacement is used.
                    let stand_in = fill.unwrap_or((centre + scale * f64::from(stand_in)) as f32);
                    Some(Term { feature: column.feature, weight, shift: weight * centre, stand_in })
                }
                _ => None,
            }
        });
        terms.collect()
    }

    /// The largest sum of the rows that go left, and the smallest of the others.
    fn nearest(&self, split: &Split, rows: &[(usize, bool)]) -> (f64, f64) {
        let Split::Oblique { features, weights, missing_values, .. } = split else {
            unreachable!("only oblique splits")
        };
        let sum = Leaf::Linear {
            constant: 0.0,
            features: features.clone(),
            coefficients: weights.clone(),
            missing_values: missing_values.clone(),
            bounds: None,
        };
        let mut nearest = (f64::NEG_INFINITY, f64::INFINITY);
        for &(sample, left) in rows {
            // Adds in the same order as the split itself, for the same rounding.
            let sum = sum.output(self.seen.column(sample).as_slice())[0];
            if left { nearest.0 = nearest.0.max(sum) } else { nearest.1 = nearest.1.min(sum) }
        }
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::GRADIENT;
    use super::super::{Labels, Missing, Scale, Thresholds, Wants};
    use super::*;
    use crate::numeric::random::Random;
    use crate::tree::{Bounds, CellReading, Feature, FeatureKind};
    use nalgebra::DMatrix;

    const COLUMNS: usize = 5;
    const ROWS: usize = 400;

    fn encoder(seed: u64, wants: &Wants) -> Encoder {
        let number = FeatureKind::Numerical {
            min: 0.0,
            max: 1.0,
            quartiles: [0.0; 3],
            reading: CellReading::default(),
        };
        let feature =
            |j: usize| Feature { name: format!("x{j}"), kind: number.clone(), missing_tokens: vec![] };
        let features: Vec<Feature> = (0..COLUMNS).map(feature).collect();
        let mut random = Random::new(seed);
        // Columns on very different scales, one of them whole numbers, some values missing.
        let values = DMatrix::from_fn(COLUMNS, ROWS, |j, _| match j {
            _ if random.below(20) == 0 => f32::NAN,
            0 => random.below(9) as f32,
            1 => (1e6 + 1e3 * random.normal()) as f32,
            2 => (1e-9 * random.normal()) as f32,
            3 => (1e30 * random.uniform()) as f32,
            _ => random.normal() as f32,
        });
        Encoder::fit(&features, &values, &Labels::Values(vec![0.0; ROWS]), &values, wants, seed)
    }

    /// A complete tree of depth 3 with random planes and random linear leaves.
    fn random_tree(random: &mut Random) -> Tree {
        let weights =
            |random: &mut Random| (0..COLUMNS).map(|_| random.normal() as f32).collect::<Vec<f32>>();
        let mut nodes: Vec<Node> = (0..7)
            .map(|id| Node::Split {
                split: Split::Oblique {
                    features: (0..COLUMNS).collect(),
                    weights: weights(random),
                    missing_values: vec![0.25; COLUMNS],
                    threshold: random.normal(),
                },
                left: 2 * id + 1,
                right: 2 * id + 2,
                default_left: false,
            })
            .collect();
        nodes.extend((0..8).map(|_| {
            Node::Leaf(Leaf::Linear {
                constant: random.normal() as f32,
                features: (0..COLUMNS).collect(),
                coefficients: weights(random),
                missing_values: vec![0.25; COLUMNS],
                bounds: Some(Bounds { low: -2.5, high: 1.5 }),
            })
        }));
        Tree::new(nodes).unwrap()
    }

    #[test]
    fn random_oblique_trees_route_and_answer_alike() {
        let affine = [Scale::None, Scale::Standard, Scale::MinMax];
        for seed in 0..60 {
            for missing in [Missing::Median, Missing::Keep] {
                let scale = affine[seed as usize % 3];
                let encoder = encoder(seed, &Wants { scale, missing, ..GRADIENT });
                let mut tree = random_tree(&mut Random::new(1000 + seed));
                if scale == Scale::None {
                    // In raw units the largest column dominates a sum, so planes and leaves need rescaling.
                    tree = balanced(&tree);
                }
                let decoded = encoder.decode(&tree, Thresholds::Tidy).unwrap();
                let mut leaves = vec![0; tree.size()];
                for sample in 0..ROWS {
                    let file = encoder.seen.column(sample);
                    let encode = |column: &super::super::column::Column| column.encode(file[column.feature]);
                    let row: Vec<f32> = encoder.columns.iter().map(encode).collect();
                    let leaf = tree.leaf_of(&row);
                    leaves[leaf] += 1;
                    assert_eq!(
                        decoded.leaf_of(file.as_slice()),
                        leaf,
                        "seed {seed} {missing:?} row {sample}"
                    );
                    let (answer, expected) =
                        (decoded.output(leaf, file.as_slice())[0], tree.output(leaf, &row)[0]);
                    // f32 coefficients on a column around 1e6 with standard deviation 1e3 keep about four
                    // digits.
                    assert!(
                        (answer - expected).abs() < 1e-3 * (1.0 + expected.abs()),
                        "{answer} and {expected}"
                    );
                }
                assert!(leaves.iter().filter(|&&rows| rows > 0).count() >= 2, "the rows are told apart");
            }
        }
    }

    /// The same tree with each weight divided by the size of its column.
    fn balanced(tree: &Tree) -> Tree {
        let divide =
            |weights: &[f32]| weights.iter().zip([9.0, 1e6, 1e-9, 1e30, 1.0]).map(|(w, s)| w / s).collect();
        let nodes = tree.nodes().iter().cloned().map(|mut node| {
            match &mut node {
                Node::Split { split: Split::Oblique { weights, .. }, .. } => *weights = divide(weights),
                Node::Leaf(Leaf::Linear { coefficients, .. }) => *coefficients = divide(coefficients),
                _ => {}
            }
            node
        });
        Tree::new(nodes.collect()).unwrap()
    }

    #[test]
    fn ranks_and_categories_have_no_weighted_sum_in_the_file() {
        let tree = random_tree(&mut Random::new(5));
        let ranks = encoder(1, &Wants { scale: Scale::Quantile, ..GRADIENT });
        assert_eq!(ranks.decode(&tree, Thresholds::Exact), None);
        let gaps = encoder(1, &Wants { missing: Missing::Indicator, ..GRADIENT });
        assert_eq!(
            gaps.decode(&tree, Thresholds::Exact),
            None,
            "the second column says where the first is missing"
        );
        let (features, coefficients, missing_values) = (vec![1], vec![1.0], vec![0.0]);
        let leaf = Leaf::Linear { constant: 0.0, features, coefficients, missing_values, bounds: None };
        assert_eq!(gaps.decode(&Tree::leaf(leaf), Thresholds::Exact), None);
    }
}
