//! Random models from a seed: all kinds of splits and leaves, hostile names, numbers of every size.

use std::collections::BTreeMap;

use espalier::export::{DataInfo, Document, Kept, Metrics, Setting, Training};
use espalier::numeric::{DateFormat, DatePart, NumberFormat};
use espalier::tree::{
    Bounds, CellReading, Decision, Feature, FeatureKind, Leaf, Model, Node, NodeStats, PostTransform, Split,
    Target, Tree,
};

/// A small seeded generator (splitmix64), so that a failing seed can be run again.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    /// Mostly a few small values, so that thresholds coincide and contradict each other; sometimes any finite
    /// f32.
    pub fn number(&mut self) -> f32 {
        const FEW: [f32; 9] = [-2.5, -0.0, 0.0, 0.1, 0.8, 1.0, 3.3, -999.0, 6.5];
        const ODD: [f32; 6] = [f32::MAX, f32::MIN, 1e-45, f32::MIN_POSITIVE, 16_777_216.0, 1e-30];
        match self.below(10) {
            0 => ODD[self.below(ODD.len())],
            1 | 2 => loop {
                let value = f32::from_bits(self.next() as u32);
                if value.is_finite() {
                    return value;
                }
            },
            _ => FEW[self.below(FEW.len())],
        }
    }

    /// A number from -1 to 1.
    pub fn unit(&mut self) -> f32 {
        (self.below(20_001) as f32 - 10_000.0) / 10_000.0
    }
}

/// Names and words that break naive writers.
pub fn hostile() -> Vec<String> {
    let mut words: Vec<String> = [
        "plain",
        "two words",
        "quo\"te",
        "it's",
        "back\\slash\\N",
        "line\nend\r\n",
        "tab\t",
        "🌳 emoji",
        "</script><script>",
        "&lt;b&gt;",
        "{[<|>]}",
        "a, b",
        "\u{0}\u{7}",
        "\u{202e}mirror",
        "日本語",
        " blanks ",
        "",
        "NA",
        "-999",
        "null",
        "é",
        "e\u{301}",
        "*/ /*",
        "-- ; drop table data",
        "]]><x>",
        "=cmd()|' /C calc'!A0",
        "select",
        "class",
        "\"\"\"",
        "`${x}` {{x}}",
        "__proto__",
        "??/\\",
        "\u{2028}\u{2066}",
    ]
    .map(str::to_owned)
    .into();
    words.push("long ".repeat(2000));
    words
}

/// Mostly plain numbers; sometimes another format, sometimes a part of a date.
fn reading(dice: &mut Dice) -> CellReading {
    match dice.below(6) {
        0 => {
            let mut format = NumberFormat::candidates()[dice.below(8)].clone();
            format.unit = [None, Some("%"), Some("€"), Some("kr")][dice.below(4)];
            CellReading::Number(format)
        }
        1 => CellReading::Date {
            column: hostile().swap_remove(dice.below(20)),
            format: DateFormat::ALL[dice.below(4)],
            part: DatePart::ALL[dice.below(6)],
        },
        _ => CellReading::default(),
    }
}

fn feature(dice: &mut Dice, name: String) -> Feature {
    let kind = if dice.coin() {
        let mut values = [dice.number(), dice.number(), dice.number(), dice.number(), dice.number()];
        values.sort_by(f32::total_cmp);
        let [min, a, b, c, max] = values;
        FeatureKind::Numerical { min, max, quartiles: [a, b, c], reading: reading(dice) }
    } else {
        let mut categories: Vec<String> = hostile().into_iter().filter(|_| dice.below(3) == 0).collect();
        categories.sort();
        FeatureKind::Categorical { categories }
    };
    let missing_tokens = if dice.coin() { vec!["NA".into(), "-999".into(), "0".into()] } else { vec![] };
    Feature { name, kind, missing_tokens }
}

fn split(dice: &mut Dice, features: &[Feature], oblique: bool) -> Split {
    let numbers: Vec<usize> = (0..features.len())
        .filter(|&at| matches!(features[at].kind, FeatureKind::Numerical { .. }))
        .collect();
    if oblique && !numbers.is_empty() && dice.below(3) == 0 {
        let used: Vec<usize> = numbers.into_iter().filter(|_| dice.below(4) > 0).collect();
        return Split::Oblique {
            weights: used.iter().map(|_| dice.number()).collect(),
            missing_values: used.iter().map(|_| dice.number()).collect(),
            features: used,
            threshold: f64::from(dice.number()) * 1.000_000_1,
        };
    }
    let feature = dice.below(features.len());
    match &features[feature].kind {
        FeatureKind::Numerical { .. } => Split::Numerical { feature, threshold: dice.number() },
        FeatureKind::Categorical { categories } => {
            Split::Categorical { feature, left: categories.iter().map(|_| dice.coin()).collect() }
        }
    }
}

