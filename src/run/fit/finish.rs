//! The end of a training: its best tree as a model with scores.
//!
//! The scores of the result on the test rows are always there. What stands beside them may be left out where
//! a caller's time is up: it is asked before each such piece.

use nalgebra::DMatrix;

use super::target::picked;
use super::trees::{Counted, Which};
use super::{Encoded, Fit, Sources, TargetFit};
use crate::encode::{Labels, Parts, Thresholds};
use crate::learn::{Alone, Config, Kept, Progress};
use crate::metrics::Scores;
use crate::run::evaluate::{score, score_answers, with_pinball};
use crate::run::{Fitted, Metrics};
use crate::tree::{Model, Tree};

/// A piece of a result that may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extra {
    /// The scores on the validation rows.
    Validation,
    /// The scores on the training rows.
    Training,
    /// The scores of the relaxed tree before it was read hard.
    Relaxed,
    /// The best tree of descent alone.
    Alone,
}

impl Extra {
    /// In the middle of a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Extra::Validation => "scores on the validation rows",
            Extra::Training => "scores on the training rows",
            Extra::Relaxed => "scores of the relaxed tree",
            Extra::Alone => "the best tree of descent alone",
        }
    }
}

/// Says whether a piece is wanted that looks at about so many rows.
pub(crate) type Wanted<'a> = &'a mut dyn FnMut(Extra, usize) -> bool;

impl Fit for TargetFit {
    fn encoded(&self) -> &Encoded {
        &self.encoded
    }

    fn encoded_mut(&mut self) -> &mut Encoded {
        &mut self.encoded
    }

    fn settle(&self, tree: &Tree) -> Tree {
        match &self.as_new {
            Some(rows) => self.encoded.training.settle(tree, rows),
            None => tree.clone(),
        }
    }

    fn shown(&self, from: Sources<'_>, tree: &Tree) -> Model {
        self.decoded(from, &self.settle(tree), Thresholds::Exact, None, None)
    }

    #[cfg(any(test, not(target_arch = "wasm32")))]
    fn best(&self, from: Sources<'_>) -> Model {
        let refits = self.encoded.config.refits();
        let strength = refits.then(|| self.strength(&self.settled(Which::Chosen)));
        self.model_of(from, Which::Best, &self.settled(Which::Best), strength)
    }

    fn finish(&self, from: Sources<'_>, stop_reason: &'static str, wanted: Wanted<'_>) -> Fitted {
        let fitted = self.scored(from, &self.settled(Which::Best), &self.settled(Which::Chosen), wanted);
        let relaxed = self.relaxed_scores(from, wanted);
        let stop_reason = fitted.progress.stop.map_or(stop_reason, |stop| stop.as_str());
        Fitted { relaxed, stop_reason, ..fitted }
    }

    fn alone(&self, from: Sources<'_>, stop_reason: &'static str, wanted: Wanted<'_>) -> Option<Fitted> {
        let Alone { tree, chosen, kept, epoch, loss } = self.encoded.training.descent_alone()?;
        let all = from.problem.labels.len();
        if !wanted(Extra::Alone, self.model_rows() * (1 + usize::from(self.encoded.config.refits())) + all) {
            return None;
        }
        let fitted = self.scored(from, &self.settle(&tree), &self.settle(&chosen), &mut |_, _| true);
        let best_restart = kept.restart.saturating_sub(1);
        let best_loss =
            fitted.metrics.get("valid").and_then(|scores| scores.get("log_loss")).copied().or(loss);
        let progress = Progress { best_restart, best_epoch: epoch, best_loss, ..fitted.progress };
        let stop_reason = progress.stop.map_or(stop_reason, |stop| stop.as_str());
        Some(Fitted { kept: self.with_synthetic(kept), progress, stop_reason, ..fitted })
    }
}

impl TargetFit {
    /// About how many rows are looked at to turn a tree into a model.
    fn model_rows(&self) -> usize {
        self.encoded.rows.train + self.encoded.rows.valid
    }

    /// Where a tree came from, the synthetic samples among what it was trained on.
    fn with_synthetic(&self, kept: Kept) -> Kept {
        Kept { synthetic_rows: kept.synthetic_rows + self.synthetic as u32, ..kept }
    }

