//! Crossed samples: rows that nobody has seen, made of rows that somebody has, and answered by the teacher.
//!
//! A greedy tree runs out of samples long before its teacher runs out of things to say: a split far down is chosen by a handful
//! of them. A crossed sample takes most of its features from one sample and each of the others, with probability [`SWAP`], from
//! some other sample; the teacher's mean vote is its target (Breiman and Shang, *Born again trees*, 1996). Splits are chosen by
//! both kinds together; answers come from the real ones alone.

use super::bins::Bins;
use super::ground::Ground;
use super::grow::{Grown, Soil};
use super::teacher::Teacher;
use crate::numeric::random::Random;

/// The probability that a feature comes from another sample.
const SWAP: f64 = 0.25;
/// Few samples get at least so many crossed ones,
const LEAST: usize = 2000;
/// and many at most so many.
const MOST: usize = 20_000;
/// Crossed at a time, so that nobody waits for them.
const PIECE: usize = 2000;
/// Real samples that are added to the answers at a time.
const ADDED: usize = 100_000;

/// Crossed samples in the making.
pub struct Crossing {
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

impl Crossing {
    /// None crossed yet.
    ///
    /// * `target` (N × C), `weight` (N)  of all samples
    pub fn new(ground: &Ground, fit: &[u32], target: &[f32], weight: &[f32]) -> Crossing {
        let count = ((fit.len() as f64 * ground.config.crossed) as usize).clamp(LEAST, MOST);
        let random = Random::stream(ground.seed, "crossed");
        Crossing { count, source: vec![], target: target.to_vec(), weight: weight.to_vec(), random }
    }

    /// How many there are, and how many are wanted.
    pub fn made(&self, ground: &Ground) -> (usize, usize) {
        (self.source.len() / ground.all.features(), self.count)
    }

    /// Crosses some more of the samples in `fit`; whether all are there.
    pub fn advance(&mut self, ground: &Ground, fit: &[u32], teacher: &Teacher) -> bool {
        let (features, random) = (ground.all.features(), &mut self.random);
        let made = self.source.len() / features;
        let (mut row, mut votes) = (vec![0.0; features], vec![0.0; ground.outputs()]);
        for _ in made..self.count.min(made + PIECE) {
            let first = fit[random.below(fit.len())];
            for (feature, value) in row.iter_mut().enumerate() {
                let from = if random.uniform() < SWAP { fit[random.below(fit.len())] } else { first };
                *value = ground.all.row(from as usize)[feature];
                self.source.push(from);
            }
            teacher.vote(&row, &mut votes);
            self.target.extend_from_slice(&votes);
            self.weight.push(self.weight[first as usize]);
        }
        made + PIECE >= self.count
    }

    /// The samples of `fit` and the crossed ones, which together weigh as much as those.
    pub fn finish(&mut self, ground: &Ground, fit: &[u32]) -> Crossed {
        let (target, mut weight) = (std::mem::take(&mut self.target), std::mem::take(&mut self.weight));
        let all = ground.all.samples();
        let own: f64 = fit.iter().map(|&sample| f64::from(weight[sample as usize])).sum();
        let crossed: f64 = weight[all..].iter().map(|&weight| f64::from(weight)).sum();
        let factor = (own / crossed) as f32;
        weight[all..].iter_mut().for_each(|weight| *weight *= factor);
        let samples = fit.iter().copied().chain(all as u32..weight.len() as u32).collect();
        Crossed { bins: ground.bins.extended(&self.source), target, weight, samples }
    }
}

/// The samples of a fold with crossed ones behind them.
pub struct Crossed {
    bins: Bins,
    /// (N + M × C)
    target: Vec<f32>,
    /// (N + M)
    weight: Vec<f32>,
    /// Positions of the fold's own samples and of the crossed ones.
    pub samples: Vec<u32>,
}

impl Crossed {
    /// What trees are grown on.
    pub fn soil<'a>(&'a self, own: Soil<'a>) -> Soil<'a> {
        Soil { bins: &self.bins, target: &self.target, weight: &self.weight, ..own }
    }
}

/// Answers for the samples of `fit` alone, of which some are added in each call. `added` is how many have been; whether
/// all are.
pub fn answer(nodes: &mut [Grown], own: Soil<'_>, ground: &Ground, fit: &[u32], added: &mut usize) -> bool {
    if *added == 0 {
        nodes.iter_mut().for_each(|node| node.sums.fill(0.0));
    }
    let end = fit.len().min(*added + ADDED);
    for &sample in &fit[*added..end] {
        let row = ground.all.row(sample as usize);
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

    use super::super::Config;
    use super::super::grow::Limits;
    use super::*;
    use crate::encode::{Design, Labels};
    use nalgebra::DMatrix;

    #[test]
    fn crossed_samples_weigh_as_much_and_answer_nothing() {
        let x = DMatrix::from_fn(3, 90, |j, i| ((i * (2 * j + 3)) % 23) as f32);
        let label = (0..90).map(|i| u32::from(x[(0, i)] > 9.0)).collect();
        let train = Arc::new(Design { x, y: Labels::Classes { label, classes: 2 } });
        let ground = Ground::new(Config::default(), train.clone(), train, 0);
        let fit: Vec<u32> = (0..60).collect();
        let weight = ground.weights(0.5);
        let soil = Soil { bins: &ground.bins, outputs: 2, target: &ground.target, weight: &weight };
        let mut teacher = Teacher::new(180, 2, 1);
        while teacher.grown < 20 {
            teacher.learn(soil, &ground.all, &fit, 10, 1000);
        }
        let mut crossing = Crossing::new(&ground, &fit, &ground.target, &weight);
        while !crossing.advance(&ground, &fit, &teacher) {}
        let crossed = crossing.finish(&ground, &fit);
        assert_eq!(crossed.samples.len(), 60 + LEAST);
        let total = |weights: &[f32]| weights.iter().map(|&weight| f64::from(weight)).sum::<f64>();
        assert!((total(&crossed.weight[180..]) / total(&weight[..60]) - 1.0).abs() < 1e-4);
        // The teacher has seen that the first feature decides, so crossed samples are told the same.
        let bins = crossed.bins.column(0);
        let told = (180..180 + LEAST).filter(|&at| {
            let above = bins[at] > ground.bins.column(0)[..60].iter().copied().filter(|&bin| bin <= 9).max().unwrap();
            (crossed.target[2 * at + 1] > 0.5) == above
        });
        assert!(told.count() as f64 > 0.95 * LEAST as f64);

        let limits = Limits { depth: 6, least: 1, tried: None };
        let mut nodes = crossed.soil(soil).grow(crossed.samples.clone(), limits, &mut Random::new(0));
        assert!(answer(&mut nodes, soil, &ground, &fit, &mut 0));
        assert!((nodes[0].sums[2] - total(&weight[..60])).abs() < 1e-4, "the root has the weight of the real ones");
        for node in &nodes {
            let Some([left, right]) = node.children else { continue };
            let both = nodes[left].sums.iter().zip(&nodes[right].sums).map(|(a, b)| a + b);
            assert!(node.sums.iter().zip(both).all(|(whole, parts)| (whole - parts).abs() < 1e-6));
        }
    }
}
