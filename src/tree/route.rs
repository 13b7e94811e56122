//! Routes many rows to their leaves, several at a time, with the same decisions as for single rows.

use super::{Node, Split, Tree};
use crate::numeric::lanes::{LANES, Lanes};

/// A tree's numeric splits in arrays. A leaf is its own child, so that rows that have arrived can wait for
/// the others.
struct Router<'a> {
    tree: &'a Tree,
    /// The feature that each node tests; 0 for a leaf.
    feature: Vec<u32>,
    /// Rows with a value above this go right.
    threshold: Vec<f32>,
    /// Whether a missing value goes right.
    missing_right: Vec<bool>,
    /// Left and right child.
    children: Vec<[u32; 2]>,
    /// Splits that do not compare a single number; there the tree itself decides.
    other: Vec<bool>,
}

impl<'a> Router<'a> {
    fn new(tree: &'a Tree) -> Self {
        let size = tree.size();
        let mut router = Router {
            tree,
            feature: vec![0; size],
            threshold: vec![f32::INFINITY; size],
            missing_right: vec![false; size],
            children: (0..size as u32).map(|at| [at; 2]).collect(),
            other: vec![false; size],
        };
        for (at, node) in tree.nodes().iter().enumerate() {
            let Node::Split { split, left, right, default_left } = node else { continue };
            router.children[at] = [*left as u32, *right as u32];
            router.missing_right[at] = !default_left;
            match split {
                Split::Numerical { feature, threshold } => {
                    router.feature[at] = *feature as u32;
                    router.threshold[at] = *threshold;
                }
                Split::Categorical { .. } | Split::Oblique { .. } => router.other[at] = true,
            }
        }
        router
    }

    #[inline(always)]
    fn step(&self, at: u32, row: &[f32]) -> u32 {
        let here = at as usize;
        if self.other[here] {
            return self.tree.step(here, row).map_or(at, |next| next as u32);
        }
        let value = row[self.feature[here] as usize];
        let right = (value > self.threshold[here]) | (value.is_nan() & self.missing_right[here]);
        self.children[here][usize::from(right)]
    }

    fn leaves(&self, rows: &Lanes<&[f32]>) -> Lanes<u32> {
        let mut at = [0; LANES];
        loop {
            let mut moved = false;
            for lane in 0..LANES {
                let next = self.step(at[lane], rows[lane]);
                moved |= next != at[lane];
                at[lane] = next;
            }
            if !moved {
                return at;
            }
        }
    }
}

impl Tree {
    /// The leaf of each row, as [`Tree::leaf_of`] finds it.
    pub fn leaves_of<'a>(&self, mut rows: impl Iterator<Item = &'a [f32]>) -> Vec<u32> {
        let mut leaves = Vec::with_capacity(rows.size_hint().0);
        if self.size() == 1 {
            leaves.extend(rows.map(|_| 0));
            return leaves;
        }
        let router = Router::new(self);
        while let Some(first) = rows.next() {
            // Unused lanes repeat the first row.
            let mut block = [first; LANES];
            let mut count = 1;
            for (lane, row) in block[1..].iter_mut().zip(&mut rows) {
                *lane = row;
                count += 1;
            }
            leaves.extend(&router.leaves(&block)[..count]);
        }
        leaves
    }
}

#[cfg(test)]
mod tests {
    use super::super::Leaf;
    use super::*;
    use crate::numeric::random::Random;

    #[test]
    fn many_rows_go_where_each_goes_alone() {
        let mut random = Random::new(4);
        for case in 0..60 {
            // Any leaf may become a split, so trees are lopsided and have every kind of split and default.
            let mut nodes = vec![Node::Leaf(Leaf::Constant(0.0))];
            for _ in 0..random.below(40) {
                let open =
                    (0..nodes.len()).filter(|&at| matches!(nodes[at], Node::Leaf(_))).collect::<Vec<_>>();
                let at = open[random.below(open.len())];
                let split = match random.below(if case % 2 == 0 { 1 } else { 3 }) {
                    0 => Split::Numerical { feature: random.below(3), threshold: random.below(5) as f32 },
                    1 => Split::Categorical { feature: 1, left: vec![true, false, true] },
                    _ => Split::Oblique {
                        features: vec![0, 2],
                        weights: vec![1.0, -0.5],
                        missing_values: vec![1.0, 2.0],
                        threshold: random.normal(),
                    },
                };
                let (left, right) = (nodes.len(), nodes.len() + 1);
                nodes[at] = Node::Split { split, left, right, default_left: random.below(2) == 0 };
                nodes.extend([Node::Leaf(Leaf::Constant(1.0)), Node::Leaf(Leaf::Constant(2.0))]);
            }
            let tree = Tree::new(nodes).unwrap();
            let value =
                |random: &mut Random| if random.below(6) == 0 { f32::NAN } else { random.below(5) as f32 };
            let rows: Vec<[f32; 3]> =
                (0..random.below(40)).map(|_| std::array::from_fn(|_| value(&mut random))).collect();
            let alone: Vec<u32> = rows.iter().map(|row| tree.leaf_of(row) as u32).collect();
            assert_eq!(tree.leaves_of(rows.iter().map(|row| row.as_slice())), alone);
        }
    }
}
