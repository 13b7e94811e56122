//! What follows from the settings: how the samples are encoded, what is minimised, how long a run may be.

use super::{Config, Encoding, Fill, LossChoice};
use crate::encode::{Categories, Labels, Missing, Resample, Wants};
use crate::learn::regression::RegressionLoss;
use crate::learn::{Size, StartChoice, Teach};
use crate::numeric::loss::Loss;
use crate::numeric::pinball::Pinball;

/// Epochs of a run that leaves them to the size of the table, at most.
const MOST_EPOCHS: u32 = 1000;

/// Numbers (samples times features) that such a run looks at beside greedy starts: with many samples it has
/// learned what it can after fewer epochs.
const MOST_NUMBERS: usize = 16_000_000;

impl Config {
    /// How the design matrix is to be.
    pub fn wants(&self) -> Wants {
        Wants {
            scale: self.scale,
            quantile_noise: self.quantile_noise,
            missing: match self.missing {
                Fill::Median => Missing::Median,
                Fill::Indicator => Missing::Indicator,
            },
            // A greedy search would take the small step that leaving a row's own outcome out makes, and learn
            // nothing.
            categories: match self.categories {
                Encoding::LeaveOneOut => Categories::AllLeaveOneOut,
                Encoding::Auto if self.grows_greedily() => Categories::Mean,
                Encoding::Auto => Categories::LeaveOneOut,
            },
            resample: self.resample,
            validation: true,
        }
    }

    /// Most epochs of a run on so many samples of so many encoded columns.
    pub(in crate::learn::gradtree) fn epochs_for(&self, samples: usize, features: usize) -> u32 {
        match self.epochs {
            0 if self.has_greedy_starts() => {
                MOST_EPOCHS.min((MOST_NUMBERS / (samples * features).max(1)).max(10) as u32)
            }
            0 => MOST_EPOCHS,
            epochs => epochs,
        }
    }

    /// The values for a table of a size.
    pub(crate) fn sized(&self, size: Size) -> Config {
        Config { epochs: self.epochs_for(size.train, size.features), ..self.clone() }
    }

    /// Whether some units start at greedy trees.
    pub fn has_greedy_starts(&self) -> bool {
        self.start != StartChoice::Random
    }

    /// Whether some tree is grown greedily: a start, or the trees of a forest that teaches.
    pub fn grows_greedily(&self) -> bool {
        self.has_greedy_starts() || self.teach == Teach::Forest
    }

    /// Whether the forest teaches all starts by synthetic rows, because none of them is greedy.
    pub fn taught_by_rows(&self) -> bool {
        self.teach == Teach::Forest && !self.has_greedy_starts()
    }

    /// Whether parts of the training samples may judge the others: synthetic samples would judge their own
    /// models.
    pub fn cross_validates(&self) -> bool {
        self.has_greedy_starts() && self.resample == Resample::None
    }

    /// What regression minimises.
    pub(super) fn regression(&self) -> RegressionLoss {
        match self.loss {
            LossChoice::Absolute => RegressionLoss::Absolute,
            LossChoice::Quantile => RegressionLoss::Quantile,
            LossChoice::CrossEntropy | LossChoice::Focal | LossChoice::Squared => RegressionLoss::Squared,
        }
    }

    /// What regression minimises, unless it is the squared error.
    pub fn pinball(&self) -> Option<Pinball> {
        self.regression().pinball(self.quantile)
    }

    /// The loss for these labels.
    pub fn loss(&self, labels: &Labels) -> Loss {
        match labels {
            Labels::Values(_) => self.pinball().map_or(Loss::SquaredError, Loss::Pinball),
            Labels::Classes { .. } => {
                let focal_gamma = if self.loss == LossChoice::Focal { self.focal_gamma } else { 0.0 };
                Loss::Classes { focal_gamma, poly_epsilon: self.poly_epsilon }
            }
        }
    }
}

/// Outputs per leaf: one logit for two classes, one per class beyond, one number for regression.
pub(in crate::learn::gradtree) fn outputs(labels: &Labels) -> usize {
    match labels {
        Labels::Classes { classes: 0..=2, .. } | Labels::Values(_) => 1,
        Labels::Classes { classes, .. } => *classes,
    }
}
