//! The soft pass: the expected loss over all paths and its gradient, level by level (eqs. 3-4; Algorithm 1,
//! line 5).
//!
//! With `U_it = b_t − a_t·x_i`, `I_it = σ(α U_it)` is the share of sample i that goes left at node t: the
//! scaled sigmoid in the place of the indicator. `π_it` is the share that reaches the node: `π_root = 1`,
//! `π_left = π I`, `π_right = π (1 − I)`. With `ℓ_il` the loss of sample i at leaf l,
//! `(y_i − k_l·x_i − h_l)²`, the loss is
//!
//! `(1/N) Σ_i Σ_l π_il ℓ_il + λ Σ_t |a_t|₁`,
//!
//! the *expected* loss, not the loss of an expected answer. From the leaves up, `V_leaf = ℓ` and
//! `V_t = I V_left + (1 − I) V_right`. Then `∂/∂U_it = π_it α I (1 − I) (V_left − V_right) / N`,
//! `∂/∂b_t = Σ_i ∂/∂U_it`, `∂/∂a_t = −Σ_i ∂/∂U_it x_i + λ sign(a_t)`, `∂/∂h_l = −(2/N) Σ_i π_il r_il` and
//! `∂/∂k_l = −(2/N) Σ_i π_il r_il x_i` with the residual `r`. This takes O(2^D) per sample.

use crate::learn::get::kernel::blocks::{BLOCK, Block};
use crate::learn::get::kernel::exponential::Exponential;
use crate::learn::get::kernel::product::{add_product, set_product};
use crate::learn::get::paper::parameters::{Answer, Parameters};
use crate::numeric::four::Four;

/// A number per sample of a block.
type PerSample<R> = [R; BLOCK];

/// BatchSums over the samples passed since [`BatchSums::clear`]; divided by their weight they are gradients.
#[derive(Debug, Clone)]
pub struct BatchSums<R> {
    /// N × width: `Σ_i ∂/∂U_it (x_i, 1)`.
    pub planes: Vec<R>,
    /// Per leaf: `Σ π` and `Σ π y`; or `Σ −2 π r (x, 1)` (width); or `Σ π` by class.
    pub leaves: Vec<R>,
    /// `Σ π ℓ`.
    pub loss: f64,
    /// `Σ` of the weights.
    pub weight: f64,
}

impl<R: Exponential> BatchSums<R> {
    /// Room for a tree's sums.
    pub fn new(tree: &Parameters<R>) -> Self {
        let per_leaf = if tree.answer == Answer::Constant { 2 } else { tree.answer.numbers(tree.width) };
        BatchSums {
            planes: vec![R::ZERO; tree.planes.len()],
            leaves: vec![R::ZERO; (tree.nodes() + 1) * per_leaf],
            loss: 0.0,
            weight: 0.0,
        }
    }

    /// Forgets all samples.
    pub fn clear(&mut self) {
        self.planes.fill(R::ZERO);
        self.leaves.fill(R::ZERO);
        (self.loss, self.weight) = (0.0, 0.0);
    }

    /// Turns the sums into the gradient of the mean loss plus `l1 · Σ_t |a_t|₁` (its derivative at 0 is 0).
    /// Classes have no gradient in their leaves: those are shares, which have a closed form. Gives the loss.
    pub fn into_gradient(&mut self, tree: &Parameters<R>, features: usize, l1: f64) -> f64 {
        let share = R::from_f64(1.0 / self.weight.max(f64::MIN_POSITIVE));
        let mut penalty = 0.0;
        for (d, plane) in self.planes.chunks_exact_mut(tree.width).zip(tree.planes.chunks_exact(tree.width)) {
            d.iter_mut().for_each(|d| *d *= share);
            if l1 > 0.0 {
                for (d, &w) in d.iter_mut().zip(plane).take(features) {
                    penalty += w.abs().to_f64();
                    let push = R::from_f64(l1);
                    *d += if w > R::ZERO {
                        push
                    } else if w < R::ZERO {
                        -push
                    } else {
                        R::ZERO
                    };
                }
            }
        }
        match tree.answer {
            Answer::Constant => {
                for l in 0..tree.leaves.len() {
                    let (mass, sum) = (self.leaves[2 * l], self.leaves[2 * l + 1]);
                    self.leaves[l] = R::from_f64(-2.0) * (sum - tree.leaves[l] * mass) * share;
                }
            }
            Answer::Linear => self.leaves.iter_mut().for_each(|d| *d *= share),
            Answer::Classes(_) => {}
        }
        self.loss / self.weight.max(f64::MIN_POSITIVE) + l1 * penalty
    }
}

/// Memory of the pass over one block.
#[derive(Debug, Clone)]
pub struct Workspace<R> {
    /// U, then ∂/∂U (N).
    score: Vec<PerSample<R>>,
    /// I (N).
    left: Vec<PerSample<R>>,
    /// π of nodes and leaves (N + L).
    reach: Vec<PerSample<R>>,
    /// V of nodes and leaves (N + L).
    value: Vec<PerSample<R>>,
    /// Answers of linear leaves, then `−2 π r` (L).
    answer: Vec<PerSample<R>>,
    /// Nodes that some sample of the block reaches, level by level.
    active: Vec<usize>,
    /// Leaves that some sample of the block reaches.
    active_leaves: Vec<usize>,
    /// The hard leaf of each sample of the last block.
    pub route: [usize; BLOCK],
    /// Pairs of a block and a node that were computed, and all there were: what truncation saves.
    pub visited: [u64; 2],
}

