//! Hyper-parameters as a list, with help and ranges.

use super::config::{Config, MOST_DEPTH};
use crate::learn::{Entry, Params, Slot};

impl Params for Config {
    fn entries(&mut self) -> Vec<Entry<'_>> {
        let entry = |key, help, slot| Entry { key, help, slot };
        let ([first_min, first_max], [last_min, last_max]) = (&mut self.alpha_first, &mut self.alpha_last);
        let alpha = 0.1..=10_000.0;
        vec![
            entry(
                "depth",
                "Questions from the root to a leaf, at most; validation may keep fewer.",
                Slot::Whole(&mut self.depth, 1..=MOST_DEPTH),
            ),
            entry(
                "tune",
                "Whether validation chooses the depth, from 1 to the one given, and the l1: one training for \
                 each, then one more on all rows.",
                Slot::Choice(&mut self.tune),
            ),
            entry(
                "starts",
                "Number of descents. The first one starts from CART's tree; under the recipe espalier the \
                 next ones start from greedy oblique trees; the others start at random.",
                Slot::Whole(&mut self.starts, 1..=100),
            ),
            entry(
                "epochs",
                "Passes over the training rows in one run; 0 takes 20 to 150, the more the fewer rows there \
                 are.",
                Slot::Whole(&mut self.epochs, 0..=100_000),
            ),
            entry(
                "batch",
                "Training rows per step, in steps of 64; 0 takes all of them.",
                Slot::Whole(&mut self.batch, 0..=1_000_000),
            ),
            entry("rate", "How fast splits move at most.", Slot::Real(&mut self.rate, 0.0..=1.0)),
            entry(
                "alphas",
                "Number of scale factors that make the splits of a start steeper: under the recipe published \
                 there is a run for each, under espalier one run goes from the first to the last.",
                Slot::Whole(&mut self.alphas, 1..=8),
            ),
            entry(
                "alpha_first_min",
                "Least first scale factor; each start draws its own.",
                Slot::Real(first_min, alpha.clone()),
            ),
            entry("alpha_first_max", "Greatest first scale factor.", Slot::Real(first_max, alpha.clone())),
            entry("alpha_last_min", "Least last scale factor.", Slot::Real(last_min, alpha.clone())),
            entry("alpha_last_max", "Greatest last scale factor.", Slot::Real(last_max, alpha)),
            entry(
                "l1",
                "Draws small weights of a split towards 0; 0.0001 is much.",
                Slot::Real(&mut self.l1, 0.0..=1.0),
            ),
            entry(
                "columns",
                "The most columns in a weighted sum, so that a split can be read; 0 for all of them.",
                Slot::Whole(&mut self.columns, 0..=1000),
            ),
            entry(
                "spare",
                "How readily splits do without columns: one stays out if it gains less than this many times \
                 what a column of noise would. Validation may take less for the finished tree; 0 keeps all.",
                Slot::Real(&mut self.spare, 0.0..=100.0),
            ),
            entry(
                "polish",
                "Whether every subtree is searched for anew on its own rows.",
                Slot::Choice(&mut self.polish),
            ),
            entry(
                "polish_starts",
                "Number of descents in each node that is polished.",
                Slot::Whole(&mut self.polish_starts, 1..=100),
            ),
            entry(
                "refine",
                "Whether validation rows choose how many levels are kept and how far small leaves lean on \
                 their parents.",
                Slot::Choice(&mut self.refine),
            ),
            entry(
                "teach",
                "Whether one more tree learns from the mean of the others and of a forest, also at synthetic \
                 rows, and validation decides if it is better (numbers); or all trees learn from synthetic \
                 rows that a forest labelled (classes). Up to 50,000 rows and 100 columns; it needs refine.",
                Slot::Choice(&mut self.teach),
            ),
            entry(
                "start",
                "Where descents start: at greedy trees only, at random only, or the first ones at greedy \
                 trees and the others at random.",
                Slot::Choice(&mut self.start),
            ),
        ]
    }
}
