//! About what share of a training each stage takes.

use crate::learn::get::ours::context::Context;
use crate::learn::get::ours::selection::folds::Folds;

/// StageShares of a training that follow the starts, where they are done; polish has its share of what the others
/// leave.
const POLISH: f64 = 0.4;
const DISTILLATION: f64 = 0.35;
const TEACHERS: f64 = 0.15;
const AGAIN: f64 = 0.1;
/// The same where a student may be chosen: it is then distilled again.
const STUDENT_AGAIN: f64 = 0.2;
/// Most starts are made once more on other parts of the samples.
const FOLDS: f64 = 0.65;

/// StageShares of a whole training.
pub(super) struct StageShares {
    /// Polish, or the selection by folds.
    pub search: f64,
    /// Distillation.
    pub distillation: f64,
    /// The starts that teach, on all samples.
    pub teachers: f64,
    /// The chosen tree, on all samples.
    pub again: f64,
}

impl StageShares {
    /// Of a training.
    pub(super) fn of(context: &Context) -> Self {
        let when = |share: f64, done: bool| if done { share } else { 0.0 };
        let taught = context.teaches();
        let [distillation, teachers] = [DISTILLATION, TEACHERS].map(|share| when(share, taught));
        let again = if taught { STUDENT_AGAIN } else { AGAIN };
        let again = when(again, context.valid.is_some() || context.config.sweeps());
        let search = when(POLISH, context.config.polish_levels() > 0) + when(FOLDS, Folds::wanted(context));
        StageShares {
            search: search * (1.0 - distillation - teachers - again),
            distillation,
            teachers,
            again,
        }
    }

    /// What comes before the chosen tree is made on all samples.
    pub(super) fn before_again(&self) -> f64 {
        self.search + self.distillation + self.teachers
    }

    /// All stages.
    pub(super) fn all(&self) -> f64 {
        [self.search, self.distillation, self.teachers, self.again].iter().sum()
    }
}

/// About what share of a training the final stages are.
pub(crate) fn last_share(context: &Context) -> f64 {
    StageShares::of(context).all()
}
