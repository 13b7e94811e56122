//! A tree with its vocabulary: the file's columns, the target's words and the output transform.

use super::{CellReading, Decision, Leaf, Node, NodeStats, Tree};

/// A column of the file that the tree may test.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// The column's name.
    pub name: String,
    /// How its cells are read.
    pub kind: FeatureKind,
    /// Spellings of a missing value seen in this column. The empty cell is always missing and is not listed.
    pub missing_tokens: Vec<String>,
}

/// How a column's cells become a value.
#[derive(Debug, Clone, PartialEq)]
pub enum FeatureKind {
    /// A number in the file's units.
    Numerical {
        /// Minimum over the training rows.
        min: f32,
        /// Maximum over the training rows.
        max: f32,
        /// Lower quartile, median and upper quartile of the training rows.
        quartiles: [f32; 3],
        /// How a cell becomes the number.
        reading: CellReading,
    },
    /// A word; its value is its position here. Words not listed are unseen.
    Categorical {
        /// The words in the training rows, sorted.
        categories: Vec<String>,
    },
}

/// What the tree predicts.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A class.
    Classes {
        /// The column's name.
        name: String,
        /// The classes in output order as the file spells them.
        classes: Vec<String>,
    },
    /// A number.
    Value {
        /// The column's name.
        name: String,
    },
    /// A cluster: leaves are numbered from 1, left to right.
    Clusters {
        /// The name of the prediction.
        name: String,
        /// The columns that the tree learned to predict from the others.
        columns: Vec<String>,
    },
}

/// Converts raw leaf outputs to probabilities or to the predicted number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PostTransform {
    /// Outputs are final: a number, or class shares.
    None,
    /// One logit, for the second of two classes.
    Logistic,
    /// One logit per class.
    Softmax,
}

/// A model's prediction for one row.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// Position of the leaf.
    pub leaf: usize,
    /// The class that the answer rule predicts; `None` for regression.
    pub class: Option<usize>,
    /// One probability per class, or the number.
    pub values: Vec<f64>,
}

/// A tree in file space, with all that is needed to read a cell and to name a prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The columns in the order of a row's values.
    pub features: Vec<Feature>,
    /// The target.
    pub target: Target,
    /// The tree.
    pub tree: Tree,
    /// The output transform. New trees have none; files of version 1.0 may have one.
    pub post_transform: PostTransform,
    /// The answer rule; without classes it has no meaning.
    pub decision: Decision,
    /// Statistics of the training rows at each node, in node order.
    pub stats: Vec<NodeStats>,
}

impl Target {
    /// The target column's name.
    pub fn name(&self) -> &str {
        match self {
            Target::Classes { name, .. } | Target::Value { name } | Target::Clusters { name, .. } => name,
        }
    }

    /// The classes in output order; empty for regression and clusters.
    pub fn classes(&self) -> &[String] {
        match self {
            Target::Classes { classes, .. } => classes,
            Target::Value { .. } | Target::Clusters { .. } => &[],
        }
    }

    /// The columns that a tree of clusters was learned to predict; empty for others.
    pub fn predicted(&self) -> &[String] {
        match self {
            Target::Clusters { columns, .. } => columns,
            Target::Classes { .. } | Target::Value { .. } => &[],
        }
    }

    /// `classification`, `regression` or `clustering`.
    pub fn task(&self) -> &'static str {
        match self {
            Target::Classes { .. } => "classification",
            Target::Value { .. } => "regression",
            Target::Clusters { .. } => "clustering",
        }
    }
}

impl PostTransform {
    /// Its name in the file format.
    pub fn as_str(self) -> &'static str {
        match self {
            PostTransform::None => "none",
            PostTransform::Logistic => "logistic",
            PostTransform::Softmax => "softmax",
        }
    }

    /// Converts raw outputs to one probability per class, or to the number.
    pub fn apply(self, raw: &[f64]) -> Vec<f64> {
        match self {
            PostTransform::None => raw.to_vec(),
            PostTransform::Logistic => {
                let p = 1.0 / (1.0 + libm::exp(-raw[0]));
                vec![1.0 - p, p]
            }
            PostTransform::Softmax => {
                let most = raw.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let mut shares: Vec<f64> = raw.iter().map(|&u| libm::exp(u - most)).collect();
                let total: f64 = shares.iter().sum();
                shares.iter_mut().for_each(|share| *share /= total);
                shares
            }
        }
    }
}

impl Feature {
    /// The file column whose cells are read: the feature's own name, except for parts of dates.
    pub fn column(&self) -> &str {
        match &self.kind {
            FeatureKind::Numerical { reading: CellReading::Date { column, .. }, .. } => column,
            _ => &self.name,
        }
    }

