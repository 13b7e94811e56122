//! Synthetic rows: rows that are mixed from samples, and that the teacher answers.
//!
//! The samples of a node become few with its depth, so a split far down is chosen by a handful of them. The
//! teacher can answer any row. A synthetic row takes most of its features from one sample and each of the
//! others, with probability [`SWAP`], from some other sample; the teacher's mean vote is its target (Breiman
//! and Shang, *Born again trees*, 1996). Splits are chosen by both kinds together; answers come from the real
//! ones alone.

use std::sync::Arc;

use super::votes::VotingForest;
use crate::encode::Design;
use crate::learn::greedy::histogram::{HistogramNode, SoftSamples};
use crate::numeric::random::Random;

/// The probability that a feature comes from another sample.
const SWAP: f64 = 0.25;
/// Few samples get at least so many synthetic ones,
const LEAST: usize = 2000;
/// and many at most so many.
const MOST: usize = 20_000;
/// Synthetic rows made in one piece of work.
const PIECE: usize = 2000;
/// Real samples that are added to the answers at a time.
const ADDED: usize = 100_000;

/// Synthetic samples in the making.
pub(crate) struct RecombinedRows {
    /// How many are wanted.
    count: usize,
    /// (M × F) the sample that each feature comes from.
    source: Vec<u32>,
    /// (N + M × C)
    target: Vec<f32>,
    /// (N + M)
    weight: Vec<f32>,
    random: Random,
}

impl RecombinedRows {
    /// None made yet. There are to be `times` as many as samples in `fit`, within limits.
    ///
    /// * `data`  all samples with their softened targets
    pub(crate) fn new(data: &SoftSamples, fit: &[u32], times: f64, seed: u64) -> RecombinedRows {
        let count = ((fit.len() as f64 * times) as usize).clamp(LEAST, MOST);
        let random = Random::stream(seed, "crossed");
        RecombinedRows {
            count,
            source: vec![],
            target: data.target.to_vec(),
            weight: data.weight.to_vec(),
            random,
        }
    }

    /// How many there are, and how many are wanted.
    pub(crate) fn made(&self, features: usize) -> (usize, usize) {
        (self.source.len() / features, self.count)
    }

    /// Makes some more from the samples in `fit`; returns whether all are there.
    pub(crate) fn advance(
        &mut self,
        design: &Design,
        fit: &[u32],
        outputs: usize,
        teacher: &VotingForest,
    ) -> bool {
        let (features, random) = (design.features(), &mut self.random);
        let made = self.source.len() / features;
        let (mut row, mut votes) = (vec![0.0; features], vec![0.0; outputs]);
        for _ in made..self.count.min(made + PIECE) {
            let first = fit[random.below(fit.len())];
            for (feature, value) in row.iter_mut().enumerate() {
                let from = if random.uniform() < SWAP { fit[random.below(fit.len())] } else { first };
                *value = design.row(from as usize)[feature];
                self.source.push(from);
            }
            teacher.vote(&row, &mut votes);
            self.target.extend_from_slice(&votes);
            self.weight.push(self.weight[first as usize]);
        }
        made + PIECE >= self.count
    }

    /// The samples of `fit` and the synthetic ones, which together weigh as much as those; and their
    /// positions.
    pub(crate) fn finish(&mut self, data: &SoftSamples, fit: &[u32]) -> (SoftSamples, Vec<u32>) {
        let (target, mut weight) = (std::mem::take(&mut self.target), std::mem::take(&mut self.weight));
        let all = data.weight.len();
        let own: f64 = fit.iter().map(|&sample| f64::from(weight[sample as usize])).sum();
        let synthetic: f64 = weight[all..].iter().map(|&weight| f64::from(weight)).sum();
        let factor = (own / synthetic) as f32;
        weight[all..].iter_mut().for_each(|weight| *weight *= factor);
        let samples = fit.iter().copied().chain(all as u32..weight.len() as u32).collect();
        let bins = Arc::new(data.bins.extended(&self.source));
        (SoftSamples { bins, target: Arc::new(target), weight: Arc::new(weight), ..data.clone() }, samples)
    }
}

/// Gives the nodes the sums of the samples of `fit` alone, of which some are added in each call. `added` is
/// how many have been; returns whether all are.
pub(crate) fn answer_real(
    nodes: &mut [HistogramNode],
    data: &SoftSamples,
    design: &Design,
    fit: &[u32],
    added: &mut usize,
) -> bool {
    if *added == 0 {
        nodes.iter_mut().for_each(|node| node.summary.sums.fill(0.0));
    }
    let end = fit.len().min(*added + ADDED);
    for &sample in &fit[*added..end] {
        let mut next = Some(0);
        while let Some(at) = next {
            data.add(sample, &mut nodes[at].summary.sums);
            next = nodes[at].below(design.row(sample as usize));
        }
    }
    *added = end;
    end == fit.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Labels;
    use crate::learn::greedy::histogram::{Bins, GrowthLimits, HistogramSearch};
    use nalgebra::DMatrix;

    #[test]
    fn synthetic_samples_weigh_as_much_and_answer_nothing() {
        let x = DMatrix::from_fn(3, 90, |j, i| ((i * (2 * j + 3)) % 23) as f32);
        let label: Vec<u32> = (0..90).map(|i| u32::from(x[(0, i)] > 9.0)).collect();
        let target = label.iter().flat_map(|&class| [1.0 - class as f32, class as f32]).collect();
        let weight = label.iter().map(|&class| 1.0 + 0.5 * class as f32).collect();
        let data = SoftSamples {
            bins: Arc::new(Bins::new(&x)),
            outputs: 2,
            target: Arc::new(target),
            weight: Arc::new(weight),
        };
        let design = Design { x, y: Labels::Classes { label, classes: 2 } };
        let fit: Vec<u32> = (0..60).collect();
        let mut teacher = VotingForest::new(&data, fit.clone(), 20, 10, 1);
        while !teacher.advance(&design, &fit) {}
        let mut rows = RecombinedRows::new(&data, &fit, 5.0, 0);
        while !rows.advance(&design, &fit, 2, &teacher) {}
        let (mixed, samples) = rows.finish(&data, &fit);
        assert_eq!(samples.len(), 60 + LEAST);
        let total = |weights: &[f32]| weights.iter().map(|&weight| f64::from(weight)).sum::<f64>();
        assert!((total(&mixed.weight[90..]) / total(&data.weight[..60]) - 1.0).abs() < 1e-4);
        // The teacher has seen that the first feature decides, so synthetic samples are told the same.
        let bins = mixed.bins.column(0);
        let told = (90..90 + LEAST).filter(|&at| (mixed.target[2 * at + 1] > 0.5) == (bins[at] > 9));
        assert!(told.count() as f64 > 0.95 * LEAST as f64);

        let limits = GrowthLimits { depth: 6, least: 1, tried: None };
        let mut grower = HistogramSearch::grower(&mixed, samples, limits, Random::new(0));
        while !grower.advance() {}
        let mut nodes = grower.finish().0;
        assert!(answer_real(&mut nodes, &data, &design, &fit, &mut 0));
        let root = nodes[0].summary.sums[2];
        assert!((root - total(&data.weight[..60])).abs() < 1e-4, "the root has the weight of the real ones");
        for node in &nodes {
            let Some([left, right]) = node.children else { continue };
            let both = nodes[left].summary.sums.iter().zip(&nodes[right].summary.sums).map(|(a, b)| a + b);
            assert!(node.summary.sums.iter().zip(both).all(|(whole, parts)| (whole - parts).abs() < 1e-6));
        }
    }
}
