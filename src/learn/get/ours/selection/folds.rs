//! The choice by validation, asked of more samples than there are for it.
//!
//! A few hundred samples cannot tell which of several starts brought the better tree. So each start is also
//! made from other parts of the samples and judged on what was left out, and the losses of all parts are
//! added up: cross-validation of how a tree is made, not of one tree. What is chosen is then made once more
//! on all samples anyway.

use std::sync::Arc;

use crate::learn::Judges;
use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::ours::context::Context;
use crate::learn::get::ours::selection::{TreeSelection, losses};
use crate::learn::get::paper::parameters::Answer;
use crate::learn::get::paper::start::StartRun;
use crate::numeric::random::Random;

/// Parts beside the validation samples.
const PARTS: usize = 4;
/// With more samples than this in all, those for validation are enough: asking others found nothing better
/// (benches/record).
const MOST: usize = 5000;
/// With more numbers than this in all of them it takes long.
const MOST_NUMBERS: usize = 100_000;
/// A start that loses so many times what the best one does on the validation samples is left out.
const CLEARLY: f64 = 1.15;

/// Where a tree comes from that validation chooses from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Origin {
    /// This start.
    pub start: usize,
    /// Whether its descent ended with it; otherwise it was the best one on the way.
    pub ended: bool,
}

/// The starts on other parts of the samples, to be advanced step by step.
pub(crate) struct Folds {
    context: Arc<Context>,
    /// For each part that is left, the samples to fit and those to judge by.
    waiting: Vec<[Arc<Blocks<f32>>; 2]>,
    /// Starts that take part.
    starts: Vec<usize>,
    /// The start at work and its place among them.
    start: Option<(usize, StartRun)>,
    /// Starts that have ended.
    done: usize,
}

impl Folds {
    /// The samples that judge: those for validation, and the parts.
    pub(crate) const JUDGES: Judges = Judges::Folds { folds: PARTS as u32 + 1, rounds: 1, validation: true };

    /// Whether validation is asked so: where it chooses among starts, which are neither polished nor taught,
    /// and samples are few. Not for classes: it took several times as long and found nothing better, on glass
    /// something worse (benches/record).
    pub(crate) fn wanted(context: &Context) -> bool {
        let Some(valid) = &context.valid else { return false };
        let samples = context.blocks.samples() + valid.samples();
        let few = samples <= MOST && samples * context.blocks.features() <= MOST_NUMBERS;
        let chosen =
            context.plan.ended && context.answer == Answer::Constant && context.config.polish_levels() == 0;
        few && chosen && part(&context.blocks, valid) > 0
    }

    /// Begins with the first part. Tree `k + 1` of the choice is of origin `k`.
    pub(crate) fn new(context: Arc<Context>, choice: &mut TreeSelection, origins: &[Origin]) -> Self {
        let least = CLEARLY * choice.chosen().map_or(f64::INFINITY, |(_, loss, _)| loss);
        let near = |start: &usize| {
            let trees = origins.iter().enumerate().filter(|(_, origin)| origin.start == *start);
            trees.filter_map(|(at, _)| choice.loss(at + 1)).any(|loss| loss <= least)
        };
        let starts: Vec<usize> = (0..context.plan.starts).filter(near).collect();
        // Where none has a loss that could be compared, the choice stays as it is.
        let others = origins.iter().enumerate().filter(|(_, origin)| !starts.contains(&origin.start));
        others.filter(|_| !starts.is_empty()).for_each(|(at, _)| choice.add(at + 1, None));
        let waiting =
            context.valid.as_ref().map_or(vec![], |valid| parts(&context.blocks, valid, context.seed));
        let mut folds = Folds { waiting, starts, start: None, done: 0, context };
        folds.start = folds.start_at(0);
        folds
    }

    fn start_at(&self, place: usize) -> Option<(usize, StartRun)> {
        let plan = &self.context.plan;
        let [fitted, _] = self.waiting.last()?;
        Some((place, self.context.start(plan, fitted, self.context.depth(), *self.starts.get(place)?)))
    }

