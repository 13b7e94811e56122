//! Running units of a training that another worker leads.

use std::sync::Arc;

use super::{Reply, no_run, push_point};
use crate::error::{Code, Error, Result};
use crate::learn::{Found, Passed, Plan, Unit};
use crate::protocol::Event;
use crate::run::Run;

/// The same plan as the leader's, and the unit at work.
pub(super) struct Helping {
    id: u32,
    plan: Arc<dyn Plan>,
    work: Option<Work>,
}

struct Work {
    index: u32,
    unit: Box<dyn Unit>,
    steps: u64,
    curve: Vec<f32>,
    passed: Passed,
}

/// What a unit brings home: what it found, and the trees it passed through.
pub(super) struct Brought {
    pub found: Found,
    pub passed: Passed,
}

impl Brought {
    /// The length of what was found, that, and the trees.
    fn to_bytes(&self) -> Vec<u8> {
        let found = self.found.to_bytes();
        let mut bytes = (found.len() as f64).to_le_bytes().to_vec();
        bytes.extend(found);
        bytes.extend(self.passed.to_bytes());
        bytes
    }

    /// Reads it back; none if it is something else.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Brought> {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let (found, passed) = rest.split_at_checked(f64::from_le_bytes(*length) as usize)?;
        Some(Brought { found: Found::from_bytes(found)?, passed: Passed::from_bytes(passed)? })
    }
}

impl Helping {
    /// A run that was started just as the leader's has the same plan.
    pub(super) fn new(id: u32, run: &Run) -> Result<Helping> {
        let plan = run.plan().ok_or_else(no_run)?;
        Ok(Helping { id, plan, work: None })
    }

    pub(super) fn units(&self) -> u32 {
        self.plan.units()
    }

    /// Begins a unit.
    pub(super) fn begin(&mut self, id: u32, index: u32) -> Result<Reply> {
        let units = self.units();
        if id != self.id || index >= units {
            return Err(Error::new(Code::BadRequest, format!("There is no unit {index} of run {id}."), "Train again."));
        }
        let passed = Passed::every(self.plan.epochs_per_frame());
        self.work = Some(Work { index, unit: self.plan.unit(index), steps: 0, curve: vec![], passed });
        Ok(Event::Helping { run: id, units }.into())
    }

    /// Works on for some steps. True once the unit has ended, or where there is none.
    pub(super) fn advance(&mut self, steps: u32) -> bool {
        let Some(Work { index, unit, steps: counted, curve, passed }) = &mut self.work else { return true };
        for _ in 0..steps {
            let pace = unit.step();
            *counted += 1;
            if pace.epoch_ended {
                push_point(curve, *index, pace.epoch, [pace.train_loss, pace.valid_loss, pace.hard_loss]);
                passed.epoch(unit.as_ref(), &pace);
            }
            if pace.stop.is_some() {
                return true;
            }
        }
        false
    }

    /// Gives what the unit at work has found.
    pub(super) fn end(&mut self, id: u32) -> Result<Reply> {
        let Work { index, unit, steps, curve, passed } =
            self.work.take().filter(|_| id == self.id).ok_or_else(no_run)?;
        let bytes = Brought { found: Found { steps, outcome: unit.outcome() }, passed }.to_bytes();
        Ok(Reply { curve: Some(curve), bytes: Some(bytes), ..Event::Unit { run: id, index }.into() })
    }
}
