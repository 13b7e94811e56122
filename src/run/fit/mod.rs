//! A learner at work on the rows of a run: encoding in, model out.

mod finish;
mod target;
mod trees;

pub use finish::Extra;
pub(super) use finish::Wanted;
pub use target::TargetFit;

use super::{Fitted, RowCounts, Yardstick};
use crate::encode::{Encoder, Parts, Problem, Thresholds, Vocabulary};
use crate::learn::{Config, Training};
use crate::table::Table;
use crate::tree::{Decision, Model, NodeStats, PostTransform, Tree};

/// A learner at work, and what its trees come to in the units and words of the file.
pub trait Fit: Send {
    /// The encoded rows with the training on them.
    fn encoded(&self) -> &Encoded;

    /// The same, to train on.
    fn encoded_mut(&mut self) -> &mut Encoded;

    /// A tree in design space, as rows encoded like new ones find it.
    fn settle(&self, tree: &Tree) -> Tree {
        tree.clone()
    }

    /// The model of a tree of the training, thresholds exactly where they are: for watching.
    fn shown(&self, from: Sources<'_>, tree: &Tree) -> Model;

    /// The model of the best tree so far, thresholds tidied: for keeping.
    #[cfg(any(test, not(target_arch = "wasm32")))]
    fn best(&self, from: Sources<'_>) -> Model;

    /// The same with its scores, and with only those extras that are wanted. A part that is left out has no
    /// scores.
    fn finish(&self, from: Sources<'_>, stop_reason: &'static str, wanted: Wanted<'_>) -> Fitted;

    /// The best model of descent alone, where the best one is another: see [`Training::descent_alone`]. None
    /// too where it is not wanted.
    fn alone(&self, _from: Sources<'_>, _stop_reason: &'static str, _wanted: Wanted<'_>) -> Option<Fitted> {
        None
    }

    /// What k-means to a depth comes to on the same rows, where there is no target.
    fn yardstick(&self, _from: Sources<'_>, _depth: usize) -> Option<Yardstick> {
        None
    }
}

/// The rows of a run as a learner reads them, and its training on them.
pub struct Encoded {
    /// The learner with every hyper-parameter, as it runs on so many rows.
    pub config: Config,
    /// The columns that are read.
    pub vocabulary: Vocabulary,
    /// The way from the file's values to the design matrix and back.
    pub encoder: Encoder,
    /// The training.
    pub training: Box<dyn Training>,
    /// Rows by part, as the learner uses them.
    pub rows: RowCounts,
}

impl Encoded {
    /// A tree in the space of the file.
    pub fn in_file(&self, tree: &Tree, thresholds: Thresholds) -> Tree {
        self.encoder.decode(tree, thresholds).expect("learners ask for columns that have a way back")
    }

    /// A tree of the training, decoded before, with the words around it.
    pub fn model_around(&self, from: Sources<'_>, tree: Tree, stats: Vec<NodeStats>) -> Model {
        Model {
            features: self.vocabulary.features.clone(),
            target: from.problem.target.clone(),
            tree,
            post_transform: PostTransform::None,
            decision: from.decision.clone(),
            stats,
        }
    }
}

/// What a model is made from and scored on.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The file.
    pub table: &'a Table,
    /// What is to be learned.
    pub problem: &'a Problem,
    /// Which rows are trained on, and which are held out.
    pub parts: &'a Parts,
    /// Which class the trees answer.
    pub decision: &'a Decision,
}
