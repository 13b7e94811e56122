//! Fewer columns in a split, where that costs next to nothing.
//!
//! A descent gives every column a weight, most of them small. A split is read more easily if it names two or
//! three. So the finished tree is gone through once more, from the last level to the root: of a plane's
//! columns as few stay as are enough, and their weights and the threshold are fitted anew. What the samples
//! may lose by it has two parts. One is a small share of what there is to explain, given to each node by how
//! many samples reach it, so that all nodes together stay within it. The other is what the dropped columns
//! would gain if they were noise: about the mean loss of the node's samples each, as in Mallows' Cp, times a
//! readiness.

pub(crate) mod readiness;

use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::ours::along::{COLUMNS, CONSIDERED, COST};
use crate::learn::get::ours::node_refinement::direction::{best_cut, own_direction};
use crate::learn::get::ours::node_refinement::node::{Plane, Refiner};
use crate::learn::get::ours::node_refinement::{Allowance, RefinementSettings};
use crate::learn::get::paper::hard_leaves::{Refit, refit};
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::numeric::order::sort_positions;
use crate::numeric::slices::Slice;

/// The share of what there is to explain that all nodes together may cost.
const SHARE: f64 = 0.003;

/// One sweep in which splits drop columns more or less readily.
pub(crate) fn sweep(readiness: f64, blocks: &Blocks<f32>, answer: Answer) -> RefinementSettings {
    // Without any split, numbers are explained by their mean.
    let plain = if answer == Answer::Linear { Answer::Constant } else { answer };
    let mut root = Parameters::zeros(0, blocks.width(), plain);
    let loss = refit(&mut root, blocks, &vec![0; blocks.samples()], &Refit::PLAIN);
    let allowance = Allowance { loss: SHARE * loss * blocks.total(), readiness };
    RefinementSettings { most: 1, ridge: 0.1, least: 2, sparse: true, allowance: Some(allowance) }
}

impl Refiner {
    /// The plane of the fewest columns that gains enough on a node's samples, if there is one of fewer than
    /// now. `enough` is what it has to gain with all its columns, and what less for each one dropped.
    pub(crate) async fn with_fewer_columns(
        &mut self,
        node: usize,
        samples: &[u32],
        gains: &[f64],
        enough: [f64; 2],
        slice: &mut Slice,
    ) -> Option<Plane> {
        let blocks = self.blocks.clone();
        let now = self.tree.plane(node)[..blocks.features()].to_vec();
        let strongest = by_strength(&now, &blocks, samples);
        slice.spend(2 * samples.len() * blocks.features()).await;
        if strongest.len() < 2 {
            return None;
        }
        let considered = &strongest[..strongest.len().min(CONSIDERED)];
        let needed = self.by_elimination(considered, samples, gains);
        for count in COLUMNS.into_iter().take_while(|&count| count < strongest.len()) {
            let enough = enough[0] - enough[1] * (strongest.len() - count) as f64;
            let columns = &strongest[..count];
            let mut cut_off = vec![0.0; now.len()];
            columns.iter().for_each(|&column| cut_off[column] = now[column]);
            let others = needed[..count].iter().any(|column| !columns.contains(column));
            let directions = [
                self.fitted(columns, samples, gains),
                own_direction(&cut_off),
                if others { self.fitted(&needed[..count], samples, gains) } else { None },
            ];
            let mut best: Option<(f64, Plane)> = None;
            for direction in directions.into_iter().flatten() {
                let cut = best_cut(&blocks, samples, gains, &direction);
                slice.spend((COST + blocks.features()) * samples.len()).await;
                let Some((gain, threshold)) = cut.filter(|(gain, _)| *gain >= enough) else { continue };
                if best.as_ref().is_none_or(|(most, _)| gain > *most) {
                    best = Some((gain, Plane { direction, threshold }));
                }
            }
            if let Some((_, plane)) = best {
                return Some(plane);
            }
        }
        None
    }

