//! Class probabilities of a finished tree: shares of real rows, the same formula for every learner.

use super::{Leaf, Node, NodeStats, Tree};

/// λ of the shrinkage; measured in `benches/record`.
pub const SHRINKAGE: f64 = 1.0;

impl Tree {
    /// The tree with class probabilities in its leaves, by hierarchical shrinkage (Agarwal, Tan, Ronen, Singh and Yu, ICML 2022):
    ///
    /// `p(child) = p(parent) + (f(child) − f(parent)) / (1 + λ / n(parent))`,
    ///
    /// where `f` is the share of each class among the `n` rows of a node. The root has one row more, spread evenly over the
    /// classes, so that no probability is 0. A leaf below nodes of many rows answers with its own share; below few rows it is drawn
    /// towards the nodes above.
    ///
    /// * `stats`  counts of real rows at every node, in the order of the nodes
    pub fn with_shares(self, stats: &[NodeStats]) -> Tree {
        let classes = stats[0].counts.len() as f64;
        let rows = stats[0].rows as f64;
        // The share of each class, and the probability, by node.
        let mut shares: Vec<Vec<f64>> = stats.iter().map(share).collect();
        shares[0] = stats[0].counts.iter().map(|&count| (count as f64 + 1.0 / classes) / (rows + 1.0)).collect();
        let mut probabilities = shares.clone();
        let mut nodes = self.nodes;
        for id in 0..nodes.len() {
            match &mut nodes[id] {
                Node::Split { left, right, .. } => {
                    let part = stats[id].rows as f64 / (stats[id].rows as f64 + SHRINKAGE);
                    for child in [*left, *right] {
                        // A node without rows answers as the one above it.
                        let part = if stats[child].rows > 0 { part } else { 0.0 };
                        probabilities[child] = (0..shares[id].len())
                            .map(|class| probabilities[id][class] + part * (shares[child][class] - shares[id][class]))
                            .collect();
                    }
                }
                Node::Leaf(leaf) => *leaf = Leaf::Scores(probabilities[id].iter().map(|&p| p as f32).collect()),
            }
        }
        Tree { nodes }
    }
}

fn share(stats: &NodeStats) -> Vec<f64> {
    stats.counts.iter().map(|&count| count as f64 / stats.rows.max(1) as f64).collect()
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
        let label = |i: usize| u32::from(!(230..998).contains(&i));
        let tree = tree.unwrap();
        let stats = tree.class_stats(rows.iter().enumerate().map(|(i, row)| (row.as_slice(), label(i))), 2);
        let tree = tree.with_shares(&stats);
        let (root, part) = (232.5 / 1001.0, 1000.0 / 1001.0);
        let expected = [root + part * (230.0 / 998.0 - root), root + part * (1.0 - root)];
        for (leaf, expected) in [1, 2].into_iter().zip(expected) {
            let shares = tree.output(leaf, &[]);
            assert!((shares[1] - expected).abs() < 1e-7 && (shares[0] + shares[1] - 1.0).abs() < 1e-6, "{shares:?}");
        }
        assert!((tree.output(1, &[])[1] - 0.23).abs() < 0.005, "many rows answer with their own share");
    }
}
