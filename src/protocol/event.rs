//! What the worker tells the page.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{FormatInfo, LearnerInfo, RecipeInfo, ResolvedInfo, TableInfo};

/// Scores by metric name, as `interfaces.md` spells them (`accuracy`, `macro_f1`, `r2`, …).
pub type Scores = BTreeMap<String, f64>;

/// An answer or a notice of the worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Event {
    /// The engine is up. Sent once, unasked.
    Ready {
        /// Always 0: no run yet.
        run: u32,
        /// The crate's version.
        version: String,
        /// The learners with their hyper-parameters and defaults; the form is built from these.
        learners: Vec<LearnerInfo>,
        /// The recipes, the default first.
        recipes: Vec<RecipeInfo>,
        /// Export formats.
        formats: Vec<FormatInfo>,
    },
    /// A table is being read.
    Reading {
        /// The run this belongs to.
        run: u32,
        /// Share of the work that is done, 0 to 1.
        share: f64,
        /// Rows read so far.
        rows: u32,
    },
    /// A table was read.
    Loaded {
        /// The run this belongs to.
        run: u32,
        /// What was understood.
        table: TableInfo,
    },
    /// What learners are trained with for the target asked about.
    Resolved {
        /// The run this belongs to.
        run: u32,
        /// One entry per learner and recipe.
        resolved: Vec<ResolvedInfo>,
        /// The classes of the target in the order of costs; empty for numbers and groups.
        classes: Vec<String>,
    },
    /// The settings were accepted; the greedy tree grows.
    Growing {
        /// The run this belongs to.
        run: u32,
        /// Share of the tree that has grown, 0 to 1.
        share: f64,
    },
    /// The settings were accepted; CART is already there, and beside the message what its nodes look like
    /// (see `progress`).
    Started {
        /// The run this belongs to.
        run: u32,
        /// What is being learned.
        problem: ProblemInfo,
        /// The greedy tree on the same rows; null where rows are grouped without a target.
        cart: Option<TreeResult>,
        /// How many units of the training other workers may borrow.
        lendable: u32,
    },
    /// A slice of training is done. The points of the loss curve since the last message travel beside it as a
    /// `Float32Array` of five numbers each (restart from 1, a last stage counting as one more, epoch,
    /// training loss, validation loss, loss of the hard tree where a soft one is trained); another holds what
    /// the nodes look like: a histogram each, laid out as `run::marks` says.
    Progress {
        /// The run this belongs to.
        run: u32,
        /// Where the training is.
        progress: ProgressInfo,
        /// The tree the parameters stand for now.
        tree: TreeView,
        /// A downloadable copy of the best tree so far, now and then, so that nothing is lost if the worker
        /// dies.
        checkpoint: Option<String>,
    },
    /// The training is held.
    Paused {
        /// The run this belongs to.
        run: u32,
    },
    /// The training has ended. What the nodes of its tree look like travels beside the message.
    Trained {
        /// The run this belongs to.
        run: u32,
        /// The tree that was kept.
        result: TreeResult,
        /// The best tree that descent alone made: from a random start, without greedy trees and teachers.
        /// Null where the kept tree is of that kind itself (see `result.kept`), and where nothing started at
        /// random.
        gradient: Option<Box<TreeResult>>,
        /// Where the training ended.
        progress: ProgressInfo,
        /// Why it ended, as a sentence.
        reason: String,
        /// Where rows were grouped without a target, what k-means on the same rows comes to; else null.
        yardstick: Option<YardstickInfo>,
    },
    /// The finished trees of a training, as they are shown from now on. What the nodes of the tree look like
    /// travels beside it.
    Shown {
        /// The run this belongs to.
        run: u32,
        /// What is learned, with the answer rule.
        problem: ProblemInfo,
        /// The greedy tree; none where the kept tree is it.
        cart: Option<Box<TreeResult>>,
        /// The tree that is shown and compared: the one that was kept, or the best one of descent alone.
        result: Box<TreeResult>,
        /// The other one of these two, if there are two.
        other: Option<Box<TreeResult>>,
        /// Whether `result` is the one of descent alone.
        alone: bool,
    },
    /// A downloaded tree was read back.
    Opened {
        /// The run this belongs to.
        run: u32,
        /// What it predicts.
        problem: ProblemInfo,
        /// The tree with the scores stored in its file.
        result: TreeResult,
        /// Proof rows inside the file that gave the stored leaf and output again.
        proved: u32,
    },
    /// The frames of a training. Beside it five numbers for each: restart (from 1), epoch, 1 where a node
    /// tests another column than in the frame before, training loss and validation loss.
    Frames {
        /// The run this belongs to.
        run: u32,
    },
    /// A frame; what its nodes look like travels beside it.
    Frame {
        /// The run this belongs to.
        run: u32,
        /// Its position among the frames.
        frame: u32,
        /// The tree.
        tree: TreeView,
        /// Its scores on the validation and the test rows.
        metrics: BTreeMap<String, Scores>,
    },
    /// Where the rows end. Beside it seven numbers for each row: part (0 training, 1 validation, 2 test),
    /// outcome, leaf in CART's and in the learner's tree, answer of either, position in the file. Classes are
    /// counted from 0.
    Rows {
        /// The run this belongs to.
        run: u32,
        /// What CART's columns are worth.
        cart: Vec<ImportanceInfo>,
        /// What the columns of the learner's tree are worth.
        gradient: Vec<ImportanceInfo>,
        /// The metric that gets worse by a column's worth when its values are shuffled: the one that decides.
        metric: String,
    },
    /// A row of the file.
    Row {
        /// The run this belongs to.
        run: u32,
        /// Its cells as the file spells them, in the order of the columns.
        cells: Vec<String>,
    },
    /// Both trees over a plane. Beside it least and greatest x, least and greatest y, a square of answers for
    /// CART and one for the learner's tree, line by line from the least y, then x, y and outcome of some
    /// training rows. Words of a column stand at 0, 1, … in CART's order.
    Map {
        /// The run this belongs to.
        run: u32,
        /// Cells along each side of the squares.
        side: u32,
    },
    /// One row's way through a tree.
    Traced {
        /// The run this belongs to.
        run: u32,
        /// The splits it passes, root first.
        steps: Vec<TraceStep>,
        /// Position of the leaf it ends in.
        leaf: u32,
        /// The answer: the class as the file spells it, or the number.
        answer: String,
        /// Probability per class; empty for regression.
        probabilities: Vec<f64>,
        /// What the leaf's formula gives where a bound answers instead; else null.
        beyond: Option<f64>,
    },
    /// Why the two trees differ.
    Why {
        /// The run this belongs to.
        run: u32,
        /// CART's first cut.
        cart: FirstCutInfo,
        /// The first cut of the chosen learner's tree.
        gradient: FirstCutInfo,
        /// How many cuts of one column there are.
        cuts: u32,
        /// The metric that decides, on the held-out rows: CART's first cut with what CART and with what the
        /// chosen learner makes below it, then the same for the first cut of the chosen learner's tree.
        scores: Vec<f64>,
        /// That metric.
        metric: String,
        /// Two standard errors of the difference between the two whole trees: a smaller difference can be
        /// chance.
        noise: f64,
        /// Who really grew each of the four (`CART`; `a greedy tree, taught by 50 trees, then 6 epochs of
        /// gradient descent`).
        growers: Vec<String>,
        /// Rows held out.
        rows: u32,
    },
    /// A unit is given away.
    Lent {
        /// The run this belongs to.
        run: u32,
        /// The unit; null if there is none left that has not begun.
        index: Option<u32>,
    },
    /// A unit is taken back.
    Taken {
        /// The run this belongs to.
        run: u32,
    },
    /// This worker is ready to run units, or has begun one.
    Helping {
        /// The run this belongs to.
        run: u32,
        /// How many units the training has.
        units: u32,
    },
    /// A unit has ended. What it found travels beside the message as bytes, its points of the loss curve as
    /// with `progress`.
    Unit {
        /// The run this belongs to.
        run: u32,
        /// The unit.
        index: u32,
    },
    /// The worker is alive.
    Pong {
        /// The run this belongs to.
        run: u32,
    },
    /// A request could not be carried out.
    Failed {
        /// The run this belongs to.
        run: u32,
        /// What, where and how to fix it.
        error: ErrorInfo,
    },
}

