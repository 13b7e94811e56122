//! Formats for people and for other programs.

use espalier::Code;
use espalier::export::{Document, FORMATS, Graph, Rules, export, words};
use espalier::tree::{
    Bounds, CellReading, Decision, Feature, FeatureKind, Leaf, Model, Node, NodeStats, PostTransform, Split,
    Target, Tree,
};
use proptest::prelude::*;

use super::models::{document, model};

fn numerical(name: &str) -> Feature {
    let kind = FeatureKind::Numerical {
        min: 0.0,
        max: 1.0,
        quartiles: [0.25, 0.5, 0.75],
        reading: CellReading::default(),
    };
    Feature { name: name.into(), kind, missing_tokens: vec![] }
}

fn categorical(name: &str, categories: &[&str]) -> Feature {
    let kind = FeatureKind::Categorical { categories: categories.iter().map(|&word| word.into()).collect() };
    Feature { name: name.into(), kind, missing_tokens: vec![] }
}

/// A stump with this test on columns `Age`, `Fare`, and `Port` with seven words.
fn stump(split: Split, default_left: bool) -> Model {
    Model {
        features: vec![
            numerical("Age"),
            numerical("Fare"),
            categorical("Port", &["a", "b", "c", "d", "e", "f, g", "h"]),
        ],
        target: Target::Classes { name: "Survived".into(), classes: vec!["no".into(), "yes".into()] },
        tree: Tree::new(vec![
            Node::Split { split, left: 1, right: 2, default_left },
            Node::Leaf(Leaf::Scores(vec![-0.5])),
            Node::Leaf(Leaf::Linear {
                constant: 1.5,
                features: vec![0, 1],
                coefficients: vec![-0.25, 2.0],
                missing_values: vec![0.0; 2],
                bounds: None,
            }),
        ])
        .unwrap(),
        post_transform: PostTransform::Logistic,
        decision: Decision::Likeliest,
        stats: [7, 1, 6].map(|rows| NodeStats { rows, counts: vec![rows, 0], ..NodeStats::default() }).into(),
    }
}

fn condition(split: Split) -> String {
    words::condition(&stump(split, false), 0)
}

fn port(left: &str) -> String {
    condition(Split::Categorical { feature: 2, left: left.chars().map(|c| c == '1').collect() })
}

#[test]
fn conditions_read_as_sentences() {
    assert_eq!(condition(Split::Numerical { feature: 0, threshold: 0.8 }), "Age ≤ 0.8");
    assert_eq!(condition(Split::Numerical { feature: 0, threshold: 1e-20 }), "Age ≤ 1e-20");
    assert_eq!(condition(Split::Numerical { feature: 0, threshold: f32::MAX }), "Age is not missing");
    assert_eq!(port("1000000"), "Port is a");
    assert_eq!(port("1100000"), "Port is one of a, b");
    assert_eq!(port("0111111"), "Port is not a");
    assert_eq!(port("1111101"), "Port is not \"f, g\"");
    assert_eq!(port("0011111"), "Port is none of a, b");
    assert_eq!(port("0000000"), "Port is no known word");
    assert_eq!(port("1111111"), "Port is any known word");
    let oblique = Split::Oblique {
        features: vec![1, 0],
        weights: vec![0.25, -1.1],
        missing_values: vec![0.0; 2],
        threshold: 0.3,
    };
    assert_eq!(condition(oblique), "0.25·Fare − 1.1·Age ≤ 0.3");
    let mut many = stump(Split::Categorical { feature: 2, left: (0..20).map(|at| at < 9).collect() }, false);
    let letters: Vec<String> = (0..20u8).map(|at| char::from(b'a' + at).to_string()).collect();
    many.features[2].kind = FeatureKind::Categorical { categories: letters };
    assert_eq!(words::condition(&many, 0), "Port is one of a, b, c, d and 5 more");
}

#[test]
fn answers_read_as_sentences() {
    let model = stump(Split::Numerical { feature: 0, threshold: 0.8 }, true);
    assert_eq!(words::answer(&model, 0), "");
    assert_eq!(words::answer(&model, 1), "no");
    assert_eq!(words::answer(&model, 2), "logit of yes = 1.5 − 0.25·Age + 2·Fare");
}

