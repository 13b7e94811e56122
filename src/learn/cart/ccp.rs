//! Cost-complexity pruning.
//!
//! Weakest-link pruning (Breiman et al., 1984, section 3.3) repeatedly collapses the inner node with the
//! smallest `alpha_t = (R(t) − R(T_t)) / (leaves(T_t) − 1)` while it is at most alpha. The result is the
//! smallest subtree that minimises `R + alpha · leaves`. The branches of such a subtree minimise it too. So
//! one pass from the leaves up, which compares each node with its pruned branch, gives the same tree without
//! a search for the weakest link.

use super::growth::GrownNode;

/// Which nodes become leaves when a tree is pruned at `alpha`. Children stand after their parents. Nodes
/// below a collapsed one are marked as if their own branch stood alone.
pub(super) fn collapsed(nodes: &[GrownNode], alpha: f64) -> Vec<bool> {
    let mut collapsed = vec![false; nodes.len()];
    // R(T_t) and the leaves of T_t, after pruning. R(t) is the impurity of t weighted by its share of the
    // samples.
    let mut branch = vec![(0.0, 0u32); nodes.len()];
    for (id, node) in nodes.iter().enumerate().rev() {
        let cost = node.summary.impurity * node.summary.weight / nodes[0].summary.weight;
        branch[id] = (cost, 1);
        if let Some([left, right]) = node.children {
            let below = (branch[left].0 + branch[right].0, branch[left].1 + branch[right].1);
            collapsed[id] = (cost - below.0) / f64::from(below.1 - 1) <= alpha;
            if !collapsed[id] {
                branch[id] = below;
            }
        }
    }
    collapsed
}

#[cfg(test)]
mod tests {
    use super::super::splitter::Summary;
    use super::*;

    fn node(weight: f64, impurity: f64, children: Option<[usize; 2]>) -> GrownNode {
        let summary = Summary { rows: weight as usize, weight, impurity, answer: vec![] };
        GrownNode { depth: 0, summary, split: None, children }
    }

    #[test]
    fn branches_that_gain_too_little_per_leaf_go() {
        // R: root 0.5; left 0.2, its leaves 0.1 and 0; right 0. So alpha is 0.1 on the left and then 0.3 at
        // the root.
        let nodes = [
            node(10.0, 0.5, Some([1, 2])),
            node(5.0, 0.4, Some([3, 4])),
            node(5.0, 0.0, None),
            node(2.0, 0.5, None),
            node(3.0, 0.0, None),
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
            node(10.0, 0.4, Some([1, 2])),
            node(5.0, 0.0, None),
            node(5.0, 0.8, Some([3, 4])),
            node(2.0, 0.0, None),
            node(3.0, 0.0, None),
        ];
        assert!(!collapsed(&nodes, 0.19)[0]);
        assert!(collapsed(&nodes, 0.21)[0]);
    }
}
