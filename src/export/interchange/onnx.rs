//! A tree as an ONNX model.
//!
//! The input `X` has one f32 per feature, as in `c` and `rust`: a number, or the position of a word; NaN if
//! missing, -1 for an unseen word. A `TreeEnsembleRegressor` computes each row's leaf, which is an output of
//! its own. Predictions are looked up in tables by leaf, so nothing is rounded on the way.
//!
//! Sums are not matrix products, whose order of additions is up to the runtime. They are one multiplication
//! and one addition per term in f64, for all splits side by side: exact under IEEE arithmetic.

use super::graph::{Attribute, Graph, Type};
use super::protobuf::Message;
use crate::error::{Code, Error, Result};
use crate::export::Document;
use crate::export::columns::{Comparisons, comparisons};
use crate::export::words::probabilities;
use crate::tree::{Bounds, FeatureKind, Leaf, Model, Node, PostTransform, Split};

/// The versions of the file format, the operators and the tree operators: those of 2022, which every runtime
/// supports.
const VERSIONS: [i64; 3] = [8, 17, 3];

/// Converts a document to ONNX.
pub(crate) fn onnx(document: &Document) -> Result<Vec<u8>> {
    let model = &document.model;
    if model.features.is_empty() {
        let what = "An ONNX model needs an input, but this tree reads no column.";
        return Err(Error::new(Code::BadFormat, what, "Choose another format, such as python."));
    }
    let mut graph = Graph::default();
    graph.input("X", Type::Float, &[0, model.features.len()]);
    let leaf = leaf(model, &mut graph);
    answers(model, &leaf, &mut graph);
    let set = |domain: &str, version: i64| Message::default().bytes(1, domain).int(2, version);
    let property = |key: &str, value: &str| Message::default().bytes(1, key).bytes(2, value);
    let file = Message::default()
        .int(1, VERSIONS[0])
        .bytes(2, "espalier")
        .bytes(3, env!("CARGO_PKG_VERSION"))
        .bytes(
            6,
            "X has one value per feature: a number, or the position of the word; \
             NaN when missing, -1 when unseen.",
        )
        .message(7, graph.message())
        .message(8, set("", VERSIONS[1]))
        .message(8, set("ai.onnx.ml", VERSIONS[2]))
        .message(14, property("features", &features(model)))
        .message(14, property("target", model.target.name()));
    Ok(file.into_bytes())
}

/// The columns as JSON: names, and the words of each by position.
fn features(model: &Model) -> String {
    let list = model.features.iter().map(|feature| {
        let words = match &feature.kind {
            FeatureKind::Categorical { categories } => serde_json::Value::from(categories.clone()),
            FeatureKind::Numerical { .. } => serde_json::Value::Null,
        };
        serde_json::Value::from(vec![serde_json::Value::from(feature.name.as_str()), words])
    });
    serde_json::Value::from(list.collect::<Vec<_>>()).to_string()
}

/// Adds the operators from `X` to the output `leaf`.
fn leaf(model: &Model, graph: &mut Graph) -> String {
    let Comparisons { indicators, mut tests } = comparisons(model);
    let mut columns = vec!["X".to_owned()];
    let one =
        if indicators.iter().any(|set| set.inside == 0) { graph.floats(&[1], [1.0]) } else { String::new() };
    let second = graph.ints(&[1], [1]);
    for set in &indicators {
        let place = graph.ints(&[1], [set.feature as i64]);
        let value = graph.op("Gather", &["X", &place], &[Attribute::Int("axis", 1)]);
        let codes = graph.floats(&[1, set.codes.len()], set.codes.iter().map(|&code| code as f32));
        let equal = graph.op("Equal", &[&value, &codes], &[]);
        let equal = graph.cast(&equal, Type::Float);
        let inside = graph.op("ReduceSum", &[&equal, &second], &[Attribute::Int("keepdims", 1)]);
        columns.push(if set.inside == 1 { inside } else { graph.op("Sub", &[&one, &inside], &[]) });
    }
    let sums: Vec<usize> = (0..model.tree.size())
        .filter(|&id| matches!(model.tree.nodes()[id], Node::Split { split: Split::Oblique { .. }, .. }))
        .collect();
    if !sums.is_empty() {
        for (at, &id) in sums.iter().enumerate() {
            tests[id] = Some((model.features.len() + indicators.len() + at, 0.5));
        }
        columns.push(oblique(model, &sums, graph));
    }
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    let all = match names.as_slice() {
        [only] => (*only).to_owned(),
        _ => graph.op("Concat", &names, &[Attribute::Int("axis", 1)]),
    };
    graph.op_as("TreeEnsembleRegressor", "ai.onnx.ml", &[&all], "leaf number", &ensemble(model, &tests));
    let leaf = graph.cast("leaf number", Type::Int64);
    graph.op_as("Squeeze", "", &[&leaf, &second], "leaf", &[]);
    graph.output("leaf", Type::Int64, &[0]);
    "leaf".into()
}

