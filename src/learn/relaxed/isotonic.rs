//! The pruning variables: an isotonic problem over the tree, solved exactly by pooling adjacent violators (section 3.2).
//!
//! `min Σ_t ½ κ (a_t − η_t)² + ½ Σ_i max(q_it − a_t, 0)²` with `a_t <= a_parent(t)`, then cut off at 0 and 1, which is exact for
//! an isotonic solution. Version A of the text has κ = 1 and learned η; version B is the same problem with η = 0, κ = λ and
//! scores raised by 1/2, so one solver serves both.
//!
//! A group G of nodes that share a value has `a = (κ Σ η_t + Σ_S q) / (κ |G| + |S|)`, where S are the scores in it above a.
//! With each node's scores sorted and summed up once, the pull `F(a) = κ Σ (a − η_t) − Σ (q − a)⁺` costs a binary search per
//! node. F is concave and rises, so Newton's steps from below end at the exact root after a few of them.
//!
//! From the leaves up, a node takes in the group below it with the greatest value as long as that is greater than its own.
//! The groups below are kept in heaps that can be merged, so choosing costs O(T log T) in all. Nothing is allocated once the
//! buffers have their size.

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
    /// Sums of the first k scores of each node, without the sum of none.
    sums: Vec<f64>,
    /// Value of each group, by its top, before it is cut off.
    value: Vec<f64>,
    /// Sum of η and number of nodes, by top.
    eta: Vec<f64>,
    size: Vec<usize>,
    /// Members of a group as a list: the next node, and by top the last one.
    follows: Vec<u32>,
    last: Vec<u32>,
    heaps: Heaps,
}

const NONE: u32 = u32::MAX;

