//! The values of each recipe.

use super::config::{Config, MOST_DEPTH, Switch, Tune};
use crate::learn::{Recipe, Size, StartChoice, TargetKind, Teach};

/// With more training samples or features than this no tree is distilled: it would take much longer than the
/// search.
pub(crate) const MOST_TAUGHT: usize = 50_000;
/// The most features with which a tree is distilled.
pub(crate) const MOST_TAUGHT_FEATURES: usize = 100;

impl Config {
    /// The values of a recipe, with constant or with linear leaves.
    pub fn of(linear: bool, recipe: Recipe) -> Config {
        let espalier = Config {
            linear,
            recipe,
            depth: if linear { 7 } else { 9 },
            tune: Tune::Off,
            starts: 4,
            epochs: 0,
            batch: 256,
            rate: 0.03,
            alphas: 2,
            alpha_first: [5.0, 25.0],
            // The authors' program; the text has 50 to 150.
            alpha_last: [80.0, 120.0],
            l1: 0.0,
            columns: 0,
            spare: 2.0,
            polish: Switch::Off,
            polish_starts: 3,
            refine: Switch::On,
            // With constant leaves a student gained on some tables what it lost on others, and took most of
            // the time (benches/record), so there it has to be asked for.
            teach: if linear { Teach::Forest } else { Teach::Off },
            start: StartChoice::Both,
        };
        match recipe {
            Recipe::Espalier => espalier,
            Recipe::Published => Config {
                depth: MOST_DEPTH,
                tune: if linear { Tune::DepthAndL1 } else { Tune::Depth },
                starts: 10,
                epochs: 3000,
                batch: 0,
                rate: 0.01,
                alpha_last: [50.0, 150.0],
                spare: 0.0,
                polish: if linear { Switch::Off } else { Switch::On },
                polish_starts: 10,
                refine: Switch::Off,
                teach: Teach::Off,
                ..espalier
            },
        }
    }

    /// Gives what was not said the values that follow from what was.
    pub(crate) fn follow(&mut self, target: TargetKind, said: &dyn Fn(&str) -> bool) {
        // A depth that is said is not searched for, nor is a penalty. What refines asks validation how many
        // levels are kept.
        if !said("tune") {
            if said("depth") || self.refines() {
                self.tune = Tune::Off;
            } else if self.tune == Tune::DepthAndL1 && said("l1") {
                self.tune = Tune::Depth;
            }
        }
        // A student needs validation to judge it, and numbers to learn.
        if !said("teach") && (!self.refines() || matches!(target, TargetKind::Classes(_))) {
            self.teach = Teach::Off;
        }
        if !said("polish_starts") && said("starts") {
            self.polish_starts = self.starts;
        }
    }

    /// The values for a table of a size. Without validation samples there is nothing to refine or to judge a
    /// student by.
    pub(crate) fn sized(&self, size: Size) -> Config {
        let judged = size.valid > 0;
        let taught = judged && size.train <= MOST_TAUGHT && size.features <= MOST_TAUGHT_FEATURES;
        Config {
            epochs: self.epochs_for(size.train),
            refine: if judged { self.refine } else { Switch::Off },
            teach: if taught { self.teach } else { Teach::Off },
            ..self.clone()
        }
    }
}
