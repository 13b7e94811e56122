//! Looking closer at a training: its frames, its rows in both trees, one row's way, and why the trees differ.

use super::training::{MOVING_ROWS, Training};
use super::{Reply, no_run, view};
use crate::error::{Code, Error, Result, quoted};
use crate::export::{Document, words};
use crate::protocol::{Event, FirstCutInfo, ImportanceInfo, TraceStep};
use crate::run::{self, FirstCut, Frame, GRID, Run};
use crate::table::{Overrides, Records};
use crate::tree::{CellReading, Feature, FeatureKind, Model, Node, Split};

/// The list of frames.
pub(super) fn frames(training: &mut Training) -> Reply {
    let mut numbers = vec![];
    training.frames.complete(&training.run, training.finished.as_ref());
    for frame in training.frames.kept() {
        let loss = |loss: Option<f64>| loss.map_or(f32::NAN, |loss| loss as f32);
        let progress = &frame.progress;
        let (restart, epoch) = (progress.restart + 1, progress.epoch);
        numbers.extend([restart as f32, epoch as f32, f32::from(u8::from(frame.changed))]);
        numbers.extend([loss(progress.train_loss), loss(progress.valid_loss)]);
    }
    Reply { numbers: Some(numbers), ..Event::Frames { run: training.id }.into() }
}

/// A frame with its scores and the histograms of its nodes.
pub(super) fn frame(training: &Training, frame: u32) -> Result<Reply> {
    let kept = kept_frame(training, frame)?;
    let model = training.run.frame_model(kept);
    let metrics = training.run.scores(&model);
    let numbers = Some(run::marks(&model.tree, &training.run.sample_of(&model, MOVING_ROWS)));
    let tree = view::moving(&model, &kept.choices, &kept.keeping);
    Ok(Reply { numbers, ..Event::Frame { run: training.id, frame, tree, metrics }.into() })
}

fn kept_frame(training: &Training, frame: u32) -> Result<&Frame> {
    let kept = training.frames.kept();
    kept.get(frame as usize).ok_or_else(|| {
        let range = format!("The training has {} frames, counted from 0.", kept.len());
        Error::new(Code::BadRequest, format!("There is no frame {frame}."), range)
    })
}

/// The greedy and the learner's finished tree.
fn pair(training: &Training) -> Result<(&Model, &Model)> {
    let gradient = training.finished.as_ref().ok_or_else(no_run)?;
    Ok((training.run.baseline().map_or(gradient, |greedy| &greedy.model), gradient))
}

/// Where every row ends in both trees.
pub(super) fn rows(training: &Training) -> Result<Reply> {
    let (cart, gradient) = pair(training)?;
    let worth = |model: &Model| {
        let worth = run::importance(&training.run, model).into_iter();
        worth.map(|(feature, worth)| ImportanceInfo { feature, worth }).collect()
    };
    let metric = run::deciding_metric(gradient).into();
    let event = Event::Rows { run: training.id, cart: worth(cart), gradient: worth(gradient), metric };
    Ok(Reply { numbers: Some(run::judged(&training.run, cart, gradient)), ..event.into() })
}

/// The cells of one row of the file.
pub(super) fn row(training: &Training, row: u32) -> Result<Reply> {
    let table = training.run.table();
    if row as usize >= table.rows() {
        let range = format!("The file has {} rows, counted from 0.", table.rows());
        return Err(Error::new(Code::BadRequest, format!("There is no row {row}."), range));
    }
    let cells =
        (0..table.columns().len()).map(|column| table.cell(row as usize, column).to_owned()).collect();
    Ok(Event::Row { run: training.id, cells }.into())
}

/// Both trees over the plane of two columns.
pub(super) fn map(training: &Training, frame: Option<u32>, x: &str, y: &str) -> Result<Reply> {
    let (cart, gradient) = pair(training)?;
    let then = frame
        .map(|frame| kept_frame(training, frame))
        .transpose()?
        .map(|kept| training.run.frame_model(kept));
    let numbers =
        run::map(&training.run, cart, then.as_ref().unwrap_or(gradient), x, y).ok_or_else(|| {
            let message =
                format!("{} and {} are not both columns that the trees know.", quoted(x), quoted(y));
            Error::new(Code::BadRequest, message, "Choose two columns that are used.")
        })?;
    Ok(Reply { numbers: Some(numbers), ..Event::Map { run: training.id, side: GRID as u32 }.into() })
}

