//! The units of a [`Plan`], run one after another, with those that run elsewhere merged as they come back.

use std::cell::OnceCell;
use std::sync::Arc;

use super::{Found, Outcome, Pace, Plan, Unit};
use crate::encode::Design;
use crate::learn::{Alone, Kept, NodeChoice, On, Progress, StopReason, Training, Work};
use crate::tree::{PostTransform, Tree};

/// The units of a plan, one after another, but for those that run elsewhere.
pub struct Sequence {
    plan: Arc<dyn Plan>,
    unit: Box<dyn Unit>,
    /// What the unit at work has so far, once the caller has asked for it. Making it takes several passes over
    /// the samples, and one result asks for it many times.
    so_far: OnceCell<Option<Outcome>>,
    /// Where each unit is.
    places: Vec<Place>,
    /// What the units that have ended found.
    found: Vec<Option<Outcome>>,
    /// The best of them.
    best: Option<u32>,
    /// The winner after the last stage, and its tree as validation chose it.
    finished: Option<(Outcome, Tree)>,
    /// The last stage of the best unit of descent alone, with what that found; it stands beside the result
    /// and changes nothing.
    alone: Option<(Box<dyn Unit>, Outcome)>,
    stage: SequenceStage,
    progress: Progress,
}

/// Where a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Not begun anywhere.
    Free,
    /// At work here.
    Here,
    /// Lent to another thread or worker, which brings back what it finds.
    Elsewhere,
    /// Ended, here or elsewhere.
    Ended,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SequenceStage {
    /// A unit is at work.
    Unit,
    /// A unit has ended; the next step begins another, so that until then the caller sees where it ended.
    /// While the only units left are elsewhere, there is nothing to do here.
    Between,
    /// The last stage is at work.
    Last,
    /// The result is there; the best unit of descent alone has its last stage.
    Alone,
}

impl Sequence {
    /// Begins with the first unit.
    pub(crate) fn new(plan: Arc<dyn Plan>) -> Self {
        let units = plan.units();
        let mut places = vec![Place::Free; units as usize];
        places[0] = Place::Here;
        Sequence {
            unit: plan.unit(0),
            so_far: OnceCell::new(),
            places,
            found: vec![None; units as usize],
            best: None,
            finished: None,
            alone: None,
            stage: SequenceStage::Unit,
            progress: Progress { restarts: units, ..Progress::default() },
            plan,
        }
    }

    /// Keeps what unit `index` found.
    fn merge(&mut self, index: u32, mut outcome: Outcome) {
        outcome.kept.restart = index + 1;
        if self.winner().is_none_or(|(at, best)| outcome.beats(index, best, at)) {
            self.best = Some(index);
        }
        self.found[index as usize] = Some(outcome);
        self.note_best();
    }

    /// The best of the units that have ended, with its index.
    fn winner(&self) -> Option<(u32, &Outcome)> {
        let at = self.best?;
        self.found[at as usize].as_ref().map(|best| (at, best))
    }

    /// What the unit at work has so far.
    fn running(&self) -> Option<&Outcome> {
        let made = || {
            let mut running = self.unit.outcome()?;
            running.kept.restart = self.progress.restart + 1;
            Some(running)
        };
        if self.stage == SequenceStage::Unit { self.so_far.get_or_init(made).as_ref() } else { None }
    }

    /// The best so far with its index, also of the unit at work; only its end decides whether that is kept.
    fn leader(&self) -> Option<(u32, &Outcome)> {
        let index = self.progress.restart;
        match (self.winner(), self.running()) {
            (Some((at, best)), Some(running)) if running.beats(index, best, at) => Some((index, running)),
            (Some(winner), _) => Some(winner),
            (None, running) => running.map(|running| (index, running)),
        }
    }

    fn note_best(&mut self) {
        if let Some((index, loss, epoch)) = self.leader().map(|(at, best)| (at, best.loss, best.epoch)) {
            self.progress.best_loss = loss;
            self.progress.best_epoch = epoch;
            self.progress.best_restart = index;
        }
    }

