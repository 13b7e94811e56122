//! One batch: the loss of the relaxed tree and its gradient.

use super::isotonic::Pruning;
use super::parameters::Shape;
use super::predictor::Hidden;
use super::samples::{Goal, Samples};
use super::traversal::{Traversal, Version};
use crate::numeric::loss::{Loss, Truth};

/// How much a pruning score weighs against the samples: κ of the isotonic problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Weight {
    /// The same for any number of samples, as published.
    Fixed(f64),
    /// In proportion to the number of samples, so that a batch and the whole training set prune alike.
    PerSample(f64),
}

impl Weight {
    fn of(self, samples: usize) -> f64 {
        match self {
            Weight::Fixed(kappa) => kappa,
            Weight::PerSample(share) => share * samples.max(1) as f64,
        }
    }
}

/// What is added to the mean loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Penalty {
    /// Nothing.
    None,
    /// `λ |η|_∞`, as published.
    Infinity(f64),
    /// `λ Σ_t a_t` over all nodes but the root: what each node costs that is kept.
    Size(f64),
}

/// How a batch is judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recipe {
    /// The version of the relaxation.
    pub version: Version,
    /// κ; none for no pruning at all, when every a is 1.
    pub weight: Option<Weight>,
    /// What pruning costs.
    pub penalty: Penalty,
    /// Pruning variables of at most this are 0 once they are frozen.
    pub least: f64,
    /// Half of this times the sum of the squares of the predictor's numbers, constants too, is added to the loss.
    pub ridge: f64,
    /// This times the sum of the sizes of all plane weights is added to the loss.
    pub l1: f64,
}

