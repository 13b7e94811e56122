//! Running units of a training that another worker leads.

use std::sync::Arc;

use super::training::push_point;
use super::{Reply, no_run};
use crate::error::{Code, Error, Result};
use crate::learn::{Brought, Found, Moments, Plan, Unit};
use crate::protocol::Event;
use crate::run::Run;

/// The same plan as the leader's, and the unit at work.
pub(super) struct Helping {
    id: u32,
    plan: Arc<dyn Plan>,
    work: Option<UnitAtWork>,
}

struct UnitAtWork {
    index: u32,
    unit: Box<dyn Unit>,
    steps: u64,
    curve: Vec<f32>,
    moments: Moments,
}

impl Helping {
    /// A run that was started just as the leader's has the same plan.
    pub(super) fn new(id: u32, run: &Run) -> Result<Helping> {
        let plan = run.training().plan().ok_or_else(no_run)?;
        Ok(Helping { id, plan, work: None })
    }

    pub(super) fn units(&self) -> u32 {
        self.plan.units()
    }

    /// Begins a unit.
    pub(super) fn begin(&mut self, id: u32, index: u32) -> Result<Reply> {
        let units = self.units();
        if id != self.id || index >= units {
            return Err(Error::new(
                Code::BadRequest,
                format!("There is no unit {index} of run {id}."),
                "Train again.",
            ));
        }
        let moments = Moments::every(self.plan.epochs_per_frame());
        self.work = Some(UnitAtWork { index, unit: self.plan.unit(index), steps: 0, curve: vec![], moments });
        Ok(Event::Helping { run: id, units }.into())
    }

    /// Works on for some steps. True once the unit has ended, or where there is none.
    pub(super) fn advance(&mut self, steps: u32) -> bool {
        let Some(UnitAtWork { index, unit, steps: counted, curve, moments }) = &mut self.work else {
            return true;
        };
        for _ in 0..steps {
            let pace = unit.step();
            *counted += 1;
            if pace.epoch_ended {
                push_point(curve, *index, pace.epoch, [pace.train_loss, pace.valid_loss, pace.hard_loss]);
                moments.epoch(unit.as_ref(), &pace);
            }
            if pace.stop.is_some() {
                return true;
            }
        }
        false
    }

    /// Gives what the unit at work has found.
    pub(super) fn end(&mut self, id: u32) -> Result<Reply> {
        let UnitAtWork { index, unit, steps, curve, moments } =
            self.work.take().filter(|_| id == self.id).ok_or_else(no_run)?;
        let bytes = Brought { found: Found { steps, outcome: unit.outcome() }, moments }.to_bytes();
        Ok(Reply { curve: Some(curve), bytes: Some(bytes), ..Event::Unit { run: id, index }.into() })
    }
}
