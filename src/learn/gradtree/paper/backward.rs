//! The backward pass: the straight-through gradient, along each sample's path only.
//!
//! The forward pass has two hard functions: the one-hot choice instead of entmax(I), and the rounding of S
//! (eq. 7). The straight-through operator of Algorithm 1 gives both the derivative 1, so gradients flow
//! through entmax and through the sigmoid of eq. 6.
//!
//! A leaf's indicator is a product of decisions that are 0 or 1, so its derivative by one decision is not 0
//! only where all others agree. Off a sample's path some decision above always disagrees. At node i on the
//! path exactly two leaves are left, those reached by going left and by going right at i; with G the gradient
//! by the raw output,
//!
//! `d/dz_i = s'(z_i) · G·(L_left − L_right)`,  `d/dT_ij = d/dz_i [j chosen]`,
//! `d/dh_ij = d/dz_i (T_ij − x_j)`,  `d/dI_i = J_i d/dh_i`
//!
//! and `d/dL = G` at the leaf reached. Summed over a batch, `d/dh_i = a_i T_i − w_i` with `a_i = Σ d/dz_i`
//! and `w_i = Σ d/dz_i x`, so the entmax Jacobian J is applied once per node and batch, and only at nodes
//! that were visited. Where a choice is locked J is zero, and w is not needed either.
//!
//! Samples go through in tiles; what belongs to a tile lies level by level, with the samples side by side.

use super::Parameters;
use super::forward::{HardSplits, Paths, TILE};
use super::samples::Samples;
use crate::numeric::Real;
use crate::numeric::activation::SplitFunction;
use crate::numeric::four::Four;
use crate::numeric::lanes::{LANES, Lanes};
use crate::numeric::loss::{Loss, Truth};
use crate::numeric::simplex::{entmax15_product, entmax15_root};
use crate::tree::topology::splits_of_complete;

/// Memory of the passes, allocated once per run.
#[derive(Debug, Clone)]
pub struct Workspace<R> {
    /// The paths of the present tile.
    paths: Paths<R>,
    /// (C) gradient by the raw output of one sample.
    d_u: Vec<R>,
    /// (C × TILE) the same for the tile, and (C × TILE) the raw outputs.
    tile_d_u: Vec<R>,
    tile_u: Vec<R>,
    /// (TILE) G·(L_other − L_reached) at one level.
    change: [R; TILE],
    /// (N) a_i, the sum of d/dz_i.
    a: Vec<R>,
    /// (N × F, rows of whole steps) w_i, the sum of d/dz_i x.
    w: Vec<[R; STEP]>,
    /// (TILE × F, likewise) the samples of the tile, and (TILE) what they should give and how much they
    /// count.
    x: Vec<[R; STEP]>,
    asked: [(Truth<R>, R); TILE],
    /// (N) whether a sample of the batch visited the node, and those that one did.
    visited: Vec<bool>,
    nodes: Vec<u32>,
    /// (L) whether a sample of the batch reached the leaf, and those that one did.
    reached: Vec<bool>,
    leaves: Vec<u32>,
    /// (F) square roots of a node's entmax.
    root: Vec<R>,
}

/// Features that w is summed up for at once: one vector of f32, so that few features do not pad a second one.
const STEP: usize = 4;