    /// Goes on to the next unit that has not begun; or, once all have ended, to the last stage or to the
    /// end. Else it waits.
    fn advance(&mut self) {
        let first = |place: Place| self.places.iter().position(|&at| at == place);
        if let Some(free) = first(Place::Free) {
            self.places[free] = Place::Here;
            self.progress.restart = free as u32;
            self.progress.epoch = 0;
            self.unit = self.plan.unit(self.progress.restart);
            self.so_far.take();
            self.stage = SequenceStage::Unit;
            return;
        }
        self.progress.waiting = first(Place::Elsewhere).is_some();
        if self.progress.waiting {
            return;
        }
        match self.winner().and_then(|(_, winner)| self.plan.last(winner, &self.found)) {
            Some(last) => {
                self.progress.phase = last.first_phase();
                self.progress.finishing = true;
                self.unit = last;
                self.stage = SequenceStage::Last;
            }
            None => self.begin_alone(),
        }
    }

    /// The best of some units that descent alone made.
    fn best_alone<'a>(found: impl Iterator<Item = (u32, &'a Outcome)>) -> Option<(u32, &'a Outcome)> {
        let alone = found.filter(|(_, outcome)| outcome.kept.is_descent_alone());
        alone.reduce(|best, other| if other.1.beats(other.0, best.1, best.0) { other } else { best })
    }

    /// The units that have ended, with their indices.
    fn ended(&self) -> impl Iterator<Item = (u32, &Outcome)> {
        (0u32..).zip(&self.found).filter_map(|(index, found)| Some((index, found.as_ref()?)))
    }

    /// Goes on to the last stage of the best unit of descent alone, unless the result is of that kind itself
    /// or there is nothing to be done.
    fn begin_alone(&mut self) {
        let winner = Self::best_alone(self.ended()).filter(|_| !self.kept().is_descent_alone());
        let last = winner.and_then(|(_, winner)| {
            let others =
                |found: &Option<Outcome>| found.clone().filter(|found| found.kept.is_descent_alone());
            let found: Vec<Option<Outcome>> = self.found.iter().map(others).collect();
            Some((self.plan.alone(winner, &found)?, winner.clone()))
        });
        match last {
            Some(last) => {
                self.progress.phase = last.0.first_phase().on(On::Alone);
                self.progress.finishing = true;
                self.alone = Some(last);
                self.stage = SequenceStage::Alone;
            }
            None => self.end(),
        }
    }

    /// A step of that stage. Its epochs are not those of the result, so nothing is told of them.
    fn step_alone(&mut self) {
        let Some((unit, _)) = &mut self.alone else { return self.end() };
        let pace = unit.step();
        self.progress.step += 1;
        if pace.phase.work != Work::Beginning {
            self.progress.phase = pace.phase.on(On::Alone);
        }
        let share = self.plan.alone_share();
        self.progress.share = (1.0 - share) + share * pace.share;
        if pace.stop.is_some() {
            self.end();
        }
    }

    /// The best tree, the last stage apart.
    fn before_last(&self) -> Tree {
        match self.leader() {
            Some((_, best)) => best.tree.clone(),
            None if self.progress.stop.is_none() => self.unit.current(),
            None => self.plan.nothing(),
        }
    }

    fn end(&mut self) {
        let stop = self.winner().map(|(_, winner)| winner.stop.unwrap_or(StopReason::NoImprovement));
        self.progress.stop = Some(stop.unwrap_or(StopReason::Diverged));
        self.progress.share = 1.0;
    }

    /// Share of the work that is done, with a part of the unit at work.
    fn note_share(&mut self, part: f64) {
        let ended = self.places.iter().filter(|&&place| place == Place::Ended).count() as f64;
        let units = (ended + part) / f64::from(self.progress.restarts);
        self.progress.share = units * (1.0 - self.plan.last_share()) * (1.0 - self.plan.alone_share());
    }

    fn step_unit(&mut self) {
        let pace = self.unit.step();
        let progress = &mut self.progress;
        progress.step += 1;
        progress.epoch = pace.epoch;
        progress.phase = pace.phase;
        self.note_losses(&pace);
        self.note_share(pace.share);
        if pace.stop.is_some() {
            self.places[self.progress.restart as usize] = Place::Ended;
            self.stage = SequenceStage::Between;
            self.note_share(0.0);
            if let Some(outcome) = self.unit.outcome() {
                self.merge(self.progress.restart, outcome);
            }
            // The caller must see the end in the step that brings it.
            if self.places.iter().all(|&place| place == Place::Ended) {
                self.advance();
            }
        } else if pace.improved {
            self.note_best();
        } else if let Some(hard) =
            pace.hard_loss.filter(|&hard| self.progress.best_loss.is_none_or(|best| hard < best))
        {
            // To make the tree of every better epoch would take longer than the epochs.
            self.progress.best_loss = Some(hard);
            self.progress.best_epoch = pace.epoch;
            self.progress.best_restart = self.progress.restart;
        }
    }

    fn note_losses(&mut self, pace: &Pace) {
        let progress = &mut self.progress;
        progress.epoch_ended = pace.epoch_ended;
        progress.train_loss = pace.train_loss.or(progress.train_loss);
        progress.valid_loss = pace.valid_loss.or(progress.valid_loss);
        progress.hard_loss = pace.hard_loss.or(progress.hard_loss);
        progress.scale = pace.scale;
    }

    /// Keeps what the last stage made of the units. It may have chosen another one than had the best score
    /// before.
    fn finish(&mut self) {
        let chosen = self.chosen();
        if let Some(mut outcome) = self.unit.outcome() {
            if outcome.kept.restart > 0 {
                self.progress.best_restart = outcome.kept.restart - 1;
                self.progress.best_epoch = outcome.epoch;
                self.progress.best_loss = outcome.loss;
            }
            outcome.kept.restart = self.progress.best_restart + 1;
            self.finished = Some((outcome, chosen));
        }
        self.begin_alone();
    }

    fn step_last(&mut self) {
        let pace = self.unit.step();
        self.progress.step += 1;
        if pace.phase.work != Work::Beginning {
            self.progress.phase = pace.phase;
        }
        if pace.epoch_ended {
            // What goes on is the winner, wherever it was found.
            self.progress.restart = self.best.unwrap_or(self.progress.restart);
            self.progress.epoch = pace.epoch;
            self.note_losses(&pace);
        }
        let last = self.plan.last_share();
        self.progress.share = ((1.0 - last) + last * pace.share) * (1.0 - self.plan.alone_share());
        if pace.stop.is_some() {
            self.finish();
        }
    }
}

