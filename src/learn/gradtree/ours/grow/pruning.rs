//! Cost-complexity pruning of grown trees, and the way of a row through a pruned one.

use super::samples::GrownNode;

/// Where a row ends in a tree whose nodes of `leaf` are leaves.
pub fn leaf_of(nodes: &[GrownNode], leaf: &[bool], row: &[f32]) -> usize {
    let mut at = 0;
    while let (Some([left, right]), false) = (nodes[at].children, leaf[at]) {
        at = if row[nodes[at].feature] < nodes[at].threshold { left } else { right };
    }
    at
}

/// Cost-complexity pruning (Breiman et al., 1984): which nodes are leaves when a leaf costs `alpha` times the
/// root.
pub fn pruned(nodes: &[GrownNode], alpha: f64) -> Vec<bool> {
    let price = alpha * nodes[0].cost;
    let mut leaf = vec![true; nodes.len()];
    let mut branch = vec![(0.0, 0.0); nodes.len()];
    for (id, node) in nodes.iter().enumerate().rev() {
        branch[id] = (node.cost, 1.0);
        if let Some([left, right]) = node.children {
            let below = (branch[left].0 + branch[right].0, branch[left].1 + branch[right].1);
            leaf[id] = alpha > 0.0 && node.cost - below.0 <= price * (below.1 - 1.0);
            if !leaf[id] {
                branch[id] = below;
            }
        }
    }
    leaf
}
