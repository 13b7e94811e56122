//! The list of settings: name, help and range of each.

use super::Config;
use crate::learn::regression::{QUANTILE_HELP, QUANTILES};
use crate::learn::{Entry, Params, Slot};

impl Params for Config {
    fn entries(&mut self) -> Vec<Entry<'_>> {
        let entry = |key, help, slot| Entry { key, help, slot };
        let rate = 0.0..=10.0;
        vec![
            entry(
                "depth",
                "Questions from the root to a leaf, at most; unused branches are cut afterwards.",
                Slot::Whole(&mut self.depth, 1..=12),
            ),
            entry(
                "restarts",
                "Number of runs. With greedy starts the first begins at a greedy tree and the others at \
                 random; held-out rows choose.",
                Slot::Whole(&mut self.restarts, 1..=32),
            ),
            entry(
                "epochs",
                "Passes over the training rows from a random start, at most; 0 takes 1000, and fewer for \
                 many rows. refine sets those from a greedy tree.",
                Slot::Whole(&mut self.epochs, 0..=100_000),
            ),
            entry(
                "patience",
                "A random start ends after this many passes without a better validation loss.",
                Slot::Whole(&mut self.patience, 1..=100_000),
            ),
            entry(
                "average",
                "Weight averaging: a random start's tree is the mean of the parameters after so many last \
                 passes; 1 is no averaging.",
                Slot::Whole(&mut self.average, 1..=100),
            ),
            entry(
                "batch",
                "Training rows per step; at most half of them are used at once.",
                Slot::Whole(&mut self.batch, 1..=65_536),
            ),
            entry(
                "lr_index",
                "How fast a split may change its mind about which column to ask about.",
                Slot::Real(&mut self.lr_index, rate.clone()),
            ),
            entry("lr_values", "How fast thresholds move.", Slot::Real(&mut self.lr_values, rate.clone())),
            entry("lr_leaf", "How fast the answers in the leaves move.", Slot::Real(&mut self.lr_leaf, rate)),
            entry(
                "split",
                "How rows far from a threshold count: sigmoid lets them fade, softsign keeps some of their \
                 say.",
                Slot::Choice(&mut self.split),
            ),
            entry(
                "loss",
                "What is minimised. Classes: cross_entropy, or focal to dwell on the rows that are still \
                 wrong. Numbers: squared (the default), absolute (leaves answer with the median) or \
                 quantile.",
                Slot::Choice(&mut self.loss),
            ),
            entry("quantile", QUANTILE_HELP, Slot::Real(&mut self.quantile, QUANTILES)),
            entry(
                "focal_gamma",
                "How strongly the focal loss passes over rows that are already right.",
                Slot::Real(&mut self.focal_gamma, 0.0..=10.0),
            ),
            entry(
                "poly_epsilon",
                "Extra push towards the right class (PolyLoss); 0 is none.",
                Slot::Real(&mut self.poly_epsilon, -1.0..=10.0),
            ),
            entry(
                "class_weight",
                "balanced gives rare classes the same say as common ones.",
                Slot::Choice(&mut self.class_weight),
            ),
            entry(
                "init",
                "How a run starts: glorot as in the paper, normal as in the authors' later package.",
                Slot::Choice(&mut self.init),
            ),
            entry(
                "tie_init",
                "Start with thresholds equal to the column scores, as the authors' program does by accident.",
                Slot::Flag(&mut self.tie_init),
            ),
            entry(
                "scale",
                "How columns of numbers are scaled for training: quantile by rank, standard by mean and \
                 deviation, minmax to 0 and 1, or none. The tree always speaks in the file's units.",
                Slot::Choice(&mut self.scale),
            ),
            entry(
                "quantile_noise",
                "Noise that keeps repeated values from sharing one rank when scale is quantile.",
                Slot::Real(&mut self.quantile_noise, 0.0..=1.0),
            ),
            entry(
                "missing",
                "What stands for a missing number: the median, or with indicator also a column that says \
                 where it was missing.",
                Slot::Choice(&mut self.missing),
            ),
            entry(
                "categories",
                "How words become numbers: auto has a column per word below ten words, and the target's mean \
                 beyond; leave_one_out has the mean over the other rows in every column of words, as \
                 published, for random starts.",
                Slot::Choice(&mut self.categories),
            ),
            entry(
                "resample",
                "smote adds synthetic training rows until every class is as common as the most common one; \
                 auto does so only if a class is rare.",
                Slot::Choice(&mut self.resample),
            ),
            entry(
                "start",
                "Where runs start: at a greedy tree, at random numbers as published, or the first at a \
                 greedy tree and the others at random.",
                Slot::Choice(&mut self.start),
            ),
            entry(
                "teach",
                "Whether a forest teaches the greedy starts (forest, off). Where all starts are random it \
                 labels synthetic rows for them.",
                Slot::Choice(&mut self.teach),
            ),
            entry(
                "teacher",
                "Trees of the forest that teaches a greedy start: their votes soften its targets; 0 is none.",
                Slot::Whole(&mut self.teacher, 0..=500),
            ),
            entry(
                "trust",
                "The share of those votes in a greedy start's targets; the rest is the row's own.",
                Slot::Real(&mut self.trust, 0.0..=1.0),
            ),
            entry(
                "crossed",
                "Made-up rows per training row that a greedy start is also grown on, answered by those \
                 trees; 0 is none.",
                Slot::Real(&mut self.crossed, 0.0..=100.0),
            ),
            entry(
                "balance",
                "How far rare classes count more in a greedy start: 0 not at all, 1 as if all classes were \
                 equally common.",
                Slot::Real(&mut self.balance, 0.0..=1.0),
            ),
            entry(
                "refine",
                "Passes of gradient descent from a greedy start; they are undone where held-out rows get \
                 clearly worse. 0 is none.",
                Slot::Whole(&mut self.refine, 0..=10_000),
            ),
            entry(
                "refine_rate",
                "What multiplies the learning rates from a greedy start.",
                Slot::Real(&mut self.refine_rate, 0.0..=10.0),
            ),
            entry(
                "lead",
                "How far a greedy split's own column leads the others; from 2 on it cannot change any more.",
                Slot::Real(&mut self.lead, 0.0..=10.0),
            ),
            entry(
                "caution",
                "How much clearer than chance held-out rows must prefer another pruning or answer to the \
                 usual one.",
                Slot::Real(&mut self.caution, 0.0..=10.0),
            ),
            entry(
                "refit",
                "Make the chosen tree again from the training and validation rows together; of a random \
                 start only the leaves.",
                Slot::Flag(&mut self.refit),
            ),
        ]
    }
}