/// Bounds of every size, with digits that f32 cannot hold; sometimes none.
fn bounds(dice: &mut Dice) -> Option<Bounds> {
    if dice.below(4) == 0 {
        return None;
    }
    let [a, b] = [dice.number(), dice.number()].map(|bound| f64::from(bound) * 1.000_000_000_1);
    Some(Bounds { low: a.min(b), high: a.max(b) })
}

fn leaf(dice: &mut Dice, features: &[Feature], classes: usize, post_transform: PostTransform) -> Leaf {
    let outputs = if classes == 0 || post_transform == PostTransform::Logistic { 1 } else { classes };
    if outputs == 1 && dice.below(3) == 0 {
        let used: Vec<usize> = (0..features.len())
            .filter(|&at| matches!(features[at].kind, FeatureKind::Numerical { .. }))
            .collect();
        return Leaf::Linear {
            constant: dice.number(),
            coefficients: used.iter().map(|_| dice.number()).collect(),
            missing_values: used.iter().map(|_| dice.number()).collect(),
            bounds: bounds(dice),
            features: used,
        };
    }
    if classes == 0 {
        return Leaf::Constant(dice.number());
    }
    let scores: Vec<f32> = (0..outputs).map(|_| dice.unit()).collect();
    if post_transform != PostTransform::None {
        return Leaf::Scores(scores);
    }
    let total: f32 = scores.iter().map(|score| score.abs()).sum::<f32>().max(1e-3);
    let mut shares: Vec<f32> = scores.iter().map(|score| score.abs() / total).collect();
    shares[0] = 1.0 - shares[1..].iter().sum::<f32>();
    Leaf::Scores(shares)
}

/// A model for a seed; `oblique` says whether it may have oblique splits.
pub fn model(seed: u64, oblique: bool) -> Model {
    let mut dice = Dice(seed);
    let mut names = hostile();
    let features: Vec<Feature> = (0..1 + dice.below(3))
        .map(|_| {
            let name = names.remove(dice.below(names.len()));
            feature(&mut dice, name)
        })
        .collect();
    let classes = [0, 2, 3][dice.below(3)];
    let post_transform = match classes {
        0 => PostTransform::None,
        2 => [PostTransform::None, PostTransform::Logistic, PostTransform::Softmax][dice.below(3)],
        _ => [PostTransform::None, PostTransform::Softmax][dice.below(2)],
    };
    let mut nodes = vec![None];
    let mut next = 0;
    while next < nodes.len() {
        nodes[next] = Some(if nodes.len() < 14 && dice.below(4) > 0 {
            let (left, right) = (nodes.len(), nodes.len() + 1);
            nodes.extend([None, None]);
            Node::Split {
                split: split(&mut dice, &features, oblique),
                left,
                right,
                default_left: dice.coin(),
            }
        } else {
            Node::Leaf(leaf(&mut dice, &features, classes, post_transform))
        });
        next += 1;
    }
    let tree =
        Tree::new(nodes.into_iter().map(|node| node.expect("every node is filled")).collect()).unwrap();
    // Some trees that predict a number are cluster trees, whose nodes have a description instead of a mean.
    let clusters = classes == 0 && seed % 4 >= 2;
    let values = classes == 0 && !clusters;
    let stat = |dice: &mut Dice| NodeStats {
        rows: dice.below(1000),
        counts: (0..classes).map(|_| dice.below(500)).collect(),
        mean: if values { f64::from(dice.number()) / 3.0 } else { 0.0 },
        deviation: if values { f64::from(dice.number().abs()) / 7.0 } else { 0.0 },
        description: if clusters { hostile()[..dice.below(3)].to_vec() } else { vec![] },
    };
    let stats = if dice.below(8) == 0 { vec![] } else { (0..tree.size()).map(|_| stat(&mut dice)).collect() };
    let name = names.remove(dice.below(names.len()));
    let target = match classes {
        0 if clusters => Target::Clusters { name, columns: names[..2].to_vec() },
        0 => Target::Value { name },
        _ => Target::Classes { name, classes: names[..classes].to_vec() },
    };
    Model { features, target, tree, post_transform, decision: Decision::Likeliest, stats }
}

