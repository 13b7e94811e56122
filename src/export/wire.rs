//! The parts of the file, with keys in the order in which they are written. f32 values are widened to f64
//! here, so that they are printed exactly: a reader that forgets the cast to f32 still gets the right
//! threshold.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::Kept;
use super::document::{DataInfo, Document, Parts, ProofRow, Setting, Training};
use crate::numeric::Thousands;
use crate::tree::{
    Bounds, CellReading, Decision, Feature, FeatureKind, Leaf, Model, Node, NodeStats, Split, Target,
};

/// The rule for numbers that every reader must follow.
pub(super) const PRECISION: [(&str, &str); 6] = [
    ("cells", "parsed as float64, then rounded to float32"),
    ("input_type", "float32"),
    ("threshold_type", "float32"),
    ("leaf_output_type", "float32"),
    ("oblique_threshold_type", "float64"),
    ("oblique_accumulation", "float64_in_listed_order"),
];

/// Pairs as an object, in the given order.
pub(super) struct Pairs<'a, V>(pub Vec<(&'a str, V)>);

impl<V: Serialize> Serialize for Pairs<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

#[derive(Serialize)]
pub(super) struct TargetWire<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    classes: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<&'a [String]>,
}

pub(super) fn target(target: &Target) -> TargetWire<'_> {
    match target {
        Target::Classes { name, classes } => {
            TargetWire { name, kind: "categorical", classes: Some(classes), columns: None }
        }
        Target::Value { name } => TargetWire { name, kind: "numerical", classes: None, columns: None },
        Target::Clusters { name, columns } => {
            TargetWire { name, kind: "cluster", classes: None, columns: Some(columns) }
        }
    }
}

#[derive(Serialize)]
pub(super) struct FeatureWire<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    categories: Option<&'a [String]>,
    missing_tokens: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    decimal_separator: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thousands_separator: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_part: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<Summary>,
}

#[derive(Serialize)]
struct Summary {
    min: f64,
    quartiles: [f64; 3],
    max: f64,
}

pub(super) fn feature(feature: &Feature) -> FeatureWire<'_> {
    let mut wire = FeatureWire {
        name: &feature.name,
        kind: "categorical",
        categories: None,
        missing_tokens: &feature.missing_tokens,
        decimal_separator: None,
        thousands_separator: None,
        unit: None,
        source: None,
        date_format: None,
        date_part: None,
        summary: None,
    };
    match &feature.kind {
        FeatureKind::Numerical { min, max, quartiles, reading } => {
            wire.kind = "numerical";
            wire.summary =
                Some(Summary { min: (*min).into(), quartiles: quartiles.map(f64::from), max: (*max).into() });
            match reading {
                CellReading::Number(format) => {
                    wire.decimal_separator = Some(format.decimal_separator());
                    wire.thousands_separator = format.thousands.map(Thousands::as_str);
                    wire.unit = format.unit;
                }
                CellReading::Date { column, format, part } => {
                    wire.source = Some(column);
                    wire.date_format = Some(format.as_str());
                    wire.date_part = Some(part.as_str());
                }
            }
        }
        FeatureKind::Categorical { categories } => wire.categories = Some(categories),
    }
    wire
}

#[derive(Serialize)]
pub(super) struct NodeWire<'a> {
    node_id: usize,
    #[serde(flatten)]
    kind: Kind<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leaf_distribution: Option<Distribution<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a [String]>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Kind<'a> {
    Split {
        split_type: &'static str,
        #[serde(flatten)]
        test: Test<'a>,
        left_child: usize,
        right_child: usize,
        default_left: bool,
    },
    Leaf {
        leaf_value: Vec<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        leaf_class: Option<&'a str>,
    },
    Linear {
        leaf_const: f64,
        leaf_features: &'a [usize],
        leaf_coeff: Vec<f64>,
        missing_values: Vec<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        leaf_bounds: Option<[f64; 2]>,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Test<'a> {
    Numerical {
        split_feature: usize,
        comparison_op: &'static str,
        threshold: f64,
    },
    Categorical {
        split_feature: usize,
        category_list: Vec<&'a str>,
    },
    Oblique {
        split_features: &'a [usize],
        weights: Vec<f64>,
        missing_values: Vec<f64>,
        comparison_op: &'static str,
        threshold: f64,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Distribution<'a> {
    Classes(&'a [usize]),
    Value { mean: f64, deviation: f64 },
}

/// The only comparison operator of this version.
pub(super) const COMPARISON: &str = "<=";

pub(super) fn node(model: &Model, id: usize) -> NodeWire<'_> {
    let kind = match &model.tree.nodes()[id] {
        Node::Split { split, left, right, default_left } => {
            let (split_type, test) = test(model, split);
            Kind::Split {
                split_type,
                test,
                left_child: *left,
                right_child: *right,
                default_left: *default_left,
            }
        }
        Node::Leaf(Leaf::Scores(scores)) => {
            let class = model.leaf_class(id).and_then(|class| model.target.classes().get(class));
            Kind::Leaf { leaf_value: widened(scores), leaf_class: class.map(String::as_str) }
        }
        Node::Leaf(Leaf::Constant(value)) => {
            Kind::Leaf { leaf_value: vec![(*value).into()], leaf_class: None }
        }
        Node::Leaf(Leaf::Linear { constant, features, coefficients, missing_values, bounds }) => {
            Kind::Linear {
                leaf_const: (*constant).into(),
                leaf_features: features,
                leaf_coeff: widened(coefficients),
                missing_values: widened(missing_values),
                leaf_bounds: bounds.map(|Bounds { low, high }| [low, high]),
            }
        }
    };
    let stats = model.stats.get(id);
    NodeWire {
        node_id: id,
        kind,
        data_count: stats.map(|stats| stats.rows),
        leaf_distribution: stats.and_then(|stats| distribution(&model.target, stats)),
        description: stats.map(|stats| stats.description.as_slice()).filter(|lines| !lines.is_empty()),
    }
}

/// `None` for clusters: a row's cluster has no distribution.
fn distribution<'a>(target: &Target, stats: &'a NodeStats) -> Option<Distribution<'a>> {
    match target {
        Target::Classes { .. } => Some(Distribution::Classes(&stats.counts)),
        Target::Value { .. } => Some(Distribution::Value { mean: stats.mean, deviation: stats.deviation }),
        Target::Clusters { .. } => None,
    }
}

