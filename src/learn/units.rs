//! A training made of independent units: restarts, starts from other trees, other settings.
//!
//! A [`Plan`] makes a [`Unit`] from its index alone, so units may run one after another in one [`Training`], on threads, or each in
//! a worker of its own that holds the same plan. What they find is merged by [`Outcome::beats`], a total order in which time
//! plays no part: the result is the same however they ran. A last stage may then work on the winner.

use std::sync::Arc;

use super::{NodeChoice, Progress, StopReason, Training};
use crate::encode::Design;
use crate::tree::{PostTransform, Tree};

/// What a training consists of.
pub trait Plan: Send + Sync {
    /// The number of units, at least 1.
    fn units(&self) -> u32;

    /// Unit `index`, below [`Plan::units`]. It depends on the plan and the index alone.
    fn unit(&self, index: u32) -> Box<dyn Unit>;

    /// What is done with the winner, if anything.
    fn last(&self, winner: &Outcome) -> Option<Box<dyn Unit>>;

    /// The answer before anything is known, or when every unit failed.
    fn nothing(&self) -> Tree;

    /// What turns the leaves' outputs into probabilities or numbers.
    fn post_transform(&self) -> PostTransform;

    /// See [`Training::settle`].
    fn settle(&self, tree: &Tree, rows: &Design) -> Tree {
        tree.without_empty_branches(rows.rows()).without_idle_splits()
    }

    /// See [`Training::relaxed_answers`].
    fn relaxed_answers(&self, _outcome: &Outcome, _rows: &Design) -> Option<Vec<Vec<f64>>> {
        None
    }
}

/// A piece of a training that needs no other.
pub trait Unit: Send {
    /// A small piece of work. Does nothing once the unit has ended.
    fn step(&mut self) -> Pace;

    /// The tree it stands at, in design space, without branches that no sample reaches.
    fn current(&self) -> Tree;

    /// The best it has so far; none if there is nothing to keep.
    fn outcome(&self) -> Option<Outcome>;

    /// See [`Training::choices`].
    fn choices(&self) -> Vec<NodeChoice> {
        Vec::new()
    }
}

/// Where a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pace {
    /// Epochs ended so far.
    pub epoch: u32,
    /// Whether the last step ended an epoch: then the two losses are those of that epoch.
    pub epoch_ended: bool,
    /// Training loss of the last epoch.
    pub train_loss: Option<f64>,
    /// Validation loss of the last epoch.
    pub valid_loss: Option<f64>,
    /// Whether the last step found something better than the unit had.
    pub improved: bool,
    /// Share of the unit's work that is surely done, 0 to 1.
    pub share: f64,
    /// Why the unit has ended, once it has.
    pub stop: Option<StopReason>,
}

/// What a unit found.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The tree, in design space.
    pub tree: Tree,
    /// How good it is on samples it was not fitted to: the higher the better, and comparable between the units of a plan.
    pub score: f64,
    /// Its validation loss.
    pub loss: Option<f64>,
    /// The epoch it was seen at.
    pub epoch: u32,
    /// Why the unit ended; none while it goes on.
    pub stop: Option<StopReason>,
    /// What the last stage needs to know; the meaning is the plan's own.
    pub notes: Vec<f64>,
}

impl Outcome {
    /// Whether this outcome, of unit `index`, is kept rather than another: by score, then the smaller tree, then the lower index.
    pub fn beats(&self, index: u32, other: &Outcome, other_index: u32) -> bool {
        let by_score = self.score.total_cmp(&other.score);
        let by_size = other.tree.size().cmp(&self.tree.size());
        by_score.then(by_size).then(other_index.cmp(&index)).is_gt()
    }
}

/// The units of a plan, one after another.
pub struct Sequence {
    plan: Arc<dyn Plan>,
    unit: Box<dyn Unit>,
    /// Which units need not be run here, because they ended elsewhere.
    taken: Vec<bool>,
    /// The best of the units that have ended.
    best: Option<(u32, Outcome)>,
    /// What the unit at work has so far; only its end decides whether it is kept.
    running: Option<Outcome>,
    /// The winner after the last stage.
    finished: Option<Outcome>,
    phase: Phase,
    progress: Progress,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// A unit is at work.
    Unit,
    /// A unit has ended; the next step begins another, so that until then the caller sees where it ended.
    Between,
    /// The last stage is at work.
    Last,
}

impl Sequence {
    /// Begins with the first unit.
    pub fn new(plan: Arc<dyn Plan>) -> Self {
        let units = plan.units();
        Sequence {
            unit: plan.unit(0),
            taken: vec![false; units as usize],
            best: None,
            running: None,
            finished: None,
            phase: Phase::Unit,
            progress: Progress { restarts: units, ..Progress::default() },
            plan,
        }
    }