/// Buffers for batches of any size; nothing is allocated once they have grown.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// Where the samples went.
    pub traversal: Traversal,
    /// The pruning variables of the last batch.
    pub pruning: Pruning,
    z: Vec<f64>,
    z_bar: Vec<f64>,
    q_bar: Vec<f64>,
    a_bar: Vec<f64>,
    u: Vec<f64>,
    d_u: Vec<f64>,
    s_bar: Vec<f64>,
    hidden: Hidden,
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

    /// Passes samples down and solves for the pruning variables, which stand in `pruning.a` afterwards.
    pub fn prune<'a>(
        &mut self,
        shape: &Shape,
        theta: &[f64],
        scale: f64,
        recipe: &Recipe,
        rows: impl Iterator<Item = &'a [f32]>,
    ) {
        self.pass(shape, theta, scale, recipe, rows);
        self.solve(shape, theta, recipe);
    }

    /// Passes samples down: the first half of [`Workspace::prune`].
    pub fn pass<'a>(
        &mut self,
        shape: &Shape,
        theta: &[f64],
        scale: f64,
        recipe: &Recipe,
        rows: impl Iterator<Item = &'a [f32]>,
    ) {
        let planes = shape.planes(theta, scale);
        self.traversal.pass(&planes, shape.inner(), recipe.version.offset(), rows);
    }

    /// Solves for the pruning variables of the samples that were passed down: the second half.
    pub fn solve(&mut self, shape: &Shape, theta: &[f64], recipe: &Recipe) {
        match recipe.weight {
            Some(weight) => {
                let kappa = weight.of(self.traversal.samples());
                self.pruning.solve(&self.traversal, shape.eta(theta), kappa);
            }
            None => self.pruning.a.iter_mut().for_each(|a| *a = 1.0),
        }
    }

    /// The mean loss of a batch, penalties not included, and the gradient of all there is.
    ///
    /// * `batch`     positions of samples
    /// * `gradient`  out, as `theta`
    pub fn descend(
        &mut self,
        shape: &Shape,
        theta: &[f64],
        scale: f64,
        recipe: &Recipe,
        samples: &Samples,
        batch: &[u32],
        gradient: &mut [f64],
    ) -> f64 {
        let design = &samples.design;
        self.prune(shape, theta, scale, recipe, batch.iter().map(|&i| design.row(i as usize)));
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
            loss += judge(&samples.goal, i as usize, &self.u, share, &mut self.d_u);
            let (d_p, d_z) = (&mut gradient[at..], &mut self.z_bar[range]);
            shape.predictor.backward(&theta[at..], nodes, node, z, x, &mut self.hidden, &self.d_u, d_p, d_z);
        }
        for (g, p) in gradient[at..].iter_mut().zip(&theta[at..]) {
            *g += recipe.ridge * p;
        }
        self.backward(shape, scale, recipe, samples, batch, gradient);
        match recipe.penalty {
            Penalty::Infinity(lambda) => {
                let eta = shape.eta(theta);
                let greatest = (1..eta.len()).fold(0, |best, t| if eta[t].abs() > eta[best].abs() { t } else { best });
                if eta[greatest] != 0.0 {
                    gradient[shape.eta_at() + greatest] += lambda * eta[greatest].signum();
                }
            }
            Penalty::None | Penalty::Size(_) => {}
        }
        if recipe.l1 > 0.0 {
            for (g, w) in gradient[..shape.bias_at()].iter_mut().zip(theta) {
                *g += recipe.l1 * f64::from(i8::from(*w > 0.0) - i8::from(*w < 0.0));
            }
        }
        loss
    }

    /// `z = clip(q + o, 0, a)` of each entry.
    fn read(&mut self) {
        let Workspace { traversal, pruning, z, .. } = self;
        z.clear();
        z.extend(traversal.node.iter().zip(&traversal.q).map(|(&t, &q)| q.min(pruning.a[t as usize])));
    }

    /// From the gradient of z to that of planes and pruning scores.
    fn backward(
        &mut self,
        shape: &Shape,
        scale: f64,
        recipe: &Recipe,
        samples: &Samples,
        batch: &[u32],
        gradient: &mut [f64],
    ) {
        if recipe.weight.is_some() {
            let cost = if let Penalty::Size(lambda) = recipe.penalty { lambda } else { 0.0 };
            self.a_bar.iter_mut().for_each(|a_bar| *a_bar = cost);
            self.a_bar[0] = 0.0;
            let eta_bar = &mut gradient[shape.eta_at()..shape.predictor_at()];
            self.pruning.backward(&self.traversal, &self.z_bar, &mut self.a_bar, &mut self.q_bar, eta_bar);
            if recipe.version == Version::B {
                eta_bar.iter_mut().for_each(|eta_bar| *eta_bar = 0.0);
            }
        } else {
            self.q_bar.clear();
            let passed = self.traversal.q.iter().zip(&self.z_bar).map(|(&q, &z_bar)| if q > 1.0 { 0.0 } else { z_bar });
            self.q_bar.extend(passed);
        }
        let features = shape.features;
        let (weights, rest) = gradient.split_at_mut(shape.bias_at());
        for (place, &i) in batch.iter().enumerate() {
            let range = self.traversal.entries(place);
            // The scores of a sample are few; its gradient is added to each plane once.
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

    /// The mean loss of samples with given pruning variables, as new samples get them.
    pub fn loss(
        &mut self,
        shape: &Shape,
        theta: &[f64],
        scale: f64,
        version: Version,
        a: &[f64],
        samples: &Samples,
    ) -> f64 {
        let mut loss = 0.0;
        for i in 0..samples.len() {
            self.answer(shape, theta, scale, version, a, samples.design.row(i));
            let u = std::mem::take(&mut self.u);
            loss += judge(&samples.goal, i, &u, 1.0, &mut self.d_u);
            self.u = u;
        }
        loss / samples.len().max(1) as f64
    }

    /// The raw outputs (C) for one sample with given pruning variables.
    pub fn answer(
        &mut self,
        shape: &Shape,
        theta: &[f64],
        scale: f64,
        version: Version,
        a: &[f64],
        x: &[f32],
    ) -> &[f64] {
        let planes = shape.planes(theta, scale);
        self.traversal.pass(&planes, shape.inner(), version.offset(), std::iter::once(x));
        self.z.clear();
        self.z.extend(self.traversal.node.iter().zip(&self.traversal.q).map(|(&t, &q)| q.min(a[t as usize])));
        let p = &theta[shape.predictor_at()..];
        let (node, z) = (&self.traversal.node, &self.z);
        shape.predictor.forward(p, shape.nodes(), node, z, x, &mut self.hidden, &mut self.u);
        &self.u
    }
}

/// The loss of sample `i` times a share, with its gradient in `d_u`.
fn judge(goal: &Goal, i: usize, u: &[f64], share: f64, d_u: &mut [f64]) -> f64 {
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
