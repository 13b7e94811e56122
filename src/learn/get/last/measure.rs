//! Where the last stage is: its phase, and the share of its work that is done.

use super::{Ground, LastStage, MOST_TAUGHT, Phase};
use crate::learn::Phase as Doing;

/// Shares of a training that follow the starts, where they are done; polish has its share of what the others leave.
const POLISH: f64 = 0.4;
const LESSON: f64 = 0.15;
const TEACHERS: f64 = 0.35;
const LAST: f64 = 0.1;

/// Shares of a whole training: polish, lesson, teachers, the last descent.
fn shares(ground: &Ground) -> [f64; 4] {
    let when = |share: f64, done: bool| if done { share } else { 0.0 };
    let validated = ground.valid.is_some();
    let taught = validated && ground.config.teaches(ground.answer) && ground.blocks.samples() <= MOST_TAUGHT;
    let [lesson, teachers, last] = [when(LESSON, taught), when(TEACHERS, taught), when(LAST, validated)];
    let polish = when(POLISH, ground.config.polish_levels() > 0);
    [polish * (1.0 - lesson - teachers - last), lesson, teachers, last]
}

/// About what share of a training the last stage is.
pub fn last_share(ground: &Ground) -> f64 {
    shares(ground).iter().sum()
}

impl LastStage {
    /// Notes where the stage is after a step.
    pub(super) fn measure(&mut self) {
        let [polish, lesson, teachers, last] = shares(&self.ground);
        let (phase, done) = match &self.phase {
            Phase::Polish(work) => (Doing::Polish { node: work.node() as u32 }, polish * work.share()),
            Phase::Lesson { student, .. } => {
                (Doing::Descent { run: student.scale() as u8 }, polish + lesson * student.share())
            }
            Phase::Choose(_) => (Doing::Choice, polish + lesson),
            Phase::Teachers(search) => (Doing::Last, polish + lesson + teachers * search.share()),
            Phase::Again(start) => (Doing::Last, polish + lesson + teachers + last * start.share()),
            Phase::Last(run) => (Doing::Last, polish + lesson + teachers + last * run.share()),
            Phase::Done(_) => (self.pace.phase, last_share(&self.ground)),
        };
        self.pace.phase = phase;
        self.pace.share = done / last_share(&self.ground).max(f64::MIN_POSITIVE);
    }
}
