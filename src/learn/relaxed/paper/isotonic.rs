//! The pruning variables a: an isotonic problem over the tree, solved exactly by pooling adjacent violators
//! (Algorithm 1).
//!
//! The paper's programme is `min ½ Σ_i |z_i − q_i|² + ½ |a − η|²` with `0 <= z_it <= a_t`,
//! `a_t <= a_parent(t)` and `0 <= a_t <= 1`. Its z is `clip(q, 0, a)`, which leaves a problem in a alone:
//!
//! `min Σ_t ½ κ (a_t − η_t)² + ½ Σ_i max(q_it − a_t, 0)²` with `a_t <= a_parent(t)`, then clipped to
//! `[0, 1]`, which is exact for an isotonic solution. Version A has κ = 1 and learned η. Version B is the
//! same problem with η = 0, κ = λ and scores raised by 1/2, so one solver serves both.
//!
//! **Proposition 2.** A group G of nodes that share a value has `a_G = (κ Σ_G η_t + Σ_S q) / (κ |G| + |S|)`,
//! where S are the scores in it above a_G.
//!
//! **Algorithm 1** merges a violating child's group into its parent's until none is left. Here it runs from
//! the leaves up. With each node's scores sorted and summed once, the derivative
//! `F_t(a) = κ (a − η_t) − Σ_i max(q_it − a, 0)` of a node's term costs a binary search. It is concave and
//! increasing. A node takes in the nodes below it whose value is greater than its own will be, and one root
//! finds them: the derivative of a solved group is 0 at its value, so `H(a) = F_t(a) + Σ_u min(F_u(a), 0)`
//! over the groups u below is the derivative of t with all groups that it takes in at a. H is concave and
//! increasing too. Newton's steps from t's own value, which is below the root, end at the exact root after a
//! few steps: groups and scores only leave. A node is visited by at most D nodes above it, so the steps
//! visit O(T D) = O(T log T) nodes, each time by a binary search. Nothing is allocated once the buffers
//! have their size.

use super::traversal::Traversal;

/// A solution, with what the backward pass needs. Reused from batch to batch.
#[derive(Debug, Clone)]
pub struct Pruning {
    /// The pruning variable of each node, in [0, 1] (T).
    pub a: Vec<f64>,
    /// The node at the top of each node's group (T).
    pub top: Vec<u32>,
    /// By the top of a group: `κ |G| + |S|` (T).
    pub denominator: Vec<f64>,
    /// By the top of a group: |S| (T).
    pub active: Vec<usize>,
    /// κ of the last problem.
    pub kappa: f64,
    /// Scores of all nodes, node after node, greatest first, and where each node's begin.
    sorted: Vec<f64>,
    begin: Vec<usize>,
    next: Vec<usize>,
    /// NodeSums of the first k scores of each node, without the sum of none.
    sums: Vec<f64>,
    /// The value of each node before it is clipped.
    value: Vec<f64>,
    /// Nodes that one node may take in.
    taken: Vec<u32>,
    /// The number of nodes that the steps of the last solution visited.
    pub looks: usize,
}

impl Pruning {
    /// For a complete tree of this many nodes, leaves included.
    pub fn new(nodes: usize) -> Self {
        Pruning {
            a: vec![1.0; nodes],
            top: vec![0; nodes],
            denominator: vec![1.0; nodes],
            active: vec![0; nodes],
            kappa: 1.0,
            sorted: vec![],
            begin: vec![0; nodes + 1],
            next: vec![0; nodes],
            sums: vec![],
            value: vec![0.0; nodes],
            taken: Vec::with_capacity(nodes),
            looks: 0,
        }
    }

    /// Algorithm 1 for the scores of a batch.
    ///
    /// * `eta` (T)   pruning scores
    /// * `kappa`     weight of the first term, more than 0
    pub fn solve(&mut self, traversal: &Traversal, eta: &[f64], kappa: f64) {
        self.kappa = kappa;
        self.sort(traversal);
        self.looks = 0;
        // A child stands after its parent, so from the last node up all below is solved.
        for t in (0..self.a.len()).rev() {
            self.top[t] = t as u32;
            (self.value[t], self.active[t]) = self.alone(t, eta[t]);
            self.denominator[t] = kappa + self.active[t] as f64;
            self.take_in(t, eta);
        }
        for (a, value) in self.a.iter_mut().zip(&self.value) {
            *a = value.clamp(0.0, 1.0);
        }
    }

