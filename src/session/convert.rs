//! Core types to messages and back.

use std::collections::BTreeMap;

use super::{CLUSTERING, GROUPS, view};
use crate::encode::{Selection, Shares, Task};
use crate::error::{Error, Result};
use crate::export::{self, Document};
use crate::learn::{self, On, Phase, Progress, Recipe, Start, Value, Work};
use crate::numeric::order::map_of;
use crate::protocol::{
    DecisionInfo, ErrorInfo, KeptInfo, ParamValue, ProblemInfo, ProgressInfo, ReadOptions, Scores,
    TrainSettings, TreeResult,
};
use crate::run::{Aim, Fitted, Metrics, Rule, Run, Settings};
use crate::table::{Delimiter, Encoding, Kind, MissingTokens, Overrides};
use crate::tree::{Decision, Target};

/// An error for the page.
pub(super) fn error(error: &Error) -> ErrorInfo {
    let bad = error.bad_rows.as_deref();
    ErrorInfo {
        code: error.code.as_str().into(),
        message: error.placed_message(),
        hint: error.hint.clone(),
        line: error.line.map(|line| line as u32),
        column: error.column.clone(),
        bad_rows: bad.map_or(0, |bad| bad.count as u32),
        bad_lines: bad.map_or_else(Vec::new, |bad| bad.lines.iter().map(|&line| line as u32).collect()),
    }
}

/// The page's settings, checked as far as they can be without the table.
pub(super) fn settings(asked: TrainSettings) -> Result<Settings> {
    let (learner, seed) = (learner(&asked)?, asked.seed);
    let shares = Shares { test: asked.test, valid: asked.valid };
    let aim = if GROUPS && asked.task == CLUSTERING {
        let label = Some(asked.label).filter(|label| !label.is_empty());
        Aim::Groups { ignore: asked.ignore, predicted: vec![], label }
    } else {
        let answers = Rule::parse(&asked.answers)?;
        Aim::Target { selection: selection(asked)?, split_column: None, answers }
    };
    Ok(Settings { aim, shares, learner, seed })
}

/// What is to be learned from which columns.
pub(super) fn selection(asked: TrainSettings) -> Result<Selection> {
    let positive = Some(asked.positive).filter(|class| !class.is_empty());
    Ok(Selection { target: asked.target, task: Task::parse(&asked.task)?, ignore: asked.ignore, positive })
}

/// The learner that is asked for, with the hyper-parameters set by hand.
pub(super) fn learner(asked: &TrainSettings) -> Result<learn::Settings> {
    let mut learner = learn::Settings::new(&asked.model)?.with_recipe(Recipe::parse(&asked.recipe)?);
    for (key, value) in &asked.said {
        let value = match value {
            ParamValue::Flag(flag) => Value::Flag(*flag),
            ParamValue::Number(number) => Value::Number(*number),
            ParamValue::Choice(word) => Value::Choice(word.clone()),
        };
        learner.set(key, &value)?;
    }
    Ok(learner)
}

/// Scores with names of their own.
pub(super) fn scores(metrics: &Metrics) -> BTreeMap<String, Scores> {
    let owned = |scores: &BTreeMap<&'static str, f64>| {
        map_of(scores.iter().map(|(name, &score)| ((*name).to_owned(), score)))
    };
    map_of(metrics.iter().map(|(part, scores)| ((*part).to_owned(), owned(scores))))
}

/// What the user knows better than the reader.
pub(super) fn overrides(asked: ReadOptions) -> Result<Overrides> {
    let said = |word: String| Some(word).filter(|word| !word.is_empty());
    let kinds = asked.kinds.into_iter().map(|(column, kind)| Ok((column, Kind::parse(&kind)?)));
    let missing = asked.missing.into_iter().map(|(column, tokens)| MissingTokens { column, tokens });
    Ok(Overrides {
        delimiter: said(asked.delimiter).map(|text| Delimiter::parse(&text)).transpose()?,
        encoding: said(asked.encoding).map(|name| Encoding::parse(&name)).transpose()?,
        header: asked.header,
        skip_bad_rows: asked.skip_bad_rows,
        keep_empty_rows: false,
        kinds: kinds.collect::<Result<_>>()?,
        missing: missing.collect(),
    })
}

