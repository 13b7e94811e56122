//! The units of a training: one for every start, and polish as its last stage.

use std::sync::Arc;

use crate::learn::get::paper::descent::Best;
use crate::learn::get::paper::parameters::Parameters;
use crate::learn::get::paper::polish::Polish;
use crate::learn::get::paper::start::StartRun;
use crate::learn::get::paper::training_set::TrainingSet;
use crate::learn::{Chosen, Judges, Kept, Measure, Notes, On, Outcome, Pace, Phase, StopReason, Unit, Work};
use crate::tree::Tree;

/// Makes the finished tree of some planes.
pub type Harden = Arc<dyn Fn(&Parameters<f32>) -> Tree + Send + Sync>;

impl Pace {
    /// An epoch of a descent has ended with this soft and hard loss.
    pub(in crate::learn::get) fn tell_epoch(&mut self, epoch: usize, [soft, hard]: [f64; 2]) {
        self.epoch = epoch as u32;
        self.epoch_ended = true;
        self.train_loss = soft.is_finite().then_some(soft);
        self.hard_loss = hard.is_finite().then_some(hard);
    }
}

/// One start as a unit.
pub struct StartUnit {
    set: Arc<TrainingSet>,
    harden: Harden,
    start: StartRun,
    index: usize,
    /// The least hard loss so far and the epoch it was seen at.
    least: (f64, u32),
    pace: Pace,
}

impl StartUnit {
    /// Start `index` of the plan.
    pub fn new(set: Arc<TrainingSet>, harden: Harden, index: u32) -> Self {
        let start = set.start(&set.plan, &set.blocks, set.depth(), index as usize);
        let pace = Pace { phase: start.phase(), ..Pace::default() };
        StartUnit { set, harden, start, index: index as usize, least: (f64::INFINITY, 0), pace }
    }
}

impl Unit for StartUnit {
    fn step(&mut self) -> Pace {
        if self.pace.stop.is_some() {
            return self.pace;
        }
        let goes_on = self.start.advance(self.set.blocks_per_step());
        let pace = &mut self.pace;
        pace.epoch_ended = false;
        if let Some((epoch, losses)) = self.start.epoch_ended() {
            pace.tell_epoch(epoch, losses);
        }
        if let Some(best) = self.start.best().filter(|best| best.loss < self.least.0) {
            self.least = (best.loss, pace.epoch);
        }
        if let Some(run) = self.start.run() {
            pace.scale = Some(run.steepness());
        }
        pace.phase = self.start.phase();
        pace.share = self.start.share();
        pace.stop = (!goes_on).then_some(StopReason::EpochLimit);
        *pace
    }

    fn current(&self) -> Tree {
        self.start.current().map_or_else(|| self.set.root(), |tree| (self.harden)(&tree))
    }

    fn outcome(&self) -> Option<Outcome> {
        let best = self.start.best()?;
        Some(Outcome {
            tree: (self.harden)(&best.tree),
            score: -best.loss,
            loss: Some(best.loss),
            epoch: self.least.1,
            stop: self.pace.stop,
            kept: Kept {
                gradient_epochs: self.start.epochs(),
                chosen: Some(Chosen { by: Measure::Loss, on: Judges::Training }),
                ..Kept::at(self.set.plan.kind(self.index))
            },
            notes: Notes::of(&[Some(best), self.start.ended()].into_iter().flatten().collect::<Vec<&Best>>()),
        })
    }
}

/// Polish (Algorithm 2) of the best tree as the last stage.
pub struct PolishUnit {
    set: Arc<TrainingSet>,
    winner: Outcome,
    polish: Polish,
    pace: Pace,
}

impl PolishUnit {
    /// About what share of a training it takes.
    pub const SHARE: f64 = 0.4;

    /// Begins at the best tree; none if no level is to be polished.
    pub fn new(set: Arc<TrainingSet>, winner: Outcome, best: Best) -> Option<Self> {
        let levels = set.config.polish_levels();
        let mut plan = (*set.plan).clone();
        plan.starts = set.config.polish_starts as usize;
        let polish = Polish::new(plan, set.blocks.clone(), best, levels, set.seed);
        let mut unit = PolishUnit { set, winner, polish, pace: Pace::default() };
        unit.pace.phase = unit.phase();
        (levels > 0).then_some(unit)
    }

    fn phase(&self) -> Phase {
        Phase::from(Work::Polish { node: self.polish.node() as u32 }).on(On::Training)
    }
}

impl Unit for PolishUnit {
    fn step(&mut self) -> Pace {
        if self.pace.stop.is_none() {
            let more = self.polish.advance(self.set.blocks_per_step());
            self.pace.phase = self.phase();
            self.pace.share = self.polish.share();
            self.pace.stop = (!more).then_some(StopReason::EpochLimit);
        }
        self.pace
    }

    fn current(&self) -> Tree {
        self.set.hard_tree(&self.polish.best().tree)
    }

    fn outcome(&self) -> Option<Outcome> {
        let (polished, gradient_epochs) = (self.polish.replaced(), self.polish.best().epochs);
        let kept = Kept { polished, gradient_epochs, ..self.winner.kept };
        Some(Outcome { tree: self.current(), kept, ..self.winner.clone() })
    }

    fn first_phase(&self) -> Phase {
        self.pace.phase
    }

    fn best(&self) -> Option<Tree> {
        Some(self.current())
    }

    fn chosen(&self) -> Option<Tree> {
        self.best()
    }
}
