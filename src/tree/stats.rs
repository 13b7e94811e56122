//! Statistics of the training rows at each node. They are kept apart from leaf outputs, because learned
//! scores are not frequencies.

use super::{Node, Tree};

/// The training rows that reach a node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NodeStats {
    /// Number of rows.
    pub rows: usize,
    /// Rows of each class; empty for regression.
    pub counts: Vec<usize>,
    /// Mean of the target; 0 for classification and without rows.
    pub mean: f64,
    /// Population standard deviation of the target; 0 for classification and without rows.
    pub deviation: f64,
    /// In a cluster tree, what distinguishes the node's rows from all others, in the file's words; otherwise
    /// empty.
    pub description: Vec<String>,
}

impl Tree {
    /// How many of the given rows of feature values reach each node.
    pub(crate) fn arrivals<'a>(&self, rows: impl Iterator<Item = &'a [f32]>) -> Vec<usize> {
        let mut arrivals = vec![0; self.size()];
        self.leaves_of(rows).into_iter().for_each(|leaf| arrivals[leaf as usize] += 1);
        self.sum_upwards(&mut arrivals);
        arrivals
    }

    /// Class counts at each node. `rows` yields rows and their class.
    pub fn class_stats<'a>(
        &self,
        rows: impl Iterator<Item = (&'a [f32], u32)> + Clone,
        classes: usize,
    ) -> Vec<NodeStats> {
        let mut counts = vec![vec![0; classes]; self.size()];
        let leaves = self.leaves_of(rows.clone().map(|(row, _)| row));
        for (leaf, (_, class)) in leaves.into_iter().zip(rows) {
            counts[leaf as usize][class as usize] += 1;
        }
        for (id, node) in self.nodes().iter().enumerate().rev() {
            if let Node::Split { left, right, .. } = node {
                counts[id] = (0..classes).map(|class| counts[*left][class] + counts[*right][class]).collect();
            }
        }
        counts
            .into_iter()
            .map(|counts| NodeStats { rows: counts.iter().sum(), counts, ..NodeStats::default() })
            .collect()
    }

    /// Mean and standard deviation of the target at each node. `rows` yields rows and their target, and is
    /// iterated twice.
    pub(crate) fn value_stats<'a>(
        &self,
        rows: impl Iterator<Item = (&'a [f32], f64)> + Clone,
    ) -> Vec<NodeStats> {
        let mut stats = vec![NodeStats::default(); self.size()];
        let leaves = self.leaves_of(rows.clone().map(|(row, _)| row));
        let parents = self.parents();
        let above = |leaf: u32| std::iter::successors(Some(leaf as usize), |&at| parents[at]);
        for (&leaf, (_, value)) in leaves.iter().zip(rows.clone()) {
            for id in above(leaf) {
                stats[id].rows += 1;
                stats[id].mean += value;
            }
        }
        for stat in &mut stats {
            stat.mean /= stat.rows.max(1) as f64;
        }
        for (&leaf, (_, value)) in leaves.iter().zip(rows) {
            for id in above(leaf) {
                let off = value - stats[id].mean;
                stats[id].deviation += off * off;
            }
        }
        for stat in &mut stats {
            stat.deviation = (stat.deviation / stat.rows.max(1) as f64).sqrt();
        }
        stats
    }

    /// The parent of each node; `None` for the root.
    fn parents(&self) -> Vec<Option<usize>> {
        let mut parents = vec![None; self.size()];
        for (id, node) in self.nodes().iter().enumerate() {
            if let Node::Split { left, right, .. } = node {
                (parents[*left], parents[*right]) = (Some(id), Some(id));
            }
        }
        parents
    }

    /// Adds the leaves' numbers up to the root. Children come after their parents, so one pass from the end
    /// is enough.
    pub(crate) fn sum_upwards(&self, numbers: &mut [usize]) {
        for (id, node) in self.nodes().iter().enumerate().rev() {
            if let Node::Split { left, right, .. } = node {
                numbers[id] = numbers[*left] + numbers[*right];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Leaf, Split};
    use super::*;

    fn stump() -> Tree {
        let split = Split::Numerical { feature: 0, threshold: 1.0 };
        Tree::new(vec![
            Node::Split { split, left: 1, right: 2, default_left: true },
            Node::Leaf(Leaf::Constant(0.0)),
            Node::Leaf(Leaf::Constant(1.0)),
        ])
        .unwrap()
    }

    #[test]
    fn rows_classes_and_values_are_counted_at_every_node() {
        let rows: [&[f32]; 4] = [&[0.0], &[1.0], &[2.0], &[f32::NAN]];
        assert_eq!(stump().arrivals(rows.into_iter()), [4, 3, 1]);

        let stats = stump().class_stats(rows.into_iter().zip([0, 1, 1, 0]), 2);
        assert_eq!(
            stats.iter().map(|stat| stat.counts.clone()).collect::<Vec<_>>(),
            [[2, 2], [2, 1], [0, 1]]
        );

        let stats = stump().value_stats(rows.into_iter().zip([1.0, 3.0, 10.0, 2.0]));
        assert_eq!((stats[0].rows, stats[0].mean), (4, 4.0));
        assert_eq!((stats[1].mean, stats[1].deviation), (2.0, (2.0f64 / 3.0).sqrt()));
        assert_eq!((stats[2].rows, stats[2].mean, stats[2].deviation), (1, 10.0, 0.0));
    }
}
