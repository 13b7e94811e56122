//! A scored model as a downloadable document.

use std::collections::BTreeMap;

use super::settings::baseline_settings;
use super::{Fitted, Metrics, Run};
use crate::export::{self, DataInfo, Document, Setting};
use crate::learn::{Config, Kept, Settings, Value};
use crate::numeric::order::map_of;

impl Run {
    /// The document of a model of this run: the result, a tree on the way, or the baseline.
    pub fn document(&self, fitted: &Fitted) -> Document {
        let is_baseline = self.settings.learner.key() != fitted.config.key();
        let greedy = if is_baseline { baseline_settings(&self.config).ok().flatten() } else { None };
        let learner = greedy.as_ref().unwrap_or(&self.settings.learner);
        let baseline = self.baseline().filter(|_| !is_baseline).map(|baseline| owned(&baseline.metrics));
        let counts = [("train", fitted.rows.train), ("valid", fitted.rows.valid), ("test", fitted.rows.test)];
        let shares = [("test", self.settings.shares.test), ("valid", self.settings.shares.valid)];
        let training = export::Training {
            algorithm: fitted.config.key().into(),
            config: config(&fitted.config),
            recipe: Some(learner.recipe().as_str().to_owned()),
            said: Some(said(learner)),
            seed: u64::from(self.settings.seed),
            shares: map_of(shares.map(|(part, share)| (part.to_owned(), share))),
            rows: map_of(counts.map(|(part, rows)| (part.to_owned(), rows as u64))),
            steps: fitted.progress.step,
            best_epoch: fitted.progress.best_loss.map(|_| u64::from(fitted.progress.best_epoch)),
            stop_reason: fitted.stop_reason.into(),
            shrinkage: fitted.shrinkage,
            kept: Some(kept(&fitted.kept)),
        };
        let data = DataInfo {
            rows: self.table.rows() as u64,
            columns: self.table.columns().len() as u64,
            sha256: self.table.sha256().map(str::to_owned),
            delimiter: self.table.dialect().delimiter.as_str().into(),
            encoding: self.table.dialect().encoding.as_str().into(),
        };
        let metrics = export::Metrics { tree: owned(&fitted.metrics), baseline };
        Document::new(fitted.model.clone(), metrics, Some(training), Some(data))
    }
}

/// Every hyper-parameter, as it ran.
fn config(config: &Config) -> BTreeMap<String, Setting> {
    map_of(config.params().into_iter().map(|param| (param.key.to_owned(), setting(&param.value))))
}

/// Those that were set by hand.
fn said(learner: &Settings) -> BTreeMap<String, Setting> {
    map_of(learner.said().iter().map(|(key, value)| ((*key).to_owned(), setting(value))))
}

fn setting(value: &Value) -> Setting {
    match value {
        Value::Flag(flag) => Setting::Flag(*flag),
        Value::Number(number) => Setting::Number(*number),
        Value::Choice(word) => Setting::Word(word.clone()),
    }
}

/// Where a tree came from, as its file says it.
pub fn kept(kept: &Kept) -> export::Kept {
    export::Kept {
        start: kept.start_words(),
        restart: u64::from(kept.restart),
        gradient_epochs: u64::from(kept.gradient_epochs),
        taught: u64::from(kept.taught),
        synthetic_rows: u64::from(kept.synthetic_rows),
        selected_on: kept.selected_on(),
    }
}

pub(super) fn owned(metrics: &Metrics) -> export::Parts {
    map_of(metrics.iter().map(|(&part, scores)| {
        (part.to_owned(), map_of(scores.iter().map(|(&name, &score)| (name.to_owned(), score))))
    }))
}