    /// The value of a cell: a number rounded to f32, or the position of a word. NaN if missing, -1 for an
    /// unseen word.
    ///
    /// Surrounding whitespace is ignored. In a numeric column, a cell that is not a finite number counts as
    /// missing.
    pub fn parse(&self, cell: &str) -> f32 {
        let cell = cell.trim();
        if cell.is_empty() || self.missing_tokens.iter().any(|token| token == cell) {
            return f32::NAN;
        }
        match &self.kind {
            FeatureKind::Numerical { reading, .. } => {
                reading.number(cell).map_or(f32::NAN, |value| value as f32)
            }
            FeatureKind::Categorical { categories } => {
                categories.binary_search_by(|word| word.as_str().cmp(cell)).map_or(-1.0, |at| at as f32)
            }
        }
    }
}

impl Model {
    /// The prediction for one row of values.
    pub fn predict(&self, row: &[f32]) -> Prediction {
        self.answer(self.tree.leaf_of(row), row)
    }

    /// The class that a leaf predicts for every row. `None` for splits, for regression, and for leaves whose
    /// prediction depends on the row.
    pub fn leaf_class(&self, leaf: usize) -> Option<usize> {
        match &self.tree.nodes()[leaf] {
            Node::Leaf(Leaf::Scores(_)) => self.answer(leaf, &[]).class,
            _ => None,
        }
    }

    /// A leaf's prediction for one row of values.
    ///
    /// # Panics
    /// If `leaf` is not a leaf.
    pub fn answer(&self, leaf: usize, row: &[f32]) -> Prediction {
        let values = self.post_transform.apply(&self.tree.output(leaf, row));
        let class = matches!(self.target, Target::Classes { .. }).then(|| self.decision.class(&values));
        Prediction { leaf, class, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_as_the_feature_says() {
        let number = Feature {
            name: "x".into(),
            kind: FeatureKind::Numerical {
                min: 0.0,
                max: 1.0,
                quartiles: [0.0; 3],
                reading: CellReading::default(),
            },
            missing_tokens: vec!["?".into()],
        };
        assert_eq!(number.parse(" 1.5 "), 1.5);
        assert_eq!(number.parse("0.1"), 0.1f32);
        for missing in ["", "  ", "?", "abc", "1e99", "inf"] {
            assert!(number.parse(missing).is_nan(), "{missing}");
        }
        let word = Feature {
            name: "c".into(),
            kind: FeatureKind::Categorical { categories: vec!["a".into(), "b".into()] },
            missing_tokens: vec![],
        };
        assert_eq!((word.parse("b"), word.parse("z")), (1.0, -1.0));
        assert!(word.parse(" ").is_nan());
    }

    #[test]
    fn formats_and_dates_are_read_as_the_feature_says() {
        use crate::numeric::{DateFormat, DatePart, NumberFormat, Thousands};
        let feature = |reading| Feature {
            name: "day (month)".into(),
            kind: FeatureKind::Numerical { min: 0.0, max: 1.0, quartiles: [0.0; 3], reading },
            missing_tokens: vec!["-".into()],
        };
        let german = NumberFormat { decimal_comma: true, thousands: Some(Thousands::Dot), unit: None };
        let price = feature(CellReading::Number(german));
        assert_eq!((price.parse("1.137,5"), price.column()), (1137.5, "day (month)"));
        assert!(price.parse("1137.5").is_nan() && price.parse("-").is_nan());
        let (format, part) = (DateFormat::DayMonthYear, DatePart::Month);
        let month = feature(CellReading::Date { column: "day".into(), format, part });
        assert_eq!((month.parse("4.3.2021"), month.parse("3"), month.column()), (3.0, 3.0, "day"));
        assert!(month.parse("2021-03-04").is_nan());
    }

    #[test]
    fn a_model_names_the_first_of_equal_classes() {
        let model = |post_transform, scores: Vec<f32>, classes: usize| Model {
            features: vec![],
            target: Target::Classes {
                name: "y".into(),
                classes: (0..classes).map(|k| k.to_string()).collect(),
            },
            tree: Tree::leaf(Leaf::Scores(scores)),
            post_transform,
            decision: Decision::Likeliest,
            stats: vec![],
        };
        assert_eq!(model(PostTransform::Logistic, vec![0.0], 2).predict(&[]).class, Some(0));
        assert_eq!(model(PostTransform::Logistic, vec![1e-6], 2).predict(&[]).class, Some(1));
        let answer = model(PostTransform::Softmax, vec![1.0, 3.0, 3.0], 3).predict(&[]);
        assert_eq!(answer.class, Some(1));
        assert!((answer.values.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        assert_eq!(model(PostTransform::None, vec![0.25, 0.75], 2).predict(&[]).values, [0.25, 0.75]);
    }
}
