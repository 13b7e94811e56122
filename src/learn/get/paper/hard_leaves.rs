//! The hard tree: where samples go, and the best leaves for those routes in closed form (Algorithm 1, line
//! 6).
//!
//! A constant leaf takes the mean of its samples, a linear leaf their least squares, and a leaf without
//! samples the middle between the least and the greatest target. The authors' program has constant leaves
//! only.

use crate::learn::get::kernel::blocks::{Blocks, PIECE};
use crate::learn::get::kernel::exponential::Exponential;
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::numeric::slices::{Slice, at_once};
use crate::numeric::solve::LeastSquares;

/// How leaves are refitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Refit {
    /// Linear leaves: what is added to the diagonal of `Xc'Xc`, as a share of its mean.
    pub ridge: f64,
    /// A leaf needs so many samples per coefficient for a linear model of its own; with fewer it answers with
    /// its mean.
    pub rows_per_coefficient: f64,
    /// Class shares: so many samples, spread like all samples, are added to each leaf.
    pub prior: f64,
}

impl Refit {
    /// As in the paper's text: plain least squares, with just enough ridge to make it solvable.
    pub const PLAIN: Refit = Refit { ridge: 1e-8, rows_per_coefficient: 0.0, prior: 1.0 };
}

/// The leaf of each sample.
pub fn routes<R: Exponential>(tree: &Parameters<R>, blocks: &Blocks<R>) -> Vec<u32> {
    at_once(routes_in_slices(tree, blocks, &mut Slice::default()))
}

/// The same in slices.
pub async fn routes_in_slices<R: Exponential>(
    tree: &Parameters<R>,
    blocks: &Blocks<R>,
    slice: &mut Slice,
) -> Vec<u32> {
    let mut route = Vec::with_capacity(blocks.samples());
    while route.len() < blocks.samples() {
        let piece = route.len()..blocks.samples().min(route.len() + PIECE);
        let numbers = piece.len() * (tree.depth + 1) * blocks.width();
        route.extend(piece.map(|i| tree.route(blocks.sample(i)) as u32));
        slice.spend(numbers).await;
    }
    route
}

/// Samples in the order of their leaves, and where each leaf's begin (L + 1).
pub fn by_leaf(route: &[u32], leaves: usize) -> (Vec<u32>, Vec<usize>) {
    let mut begin = vec![0usize; leaves + 1];
    route.iter().for_each(|&leaf| begin[leaf as usize + 1] += 1);
    for leaf in 0..leaves {
        begin[leaf + 1] += begin[leaf];
    }
    let mut next = begin.clone();
    let mut order = vec![0u32; route.len()];
    for (i, &leaf) in route.iter().enumerate() {
        order[next[leaf as usize]] = i as u32;
        next[leaf as usize] += 1;
    }
    (order, begin)
}

/// Gives every leaf its best answer for the samples routed to it, and returns the mean hard loss: squared
/// error, or cross-entropy of the smoothed shares.
///
/// A leaf without samples answers `(min y + max y)/2` over all samples, or with the shares of all.
pub fn refit<R: Exponential>(
    tree: &mut Parameters<R>,
    blocks: &Blocks<R>,
    route: &[u32],
    how: &Refit,
) -> f64 {
    at_once(refit_in_slices(tree, blocks, route, how, &mut Slice::default()))
}

/// The same in slices, a leaf at a time where leaves are linear: the other kinds take one short pass.
pub async fn refit_in_slices<R: Exponential>(
    tree: &mut Parameters<R>,
    blocks: &Blocks<R>,
    route: &[u32],
    how: &Refit,
    slice: &mut Slice,
) -> f64 {
    match tree.answer {
        Answer::Constant => refit_constants(tree, blocks, route),
        Answer::Linear => refit_linear(tree, blocks, route, how, slice).await,
        Answer::Classes(classes) => refit_shares(tree, blocks, route, classes, how.prior),
    }
}

/// The best answer of every leaf, from left to right, for the samples routed to it: a mean, coefficients and
/// a constant behind them, or class shares. Leaves of the finished tree have these; those of [`refit`] are
/// the same in the numbers of a descent.
pub fn answers(
    blocks: &Blocks<f32>,
    route: &[u32],
    leaves: usize,
    answer: Answer,
    how: &Refit,
) -> Vec<Vec<f64>> {
    let (order, begin) = by_leaf(route, leaves);
    let (mut normal, empty) = (LeastSquares::new(blocks.summable()), middle(blocks));
    let answer = |leaf: usize| {
        let truths =
            order[begin[leaf]..begin[leaf + 1]].iter().map(|&i| (i as usize, blocks.truth(i as usize)));
        let weight: f64 = truths.clone().map(|(_, truth)| truth.weight).sum();
        match answer {
            Answer::Constant => {
                let sum: f64 = truths.map(|(_, truth)| truth.weight * truth.value).sum();
                vec![if weight > 0.0 { sum / weight } else { empty }]
            }
            Answer::Linear => {
                let rows = || truths.clone().map(|(i, truth)| (blocks.sample(i), truth.value, truth.weight));
                normal.fit(rows, [how.ridge, 0.0], how.rows_per_coefficient, empty).to_vec()
            }
            Answer::Classes(classes) => {
                let mut shares = vec![0.0; classes];
                truths.for_each(|(_, truth)| shares[truth.class as usize] += truth.weight);
                shares.iter_mut().for_each(|share| *share /= weight.max(f64::MIN_POSITIVE));
                shares
            }
        }
    };
    (0..leaves).map(answer).collect()
}