    /// The merges of Algorithm 1 at `t`: takes in the nodes below whose value is greater. Newton's steps on
    /// H.
    fn take_in(&mut self, t: usize, eta: &[f64]) {
        self.find_greater(t);
        if self.taken.is_empty() {
            return;
        }
        let mut value = self.value[t];
        let mut before = (usize::MAX, usize::MAX);
        loop {
            let (mut k, mut sum) = self.above(t, value);
            let mut pull = eta[t];
            for at in 0..self.taken.len() {
                let u = self.taken[at] as usize;
                let (count, part) = self.above(u, value);
                k += count;
                sum += part;
                pull += eta[u];
            }
            self.looks += 1 + self.taken.len();
            let pooled = 1 + self.taken.len();
            // Strictly less, so that rounding cannot make it go on for ever.
            if (pooled, k) >= before {
                break;
            }
            before = (pooled, k);
            value = (self.kappa * pull + sum) / (self.kappa * pooled as f64 + k as f64);
            let values = &self.value;
            self.taken.retain(|&u| values[u as usize] > value);
        }
        let pooled = 1 + self.taken.len();
        self.value[t] = value;
        self.active[t] = before.1;
        self.denominator[t] = self.kappa * pooled as f64 + before.1 as f64;
        for &u in &self.taken {
            self.value[u as usize] = value;
            self.top[u as usize] = t as u32;
        }
    }

    /// Lists the nodes below `t` whose value is greater. Values never grow from a node to its child, so they
    /// hang together.
    fn find_greater(&mut self, t: usize) {
        let (value, nodes) = (self.value[t], self.a.len());
        self.taken.clear();
        let mut next = 0;
        let mut from = t;
        loop {
            for child in [2 * from + 1, 2 * from + 2] {
                if child < nodes && self.value[child] > value {
                    self.taken.push(child as u32);
                }
            }
            let Some(&node) = self.taken.get(next) else { break };
            from = node as usize;
            next += 1;
        }
    }

    /// Sorts each node's scores, and sums them up.
    fn sort(&mut self, traversal: &Traversal) {
        let nodes = self.a.len();
        self.begin.iter_mut().for_each(|begin| *begin = 0);
        traversal.node.iter().for_each(|&node| self.begin[node as usize + 1] += 1);
        for t in 0..nodes {
            self.begin[t + 1] += self.begin[t];
        }
        self.next.copy_from_slice(&self.begin[..nodes]);
        self.sorted.resize(traversal.q.len(), 0.0);
        self.sums.resize(traversal.q.len(), 0.0);
        for (&node, &q) in traversal.node.iter().zip(&traversal.q) {
            let at = &mut self.next[node as usize];
            self.sorted[*at] = q;
            *at += 1;
        }
        for t in 0..nodes {
            let range = self.begin[t]..self.begin[t + 1];
            let scores = &mut self.sorted[range.clone()];
            scores.sort_unstable_by(|a, b| b.total_cmp(a));
            let mut sum = 0.0;
            for (to, q) in self.sums[range].iter_mut().zip(scores.iter()) {
                sum += *q;
                *to = sum;
            }
        }
    }

    /// The scores of a node above a value: how many, and their sum.
    fn above(&self, t: usize, value: f64) -> (usize, f64) {
        let range = self.begin[t]..self.begin[t + 1];
        let k = self.sorted[range.clone()].partition_point(|&q| q > value);
        (k, if k == 0 { 0.0 } else { self.sums[range.start + k - 1] })
    }

    /// Proposition 2 for a node by itself: `a(k)` for the least k with `a(k) > q_(k+1)`, by bisection; and
    /// |S|.
    fn alone(&self, t: usize, eta: f64) -> (f64, usize) {
        let range = self.begin[t]..self.begin[t + 1];
        let (scores, sums) = (&self.sorted[range.clone()], &self.sums[range]);
        let at = |k: usize| {
            let sum = if k == 0 { 0.0 } else { sums[k - 1] };
            (self.kappa * eta + sum) / (self.kappa + k as f64)
        };
        let (mut low, mut high) = (0, scores.len());
        while low < high {
            let k = (low + high) / 2;
            if at(k) > scores[k] { high = k } else { low = k + 1 }
        }
        // Scores equal to the value change nothing; they are counted as not above it.
        let value = at(low);
        let mut k = low;
        while k > 0 && scores[k - 1] <= value {
            k -= 1;
        }
        (value, k)
    }
}
