//! A greedy oblique tree to start from: each node takes the better of the best single column and the best cut along the slope
//! of its own least-squares fit.
//!
//! Where the target is smooth in a sum of columns, greedy axis splits approach it in stairs and random planes take long to
//! find the direction; least squares names it at once. With classes the fit is of the class whose share is nearest to a half.

use std::sync::Arc;

use super::blocks::Blocks;
use super::linear::Normal;
use super::parameters::{Answer, Parameters};
use crate::numeric::order::sort_positions;

/// A side of a split has at least so many samples.
const LEAST: usize = 3;

/// A tree that grows node by node.
pub struct Sloped {
    blocks: Arc<Blocks<f32>>,
    tree: Parameters<f32>,
    /// Nodes whose turn has not come, with their samples.
    waiting: Vec<(usize, Vec<u32>)>,
    normal: Normal,
    ridge: f64,
    /// The most columns in a split; 0 for all.
    columns: usize,
}

/// The best cut of some samples along one direction.
struct Cut {
    gain: f64,
    threshold: f32,
}

impl Sloped {
    /// Begins with all samples at the root.
    pub fn new(blocks: Arc<Blocks<f32>>, depth: usize, answer: Answer, ridge: f64, columns: usize) -> Self {
        let all = (0..blocks.samples() as u32).collect();
        Sloped {
            tree: Parameters::zeros(depth, blocks.width(), answer),
            waiting: vec![(0, all)],
            normal: Normal::new(blocks.summable()),
            blocks,
            ridge,
            columns,
        }
    }

    /// Splits a node; returns whether there are more.
    pub fn step(&mut self) -> bool {
        let Some((node, samples)) = self.waiting.pop() else { return false };
        if node < self.tree.nodes() && samples.len() >= 2 * LEAST {
            self.split(node, samples);
        }
        !self.waiting.is_empty()
    }

    /// The tree, its leaves to be fitted.
    pub fn tree(&self) -> &Parameters<f32> {
        &self.tree
    }

    fn split(&mut self, node: usize, samples: Vec<u32>) {
        let (blocks, features) = (self.blocks.clone(), self.blocks.features());
        let Some(aim) = aim(&blocks, &samples, self.tree.answer) else { return };
        let rows = || samples.iter().map(|&i| (blocks.sample(i as usize), aim.value(&blocks, i), 1.0));
        let mut model = self.normal.fit(rows, [self.ridge, 0.0], 1.0, 0.0).to_vec();
        if self.columns > 0 && self.columns < features {
            // The columns that move the fit most, and the fit of these alone.
            let mut sparse = Normal::new(&strongest(&model[..features], &blocks, &samples, self.columns));
            model = sparse.fit(rows, [self.ridge, 0.0], 1.0, 0.0).to_vec();
        }
        let slope: Vec<f32> = model[..features].iter().map(|&k| k as f32).collect();
        // Planes and scale factors are meant for weights around 1.
        let most = slope.iter().fold(0.0f32, |most, k| most.max(k.abs()));
        let mut best: Option<(Cut, Vec<f32>)> = None;
        let mut consider = |weights: Vec<f32>| {
            if let Some(cut) = best_cut(&blocks, &samples, &weights, self.tree.answer)
                && best.as_ref().is_none_or(|(best, _)| cut.gain > best.gain)
            {
                best = Some((cut, weights));
            }
        };
        if most > 0.0 && most.is_finite() {
            consider(slope.iter().map(|k| k / most).collect());
        }
        for column in 0..features {
            let mut axis = vec![0.0; features];
            axis[column] = 1.0;
            consider(axis);
        }
        let Some((cut, weights)) = best else { return };
        let plane = self.tree.plane_mut(node);
        plane.iter_mut().zip(&weights).for_each(|(to, weight)| *to = -weight);
        plane[features] = cut.threshold;
        let right = |i: u32| project(blocks.sample(i as usize), &weights) > cut.threshold;
        let (right, left): (Vec<u32>, Vec<u32>) = samples.into_iter().partition(|&i| right(i));
        self.waiting.extend([(2 * node + 2, right), (2 * node + 1, left)]);
    }
}

/// Which `count` columns have the greatest coefficient times spread over the samples.
fn strongest(slope: &[f64], blocks: &Blocks<f32>, samples: &[u32], count: usize) -> Vec<bool> {
    let strength = |column: usize| {
        let values = || samples.iter().map(|&i| f64::from(blocks.sample(i as usize)[column]));
        let mean = values().sum::<f64>() / samples.len() as f64;
        slope[column].abs() * values().map(|x| (x - mean) * (x - mean)).sum::<f64>().sqrt()
    };
    let strengths: Vec<f64> = (0..slope.len()).map(strength).collect();
    let mut order: Vec<usize> = (0..slope.len()).collect();
    sort_positions(&mut order, &|a, b| strengths[b].total_cmp(&strengths[a]));
    let mut chosen = vec![false; slope.len()];
    order.iter().take(count).for_each(|&column| chosen[column] = strengths[column] > 0.0);
    chosen
}

/// What least squares aim at.
struct Aim {
    /// The class that is told from the others; none for numbers.
    class: Option<u32>,
}

impl Aim {
    fn value(&self, blocks: &Blocks<f32>, i: u32) -> f64 {
        let truth = blocks.truth(i as usize);
        self.class.map_or(truth.value, |class| f64::from(u8::from(truth.class == class)))
    }
}