/// The middle between the least and the greatest target.
pub fn middle<R: Exponential>(blocks: &Blocks<R>) -> f64 {
    let values = || (0..blocks.samples()).map(|i| blocks.truth(i).value);
    (values().fold(f64::INFINITY, f64::min) + values().fold(f64::NEG_INFINITY, f64::max)) / 2.0
}

fn refit_constants<R: Exponential>(tree: &mut Parameters<R>, blocks: &Blocks<R>, route: &[u32]) -> f64 {
    let mut sums = vec![[0.0f64; 2]; tree.leaves.len()];
    let mut squares = 0.0;
    for (i, &leaf) in route.iter().enumerate() {
        let truth = blocks.truth(i);
        let sum = &mut sums[leaf as usize];
        sum[0] += truth.weight;
        sum[1] += truth.weight * truth.value;
        squares += truth.weight * truth.value * truth.value;
    }
    let empty = middle(blocks);
    for (h, [weight, sum]) in tree.leaves.iter_mut().zip(sums) {
        *h = R::from_f64(if weight > 0.0 { sum / weight } else { empty });
        if weight > 0.0 {
            squares -= sum * sum / weight;
        }
    }
    squares.max(0.0) / blocks.total()
}

async fn refit_linear<R: Exponential>(
    tree: &mut Parameters<R>,
    blocks: &Blocks<R>,
    route: &[u32],
    how: &Refit,
    slice: &mut Slice,
) -> f64 {
    let (width, leaves) = (tree.width, tree.nodes() + 1);
    let (order, begin) = by_leaf(route, leaves);
    let mut normal = LeastSquares::new(blocks.summable());
    let mut squares = 0.0;
    let empty = middle(blocks);
    for leaf in 0..leaves {
        let samples = &order[begin[leaf]..begin[leaf + 1]];
        let rows = || {
            samples.iter().map(|&i| {
                let truth = blocks.truth(i as usize);
                (blocks.sample(i as usize), truth.value, truth.weight)
            })
        };
        let model = normal.fit(rows, [how.ridge, 0.0], how.rows_per_coefficient, empty);
        let numbers = &mut tree.leaves[leaf * width..(leaf + 1) * width];
        for (number, model) in numbers.iter_mut().zip(model) {
            *number = R::from_f64(*model);
        }
        for (x, y, weight) in rows() {
            let r = y - x.iter().zip(model).map(|(x, k)| x.to_f64() * k).sum::<f64>();
            squares += weight * r * r;
        }
        // A product is quicker than a look: eight of them count as one.
        slice.spend(samples.len() * width * (1 + width / 8)).await;
    }
    squares / blocks.total()
}

fn refit_shares<R: Exponential>(
    tree: &mut Parameters<R>,
    blocks: &Blocks<R>,
    route: &[u32],
    classes: usize,
    prior: f64,
) -> f64 {
    let mut mass = vec![0.0f64; tree.leaves.len()];
    let mut all = vec![0.0f64; classes];
    for (i, &leaf) in route.iter().enumerate() {
        let truth = blocks.truth(i);
        mass[leaf as usize * classes + truth.class as usize] += truth.weight;
        all[truth.class as usize] += truth.weight;
    }
    let total = blocks.total();
    let mut loss = 0.0;
    for (leaf, mass) in mass.chunks_exact(classes).enumerate() {
        set_costs(tree.leaf_mut(leaf), mass, &all, total, prior);
        loss += mass.iter().zip(tree.leaf(leaf)).map(|(mass, cost)| mass * cost.to_f64()).sum::<f64>();
    }
    loss / total
}

/// `−ln p_c` with `p_c = (m_c + prior · all_c/total) / (Σ m + prior)`. A class that no sample has keeps a
/// small share, so that its cost is a number.
pub fn set_costs<R: Exponential>(cost: &mut [R], mass: &[f64], all: &[f64], total: f64, prior: f64) {
    let sum: f64 = mass.iter().sum();
    for ((cost, mass), all) in cost.iter_mut().zip(mass).zip(all) {
        let share = (mass + prior * (all / total).max(1e-6)) / (sum + prior);
        *cost = R::from_f64(-libm::log(share.max(1e-9)));
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;
    use crate::learn::get::kernel::blocks::Truth;
    use crate::learn::get::paper::initial_trees;
    use crate::numeric::random::Random;

    #[test]
    fn linear_leaves_of_a_large_table_are_fitted_in_slices() {
        const ROWS: usize = 900_000;
        let row = |i: usize| -> [f32; 12] {
            std::array::from_fn(|j| ((i * 7919 + j * 104_729) % 1009) as f32 / 1009.0)
        };
        let rows: Vec<[f32; 12]> = (0..ROWS).map(row).collect();
        let truth = |x: &[f32; 12]| Truth { value: f64::from(x[0] - 0.3 * x[5]), class: 0, weight: 1.0 };
        let blocks = Blocks::pack(12, rows.iter().map(|x| (&x[..], truth(x))));
        let mut random = Random::new(1);
        let tree =
            initial_trees::random(3, &blocks, Answer::Linear, initial_trees::Draw::Through, 0, &mut random);
        let route: Vec<u32> = (0..ROWS as u32).map(|i| i % 8).collect();
        let (mut at_once, mut sliced, mut slice) = (tree.clone(), tree, Slice::long());
        let loss = refit(&mut at_once, &blocks, &route, &Refit::PLAIN);
        let mut pieces = 1;
        let again = {
            let mut work = pin!(refit_in_slices(&mut sliced, &blocks, &route, &Refit::PLAIN, &mut slice));
            loop {
                match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                    Poll::Ready(loss) => break loss,
                    Poll::Pending => pieces += 1,
                }
            }
        };
        assert!(pieces >= 3, "only {pieces} slices");
        assert_eq!((loss, at_once.leaves), (again, sliced.leaves));
    }
}
