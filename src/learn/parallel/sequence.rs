//! The units of a [`Plan`], run one after another, with those that run elsewhere merged as they come back.

mod training;

use std::cell::OnceCell;
use std::sync::Arc;

use super::{Outcome, Pace, Plan, Unit};
use crate::learn::{On, Progress, StopReason, Training, Work};
use crate::tree::Tree;

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

#[cfg(test)]
mod tests;