impl<R: Exponential> Workspace<R> {
    /// Room for a tree.
    pub fn new(tree: &Parameters<R>) -> Self {
        let (nodes, zero) = (tree.nodes(), [R::ZERO; BLOCK]);
        let linear = if tree.answer == Answer::Linear { nodes + 1 } else { 0 };
        Workspace {
            score: vec![zero; nodes],
            left: vec![zero; nodes],
            reach: vec![zero; 2 * nodes + 1],
            value: vec![zero; 2 * nodes + 1],
            answer: vec![zero; linear],
            active: Vec::with_capacity(nodes),
            active_leaves: Vec::with_capacity(nodes + 1),
            route: [0; BLOCK],
            visited: [0; 2],
        }
    }

    /// Adds a block to the sums. Branches that every sample of the block reaches by less than `negligible`
    /// are passed over; with 0 none is.
    pub fn pass(
        &mut self,
        tree: &Parameters<R>,
        alpha: R,
        negligible: R,
        block: Block<'_, R>,
        sums: &mut BatchSums<R>,
    ) {
        self.descend(tree, alpha, negligible, block);
        self.leaf_losses(tree, block, sums);
        self.ascend(tree, alpha, block, sums);
    }

    /// U, I (eq. 3) and π from the root down.
    fn descend(&mut self, tree: &Parameters<R>, alpha: R, negligible: R, block: Block<'_, R>) {
        let nodes = tree.nodes();
        self.active.clear();
        self.active_leaves.clear();
        self.reach[0].copy_from_slice(block.weight);
        self.route = [0; BLOCK];
        if nodes == 0 {
            self.active_leaves.push(0);
            return;
        }
        self.active.push(0);
        let mut from = 0;
        while from < self.active.len() {
            let level = from..self.active.len();
            from = level.end;
            let rows = &self.active[level.clone()];
            set_product(
                rows,
                &tree.planes,
                tree.width,
                block.by_feature,
                BLOCK,
                self.score.as_flattened_mut(),
            );
            for at in level {
                let t = self.active[at];
                let reached = self.share(t, alpha, negligible);
                for (child, reached) in [2 * t + 1, 2 * t + 2].into_iter().zip(reached) {
                    if !reached {
                        // Its loss is multiplied by next to nothing; the samples' own reach is no longer
                        // needed.
                        self.value[child] = [R::ZERO; BLOCK];
                    } else if child < nodes {
                        self.active.push(child);
                    } else {
                        self.active_leaves.push(child - nodes);
                    }
                }
            }
            // A sample's hard path is reached by at least 2^−D of it, so it is never passed over.
            for (lane, at) in self.route.iter_mut().enumerate() {
                *at = 2 * *at + 1 + usize::from(self.score[*at][lane] < R::ZERO);
            }
        }
        self.route.iter_mut().for_each(|at| *at -= nodes);
        self.visited[0] += self.active.len() as u64;
        self.visited[1] += nodes as u64;
    }

    /// I and the children's reach at node `t`; says which of them some sample reaches by `negligible` or
    /// more.
    fn share(&mut self, t: usize, alpha: R, negligible: R) -> [bool; 2] {
        let (above, below) = self.reach.split_at_mut(2 * t + 1);
        let (reach, [to_left, to_right, ..]) = (&above[t], below) else {
            unreachable!("a node has two children")
        };
        let (score, left) = (&self.score[t], &mut self.left[t]);
        for i in 0..BLOCK {
            let z = alpha * score[i];
            // The smaller share is computed directly: as 1 − I it would lose its digits.
            let e = (-z.abs()).decay();
            let large = R::ONE / (R::ONE + e);
            let small = e * large;
            let (share, rest) = if z < R::ZERO { (small, large) } else { (large, small) };
            left[i] = share;
            let (l, r) = (reach[i] * share, reach[i] * rest);
            to_left[i] = if l > R::LEAST { l } else { R::LEAST };
            to_right[i] = if r > R::LEAST { r } else { R::LEAST };
        }
        [any_from(to_left, negligible), any_from(to_right, negligible)]
    }

