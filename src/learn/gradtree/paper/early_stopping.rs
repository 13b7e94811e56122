//! Early stopping: the parameters of the lowest watched loss are kept, and a run ends once it has not fallen
//! for long.

use super::Parameters;
use crate::learn::StopReason;

/// The best parameters of a run, and how long ago they were seen.
pub(super) struct EarlyStopping {
    /// Most epochs.
    epochs: u32,
    /// Epochs without a lower loss after which the run ends.
    patience: u32,
    best: Option<BestParameters>,
    /// Epochs since the best one.
    idle: u32,
}

/// The best parameters of a run.
pub(super) struct BestParameters {
    /// The loss that early stopping watches.
    pub watched: f64,
    /// The loss that curves show: without weights, and the same for all units of a training.
    pub shown: f64,
    /// The epoch that they were seen at.
    pub epoch: u32,
    /// I, T and L.
    pub parameters: Parameters<f32>,
}

impl EarlyStopping {
    /// Before the first epoch.
    pub(super) fn new(epochs: u32, patience: u32) -> EarlyStopping {
        EarlyStopping { epochs, patience, best: None, idle: 0 }
    }

    /// Most epochs.
    pub(super) fn epochs(&self) -> u32 {
        self.epochs
    }

    /// The best parameters; none before the first epoch has ended.
    pub(super) fn best(&self) -> Option<&BestParameters> {
        self.best.as_ref()
    }

    /// Takes in an epoch; whether it is the best so far. Only a lower loss is better, as in the authors'
    /// program.
    pub(super) fn improves(
        &mut self,
        watched: f64,
        shown: f64,
        epoch: u32,
        parameters: &Parameters<f32>,
    ) -> bool {
        match &mut self.best {
            Some(best) if watched >= best.watched => {
                self.idle += 1;
                return false;
            }
            Some(best) => {
                (best.watched, best.shown, best.epoch) = (watched, shown, epoch);
                best.parameters.copy_from(parameters);
            }
            None => {
                self.best = Some(BestParameters { watched, shown, epoch, parameters: parameters.clone() })
            }
        }
        self.idle = 0;
        true
    }

    /// Why the run ends after so many epochs, if it does.
    pub(super) fn stop(&self, epoch: u32) -> Option<StopReason> {
        if epoch >= self.epochs {
            Some(StopReason::EpochLimit)
        } else {
            (self.idle >= self.patience).then_some(StopReason::NoImprovement)
        }
    }

    /// Forgets the best parameters.
    #[cfg(test)]
    pub(super) fn forget(&mut self) {
        self.best = None;
    }
}
