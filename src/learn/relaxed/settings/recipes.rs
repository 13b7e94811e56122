//! The values of each recipe, and what follows from the settings: objective, course, starts.

use super::Config;
use crate::learn::relaxed::ours::course::Course;
use crate::learn::relaxed::ours::objective::Penalised;
use crate::learn::relaxed::paper::objective::Published;
use crate::learn::relaxed::paper::predictor::Predictor;
use crate::learn::relaxed::paper::start::Scores;
use crate::learn::relaxed::paper::traversal::Version;
use crate::learn::{Recipe, StartChoice, Teach};

/// The predictor's ridge μ. A node can do with a smaller a if the predictor grows, so a never quite reaches
/// 0. With the ridge a node of effect p settles at a³ = 2 μ p²/λ, which is at most [`PRUNE_BELOW`] where p²
/// is at most 80 λ.
const RIDGE: f64 = 1e-4;
const PRUNE_BELOW: f64 = 0.25;

/// The greedy trees that descents begin at: an oblique one, and one of single columns.
const GREEDY: u32 = 2;

impl Config {
    /// The values of a recipe.
    pub fn of(recipe: Recipe) -> Config {
        let espalier = Config {
            recipe,
            depth: 6,
            prune: 0.2,
            version: Version::A,
            predictor: Predictor::Traversal,
            restarts: 4,
            epochs: 0,
            batch: 0,
            rate: 0.02,
            balance: 0.5,
            l1: 0.0,
            columns: 0,
            start: StartChoice::Both,
            teach: Teach::Off,
        };
        match recipe {
            Recipe::Espalier => espalier,
            // One run from a random start, in which all samples count alike.
            Recipe::Published => Config {
                restarts: 1,
                epochs: 100,
                batch: 512,
                rate: 1e-3,
                balance: 0.0,
                start: StartChoice::Random,
                ..espalier
            },
        }
    }

    /// What is minimised. The slider `prune` is logarithmic between its ends.
    pub fn objective(&self) -> Penalised {
        let between = |low: f64, high: f64| libm::pow(10.0, low + (high - low) * self.prune);
        let (paper, version) = (self.published(), self.version);
        let prunes = self.prune > 0.0 && self.prune < 1.0;
        let (kappa, lambda, charge) = match (version, paper) {
            _ if !prunes => (None, 0.0, 0.0),
            // λ of the text is log-uniform in 0.001 to 1000.
            (Version::A, true) => (Some(1.0), between(-3.0, 3.0), 0.0),
            (Version::A, false) => (Some(1.0), 0.0, between(-5.0, 0.0)),
            (Version::B, true) => (Some(between(0.0, 4.0)), 0.0, 0.0),
            (Version::B, false) => (Some(between(-3.0, 1.0)), 0.0, 0.0),
        };
        let published = Published { version, kappa, lambda };
        Penalised {
            published,
            per_sample: !paper,
            charge,
            ridge: if paper { 0.0 } else { RIDGE },
            l1: self.l1,
        }
    }

    /// Pruning variables of at most this are 0 once they are frozen.
    pub fn prune_below(&self) -> f64 {
        if self.published() { 0.0 } else { PRUNE_BELOW }
    }

    /// How many descents begin at greedy trees, at most; the others begin at random.
    pub fn greedy(&self) -> u32 {
        if self.start == StartChoice::Random { 0 } else { GREEDY }
    }

    /// All descents.
    pub fn descents(&self) -> u32 {
        let most = if self.start == StartChoice::Greedy { GREEDY } else { u32::MAX };
        self.restarts.clamp(1, most)
    }

    /// The charge for each node but the root of the hard tree: as much as in the objective.
    pub fn charge(&self) -> f64 {
        if self.published() || self.prune == 0.0 { 0.0 } else { libm::pow(10.0, 5.0 * (self.prune - 1.0)) }
    }

    /// How pruning scores begin.
    pub fn scores(&self) -> Scores {
        match (self.version, self.published()) {
            (Version::B, _) => Scores::Level(0.0),
            (Version::A, true) => Scores::Uniform,
            (Version::A, false) => Scores::Level(0.8),
        }
    }

    /// The course of a descent over this many samples.
    pub fn course(&self, samples: usize) -> Course {
        let given = |value: u32, by_size: usize| if value == 0 { by_size } else { value as usize };
        let paper = self.published();
        let batch = given(self.batch, (samples / 16).clamp(16, 256)).clamp(1, samples.max(1));
        let per_epoch = samples.div_ceil(batch).max(1);
        let epochs = given(self.epochs, 2400usize.div_ceil(per_epoch).clamp(20, 150));
        Course {
            epochs,
            batch,
            rate: self.rate,
            patience: if paper { 10 } else { epochs.div_ceil(2) },
            scale: if paper { [1.0; 2] } else { [1.0, 4.0] },
            settle: epochs * 2 / 5,
            ripe: if paper { 0 } else { epochs * 2 / 5 },
            rest: epochs / 10,
            falling: !paper,
        }
    }
}
