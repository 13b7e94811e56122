//! The models of a run: its trees in the units and words of the file, with their scores.

use super::fit::{Sources, Wanted};
use super::{Fitted, Frame, Rows, Run, STOPPED, compare, document, evaluate};
use crate::export;
use crate::learn::{Moment, NodeChoice};
use crate::numeric::order::map_of;
use crate::tree::{Model, Tree};

impl Run {
    /// The model the parameters stand for now, with thresholds exactly where they are.
    pub fn current(&self) -> Model {
        self.fit.shown(self.sources(), &self.training().current())
    }

    /// How the splits of [`Run::current`] choose their columns, leading ones first.
    pub fn choices(&self) -> Vec<NodeChoice> {
        let training = self.training();
        self.choices_of(&training.current(), training.choices())
    }

    /// The model of a tree that a unit passed through elsewhere.
    pub(super) fn passed_model(&self, moment: &Moment) -> Model {
        self.fit.shown(self.sources(), &moment.tree)
    }

    /// How its splits chose their columns.
    pub(super) fn passed_choices(&self, moment: &Moment) -> Vec<NodeChoice> {
        self.choices_of(&moment.tree, moment.choices.clone())
    }

    /// The choices of a tree's splits in the space of the file: the columns that a feature was encoded in
    /// count together. Nothing where settling has cut branches, and so moved the nodes.
    fn choices_of(&self, tree: &Tree, mut choices: Vec<NodeChoice>) -> Vec<NodeChoice> {
        if choices.is_empty() || self.fit.settle(tree).size() != tree.size() {
            return vec![];
        }
        for choice in &mut choices {
            let mut leading: Vec<(usize, f32)> = vec![];
            for &(column, share) in &choice.leading {
                let feature = self.fit.encoded().encoder.feature_of(column);
                match leading.iter_mut().find(|(known, _)| *known == feature) {
                    Some((_, sum)) => *sum += share,
                    None => leading.push((feature, share)),
                }
            }
            choice.leading = leading;
        }
        choices
    }

    /// The tree of a frame with the words around it.
    pub(crate) fn frame_model(&self, frame: &Frame) -> Model {
        self.fit.encoded().model_around(self.sources(), frame.tree.clone(), frame.stats.clone())
    }

    /// Scores of a model of this run on the validation and the test rows; parts without rows are left out.
    pub fn scores(&self, model: &Model) -> export::Parts {
        let parts = [("valid", &self.parts.valid), ("test", &self.parts.test)];
        let scored = parts.into_iter().filter(|(_, rows)| !rows.is_empty()).map(|(part, rows)| {
            let rows = self.rows_of(model, rows);
            (part, evaluate::score(model, rows.values(), &rows.labels))
        });
        document::owned(&map_of(scored))
    }

    /// Some rows of the problem (positions in it) as a model of this run reads them.
    #[doc(hidden)]
    pub fn rows_of(&self, model: &Model, rows: &[usize]) -> Rows {
        Rows::read(self, &model.features, rows)
    }

    /// At most `most` of the training rows, evenly spaced, as a model of this run reads them.
    pub(crate) fn sample_of(&self, model: &Model, most: usize) -> Rows {
        self.rows_of(model, &compare::thinned(&self.parts.train, most))
    }

    /// Trains to the end, for a caller that watches no clock.
    pub fn complete(&mut self) -> Fitted {
        while self.step().stop.is_none() {}
        self.finish(STOPPED)
    }

    /// The best model so far, scored. `stop_reason` is given where the training has not ended by itself.
    pub fn finish(&self, stop_reason: &'static str) -> Fitted {
        self.finish_with(stop_reason, &mut |_, _| true)
    }

    /// The same with only those extras that are wanted, which is asked with the number of rows that the extra
    /// looks at. The scores on the test rows are always there.
    #[doc(hidden)]
    pub fn finish_with(&self, stop_reason: &'static str, wanted: Wanted<'_>) -> Fitted {
        self.fit.finish(self.sources(), stop_reason, wanted)
    }

    /// Makes the best model so far and lets go of it, for a caller that measures how long that takes.
    #[doc(hidden)]
    #[cfg(any(test, not(target_arch = "wasm32")))]
    pub fn rehearse(&self) {
        std::hint::black_box(self.fit.best(self.sources()));
    }

    /// The best model that descent alone has made so far, scored; none where that is the result itself, and
    /// where nothing started at random.
    pub fn gradient(&self, stop_reason: &'static str) -> Option<Fitted> {
        self.gradient_with(stop_reason, &mut |_, _| true)
    }

    /// The same if it is wanted, which is asked where there is such a model.
    #[doc(hidden)]
    pub fn gradient_with(&self, stop_reason: &'static str, wanted: Wanted<'_>) -> Option<Fitted> {
        self.fit.alone(self.sources(), stop_reason, wanted)
    }

    pub(super) fn sources(&self) -> Sources<'_> {
        let Run { table, problem, parts, decision, .. } = self;
        Sources { table, problem, parts, decision }
    }
}
