//! GradTree's step in its dense form, as in the paper: every leaf of every sample, with nalgebra's matrix
//! products.

use espalier::learn::gradtree::Parameters;
use espalier::learn::gradtree::paper::Samples;
use espalier::numeric::activation::SplitFunction;
use espalier::numeric::loss::Loss;
use espalier::numeric::optim::Adam;
use espalier::numeric::simplex::{entmax15_product, entmax15_root};
use nalgebra::DMatrix;

/// The parameters as matrices with their optimisers.
pub struct Dense {
    depth: usize,
    /// I and T (F × N): a node's row in the paper is a column here, which nalgebra stores contiguously.
    index: DMatrix<f32>,
    threshold: DMatrix<f32>,
    /// L (C × L), likewise.
    leaf: DMatrix<f32>,
    adam: [Adam<f32>; 3],
}

/// The ancestor of leaf `l` at level `j` = 1..D (eq. 4), and whether the leaf is on its right side.
fn above(l: usize, j: usize, depth: usize) -> (usize, bool) {
    ((1 << (j - 1)) - 1 + (l >> (depth - (j - 1))), (l >> (depth - j)) % 2 == 1)
}

impl Dense {
    /// Creates the same tree in dense form.
    pub fn new(parameters: &Parameters<f32>, rates: [f64; 3]) -> Dense {
        let Parameters { depth, features, outputs, .. } = *parameters;
        let (splits, leaves) = ((1 << depth) - 1, 1 << depth);
        Dense {
            depth,
            index: DMatrix::from_column_slice(features, splits, &parameters.split_index),
            threshold: DMatrix::from_column_slice(features, splits, &parameters.split_threshold),
            leaf: DMatrix::from_column_slice(outputs, leaves, &parameters.leaf),
            adam: [
                Adam::new(splits * features, rates[0]),
                Adam::new(splits * features, rates[1]),
                Adam::new(leaves * outputs, rates[2]),
            ],
        }
    }

    /// Does one training step.
    pub fn step(&mut self, samples: Samples<'_, f32>, batch: &[usize], loss: &Loss, split: SplitFunction) {
        let d = self.gradient(samples, batch, loss, split);
        self.adam[0].step(self.index.as_mut_slice(), &d.split_index);
        self.adam[1].step(self.threshold.as_mut_slice(), &d.split_threshold);
        self.adam[2].step(self.leaf.as_mut_slice(), &d.leaf);
    }

    /// The gradient of the mean loss over a batch of B samples.
    pub fn gradient(
        &self,
        samples: Samples<'_, f32>,
        batch: &[usize],
        loss: &Loss,
        split: SplitFunction,
    ) -> Parameters<f32> {
        let (features, splits) = self.index.shape();
        let (outputs, leaves) = self.leaf.shape();
        let count = batch.len();
        let x = DMatrix::from_fn(features, count, |j, b| samples.x[batch[b] * features + j]);
        // h: the one-hot choice of every node (F × N).
        let mut choice = DMatrix::zeros(features, splits);
        let mut chosen = vec![0; splits];
        for (node, scores) in self.index.column_iter().enumerate() {
            chosen[node] = scores.argmax().0;
            choice[(chosen[node], node)] = 1.0;
        }
        // z = Σ h T − h x (N × B), by a matrix product.
        let mut z = -(choice.transpose() * &x);
        for node in 0..splits {
            let threshold = self.threshold[(chosen[node], node)];
            z.row_mut(node).add_scalar_mut(threshold);
        }
        let s = z.map(|z| if z > 0.0 { 1.0f32 } else { 0.0 });
        // P (L × B): the product of the decisions towards each leaf.
        let factor = |l: usize, j: usize, b: usize| {
            let (node, right) = above(l, j, self.depth);
            if right { 1.0 - s[(node, b)] } else { s[(node, b)] }
        };
        let reach = DMatrix::from_fn(leaves, count, |l, b| {
            (1..=self.depth).map(|j| factor(l, j, b)).product::<f32>()
        });
        let u = &self.leaf * &reach;
        let mut d_u = DMatrix::zeros(outputs, count);
        for (b, &sample) in batch.iter().enumerate() {
            let weight = samples.weight[sample] / count as f32;
            loss.evaluate(
                u.column(b).as_slice(),
                samples.truth[sample],
                weight,
                d_u.column_mut(b).as_mut_slice(),
            );
        }
        let d_leaf = &d_u * reach.transpose();
        let d_reach = self.leaf.transpose() * &d_u;
        // dS (N × B): for every leaf and level the product of the other decisions, from both ends.
        let mut d_s: DMatrix<f32> = DMatrix::zeros(splits, count);
        let mut before = vec![1.0f32; self.depth + 1];
        for b in 0..count {
            for l in 0..leaves {
                for j in 1..=self.depth {
                    before[j] = before[j - 1] * factor(l, j, b);
                }
                let mut after = 1.0;
                for j in (1..=self.depth).rev() {
                    let (node, right) = above(l, j, self.depth);
                    let others = before[j - 1] * after;
                    d_s[(node, b)] += if right { -others } else { others } * d_reach[(l, b)];
                    after *= factor(l, j, b);
                }
            }
        }
        let d_z = d_s.zip_map(&z, |d_s, z| d_s * split.slope(z));
        // dh = a T − x dzᵀ (F × N), a = Σ dz.
        let mut d_h = -(&x * d_z.transpose());
        let mut d_threshold = DMatrix::zeros(features, splits);
        let mut root = vec![0.0; features];
        for node in 0..splits {
            let a = d_z.row(node).sum();
            d_threshold[(chosen[node], node)] = a;
            let mut column = d_h.column_mut(node);
            column.axpy(a, &self.threshold.column(node), 1.0);
            entmax15_root(self.index.column(node).as_slice(), &mut root);
            entmax15_product(&root, column.as_mut_slice());
        }
        Parameters {
            depth: self.depth,
            features,
            outputs,
            split_index: d_h.as_slice().to_vec(),
            split_threshold: d_threshold.as_slice().to_vec(),
            leaf: d_leaf.as_slice().to_vec(),
        }
    }
}
