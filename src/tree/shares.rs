//! Class probabilities of a finished tree: shares of real rows, by the same formula for every learner.

use super::{Leaf, Node, NodeStats, Tree};

/// The values of λ that are tried, in ascending order. Without held-out rows, the first is used.
pub(crate) const STRENGTHS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];

impl Tree {
    /// Sets class probabilities in the leaves, by hierarchical shrinkage (Agarwal, Tan, Ronen, Singh and Yu,
    /// ICML 2022):
    ///
    /// `p(child) = p(parent) + (f(child) − f(parent)) / (1 + λ / n(parent))`,
    ///
    /// where `f` is the share of each class among the `n` rows of a node. The root has one extra row, spread
    /// evenly over the classes, so that no probability is 0. A leaf below nodes with many rows keeps its own
    /// share; below nodes with few rows it is shrunk towards them.
    ///
    /// * `stats`     counts of real rows at every node, in node order
    /// * `strength`  λ
    pub(crate) fn with_shares(mut self, stats: &[NodeStats], strength: f64) -> Tree {
        let probabilities = self.probabilities(stats, strength);
        for (node, probabilities) in self.nodes.iter_mut().zip(probabilities) {
            if let Node::Leaf(leaf) = node {
                *leaf = Leaf::Scores(probabilities.iter().map(|&p| p as f32).collect());
            }
        }
        self
    }

    /// The λ with the lowest log loss on rows that the tree has not learned from; ties go to the smallest λ.
    /// Training rows make leaves look purer than they are, so only held-out rows can tell.
    ///
    /// * `stats`  counts of the training rows
    /// * `rows`   leaf and class of the held-out rows
    pub(crate) fn best_strength(&self, stats: &[NodeStats], rows: &[(usize, usize)]) -> f64 {
        let loss = |strength: f64| -> f64 {
            let probabilities = self.probabilities(stats, strength);
            rows.iter().map(|&(leaf, class)| -libm::log(probabilities[leaf][class])).sum()
        };
        let mut best = (f64::INFINITY, STRENGTHS[0]);
        for strength in STRENGTHS {
            let loss = loss(strength);
            if loss < best.0 {
                best = (loss, strength);
            }
        }
        best.1
    }

    /// The probability of each class, by node.
    fn probabilities(&self, stats: &[NodeStats], strength: f64) -> Vec<Vec<f64>> {
        let classes = stats[0].counts.len() as f64;
        let rows = stats[0].rows as f64;
        let mut shares: Vec<Vec<f64>> = stats.iter().map(share).collect();
        shares[0] =
            stats[0].counts.iter().map(|&count| (count as f64 + 1.0 / classes) / (rows + 1.0)).collect();
        let mut probabilities = shares.clone();
        for (id, node) in self.nodes.iter().enumerate() {
            let Node::Split { left, right, .. } = node else { continue };
            let part = stats[id].rows as f64 / (stats[id].rows as f64 + strength);
            for child in [*left, *right] {
                // A node without rows takes its parent's probabilities.
                let part = if stats[child].rows > 0 { part } else { 0.0 };
                probabilities[child] = (0..shares[id].len())
                    .map(|class| probabilities[id][class] + part * (shares[child][class] - shares[id][class]))
                    .collect();
            }
        }
        probabilities
    }
}

fn share(stats: &NodeStats) -> Vec<f64> {
    stats.counts.iter().map(|&count| count as f64 / stats.rows.max(1) as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Split;
    use super::*;

    /// One split and 1,000 rows: 998 on the left, 230 of them in class 1, and two on the right, both in class
    /// 1.
    fn uneven() -> (Tree, Vec<NodeStats>) {
        let split = Split::Numerical { feature: 0, threshold: 1.0 };
        let leaf = || Node::Leaf(Leaf::Scores(vec![9.0]));
        let tree =
            Tree::new(vec![Node::Split { split, left: 1, right: 2, default_left: true }, leaf(), leaf()]);
        let tree = tree.unwrap();
        let rows: Vec<[f32; 1]> = (0..1000).map(|i| [f32::from(i >= 998u16) * 2.0]).collect();
        let label = |i: usize| u32::from(!(230..998).contains(&i));
        let stats = tree.class_stats(rows.iter().enumerate().map(|(i, row)| (row.as_slice(), label(i))), 2);
        (tree, stats)
    }

    #[test]
    fn leaves_answer_with_shares_of_rows_drawn_towards_their_parent() {
        let (tree, stats) = uneven();
        for strength in [1.0, 64.0] {
            let tree = tree.clone().with_shares(&stats, strength);
            let (root, part) = (232.5 / 1001.0, 1000.0 / (1000.0 + strength));
            let expected = [root + part * (230.0 / 998.0 - root), root + part * (1.0 - root)];
            for (leaf, expected) in [1, 2].into_iter().zip(expected) {
                let shares = tree.output(leaf, &[]);
                assert!(
                    (shares[1] - expected).abs() < 1e-7 && (shares[0] + shares[1] - 1.0).abs() < 1e-6,
                    "{shares:?}"
                );
            }
            assert!((tree.output(1, &[])[1] - 0.23).abs() < 0.005, "many rows answer with their own share");
        }
    }

    #[test]
    fn held_out_rows_choose_the_strength() {
        let (tree, stats) = uneven();
        // On the right, held-out rows are as pure as the training rows, or as mixed as the root.
        let pure = vec![(2, 1); 50];
        let mixed: Vec<(usize, usize)> = (0..100).map(|i| (2, usize::from(i < 23))).collect();
        assert_eq!(tree.best_strength(&stats, &pure), 1.0);
        assert_eq!(tree.best_strength(&stats, &mixed), 128.0);
        assert_eq!(tree.best_strength(&stats, &[]), 1.0, "without such rows, the least one");
    }
}
