//! A greedy oblique tree to start from: each node takes the better of the best single column and the best cut along the slope
//! of its own least-squares fit.
//!
//! Where the target is smooth in a sum of columns, greedy axis splits approach it in stairs and random planes take long to
//! find the direction; least squares names it at once. With classes the fit is of the class whose share is nearest to a half.
//! Then a plane may be fitted anew to the sides it made ([`super::sides`]).
//!
//! Every further column of a plane fits noise too, and deep nodes have few samples to tell it by. So a column has a price, and
//! fits of fewer columns take part: with a price a tree is easier to read and no worse on new samples (benches/record).

use std::sync::Arc;

use super::blocks::Blocks;
use super::linear::Normal;
use super::logistic::Logistic;
use super::need::Need;
use super::parameters::{Answer, Parameters};
use super::spare::COLUMNS;
use crate::numeric::order::sort_pairs;
use crate::numeric::slices::{Slice, Task};

/// A side of a split has at least so many samples.
const LEAST: usize = 3;
/// What sorting and trying a sample costs, in numbers looked at.
pub(super) const COST: usize = 12;

/// How a tree grows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// Ridge of least squares.
    pub ridge: f64,
    /// The most columns in a split; 0 for all.
    pub columns: usize,
    /// What a column has to gain, times the mean loss that the best cut leaves to a sample: about what a column of noise gains.
    pub price: f64,
    /// How often a plane is fitted anew to the sides it made.
    pub rounds: usize,
}

/// A tree that grows node by node, a node of many samples in several steps.
pub struct Sloped {
    tree: Parameters<f32>,
    /// Nodes whose turn has not come, with their samples.
    waiting: Vec<(usize, Vec<u32>)>,
    /// Cuts nodes; away while one is at work.
    cutter: Option<Box<Cutter>>,
    /// The node at work.
    open: Option<(usize, Task<Searched>)>,
}

/// What a search gives back: the cutter, and the plane with the samples on its left and right if there is one.
type Searched = (Box<Cutter>, Option<(Cut, Vec<u32>, Vec<u32>)>);

/// Finds the cut of a node.
pub(super) struct Cutter {
    pub(super) blocks: Arc<Blocks<f32>>,
    pub(super) answer: Answer,
    pub(super) how: Growth,
    normal: Normal,
    pub(super) logistic: Logistic,
}

/// The best cut of some samples along one direction.
pub(super) struct Cut {
    pub gain: f64,
    pub threshold: f32,
    pub weights: Vec<f32>,
}

/// Cuts are compared by what they gain less the price of their columns.
#[derive(Clone, Copy)]
pub(super) struct Price(f64);

impl Price {
    fn worth(self, cut: &Cut) -> f64 {
        cut.gain - self.0 * cut.weights.iter().filter(|weight| **weight != 0.0).count() as f64
    }

    /// The better one, the first of equals.
    pub fn better(self, best: Cut, other: Cut) -> Cut {
        if self.worth(&other) > self.worth(&best) { other } else { best }
    }
}

impl Sloped {
    /// Begins with all samples at the root.
    pub fn new(blocks: Arc<Blocks<f32>>, depth: usize, answer: Answer, how: Growth) -> Self {
        let all = (0..blocks.samples() as u32).collect();
        let (normal, logistic) = (Normal::new(blocks.summable()), Logistic::default());
        Sloped {
            tree: Parameters::zeros(depth, blocks.width(), answer),
            waiting: vec![(0, all)],
            cutter: Some(Box::new(Cutter { blocks, answer, how, normal, logistic })),
            open: None,
        }
    }

    /// Splits a node, or does a part of that; returns whether there is more.
    pub fn step(&mut self) -> bool {
        if self.open.is_none() {
            let Some((node, samples)) = self.waiting.pop() else { return false };
            if node < self.tree.nodes() && samples.len() >= 2 * LEAST {
                let mut cutter = self.cutter.take().expect("no other node is at work");
                let task = async move {
                    let cut = cutter.cut(samples, &mut Slice::default()).await;
                    (cutter, cut)
                };
                self.open = Some((node, Task::new(task)));
            }
        }
        if let Some((node, task)) = &mut self.open
            && let Some((cutter, cut)) = task.advance()
        {
            let node = *node;
            self.open = None;
            if let Some((cut, left, right)) = cut {
                let plane = self.tree.plane_mut(node);
                plane.iter_mut().zip(&cut.weights).for_each(|(to, weight)| *to = -weight);
                plane[cutter.blocks.features()] = cut.threshold;
                self.waiting.extend([(2 * node + 2, right), (2 * node + 1, left)]);
            }
            self.cutter = Some(cutter);
        }
        self.open.is_some() || !self.waiting.is_empty()
    }

    /// The tree, its leaves to be fitted.
    pub fn tree(&self) -> &Parameters<f32> {
        &self.tree
    }
}