/// What to aim at; none if all samples are alike.
fn aim(blocks: &Blocks<f32>, samples: &[u32], answer: Answer) -> Option<Aim> {
    let Answer::Classes(classes) = answer else {
        let first = blocks.truth(samples[0] as usize).value;
        let differ = samples.iter().any(|&i| blocks.truth(i as usize).value != first);
        return differ.then_some(Aim { class: None });
    };
    let mut counts = vec![0i64; classes];
    samples.iter().for_each(|&i| counts[blocks.truth(i as usize).class as usize] += 1);
    let from_half = |class: &usize| (2 * counts[*class] - samples.len() as i64).abs();
    let nearest = (0..classes).min_by_key(from_half)?;
    (counts[nearest] > 0).then_some(Aim { class: Some(nearest as u32) })
}

/// The place of a sample along a direction.
pub fn project(x: &[f32], weights: &[f32]) -> f32 {
    x.iter().zip(weights).map(|(x, weight)| x * weight).sum()
}

/// The cut with the least squared error, or gini impurity, of both sides; none if there is no value to cut at.
fn best_cut(blocks: &Blocks<f32>, samples: &[u32], weights: &[f32], answer: Answer) -> Option<Cut> {
    let mut order: Vec<(f32, u32)> =
        samples.iter().map(|&i| (project(blocks.sample(i as usize), weights), i)).collect();
    sort_pairs(&mut order);
    let classes = if let Answer::Classes(classes) = answer { classes } else { 1 };
    let numbers = matches!(answer, Answer::Constant | Answer::Linear);
    // Sums of each outcome left and right, and the sum of their squares.
    let (mut sums, mut squares) = ([vec![0.0; classes], vec![0.0; classes]], [0.0, 0.0]);
    let outcome = |i: u32| {
        let truth = blocks.truth(i as usize);
        if numbers { (0, truth.value) } else { (truth.class as usize, 1.0) }
    };
    for &(_, i) in &order {
        let (class, value) = outcome(i);
        sums[1][class] += value;
    }
    squares[1] = sums[1].iter().map(|sum| sum * sum).sum();
    let mut best: Option<Cut> = None;
    for at in 0..order.len() - 1 {
        let (class, value) = outcome(order[at].1);
        for (side, value) in [value, -value].into_iter().enumerate() {
            let sum = &mut sums[side][class];
            squares[side] += value * (2.0 * *sum + value);
            *sum += value;
        }
        let (left, right) = (at + 1, order.len() - at - 1);
        let (z, next) = (order[at].0, order[at + 1].0);
        if left < LEAST || right < LEAST || z == next {
            continue;
        }
        let gain = squares[0] / left as f64 + squares[1] / right as f64;
        if best.as_ref().is_none_or(|best| gain > best.gain) {
            let middle = z + (next - z) / 2.0;
            best = Some(Cut { gain, threshold: if middle < next { middle } else { z } });
        }
    }
    best
}

/// Sorts pairs by their first number, byte by byte from the last to the first; equal ones keep their order. A few lines, where
/// the standard library's sort is compiled anew for every type and is slower on numbers.
pub fn sort_pairs(pairs: &mut Vec<(f32, u32)>) {
    // The bits of positive numbers are in order; those of negative ones are in reverse order, and below.
    let key = |z: f32| if z.is_sign_negative() { !z.to_bits() } else { z.to_bits() | 1 << 31 };
    let mut other = pairs.clone();
    for shift in [0, 8, 16, 24] {
        let byte = |z: f32| (key(z) >> shift) as usize & 255;
        let mut next = [0usize; 257];
        pairs.iter().for_each(|&(z, _)| next[byte(z) + 1] += 1);
        for at in 1..257 {
            next[at] += next[at - 1];
        }
        for &pair in pairs.iter() {
            let at = &mut next[byte(pair.0)];
            other[*at] = pair;
            *at += 1;
        }
        std::mem::swap(pairs, &mut other);
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks::Truth;
    use super::*;
    use crate::numeric::random::Random;

    #[test]
    fn pairs_are_sorted_and_equal_ones_keep_their_order() {
        let mut random = Random::new(1);
        let mut pairs: Vec<(f32, u32)> = (0..500).map(|i| ((random.normal() * 3.0) as f32, i)).collect();
        pairs.extend((500..600).map(|i| ((i % 5) as f32 - 2.0, i)));
        let mut expected = pairs.clone();
        expected.sort_by(|a, b| a.0.total_cmp(&b.0));
        sort_pairs(&mut pairs);
        assert_eq!(pairs, expected);
    }

    #[test]
    fn a_slope_is_cut_across_and_classes_are_told_apart() {
        let mut random = Random::new(2);
        let rows: Vec<[f32; 2]> = (0..400).map(|_| [random.uniform() as f32, random.uniform() as f32]).collect();
        for answer in [Answer::Constant, Answer::Classes(2)] {
            let truth = |x: &[f32; 2]| {
                let sum = f64::from(x[0] + 2.0 * x[1]);
                Truth { value: sum, class: u32::from(sum > 1.5), weight: 1.0 }
            };
            let blocks = Arc::new(Blocks::pack(2, rows.iter().map(|x| (&x[..], truth(x)))));
            let mut sloped = Sloped::new(blocks.clone(), 3, answer, 1e-6, 0);
            while sloped.step() {}
            let plane = sloped.tree().plane(0);
            let ratio = plane[0] / plane[1];
            assert!((ratio - 0.5).abs() < 0.1, "{plane:?}");
            let mut tree = sloped.tree().clone();
            let route = super::super::hard::routes(&tree, &blocks);
            let loss = super::super::hard::refit(&mut tree, &blocks, &route, &super::super::hard::Refit::PLAIN);
            assert!(loss < 0.03, "{answer:?}: {loss}");
        }
    }
}
