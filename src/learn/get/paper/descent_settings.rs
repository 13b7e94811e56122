//! How a descent is made, and the published values.

use super::hard_leaves::Refit;
use super::optimiser::AdamW;
use crate::learn::get::settings::Config;

/// How a descent is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DescentSettings {
    /// Passes over the samples, at most; 3000 in the paper.
    pub epochs: usize,
    /// Blocks per step; at least as many as there are means all samples at once, as in the paper.
    pub batch: usize,
    /// Greatest learning rate; 0.01 in the paper.
    pub rate: f64,
    /// Weight decay.
    pub decay: f64,
    /// λ, the strength of the L1 penalty on plane weights.
    pub l1: f64,
    /// Whether leaves take their best value for the present shares, instead of following their gradient.
    /// Classes always do.
    pub closed_leaves: bool,
    /// Epochs between hard checks.
    pub check: usize,
    /// Epochs without a better hard tree after which the descent ends; 0 for never.
    pub patience: usize,
    /// Reach below which a branch is passed over for a block.
    pub negligible: f32,
    /// How leaves are refitted in hard checks.
    pub refit: Refit,
}

impl DescentSettings {
    /// The published settings for so many samples.
    pub fn published(config: &Config, samples: usize) -> Self {
        DescentSettings {
            epochs: config.epochs_for(samples) as usize,
            batch: config.batch_blocks(),
            rate: config.rate,
            decay: AdamW::<f32>::DECAY,
            l1: config.l1,
            closed_leaves: false,
            check: 1,
            patience: 0,
            // With all samples in every step blocks are sorted by leaf, so passing over branches pays most
            // there.
            negligible: 1e-5,
            refit: Refit::PLAIN,
        }
    }
}
