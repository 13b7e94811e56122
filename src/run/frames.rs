//! A training as a film: the trees it passed through, evenly spaced, so that it can be looked at again.

use super::Run;
use crate::learn::{NodeChoice, Progress};
use crate::tree::{NodeStats, Tree};

/// Frames that are kept at most.
const MOST_FRAMES: usize = 1000;

/// A frame costs a walk of every training row through the tree; all of them together may cost this many walks, so that a large
/// file is not slowed down by being filmed.
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
    /// How much of its nodes was kept: see [`Run::keeping`].
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
}

impl Frames {
    /// Notes that an epoch has ended, and keeps its tree if its turn has come.
    pub fn epoch(&mut self, run: &Run) {
        self.stride = self.stride.max(run.epochs_per_frame());
        self.since += 1;
        if self.since < self.stride && !self.kept.is_empty() {
            return;
        }
        self.since = 0;
        if self.kept.len() >= (MOST_WALKS / run.rows().train.max(1)).clamp(LEAST_FRAMES, MOST_FRAMES) {
            self.thin();
        }
        let model = run.current();
        let nodes = model.tree.nodes().iter();
        let tests: Vec<(String, Vec<usize>)> =
            model.tree.paths().into_iter().zip(nodes.map(|node| node.features().to_vec())).collect();
        let changed = self.kept.last().is_some_and(|before| before.tests != tests);
        let (progress, choices, keeping) = (run.progress(), run.choices(), run.keeping());
        self.kept.push(Frame { tree: model.tree, stats: model.stats, progress, choices, keeping, changed, tests });
    }

    /// Drops every second frame; what changed in one that goes, changed by the next that stays.
    fn thin(&mut self) {
        let mut carried = false;
        let mut at = 0;
        self.kept.retain_mut(|frame| {
            let keep = at % 2 == 0;
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
    pub fn kept(&self) -> &[Frame] {
        &self.kept
    }
}
