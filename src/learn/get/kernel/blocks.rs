//! Samples in blocks, in both layouts that the products want.

use crate::numeric::Real;
use crate::numeric::random::Random;
use crate::numeric::slices::{Slice, at_once};

pub use crate::learn::get::settings::BLOCK;

/// Samples that are packed, or routed, between two looks at how much was done.
pub const PIECE: usize = 1 << 13;

/// Samples with a constant 1 behind their features, so that a plane's threshold and a leaf's constant are
/// weights like others.
#[derive(Debug, Clone)]
pub struct Blocks<R> {
    /// F.
    features: usize,
    /// F + 1, rounded up to a multiple of 4; columns beyond F + 1 are 0.
    width: usize,
    samples: usize,
    /// Per block (F + 1) × 64.
    by_feature: Vec<R>,
    /// Per block 64 × width.
    by_sample: Vec<R>,
    /// Weight per sample; 0 for those that only fill the last block.
    weight: Vec<R>,
    /// The target per sample, 0 for classes.
    target: Vec<R>,
    /// The class per sample, 0 for numbers.
    class: Vec<u32>,
    /// Sum of all weights.
    total: f64,
    /// Which features may have a weight in a sum.
    summable: Vec<bool>,
}

/// One block.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a, R> {
    /// (F + 1) × 64.
    pub by_feature: &'a [R],
    /// 64 × width.
    pub by_sample: &'a [R],
    /// 64.
    pub weight: &'a [R],
    /// 64.
    pub target: &'a [R],
    /// 64.
    pub class: &'a [u32],
}

/// What a sample is to be: a number (scaled), or a class with its weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Truth {
    /// The number; 0 for classes.
    pub value: f64,
    /// The class; 0 for numbers.
    pub class: u32,
    /// How much the sample counts.
    pub weight: f64,
}

impl<R: Real> Blocks<R> {
    /// Packs samples: `rows` gives each sample's F values and its truth, in the order in which they are kept.
    pub fn pack<'a>(features: usize, rows: impl ExactSizeIterator<Item = (&'a [f32], Truth)>) -> Self {
        let converted = rows.map(|(x, truth)| (x.iter().map(|&x| f64::from(x)), truth));
        Self::pack_exact(features, converted)
    }

    /// The same from f64, for checks.
    pub fn pack_exact(
        features: usize,
        rows: impl ExactSizeIterator<Item = (impl Iterator<Item = f64>, Truth)>,
    ) -> Self {
        let mut packed = Self::empty(features, rows.len());
        for (i, (x, truth)) in rows.enumerate() {
            packed.put(i, x, truth);
        }
        packed
    }

    /// Room for samples.
    fn empty(features: usize, samples: usize) -> Self {
        let width = (features + 1).next_multiple_of(4);
        let blocks = samples.div_ceil(BLOCK);
        Blocks {
            features,
            width,
            samples,
            by_feature: vec![R::ZERO; blocks * (features + 1) * BLOCK],
            by_sample: vec![R::ZERO; blocks * BLOCK * width],
            weight: vec![R::ZERO; blocks * BLOCK],
            target: vec![R::ZERO; blocks * BLOCK],
            class: vec![0; blocks * BLOCK],
            total: 0.0,
            summable: vec![true; features],
        }
    }

    /// Puts a sample, the one after the last, in its place.
    fn put(&mut self, i: usize, x: impl Iterator<Item = f64>, truth: Truth) {
        let (block, lane) = (i / BLOCK, i % BLOCK);
        for (j, value) in x.chain([1.0]).enumerate() {
            self.by_feature[(block * (self.features + 1) + j) * BLOCK + lane] = R::from_f64(value);
            self.by_sample[i * self.width + j] = R::from_f64(value);
        }
        self.weight[i] = R::from_f64(truth.weight);
        self.target[i] = R::from_f64(truth.value);
        self.class[i] = truth.class;
        self.total += truth.weight;
    }

    /// The same samples, with features that have no place in a sum: a category may only be asked about alone.
    pub fn with_apart(mut self, apart: &[usize]) -> Self {
        apart.iter().for_each(|&feature| self.summable[feature] = false);
        self
    }

    /// The same samples, with the features of others that may have a weight in a sum.
    pub fn with_summable(mut self, summable: &[bool]) -> Self {
        self.summable.copy_from_slice(summable);
        self
    }

    /// Which features may have a weight in a sum (F).
    pub fn summable(&self) -> &[bool] {
        &self.summable
    }

    /// F.
    pub fn features(&self) -> usize {
        self.features
    }

    /// Numbers per plane or linear leaf, with padding.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of samples.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The number of blocks.
    pub fn count(&self) -> usize {
        self.samples.div_ceil(BLOCK)
    }

    /// Sum of all weights.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// A block.
    pub fn block(&self, at: usize) -> Block<'_, R> {
        let (tall, wide) = ((self.features + 1) * BLOCK, BLOCK * self.width);
        let lanes = at * BLOCK..(at + 1) * BLOCK;
        Block {
            by_feature: &self.by_feature[at * tall..(at + 1) * tall],
            by_sample: &self.by_sample[at * wide..(at + 1) * wide],
            weight: &self.weight[lanes.clone()],
            target: &self.target[lanes.clone()],
            class: &self.class[lanes],
        }
    }

    /// The values of sample `i` with the constant behind them (F + 1).
    pub fn sample(&self, i: usize) -> &[R] {
        &self.by_sample[i * self.width..i * self.width + self.features + 1]
    }

    /// What sample `i` is to be.
    pub fn truth(&self, i: usize) -> Truth {
        Truth { value: self.target[i].to_f64(), class: self.class[i], weight: self.weight[i].to_f64() }
    }

    /// Some of the samples, packed anew.
    pub fn select(&self, samples: &[u32]) -> Blocks<R> {
        at_once(self.select_in_slices(samples, &mut Slice::default()))
    }

    /// The same in slices.
    pub async fn select_in_slices(&self, samples: &[u32], slice: &mut Slice) -> Blocks<R> {
        let mut packed = Self::empty(self.features, samples.len());
        for (piece, samples) in samples.chunks(PIECE).enumerate() {
            for (at, &i) in samples.iter().enumerate() {
                let x = self.sample(i as usize)[..self.features].iter().map(|x| x.to_f64());
                packed.put(piece * PIECE + at, x, self.truth(i as usize));
            }
            slice.spend(8 * self.width * samples.len()).await;
        }
        packed.summable.clone_from(&self.summable);
        packed
    }

    /// These samples and others, in a random order.
    pub fn joined(&self, others: &Blocks<R>, mut random: Random) -> Blocks<R> {
        let order = random.permutation(self.samples + others.samples);
        let row = |&i: &usize| {
            let (from, i) = if i < self.samples { (self, i) } else { (others, i - self.samples) };
            (from.sample(i)[..self.features].iter().map(|x| x.to_f64()), from.truth(i))
        };
        let mut packed = Self::pack_exact(self.features, order.iter().map(row));
        packed.summable.clone_from(&self.summable);
        packed
    }
}