    /// Orders columns by backward elimination from a fit over all of them: the last one to go comes first.
    /// The order stays as it is if there is no such fit. Where columns say nearly the same this finds the few
    /// that stand for the others, which the weights of a descent do not show.
    fn by_elimination(&mut self, columns: &[usize], samples: &[u32], gains: &[f64]) -> Vec<usize> {
        let elimination = self.fitted(columns, samples, gains).and_then(|_| self.logistic.elimination());
        elimination.map_or(columns.to_vec(), |found| found.order.into_iter().map(|at| columns[at]).collect())
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

    use super::*;
    use crate::learn::get::kernel::blocks::Truth;
    use crate::learn::get::ours::node_refinement::NodeRefinement;
    use crate::learn::get::paper::descent::Best;
    use crate::learn::get::paper::hard_leaves::routes;
    use crate::numeric::random::Random;

    /// A noisy step across two of six columns, which a plane with small weights on the others finds nearly as
    /// well.
    fn case(answer: Answer) -> (Arc<Blocks<f32>>, Best) {
        let mut random = Random::new(7);
        let rows: Vec<[f32; 6]> =
            (0..800).map(|_| std::array::from_fn(|_| random.uniform() as f32)).collect();
        let mut truth = |x: &[f32; 6]| {
            let above = x[0] + x[1] > 1.0;
            let class = u32::from(above != (random.uniform() < 0.05));
            Truth { value: f64::from(u8::from(above)) + 0.3 * random.normal(), class, weight: 1.0 }
        };
        let blocks = Arc::new(Blocks::pack(6, rows.iter().map(|x| (&x[..], truth(x)))));
        let mut tree = Parameters::zeros(1, blocks.width(), answer);
        tree.plane_mut(0)[..7].copy_from_slice(&[-1.0, -0.98, 0.02, -0.01, 0.015, -0.02, 1.0]);
        let route = routes(&tree, &blocks);
        let loss = refit(&mut tree, &blocks, &route, &Refit::PLAIN);
        (blocks, Best { loss, tree, epochs: 0 })
    }

    /// The loss before and after, and how many columns are named.
    fn spared(readiness: f64, answer: Answer) -> (f64, f64, usize) {
        let (blocks, best) = case(answer);
        let before = best.loss;
        let mut sweep = NodeRefinement::new(sweep(readiness, &blocks, answer), Refit::PLAIN, blocks, best);
        while sweep.step() {}
        let Best { loss, tree, .. } = sweep.best();
        (before, *loss, tree.plane(0)[..6].iter().filter(|weight| **weight != 0.0).count())
    }

    #[test]
    fn columns_that_hardly_matter_are_no_longer_named() {
        for answer in [Answer::Constant, Answer::Classes(2)] {
            let (before, after, named) = spared(1.0, answer);
            assert_eq!(named, 2, "{answer:?}");
            assert!(after <= before + 0.01, "{answer:?}: {before} to {after}");
        }
    }

    #[test]
    fn one_column_is_enough_only_where_much_may_be_lost() {
        let (_, close, two) = spared(1.0, Answer::Constant);
        let (_, coarse, one) = spared(1000.0, Answer::Constant);
        assert!((two, one) == (2, 1) && coarse > close + 0.05, "{two} {one} {close} {coarse}");
    }

    /// Columns that say the same share a descent's weight, so that each looks weak; a few of them are enough.
    #[test]
    fn of_columns_that_say_the_same_one_is_named() {
        let mut random = Random::new(11);
        let rows: Vec<[f32; 6]> = (0..800)
            .map(|_| {
                let [same, other, noise] = [random.uniform(), random.uniform(), random.uniform()];
                let mut near = || (same + 0.01 * random.normal()) as f32;
                [near(), near(), near(), near(), other as f32, noise as f32]
            })
            .collect();
        let truth = |x: &[f32; 6]| {
            let above = (x[0] + x[1] + x[2] + x[3]) / 4.0 + 0.5 * x[4] > 0.75;
            Truth { value: f64::from(u8::from(above)), class: u32::from(above), weight: 1.0 }
        };
        let blocks = Arc::new(Blocks::pack(6, rows.iter().map(|x| (&x[..], truth(x)))));
        let mut tree = Parameters::zeros(1, blocks.width(), Answer::Constant);
        tree.plane_mut(0)[..7].copy_from_slice(&[-0.25, -0.25, -0.25, -0.25, -0.5, 0.3, 0.6]);
        let route = routes(&tree, &blocks);
        let loss = refit(&mut tree, &blocks, &route, &Refit::PLAIN);
        let sweeps = sweep(1.0, &blocks, Answer::Constant);
        let mut sweep = NodeRefinement::new(sweeps, Refit::PLAIN, blocks, Best { loss, tree, epochs: 0 });
        while sweep.step() {}
        let Best { loss: after, tree, .. } = sweep.best();
        let named: Vec<usize> = (0..6).filter(|&column| tree.plane(0)[column] != 0.0).collect();
        assert!(named.len() == 2 && named[0] < 4 && named[1] == 4, "{named:?}");
        assert!(*after < loss, "{loss} to {after}");
    }
}
