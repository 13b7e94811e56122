//! A sequence as a training: what it does in a step, what it tells, and how it lends units.

use std::sync::Arc;

use super::{Place, Sequence, SequenceStage};
use crate::encode::Design;
use crate::learn::parallel::{Found, Outcome, Plan};
use crate::learn::{Alone, Kept, NodeChoice, Progress, Training};
use crate::tree::{PostTransform, Tree};

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
