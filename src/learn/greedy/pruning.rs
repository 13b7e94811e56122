//! Cost-complexity pruning, and the tree that is left.
//!
//! Weakest-link pruning (Breiman et al., 1984, section 3.3) repeatedly collapses the inner node with the
//! smallest `alpha_t = (R(t) − R(T_t)) / (leaves(T_t) − 1)` while it is at most alpha. The result is the
//! smallest subtree that minimises `R + alpha · leaves`. The branches of such a subtree minimise it too. So
//! one pass from the leaves up, which compares each node with its pruned branch, gives the same tree without
//! a search for the weakest link.

use super::grower::GrownNode;
use crate::tree::{Leaf, Node, Split, Tree};

/// Which nodes become leaves when every leaf costs `alpha`. `cost` is R(t). Children stand after their
/// parents. Nodes below a collapsed one are marked as if their own branch stood alone. Without a cost nothing
/// is collapsed, not even a split without a gain.
pub fn cut_back<Cut, Summary>(
    nodes: &[GrownNode<Cut, Summary>],
    alpha: f64,
    cost: impl Fn(&Summary) -> f64,
) -> Vec<bool> {
    let mut collapsed: Vec<bool> = nodes.iter().map(|node| node.children.is_none()).collect();
    // R(T_t) and the leaves of T_t, after pruning.
    let mut branch = vec![(0.0, 0.0); nodes.len()];
    for (id, node) in nodes.iter().enumerate().rev() {
        let own = cost(&node.summary);
        branch[id] = (own, 1.0);
        if let Some([left, right]) = node.children {
            let below = (branch[left].0 + branch[right].0, branch[left].1 + branch[right].1);
            collapsed[id] = alpha > 0.0 && own - below.0 <= alpha * (below.1 - 1.0);
            if !collapsed[id] {
                branch[id] = below;
            }
        }
    }
    collapsed
}

/// The tree in which the marked nodes are leaves. `split` gives a cut with where missing values go.
pub fn tree_of<Cut, Summary>(
    nodes: &[GrownNode<Cut, Summary>],
    collapsed: &[bool],
    split: impl Fn(&Cut) -> (Split, bool),
    leaf: impl Fn(&Summary) -> Leaf,
) -> Tree {
    let mut sources = vec![0];
    let mut tree = Vec::new();
    while let Some(&source) = sources.get(tree.len()) {
        let node = &nodes[source];
        tree.push(match node.branches() {
            Some((cut, children)) if !collapsed[source] => {
                let left = sources.len();
                sources.extend(children);
                let (split, default_left) = split(cut);
                Node::Split { split, left, right: left + 1, default_left }
            }
            _ => Node::Leaf(leaf(&node.summary)),
        });
    }
    Tree::new(tree).expect("what has grown is a tree")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node of a share of all samples with its impurity.
    fn node(share: f64, impurity: f64, children: Option<[usize; 2]>) -> GrownNode<(), f64> {
        GrownNode { depth: 0, summary: share * impurity, split: children.map(|_| ()), children }
    }

    fn collapsed(nodes: &[GrownNode<(), f64>], alpha: f64) -> Vec<bool> {
        let leaf = nodes.iter().map(|node| node.children.is_none());
        cut_back(nodes, alpha, |&cost| cost).into_iter().zip(leaf).map(|(is, leaf)| is && !leaf).collect()
    }

    #[test]
    fn branches_that_gain_too_little_per_leaf_go() {
        // R: root 0.5; left 0.2, its leaves 0.1 and 0; right 0. So alpha is 0.1 on the left and then 0.3 at
        // the root.
        let nodes = [
            node(1.0, 0.5, Some([1, 2])),
            node(0.5, 0.4, Some([3, 4])),
            node(0.5, 0.0, None),
            node(0.2, 0.5, None),
            node(0.3, 0.0, None),
        ];
        assert_eq!(collapsed(&nodes, 0.09), [false; 5]);
        assert_eq!(collapsed(&nodes, 0.11), [false, true, false, false, false]);
        assert_eq!(collapsed(&nodes, 0.29), [false, true, false, false, false]);
        assert!(collapsed(&nodes, 0.31)[0]);
    }

    #[test]
    fn a_weak_node_stays_while_its_branch_as_a_whole_is_worth_it() {
        // The root alone gains nothing, but the split below it does: alpha is 0 + 0.4 over two leaves.
        let nodes = [
            node(1.0, 0.4, Some([1, 2])),
            node(0.5, 0.0, None),
            node(0.5, 0.8, Some([3, 4])),
            node(0.2, 0.0, None),
            node(0.3, 0.0, None),
        ];
        assert!(!collapsed(&nodes, 0.19)[0]);
        assert!(collapsed(&nodes, 0.21)[0]);
        assert_eq!(collapsed(&nodes, 0.0), [false; 5], "without a cost nothing goes");
    }
}
