//! What the page asks of the worker.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A request of the page. `Pause`, `Resume` and `Step` steer the worker's own loop and never reach the
/// engine.
///
/// It is read by hand, in `decode.rs`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Request {
    /// Read a table; the file's bytes travel beside the message. Answered by `loaded` or `failed`.
    Load {
        /// The run this belongs to.
        run: u32,
        /// The file's name, for messages only.
        name: String,
        /// What the user knows better than the reader.
        options: ReadOptions,
    },
    /// Train on the loaded table. Answered by `started`, many `progress`, then `trained`; or by `failed`.
    Train {
        /// The run this belongs to.
        run: u32,
        /// Everything that decides the result.
        settings: TrainSettings,
    },
    /// What would every learner be trained with under every recipe? Answered by `resolved`.
    Resolve {
        /// The run this belongs to.
        run: u32,
        /// Target and task; of the learner that it names, the hyper-parameters set by hand count.
        settings: TrainSettings,
    },
    /// Hold the training after the present slice. Answered by `paused`.
    Pause {
        /// The run to hold.
        run: u32,
    },
    /// Go on after a pause.
    Resume {
        /// The run to go on with.
        run: u32,
    },
    /// While paused: one epoch, then hold again.
    Step {
        /// The run to advance.
        run: u32,
    },
    /// End the training now and keep the best tree so far. Answered by `trained`.
    Stop {
        /// The run to end.
        run: u32,
    },
    /// Show another finished tree of a training, or let its trees answer by another rule. Nothing is trained
    /// again. Answered by `shown`.
    Show {
        /// The run this belongs to.
        run: u32,
        /// Whether the best tree of descent alone stands in the place of the one that was kept.
        alone: bool,
        /// The answer rule, written as in the settings of a training.
        answers: String,
    },
    /// Read a downloaded tree and re-run its proof rows. Answered by `opened`.
    Open {
        /// The run this belongs to.
        run: u32,
        /// The tree as `*.tree.json` text.
        tree: String,
    },
    /// List the frames of the training so far. Answered by `frames`, their numbers beside it.
    Frames {
        /// The run this belongs to.
        run: u32,
    },
    /// Show a frame of the training. Answered by `frame`, what its nodes look like beside it.
    Frame {
        /// The run this belongs to.
        run: u32,
        /// Its position among the frames.
        frame: u32,
    },
    /// Where do the rows end in the two trees? Answered by `rows` once the training has ended, the rows
    /// beside it.
    Rows {
        /// The run this belongs to.
        run: u32,
    },
    /// The cells of a row of the file, counted from 0. Answered by `row`.
    Row {
        /// The run this belongs to.
        run: u32,
        /// Its position among the rows that were read.
        row: u32,
    },
    /// The answers of both trees over the plane of two columns. Answered by `map`, the numbers beside it.
    Map {
        /// The run this belongs to.
        run: u32,
        /// The frame that stands for the learner's tree; null for the finished tree.
        frame: Option<u32>,
        /// The column along x.
        x: String,
        /// The column along y.
        y: String,
    },
    /// Follow one row through a tree: the first of a CSV whose bytes travel beside the message. Needs no
    /// table. Answered by `traced`.
    Trace {
        /// The run this belongs to.
        run: u32,
        /// The tree as `*.tree.json` text.
        tree: String,
    },
    /// Explain why the two trees differ. Trains anew on the loaded table, so it belongs into a worker of its
    /// own. Answered by `why`.
    Why {
        /// The run this belongs to.
        run: u32,
        /// The settings the trees were made with.
        settings: TrainSettings,
        /// The learner's tree as `*.tree.json` text.
        tree: String,
    },
    /// Give away a unit of the training that has not begun, to be run by another worker. Answered by `lent`.
    Lend {
        /// The run it belongs to.
        run: u32,
    },
    /// Take back a unit with what it found, which travels beside the message; without bytes it is to be run
    /// after all. Answered by `taken`.
    Take {
        /// The run it belongs to.
        run: u32,
        /// The unit.
        index: u32,
    },
    /// Be ready to run units of a training that another worker leads, on the loaded table. Answered by
    /// `helping`.
    Help {
        /// The run they belong to.
        run: u32,
        /// Everything that decides the result.
        settings: TrainSettings,
    },
    /// Run a unit. Answered by `helping`, then by `unit` with what it found.
    Unit {
        /// The run it belongs to.
        run: u32,
        /// The unit.
        index: u32,
    },
    /// Are you alive? Answered by `pong`.
    Ping {
        /// The run this belongs to.
        run: u32,
    },
}

/// What the user knows better than the reader.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReadOptions {
    /// What separates the fields: a character, or empty to guess.
    pub delimiter: String,
    /// `utf-8`, `utf-16le`, `utf-16be` or `windows-1252`, or empty to guess.
    pub encoding: String,
    /// Whether the first line names the columns; null to guess.
    pub header: Option<bool>,
    /// Leave out rows that cannot be read, instead of refusing the file.
    pub skip_bad_rows: bool,
    /// Kinds of columns by their names, whatever the cells look like.
    pub kinds: BTreeMap<String, String>,
    /// Spellings of a missing value by column, instead of the usual ones; `*` stands for every other column.
    pub missing: BTreeMap<String, Vec<String>>,
}

/// Everything that decides a training's result.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrainSettings {
    /// The target column's name; empty for clustering.
    pub target: String,
    /// `auto`, `classification`, `regression`, or `clustering`, which has no target.
    pub task: String,
    /// For clustering: a column that the groups are scored by and that nothing else sees; empty for none.
    pub label: String,
    /// The learner's key, as named by `ready`.
    pub model: String,
    /// Where hyper-parameters that are not said come from: a key of `ready`'s recipes.
    pub recipe: String,
    /// The seed of the split and of the learner.
    pub seed: u32,
    /// Share of all rows held out for the test score.
    pub test: f64,
    /// Share of all rows held out for early stopping.
    pub valid: f64,
    /// Columns that must not be used.
    pub ignore: Vec<String>,
    /// Of two classes the one that counts as positive, or empty for the usual order.
    pub positive: String,
    /// Which class trees answer: `auto`, `likeliest`, `balanced`, or `costs:` with a matrix or named
    /// mistakes.
    pub answers: String,
    /// The hyper-parameters set by hand, by key, `depth` among them; the recipe gives the others.
    pub said: BTreeMap<String, ParamValue>,
}

/// A hyper-parameter's value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(untagged)]
pub enum ParamValue {
    /// A switch.
    Flag(bool),
    /// A whole or real number.
    Number(f64),
    /// One of several words.
    Choice(String),
}