/// A whole document for a seed.
pub fn document(seed: u64, oblique: bool) -> Document {
    let mut dice = Dice(!seed);
    let mut scores =
        || BTreeMap::from([("auc".to_owned(), f64::from(dice.unit()) / 3.0), ("r2".to_owned(), 1.0)]);
    let tree = BTreeMap::from([
        ("test".to_owned(), scores()),
        ("train".to_owned(), scores()),
        ("valid".into(), BTreeMap::new()),
    ]);
    let baseline = Some(BTreeMap::from([("test".to_owned(), scores())])).filter(|_| seed.is_multiple_of(2));
    let kept = Kept {
        start: "greedy \"oblique\"".into(),
        restart: 2,
        gradient_epochs: seed,
        taught: 50,
        synthetic_rows: 2000,
        selected_on: "R² on the validation rows".into(),
    };
    let training = Training {
        algorithm: "gradtree".into(),
        config: BTreeMap::from([
            ("depth".to_owned(), Setting::Number(6.0)),
            ("learning_rate".to_owned(), Setting::Number(0.1 + 0.2)),
            ("loss".to_owned(), Setting::Word("cross\"entropy".into())),
            ("warm".to_owned(), Setting::Flag(true)),
            ("big".to_owned(), Setting::Number(1e300)),
        ]),
        // Older files have neither.
        recipe: Some("published".to_owned()).filter(|_| seed.is_multiple_of(2)),
        said: Some(BTreeMap::from([("big".to_owned(), Setting::Number(1e300))]))
            .filter(|_| seed.is_multiple_of(2)),
        seed: u64::MAX - seed % 3,
        shares: BTreeMap::from([("test".to_owned(), 0.2), ("train".to_owned(), 0.6)]),
        rows: BTreeMap::from([("test".to_owned(), 30), ("train".to_owned(), 90)]),
        steps: 1234,
        best_epoch: Some(17).filter(|_| seed.is_multiple_of(3)),
        stop_reason: "no_improvement".into(),
        shrinkage: Some(16.0).filter(|_| seed.is_multiple_of(2)),
        kept: Some(kept).filter(|_| !seed.is_multiple_of(4)),
    };
    let data = DataInfo {
        rows: 150,
        columns: 5,
        sha256: Some("0123456789abcdef".repeat(4)),
        delimiter: "\t".into(),
        encoding: "utf-8".into(),
    };
    Document::new(
        model(seed, oblique),
        Metrics { tree, baseline },
        Some(training).filter(|_| !seed.is_multiple_of(5)),
        Some(data).filter(|_| !seed.is_multiple_of(7)),
    )
}

/// All values per feature that a split can distinguish: thresholds, one step above them, missing, words,
/// unseen.
pub fn telling_values(model: &Model) -> Vec<Vec<f32>> {
    let mut values: Vec<Vec<f32>> = model
        .features
        .iter()
        .map(|feature| match &feature.kind {
            FeatureKind::Numerical { .. } => vec![f32::NAN, 0.5],
            FeatureKind::Categorical { categories } => {
                // Words that a cell cannot spell (with surrounding whitespace, or spelled as missing) never
                // occur.
                let words =
                    categories.iter().enumerate().filter(|(code, word)| feature.parse(word) == *code as f32);
                [f32::NAN, -1.0].into_iter().chain(words.map(|(code, _)| code as f32)).collect()
            }
        })
        .collect();
    for node in model.tree.nodes() {
        if let Node::Split { split: Split::Numerical { feature, threshold }, .. } = node {
            for value in [threshold.next_down(), *threshold, threshold.next_up()] {
                if value.is_finite() {
                    values[*feature].push(value);
                }
            }
        }
    }
    for values in &mut values {
        values.sort_by(f32::total_cmp);
        values.dedup_by(|a, b| a == b || (a.is_nan() && b.is_nan()));
    }
    values
}

/// All rows of distinguishable values. For a tree without oblique splits, no other row does anything new.
pub fn telling_rows(model: &Model) -> Vec<Vec<f32>> {
    let mut rows = vec![vec![]];
    for values in telling_values(model) {
        rows = rows
            .into_iter()
            .flat_map(|row: Vec<f32>| {
                values.iter().map(move |&value| row.iter().copied().chain([value]).collect::<Vec<f32>>())
            })
            .collect();
    }
    rows
}
