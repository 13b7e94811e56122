//! Crossed samples: rows that nobody has seen, made of rows that somebody has, and answered by the teacher.
//!
//! A greedy tree runs out of samples long before its teacher runs out of things to say: a split far down is chosen by a handful
//! of them. A crossed sample takes most of its features from one sample and each of the others, with probability [`SWAP`], from
//! some other sample; the teacher's mean vote is its target (Breiman and Shang, *Born again trees*, 1996). Splits are chosen by
//! both kinds together; answers come from the real ones alone.

use super::bins::Bins;
use super::ground::Ground;
use super::grow::{Grown, Limits, Soil};
use super::teacher::Teacher;
use crate::numeric::random::Random;

/// The probability that a feature comes from another sample.
const SWAP: f64 = 0.25;
/// Few samples get at least so many crossed ones,
const LEAST: usize = 2000;
/// and many at most so many.
const MOST: usize = 20_000;

/// The samples of a fold with crossed ones behind them.
pub struct Crossed {
    bins: Bins,
    /// (N + M × C)
    target: Vec<f32>,
    /// (N + M)
    weight: Vec<f32>,
    /// Positions of the fold's own samples and of the crossed ones.
    samples: Vec<u32>,
}

impl Crossed {
    /// Crosses the samples of `fit`. Together the crossed samples weigh as much as those.
    ///
    /// * `target` (N × C), `weight` (N)  of all samples
    pub fn new(
        ground: &Ground,
        fit: &[u32],
        teacher: &Teacher,
        target: &[f32],
        weight: &[f32],
        random: &mut Random,
    ) -> Crossed {
        let (features, outputs, all) = (ground.all.features(), ground.outputs(), ground.all.samples());
        let count = ((fit.len() as f64 * ground.config.crossed) as usize).clamp(LEAST, MOST);
        let mut source = Vec::with_capacity(count * features);
        let (mut target, mut weight) = (target.to_vec(), weight.to_vec());
        let (mut row, mut votes) = (vec![0.0; features], vec![0.0; outputs]);
        for _ in 0..count {
            let first = fit[random.below(fit.len())];
            for (feature, value) in row.iter_mut().enumerate() {
                let from = if random.uniform() < SWAP { fit[random.below(fit.len())] } else { first };
                *value = ground.all.row(from as usize)[feature];
                source.push(from);
            }
            teacher.vote(&row, &mut votes);
            target.extend_from_slice(&votes);
            weight.push(weight[first as usize]);
        }
        let own: f64 = fit.iter().map(|&sample| f64::from(weight[sample as usize])).sum();
        let crossed: f64 = weight[all..].iter().map(|&weight| f64::from(weight)).sum();
        let factor = (own / crossed) as f32;
        weight[all..].iter_mut().for_each(|weight| *weight *= factor);
        let samples = fit.iter().copied().chain(all as u32..(all + count) as u32).collect();
        Crossed { bins: ground.bins.extended(&source), target, weight, samples }
    }

    /// Grows a tree on both kinds; its answers are those of the samples in `fit`.
    pub fn grow(&self, soil: Soil<'_>, ground: &Ground, fit: &[u32], limits: Limits) -> Vec<Grown> {
        let both = Soil { bins: &self.bins, target: &self.target, weight: &self.weight, ..soil };
        let mut nodes = both.grow(&mut self.samples.clone(), limits, &mut Random::new(0));
        nodes.iter_mut().for_each(|node| node.sums.fill(0.0));
        for &sample in fit {
            let row = ground.all.row(sample as usize);
            let mut at = 0;
            soil.add(sample, &mut nodes[at].sums);
            while let Some([left, right]) = nodes[at].children {
                at = if row[nodes[at].feature] < nodes[at].threshold { left } else { right };
                soil.add(sample, &mut nodes[at].sums);
            }
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::Config;
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
        (0..20).for_each(|_| teacher.learn(soil, &ground.all, &fit, 10));
        let crossed = Crossed::new(&ground, &fit, &teacher, &ground.target, &weight, &mut Random::new(2));
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
        let nodes = crossed.grow(soil, &ground, &fit, limits);
        assert!((nodes[0].sums[2] - total(&weight[..60])).abs() < 1e-4, "the root has the weight of the real ones");
        for node in &nodes {
            let Some([left, right]) = node.children else { continue };
            let both = nodes[left].sums.iter().zip(&nodes[right].sums).map(|(a, b)| a + b);
            assert!(node.sums.iter().zip(both).all(|(whole, parts)| (whole - parts).abs() < 1e-6));
        }
    }
}