/// The way of a file's first row through a tree.
pub(super) fn trace(run: u32, model: &Model, bytes: &[u8]) -> Result<Reply> {
    let every_row = Overrides { keep_empty_rows: true, header: Some(true), ..Overrides::default() };
    let row = run::first_row(model, &Records::read_as(bytes, &every_row)?)?;
    let mut steps = vec![];
    let path: Vec<usize> = model.tree.path_of(&row).collect();
    for (&node, &next) in path.iter().zip(path.iter().skip(1)) {
        let Node::Split { split, left, .. } = &model.tree.nodes()[node] else { continue };
        let known = |number: f64| (!number.is_nan()).then_some(number);
        let (value, threshold) = (run::compared(split, &row), run::threshold(split));
        let tip = tip(model, split, threshold - value);
        steps.push(TraceStep {
            node: node as u32,
            left: next == *left,
            value: known(value),
            threshold: known(threshold),
            unknown: split.goes_left(&row).is_none(),
            tip: tip.map_or_else(String::new, |(feature, _)| feature.name.clone()),
            tip_by: tip.map_or(0.0, |(_, by)| by),
            tip_part: tip.and_then(|(feature, _)| part(feature)),
        });
    }
    let answer = model.predict(&row);
    let (said, probabilities) = match answer.class {
        Some(class) => (model.target.classes()[class].clone(), answer.values),
        None => (words::number(answer.values[0] as f32), vec![]),
    };
    let beyond = match &model.tree.nodes()[answer.leaf] {
        Node::Leaf(leaf) if answer.class.is_none() => leaf.beyond(&row),
        _ => None,
    };
    Ok(Event::Traced { run, steps, leaf: answer.leaf as u32, answer: said, probabilities, beyond }.into())
}

/// The feature that tips a weighted sum which is `short` of its threshold, and by how much it has to move;
/// none for other splits.
fn tip<'a>(model: &'a Model, split: &Split, short: f64) -> Option<(&'a Feature, f64)> {
    let Split::Oblique { features, weights, .. } = split else { return None };
    let mut best: Option<(f64, &Feature, f64)> = None;
    for (&at, &weight) in features.iter().zip(weights) {
        let feature = &model.features[at];
        let FeatureKind::Numerical { min, max, .. } = feature.kind else { continue };
        let by = short / f64::from(weight);
        let share = by.abs() / (f64::from(max) - f64::from(min));
        if share.is_finite() && best.is_none_or(|(least, ..)| share < least) {
            best = Some((share, feature, by));
        }
    }
    best.map(|(_, feature, by)| (feature, by))
}

/// The part of a date that a feature is.
fn part(feature: &Feature) -> Option<String> {
    match &feature.kind {
        FeatureKind::Numerical { reading: CellReading::Date { part, .. }, .. } => Some(part.as_str().into()),
        _ => None,
    }
}

/// Why the two trees differ.
pub(super) fn why(id: u32, run: &Run, tree: &Document) -> Result<Reply> {
    let kept = tree.training.as_ref().and_then(|training| training.kept.as_ref());
    let why = run::why(run, &tree.model, kept)?;
    let cut =
        |cut: FirstCut| FirstCutInfo { condition: cut.condition, gain: cut.gain, rank: cut.rank as u32 };
    let (cuts, rows, scores) = (why.cuts as u32, why.rows as u32, why.scores.to_vec());
    let (cart, gradient, growers) = (cut(why.cart), cut(why.gradient), why.growers.to_vec());
    let (metric, noise) = (why.metric.into(), why.noise);
    Ok(Event::Why { run: id, cart, gradient, cuts, scores, metric, noise, growers, rows }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Decision, Leaf, PostTransform, Target, Tree};

    #[test]
    fn a_weighted_sum_tips_by_the_column_that_has_to_move_least_in_its_range() {
        let number = |name: &str, min: f32, max: f32| Feature {
            name: name.into(),
            kind: FeatureKind::Numerical { min, max, quartiles: [min; 3], reading: CellReading::default() },
            missing_tokens: vec![],
        };
        let model = Model {
            features: vec![number("a", 0.0, 10.0), number("b", 0.0, 1000.0), number("flat", 5.0, 5.0)],
            target: Target::Value { name: "y".into() },
            tree: Tree::leaf(Leaf::Constant(0.0)),
            post_transform: PostTransform::None,
            decision: Decision::Likeliest,
            stats: vec![],
        };
        let sum = Split::Oblique {
            features: vec![0, 1, 2],
            weights: vec![0.5, -0.02, 9.0],
            missing_values: vec![0.0; 3],
            threshold: 0.0,
        };
        // 2 / 0.5 = 4 of a range of 10; 2 / −0.02 = −100 of a range of 1000.
        let (feature, by) = tip(&model, &sum, 2.0).unwrap();
        assert_eq!((feature.name.as_str(), part(feature)), ("b", None));
        assert!((by + 100.0).abs() < 1e-4, "{by}");
        assert_eq!(tip(&model, &sum, f64::NAN), None);
        assert_eq!(tip(&model, &Split::Numerical { feature: 0, threshold: 1.0 }, 2.0), None);
    }
}
