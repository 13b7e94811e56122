//! Split scores, and how far each sample comes down the tree: the least score along its path.
//!
//! Split t asks for the sign of `s_t(x) = w_t·x + b_t`; a sample goes left where `s < 0`. A sample's q at a
//! node is the least of the scores that led there, each with the sign of its turn: `q_root = 1`,
//! `q_left = min(q_t, −s_t)`, `q_right = min(q_t, s_t)`. Its gradient goes to the one score that is the
//! minimum, with that sign.
//!
//! Only positive scores matter. The traversal is `z = clip(q + o, 0, a)` with `a >= 0`, and pruning reads
//! `max(q + o − a, 0)` alone; o is 0 in version A and 1/2 in version B. So a branch is left as soon as
//! `q + o <= 0`, since q cannot rise again below it. In version A only the sample's own path remains, D + 1
//! of 2^(D+1) − 1 nodes. This is exact, not an approximation; the tests compare with every node computed.

/// Which published version of the relaxation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// Pruning scores η are learned (the text).
    A,
    /// No pruning scores, one strength; scores are raised by 1/2 (the released program, with the 1/2 in both
    /// places).
    B,
}

crate::learn::words!(Version { A = "a", B = "b" });

impl Version {
    /// What is added to q.
    pub fn offset(self) -> f64 {
        match self {
            Version::A => 0.0,
            Version::B => 0.5,
        }
    }
}

/// The planes of a complete tree.
#[derive(Debug, Clone, Copy)]
pub struct Planes<'a> {
    /// Weights w_t (N × F), node after node in heap order.
    pub weights: &'a [f64],
    /// Constants b_t (N).
    pub bias: &'a [f64],
    /// F.
    pub features: usize,
    /// The factor of every score: 1 as published.
    pub scale: f64,
}

impl Planes<'_> {
    /// `s_t(x)`, times the scale.
    pub fn score(&self, t: usize, x: &[f32]) -> f64 {
        self.scale * (dot(&self.weights[t * self.features..(t + 1) * self.features], x) + self.bias[t])
    }
}

/// `Σ w x` in four lanes whose order is fixed, so that it has the same bits everywhere.
pub fn dot(w: &[f64], x: &[f32]) -> f64 {
    let mut lanes = [0.0; 4];
    let (mut ws, mut xs) = (w.chunks_exact(4), x.chunks_exact(4));
    for (w, x) in (&mut ws).zip(&mut xs) {
        for lane in 0..4 {
            lanes[lane] += w[lane] * f64::from(x[lane]);
        }
    }
    let rest: f64 = ws.remainder().iter().zip(xs.remainder()).map(|(w, &x)| w * f64::from(x)).sum();
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + rest
}

/// Where a batch of samples goes: for each sample the nodes with a positive raised score.
#[derive(Debug, Clone, Default)]
pub struct Traversal {
    /// Where each sample's entries begin (B + 1).
    pub begin: Vec<usize>,
    /// The node of each entry, in heap order; a parent stands before its children.
    pub node: Vec<u32>,
    /// `q + o` of each entry.
    pub q: Vec<f64>,
    /// Which score is the minimum: `t + 1` for `s_t`, `−(t + 1)` for `−s_t`, 0 for the constant 1 of the
    /// root. Of equal ones the uppermost.
    pub source: Vec<i32>,
    stack: Vec<(u32, f64, i32)>,
}

impl Traversal {
    /// q of samples, for all nodes with `q + o > 0`.
    ///
    /// * `rows`    B samples (F each)
    /// * `inner`   2^D − 1
    pub fn pass<'a>(
        &mut self,
        planes: &Planes,
        inner: usize,
        offset: f64,
        rows: impl Iterator<Item = &'a [f32]>,
    ) {
        self.begin.clear();
        self.node.clear();
        self.q.clear();
        self.source.clear();
        self.begin.push(0);
        for x in rows {
            self.stack.push((0, 1.0, 0));
            while let Some((node, q, source)) = self.stack.pop() {
                self.node.push(node);
                self.q.push(q + offset);
                self.source.push(source);
                let t = node as usize;
                if t < inner {
                    let s = planes.score(t, x);
                    let turn = |s: f64, own: i32| if s < q { (s, own) } else { (q, source) };
                    let own = t as i32 + 1;
                    // Right first, so that left is taken from the stack first.
                    for (child, (q, source)) in [(2 * node + 2, turn(s, own)), (2 * node + 1, turn(-s, -own))]
                    {
                        if q + offset > 0.0 {
                            self.stack.push((child, q, source));
                        }
                    }
                }
            }
            self.begin.push(self.node.len());
        }
    }

    /// The number of samples.
    pub fn samples(&self) -> usize {
        self.begin.len().saturating_sub(1)
    }

    /// The entries of sample `i`.
    pub fn entries(&self, i: usize) -> std::ops::Range<usize> {
        self.begin[i]..self.begin[i + 1]
    }
}
