//! One batch, forward and backward: q, then a and z, then the predictor and its loss; and the gradient of θ
//! the same way back.
//!
//! 1. q by [`Traversal::pass`]; 2. a by Algorithm 1, [`Pruning::solve`]; 3. `z = clip(q + o, 0, a)`; 4. the
//!    predictor's outputs u and their loss. Then 5. the gradient of z by the predictor; 6. of q and η by the
//!    derivative of Proposition 2, [`Pruning::backward`]; 7. of the planes, through the score that is the
//!    minimum on the path.

use super::isotonic::Pruning;
use super::objective::Objective;
use super::parameters::Shape;
use super::predictor::Hidden;
use super::samples::{Goal, Samples};
use super::traversal::{Traversal, Version};
use crate::numeric::loss::{Loss, Truth};

/// Buffers for batches of any size; nothing is allocated once they have grown.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// Where the samples went.
    pub traversal: Traversal,
    /// The pruning variables of the last batch.
    pub pruning: Pruning,
    pub(super) z: Vec<f64>,
    z_bar: Vec<f64>,
    q_bar: Vec<f64>,
    a_bar: Vec<f64>,
    pub(super) u: Vec<f64>,
    pub(super) d_u: Vec<f64>,
    s_bar: Vec<f64>,
    pub(super) hidden: Hidden,
}

impl Workspace {
    /// For trees of a shape.
    pub fn new(shape: &Shape) -> Self {
        Workspace {
            traversal: Traversal::default(),
            pruning: Pruning::new(shape.nodes()),
            z: vec![],
            z_bar: vec![],
            q_bar: vec![],
            a_bar: vec![0.0; shape.nodes()],
            u: vec![0.0; shape.outputs],
            d_u: vec![0.0; shape.outputs],
            s_bar: vec![0.0; shape.inner()],
            hidden: Hidden::default(),
        }
    }