/// What is being learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProblemInfo {
    /// `classification`, `regression` or `clustering`.
    pub task: String,
    /// The target's name.
    pub target: String,
    /// The classes in output order as the file spells them; empty for regression.
    pub classes: Vec<String>,
    /// The feature columns' names.
    pub features: Vec<String>,
    /// Rows used for training; 0 for a tree that was read back without its data.
    pub train_rows: u32,
    /// Rows used for early stopping.
    pub valid_rows: u32,
    /// Rows used for the test score.
    pub test_rows: u32,
    /// What the user should know (rows left out, …).
    pub warnings: Vec<String>,
    /// Which class trees answer; none for numbers and groups.
    pub decision: Option<DecisionInfo>,
}

/// The answer rule: the same for both trees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecisionInfo {
    /// `likeliest`, `balanced` or `costs`.
    pub rule: String,
    /// The rule and its reason, as a sentence; empty for a tree that was read back.
    pub sentence: String,
    /// What each class's share is multiplied by; empty where nothing is.
    pub weights: Vec<f64>,
    /// A row of costs per true class, a number per answer in it; empty without costs.
    pub costs: Vec<Vec<f64>>,
    /// Of two classes: the share of the second above which it is answered.
    pub threshold: Option<f64>,
    /// The metric by which trees are compared: `accuracy`, `balanced_accuracy` or `cost`.
    pub metric: String,
    /// The best answer that looks at no column; empty without test rows.
    pub constant_class: String,
    /// Its scores on the test rows.
    pub constant_scores: Scores,
}