/// What a run learns.
pub(super) fn problem(run: &Run) -> ProblemInfo {
    let problem = run.problem();
    let rows = run.rows();
    let columns = run.table().columns();
    let (target, features) = match &problem.target {
        Target::Clusters { columns, .. } if GROUPS => {
            (columns.join(", "), run.features().iter().map(|feature| feature.name.clone()).collect())
        }
        target => {
            (target.name().into(), problem.columns.iter().map(|&at| columns[at].name.clone()).collect())
        }
    };
    ProblemInfo {
        task: problem.target.task().into(),
        target,
        classes: problem.target.classes().to_vec(),
        features,
        train_rows: rows.train as u32,
        valid_rows: rows.valid as u32,
        test_rows: rows.test as u32,
        warnings: problem.warnings.clone(),
        decision: run.rule_sentence().map(|sentence| {
            let (constant_class, scores) =
                run.constant().map_or_else(Default::default, |one| (one.class, one.scores));
            let constant_scores = map_of(scores.into_iter().map(|(name, score)| (name.to_owned(), score)));
            DecisionInfo { sentence, constant_class, constant_scores, ..decision(run.decision()) }
        }),
    }
}

/// An answer rule.
fn decision(decision: &Decision) -> DecisionInfo {
    let (weights, costs) = match decision {
        Decision::Likeliest => (vec![], vec![]),
        Decision::Balanced { weights } => (weights.clone(), vec![]),
        Decision::Costs { costs } => (vec![], costs.clone()),
    };
    DecisionInfo {
        rule: decision.as_str().into(),
        sentence: String::new(),
        weights,
        costs,
        threshold: decision.threshold(),
        metric: decision.metric().into(),
        constant_class: String::new(),
        constant_scores: Scores::new(),
    }
}

/// A finished tree for the page.
pub(super) fn result(run: &Run, fitted: &Fitted) -> Result<TreeResult> {
    let document = run.document(fitted);
    Ok(TreeResult {
        model: fitted.config.key().into(),
        tree: view::tree(&fitted.model),
        features: view::features(&fitted.model),
        json: export::write(&document)?,
        kept: kept(&document),
        metrics: document.metrics.tree,
    })
}

/// Where a document's tree came from.
pub(super) fn kept(document: &Document) -> Option<Box<KeptInfo>> {
    let kept = document.training.as_ref()?.kept.as_ref()?;
    Some(Box::new(KeptInfo {
        start: kept.start.clone(),
        restart: kept.restart as u32,
        gradient_epochs: kept.gradient_epochs as u32,
        taught: kept.taught as u32,
        synthetic_rows: kept.synthetic_rows as u32,
        selected_on: kept.selected_on.clone(),
        descent_alone: kept.is_descent_alone(),
        sentence: kept.sentence(),
        origin: kept.origin(),
    }))
}

/// A tree that was read back.
pub(super) fn opened(document: &Document) -> Result<(ProblemInfo, TreeResult)> {
    let model = &document.model;
    let rows = |part: &str| {
        let rows = document.training.as_ref().and_then(|training| training.rows.get(part));
        rows.map_or(0, |&rows| rows as u32)
    };
    let problem = ProblemInfo {
        task: model.target.task().into(),
        target: model.target.name().into(),
        classes: model.target.classes().to_vec(),
        features: model.features.iter().map(|feature| feature.name.clone()).collect(),
        train_rows: rows("train"),
        valid_rows: rows("valid"),
        test_rows: rows("test"),
        warnings: vec![],
        decision: (!model.target.classes().is_empty()).then(|| decision(&model.decision)),
    };
    let metrics: BTreeMap<String, Scores> = document.metrics.tree.clone();
    let algorithm =
        document.training.as_ref().map_or_else(String::new, |training| training.algorithm.clone());
    let (tree, features, json) = (view::tree(model), view::features(model), export::write(document)?);
    Ok((problem, TreeResult { model: algorithm, tree, metrics, features, json, kept: kept(document) }))
}