fn test<'a>(model: &'a Model, split: &'a Split) -> (&'static str, Test<'a>) {
    match split {
        Split::Numerical { feature, threshold } => {
            let threshold = (*threshold).into();
            ("numerical", Test::Numerical { split_feature: *feature, comparison_op: COMPARISON, threshold })
        }
        Split::Categorical { feature, left } => {
            let words = match &model.features[*feature].kind {
                FeatureKind::Categorical { categories } => categories.as_slice(),
                FeatureKind::Numerical { .. } => &[],
            };
            let category_list =
                words.iter().zip(left).filter(|(_, left)| **left).map(|(word, _)| word.as_str());
            (
                "categorical",
                Test::Categorical { split_feature: *feature, category_list: category_list.collect() },
            )
        }
        Split::Oblique { features, weights, missing_values, threshold } => {
            let (weights, missing_values) = (widened(weights), widened(missing_values));
            let (comparison_op, threshold) = (COMPARISON, *threshold);
            (
                "oblique",
                Test::Oblique { split_features: features, weights, missing_values, comparison_op, threshold },
            )
        }
    }
}

fn widened(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&value| value.into()).collect()
}

#[derive(Serialize)]
pub(super) struct DecisionWire<'a> {
    rule: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    costs: Option<&'a [Vec<f64>]>,
}

pub(super) fn decision(decision: &Decision) -> DecisionWire<'_> {
    let (weights, costs) = match decision {
        Decision::Likeliest => (None, None),
        Decision::Balanced { weights } => (Some(weights.as_slice()), None),
        Decision::Costs { costs } => (None, Some(costs.as_slice())),
    };
    DecisionWire { rule: decision.as_str(), weights, costs }
}

#[derive(Serialize)]
pub(super) struct ProofWire<'a> {
    input: Pairs<'a, &'a str>,
    leaf: usize,
    output: &'a [f64],
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    probabilities: &'a [f64],
}

pub(super) fn proof<'a>(model: &'a Model, row: &'a ProofRow) -> ProofWire<'a> {
    let names = model.features.iter().map(|feature| feature.name.as_str());
    let input = Pairs(names.zip(row.cells.iter().map(String::as_str)).collect());
    ProofWire { input, leaf: row.leaf, output: &row.output, probabilities: &row.probabilities }
}

/// The scores by part, with those of the baseline after them.
pub(super) fn metrics(document: &Document) -> Pairs<'_, MetricsWire<'_>> {
    let parts =
        document.metrics.tree.iter().map(|(part, scores)| (part.as_str(), MetricsWire::Scores(scores)));
    let baseline = document.metrics.baseline.iter().map(|parts| ("baseline", MetricsWire::Baseline(parts)));
    Pairs(parts.chain(baseline).collect())
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum MetricsWire<'a> {
    Scores(&'a BTreeMap<String, f64>),
    Baseline(&'a Parts),
}

#[derive(Serialize)]
pub(super) struct TrainingWire<'a> {
    algorithm: &'a str,
    config: &'a BTreeMap<String, Setting>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recipe: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    said: Option<&'a BTreeMap<String, Setting>>,
    seed: u64,
    shares: &'a BTreeMap<String, f64>,
    rows: &'a BTreeMap<String, u64>,
    steps: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    best_epoch: Option<u64>,
    stop_reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    shrinkage: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<&'a Kept>,
}

pub(super) fn training(training: &Training) -> TrainingWire<'_> {
    TrainingWire {
        algorithm: &training.algorithm,
        config: &training.config,
        recipe: training.recipe.as_deref(),
        said: training.said.as_ref(),
        seed: training.seed,
        shares: &training.shares,
        rows: &training.rows,
        steps: training.steps,
        best_epoch: training.best_epoch,
        stop_reason: &training.stop_reason,
        shrinkage: training.shrinkage,
        kept: training.kept.as_ref(),
    }
}

impl Serialize for Setting {
    /// Whole numbers are written without a decimal point.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
        match self {
            Setting::Flag(flag) => serializer.serialize_bool(*flag),
            Setting::Number(number) if number.fract() == 0.0 && number.abs() < EXACT => {
                serializer.serialize_i64(*number as i64)
            }
            Setting::Number(number) => serializer.serialize_f64(*number),
            Setting::Word(word) => serializer.serialize_str(word),
        }
    }
}

#[derive(Serialize)]
pub(super) struct DataWire<'a> {
    rows: u64,
    columns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<&'a str>,
    delimiter: &'a str,
    encoding: &'a str,
}

pub(super) fn data(data: &DataInfo) -> DataWire<'_> {
    let DataInfo { rows, columns, sha256, delimiter, encoding } = data;
    DataWire { rows: *rows, columns: *columns, sha256: sha256.as_deref(), delimiter, encoding }
}