impl Cutter {
    /// The best cut of a node's samples, and those on each side; none if they are alike or cannot be told apart.
    async fn cut(&mut self, samples: Vec<u32>, slice: &mut Slice) -> Option<(Cut, Vec<u32>, Vec<u32>)> {
        let (blocks, features) = (self.blocks.clone(), self.blocks.features());
        let aim = aim(&blocks, &samples, self.answer)?;
        let rows = || samples.iter().map(|&i| (blocks.sample(i as usize), aim.value(&blocks, i), 1.0));
        self.normal.fit(rows, [self.how.ridge, 0.0], 1.0, 0.0);
        slice.spend((features * features + 4) * samples.len()).await;
        let need = self.normal.need();
        let mut directions = need.as_ref().map_or(vec![], |need| self.along(need));
        directions.extend((0..features).map(|column| {
            let mut axis = vec![0.0; features];
            axis[column] = 1.0;
            axis
        }));
        let mut cuts: Vec<Cut> = vec![];
        for weights in directions {
            cuts.extend(best_cut(&blocks, &samples, weights, self.answer));
            slice.spend((COST + features) * samples.len()).await;
        }
        let left_over = squares(&blocks, &samples, self.answer) - cuts.iter().fold(0.0, |most, cut| cut.gain.max(most));
        let price = Price(self.how.price * left_over.max(0.0) / samples.len() as f64);
        let mut cut = cuts.into_iter().reduce(|best, cut| price.better(best, cut))?;
        if let Some(need) = need {
            cut = self.between_sides(&samples, &need.order, cut, price, slice).await;
        }
        slice.spend(4 * samples.len()).await;
        let (left, right) = samples.into_iter().partition(|&i| cut.goes_left(&blocks, i));
        Some((cut, left, right))
    }

    /// Directions of a fit with all the columns it may have and, where columns have a price, with fewer.
    pub(super) fn along(&self, need: &Need) -> Vec<Vec<f32>> {
        let all = need.order.len();
        let most = if self.how.columns == 0 { all } else { self.how.columns.min(all) };
        let fewer = COLUMNS.into_iter().filter(|&count| self.how.price > 0.0 && (2..most).contains(&count));
        [most].into_iter().chain(fewer).filter_map(|count| direction(&need.models[count][..all])).collect()
    }
}

impl Cut {
    /// Whether a sample is at or below the threshold.
    pub fn goes_left(&self, blocks: &Blocks<f32>, i: u32) -> bool {
        project(blocks.sample(i as usize), &self.weights) <= self.threshold
    }
}

/// Coefficients as weights, the largest of them 1 in size: planes and scale factors are meant for weights around 1. None if all are 0.
pub(super) fn direction(model: &[f64]) -> Option<Vec<f32>> {
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

/// The place of a sample along a direction.
pub fn project(x: &[f32], weights: &[f32]) -> f32 {
    x.iter().zip(weights).map(|(x, weight)| x * weight).sum()
}

/// The cut with the least squared error, or gini impurity, of both sides; none if there is no value to cut at.
pub(super) fn best_cut(blocks: &Blocks<f32>, samples: &[u32], weights: Vec<f32>, answer: Answer) -> Option<Cut> {
    let mut order: Vec<(f32, u32)> =
        samples.iter().map(|&i| (project(blocks.sample(i as usize), &weights), i)).collect();
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
            let how = Growth { ridge: 1e-6, columns: 0, price: 0.0, rounds: 0 };
            let mut sloped = Sloped::new(blocks.clone(), 3, answer, how);
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

    /// Ten columns of which two count: with a price, the tree names these and is no worse.
    #[test]
    fn columns_of_noise_are_not_worth_their_price() {
        let mut random = Random::new(5);
        let rows: Vec<[f32; 10]> = (0..800).map(|_| std::array::from_fn(|_| random.uniform() as f32)).collect();
        for answer in [Answer::Constant, Answer::Classes(2)] {
            let mut truth = |x: &[f32; 10]| {
                let sum = f64::from(x[3] + x[7]) + 0.2 * random.normal();
                Truth { value: sum, class: u32::from(sum > 1.0), weight: 1.0 }
            };
            let blocks = Arc::new(Blocks::pack(10, rows.iter().map(|x| (&x[..], truth(x)))));
            let named = |price: f64, columns: usize| {
                let how = Growth { ridge: 1e-6, columns, price, rounds: 1 };
                let mut sloped = Sloped::new(blocks.clone(), 3, answer, how);
                while sloped.step() {}
                let planes = sloped.tree().planes.chunks_exact(blocks.width());
                let named = |plane: &[f32]| plane[..10].iter().filter(|weight| **weight != 0.0).count();
                (planes.clone().map(named).collect::<Vec<_>>(), sloped.tree().plane(0).to_vec())
            };
            let (all, _) = named(0.0, 0);
            assert_eq!(all[0], 10, "{all:?}");
            let (few, root) = named(2.0, 0);
            assert!(few[0] <= 5, "{answer:?}: {few:?}");
            assert!(root[3] != 0.0 && root[7] != 0.0, "{root:?}");
            assert!(few.iter().sum::<usize>() * 2 < all.iter().sum::<usize>(), "{few:?} {all:?}");
            let (limited, _) = named(0.0, 3);
            assert!(limited.iter().all(|&count| count <= 3), "{limited:?}");
        }
    }
}
