//! Fewer columns in a split, where that costs next to nothing.
//!
//! A descent gives every column a weight, most of them small. A split is read more easily if it names two or three. So the finished
//! tree is gone through once more, from the last level to the root: of a plane's columns those stay that move its samples most, as few
//! as are enough, and their weights and the threshold are fitted anew. What the samples may lose by it is a share of what
//! there is to explain, given to each node by how many samples reach it, so that all nodes together stay within it.

use super::alternate::{Alternate, Sweeps, best_cut, own_direction};
use super::blocks::Blocks;
use super::hard::{Refit, refit};
use super::parameters::{Answer, Parameters};
use crate::numeric::order::sort_positions;

/// How many columns are tried, the fewest first.
const COLUMNS: [usize; 6] = [1, 2, 3, 5, 8, 13];

/// One sweep in which splits may lose a share of what the samples leave to explain.
pub fn sweep(share: f64, blocks: &Blocks<f32>, answer: Answer) -> Sweeps {
    // Without any split, numbers are explained by their mean.
    let plain = if answer == Answer::Linear { Answer::Constant } else { answer };
    let mut root = Parameters::zeros(0, blocks.width(), plain);
    let loss = refit(&mut root, blocks, &vec![0; blocks.samples()], &Refit::PLAIN);
    Sweeps { most: 1, ridge: 0.1, least: 2, sparse: true, spare: Some(share * loss * blocks.total()) }
}

impl Alternate {
    /// Gives a node the plane of the fewest columns that gains at least `enough` on its samples, if there is one of fewer than now.
    pub(super) fn spare(&mut self, node: usize, samples: &[u32], gains: &[f64], enough: f64) {
        let blocks = self.blocks.clone();
        let now = self.tree.plane(node)[..blocks.features()].to_vec();
        let order = by_strength(&now, &blocks, samples);
        for count in COLUMNS.into_iter().take_while(|&count| count < order.len()) {
            let columns = &order[..count];
            let mut cut_off = vec![0.0; now.len()];
            columns.iter().for_each(|&column| cut_off[column] = now[column]);
            let directions = [self.fitted(columns, samples, gains), own_direction(&cut_off)];
            let cuts = directions.into_iter().flatten().filter_map(|direction| {
                let (gain, threshold) = best_cut(&blocks, samples, gains, &direction)?;
                (gain >= enough).then_some((gain, direction, threshold))
            });
            if let Some((_, direction, threshold)) = cuts.reduce(|best, cut| if cut.0 > best.0 { cut } else { best }) {
                self.set_plane(node, &direction, threshold);
                return;
            }
        }
    }
}

/// The columns of a plane, those first whose weight times spread over the samples is greatest.
fn by_strength(weights: &[f32], blocks: &Blocks<f32>, samples: &[u32]) -> Vec<usize> {
    let strength = |column: usize| {
        let values = || samples.iter().map(|&i| f64::from(blocks.sample(i as usize)[column]));
        let mean = values().sum::<f64>() / samples.len() as f64;
        f64::from(weights[column].abs()) * values().map(|x| (x - mean) * (x - mean)).sum::<f64>().sqrt()
    };
    let strengths: Vec<f64> = (0..weights.len()).map(strength).collect();
    let mut order: Vec<usize> = (0..weights.len()).filter(|&column| weights[column] != 0.0).collect();
    sort_positions(&mut order, &|a, b| strengths[b].total_cmp(&strengths[a]));
    order
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::blocks::Truth;
    use super::super::hard::routes;
    use super::super::run::Best;
    use super::*;
    use crate::numeric::random::Random;

    /// A step across two of six columns, which a plane with small weights on the others finds nearly as well.
    fn case(answer: Answer) -> (Arc<Blocks<f32>>, Best) {
        let mut random = Random::new(7);
        let rows: Vec<[f32; 6]> = (0..800).map(|_| std::array::from_fn(|_| random.uniform() as f32)).collect();
        let truth = |x: &[f32; 6]| {
            let above = x[0] + x[1] > 1.0;
            Truth { value: f64::from(u8::from(above)), class: u32::from(above), weight: 1.0 }
        };
        let blocks = Arc::new(Blocks::pack(6, rows.iter().map(|x| (&x[..], truth(x)))));
        let mut tree = Parameters::zeros(1, blocks.width(), answer);
        tree.plane_mut(0)[..7].copy_from_slice(&[-1.0, -0.98, 0.02, -0.01, 0.015, -0.02, 1.0]);
        let route = routes(&tree, &blocks);
        let loss = refit(&mut tree, &blocks, &route, &Refit::PLAIN);
        (blocks, Best { loss, tree })
    }

    /// The loss before and after, and how many columns are named.
    fn spared(share: f64, answer: Answer) -> (f64, f64, usize) {
        let (blocks, best) = case(answer);
        let before = best.loss;
        let mut sweep = Alternate::new(sweep(share, &blocks, answer), Refit::PLAIN, blocks, best);
        while sweep.step() {}
        let Best { loss, tree } = sweep.best();
        (before, *loss, tree.plane(0)[..6].iter().filter(|weight| **weight != 0.0).count())
    }

    #[test]
    fn columns_that_hardly_matter_are_no_longer_named() {
        for answer in [Answer::Constant, Answer::Classes(2)] {
            let (before, after, named) = spared(0.01, answer);
            assert_eq!(named, 2, "{answer:?}");
            assert!(after <= before + 0.01, "{answer:?}: {before} to {after}");
        }
    }

    #[test]
    fn one_column_is_enough_only_where_much_may_be_lost() {
        let (_, close, two) = spared(0.001, Answer::Constant);
        // With the leaves as they are, one column would cost a little less than a mean for all.
        let (_, coarse, one) = spared(1.2, Answer::Constant);
        assert!((two, one) == (2, 1) && coarse > close + 0.05, "{two} {one} {close} {coarse}");
    }
}