/// The nodes as lists with one entry each. The only target of a leaf is its own number.
fn ensemble(model: &Model, tests: &[Option<(usize, f32)>]) -> Vec<Attribute<'static>> {
    let nodes = model.tree.nodes();
    let ids: Vec<i64> = (0..nodes.len() as i64).collect();
    let children = |side: fn(&usize, &usize) -> usize| {
        let child = |node: &Node| match node {
            Node::Split { left, right, .. } => side(left, right) as i64,
            Node::Leaf(_) => 0,
        };
        nodes.iter().map(child).collect::<Vec<i64>>()
    };
    let missing = |node: &Node| matches!(node, Node::Split { default_left: true, .. });
    let leaves: Vec<i64> = ids.iter().copied().filter(|&id| tests[id as usize].is_none()).collect();
    let modes = tests.iter().map(|test| if test.is_some() { "BRANCH_LEQ" } else { "LEAF" });
    vec![
        Attribute::Int("n_targets", 1),
        Attribute::Text("post_transform", "NONE"),
        Attribute::Ints("nodes_treeids", vec![0; nodes.len()]),
        Attribute::Ints("nodes_nodeids", ids),
        Attribute::Texts("nodes_modes", modes.collect()),
        Attribute::Ints(
            "nodes_featureids",
            tests.iter().map(|t| t.map_or(0, |(column, _)| column as i64)).collect(),
        ),
        Attribute::Floats(
            "nodes_values",
            tests.iter().map(|test| test.map_or(0.0, |(_, value)| value)).collect(),
        ),
        Attribute::Ints("nodes_truenodeids", children(|left, _| *left)),
        Attribute::Ints("nodes_falsenodeids", children(|_, right| *right)),
        Attribute::Ints(
            "nodes_missing_value_tracks_true",
            nodes.iter().map(|node| missing(node).into()).collect(),
        ),
        Attribute::Ints("target_treeids", vec![0; leaves.len()]),
        Attribute::Ints("target_ids", vec![0; leaves.len()]),
        Attribute::Floats("target_weights", leaves.iter().map(|&id| id as f32).collect()),
        Attribute::Ints("target_nodeids", leaves),
    ]
}

/// An oblique split.
struct Sum<'a> {
    features: &'a [usize],
    weights: &'a [f32],
    missing_values: &'a [f32],
    threshold: f64,
}

