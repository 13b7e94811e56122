//! Conditions and predictions in the file's own words. All formats get their sentences from here.

use crate::numeric::order::first_largest;
use crate::tree::{Bounds, FeatureKind, Leaf, Model, Node, PostTransform, Split, Target};

/// Words of a set shown before "and n more".
const MOST_WORDS: usize = 4;

/// The condition of a split, true for rows that go left: `petal width ≤ 0.8`, `Sex is female`, `0.25·Fare −
/// 1.1·Age ≤ 0.3`. Empty for a leaf.
///
/// # Panics
/// If there is no such node.
pub fn condition(model: &Model, node: usize) -> String {
    let Node::Split { split, default_left, .. } = &model.tree.nodes()[node] else { return String::new() };
    let name = |feature: usize| one_line(&model.features[feature].name);
    match split {
        // No cell is greater than the largest f32, so this split separates missing values from all others.
        Split::Numerical { feature, threshold } if *threshold == f32::MAX && !default_left => {
            format!("{} is not missing", name(*feature))
        }
        Split::Numerical { feature, threshold } => format!("{} ≤ {}", name(*feature), number(*threshold)),
        Split::Categorical { feature, left } => {
            let words = match &model.features[*feature].kind {
                FeatureKind::Categorical { categories } => categories.as_slice(),
                FeatureKind::Numerical { .. } => &[],
            };
            format!("{} {}", name(*feature), membership(words, left))
        }
        Split::Oblique { features, weights, threshold, .. } => {
            let sum = weighted_sum(None, features, weights, name);
            format!("{sum} ≤ {}", number(*threshold as f32))
        }
    }
}

/// The condition of the rows that go right, leaving aside missing and unseen values. Empty for a leaf and for
/// a weighted sum.
pub(super) fn opposite(model: &Model, node: usize) -> String {
    match &model.tree.nodes()[node] {
        Node::Split { split: Split::Numerical { feature, threshold }, .. } => {
            format!("{} > {}", one_line(&model.features[*feature].name), number(*threshold))
        }
        Node::Split { split: Split::Categorical { feature, left }, .. } => {
            let words = match &model.features[*feature].kind {
                FeatureKind::Categorical { categories } => categories.as_slice(),
                FeatureKind::Numerical { .. } => &[],
            };
            let right: Vec<bool> = left.iter().map(|goes_left| !goes_left).collect();
            format!("{} {}", one_line(&model.features[*feature].name), membership(words, &right))
        }
        _ => String::new(),
    }
}

/// A leaf's prediction: the class as the file spells it, the number, or the linear formula. Empty for a
/// split.
///
/// # Panics
/// If there is no such node.
pub fn answer(model: &Model, node: usize) -> String {
    let Node::Leaf(leaf) = &model.tree.nodes()[node] else { return String::new() };
    let name = |feature: usize| one_line(&model.features[feature].name);
    match leaf {
        Leaf::Linear { constant, features, coefficients, .. } => {
            let sum = weighted_sum(Some(*constant), features, coefficients, name);
            // A linear leaf of a classifier is the logit of its second class.
            match (model.post_transform, model.target.classes()) {
                (PostTransform::Logistic, [_, second]) => format!("logit of {} = {sum}", word(second)),
                _ => sum,
            }
        }
        Leaf::Constant(value) if matches!(model.target, Target::Clusters { .. }) => {
            format!("{} {}", one_line(model.target.name()), number(*value))
        }
        Leaf::Constant(value) => number(*value),
        Leaf::Scores(_) => {
            let class = model.leaf_class(node).and_then(|class| model.target.classes().get(class));
            class.map(|class| word(class)).unwrap_or_default()
        }
    }
}

/// The share of a leaf's training rows in the class it predicts: `43 % of 531 rows`. Without counts, only the
/// probability. Empty for splits and for leaves without classes.
pub(crate) fn share(model: &Model, node: usize) -> String {
    let Some(class) = model.leaf_class(node) else { return String::new() };
    match model.stats.get(node) {
        Some(stats) if stats.rows > 0 && class < stats.counts.len() => {
            let (count, rows) = (stats.counts[class] as f64, stats.rows as f64);
            format!("{} of {}", percent(count / rows), rows_of(stats.rows))
        }
        _ => percent(probabilities(model, node)[class]),
    }
}

/// Explains why a leaf does not predict the class of most of its training rows. Either the answer rule says
/// so, or the leaf has few rows and its shares were shrunk towards its parent nodes. Empty if it predicts its
/// largest class.
pub fn against_majority(model: &Model, node: usize) -> String {
    let by_rule = against_likeliest(model, node);
    let Some((class, stats)) = model.leaf_class(node).zip(model.stats.get(node)) else { return by_rule };
    let own = stats.counts.get(class).copied().unwrap_or_default();
    if !by_rule.is_empty() || stats.counts.iter().all(|&count| count <= own) {
        return by_rule;
    }
    let answered = word(&model.target.classes()[class]);
    let probability = percent(probabilities(model, node)[class]);
    format!("answers {answered}: with few rows here, the nodes above count too and give it {probability}")
}