    /// `ℓ` at the leaves, and the sums of `∂/∂k` and `∂/∂h`.
    fn leaf_losses(&mut self, tree: &Parameters<R>, block: Block<'_, R>, sums: &mut BatchSums<R>) {
        let nodes = tree.nodes();
        if tree.answer == Answer::Constant && nodes > 0 {
            return;
        }
        let leaves = &self.active_leaves;
        if tree.answer == Answer::Linear {
            let answers = self.answer.as_flattened_mut();
            set_product(leaves, &tree.leaves, tree.width, block.by_feature, BLOCK, answers);
        }
        for &l in leaves {
            let (reach, value) = (&self.reach[nodes + l], &mut self.value[nodes + l]);
            match tree.answer {
                // A tree of one leaf; else constants are taken on the way up.
                Answer::Constant => {
                    for i in 0..BLOCK {
                        let r = block.target[i] - tree.leaves[l];
                        value[i] = r * r;
                        sums.leaves[2 * l] += reach[i];
                        sums.leaves[2 * l + 1] += reach[i] * block.target[i];
                    }
                }
                Answer::Linear => {
                    let answer = &mut self.answer[l];
                    for i in 0..BLOCK {
                        let r = block.target[i] - answer[i];
                        value[i] = r * r;
                        answer[i] = R::from_f64(-2.0) * reach[i] * r;
                    }
                }
                Answer::Classes(classes) => {
                    let cost = &tree.leaves[l * classes..(l + 1) * classes];
                    let mass = &mut sums.leaves[l * classes..(l + 1) * classes];
                    for i in 0..BLOCK {
                        let class = block.class[i] as usize;
                        value[i] = cost[class];
                        mass[class] += reach[i];
                    }
                }
            }
        }
        if tree.answer == Answer::Linear {
            let answers = self.answer.as_flattened();
            add_product(leaves, answers, BLOCK, block.by_sample, tree.width, &mut sums.leaves);
        }
    }

    /// The loss (eq. 4) as V from the leaves up, and the gradient of every plane. With `π_right = π (1 − I)`,
    /// `∂/∂U = α π_right I (V_left − V_right)`.
    fn ascend(&mut self, tree: &Parameters<R>, alpha: R, block: Block<'_, R>, sums: &mut BatchSums<R>) {
        let nodes = tree.nodes();
        for at in (0..self.active.len()).rev() {
            let t = self.active[at];
            if 2 * t + 1 >= nodes && tree.answer == Answer::Constant {
                self.constants(tree, 2 * t + 1 - nodes, alpha, block, sums);
                continue;
            }
            let (above, below) = self.value.split_at_mut(2 * t + 1);
            let (value, [left, right, ..]) = (&mut above[t], &*below) else {
                unreachable!("a node has two children")
            };
            let (d, to_right, share) = (&mut self.score[t], &self.reach[2 * t + 2], &self.left[t]);
            for i in 0..BLOCK {
                let gap = left[i] - right[i];
                value[i] = right[i] + share[i] * gap;
                d[i] = alpha * to_right[i] * share[i] * gap;
            }
        }
        let scores = self.score.as_flattened();
        add_product(&self.active, scores, BLOCK, block.by_sample, tree.width, &mut sums.planes);
        for i in 0..BLOCK {
            sums.loss += (block.weight[i] * self.value[0][i]).to_f64();
            sums.weight += block.weight[i].to_f64();
        }
    }

    /// The same at a node above two leaves that answer with constants, `l` and the one behind it, whose
    /// losses are so cheap that they are not kept; and the sums of these leaves.
    fn constants(
        &mut self,
        tree: &Parameters<R>,
        l: usize,
        alpha: R,
        block: Block<'_, R>,
        sums: &mut BatchSums<R>,
    ) {
        let child = tree.nodes() + l;
        let t = (child - 1) / 2;
        let (to_left, to_right) = (&self.reach[child], &self.reach[child + 1]);
        let (value, d, share) = (&mut self.value[t], &mut self.score[t], &self.left[t]);
        let target: &PerSample<R> = block.target.try_into().expect("a block's targets");
        let (h_left, h_right) = (tree.leaves[l], tree.leaves[l + 1]);
        for i in 0..BLOCK {
            let (left, right) = (target[i] - h_left, target[i] - h_right);
            let (left, right) = (left * left, right * right);
            let gap = left - right;
            value[i] = right + share[i] * gap;
            d[i] = alpha * to_right[i] * share[i] * gap;
        }
        let parts = [weighed(to_left, target), weighed(to_right, target)];
        for (sum, part) in sums.leaves[2 * l..2 * l + 4].iter_mut().zip(parts.as_flattened()) {
            *sum += *part;
        }
    }
}

/// Whether any of some numbers is at least `bound`.
fn any_from<R: Exponential>(lanes: &PerSample<R>, bound: R) -> bool {
    lanes.iter().fold(false, |any, &x| any | (x >= bound))
}

/// The sum of some weights, and that of their products with numbers, in four partial sums each.
fn weighed<R: Exponential>(weights: &PerSample<R>, numbers: &PerSample<R>) -> [R; 2] {
    let one = R::Four::splat(R::ONE);
    let mut sums = [R::Four::splat(R::ZERO); 2];
    for (weights, numbers) in weights.as_chunks::<4>().0.iter().zip(numbers.as_chunks::<4>().0) {
        let weights = R::Four::load(weights);
        sums[0] = sums[0].plus_product(weights, one);
        sums[1] = sums[1].plus_product(weights, R::Four::load(numbers));
    }
    sums.map(|sum| {
        let mut lanes = [R::ZERO; 4];
        sum.add_to(&mut lanes);
        (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    })
}
