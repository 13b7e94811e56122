//! The cut of one node: along the slope of its least-squares fit, along a fit of fewer columns, or of one
//! column.

use std::sync::Arc;

use super::GrowthSettings;
use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::ours::along::{COLUMNS, COST, project};
use crate::learn::get::paper::parameters::Answer;
use crate::learn::greedy::{Halves, Search, partition};
use crate::numeric::order::sort_pairs;
use crate::numeric::slices::Slice;
use crate::numeric::solve::{Elimination, LeastSquares, Logistic};

/// A side of a split has at least so many samples.
pub(crate) const LEAST: usize = 3;

/// Finds the cut of a node.
pub(crate) struct Cutter {
    pub blocks: Arc<Blocks<f32>>,
    /// The most levels of splits.
    depth: u32,
    pub answer: Answer,
    pub how: GrowthSettings,
    normal: LeastSquares,
    pub logistic: Logistic,
}

/// The best cut of some samples along one direction.
pub(crate) struct Cut {
    pub gain: f64,
    pub threshold: f32,
    pub weights: Vec<f32>,
}

/// Cuts are compared by what they gain less the price of their columns.
#[derive(Clone, Copy)]
pub(crate) struct Price(f64);

impl Price {
    fn worth(self, cut: &Cut) -> f64 {
        cut.gain - self.0 * cut.weights.iter().filter(|weight| **weight != 0.0).count() as f64
    }

    /// The better one, the first of equals.
    pub(crate) fn better(self, best: Cut, other: Cut) -> Cut {
        if self.worth(&other) > self.worth(&best) { other } else { best }
    }
}

impl Cutter {
    /// For some samples.
    pub(crate) fn new(blocks: Arc<Blocks<f32>>, depth: u32, answer: Answer, how: GrowthSettings) -> Self {
        let normal = LeastSquares::new(blocks.summable());
        Cutter { blocks, depth, answer, how, normal, logistic: Logistic::default() }
    }

    /// The best cut of a node's samples; none if they are alike or cannot be told apart.
    async fn best(&mut self, samples: &[u32], slice: &mut Slice) -> Option<Cut> {
        let (blocks, features) = (self.blocks.clone(), self.blocks.features());
        let aim = aim(&blocks, samples, self.answer)?;
        let rows = || samples.iter().map(|&i| (blocks.sample(i as usize), aim.value(&blocks, i), 1.0));
        self.normal.fit(rows, [self.how.ridge, 0.0], 1.0, 0.0);
        slice.spend((features * features + 4) * samples.len()).await;
        let elimination = self.normal.elimination();
        let mut directions = elimination.as_ref().map_or(vec![], |elimination| self.along(elimination));
        directions.extend((0..features).map(|column| {
            let mut axis = vec![0.0; features];
            axis[column] = 1.0;
            axis
        }));
        let mut cuts: Vec<Cut> = vec![];
        for weights in directions {
            cuts.extend(best_cut(&blocks, samples, weights, self.answer));
            slice.spend((COST + features) * samples.len()).await;
        }
        let left_over =
            squares(&blocks, samples, self.answer) - cuts.iter().fold(0.0, |most, cut| cut.gain.max(most));
        let price = Price(self.how.price * left_over.max(0.0) / samples.len() as f64);
        let mut cut = cuts.into_iter().reduce(|best, cut| price.better(best, cut))?;
        if let Some(elimination) = elimination {
            cut = self.between_sides(samples, &elimination.order, cut, price, slice).await;
        }
        Some(cut)
    }

    /// Directions of a fit with all the columns it may have and, where columns have a price, with fewer.
    pub(crate) fn along(&self, elimination: &Elimination) -> Vec<Vec<f32>> {
        let all = elimination.order.len();
        let most = if self.how.columns == 0 { all } else { self.how.columns.min(all) };
        let fewer = COLUMNS.into_iter().filter(|&count| self.how.price > 0.0 && (2..most).contains(&count));
        [most]
            .into_iter()
            .chain(fewer)
            .filter_map(|count| direction(&elimination.models[count][..all]))
            .collect()
    }
}

impl Search for Cutter {
    type Cut = Cut;
    type Summary = ();

    fn stops(&self, samples: usize, depth: u32, (): &()) -> bool {
        depth >= self.depth || samples < 2 * LEAST
    }

    async fn cut(
        &mut self,
        samples: &mut [u32],
        _: u32,
        (): &(),
        slice: &mut Slice,
    ) -> Option<Halves<Cut, ()>> {
        let cut = self.best(samples, slice).await?;
        slice.spend(4 * samples.len()).await;
        let boundary = partition(samples, |i| cut.goes_left(&self.blocks, i));
        Some(Halves { cut, boundary, left: (), right: () })
    }
}

impl Cut {
    /// Whether a sample is at or below the threshold.
    pub(crate) fn goes_left(&self, blocks: &Blocks<f32>, i: u32) -> bool {
        project(blocks.sample(i as usize), &self.weights) <= self.threshold
    }
}

/// Coefficients as weights, the largest of them 1 in size: planes and scale factors are meant for weights
/// around 1. None if all are 0.
pub(crate) fn direction(model: &[f64]) -> Option<Vec<f32>> {
    let slope = || model.iter().map(|&k| k as f32);
    let most = slope().fold(0.0f32, |most, k| most.max(k.abs()));
    (most > 0.0 && most.is_finite()).then(|| slope().map(|k| k / most).collect())
}

/// The sum of the outcomes' squares: of numbers, or of ones for classes.
fn squares(blocks: &Blocks<f32>, samples: &[u32], answer: Answer) -> f64 {
    match answer {
        Answer::Classes(_) => samples.len() as f64,
        _ => samples.iter().map(|&i| blocks.truth(i as usize).value).map(|y| y * y).sum(),
    }
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

/// The cut with the least squared error, or gini impurity, of both sides; none if there is no value to cut
/// at.
pub(crate) fn best_cut(
    blocks: &Blocks<f32>,
    samples: &[u32],
    weights: Vec<f32>,
    answer: Answer,
) -> Option<Cut> {
    let mut order: Vec<(f32, u32)> =
        samples.iter().map(|&i| (project(blocks.sample(i as usize), &weights), i)).collect();
    sort_pairs(&mut order);
    let classes = if let Answer::Classes(classes) = answer { classes } else { 1 };
    let numbers = matches!(answer, Answer::Constant | Answer::Linear);
    // BatchSums of each outcome left and right, and the sum of their squares.
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
    let mut best: Option<(f64, f32)> = None;
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
        if best.is_none_or(|(most, _)| gain > most) {
            let middle = z + (next - z) / 2.0;
            best = Some((gain, if middle < next { middle } else { z }));
        }
    }
    best.map(|(gain, threshold)| Cut { gain, threshold, weights })
}