#[test]
fn a_leaf_that_answers_against_its_majority_says_why() {
    let stump = stump(Split::Numerical { feature: 0, threshold: 0.8 }, true);
    let leaf = |yes: f32, counts: [usize; 2], decision: Decision| {
        let mut nodes = stump.tree.nodes().to_vec();
        nodes[1] = Node::Leaf(Leaf::Scores(vec![1.0 - yes, yes]));
        let (tree, rows) = (Tree::new(nodes).unwrap(), counts.iter().sum());
        let mut stats = stump.stats.clone();
        stats[1] = NodeStats { rows, counts: counts.into(), ..NodeStats::default() };
        let model = Model { tree, stats, decision, post_transform: PostTransform::None, ..stump.clone() };
        (words::against_majority(&model, 1), words::against_likeliest(&model, 1))
    };
    let balanced = || Decision::Balanced { weights: vec![0.64, 2.2] };
    assert_eq!(leaf(0.43, [4, 3], Decision::Likeliest), (String::new(), String::new()));
    // By the answer rule, the most probable class is not predicted.
    let by_rule = "answers yes from 23 % on: every class counts equally".to_owned();
    assert_eq!(leaf(0.43, [301, 230], balanced()), (by_rule.clone(), by_rule));
    // By shrinkage: the most probable class is predicted, but it is not the most frequent one of these few
    // rows.
    let few = "answers no: with few rows here, the nodes above count too and give it 53 %".to_owned();
    assert_eq!(leaf(0.47, [3, 4], Decision::Likeliest), (few, String::new()));
}

/// The same stump for regression, with a bounded formula.
fn bounded(low: f64, high: f64) -> Model {
    let model = stump(Split::Numerical { feature: 0, threshold: 0.8 }, true);
    let mut nodes = model.tree.nodes().to_vec();
    nodes[1] = Node::Leaf(Leaf::Constant(7.0));
    let tree = Tree::new(nodes).unwrap().within(Bounds { low, high });
    Model {
        tree,
        target: Target::Value { name: "Fare paid".into() },
        post_transform: PostTransform::None,
        decision: Decision::Likeliest,
        stats: vec![],
        ..model
    }
}

#[test]
fn bounds_are_said_once_and_not_in_every_formula() {
    let model = bounded(-10.000_000_001, 30.5);
    assert_eq!(words::answer(&model, 2), "1.5 − 0.25·Age + 2·Fare");
    assert_eq!(words::bounds(&model), "formulas answer from -10 to 30.5");
    assert_eq!(words::bounds(&bounded(-1e300, f64::MAX)), "formulas answer from -1.00e300 to 1.80e308");
    assert_eq!(words::bounds(&stump(Split::Numerical { feature: 0, threshold: 0.8 }, true)), "");

    let document = Document::new(model, Default::default(), None, None);
    let text = |key: &str| String::from_utf8(export(&document, key).unwrap()).unwrap();
    let first = "Fare paid: regression, 1 splits, 2 leaves; formulas answer from -10 to 30.5";
    assert_eq!(text("text").lines().next(), Some(first));
    for key in ["text", "svg", "dot"] {
        assert_eq!(text(key).matches("formulas answer").count(), 1, "{key}");
    }
    assert!(text("markdown").contains("Its formulas answer from -10 to 30.5, which"));

    let mut nodes = document.model.tree.nodes().to_vec();
    nodes[1] = nodes[2].clone();
    let Node::Leaf(Leaf::Linear { bounds, .. }) = &mut nodes[1] else { panic!("a formula") };
    *bounds = Some(Bounds { low: 0.0, high: 1.0 });
    let model = Model { tree: Tree::new(nodes).unwrap(), ..document.model };
    assert_eq!(words::bounds(&model), "formulas answer within bounds of their own");
}

