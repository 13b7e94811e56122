//! Where the last stage is: its phase, and the share of its work that is done.

use super::super::folds::Folds;
use super::{Ground, LastStage, Phase, Teachers};
use crate::learn::{On, Phase as Doing, Work};

/// Shares of a training that follow the starts, where they are done; polish has its share of what the others leave.
const POLISH: f64 = 0.4;
const SCHOOL: f64 = 0.35;
const TEACHERS: f64 = 0.15;
const LAST: f64 = 0.1;
/// The last one after a school: it may be taught again.
const LAST_SCHOOL: f64 = 0.2;

/// Most starts are made once more on other parts of the samples.
const FOLDS: f64 = 0.65;

/// Shares of a whole training: polish or folds, school, teachers, the last descent.
fn shares(ground: &Ground) -> [f64; 4] {
    let when = |share: f64, done: bool| if done { share } else { 0.0 };
    let taught = ground.teaches();
    let [school, teachers] = [SCHOOL, TEACHERS].map(|share| when(share, taught));
    let last = when(if taught { LAST_SCHOOL } else { LAST }, ground.valid.is_some() || ground.config.sweeps());
    let polish = when(POLISH, ground.config.polish_levels() > 0) + when(FOLDS, Folds::wanted(ground));
    [polish * (1.0 - school - teachers - last), school, teachers, last]
}

/// About what share of a training the last stage is.
pub fn last_share(ground: &Ground) -> f64 {
    shares(ground).iter().sum()
}

impl LastStage {
    /// Notes where the stage is after a step.
    pub(super) fn measure(&mut self) {
        let [polish, school, teachers, last] = shares(&self.ground);
        let before_last = polish + school + teachers;
        let choice = Doing::from(Work::Choice);
        let (phase, done) = match &self.phase {
            Phase::Polish(work) => (Work::Polish { node: work.node() as u32 }.into(), polish * work.share()),
            Phase::Sweeps(work) => (Work::Nodes.into(), before_last + last * work.share()),
            Phase::Choose(_) => (choice, if self.asks_folds() { 0.0 } else { polish }),
            Phase::Folds(work, _) => {
                let (done, of) = work.counts();
                (choice.counted(done, of), polish * work.share())
            }
            Phase::School(work, _) => (work.phase(), polish + school * work.share()),
            Phase::Judge(..) => (choice, polish + school),
            Phase::Thrift(..) => (Work::Columns.into(), polish + school),
            Phase::Teachers(work) => (work.phase(), polish + school + teachers * work.share()),
            Phase::Again(start, _) => (start.phase().on(On::All), before_last + last * start.share()),
            Phase::LastSchool(work) => (work.phase().on(On::All), before_last + last * work.share()),
            Phase::Last(run) => (Doing::from(Work::Refit).on(On::All), before_last + last * run.share()),
            Phase::Spare(_) => (Doing::from(Work::Columns).on(On::All), before_last + last),
            Phase::Done(_) => (self.pace.phase, last_share(&self.ground)),
        };
        self.pace.phase = phase;
        self.pace.share = done / last_share(&self.ground).max(f64::MIN_POSITIVE);
    }
}

impl Teachers {
    /// Starts that have ended, of all that teach.
    fn phase(&self) -> Doing {
        let ended = self.trees.iter().flatten().count();
        let all = ended + self.waiting.len() + usize::from(self.start.is_some());
        Doing::from(Work::Teachers).counted(ended, all).on(On::All)
    }

    /// Share of the starts that have ended, with a part of the one at work.
    fn share(&self) -> f64 {
        let ended = self.trees.iter().flatten().count() as f64;
        let running = self.start.as_ref().map_or(0.0, |(_, start)| start.share());
        let all = ended + self.waiting.len() as f64 + f64::from(u8::from(self.start.is_some()));
        (ended + running) / all.max(1.0)
    }
}