/// One column per oblique split: 0 for rows that go left, 1 for the others.
fn oblique(model: &Model, splits: &[usize], graph: &mut Graph) -> String {
    let parts: Vec<Sum> = splits
        .iter()
        .filter_map(|&id| match &model.tree.nodes()[id] {
            Node::Split {
                split: Split::Oblique { features, weights, missing_values, threshold }, ..
            } => Some(Sum { features, weights, missing_values, threshold: *threshold }),
            _ => None,
        })
        .collect();
    let width = parts.len();
    let mut sum = None;
    for k in 0..parts.iter().map(|part| part.features.len()).max().unwrap_or(0) {
        let places = graph.ints(
            &[width],
            parts.iter().map(|part| part.features.get(k).map_or(0, |&feature| feature as i64)),
        );
        let values = graph.op("Gather", &["X", &places], &[Attribute::Int("axis", 1)]);
        let stand_ins = graph
            .floats(&[1, width], parts.iter().map(|part| part.missing_values.get(k).copied().unwrap_or(0.0)));
        let weights = parts.iter().map(|part| part.weights.get(k).map_or(0.0, |&weight| f64::from(weight)));
        let weights = graph.doubles(&[1, width], weights.collect::<Vec<_>>());
        sum = Some(add_term(graph, sum, &values, &stand_ins, &weights));
    }
    // A sum without terms is zero for every row; multiplying by a column gives it one entry per row.
    let sum = sum.unwrap_or_else(|| {
        let zero = graph.doubles(&[1, width], vec![0.0; width]);
        let first = graph.ints(&[1], [0]);
        let values = graph.op("Gather", &["X", &first], &[Attribute::Int("axis", 1)]);
        let nothing = graph.floats(&[1, 1], [0.0]);
        add_term(graph, None, &values, &nothing, &zero)
    });
    let thresholds = graph.doubles(&[1, width], parts.iter().map(|part| part.threshold));
    let left = graph.op("LessOrEqual", &[&sum, &thresholds], &[]);
    let right = graph.op("Not", &[&left], &[]);
    graph.cast(&right, Type::Float)
}

/// `sum + weights * values` in f64, with missing values replaced.
fn add_term(graph: &mut Graph, sum: Option<String>, values: &str, stand_ins: &str, weights: &str) -> String {
    let missing = graph.op("IsNaN", &[values], &[]);
    let known = graph.op("Where", &[&missing, stand_ins, values], &[]);
    let known = graph.cast(&known, Type::Double);
    let term = graph.op("Mul", &[&known, weights], &[]);
    match sum {
        None => term,
        Some(sum) => graph.op("Add", &[&sum, &term], &[]),
    }
}

/// Adds the operators from the leaf to the outputs `prediction` and `probabilities`.
fn answers(model: &Model, leaf: &str, graph: &mut Graph) {
    let classes = model.target.classes();
    let linear = model.tree.nodes().iter().any(|node| matches!(node, Node::Leaf(Leaf::Linear { .. })));
    let words: Vec<&str> = classes.iter().map(String::as_str).collect();
    match (classes.len(), linear) {
        (0, _) => {
            let raw = formulas(model, leaf, graph);
            let second = graph.ints(&[1], [1]);
            graph.op_as("Squeeze", "", &[&raw, &second], "prediction", &[]);
            graph.output("prediction", Type::Double, &[0]);
        }
        (count, false) => {
            let table: Vec<Vec<f64>> = (0..model.tree.size()).map(|id| probabilities(model, id)).collect();
            let shares = table
                .iter()
                .flat_map(|row| (0..count).map(|class| row.get(class).map_or(0.0, |&p| p as f32)));
            let shares = graph.floats(&[table.len(), count], shares.collect::<Vec<_>>());
            graph.op_as("Gather", "", &[&shares, leaf], "probabilities", &[]);
            let best = (0..table.len()).map(|id| model.leaf_class(id).unwrap_or(0) as i64);
            let best = graph.ints(&[table.len()], best.collect::<Vec<_>>());
            let best = graph.op("Gather", &[&best, leaf], &[]);
            let words = graph.texts(&words);
            graph.op_as("Gather", "", &[&words, &best], "prediction", &[]);
        }
        (_, true) => {
            debug_assert_eq!(model.post_transform, PostTransform::Logistic);
            let raw = formulas(model, leaf, graph);
            let p = graph.op("Sigmoid", &[&raw], &[]);
            let one = graph.doubles(&[1], [1.0]);
            let rest = graph.op("Sub", &[&one, &p], &[]);
            let both = graph.op("Concat", &[&rest, &p], &[Attribute::Int("axis", 1)]);
            graph.op_as("Cast", "", &[&both], "probabilities", &[Attribute::Int("to", Type::Float as i64)]);
            let positive = graph.op("Greater", &[&p, &rest], &[]);
            let positive = graph.cast(&positive, Type::Int64);
            let second = graph.ints(&[1], [1]);
            let positive = graph.op("Squeeze", &[&positive, &second], &[]);
            let words = graph.texts(&words);
            graph.op_as("Gather", "", &[&words, &positive], "prediction", &[]);
        }
    }
    if !classes.is_empty() {
        graph.output("prediction", Type::Text, &[0]);
        graph.output("probabilities", Type::Float, &[0, classes.len()]);
    }
}