impl<R: Real> Workspace<R> {
    /// Memory for trees of one shape.
    pub fn new(depth: usize, features: usize, outputs: usize) -> Self {
        let splits = splits_of_complete(depth);
        let steps = features.div_ceil(STEP);
        Workspace {
            paths: Paths::new(depth),
            d_u: vec![R::ZERO; outputs],
            tile_d_u: vec![R::ZERO; outputs * TILE],
            tile_u: vec![R::ZERO; outputs * TILE],
            change: [R::ZERO; TILE],
            a: vec![R::ZERO; splits],
            w: vec![[R::ZERO; STEP]; splits * steps],
            x: vec![[R::ZERO; STEP]; TILE * steps],
            asked: [(Truth::Class(0), R::ZERO); TILE],
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
        let steps = features.div_ceil(STEP);
        for node in self.nodes.drain(..).map(|node| node as usize) {
            self.visited[node] = false;
            self.a[node] = R::ZERO;
            self.w[node * steps..(node + 1) * steps].fill([R::ZERO; STEP]);
            d.split_index[node * features..(node + 1) * features].fill(R::ZERO);
            d.split_threshold[node * features..(node + 1) * features].fill(R::ZERO);
        }
        for leaf in self.leaves.drain(..).map(|leaf| leaf as usize) {
            self.reached[leaf] = false;
            d.leaf[leaf * outputs..(leaf + 1) * outputs].fill(R::ZERO);
        }
    }
}

/// The mean loss over a batch, and its gradient by I, T and L, which the paper obtains by backpropagation
/// through Algorithm 1.
///
/// * `hard`  those of `parameters`
/// * `batch`    positions in `samples`, at least one
/// * `d`        out; zero, or what the last call with the same workspace left: only rows that were touched
///   are cleared
pub fn gradient<R: Real>(
    parameters: &Parameters<R>,
    hard: &HardSplits<R>,
    samples: Samples<'_, R>,
    batch: &[usize],
    loss: &Loss,
    split: SplitFunction,
    workspace: &mut Workspace<R>,
    d: &mut Parameters<R>,
) -> f64 {
    workspace.clear(d);
    let share = R::ONE / R::from_f64(batch.len() as f64);
    let mut total = 0.0;
    for tile in batch.chunks(TILE) {
        workspace.load(samples, tile, parameters.features, share);
        workspace.walk(hard, tile.len());
        total += workspace.losses(parameters, tile.len(), loss, d);
        workspace.slopes(parameters, tile.len(), split);
        workspace.collect(hard, tile.len());
    }
    workspace.finish(parameters, hard, d);
    total
}

impl<R: Real> Workspace<R> {
    /// Copies the samples of a tile together.
    fn load(&mut self, samples: Samples<'_, R>, tile: &[usize], features: usize, share: R) {
        let steps = self.x.len() / TILE;
        let places = self.x.chunks_exact_mut(steps).zip(&mut self.asked);
        for ((x, asked), &sample) in places.zip(tile) {
            x.as_flattened_mut()[..features].copy_from_slice(samples.row(sample, features));
            *asked = (samples.truth[sample], samples.weight[sample] * share);
        }
    }

    /// Sends them down: the forward pass. What is in the places of the last block that are left over goes
    /// too, and is not used.
    fn walk(&mut self, hard: &HardSplits<R>, samples: usize) {
        let steps = self.x.len() / TILE;
        let width = steps * STEP;
        let x = self.x.as_flattened();
        for first in (0..samples).step_by(LANES) {
            let rows = std::array::from_fn(|lane| &x[(first + lane) * width..(first + lane + 1) * width]);
            hard.walk(&rows, first, &mut self.paths);
        }
    }

    /// The losses of a tile, their gradients G by the raw output (eq. 1), and `d/dL = G` at the leaves
    /// reached.
    fn losses(
        &mut self,
        parameters: &Parameters<R>,
        samples: usize,
        loss: &Loss,
        d: &mut Parameters<R>,
    ) -> f64 {
        let outputs = parameters.outputs;
        let mut total = 0.0;
        for place in 0..samples {
            let leaf = self.paths.leaf[place] as usize;
            let u = parameters.leaf_row(leaf);
            let (truth, weight) = self.asked[place];
            total += loss.evaluate(u, truth, weight, &mut self.d_u).to_f64();
            if !self.reached[leaf] {
                self.reached[leaf] = true;
                self.leaves.push(leaf as u32);
            }
            let d_leaf = &mut d.leaf[leaf * outputs..(leaf + 1) * outputs];
            for k in 0..outputs {
                d_leaf[k] += self.d_u[k];
                self.tile_d_u[k * TILE + place] = self.d_u[k];
                self.tile_u[k * TILE + place] = u[k];
            }
        }
        total
    }