    /// Starts that have ended, of all.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.done, PARTS * self.starts.len())
    }

    /// Share of the work that is surely done.
    pub(crate) fn share(&self) -> f64 {
        let running = self.start.as_ref().map_or(0.0, |(_, start)| start.share());
        (self.done as f64 + running) / (PARTS * self.starts.len()).max(1) as f64
    }

    /// A small piece of work, with a pass over at most so many blocks; what a start loses is added to the
    /// choice. Returns whether there is more to do.
    pub(crate) fn advance(&mut self, blocks: usize, choice: &mut TreeSelection, origins: &[Origin]) -> bool {
        let (Some((place, start)), Some([fitted, judged])) = (&mut self.start, self.waiting.last()) else {
            return false;
        };
        if start.advance(blocks) {
            return true;
        }
        for (at, origin) in
            origins.iter().enumerate().filter(|(_, origin)| origin.start == self.starts[*place])
        {
            let tree = if origin.ended { start.ended() } else { start.best() };
            let lost = tree.map(|best| losses(&best.tree, fitted, judged));
            choice.add(at + 1, lost.as_deref());
        }
        self.done += 1;
        let next = *place + 1;
        if next < self.starts.len() {
            self.start = self.start_at(next);
        } else {
            self.waiting.pop();
            self.start = self.start_at(0);
        }
        self.start.is_some()
    }
}

/// Samples of a part that is left out: as many as there are for validation, or fewer where too few would be
/// left.
fn part(blocks: &Blocks<f32>, valid: &Blocks<f32>) -> usize {
    valid.samples().min(blocks.samples() / (PARTS + 1))
}

/// For each part the samples to fit, the validation samples among them, and those to judge by; the first part
/// is the last one here.
fn parts(blocks: &Blocks<f32>, valid: &Blocks<f32>, seed: u64) -> Vec<[Arc<Blocks<f32>>; 2]> {
    let order = Random::stream(seed, "folds").permutation(blocks.samples());
    let (order, size) = (order.into_iter().map(|i| i as u32).collect::<Vec<u32>>(), part(blocks, valid));
    let one = |k: usize| {
        let (before, from) = order.split_at(k * size);
        let (judged, behind) = from.split_at(size);
        let rest = blocks.select(&[before, behind].concat());
        let fitted = rest.joined(valid, Random::stream(seed, &format!("fold {k}")));
        [fitted, blocks.select(judged)].map(Arc::new)
    };
    (0..PARTS).rev().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::get::kernel::blocks::Truth;

    /// Samples that are known by their values.
    fn samples(values: std::ops::Range<u32>) -> Blocks<f32> {
        let rows: Vec<[f32; 1]> = values.map(|value| [value as f32]).collect();
        Blocks::pack(
            1,
            rows.iter().map(|x| (&x[..], Truth { value: f64::from(x[0]), class: 0, weight: 1.0 })),
        )
    }

    fn values(blocks: &Blocks<f32>) -> Vec<u32> {
        let mut values: Vec<u32> = (0..blocks.samples()).map(|i| blocks.truth(i).value as u32).collect();
        values.sort_unstable();
        values
    }

    #[test]
    fn every_part_is_judged_by_samples_that_no_other_has_and_fitted_to_all_others() {
        for (train, all) in [(80, 100), (80, 500), (7, 9)] {
            let (blocks, valid) = (samples(0..train), samples(train..all));
            let parts = parts(&blocks, &valid, 3);
            assert_eq!(parts.len(), PARTS);
            let mut judges: Vec<u32> = parts.iter().flat_map(|[_, judged]| values(judged)).collect();
            let count = judges.len();
            judges.sort_unstable();
            judges.dedup();
            assert!(
                judges.len() == count && count == PARTS * part(&blocks, &valid) && count > 0,
                "{judges:?}"
            );
            assert!(judges.iter().all(|&value| value < train), "validation samples have judged already");
            for [fitted, judged] in parts {
                let mut both = [values(&fitted), values(&judged)].concat();
                both.sort_unstable();
                assert_eq!(both, (0..all).collect::<Vec<_>>());
            }
        }
    }
}