/// A finished tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TreeResult {
    /// The learner's key.
    pub model: String,
    /// The tree to draw.
    pub tree: TreeView,
    /// Scores by part: `train`, `valid`, `test`. A part without rows is empty.
    pub metrics: BTreeMap<String, Scores>,
    /// The columns that splits and leaves may read, in the order of the file format.
    pub features: Vec<FeatureInfo>,
    /// The `*.tree.json` text, ready to download.
    pub json: String,
    /// Where the tree came from; null for a tree that was read back from a file that does not say.
    pub kept: Option<Box<KeptInfo>>,
}

/// A column as a tree reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FeatureInfo {
    /// Its name; of a part of a date it says the part too.
    pub name: String,
    /// The file's column: the same name, but for parts of dates.
    pub column: String,
    /// Whether a split or a leaf of the tree reads it.
    pub read: bool,
    /// The words that it knows, in the order of their values; empty for numbers.
    pub words: Vec<String>,
    /// The part of a date that it is, as in `DateInfo`; null for other columns.
    pub part: Option<String>,
    /// Of numbers the least, the median and the greatest among the training rows; empty for words.
    pub range: Vec<f64>,
    /// The decimal separator of its numbers; empty for words and dates.
    pub decimal: String,
    /// The unit behind its numbers; empty without one.
    pub unit: String,
}

/// Where a tree came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeptInfo {
    /// The tree before any gradient moved it: `random`, `cart`, `greedy`, `greedy oblique` or `constant`;
    /// with `, polished` where subtrees of it were searched for anew.
    pub start: String,
    /// The restart that it comes from, from 1.
    pub restart: u32,
    /// Epochs of gradient descent between the start and the tree; with 0 no gradient touched it.
    pub gradient_epochs: u32,
    /// Trees whose answers were among its targets; 0 for none.
    pub taught: u32,
    /// Made-up rows that it was also grown on.
    pub synthetic_rows: u32,
    /// What it was chosen by, on which rows; empty where nothing was chosen.
    pub selected_on: String,
    /// Whether descent alone made it: from a random start, without greedy trees and teachers.
    pub descent_alone: bool,
    /// All that as one sentence (`Kept: a greedy tree, taught by 50 trees and 2,000 made-up rows, then 6
    /// epochs of gradient descent; chosen by macro F1 on 5 folds of the training and validation rows.`).
    pub sentence: String,
    /// The first half of the sentence alone (`a greedy tree, taught by 50 trees and 2,000 made-up rows, then
    /// 6 epochs of gradient descent`).
    pub origin: String,
}