    /// Steps 1 and 2. The pruning variables are in `pruning.a` afterwards.
    pub fn prune<'a>(
        &mut self,
        shape: &Shape,
        theta: &[f64],
        scale: f64,
        objective: &dyn Objective,
        rows: impl Iterator<Item = &'a [f32]>,
    ) {
        self.pass(shape, theta, scale, objective, rows);
        self.solve(shape, theta, objective);
    }

    /// Step 1: passes samples down the tree.
    pub fn pass<'a>(
        &mut self,
        shape: &Shape,
        theta: &[f64],
        scale: f64,
        objective: &dyn Objective,
        rows: impl Iterator<Item = &'a [f32]>,
    ) {
        let planes = shape.planes(theta, scale);
        self.traversal.pass(&planes, shape.inner(), objective.version().offset(), rows);
    }

    /// Step 2: solves for the pruning variables of the samples that were passed down.
    pub fn solve(&mut self, shape: &Shape, theta: &[f64], objective: &dyn Objective) {
        match objective.kappa(self.traversal.samples()) {
            Some(kappa) => self.pruning.solve(&self.traversal, shape.eta(theta), kappa),
            None => self.pruning.a.iter_mut().for_each(|a| *a = 1.0),
        }
    }

    /// The mean loss of a batch without penalties, and the gradient of the whole objective by θ.
    ///
    /// * `batch`     positions of samples
    /// * `gradient`  out, as `theta`
    pub fn descend(
        &mut self,
        shape: &Shape,
        theta: &[f64],
        scale: f64,
        objective: &dyn Objective,
        samples: &Samples,
        batch: &[u32],
        gradient: &mut [f64],
    ) -> f64 {
        let design = &samples.design;
        self.prune(shape, theta, scale, objective, batch.iter().map(|&i| design.row(i as usize)));
        self.read();
        gradient.iter_mut().for_each(|g| *g = 0.0);
        self.z_bar.resize(self.z.len(), 0.0);
        let share = 1.0 / batch.len().max(1) as f64;
        let (nodes, at) = (shape.nodes(), shape.predictor_at());
        let mut loss = 0.0;
        for (place, &i) in batch.iter().enumerate() {
            let (x, range) = (design.row(i as usize), self.traversal.entries(place));
            let (node, z) = (&self.traversal.node[range.clone()], &self.z[range.clone()]);
            shape.predictor.forward(&theta[at..], nodes, node, z, x, &mut self.hidden, &mut self.u);
            loss += loss_of(&samples.goal, i as usize, &self.u, share, &mut self.d_u);
            let (d_p, d_z) = (&mut gradient[at..], &mut self.z_bar[range]);
            shape.predictor.backward(&theta[at..], nodes, node, z, x, &mut self.hidden, &self.d_u, d_p, d_z);
        }
        self.backward(shape, scale, objective, samples, batch, gradient);
        objective.add_gradient(shape, theta, gradient);
        loss
    }

    /// Step 3: `z = clip(q + o, 0, a)` of each entry.
    fn read(&mut self) {
        let Workspace { traversal, pruning, z, .. } = self;
        z.clear();
        z.extend(traversal.node.iter().zip(&traversal.q).map(|(&t, &q)| q.min(pruning.a[t as usize])));
    }

    /// Steps 6 and 7: from the gradient of z to that of pruning scores and planes.
    fn backward(
        &mut self,
        shape: &Shape,
        scale: f64,
        objective: &dyn Objective,
        samples: &Samples,
        batch: &[u32],
        gradient: &mut [f64],
    ) {
        if objective.kappa(batch.len()).is_some() {
            self.a_bar.fill(objective.a_bar());
            self.a_bar[0] = 0.0;
            let eta_bar = &mut gradient[shape.eta_at()..shape.predictor_at()];
            self.pruning.backward(&self.traversal, &self.z_bar, &mut self.a_bar, &mut self.q_bar, eta_bar);
            if objective.version() == Version::B {
                eta_bar.iter_mut().for_each(|eta_bar| *eta_bar = 0.0);
            }
        } else {
            self.q_bar.clear();
            let passed = self
                .traversal
                .q
                .iter()
                .zip(&self.z_bar)
                .map(|(&q, &z_bar)| if q > 1.0 { 0.0 } else { z_bar });
            self.q_bar.extend(passed);
        }
        let features = shape.features;
        let (weights, rest) = gradient.split_at_mut(shape.bias_at());
        for (place, &i) in batch.iter().enumerate() {
            let range = self.traversal.entries(place);
            // A sample has few scores, so its gradient is added to each plane once.
            for entry in range.clone() {
                let source = self.traversal.source[entry];
                if source != 0 {
                    let sign = f64::from(source.signum());
                    self.s_bar[source.unsigned_abs() as usize - 1] += sign * self.q_bar[entry];
                }
            }
            let x = samples.design.row(i as usize);
            for entry in range {
                let source = self.traversal.source[entry];
                if source == 0 {
                    continue;
                }
                let t = source.unsigned_abs() as usize - 1;
                let s_bar = scale * std::mem::take(&mut self.s_bar[t]);
                if s_bar != 0.0 {
                    rest[t] += s_bar;
                    for (g, &x) in weights[t * features..(t + 1) * features].iter_mut().zip(x) {
                        *g += s_bar * f64::from(x);
                    }
                }
            }
        }
    }
}

/// The loss of sample `i` times a share, with its gradient in `d_u`.
pub(super) fn loss_of(goal: &Goal, i: usize, u: &[f64], share: f64, d_u: &mut [f64]) -> f64 {
    match goal {
        Goal::Classes { label, weight, .. } => {
            let class = label[i] as usize;
            Loss::CROSS_ENTROPY.evaluate(u, Truth::Class(class), share * weight[class], d_u)
        }
        Goal::Numbers { values, outputs } => {
            let share = share / *outputs as f64;
            let y = &values[i * outputs..(i + 1) * outputs];
            u.iter()
                .zip(y)
                .zip(d_u)
                .map(|((u, y), d)| {
                    *d = 2.0 * share * (u - y);
                    share * (u - y) * (u - y)
                })
                .sum()
        }
    }
}