    /// The parts that are scored, as this learner uses them; the one that matters most comes first.
    fn scored_parts<'a>(&self, parts: &'a Parts, all: &'a [usize]) -> [(&'static str, &'a [usize]); 3] {
        match self.encoded.config.wants().validation {
            true => [("test", &parts.test), ("valid", &parts.valid), ("train", &parts.train)],
            false => [("test", &parts.test), ("valid", &[]), ("train", all)],
        }
    }

    /// The file values of a part's rows. Cells are read only where the values are not at hand.
    fn values_of(&self, from: Sources<'_>, part: &str, rows: &[usize]) -> DMatrix<f32> {
        let Sources { table, problem, parts, .. } = from;
        match part {
            "test" => self.encoded.vocabulary.values(table, problem, rows),
            _ => picked(&self.seen, &parts.train_and_valid(), rows),
        }
    }

    /// The model of a settled tree with its scores. Where validation chose another tree (`chosen`), which was
    /// then refitted to the validation rows, that one is scored on them, and its shrinkage is taken.
    fn scored(&self, from: Sources<'_>, tree: &Tree, chosen: &Tree, wanted: Wanted<'_>) -> Fitted {
        let classes = matches!(self.seen_labels, Labels::Classes { .. });
        let shrinkage = classes.then(|| self.strength(chosen));
        let model = self.model_of(from, Which::Best, tree, shrinkage);
        let all = from.parts.train_and_valid();
        let mut metrics = Metrics::new();
        for (part, rows) in self.scored_parts(from.parts, &all) {
            let refitted = part == "valid" && self.encoded.config.refits();
            let extra = if part == "valid" { Extra::Validation } else { Extra::Training };
            // Without test rows the next part is the one score there is.
            let asks = metrics.values().any(|scores: &Scores| !scores.is_empty()) && !rows.is_empty();
            if asks && !wanted(extra, rows.len() + if refitted { self.model_rows() } else { 0 }) {
                metrics.insert(part, Scores::new());
                continue;
            }
            let other = refitted.then(|| self.chosen_model(from, (&model, tree), chosen, shrinkage));
            let model = other.as_ref().unwrap_or(&model);
            let values = self.values_of(from, part, rows);
            let labels = from.problem.labels.select(rows);
            let scores =
                with_pinball(score(model, &values, &labels), &self.encoded.config, model, &values, &labels);
            metrics.insert(part, scores);
        }
        // While it trains, a learner knows the loss of its own leaf outputs; the finished tree answers with
        // shares of rows.
        let progress = self.encoded.training.progress();
        let best_loss =
            metrics.get("valid").and_then(|scores| scores.get("log_loss")).copied().or(progress.best_loss);
        let mut config = self.encoded.config.clone();
        for (key, value) in self.encoded.training.decided() {
            config.set(key, &value).expect("a learner decides within the ranges");
        }
        Fitted {
            config,
            model,
            metrics,
            relaxed: Metrics::new(),
            shrinkage,
            rows: self.encoded.rows,
            progress: Progress { best_loss, ..progress },
            kept: self.with_synthetic(self.encoded.training.kept()),
            stop_reason: "",
        }
    }

    /// The model of the tree that validation chose. Where the result is the same tree, only its counts and
    /// shares are others.
    fn chosen_model(
        &self,
        from: Sources<'_>,
        (best, best_tree): (&Model, &Tree),
        chosen: &Tree,
        shrinkage: Option<f64>,
    ) -> Model {
        match shrinkage {
            Some(strength) if chosen == best_tree => {
                let stats = self.stats(&best.tree, Counted::Training);
                self.encoded.model_around(from, best.tree.clone().with_shares(&stats, strength), stats)
            }
            _ => self.model_of(from, Which::Chosen, chosen, shrinkage),
        }
    }

    /// The scores of the relaxed model behind the tree, for learners that have one.
    fn relaxed_scores(&self, from: Sources<'_>, wanted: Wanted<'_>) -> Metrics {
        let all = from.parts.train_and_valid();
        let mut relaxed = Metrics::new();
        // To encode all rows takes as long as to score them, so only a learner that has such answers is
        // asked.
        if !matches!(self.encoded.config, Config::Relaxed(_)) {
            return relaxed;
        }
        for (part, rows) in self.scored_parts(from.parts, &all) {
            if !rows.is_empty() && !wanted(Extra::Relaxed, rows.len()) {
                break;
            }
            let values = self.values_of(from, part, rows);
            let design = self.encoded.encoder.design(&values, from.problem.labels.select(rows));
            let Some(answers) = self.encoded.training.relaxed_answers(&design) else { break };
            relaxed.insert(part, score_answers(&answers, &design.y, from.decision));
        }
        relaxed
    }
}