    /// Merges what unit `index` found.
    fn merge(&mut self, index: u32, outcome: Outcome) {
        if self.best.as_ref().is_none_or(|(at, best)| outcome.beats(index, best, *at)) {
            self.best = Some((index, outcome));
        }
        self.note_best();
    }

    /// The best so far with its index, also of the unit at work.
    fn leader(&self) -> Option<(u32, &Outcome)> {
        let index = self.progress.restart;
        match (&self.best, &self.running) {
            (Some((at, best)), Some(running)) if running.beats(index, best, *at) => Some((index, running)),
            (Some((at, best)), _) => Some((*at, best)),
            (None, running) => running.as_ref().map(|running| (index, running)),
        }
    }

    fn note_best(&mut self) {
        if let Some((index, loss, epoch)) = self.leader().map(|(at, best)| (at, best.loss, best.epoch)) {
            self.progress.best_loss = loss;
            self.progress.best_epoch = epoch;
            self.progress.best_restart = index;
        }
    }

    /// Goes on to the next unit that has not ended elsewhere, or to the last stage, or to the end.
    fn advance(&mut self) {
        while self.progress.restart + 1 < self.plan.units() {
            self.progress.restart += 1;
            self.progress.epoch = 0;
            if !self.taken[self.progress.restart as usize] {
                self.unit = self.plan.unit(self.progress.restart);
                self.phase = Phase::Unit;
                return;
            }
        }
        match self.best.as_ref().and_then(|(_, best)| self.plan.last(best)) {
            Some(last) => {
                self.unit = last;
                self.phase = Phase::Last;
            }
            None => self.end(),
        }
    }

    fn end(&mut self) {
        let stop = self.best.as_ref().map(|(_, best)| best.stop.unwrap_or(StopReason::NoImprovement));
        self.progress.stop = Some(stop.unwrap_or(StopReason::Diverged));
        self.progress.share = 1.0;
    }

    fn step_unit(&mut self) {
        let pace = self.unit.step();
        let progress = &mut self.progress;
        progress.epoch = pace.epoch;
        progress.epoch_ended = pace.epoch_ended;
        (progress.train_loss, progress.valid_loss) =
            (pace.train_loss.or(progress.train_loss), pace.valid_loss.or(progress.valid_loss));
        progress.share = (f64::from(progress.restart) + pace.share) / f64::from(progress.restarts);
        if pace.stop.is_some() {
            self.running = None;
            if let Some(outcome) = self.unit.outcome() {
                self.merge(self.progress.restart, outcome);
            }
        } else if pace.improved {
            self.running = self.unit.outcome();
            self.note_best();
        }
        if pace.stop.is_some() {
            self.phase = Phase::Between;
            // The caller must see the end in the step that brings it.
            if self.progress.restart + 1 == self.plan.units() {
                self.advance();
            }
        }
    }
}

