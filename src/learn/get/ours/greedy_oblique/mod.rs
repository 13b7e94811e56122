//! A greedy oblique tree to start from: each node takes the better of the best single column and the best cut
//! along the slope of its own least-squares fit.
//!
//! Where the target is smooth in a sum of columns, greedy axis splits approach it in stairs and random planes
//! take long to find the direction; least squares names it at once. With classes the fit is of the class
//! whose share is nearest to a half. Then a plane may be fitted anew to the sides it made
//! ([`logistic_refit`]).
//!
//! Every further column of a plane fits noise too, and deep nodes have few samples to tell it by. So a column
//! has a price, and fits of fewer columns take part: with a price a tree is easier to read and no worse on
//! new samples (benches/record).

pub(crate) mod cut;
mod logistic_refit;

use std::sync::Arc;

use self::cut::Cutter;
use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::learn::greedy::{Grower, Grown, Growth, Order};

/// How a tree grows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GrowthSettings {
    /// Ridge of least squares.
    pub ridge: f64,
    /// The most columns in a split; 0 for all.
    pub columns: usize,
    /// What a column has to gain, times the mean loss that the best cut leaves to a sample: about what a
    /// column of noise gains.
    pub price: f64,
    /// How often a plane is fitted anew to the sides it made.
    pub rounds: usize,
}

/// A tree that grows node by node, a node of many samples in several steps.
pub(crate) struct GreedyOblique {
    grower: Grower<Cutter>,
    tree: Parameters<f32>,
    /// The place of each grown node in the tree.
    places: Vec<usize>,
    features: usize,
}

impl GreedyOblique {
    /// Begins with all samples at the root.
    pub(crate) fn new(blocks: Arc<Blocks<f32>>, depth: usize, answer: Answer, how: GrowthSettings) -> Self {
        let (width, features) = (blocks.width(), blocks.features());
        let growth = Growth::new((0..blocks.samples() as u32).collect(), (), depth as u32, Order::DepthFirst);
        GreedyOblique {
            grower: Grower::new(Cutter::new(blocks, depth as u32, answer, how), growth),
            tree: Parameters::zeros(depth, width, answer),
            places: vec![0],
            features,
        }
    }

    /// Splits a node, or does a part of that; returns whether there is more.
    pub(crate) fn step(&mut self) -> bool {
        if let Grown::Node(id) = self.grower.step()
            && let Some((cut, _)) = self.grower.nodes()[id].branches()
        {
            let place = self.places[id];
            self.places.extend([2 * place + 1, 2 * place + 2]);
            let plane = self.tree.plane_mut(place);
            plane.iter_mut().zip(&cut.weights).for_each(|(to, weight)| *to = -weight);
            plane[self.features] = cut.threshold;
        }
        !self.grower.is_complete()
    }

    /// The tree, its leaves to be fitted.
    pub(crate) fn tree(&self) -> &Parameters<f32> {
        &self.tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::get::kernel::blocks::Truth;
    use crate::numeric::order::sort_pairs;
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
        let rows: Vec<[f32; 2]> =
            (0..400).map(|_| [random.uniform() as f32, random.uniform() as f32]).collect();
        for answer in [Answer::Constant, Answer::Classes(2)] {
            let truth = |x: &[f32; 2]| {
                let sum = f64::from(x[0] + 2.0 * x[1]);
                Truth { value: sum, class: u32::from(sum > 1.5), weight: 1.0 }
            };
            let blocks = Arc::new(Blocks::pack(2, rows.iter().map(|x| (&x[..], truth(x)))));
            let how = GrowthSettings { ridge: 1e-6, columns: 0, price: 0.0, rounds: 0 };
            let mut grown = GreedyOblique::new(blocks.clone(), 3, answer, how);
            while grown.step() {}
            let plane = grown.tree().plane(0);
            let ratio = plane[0] / plane[1];
            assert!((ratio - 0.5).abs() < 0.1, "{plane:?}");
            let mut tree = grown.tree().clone();
            let route = crate::learn::get::paper::hard_leaves::routes(&tree, &blocks);
            let loss = crate::learn::get::paper::hard_leaves::refit(
                &mut tree,
                &blocks,
                &route,
                &crate::learn::get::paper::hard_leaves::Refit::PLAIN,
            );
            assert!(loss < 0.03, "{answer:?}: {loss}");
        }
    }

    /// Ten columns of which two count: with a price, the tree names these and is no worse.
    #[test]
    fn columns_of_noise_are_not_worth_their_price() {
        let mut random = Random::new(5);
        let rows: Vec<[f32; 10]> =
            (0..800).map(|_| std::array::from_fn(|_| random.uniform() as f32)).collect();
        for answer in [Answer::Constant, Answer::Classes(2)] {
            let mut truth = |x: &[f32; 10]| {
                let sum = f64::from(x[3] + x[7]) + 0.2 * random.normal();
                Truth { value: sum, class: u32::from(sum > 1.0), weight: 1.0 }
            };
            let blocks = Arc::new(Blocks::pack(10, rows.iter().map(|x| (&x[..], truth(x)))));
            let named = |price: f64, columns: usize| {
                let how = GrowthSettings { ridge: 1e-6, columns, price, rounds: 1 };
                let mut grown = GreedyOblique::new(blocks.clone(), 3, answer, how);
                while grown.step() {}
                let planes = grown.tree().planes.chunks_exact(blocks.width());
                let named = |plane: &[f32]| plane[..10].iter().filter(|weight| **weight != 0.0).count();
                (planes.clone().map(named).collect::<Vec<_>>(), grown.tree().plane(0).to_vec())
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
