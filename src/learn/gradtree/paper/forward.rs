//! The forward pass (Algorithm 1, eq. 1 to 5 and 7): hard choices and hard decisions, for several samples
//! side by side.
//!
//! Algorithm 1 multiplies, for every leaf, the decisions of the nodes above it (eq. 2), and adds up the
//! leaves' outputs with these products as weights (eq. 1). The decisions are 0 or 1, so the product is 1 at
//! one leaf: the one that the sample reaches from the root. Going there takes D comparisons.

use super::Parameters;
use crate::numeric::Real;
use crate::numeric::lanes::{LANES, Lanes, count_above, largest, position};
use crate::tree::topology::splits_of_complete;

/// ι and τ: the chosen feature of each inner node and its threshold, in arrays of their own. It is all that
/// the passes need of I and T.
#[derive(Debug, Clone)]
pub struct HardSplits<R> {
    /// (N) the chosen feature per inner node, heap order.
    feature: Vec<u32>,
    /// (N) and its threshold.
    threshold: Vec<R>,
    /// (N) whether the choice leads by so much that its entmax is one-hot and has no gradient.
    pub(super) locked: Vec<bool>,
}

/// Samples that are sent down before anything else is done with them. They are few enough for their paths to
/// stay in the cache.
pub const TILE: usize = 64;

/// The paths of up to [`TILE`] samples: what they pass, and where they would end had they turned the other
/// way once. Levels one after another, samples side by side.
#[derive(Debug, Clone)]
pub struct Paths<R> {
    /// (D × TILE) the node at each level: i(l, j) of eq. 4 for the leaf that is reached.
    pub node: Vec<u32>,
    /// (D × TILE) z = T − x of the chosen feature there, the argument of eq. 6 with the sign of Algorithm 1.
    /// Positive is left, p(l, j) = 0 of eq. 5; a value on the threshold goes right.
    pub margin: Vec<R>,
    /// (D × TILE) the leaf that is reached by the other child, deciding freely below it; leaves count from 0,
    /// left to right.
    pub other: Vec<u32>,
    /// (TILE) the leaf that is reached.
    pub leaf: [u32; TILE],
}

impl<R: Real> Paths<R> {
    /// Memory for trees of depth D.
    pub fn new(depth: usize) -> Self {
        let places = depth * TILE;
        Paths {
            node: vec![0; places],
            margin: vec![R::ZERO; places],
            other: vec![0; places],
            leaf: [0; TILE],
        }
    }
}

impl<R: Real> HardSplits<R> {
    /// The hard splits of these parameters.
    pub fn new(parameters: &Parameters<R>) -> Self {
        let splits = splits_of_complete(parameters.depth);
        let mut hard = HardSplits {
            feature: vec![0; splits],
            threshold: vec![R::ZERO; splits],
            locked: vec![false; splits],
        };
        (0..splits).for_each(|node| hard.refresh(parameters, node));
        hard
    }

    /// Follows the parameters of a node after they have moved: `argmax_j I_ij`, the first of equals. This is
    /// the one-hot choice that Algorithm 1 puts in place of `entmax(I_i)` in the forward pass; entmax keeps
    /// the order, so the largest score has the largest share. Where it leads by 2 or more, entmax itself is
    /// one-hot and its Jacobian is zero.
    pub fn refresh(&mut self, parameters: &Parameters<R>, node: usize) {
        let row = node * parameters.features..(node + 1) * parameters.features;
        let scores = &parameters.split_index[row.clone()];
        let most = largest(scores);
        // Among scores that are not numbers the first is as good as any; such a run ends with its epoch.
        let best = position(scores, most).unwrap_or(0);
        self.feature[node] = best as u32;
        self.threshold[node] = parameters.split_threshold[row][best];
        self.locked[node] = count_above(scores, most - R::from_f64(2.0)) <= 1;
    }

    /// Whether the choice of node `node` has no gradient any more.
    pub fn locked(&self, node: usize) -> bool {
        self.locked[node]
    }

    /// The feature that node `node` tests.
    pub fn feature(&self, node: usize) -> usize {
        self.feature[node] as usize
    }

    /// The threshold that node `node` tests it against.
    pub fn threshold(&self, node: usize) -> R {
        self.threshold[node]
    }

    /// The child of `node` that a sample goes to: 2i + 1, or 2i + 2 on the right. The rounded S of eq. 7 is
    /// 1, left, where `x < T`. Without a branch, which could not be predicted.
    #[inline(always)]
    fn child(&self, node: u32, x: &[R]) -> u32 {
        let at = node as usize;
        let left = x[self.feature[at] as usize] < self.threshold[at];
        2 * node + 2 - u32::from(left)
    }

    /// The leaves (from 0, left to right) that samples reach: where the product of eq. 2 is 1.
    ///
    /// * `x` (LANES × F)  a sample per lane
    pub fn leaves(&self, x: &Lanes<&[R]>) -> Lanes<u32> {
        let splits = self.feature.len() as u32;
        let mut node = [0; LANES];
        while node[0] < splits {
            for lane in 0..LANES {
                node[lane] = self.child(node[lane], x[lane]);
            }
        }
        node.map(|node| node - splits)
    }

    /// The leaf that one sample reaches.
    pub fn leaf(&self, x: &[R]) -> usize {
        self.leaves(&[x; LANES])[0] as usize
    }

    /// Sends samples down, the nodes above a leaf (eq. 4; Algorithm 1, line 8) from the root on, and at each
    /// level one more of each down the other side, which the backward pass needs: D (D + 1) / 2 steps that do
    /// not wait for each other.
    ///
    /// * `x` (LANES × F)  a sample per lane
    /// * `first`          the place of the first in the tile, a multiple of LANES
    pub fn walk(&self, x: &Lanes<&[R]>, first: usize, paths: &mut Paths<R>) {
        let splits = self.feature.len() as u32;
        let Paths { node, margin, other, leaf } = paths;
        let depth = node.len() / TILE;
        let mut at = [0u32; LANES];
        for level in 0..depth {
            let place = level * TILE + first;
            let (node, margin) = (&mut node[place..place + LANES], &mut margin[place..place + LANES]);
            for lane in 0..LANES {
                let here = at[lane] as usize;
                let (value, threshold) = (x[lane][self.feature[here] as usize], self.threshold[here]);
                node[lane] = at[lane];
                margin[lane] = threshold - value;
                at[lane] = 2 * at[lane] + 2 - u32::from(value < threshold);
            }
            for above in 0..level {
                let place = above * TILE + first;
                let detour = &mut other[place..place + LANES];
                for lane in 0..LANES {
                    detour[lane] = self.child(detour[lane], x[lane]);
                }
            }
            let detour = &mut other[place..place + LANES];
            for lane in 0..LANES {
                // Siblings are 2i + 1 and 2i + 2.
                detour[lane] = ((at[lane] - 1) ^ 1) + 1;
            }
        }
        for level in 0..depth {
            let place = level * TILE + first;
            other[place..place + LANES].iter_mut().for_each(|node| *node -= splits);
        }
        leaf[first..first + LANES].copy_from_slice(&at.map(|node| node - splits));
    }
}