impl Training for Sequence {
    fn step(&mut self) -> Progress {
        if self.progress.stop.is_some() {
            return self.progress;
        }
        self.progress.step += 1;
        self.progress.epoch_ended = false;
        match self.phase {
            Phase::Between => {
                self.advance();
                if self.progress.stop.is_none() && self.phase == Phase::Unit {
                    self.step_unit();
                }
            }
            // What ended elsewhere in the meantime need not be done again.
            Phase::Unit if self.taken[self.progress.restart as usize] => {
                self.running = None;
                self.phase = Phase::Between;
                self.advance();
            }
            Phase::Unit => self.step_unit(),
            Phase::Last => {
                if self.unit.step().stop.is_some() {
                    self.finished = self.unit.outcome();
                    self.end();
                }
            }
        }
        self.progress
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn current(&self) -> Tree {
        self.unit.current()
    }

    fn best(&self) -> Tree {
        match (&self.finished, self.leader()) {
            (Some(finished), _) => finished.tree.clone(),
            (None, Some((_, best))) => best.tree.clone(),
            (None, None) if self.progress.stop.is_none() => self.unit.current(),
            (None, None) => self.plan.nothing(),
        }
    }

    fn chosen(&self) -> Tree {
        self.leader().map_or_else(|| self.best(), |(_, best)| best.tree.clone())
    }

    fn choices(&self) -> Vec<NodeChoice> {
        self.unit.choices()
    }

    fn plan(&self) -> Option<Arc<dyn Plan>> {
        Some(self.plan.clone())
    }

    fn take(&mut self, index: u32, outcome: Outcome) {
        if self.taken.get(index as usize) == Some(&false) {
            self.taken[index as usize] = true;
            self.merge(index, outcome);
        }
    }

    fn settle(&self, tree: &Tree, rows: &Design) -> Tree {
        self.plan.settle(tree, rows)
    }

    fn relaxed_answers(&self, rows: &Design) -> Option<Vec<Vec<f64>>> {
        let (_, leader) = self.leader()?;
        self.plan.relaxed_answers(leader, rows)
    }

    fn post_transform(&self) -> PostTransform {
        self.plan.post_transform()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Leaf;

    /// Units that take `index + 2` steps and score as listed.
    struct Listed(Vec<Option<f64>>);

    struct Counted {
        left: u32,
        score: Option<f64>,
    }

    impl Plan for Listed {
        fn units(&self) -> u32 {
            self.0.len() as u32
        }
        fn unit(&self, index: u32) -> Box<dyn Unit> {
            Box::new(Counted { left: index + 2, score: self.0[index as usize] })
        }
        fn last(&self, winner: &Outcome) -> Option<Box<dyn Unit>> {
            Some(Box::new(Counted { left: 3, score: Some(winner.score + 100.0) }))
        }
        fn nothing(&self) -> Tree {
            Tree::leaf(Leaf::Constant(-1.0))
        }
        fn post_transform(&self) -> PostTransform {
            PostTransform::None
        }
    }

    impl Unit for Counted {
        fn step(&mut self) -> Pace {
            self.left = self.left.saturating_sub(1);
            Pace { stop: (self.left == 0).then_some(StopReason::Grown), improved: true, ..Pace::default() }
        }
        fn current(&self) -> Tree {
            Tree::leaf(Leaf::Constant(self.left as f32))
        }
        fn outcome(&self) -> Option<Outcome> {
            let score = self.score?;
            let tree = Tree::leaf(Leaf::Constant(score as f32));
            Some(Outcome { tree, score, loss: None, epoch: 0, stop: Some(StopReason::Grown), notes: vec![] })
        }
    }

    fn finish(mut sequence: Sequence) -> (Progress, Tree, Tree) {
        while sequence.step().stop.is_none() {}
        (sequence.progress(), sequence.best(), sequence.chosen())
    }

    fn answer(tree: &Tree) -> f64 {
        tree.output(0, &[])[0]
    }

    #[test]
    fn units_that_ran_elsewhere_in_any_order_give_the_same() {
        let scores = vec![Some(2.0), Some(5.0), None, Some(5.0), Some(4.0)];
        let (progress, best, chosen) = finish(Sequence::new(Arc::new(Listed(scores.clone()))));
        assert_eq!((progress.best_restart, progress.stop), (1, Some(StopReason::Grown)));
        assert_eq!((answer(&best), answer(&chosen)), (105.0, 5.0));
        for order in [[4, 3, 1, 0], [0, 1, 3, 4], [3, 0, 4, 1]] {
            for begun in 0..4 {
                let plan: Arc<dyn Plan> = Arc::new(Listed(scores.clone()));
                let mut sequence = Sequence::new(plan.clone());
                for _ in 0..begun {
                    sequence.step();
                }
                for index in order {
                    let mut unit = plan.unit(index);
                    while unit.step().stop.is_none() {}
                    sequence.take(index, unit.outcome().unwrap());
                }
                let (other, tree, _) = finish(sequence);
                assert_eq!((other.best_restart, other.stop, &tree), (progress.best_restart, progress.stop, &best));
            }
        }
    }

    #[test]
    fn without_an_outcome_nothing_is_known() {
        let (progress, best, _) = finish(Sequence::new(Arc::new(Listed(vec![None, None]))));
        assert_eq!((progress.stop, answer(&best)), (Some(StopReason::Diverged), -1.0));
    }

    #[test]
    fn ties_go_to_the_smaller_tree_and_then_to_the_lower_index() {
        let outcome = |tree: Tree| Outcome { tree, score: 1.0, loss: None, epoch: 0, stop: None, notes: vec![] };
        let leaf = outcome(Tree::leaf(Leaf::Constant(0.0)));
        let split = crate::tree::Split::Numerical { feature: 0, threshold: 0.0 };
        let nodes = vec![
            crate::tree::Node::Split { split, left: 1, right: 2, default_left: false },
            crate::tree::Node::Leaf(Leaf::Constant(0.0)),
            crate::tree::Node::Leaf(Leaf::Constant(1.0)),
        ];
        let stump = outcome(Tree::new(nodes).unwrap());
        assert!(leaf.beats(7, &stump, 0) && !stump.beats(0, &leaf, 7));
        assert!(leaf.beats(0, &leaf, 1) && !leaf.beats(1, &leaf, 0));
    }
}