/// Where a training is.
pub(super) fn progress(progress: &Progress) -> ProgressInfo {
    let (start, random_start, random_starts) = start(progress);
    ProgressInfo {
        step: progress.step as u32,
        epoch: progress.epoch,
        restart: progress.restart + 1,
        restarts: progress.restarts,
        train_loss: progress.train_loss,
        valid_loss: progress.valid_loss,
        best_loss: progress.best_loss,
        best_epoch: progress.best_epoch,
        best_restart: progress.best_restart + 1,
        phase: progress.phase.as_str().into(),
        doing: progress.phase.to_string(),
        start: start.into(),
        random_start,
        random_starts,
        node: if let Work::Polish { node } = progress.phase.work { Some(node + 1) } else { None },
        scale: progress.scale.filter(|_| matches!(progress.phase.work, Work::Descent { .. })),
        hard_loss: progress.hard_loss,
        share: progress.share,
    }
}

/// What the restart at work begins at, with the number of a random start and how many there are. What comes
/// after the restarts works on the tree of one of them.
fn start(progress: &Progress) -> (&'static str, u32, u32) {
    const UNKNOWN: (&str, u32, u32) = ("", 0, 0);
    let Phase { work, on, .. } = progress.phase;
    if progress.restart >= progress.restarts || matches!(on, On::All | On::Alone) {
        return UNKNOWN;
    }
    match work {
        Work::FirstTree | Work::Teachers | Work::MadeUpRows | Work::Greedy => ("greedy", 0, 0),
        Work::Descent { from, number, of, .. } => match from {
            Start::Greedy => ("greedy", 0, 0),
            Start::Cart => ("CART's tree", 0, 0),
            Start::GreedyOblique => ("a greedy oblique tree", 0, 0),
            Start::Random | Start::Constant if number > 0 => ("random", number, of),
            Start::Random | Start::Constant => UNKNOWN,
        },
        _ => UNKNOWN,
    }
}

/// Why a training ended, as a sentence.
pub(super) fn reason(word: &str) -> String {
    match word {
        "grown" => "The tree is fully grown.",
        "no_improvement" => "Validation loss stopped falling, so the best tree was kept.",
        "epoch_limit" => "The last epoch was reached; the best tree was kept.",
        "diverged" => {
            "The loss left the range of numbers; the best tree before that was kept. Try smaller learning \
             rates."
        }
        "stopped" => "Stopped by you; the best tree so far was kept.",
        other => other,
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restart_says_what_it_begins_at_while_it_is_at_work() {
        let at = |phase: Phase| start(&Progress { restart: 2, restarts: 8, phase, ..Progress::default() });
        let descent = |from, number| Phase::from(Work::Descent { from, number, of: 7, run: 0 });
        assert_eq!(at(Work::Teachers.into()), ("greedy", 0, 0));
        assert_eq!(at(descent(Start::Greedy, 0)), ("greedy", 0, 0));
        assert_eq!(at(descent(Start::Random, 2)), ("random", 2, 7));
        assert_eq!(at(descent(Start::Cart, 0)), ("CART's tree", 0, 0));
        assert_eq!(at(descent(Start::Random, 0)).0, "", "there is only one");
        assert_eq!(at(Work::Choice.into()).0, "");
        // What comes after the restarts names none of them.
        for on in [On::All, On::Alone] {
            assert_eq!(at(Phase { on, ..descent(Start::Random, 4) }), ("", 0, 0));
        }
        let phase = descent(Start::Greedy, 0);
        assert_eq!(start(&Progress { restart: 8, restarts: 8, phase, ..Progress::default() }).0, "");
    }
}