impl Training for Sequence {
    fn step(&mut self) -> Progress {
        if self.progress.stop.is_some() {
            return self.progress;
        }
        self.progress.epoch_ended = false;
        self.progress.waiting = false;
        self.so_far.take();
        match self.stage {
            SequenceStage::Between => {
                self.advance();
                if self.stage == SequenceStage::Unit {
                    self.step_unit();
                }
            }
            SequenceStage::Unit => self.step_unit(),
            SequenceStage::Last => self.step_last(),
            SequenceStage::Alone => self.step_alone(),
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
        let running = if self.stage == SequenceStage::Last { self.unit.best() } else { None };
        match (&self.finished, running) {
            (Some((finished, _)), _) => finished.tree.clone(),
            (None, Some(running)) => running,
            (None, None) => self.before_last(),
        }
    }

    fn chosen(&self) -> Tree {
        if let Some((_, chosen)) = &self.finished {
            return chosen.clone();
        }
        let chosen = if self.stage == SequenceStage::Last { self.unit.chosen() } else { None };
        chosen.unwrap_or_else(|| self.before_last())
    }

    fn kept(&self) -> Kept {
        if let Some((finished, _)) = &self.finished {
            return finished.kept;
        }
        let last = if self.stage == SequenceStage::Last && self.unit.best().is_some() {
            self.unit.outcome()
        } else {
            None
        };
        let kept = last.map(|outcome| outcome.kept).filter(|kept| kept.restart > 0);
        kept.or_else(|| self.leader().map(|(_, leader)| leader.kept)).unwrap_or_default()
    }

    fn descent_alone(&self) -> Option<Alone> {
        if self.kept().is_descent_alone() {
            return None;
        }
        if let Some((unit, winner)) = &self.alone {
            let made = if self.progress.stop.is_some() { unit.outcome()? } else { winner.clone() };
            let chosen = unit.chosen().unwrap_or_else(|| winner.tree.clone());
            return Some(Alone {
                tree: made.tree,
                chosen,
                kept: made.kept,
                epoch: made.epoch,
                loss: made.loss,
            });
        }
        let running = self.running().map(|outcome| (self.progress.restart, outcome));
        let units = self.ended().chain(running);
        let (_, &Outcome { ref tree, kept, epoch, loss, .. }) = Self::best_alone(units)?;
        Some(Alone { tree: tree.clone(), chosen: tree.clone(), kept, epoch, loss })
    }

    fn choices(&self) -> Vec<NodeChoice> {
        self.unit.choices()
    }

    fn keeping(&self) -> Vec<f32> {
        self.unit.keeping()
    }

    fn plan(&self) -> Option<Arc<dyn Plan>> {
        Some(self.plan.clone())
    }

    fn lend(&mut self) -> Option<u32> {
        let free = self.places.iter().position(|&place| place == Place::Free)?;
        self.places[free] = Place::Elsewhere;
        Some(free as u32)
    }

    fn take(&mut self, index: u32, found: Option<Found>) {
        let Some(place) = self.places.get_mut(index as usize).filter(|place| **place == Place::Elsewhere)
        else {
            return;
        };
        let Some(Found { steps, outcome }) = found else {
            *place = Place::Free;
            return;
        };
        *place = Place::Ended;
        self.progress.step += steps;
        if let Some(outcome) = outcome {
            self.merge(index, outcome);
        }
        if self.stage == SequenceStage::Between {
            self.note_share(0.0);
        }
    }

    fn settle(&self, tree: &Tree, rows: &Design) -> Tree {
        self.plan.settle(tree, rows)
    }

    fn relaxed_answers(&self, rows: &Design) -> Option<Vec<Vec<f64>>> {
        let (_, leader) = self.leader()?;
        self.plan.relaxed_answers(leader, rows)
    }

    fn epochs_per_frame(&self) -> usize {
        self.plan.epochs_per_frame()
    }

    fn post_transform(&self) -> PostTransform {
        self.plan.post_transform()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Notes;
    use super::*;
    use crate::learn::Start;
    use crate::tree::Leaf;

    /// Units that take `index + 2` steps and score as listed. Those from an index on start at random.
    struct Listed(Vec<Option<f64>>, u32);

    struct Counted {
        left: u32,
        score: Option<f64>,
        kept: Kept,
    }

    impl Plan for Listed {
        fn units(&self) -> u32 {
            self.0.len() as u32
        }
        fn unit(&self, index: u32) -> Box<dyn Unit> {
            let kept = Kept::at(if index < self.1 { Start::Greedy } else { Start::Random });
            Box::new(Counted { left: index + 2, score: self.0[index as usize], kept })
        }
        fn last(&self, winner: &Outcome, _: &[Option<Outcome>]) -> Option<Box<dyn Unit>> {
            let kept = Kept { refitted: true, ..winner.kept };
            Some(Box::new(Counted { left: 3, score: Some(winner.score + 100.0), kept }))
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
            let stop = Some(StopReason::Grown);
            Some(Outcome {
                tree,
                score,
                loss: None,
                epoch: 0,
                stop,
                kept: self.kept,
                notes: Notes::default(),
            })
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
        let (progress, best, chosen) = finish(Sequence::new(Arc::new(Listed(scores.clone(), 9))));
        assert_eq!((progress.best_restart, progress.stop), (1, Some(StopReason::Grown)));
        assert_eq!((answer(&best), answer(&chosen)), (105.0, 5.0));
        for begun in 0..20 {
            for lent in 0..5 {
                let plan: Arc<dyn Plan> = Arc::new(Listed(scores.clone(), 9));
                let mut sequence = Sequence::new(plan.clone());
                for _ in 0..begun {
                    sequence.step();
                }
                let mut elsewhere: Vec<u32> = (0..lent).map_while(|_| sequence.lend()).collect();
                // One is brought back without a result, the others in another order, and some steps are made
                // in between.
                if let Some(lost) = elsewhere.pop() {
                    sequence.take(lost, None);
                }
                let half = elsewhere.len() / 2;
                elsewhere.rotate_left(half);
                for index in elsewhere {
                    sequence.step();
                    let mut unit = plan.unit(index);
                    let steps =
                        1 + std::iter::from_fn(|| unit.step().stop.is_none().then_some(())).count() as u64;
                    sequence.take(index, Some(Found { steps, outcome: unit.outcome() }));
                }
                let (other, tree, _) = finish(sequence);
                assert_eq!(
                    (other.best_restart, other.stop, &tree),
                    (progress.best_restart, progress.stop, &best)
                );
                assert_eq!(
                    (other.step, other.share),
                    (progress.step, 1.0),
                    "{lent} lent after {begun} steps"
                );
            }
        }
    }

    #[test]
    fn descent_alone_stands_beside_another_result_and_changes_nothing() {
        let scores = vec![Some(9.0), Some(2.0), Some(4.0), None];
        let mut sequence = Sequence::new(Arc::new(Listed(scores.clone(), 1)));
        let (mut seen, mut phases) = (vec![], vec![]);
        while sequence.step().stop.is_none() {
            seen.extend(sequence.descent_alone().map(|alone| answer(&alone.tree)));
            phases.push(sequence.progress().phase.on);
        }
        seen.dedup();
        assert_eq!(seen, [2.0, 4.0], "the best so far, before it is refitted");
        assert!(phases.ends_with(&[On::All, On::All, On::Alone, On::Alone, On::Alone]), "{phases:?}");
        let alone = sequence.descent_alone().unwrap();
        assert_eq!((answer(&alone.tree), answer(&alone.chosen)), (104.0, 4.0));
        let kept = |start, restart| Kept { restart, refitted: true, ..Kept::at(start) };
        assert_eq!((alone.kept, sequence.kept()), (kept(Start::Random, 3), kept(Start::Greedy, 1)));
        let (progress, best, chosen) = finish(sequence);
        assert_eq!((answer(&best), answer(&chosen), progress.best_restart), (109.0, 9.0, 0));
        // A result of descent alone is not repeated, and where nothing started at random there is nothing
        // beside it.
        for random in [0, 9] {
            let mut sequence = Sequence::new(Arc::new(Listed(scores.clone(), random)));
            while sequence.step().stop.is_none() {}
            assert_eq!(sequence.descent_alone(), None);
            assert_eq!(sequence.kept().restart, 1);
        }
    }

    #[test]
    fn with_everything_elsewhere_it_waits() {
        let mut sequence = Sequence::new(Arc::new(Listed(vec![Some(1.0), Some(2.0), Some(3.0)], 9)));
        assert_eq!([sequence.lend(), sequence.lend(), sequence.lend()], [Some(1), Some(2), None]);
        let waits = |sequence: &mut Sequence| {
            let progress = (0..9).map(|_| sequence.step()).last().unwrap();
            assert_eq!((progress.waiting, progress.stop, progress.step), (true, None, 2));
            progress.share
        };
        assert_eq!(waits(&mut sequence), 1.0 / 3.0);
        sequence.take(7, None);
        sequence.take(0, None);
        assert_eq!(waits(&mut sequence), 1.0 / 3.0, "what was not lent is not taken");
        sequence.take(2, Some(Found { steps: 0, outcome: None }));
        assert_eq!(waits(&mut sequence), 2.0 / 3.0);
        sequence.take(1, None);
        let progress = sequence.step();
        assert_eq!((progress.waiting, progress.restart), (false, 1));
        let (_, best, _) = finish(sequence);
        assert_eq!(answer(&best), 102.0);
    }

    #[test]
    fn without_an_outcome_nothing_is_known() {
        let (progress, best, _) = finish(Sequence::new(Arc::new(Listed(vec![None, None], 9))));
        assert_eq!((progress.stop, answer(&best)), (Some(StopReason::Diverged), -1.0));
    }

    #[test]
    fn ties_go_to_the_smaller_tree_and_then_to_the_lower_index() {
        let outcome = |tree: Tree| Outcome {
            tree,
            score: 1.0,
            loss: None,
            epoch: 0,
            stop: None,
            kept: Kept::default(),
            notes: Notes::default(),
        };
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
