//! A training as a film: the trees it passed through, evenly spaced, so that it can be looked at again.

use super::Run;
use crate::learn::{Moments, NodeChoice, Outcome, Progress};
use crate::tree::{Model, NodeStats, Tree};

/// Frames that are kept at most.
const MOST_FRAMES: usize = 1000;

/// A frame costs a walk of every training row through the tree; all of them together may cost this many
/// walks, so that a large file is not slowed down by being filmed.
const MOST_WALKS: usize = 4_000_000;

/// Fewer frames than this would be no film.
const LEAST_FRAMES: usize = 60;

/// A tree the training passed through.
pub struct Frame {
    /// The tree in the space of the file.
    pub(super) tree: Tree,
    pub(super) stats: Vec<NodeStats>,
    /// Where the training was.
    pub progress: Progress,
    /// How its splits chose their features: see [`Run::choices`].
    pub choices: Vec<NodeChoice>,
    /// How much of its nodes was kept: see [`Training::keeping`](crate::learn::Training::keeping).
    pub keeping: Vec<f32>,
    /// Whether a node tests another feature than in the frame before.
    pub changed: bool,
    /// The features tested by the node at each path, for the next frame's comparison.
    tests: Vec<(String, Vec<usize>)>,
}

/// The frames of one training.
#[derive(Default)]
pub struct Frames {
    kept: Vec<Frame>,
    /// Epochs from one frame to the next.
    stride: usize,
    /// Epochs since the last frame.
    since: usize,
    /// The best of the units that ran elsewhere, with the trees it passed through.
    brought: Option<(u32, Outcome, Moments)>,
    /// The last frame is the tree that was kept.
    closed: bool,
}

impl Frames {
    /// Notes that an epoch has ended, and keeps its tree if its turn has come.
    pub(crate) fn epoch(&mut self, run: &Run) {
        self.stride = self.stride.max(run.training().epochs_per_frame());
        self.since += 1;
        if self.since < self.stride && !self.kept.is_empty() {
            return;
        }
        self.since = 0;
        if self.kept.len() >= most_frames(run) {
            self.thin();
        }
        let frame = Frame::of(run.current(), run.progress(), run.choices(), run.training().keeping());
        self.kept.push(frame);
        self.compare(self.kept.len() - 1);
    }

    /// Takes what a unit passed through that ran elsewhere. Of several only the best is kept: the others have
    /// lost.
    pub(crate) fn bring(&mut self, index: u32, outcome: &Outcome, moments: &Moments) {
        if self.brought.as_ref().is_none_or(|(at, best, _)| outcome.beats(index, best, *at)) {
            self.brought = Some((index, outcome.clone(), moments.clone()));
        }
    }

    /// Completes the film of a training that rests: where the best tree so far comes from a unit that ran
    /// elsewhere, that unit's way is put in, before what the last stage made of it. Once it has ended, the
    /// last frame is the tree that is kept.
    pub(crate) fn complete(&mut self, run: &Run, finished: Option<&Model>) {
        let now = run.progress();
        self.put_in(run, now);
        if let Some(model) = finished.filter(|_| !self.closed) {
            let (restart, epoch, valid_loss) = (now.best_restart, now.best_epoch, now.best_loss);
            let progress = Progress { restart, epoch, valid_loss, train_loss: None, ..now };
            self.kept.push(Frame::of(model.clone(), progress, vec![], vec![]));
            self.compare(self.kept.len() - 1);
            self.closed = true;
        }
        while self.kept.len() > MOST_FRAMES {
            self.thin();
        }
    }

    /// Puts in the way of the best unit that ran elsewhere, if its tree is the best so far.
    fn put_in(&mut self, run: &Run, now: Progress) {
        let Some((index, _, passed)) = self.brought.take_if(|(index, ..)| *index == now.best_restart) else {
            return;
        };
        let at =
            self.kept.iter().position(|frame| frame.progress.restart == index).unwrap_or(self.kept.len());
        let moments = passed.all();
        let every = moments.len().div_ceil(most_frames(run)).max(1);
        let frames = moments.iter().step_by(every).map(|moment| {
            let (train_loss, valid_loss) = (moment.train_loss, moment.valid_loss);
            let progress = Progress { restart: index, epoch: moment.epoch, train_loss, valid_loss, ..now };
            Frame::of(run.passed_model(moment), progress, run.passed_choices(moment), moment.keeping.clone())
        });
        let frames: Vec<Frame> = frames.collect();
        let end = at + frames.len();
        self.kept.splice(at..at, frames);
        (at..(end + 1).min(self.kept.len())).for_each(|frame| self.compare(frame));
    }

    /// Notes whether a frame has changed from the one before.
    fn compare(&mut self, at: usize) {
        let changed = at > 0 && self.kept[at - 1].tests != self.kept[at].tests;
        self.kept[at].changed = changed;
    }

    /// Drops every second frame; what changed in one that goes, changed by the next that stays.
    fn thin(&mut self) {
        let mut carried = false;
        let mut at = 0;
        let last = self.kept.len() - 1;
        self.kept.retain_mut(|frame| {
            let keep = at % 2 == 0 || self.closed && at == last;
            at += 1;
            if keep {
                frame.changed |= std::mem::take(&mut carried);
            } else {
                carried = frame.changed;
            }
            keep
        });
        self.stride *= 2;
    }

    /// The frames in order.
    pub(crate) fn kept(&self) -> &[Frame] {
        &self.kept
    }
}

impl Frame {
    fn of(model: Model, progress: Progress, choices: Vec<NodeChoice>, keeping: Vec<f32>) -> Frame {
        let nodes = model.tree.nodes().iter();
        let tests = model.tree.paths().into_iter().zip(nodes.map(|node| node.features().to_vec())).collect();
        Frame { tree: model.tree, stats: model.stats, progress, choices, keeping, changed: false, tests }
    }
}

/// Frames that a file of this size may have.
fn most_frames(run: &Run) -> usize {
    (MOST_WALKS / run.rows().train.max(1)).clamp(LEAST_FRAMES, MOST_FRAMES)
}
