//! Where a training is: its phase, the share of the work that is done, and the losses of the run at work.

use super::super::run::Run;
use super::{MOST_TAUGHT, Phase, Search};
use crate::learn::Phase as Doing;

/// Shares of the work that follow the search, where they are done.
const POLISH: f64 = 0.4;
const LESSON: f64 = 0.15;
const TEACHERS: f64 = 0.35;
const LAST: f64 = 0.1;

impl Search {
    /// Notes where the training is after a step.
    pub(super) fn measure(&mut self, epoch_ended: bool) {
        let progress = &mut self.progress;
        progress.epoch_ended = epoch_ended;
        let when = |share: f64, done: bool| if done { share } else { 0.0 };
        let polish = when(POLISH, self.config.polish_levels() > 0);
        let last = when(LAST, self.valid.is_some());
        let taught = self.valid.is_some() && self.config.teaches(self.answer) && self.train.samples() <= MOST_TAUGHT;
        let [lesson, teachers] = [LESSON, TEACHERS].map(|share| when(share, taught));
        // The search has what the others leave.
        let search_share = (1.0 - lesson - teachers - last) * (1.0 - polish);
        let before_lesson = 1.0 - lesson - teachers - last;
        let run = match &self.phase {
            Phase::Search(search) => {
                progress.phase = match search.run() {
                    Some(_) => Doing::Descent { run: search.scale() as u8 },
                    None => Doing::Greedy,
                };
                progress.share = search_share * search.share();
                progress.restart = (search.start() as u32).min(progress.restarts - 1);
                search.run()
            }
            Phase::Polish(polish) => {
                progress.phase = Doing::Polish { node: polish.node() as u32 };
                progress.share = search_share + (before_lesson - search_share) * polish.share();
                None
            }
            Phase::Lesson { search, .. } => {
                progress.phase = Doing::Descent { run: search.scale() as u8 };
                progress.share = before_lesson + lesson * search.run().map_or(0.0, Run::share);
                search.run()
            }
            Phase::Choose(_) => {
                progress.phase = Doing::Choice;
                progress.share = before_lesson + lesson;
                None
            }
            Phase::Teachers(search) => {
                progress.phase = Doing::Last;
                progress.share = before_lesson + lesson + teachers * search.share();
                search.run()
            }
            Phase::Again { search } => {
                progress.phase = Doing::Last;
                progress.share = 1.0 - last + last * search.run().map_or(0.0, Run::share);
                search.run()
            }
            Phase::Last(run) => {
                progress.phase = Doing::Last;
                progress.share = 1.0 - last + last * run.share();
                Some(&**run)
            }
            Phase::Done(_) => {
                progress.share = 1.0;
                None
            }
        };
        if let Some(run) = run {
            let [soft, hard] = run.losses();
            progress.epoch = run.epoch() as u32;
            progress.train_loss = soft.is_finite().then_some(soft);
            progress.hard_loss = hard.is_finite().then_some(hard);
            // What is taught has other targets: its losses are no measure for the samples' own.
            let own = !matches!(self.phase, Phase::Lesson { .. } | Phase::Again { .. });
            if own && hard.is_finite() && progress.best_loss.is_none_or(|best| hard < best) {
                progress.best_loss = Some(hard);
                progress.best_epoch = progress.epoch;
            }
        }
    }
}