/// The raw output of each row's leaf: its constant, its terms one after another, and the sum clamped to the
/// leaf's bounds.
fn formulas(model: &Model, leaf: &str, graph: &mut Graph) -> String {
    let nodes = model.tree.nodes();
    let constants = nodes.iter().map(|node| match node {
        Node::Leaf(Leaf::Constant(value)) => f64::from(*value),
        Node::Leaf(Leaf::Linear { constant, .. }) => f64::from(*constant),
        Node::Leaf(Leaf::Scores(scores)) => f64::from(scores[0]),
        Node::Split { .. } => 0.0,
    });
    let constants = graph.doubles(&[nodes.len(), 1], constants.collect::<Vec<_>>());
    let mut sum = graph.op("Gather", &[&constants, leaf], &[]);
    let term = |node: &Node, k: usize| match node {
        Node::Leaf(Leaf::Linear { features, coefficients, missing_values, .. }) if k < features.len() => {
            (features[k] as i64, f64::from(coefficients[k]), missing_values[k])
        }
        _ => (0, 0.0, 0.0),
    };
    let longest = nodes.iter().map(|node| match node {
        Node::Leaf(Leaf::Linear { features, .. }) => features.len(),
        _ => 0,
    });
    for k in 0..longest.max().unwrap_or(0) {
        let terms: Vec<(i64, f64, f32)> = nodes.iter().map(|node| term(node, k)).collect();
        let places = graph.ints(&[nodes.len(), 1], terms.iter().map(|term| term.0));
        let places = graph.op("Gather", &[&places, leaf], &[]);
        let values = graph.op("GatherElements", &["X", &places], &[Attribute::Int("axis", 1)]);
        let weights = graph.doubles(&[nodes.len(), 1], terms.iter().map(|term| term.1));
        let weights = graph.op("Gather", &[&weights, leaf], &[]);
        let stand_ins = graph.floats(&[nodes.len(), 1], terms.iter().map(|term| term.2));
        let stand_ins = graph.op("Gather", &[&stand_ins, leaf], &[]);
        sum = add_term(graph, Some(sum), &values, &stand_ins, &weights);
    }
    held(model, leaf, sum, graph)
}

/// Clamps a sum to the bounds of each row's leaf; a leaf without bounds has infinite ones.
fn held(model: &Model, leaf: &str, sum: String, graph: &mut Graph) -> String {
    let bounds = |node: &Node| match node {
        Node::Leaf(Leaf::Linear { bounds, .. }) => *bounds,
        _ => None,
    };
    let bounds: Vec<Option<Bounds>> = model.tree.nodes().iter().map(bounds).collect();
    if bounds.iter().all(Option::is_none) {
        return sum;
    }
    let mut table = |of: fn(&Bounds) -> f64, without: f64| {
        let values = bounds.iter().map(|bounds| bounds.as_ref().map_or(without, of));
        let values = graph.doubles(&[bounds.len(), 1], values.collect::<Vec<_>>());
        graph.op("Gather", &[&values, leaf], &[])
    };
    let low = table(|bounds| bounds.low, f64::NEG_INFINITY);
    let high = table(|bounds| bounds.high, f64::INFINITY);
    let raised = graph.op("Max", &[&sum, &low], &[]);
    graph.op("Min", &[&raised, &high], &[])
}