/// Explains why a leaf does not predict its most probable class: `answers yes from 22 % on: every class
/// counts equally`. Empty if it does.
pub fn against_likeliest(model: &Model, node: usize) -> String {
    let Some(class) = model.leaf_class(node) else { return String::new() };
    let probabilities = probabilities(model, node);
    let largest = first_largest(&probabilities);
    if probabilities[class] >= probabilities[largest] {
        return String::new();
    }
    let classes = model.target.classes();
    let (answered, meaning) = (word(&classes[class]), model.decision.meaning());
    match model.decision.threshold() {
        Some(second) => {
            let from = if class == 1 { second } else { 1.0 - second };
            format!("answers {answered} from {} on: {meaning}", percent(from))
        }
        None => format!(
            "answers {answered}, although {} is more frequent here: {meaning}",
            word(&classes[largest])
        ),
    }
}

/// `43 %`; a share that would be rounded to 0 % or 100 % although it is not keeps a decimal.
pub(crate) fn percent(share: f64) -> String {
    let whole = (100.0 * share).round();
    let rounded_away = (whole == 0.0 && share > 0.0) || (whole == 100.0 && share < 1.0);
    if rounded_away { format!("{:.1} %", (100.0 * share).clamp(0.1, 99.9)) } else { format!("{whole} %") }
}

/// `1 row`, `531 rows`.
pub(super) fn rows_of(rows: usize) -> String {
    format!("{rows} {}", if rows == 1 { "row" } else { "rows" })
}

/// A leaf's probability per class after the output transform. Empty for regression, for splits, and for
/// leaves whose prediction depends on the row.
pub(crate) fn probabilities(model: &Model, node: usize) -> Vec<f64> {
    match &model.tree.nodes()[node] {
        Node::Leaf(Leaf::Scores(scores)) => {
            let raw: Vec<f64> = scores.iter().map(|&score| f64::from(score)).collect();
            model.post_transform.apply(&raw)
        }
        _ => vec![],
    }
}

/// The bounds of linear leaves: `formulas answer from -10 to 30`. There is one phrase for the tree, because
/// all leaves of a training have the same bounds. Empty if there are none.
pub fn bounds(model: &Model) -> String {
    let mut found: Vec<Bounds> = vec![];
    for node in model.tree.nodes() {
        if let Node::Leaf(Leaf::Linear { bounds: Some(bounds), .. }) = node
            && !found.contains(bounds)
        {
            found.push(*bounds);
        }
    }
    match found.as_slice() {
        [] => String::new(),
        [Bounds { low, high }] => format!("formulas answer from {} to {}", double(*low), double(*high)),
        _ => "formulas answer within bounds of their own".into(),
    }
}

/// A name, followed by a number if it is taken: `leaf`, `leaf (2)`.
pub(crate) fn unique(name: &str, taken: &dyn Fn(&str) -> bool) -> String {
    let mut unique = name.to_owned();
    let mut copy = 1;
    while taken(&unique) {
        copy += 1;
        unique = format!("{name} ({copy})");
    }
    unique
}

/// The shortest decimal for this f32, with an exponent if a plain decimal would be mostly zeros.
pub(crate) fn number(value: f32) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-5..1e16).contains(&size) { value.to_string() } else { format!("{value:e}") }
}

/// The same for an f64, rounded to f32; outside the range of f32, with three digits.
fn double(value: f64) -> String {
    let single = value as f32;
    if single.is_finite() { number(single) } else { format!("{value:.2e}") }
}

/// `is female`, `is one of a, b`, `is not x`, `is none of x, y`: whichever lists fewer words.
fn membership(words: &[String], left: &[bool]) -> String {
    let side = |side: bool| -> Vec<&str> {
        words.iter().zip(left).filter(|(_, left)| **left == side).map(|(word, _)| word.as_str()).collect()
    };
    let (inside, outside) = (side(true), side(false));
    match (inside.as_slice(), outside.as_slice()) {
        ([], _) => "is no known word".into(),
        (_, []) => "is any known word".into(),
        ([one], _) => format!("is {}", word(one)),
        (_, [one]) => format!("is not {}", word(one)),
        (inside, outside) if inside.len() <= outside.len() => format!("is one of {}", list(inside)),
        (_, outside) => format!("is none of {}", list(outside)),
    }
}

fn list(words: &[&str]) -> String {
    let shown: Vec<String> = words.iter().take(MOST_WORDS).map(|text| word(text)).collect();
    match words.len().saturating_sub(MOST_WORDS) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// `1.5 + 0.25·Fare − 1.1·Age`.
fn weighted_sum(
    constant: Option<f32>,
    features: &[usize],
    weights: &[f32],
    name: impl Fn(usize) -> String,
) -> String {
    let mut sum = constant.map(number).unwrap_or_default();
    for (&feature, &weight) in features.iter().zip(weights) {
        let sign = match (sum.is_empty(), weight < 0.0) {
            (true, true) => "−",
            (true, false) => "",
            (false, true) => " − ",
            (false, false) => " + ",
        };
        sum.push_str(&format!("{sign}{}·{}", number(weight.abs()), name(feature)));
    }
    if sum.is_empty() { "0".into() } else { sum }
}

/// A word of the file, in quotes if it would run into the sentence around it.
fn word(text: &str) -> String {
    let plain = !text.is_empty() && text.trim() == text && !text.contains([',', '"']);
    let text = one_line(text);
    if plain { text } else { format!("\"{}\"", text.replace('"', "\\\"")) }
}

/// A name on one line: line ends and other control characters become escapes.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        // The two separators break lines in some viewers, and the marks reorder the text around them.
        if c.is_control()
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}
