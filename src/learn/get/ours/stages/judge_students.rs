//! The same selection among the students; the best one is taken if it is better than the tree selected
//! before.

use super::Stage;
use super::shares::StageShares;
use super::starts_that_teach::StartsThatTeach;
use super::state::State;
use crate::learn::get::ours::distillation::{Beginning, Distillation};
use crate::learn::get::ours::selection::TreeSelection;
use crate::learn::get::paper::parameters::Answer;
use crate::learn::{Chosen, Judges, Kept, Measure, Phase, Work};

/// With constant leaves a student is taken if its loss on validation samples is below this share of the best
/// other tree's: what is only just better there may be so by chance. With linear leaves students were better
/// wherever they seemed to be (benches/record).
const CLEARLY: f64 = 0.98;

struct Judging {
    distillation: Box<Distillation>,
    students: TreeSelection,
}

pub(super) fn begin(state: &mut State) -> Option<Box<dyn Stage>> {
    let distillation = state.distillation.take()?;
    let students = distillation.students().iter().map(|best| best.tree.clone()).collect();
    Some(Box::new(Judging { distillation, students: TreeSelection::new(students, 0) }))
}

impl Stage for Judging {
    fn step(&mut self, state: &State) -> bool {
        let (Some(samples), Some(valid)) = (self.distillation.samples(), &state.context.valid) else {
            return false;
        };
        self.students.step(samples, valid)
    }

    fn end(self: Box<Self>, state: &mut State) {
        let Judging { distillation, students } = *self;
        let Some(selection) = &state.selection else { return };
        let clearly = if state.context.answer == Answer::Linear { 1.0 } else { CLEARLY };
        let least = clearly * selection.chosen().map_or(f64::INFINITY, |(_, loss, _)| loss);
        let better = students.chosen().filter(|(_, loss, finish)| *loss < least && finish.kept > 0);
        let (Some((at, _, finish)), Some(samples)) = (better, distillation.samples()) else { return };
        let student = &students.trees()[at];
        state.finish = finish;
        state.chosen = Some(state.context.hardened(samples, student, finish));
        state.best.tree = student.clone();
        state.taught_on = Some(samples.clone());
        let chosen = Some(Chosen { by: Measure::Loss, on: Judges::Validation });
        state.kept = Kept { chosen, ..distillation.taught(at, state.kept) };
        // The student of the best tree goes on from where it is, the other is grown anew.
        let beginning = match at {
            0 => Beginning::At(student.clone()),
            _ => Beginning::Start(at - 1),
        };
        let starts = selection.trees().len() - 1;
        let finishes = (0..starts).map(|at| selection.finish(at + 1).unwrap_or(finish)).collect();
        state.taught = Some(Box::new(StartsThatTeach::new(distillation, beginning, finishes)));
    }

    fn phase(&self) -> Phase {
        Work::Choice.into()
    }

    fn done(&self, shares: &StageShares) -> f64 {
        shares.search + shares.distillation
    }
}
