//! What all descents of a training share.

use super::course::Course;
use super::expressible::Groups;
use super::objective::Penalised;
use crate::learn::relaxed::paper::descent::Setup;
use crate::learn::relaxed::paper::parameters::Shape;
use crate::learn::relaxed::paper::samples::{Samples, Units};
use crate::learn::relaxed::paper::start::Scores;

/// What all descents of a training share.
pub struct Context {
    /// The tree to be learned.
    pub shape: Shape,
    /// What is minimised.
    pub objective: Penalised,
    /// The course of each descent.
    pub course: Course,
    /// How pruning scores begin.
    pub scores: Scores,
    /// Whether the best hard tree is kept; if not, the best relaxed one.
    pub by_hard: bool,
    /// Pruning variables of at most this are 0 once they are frozen.
    pub prune_below: f64,
    /// What each node but the root costs in the hard tree.
    pub charge: f64,
    /// How many descents begin at greedy trees: the second at one of single columns, the others at an oblique
    /// one.
    pub greedy: u32,
    /// All descents.
    pub restarts: u32,
    /// Samples to learn from.
    pub train: Samples,
    /// Samples to choose by; may be none.
    pub valid: Samples,
    /// What may stand in one split.
    pub groups: Groups,
    /// The target's own units.
    pub units: Units,
    /// The seed.
    pub seed: u64,
}

impl Context {
    /// What the published descent needs.
    pub fn setup(&self) -> Setup<'_> {
        Setup { shape: &self.shape, objective: &self.objective, train: &self.train, valid: &self.valid }
    }
}