#[test]
fn rules_are_indented_in_the_words_of_the_file() {
    let model = stump(Split::Numerical { feature: 0, threshold: 0.8 }, true);
    let rules = "Survived: classification, 1 splits, 2 leaves
Age ≤ 0.8?  (missing: yes)
  yes: no  (100 % of 1 row)
  no: logit of yes = 1.5 − 0.25·Age + 2·Fare  (6 rows)
";
    assert_eq!(Rules(&model).to_string(), rules);
    // A split on missing values mentions them only once.
    let asks = stump(Split::Numerical { feature: 0, threshold: f32::MAX }, false);
    assert_eq!(Rules(&asks).to_string().lines().nth(1), Some("Age is not missing?"));
}

/// Whether every format can hold a document.
fn holdable(document: &Document) -> bool {
    FORMATS.iter().all(|format| export(document, format.key).is_ok())
}

#[test]
fn every_listed_format_is_written_and_no_other() {
    let document =
        (0..).map(|seed| document(seed, false)).find(holdable).expect("some tree fits every format");
    for format in FORMATS {
        assert!(!export(&document, format.key).unwrap().is_empty(), "{}", format.key);
        assert!(!format.extension.starts_with('.') && format.mime.contains('/'));
    }
    let error = export(&document, "excel").unwrap_err();
    assert_eq!(error.code, Code::BadFormat);
    assert!(error.hint.contains("json, text,") && error.hint.contains("pmml"));
}

/// The text of a DOT file without its quoted strings, and the strings unescaped.
fn without_strings(dot: &str) -> (String, Vec<String>) {
    let (mut plain, mut strings) = (String::new(), vec![]);
    let mut chars = dot.chars();
    while let Some(c) = chars.next() {
        if c != '"' {
            plain.push(c);
            continue;
        }
        let mut string = String::new();
        loop {
            match chars.next().expect("every string ends") {
                '"' => break,
                '\\' => string.push(chars.next().expect("an escape is followed by something")),
                c => string.push(c),
            }
        }
        plain.push('_');
        strings.push(string.replace("&amp;", "&"));
    }
    (plain, strings)
}

proptest! {
    #[test]
    fn a_graph_stays_valid_whatever_the_names(seed: u64) {
        let model = model(seed, true);
        let (plain, strings) = without_strings(&Graph(&model).to_string());
        // Outside strings, only our own words are left.
        prop_assert!(plain.chars().all(|c| c.is_ascii_graphic() || c == ' ' || c == '\n'), "{plain}");
        prop_assert_eq!(plain.matches(" -> ").count(), model.tree.size() - 1);
        prop_assert_eq!((plain.matches('{').count(), plain.matches('}').count()), (1, 1));
        for id in 0..model.tree.size() {
            let answer = words::answer(&model, id);
            let label = if answer.is_empty() { words::condition(&model, id) } else { answer };
            prop_assert!(strings.iter().any(|string| string.starts_with(&label)), "{label}");
        }
        prop_assert!(strings.iter().all(|string| !string.contains('\n')));
    }

    #[test]
    fn every_form_is_written_or_refused_and_holds_no_character_that_acts(seed: u64) {
        let document = document(seed, true);
        for format in FORMATS {
            let bytes = match export(&document, format.key) {
                Ok(bytes) => bytes,
                Err(error) => {
                    prop_assert_eq!(error.code, Code::BadFormat);
                    let may_refuse = ["sql", "sklearn", "xgboost", "pmml"].contains(&format.key);
                    prop_assert!(may_refuse, "{}: {}", format.key, error);
                    continue;
                }
            };
            // SQL has no escapes, and the others use encodings of their own.
            if ["json", "sql", "onnx", "xgboost"].contains(&format.key) {
                continue;
            }
            let text = String::from_utf8(bytes).unwrap();
            let breaks = |c: char| matches!(c, '\u{2028}' | '\u{2029}');
            let turns = |c: char| breaks(c) || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            let acts = |c: char| c.is_control() && c != '\n' || turns(c) && format.key != "pmml";
            prop_assert_eq!(text.chars().find(|&c| acts(c)), None, "{}", format.key);
        }
    }

    #[test]
    fn rules_have_a_line_per_node_whatever_the_names(seed: u64) {
        let model = model(seed, true);
        prop_assert_eq!(Rules(&model).to_string().lines().count(), model.tree.size() + 1);
    }
}