    /// From margins to `d/dz_i = s'(z_i) · G·(L_left − L_right)` along the paths of a tile, in place. s' is
    /// the slope of eq. 6; the rounding of eq. 7 is passed straight through.
    fn slopes(&mut self, parameters: &Parameters<R>, samples: usize, split: SplitFunction) {
        let outputs = parameters.outputs;
        let Workspace { paths, tile_d_u, tile_u, change, .. } = self;
        for (other, margin) in paths.other.chunks_exact(TILE).zip(paths.margin.chunks_exact_mut(TILE)) {
            let (other, margin, change) = (&other[..samples], &mut margin[..samples], &mut change[..samples]);
            change.fill(R::ZERO);
            for (k, (d_u, u)) in tile_d_u.chunks_exact(TILE).zip(tile_u.chunks_exact(TILE)).enumerate() {
                for (((change, &leaf), &d_u), &u) in change.iter_mut().zip(other).zip(d_u).zip(u) {
                    *change += d_u * (parameters.leaf[leaf as usize * outputs + k] - u);
                }
            }
            for (change, &margin) in change.iter_mut().zip(margin.iter()) {
                // A sample that goes left has the other leaf on the right.
                *change = if margin > R::ZERO { -*change } else { *change };
            }
            split.slopes(margin);
            margin.iter_mut().zip(change).for_each(|(d_z, &mut change)| *d_z *= change);
        }
    }

    /// Adds a tile to `a_i = Σ d/dz_i` and `w_i = Σ d/dz_i x`.
    fn collect(&mut self, hard: &HardSplits<R>, samples: usize) {
        let Workspace { paths, a, w, x, visited, nodes, .. } = self;
        for (path, d_z) in paths.node.chunks_exact(TILE).zip(paths.margin.chunks_exact(TILE)) {
            for (&node, &d_z) in path[..samples].iter().zip(d_z) {
                let node = node as usize;
                a[node] += d_z;
                if !visited[node] {
                    visited[node] = true;
                    nodes.push(node as u32);
                }
            }
            add_products(w, x, &path[..samples], d_z, &hard.locked);
        }
    }

    /// From a and w to the gradient by T, and by I through the one-hot choice and the Jacobian of entmax.
    fn finish(&mut self, parameters: &Parameters<R>, hard: &HardSplits<R>, d: &mut Parameters<R>) {
        let features = parameters.features;
        let steps = features.div_ceil(STEP);
        for node in self.nodes.iter().map(|&node| node as usize) {
            let row = node * features..(node + 1) * features;
            let a = self.a[node];
            d.split_threshold[row.start + hard.feature(node)] = a;
            if hard.locked(node) {
                continue;
            }
            let w = self.w[node * steps..(node + 1) * steps].as_flattened();
            let d_h = &mut d.split_index[row.clone()];
            for ((d_h, &threshold), &w) in d_h.iter_mut().zip(&parameters.split_threshold[row.clone()]).zip(w)
            {
                *d_h = a * threshold - w;
            }
            entmax15_root(&parameters.split_index[row], &mut self.root);
            entmax15_product(&self.root, d_h);
        }
    }
}

/// Adds d/dz x of every sample to the row of its node, except where that is locked. A function of its own, so
/// that the compiler knows that the slices do not overlap.
#[inline(never)]
fn add_products<R: Real>(w: &mut [[R; STEP]], x: &[[R; STEP]], path: &[u32], d_z: &[R], locked: &[bool]) {
    let steps = x.len() / TILE;
    for ((x, &node), &d_z) in x.chunks_exact(steps).zip(path).zip(d_z) {
        let node = node as usize;
        if locked[node] {
            continue;
        }
        let d_z = R::Four::splat(d_z);
        for (w, x) in w[node * steps..(node + 1) * steps].iter_mut().zip(x) {
            R::Four::load(w).plus_product(d_z, R::Four::load(x)).store(w);
        }
    }
}

/// The mean loss over all samples, by the forward pass alone. 0 without samples.
pub fn mean_loss<R: Real>(
    parameters: &Parameters<R>,
    hard: &HardSplits<R>,
    samples: Samples<'_, R>,
    loss: &Loss,
    workspace: &mut Workspace<R>,
) -> f64 {
    let mut total = 0.0;
    for first in (0..samples.len()).step_by(LANES) {
        let count = LANES.min(samples.len() - first);
        let block: Lanes<usize> = std::array::from_fn(|lane| first + lane);
        let leaves = hard.leaves(&samples.block(&block[..count], parameters.features));
        for (&sample, &leaf) in block[..count].iter().zip(&leaves) {
            let u = parameters.leaf_row(leaf as usize);
            total +=
                loss.evaluate(u, samples.truth[sample], samples.weight[sample], &mut workspace.d_u).to_f64();
        }
    }
    total / samples.len().max(1) as f64
}
