//! The course of a descent: how long, how fast and how steep.

/// The course of a descent over a number of samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Course {
    /// Passes over the samples, at most.
    pub epochs: usize,
    /// Samples per step.
    pub batch: usize,
    /// Learning rate at the start.
    pub rate: f64,
    /// Epochs without improvement after which a descent ends.
    pub patience: usize,
    /// The factor of split scores at the start and at the end; 1 throughout as published.
    pub scale: [f64; 2],
    /// The epoch after which planes are settled.
    pub settle: usize,
    /// Earlier epochs are not kept after a random start: a good validation loss this early is luck.
    pub ripe: usize,
    /// Epochs in which the planes of a greedy start do not move, while the predictor is fitted.
    pub rest: usize,
    /// Whether the rate falls with every epoch; else to a tenth after three epochs without improvement, as
    /// published.
    pub falling: bool,
}