/// Hierarchical k-means on the same rows and to the same depth, as a yardstick for groups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct YardstickInfo {
    /// Scores by part.
    pub metrics: BTreeMap<String, Scores>,
    /// Groups.
    pub leaves: u32,
    /// Levels.
    pub depth: u32,
}

/// A tree to draw: nodes breadth-first, the root first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TreeView {
    /// The nodes; `left` and `right` are positions in this list.
    pub nodes: Vec<NodeView>,
    /// Splits and leaves.
    pub size: u32,
    /// Leaves.
    pub leaves: u32,
    /// Edges from the root to the deepest leaf.
    pub depth: u32,
}

/// A node to draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NodeView {
    /// The way from the root: one `L` or `R` per edge. Stays the same from frame to frame, so a drawing can
    /// keep its marks while the tree around them changes.
    pub path: String,
    /// Position of the left child (condition true), or none for a leaf.
    pub left: Option<u32>,
    /// Position of the right child.
    pub right: Option<u32>,
    /// A split's condition in the file's words (`petal width ≤ 0.8`, `Sex is female`); empty for a leaf.
    pub condition: String,
    /// The feature column tested (or the leading one of an oblique split); empty for a leaf.
    pub feature: String,
    /// A numerical split's threshold in the file's units.
    pub threshold: Option<f64>,
    /// What the threshold means where the split asks for a part of a date; else null.
    pub date: Option<DateInfo>,
    /// Whether missing and unseen values go left.
    pub default_left: bool,
    /// Training rows that reach the node.
    pub rows: u32,
    /// Training rows of each class among them; empty for regression.
    pub counts: Vec<u32>,
    /// Mean of the target among them; none for classification or without rows.
    pub mean: Option<f64>,
    /// Standard deviation of the target among them; none for classification or without rows.
    pub deviation: Option<f64>,
    /// A leaf's answer: the class as the file spells it, or the number; empty for a split.
    pub answer: String,
    /// The position of the class that a leaf answers; none for splits, numbers and formulas.
    pub class: Option<u32>,
    /// Why a leaf answers another class than its largest; empty where it does not.
    pub reason: String,
    /// The least and the greatest number that a leaf's formula may answer; null where it has no bounds, and
    /// for all other nodes.
    pub bounds: Option<[f64; 2]>,
    /// A leaf's probability per class after the output transform; empty for regression and for splits.
    pub probabilities: Vec<f64>,
    /// The columns of a weighted sum, that with the greatest effect first; else, while a training goes on,
    /// those between which a split wavers, the leading one first.
    pub leading: Vec<String>,
    /// While a training goes on: their shares of the choice; the rest belongs to other columns.
    pub shares: Vec<f64>,
    /// Of a weighted sum the effect of each of these columns over the middle half of its values, the greatest
    /// as 1 or −1.
    pub weights: Vec<f64>,
    /// The choice cannot move any more: no gradient reaches it.
    pub locked: bool,
    /// While a training goes on that prunes as it learns: how much of the node is kept, 0 to 1; else null.
    pub kept: Option<f64>,
    /// What distinguishes the node's rows from all others, in the file's words, one line each; empty unless
    /// rows are grouped without a target.
    pub description: Vec<String>,
}

/// A part of a date that a split compares.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DateInfo {
    /// The file's column.
    pub column: String,
    /// `days` (since 1970-01-01), `year`, `month`, `day`, `weekday` (1 is Monday) or `hour`.
    pub part: String,
    /// Whether the column's dates have a time of day.
    pub times: bool,
}

