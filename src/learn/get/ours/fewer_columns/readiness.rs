//! How readily columns are dropped: validation decides.
//!
//! On some tables two columns say what ten say, on others each one counts, and the training samples cannot
//! tell: to them every further column is a gain. So the tree that validation chose is made to name fewer
//! columns ([`crate::learn::get::ours::fewer_columns`]), most readily at first, and the first readiness stays
//! with which the validation samples lose nothing.

use std::sync::Arc;

use crate::learn::get::kernel::blocks::Blocks;
use crate::learn::get::ours::fewer_columns;
use crate::learn::get::ours::node_refinement::NodeRefinement;
use crate::learn::get::ours::selection::Finish;
use crate::learn::get::ours::shrinkage::answers;
use crate::learn::get::paper::descent::Best;
use crate::learn::get::paper::hard_leaves::{Refit, refit, routes};
use crate::learn::get::paper::hard_tree::{skeleton, skeleton_routes};
use crate::learn::get::paper::parameters::{Answer, Parameters};

/// The share of the greatest readiness where there is no validation to ask.
const CAREFUL: f64 = 0.25;

/// The readiness where there is no validation to ask.
pub(crate) fn careful(most: f64) -> f64 {
    CAREFUL * most
}

/// Shares of the greatest readiness, which are tried in this order; the last one is taken untried where
/// validation wants none of the others. With constant leaves all columns stay then, since some tables need
/// them; with linear ones and with classes a careful choice cost held-out rows nothing (benches/record).
fn steps(answer: Answer) -> &'static [f64] {
    if answer == Answer::Constant { &[1.0, 0.5, CAREFUL, 0.0] } else { &[1.0, 0.5, CAREFUL] }
}

/// What is tried on one tree.
pub(crate) struct ReadinessTrial {
    tree: Best,
    finish: Finish,
    refit: Refit,
    most: f64,
    fitted: Arc<Blocks<f32>>,
    /// The validation samples' loss with the tree as it is.
    loss: f64,
    /// Which readiness is being tried, and how far it has come.
    step: usize,
    sweep: Option<NodeRefinement>,
}

impl ReadinessTrial {
    /// For a tree that is finished in some way on some samples, and whose columns are dropped at most so
    /// readily.
    pub(crate) fn new(
        most: f64,
        tree: &Parameters<f32>,
        finish: Finish,
        how: Refit,
        fitted: Arc<Blocks<f32>>,
        valid: &Blocks<f32>,
    ) -> Self {
        let mut tree = tree.top(finish.kept);
        let route = routes(&tree, &fitted);
        let on_fitted = refit(&mut tree, &fitted, &route, &how);
        let loss = judge(&tree, finish, &fitted, valid);
        let tree = Best { loss: on_fitted, tree, epochs: 0 };
        ReadinessTrial { tree, finish, refit: how, most, fitted, loss, step: 0, sweep: None }
    }

    /// The readiness that was found.
    pub(crate) fn readiness(&self) -> f64 {
        self.most * steps(self.tree.tree.answer)[self.step]
    }

    /// Fewer columns in one node; returns whether there is more to do.
    pub(crate) fn step(&mut self, valid: &Blocks<f32>) -> bool {
        if self.step + 1 == steps(self.tree.tree.answer).len() {
            return false;
        }
        let readiness = self.readiness();
        let sweep = self.sweep.get_or_insert_with(|| {
            let how = fewer_columns::sweep(readiness, &self.fitted, self.tree.tree.answer);
            NodeRefinement::new(how, self.refit, self.fitted.clone(), self.tree.clone())
        });
        if sweep.step() {
            return true;
        }
        let loss = judge(&sweep.best().tree, self.finish, &self.fitted, valid);
        self.sweep = None;
        if loss <= self.loss {
            return false;
        }
        self.step += 1;
        true
    }
}

/// The validation samples' loss with a tree whose leaves are made from the fitted samples.
fn judge(tree: &Parameters<f32>, finish: Finish, fitted: &Blocks<f32>, valid: &Blocks<f32>) -> f64 {
    let skeleton = skeleton(tree, fitted.features());
    let [route, judged] = [fitted, valid].map(|blocks| skeleton_routes(&skeleton, blocks));
    let answers = answers(fitted, &route, tree.depth, tree.answer, finish.lambda);
    answers.losses(valid, &judged, tree.depth, tree.answer)[tree.depth]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::get::kernel::blocks::Truth;
    use crate::numeric::random::Random;

    /// What is found for a step across some of four columns and a plane that names all.
    fn found(most: f64, steps: [f32; 4]) -> f64 {
        let mut random = Random::new(5);
        let mut blocks = || {
            let rows: Vec<[f32; 4]> =
                (0..600).map(|_| std::array::from_fn(|_| random.uniform() as f32)).collect();
            let middle = steps.iter().sum::<f32>() / 2.0;
            let truth = |x: &[f32; 4]| {
                let above = x.iter().zip(steps).map(|(x, step)| x * step).sum::<f32>() > middle;
                // A value that no plane can know.
                let value = f64::from(u8::from(above)) + f64::from((x[0] * 1e4).fract()) - 0.5;
                Truth { value, class: u32::from(above), weight: 1.0 }
            };
            Arc::new(Blocks::pack(4, rows.iter().map(|x| (&x[..], truth(x)))))
        };
        let [fitted, valid] = [blocks(), blocks()];
        let mut tree = Parameters::zeros(1, fitted.width(), Answer::Constant);
        let weights = steps.map(|step| if step == 0.0 { -0.05 } else { -step });
        tree.plane_mut(0)[..4].copy_from_slice(&weights);
        tree.plane_mut(0)[4] = -weights.iter().sum::<f32>() / 2.0;
        let finish = Finish { lambda: 0.0, kept: 1 };
        let mut trial = ReadinessTrial::new(most, &tree, finish, Refit::PLAIN, fitted, &valid);
        while trial.step(&valid) {}
        trial.readiness()
    }

    #[test]
    fn columns_are_dropped_readily_where_they_say_nothing_and_not_where_each_counts() {
        assert_eq!(found(40.0, [1.0, 1.0, 0.0, 0.0]), 40.0);
        assert_eq!(found(4000.0, [1.0, 1.0, 1.0, 1.0]), 0.0);
    }
}
