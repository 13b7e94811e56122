//! The backward pass: the straight-through gradient, along each sample's path only.
//!
//! A leaf's indicator is a product of decisions that are 0 or 1, so its derivative by one decision is not 0 only where all
//! others agree. Off a sample's path some decision above always disagrees. At node i on the path exactly two leaves are
//! left, those reached by going left and by going right at i; with G the gradient by the raw output,
//!
//! `d/dz_i = s'(z_i) · G·(L_left − L_right)`,  `d/dT_ij = d/dz_i [j chosen]`,  `d/dh_ij = d/dz_i (T_ij − x_j)`,  `d/dI_i = J_i d/dh_i`
//!
//! and `d/dL = G` at the leaf reached. Summed over a batch, `d/dh_i = a_i T_i − w_i` with `a_i = Σ d/dz_i` and
//! `w_i = Σ d/dz_i x`, so the entmax Jacobian J is applied once per node and batch, and only at nodes that were visited.
//! Where a choice is locked J is zero, and w is not needed either.

use super::Parameters;
use super::forward::Choices;
use crate::numeric::Real;
use crate::numeric::activation::SplitFunction;
use crate::numeric::loss::{Loss, Truth};
use crate::numeric::simplex::{entmax15_product, entmax15_root};
use crate::tree::topology::splits_of_complete;

/// Samples with what they should give and how much they count.
#[derive(Debug, Clone, Copy)]
pub struct Samples<'a, R> {
    /// (samples × F, one sample after another)
    pub x: &'a [R],
    /// One per sample.
    pub truth: &'a [Truth<R>],
    /// One per sample.
    pub weight: &'a [R],
}

impl<'a, R: Real> Samples<'a, R> {
    /// The number of samples.
    pub fn len(&self) -> usize {
        self.truth.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.truth.is_empty()
    }

    /// The values of one sample (F).
    fn row(&self, sample: usize, features: usize) -> &'a [R] {
        &self.x[sample * features..(sample + 1) * features]
    }
}

/// Memory of the passes, allocated once per run.
#[derive(Debug, Clone)]
pub struct Workspace<R> {
    /// (D) nodes on the present sample's path.
    path: Vec<usize>,
    /// (C) gradient by the raw output.
    d_u: Vec<R>,
    /// (N) a_i, the sum of d/dz_i.
    a: Vec<R>,
    /// (N) whether a sample of the batch visited the node, and those that one did.
    visited: Vec<bool>,
    nodes: Vec<u32>,
    /// (L) whether a sample of the batch reached the leaf, and those that one did.
    reached: Vec<bool>,
    leaves: Vec<u32>,
    /// (F) square roots of a node's entmax.
    root: Vec<R>,
}

impl<R: Real> Workspace<R> {
    /// Memory for trees of one shape.
    pub fn new(depth: usize, features: usize, outputs: usize) -> Self {
        let splits = splits_of_complete(depth);
        Workspace {
            path: vec![0; depth],
            d_u: vec![R::ZERO; outputs],
            a: vec![R::ZERO; splits],
            visited: vec![false; splits],
            nodes: Vec::with_capacity(splits),
            reached: vec![false; splits + 1],
            leaves: Vec::with_capacity(splits + 1),
            root: vec![R::ZERO; features],
        }
    }

    /// The nodes that the last batch visited: the rows of dI and dT that are not zero.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The leaves that the last batch reached: the rows of dL that are not zero.
    pub fn leaves(&self) -> &[u32] {
        &self.leaves
    }

    /// Forgets the last batch, and clears what it left in the gradient.
    fn clear(&mut self, d: &mut Parameters<R>) {
        let (features, outputs) = (d.features, d.outputs);
        for node in self.nodes.drain(..).map(|node| node as usize) {
            self.visited[node] = false;
            self.a[node] = R::ZERO;
            d.split_index[node * features..(node + 1) * features].fill(R::ZERO);
            d.split_threshold[node * features..(node + 1) * features].fill(R::ZERO);
        }
        for leaf in self.leaves.drain(..).map(|leaf| leaf as usize) {
            self.reached[leaf] = false;
            d.leaf[leaf * outputs..(leaf + 1) * outputs].fill(R::ZERO);
        }
    }
}

/// The mean loss over a batch, and its gradient.
///
/// * `choices`  those of `parameters`
/// * `batch`    positions in `samples`, at least one
/// * `d`        out; zero, or what the last call with the same workspace left: only rows that were touched are cleared
pub fn gradient<R: Real>(
    parameters: &Parameters<R>,
    choices: &Choices<R>,
    samples: Samples<'_, R>,
    batch: &[usize],
    loss: &Loss,
    split: SplitFunction,
    workspace: &mut Workspace<R>,
    d: &mut Parameters<R>,
) -> f64 {
    workspace.clear(d);
    let Workspace { path, d_u, a, visited, nodes, reached, leaves, root } = workspace;
    let (features, outputs) = (parameters.features, parameters.outputs);
    let share = R::ONE / R::from_f64(batch.len() as f64);
    let mut total = 0.0;
    for &sample in batch {
        let x = samples.row(sample, features);
        let leaf = choices.walk(x, path);
        let u = parameters.leaf_row(leaf);
        total += loss.evaluate(u, samples.truth[sample], samples.weight[sample] * share, d_u).to_f64();
        if !reached[leaf] {
            reached[leaf] = true;
            leaves.push(leaf as u32);
        }
        for (d_leaf, &g) in d.leaf[leaf * outputs..(leaf + 1) * outputs].iter_mut().zip(d_u.iter()) {
            *d_leaf += g;
        }
        for &node in path.iter() {
            let (left, right) = choices.detour(node, x, leaf);
            let mut delta = R::ZERO;
            for ((&g, &l), &r) in d_u.iter().zip(parameters.leaf_row(left)).zip(parameters.leaf_row(right)) {
                delta += g * (l - r);
            }
            let d_z = split.slope(choices.margin(node, x)) * delta;
            a[node] += d_z;
            if !visited[node] {
                visited[node] = true;
                nodes.push(node as u32);
            }
            if choices.locked(node) {
                continue;
            }
            // d I holds w until the sum over the batch is complete.
            for (w, &x) in d.split_index[node * features..(node + 1) * features].iter_mut().zip(x) {
                *w += d_z * x;
            }
        }
    }
    for node in nodes.iter().map(|&node| node as usize) {
        let row = node * features..(node + 1) * features;
        d.split_threshold[row.start + choices.feature(node)] = a[node];
        if choices.locked(node) {
            continue;
        }
        let d_h = &mut d.split_index[row.clone()];
        for (d_h, &threshold) in d_h.iter_mut().zip(&parameters.split_threshold[row.clone()]) {
            *d_h = a[node] * threshold - *d_h;
        }
        entmax15_root(&parameters.split_index[row], root);
        entmax15_product(root, d_h);
    }
    total
}

/// The mean loss over all samples, by the hard tree. 0 without samples.
pub fn mean_loss<R: Real>(
    parameters: &Parameters<R>,
    choices: &Choices<R>,
    samples: Samples<'_, R>,
    loss: &Loss,
    workspace: &mut Workspace<R>,
) -> f64 {
    let mut total = 0.0;
    for sample in 0..samples.len() {
        let leaf = choices.leaf_below(0, samples.row(sample, parameters.features));
        let u = parameters.leaf_row(leaf);
        total += loss.evaluate(u, samples.truth[sample], samples.weight[sample], &mut workspace.d_u).to_f64();
    }
    total / samples.len().max(1) as f64
}
