//! Synthetic rows: rows that are mixed from samples, and that the teacher answers.
//!
//! The samples of a node become few with its depth, so a split far down is chosen by a handful of them. The
//! teacher can answer any row. A synthetic row takes most of its features from one sample and each of the
//! others, with probability [`SWAP`], from some other sample; the teacher's mean vote is its target (Breiman
//! and Shang, *Born again trees*, 1996). Splits are chosen by both kinds together; answers come from the real
//! ones alone.

use super::forest::TeacherForest;
use crate::learn::gradtree::ours::data::PreparedData;
use crate::learn::gradtree::ours::grow::{Bins, GrownNode, GrowthSamples};
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
pub struct SyntheticBuilder {
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

impl SyntheticBuilder {
    /// None made yet.
    ///
    /// * `target` (N × C), `weight` (N)  of all samples
    pub fn new(data: &PreparedData, fit: &[u32], target: &[f32], weight: &[f32]) -> SyntheticBuilder {
        let count = ((fit.len() as f64 * data.config().crossed) as usize).clamp(LEAST, MOST);
        let random = Random::stream(data.seed(), "crossed");
        SyntheticBuilder { count, source: vec![], target: target.to_vec(), weight: weight.to_vec(), random }
    }

    /// How many there are, and how many are wanted.
    pub fn made(&self, data: &PreparedData) -> (usize, usize) {
        (self.source.len() / data.all().features(), self.count)
    }

    /// Makes some more from the samples in `fit`; whether all are there.
    pub fn advance(&mut self, data: &PreparedData, fit: &[u32], teacher: &TeacherForest) -> bool {
        let (features, random) = (data.all().features(), &mut self.random);
        let made = self.source.len() / features;
        let (mut row, mut votes) = (vec![0.0; features], vec![0.0; data.outputs()]);
        for _ in made..self.count.min(made + PIECE) {
            let first = fit[random.below(fit.len())];
            for (feature, value) in row.iter_mut().enumerate() {
                let from = if random.uniform() < SWAP { fit[random.below(fit.len())] } else { first };
                *value = data.all().row(from as usize)[feature];
                self.source.push(from);
            }
            teacher.vote(&row, &mut votes);
            self.target.extend_from_slice(&votes);
            self.weight.push(self.weight[first as usize]);
        }
        made + PIECE >= self.count
    }

    /// The samples of `fit` and the synthetic ones, which together weigh as much as those.
    pub fn finish(&mut self, data: &PreparedData, fit: &[u32]) -> SyntheticSamples {
        let (target, mut weight) = (std::mem::take(&mut self.target), std::mem::take(&mut self.weight));
        let all = data.all().samples();
        let own: f64 = fit.iter().map(|&sample| f64::from(weight[sample as usize])).sum();
        let synthetic: f64 = weight[all..].iter().map(|&weight| f64::from(weight)).sum();
        let factor = (own / synthetic) as f32;
        weight[all..].iter_mut().for_each(|weight| *weight *= factor);
        let samples = fit.iter().copied().chain(all as u32..weight.len() as u32).collect();
        SyntheticSamples { bins: data.bins.extended(&self.source), target, weight, samples }
    }
}

/// The samples of a fold with synthetic ones behind them.
pub struct SyntheticSamples {
    bins: Bins,
    /// (N + M × C)
    target: Vec<f32>,
    /// (N + M)
    weight: Vec<f32>,
    /// Positions of the fold's own samples and of the synthetic ones.
    pub samples: Vec<u32>,
}

impl SyntheticSamples {
    /// What trees are grown on.
    pub fn growth_samples<'a>(&'a self, own: GrowthSamples<'a>) -> GrowthSamples<'a> {
        GrowthSamples { bins: &self.bins, target: &self.target, weight: &self.weight, ..own }
    }
}

/// Gives the nodes the sums of the samples of `fit` alone, of which some are added in each call. `added` is
/// how many have been; whether all are.
pub fn answer_real(
    nodes: &mut [GrownNode],
    own: GrowthSamples<'_>,
    data: &PreparedData,
    fit: &[u32],
    added: &mut usize,
) -> bool {
    if *added == 0 {
        nodes.iter_mut().for_each(|node| node.sums.fill(0.0));
    }
    let end = fit.len().min(*added + ADDED);
    for &sample in &fit[*added..end] {
        let row = data.all().row(sample as usize);
        let mut at = 0;
        own.add(sample, &mut nodes[at].sums);
        while let Some([left, right]) = nodes[at].children {
            at = if row[nodes[at].feature] < nodes[at].threshold { left } else { right };
            own.add(sample, &mut nodes[at].sums);
        }
    }
    *added = end;
    end == fit.len()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::encode::{Design, Labels};
    use crate::learn::gradtree::ours::grow::GrowthLimits;
    use crate::learn::gradtree::paper::TrainingData;
    use crate::learn::gradtree::settings::Config;
    use nalgebra::DMatrix;

    #[test]
    fn synthetic_samples_weigh_as_much_and_answer_nothing() {
        let x = DMatrix::from_fn(3, 90, |j, i| ((i * (2 * j + 3)) % 23) as f32);
        let label = (0..90).map(|i| u32::from(x[(0, i)] > 9.0)).collect();
        let train = Arc::new(Design { x, y: Labels::Classes { label, classes: 2 } });
        let data = PreparedData::new(Arc::new(TrainingData::new(Config::default(), train.clone(), train, 0)));
        let fit: Vec<u32> = (0..60).collect();
        let weight = data.weights(0.5);
        let growth_samples = GrowthSamples { bins: &data.bins, outputs: 2, target: &data.target, weight: &weight };
        let mut teacher = TeacherForest::new(180, 2, 1);
        while teacher.grown < 20 {
            teacher.learn(growth_samples, data.all(), &fit, 10, 1000);
        }
        let mut builder = SyntheticBuilder::new(&data, &fit, &data.target, &weight);
        while !builder.advance(&data, &fit, &teacher) {}
        let synthetic = builder.finish(&data, &fit);
        assert_eq!(synthetic.samples.len(), 60 + LEAST);
        let total = |weights: &[f32]| weights.iter().map(|&weight| f64::from(weight)).sum::<f64>();
        assert!((total(&synthetic.weight[180..]) / total(&weight[..60]) - 1.0).abs() < 1e-4);
        // The teacher has seen that the first feature decides, so synthetic samples are told the same.
        let bins = synthetic.bins.column(0);
        let told = (180..180 + LEAST).filter(|&at| {
            let above = bins[at] > data.bins.column(0)[..60].iter().copied().filter(|&bin| bin <= 9).max().unwrap();
            (synthetic.target[2 * at + 1] > 0.5) == above
        });
        assert!(told.count() as f64 > 0.95 * LEAST as f64);

        let limits = GrowthLimits { depth: 6, least: 1, tried: None };
        let mut nodes =
            synthetic.growth_samples(growth_samples).grow(synthetic.samples.clone(), limits, &mut Random::new(0));
        assert!(answer_real(&mut nodes, growth_samples, &data, &fit, &mut 0));
        assert!((nodes[0].sums[2] - total(&weight[..60])).abs() < 1e-4, "the root has the weight of the real ones");
        for node in &nodes {
            let Some([left, right]) = node.children else { continue };
            let both = nodes[left].sums.iter().zip(&nodes[right].sums).map(|(a, b)| a + b);
            assert!(node.sums.iter().zip(both).all(|(whole, parts)| (whole - parts).abs() < 1e-6));
        }
    }
}
