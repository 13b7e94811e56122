//! Counts the numbers in a tree.

use super::{Leaf, Node, Split, Tree};

impl Tree {
    /// Number of learned parameters that the predictions depend on. A split has its feature and threshold, or
    /// the side of every word, or its weights and threshold. A leaf has its independent class shares, its
    /// number, or its linear model.
    pub fn parameters(&self) -> usize {
        self.nodes.iter().map(Node::parameters).sum()
    }
}

impl Node {
    fn parameters(&self) -> usize {
        match self {
            Node::Split { split: Split::Numerical { .. }, .. } => 2,
            Node::Split { split: Split::Categorical { left, .. }, .. } => 1 + left.len(),
            Node::Split { split: Split::Oblique { weights, .. }, .. } => weights.len() + 1,
            // Shares and logits of C classes have C − 1 free parameters; two classes may have one logit.
            Node::Leaf(Leaf::Scores(scores)) => scores.len().saturating_sub(1).max(1),
            Node::Leaf(Leaf::Constant(_)) => 1,
            Node::Leaf(Leaf::Linear { coefficients, .. }) => coefficients.len() + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_node_counts_what_it_learned() {
        let split = |split, left| Node::Split { split, left, right: left + 1, default_left: true };
        let linear = Leaf::Linear {
            constant: 1.0,
            features: vec![0, 2],
            coefficients: vec![0.5, 2.0],
            missing_values: vec![0.0; 2],
            bounds: None,
        };
        let oblique = Split::Oblique {
            features: vec![0, 1, 2],
            weights: vec![1.0; 3],
            missing_values: vec![0.0; 3],
            threshold: 0.0,
        };
        let tree = Tree::new(vec![
            split(Split::Numerical { feature: 0, threshold: 1.0 }, 1),
            split(oblique, 3),
            split(Split::Categorical { feature: 1, left: vec![true, false, true] }, 5),
            Node::Leaf(Leaf::Constant(1.0)),
            Node::Leaf(linear),
            Node::Leaf(Leaf::Scores(vec![0.2, 0.3, 0.5])),
            Node::Leaf(Leaf::Scores(vec![0.7])),
        ]);
        assert_eq!(tree.unwrap().parameters(), 2 + 4 + 4 + 1 + 3 + 2 + 1);
    }
}