impl Pruning {
    /// For a complete tree of so many nodes, leaves too.
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
            eta: vec![0.0; nodes],
            size: vec![1; nodes],
            follows: vec![NONE; nodes],
            last: vec![0; nodes],
            heaps: Heaps::new(nodes),
        }
    }

    /// Solves the problem for the scores of a batch.
    ///
    /// * `eta` (T)   pruning scores
    /// * `kappa`     weight of the first term, more than 0
    pub fn solve(&mut self, traversal: &Traversal, eta: &[f64], kappa: f64) {
        self.kappa = kappa;
        self.sort(traversal);
        let nodes = self.a.len();
        for t in 0..nodes {
            self.eta[t] = eta[t];
            self.size[t] = 1;
            self.follows[t] = NONE;
            self.last[t] = t as u32;
            self.top[t] = t as u32;
            (self.value[t], self.active[t]) = self.alone(t);
        }
        self.heaps.clear();
        // A child stands after its parent, so from the last node up all below is solved.
        for t in (0..nodes).rev() {
            while let Some(child) = self.heaps.greatest(t) {
                if self.value[child] <= self.value[t] {
                    break;
                }
                self.heaps.take_in(t, child, &self.value);
                self.merge(t, child);
            }
            if t > 0 {
                self.heaps.add((t - 1) / 2, t, &self.value);
            }
        }
        for t in 0..nodes {
            if self.top[t] != t as u32 {
                continue;
            }
            let value = self.value[t].clamp(0.0, 1.0);
            self.denominator[t] = kappa * self.size[t] as f64 + self.active[t] as f64;
            let mut member = t as u32;
            while member != NONE {
                self.a[member as usize] = value;
                self.top[member as usize] = t as u32;
                member = self.follows[member as usize];
            }
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

    /// The value of a node by itself: `a(k)` for the least k with `a(k) > q_(k+1)`, found by bisection.
    fn alone(&self, t: usize) -> (f64, usize) {
        let range = self.begin[t]..self.begin[t + 1];
        let (scores, sums) = (&self.sorted[range.clone()], &self.sums[range]);
        let at = |k: usize| {
            let sum = if k == 0 { 0.0 } else { sums[k - 1] };
            (self.kappa * self.eta[t] + sum) / (self.kappa + k as f64)
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

    /// Pools the group of `child` with that of `parent`, whose value is less.
    fn merge(&mut self, parent: usize, child: usize) {
        self.eta[parent] += self.eta[child];
        self.size[parent] += self.size[child];
        self.top[child] = parent as u32;
        self.follows[self.last[parent] as usize] = child as u32;
        self.last[parent] = self.last[child];
        let (fixed, size) = (self.kappa * self.eta[parent], self.kappa * self.size[parent] as f64);
        // At the parent's old value the pull is below 0: the steps rise, and scores only leave.
        let mut value = self.value[parent];
        let mut before = usize::MAX;
        loop {
            let (mut k, mut sum) = (0, 0.0);
            let mut member = parent as u32;
            while member != NONE {
                let (count, part) = self.above(member as usize, value);
                k += count;
                sum += part;
                member = self.follows[member as usize];
            }
            // Not just equal: rounding must not send it round in circles.
            if k >= before {
                break;
            }
            before = k;
            value = (fixed + sum) / (size + k as f64);
        }
        self.value[parent] = value;
        self.active[parent] = before;
    }

    /// Passes gradients back through the solution.
    ///
    /// * `z_bar`      gradient of each entry's traversal z
    /// * `a_bar` (T)  gradient of the pruning variables themselves; changed
    /// * `q_bar`      out: gradient of each entry's score
    /// * `eta_bar` (T)  added to: gradient of the pruning scores
    pub fn backward(
        &self,
        traversal: &Traversal,
        z_bar: &[f64],
        a_bar: &mut [f64],
        q_bar: &mut Vec<f64>,
        eta_bar: &mut [f64],
    ) {
        let entries = || traversal.node.iter().zip(&traversal.q);
        for ((&node, &q), &z_bar) in entries().zip(z_bar) {
            if q > self.a[node as usize] {
                a_bar[node as usize] += z_bar;
            }
        }
        // Pooled by group, at its top.
        for t in (0..self.a.len()).rev() {
            let top = self.top[t] as usize;
            if top != t {
                a_bar[top] += a_bar[t];
            }
        }
        let share = |t: usize| {
            let top = self.top[t] as usize;
            // At 0 and 1 a group is held by the bound, and nothing passes.
            let inside = self.a[t] > 0.0 && self.a[t] < 1.0;
            if inside { a_bar[top] / self.denominator[top] } else { 0.0 }
        };
        for (t, eta_bar) in eta_bar.iter_mut().enumerate() {
            *eta_bar += self.kappa * share(t);
        }
        q_bar.clear();
        q_bar.extend(entries().zip(z_bar).map(|((&node, &q), &z_bar)| {
            let t = node as usize;
            if q > self.a[t] { share(t) } else { z_bar }
        }));
    }
}

/// For each group the groups right below it, as a leftist heap by value: the greatest is at hand, and two heaps merge in
/// O(log T).
#[derive(Debug, Clone)]
struct Heaps {
    /// The greatest group below each group.
    root: Vec<u32>,
    left: Vec<u32>,
    right: Vec<u32>,
    rank: Vec<u32>,
}

impl Heaps {
    fn new(nodes: usize) -> Self {
        Heaps { root: vec![NONE; nodes], left: vec![NONE; nodes], right: vec![NONE; nodes], rank: vec![1; nodes] }
    }

    fn clear(&mut self) {
        for list in [&mut self.root, &mut self.left, &mut self.right] {
            list.iter_mut().for_each(|link| *link = NONE);
        }
        self.rank.iter_mut().for_each(|rank| *rank = 1);
    }

    fn greatest(&self, group: usize) -> Option<usize> {
        (self.root[group] != NONE).then_some(self.root[group] as usize)
    }

    /// Puts a solved group below another.
    fn add(&mut self, group: usize, child: usize, value: &[f64]) {
        self.root[group] = self.merged(self.root[group], child as u32, value);
    }

    /// Takes the greatest child out; what was below it is now below the group.
    fn take_in(&mut self, group: usize, child: usize, value: &[f64]) {
        let rest = self.merged(self.left[child], self.right[child], value);
        self.root[group] = self.merged(rest, self.root[child], value);
    }

    fn merged(&mut self, a: u32, b: u32, value: &[f64]) -> u32 {
        if a == NONE || b == NONE {
            return a.min(b);
        }
        // Of equal ones the lower node, so that the order is total.
        let a_first = value[a as usize].total_cmp(&value[b as usize]).then(b.cmp(&a)).is_gt();
        let (a, b) = if a_first { (a, b) } else { (b, a) };
        let right = self.merged(self.right[a as usize], b, value);
        let left = self.left[a as usize];
        let rank = |heap: u32, ranks: &[u32]| if heap == NONE { 0 } else { ranks[heap as usize] };
        let (of_left, of_right) = (rank(left, &self.rank), rank(right, &self.rank));
        let a = a as usize;
        (self.left[a], self.right[a]) = if of_left >= of_right { (left, right) } else { (right, left) };
        self.rank[a] = of_left.min(of_right) + 1;
        a as u32
    }
}
