//! One node of a tree that is refined node by node ([`crate::learn::get::ours::node_refinement`]): what its
//! samples gain on either side, and the plane that gains most, in slices.

use std::sync::Arc;

use crate::learn::get::kernel::blocks::{Blocks, PIECE};
use crate::learn::get::ours::along::COST;
use crate::learn::get::ours::node_refinement::Allowance;
use crate::learn::get::ours::node_refinement::RefinementSettings;
use crate::learn::get::ours::node_refinement::direction::{best_cut, dividing, own_direction};
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::numeric::slices::Slice;
use crate::numeric::solve::Logistic;

/// A plane `direction·x <= threshold`.
pub(in crate::learn::get) struct Plane {
    pub direction: Vec<f32>,
    pub threshold: f32,
}

/// Refines a node of a tree, which itself stays as it is meanwhile.
pub(in crate::learn::get) struct Refiner {
    pub(in crate::learn::get) how: RefinementSettings,
    pub(in crate::learn::get) blocks: Arc<Blocks<f32>>,
    pub(in crate::learn::get) tree: Parameters<f32>,
    pub(in crate::learn::get) logistic: Logistic,
}

impl Refiner {
    pub(crate) fn new(how: RefinementSettings, blocks: Arc<Blocks<f32>>, tree: Parameters<f32>) -> Self {
        Refiner { how, blocks, tree, logistic: Logistic::default() }
    }

    /// The plane that gains most on a node's samples; none if its own is as good.
    pub(crate) async fn refined(&mut self, node: usize, samples: &[u32], slice: &mut Slice) -> Option<Plane> {
        let (blocks, features) = (self.blocks.clone(), self.blocks.features());
        // What each sample gains on the left.
        let mut gains: Vec<f64> = Vec::with_capacity(samples.len());
        for piece in samples.chunks(PIECE) {
            let cost = |child: usize, i: u32| self.cost(child, i as usize);
            gains.extend(piece.iter().map(|&i| cost(2 * node + 2, i) - cost(2 * node + 1, i)));
            slice.spend(2 * piece.len() * (self.tree.depth + 1) * blocks.width()).await;
        }
        let total: f64 = gains.iter().map(|gain| gain.abs()).sum();
        if !(total > 0.0 && total.is_finite()) {
            return None;
        }
        let now = self.tree.plane(node).to_vec();
        let goes_left = |i: u32| score(&now, blocks.sample(i as usize)) >= 0.0;
        let kept: f64 =
            samples.iter().zip(&gains).filter(|(i, _)| goes_left(**i)).map(|(_, gain)| gain).sum();
        slice.spend(2 * samples.len() * blocks.width()).await;
        if let Some(Allowance { loss, readiness }) = self.how.allowance {
            let share = samples.len() as f64 / (blocks.samples() * self.tree.depth) as f64;
            let noise =
                samples.iter().map(|&i| self.cost(node, i as usize)).sum::<f64>() / samples.len() as f64;
            slice.spend(samples.len() * (self.tree.depth + 1) * blocks.width()).await;
            return self
                .with_fewer_columns(node, samples, &gains, [kept - loss * share, readiness * noise], slice)
                .await;
        }
        // Rounding is no gain.
        let mut most = kept + 1e-9 * total;
        let mut better = None;
        let allowed = |&column: &usize| blocks.summable()[column] && (!self.how.sparse || now[column] != 0.0);
        let columns: Vec<usize> = (0..features).filter(allowed).collect();
        let directions = [self.fitted(&columns, samples, &gains), own_direction(&now[..features])];
        for direction in directions.into_iter().flatten() {
            if let Some((gain, threshold)) = best_cut(&blocks, samples, &gains, &direction)
                && gain > most
            {
                most = gain;
                better = Some(Plane { direction, threshold });
            }
            slice.spend((COST + features) * samples.len()).await;
        }
        better
    }

    /// See [`dividing`].
    pub(in crate::learn::get) fn fitted(
        &mut self,
        columns: &[usize],
        samples: &[u32],
        gains: &[f64],
    ) -> Option<Vec<f32>> {
        dividing(&mut self.logistic, &self.blocks, columns, samples, gains, self.how.ridge)
    }

    /// What sample `i` costs below a node or in a leaf.
    fn cost(&self, mut at: usize, i: usize) -> f64 {
        let (nodes, x) = (self.tree.nodes(), self.blocks.sample(i));
        while at < nodes {
            at = 2 * at + 1 + usize::from(score(self.tree.plane(at), x) < 0.0);
        }
        let (numbers, truth) = (self.tree.leaf(at - nodes), self.blocks.truth(i));
        let cost = match self.tree.answer {
            Answer::Constant => square(truth.value - f64::from(numbers[0])),
            Answer::Linear => square(truth.value - f64::from(score(numbers, x))),
            Answer::Classes(_) => f64::from(numbers[truth.class as usize]),
        };
        truth.weight * cost
    }
}

fn square(x: f64) -> f64 {
    x * x
}

/// `(−a, b)·(x, 1)`, at least 0 on the left; or a linear leaf's answer.
fn score(numbers: &[f32], x: &[f32]) -> f32 {
    numbers.iter().zip(x).map(|(number, x)| number * x).sum()
}