/// What a column is worth to a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportanceInfo {
    /// The column.
    pub feature: String,
    /// By how much accuracy or R² falls when its values are dealt out anew among the rows.
    pub worth: f64,
}

/// One split on a row's way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TraceStep {
    /// Position of the node.
    pub node: u32,
    /// Whether the row goes left: the condition is true, or missing values go there.
    pub left: bool,
    /// What the split compared with its threshold; null for words and where the value is missing.
    pub value: Option<f64>,
    /// The threshold; null for words.
    pub threshold: Option<f64>,
    /// The value is missing or a word that the tree does not know.
    pub unknown: bool,
    /// The feature whose value would have to move least to tip a weighted sum, measured by its range; empty
    /// for other splits.
    pub tip: String,
    /// By how much it would have to move.
    pub tip_by: f64,
    /// The part of a date that it is; null for other columns.
    pub tip_part: Option<String>,
}

/// The first cut of a tree, as a greedy learner sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FirstCutInfo {
    /// The condition; empty if the tree is a single leaf.
    pub condition: String,
    /// What it takes off the impurity at once, per row.
    pub gain: f64,
    /// Its place among all cuts of one column by that gain, from 1.
    pub rank: u32,
}

/// Where a training is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProgressInfo {
    /// Optimiser steps so far, over all restarts.
    pub step: u32,
    /// Epochs so far in this restart.
    pub epoch: u32,
    /// This restart, from 1.
    pub restart: u32,
    /// All restarts.
    pub restarts: u32,
    /// Training loss of the last epoch, each row counting the same; of the soft tree where one is trained.
    pub train_loss: Option<f64>,
    /// Validation loss of the last epoch, each row counting the same: the log loss of the tree as it is read,
    /// which the scores show too, or the squared error in units of the target's variance. All restarts show
    /// the same loss.
    pub valid_loss: Option<f64>,
    /// The same loss of the best tree so far, over all restarts; on the training rows where a soft tree is
    /// trained.
    pub best_loss: Option<f64>,
    /// The epoch that the best tree was seen at.
    pub best_epoch: u32,
    /// The restart that it was seen in, from 1.
    pub best_restart: u32,
    /// What the training is doing, in one word: `beginning`, `first tree`, `teachers`, `made-up rows`,
    /// `greedy`, `descent`, `polish`, `choice`, `student`, `nodes`, `columns` or `refit`.
    pub phase: String,
    /// The same for people, with its counts (`growing the 50 trees that teach: 12 of 50`).
    pub doing: String,
    /// What the restart at work begins at: `greedy`, `random`, or another tree in words (`CART's tree`);
    /// empty where that is not known.
    pub start: String,
    /// The number of a random start, from 1; 0 for others.
    pub random_start: u32,
    /// All random starts; 0 for others.
    pub random_starts: u32,
    /// While a subtree is searched for anew: its node, counted from 1 at the root, level by level.
    pub node: Option<u32>,
    /// While a soft tree descends: its scale factor, the steeper the larger.
    pub scale: Option<f64>,
    /// Loss of the hard tree where a soft one is trained: the gap to `trainLoss` is what reading it hard
    /// costs.
    pub hard_loss: Option<f64>,
    /// Share of the work that is surely done, 0 to 1: a run that stops early jumps ahead.
    pub share: f64,
}

/// What went wrong: tests match `code`, people read `message` and `hint`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ErrorInfo {
    /// A stable word for the kind of error.
    pub code: String,
    /// What is wrong and where.
    pub message: String,
    /// What to do about it.
    pub hint: String,
    /// The line of the file, from 1.
    pub line: Option<u32>,
    /// The column's name.
    pub column: Option<String>,
    /// How many rows cannot be read, where leaving them out would help; otherwise 0.
    pub bad_rows: u32,
    /// The lines on which the first of them begin, from 1.
    pub bad_lines: Vec<u32>,
}
