//! Class probabilities of a finished tree: shares of real rows, the same formula for every learner.

use super::{Leaf, Node, NodeStats, Tree};

/// How many rows the parent's probabilities are worth in a node; measured in `benches/record`.
pub const PRIOR_ROWS: f64 = 1.0;

impl Tree {
    /// The tree with class probabilities in its leaves:
    ///
    /// `p_k(node) = (n_k + m · p_k(parent)) / (n + m)`,
    ///
    /// with `n_k` of the node's `n` rows being of class k and m = [`PRIOR_ROWS`]. The root's parent has equal probabilities. So a
    /// leaf of many rows answers with its own share, and one of few rows is drawn towards the node above it.
    ///
    /// * `stats`  counts of real rows at every node, in the order of the nodes
    pub fn with_shares(self, stats: &[NodeStats]) -> Tree {
        let classes = stats[0].counts.len();
        let mut shares = vec![vec![]; stats.len()];
        shares[0] = drawn(&stats[0], &vec![1.0 / classes as f64; classes]);
        let mut nodes = self.nodes;
        for id in 0..nodes.len() {
            match &mut nodes[id] {
                Node::Split { left, right, .. } => {
                    for child in [*left, *right] {
                        shares[child] = drawn(&stats[child], &shares[id]);
                    }
                }
                Node::Leaf(leaf) => *leaf = Leaf::Scores(shares[id].iter().map(|&share| share as f32).collect()),
            }
        }
        Tree { nodes }
    }
}

/// The probabilities of a node, given those of its parent.
fn drawn(stats: &NodeStats, parent: &[f64]) -> Vec<f64> {
    let rows = stats.rows as f64 + PRIOR_ROWS;
    stats.counts.iter().zip(parent).map(|(&count, share)| (count as f64 + PRIOR_ROWS * share) / rows).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Split;
    use super::*;

    #[test]
    fn leaves_answer_with_shares_of_rows_drawn_towards_their_parent() {
        let split = Split::Numerical { feature: 0, threshold: 1.0 };
        let leaf = || Node::Leaf(Leaf::Scores(vec![9.0]));
        let tree = Tree::new(vec![Node::Split { split, left: 1, right: 2, default_left: true }, leaf(), leaf()]);
        let rows: Vec<[f32; 1]> = (0..1000).map(|i| [f32::from(i >= 998u16) * 2.0]).collect();
        // 230 of the 998 rows on the left are of class 1, and both rows on the right.
        let label = |i: usize| u32::from(i < 230 || i >= 998);
        let tree = tree.unwrap();
        let stats = tree.class_stats(rows.iter().enumerate().map(|(i, row)| (row.as_slice(), label(i))), 2);
        let tree = tree.with_shares(&stats);
        let m = PRIOR_ROWS;
        let root = (232.0 + m * 0.5) / (1000.0 + m);
        let expected = [(230.0 + m * root) / (998.0 + m), (2.0 + m * root) / (2.0 + m)];
        for (leaf, expected) in [1, 2].into_iter().zip(expected) {
            let shares = tree.output(leaf, &[]);
            assert!((shares[1] - expected).abs() < 1e-7 && (shares[0] + shares[1] - 1.0).abs() < 1e-6, "{shares:?}");
        }
        assert!((tree.output(1, &[])[1] - 0.23).abs() < 0.005, "many rows answer with their own share");
    }
}
