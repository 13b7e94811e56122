//! The declared list of hyper-parameters: keys, help lines and ranges.

use super::Config;
use crate::learn::{Entry, Params, Slot, TEACH_HELP};

impl Params for Config {
    fn entries(&mut self) -> Vec<Entry<'_>> {
        let entry = |key, help, slot| Entry { key, help, slot };
        vec![
            entry(
                "depth",
                "Questions from the root to a leaf, at most; pruning may leave fewer.",
                Slot::Whole(&mut self.depth, 1..=10),
            ),
            entry(
                "prune",
                "How strongly nodes are pruned while they are learned: 0 keeps everything, 1 leaves one \
                 split.",
                Slot::Real(&mut self.prune, 0.0..=1.0),
            ),
            entry(
                "restarts",
                "Number of runs. With greedy starts the first two begin at greedy trees and the others at \
                 random; validation chooses.",
                Slot::Whole(&mut self.restarts, 1..=100),
            ),
            entry(
                "start",
                "Where runs start: at greedy trees (two at most), at random numbers as published, or the \
                 first two at greedy trees and the others at random.",
                Slot::Choice(&mut self.start),
            ),
            entry("teach", TEACH_HELP, Slot::Choice(&mut self.teach)),
            entry(
                "columns",
                "The most columns in a weighted sum, so that a split can be read; 0 for all of them.",
                Slot::Whole(&mut self.columns, 0..=1000),
            ),
            entry(
                "version",
                "a learns a pruning score for every node; b has one strength for all, as in the released \
                 program.",
                Slot::Choice(&mut self.version),
            ),
            entry(
                "predictor",
                "What reads the tree while it is learned: traversal sees the tree alone, linear and mlp the \
                 columns too.",
                Slot::Choice(&mut self.predictor),
            ),
            entry(
                "epochs",
                "Passes over the training rows, at most; 0 takes 20 to 150, the more the fewer rows there \
                 are.",
                Slot::Whole(&mut self.epochs, 0..=100_000),
            ),
            entry(
                "batch",
                "Training rows per step; 0 takes a sixteenth of them, 16 to 256.",
                Slot::Whole(&mut self.batch, 0..=1_000_000),
            ),
            entry("rate", "How fast everything moves at first.", Slot::Real(&mut self.rate, 0.0..=1.0)),
            entry(
                "balance",
                "How far rare classes count more: 0 not at all, 1 as if all classes were equally common.",
                Slot::Real(&mut self.balance, 0.0..=1.0),
            ),
            entry(
                "l1",
                "Draws small weights of a split towards 0; 0.001 is much.",
                Slot::Real(&mut self.l1, 0.0..=1.0),
            ),
        ]
    }
}
