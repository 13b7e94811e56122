//! Index arithmetic of complete trees, and the order in which nodes are stored.

use super::Node;

/// Internal nodes of a complete tree: `2^depth - 1`.
pub(crate) fn splits_of_complete(depth: usize) -> usize {
    (1 << depth) - 1
}

/// Leaves of a complete tree: `2^depth`.
pub(crate) fn leaves_of_complete(depth: usize) -> usize {
    1 << depth
}

/// The left child in heap order from 0.
pub(crate) fn left_child(node: usize) -> usize {
    2 * node + 1
}

/// The right child in heap order from 0.
pub(crate) fn right_child(node: usize) -> usize {
    2 * node + 2
}

/// Sorts nodes breadth-first and renumbers children. The error says why the nodes do not form one binary
/// tree.
pub(super) fn breadth_first(nodes: Vec<Node>) -> Result<Vec<Node>, String> {
    if nodes.is_empty() {
        return Err("there are no nodes".into());
    }
    let mut order = vec![0];
    let mut place = vec![usize::MAX; nodes.len()];
    place[0] = 0;
    let mut next = 0;
    while let Some(&id) = order.get(next) {
        next += 1;
        if let Node::Split { left, right, .. } = nodes[id] {
            for child in [left, right] {
                match place.get(child) {
                    None => {
                        return Err(format!(
                            "node {id} has a child {child}, but there are {} nodes",
                            nodes.len()
                        ));
                    }
                    Some(&usize::MAX) => {
                        place[child] = order.len();
                        order.push(child);
                    }
                    Some(_) => return Err(format!("node {child} is the child of more than one node")),
                }
            }
        }
    }
    if let Some(lost) = place.iter().position(|&place| place == usize::MAX) {
        return Err(format!("node {lost} cannot be reached from the root"));
    }
    let mut nodes: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
    let ordered = order.into_iter().map(|id| {
        let mut node = nodes[id].take().expect("each node is visited once");
        if let Node::Split { left, right, .. } = &mut node {
            (*left, *right) = (place[*left], place[*right]);
        }
        node
    });
    Ok(ordered.collect())
}

#[cfg(test)]
mod tests {
    use super::super::{Leaf, Split, Tree};
    use super::*;

    fn split(left: usize, right: usize) -> Node {
        Node::Split {
            split: Split::Numerical { feature: 0, threshold: 0.0 },
            left,
            right,
            default_left: false,
        }
    }

    fn leaf(value: f32) -> Node {
        Node::Leaf(Leaf::Constant(value))
    }

    #[test]
    fn nodes_are_stored_breadth_first() {
        // Deliberately depth-first: root, left subtree, right leaf.
        let tree = Tree::new(vec![split(1, 4), split(2, 3), leaf(1.0), leaf(2.0), leaf(3.0)]).unwrap();
        assert_eq!(tree.nodes(), [split(1, 2), split(3, 4), leaf(3.0), leaf(1.0), leaf(2.0)]);
        assert_eq!(tree.paths(), ["", "L", "R", "LL", "LR"]);
        assert_eq!((tree.size(), tree.leaves(), tree.depth()), (5, 3, 2));
    }

    #[test]
    fn what_is_not_a_tree_is_refused_in_words() {
        let check = |nodes: Vec<Node>, words: &str| {
            let error = Tree::new(nodes).unwrap_err();
            assert!(error.contains(words), "{error}");
        };
        check(vec![], "no nodes");
        check(vec![split(1, 9), leaf(0.0)], "child 9");
        check(vec![split(1, 1), leaf(0.0)], "more than one");
        check(vec![split(0, 1), leaf(0.0)], "more than one");
        check(vec![split(1, 2), leaf(0.0), leaf(0.0), leaf(0.0)], "node 3 cannot be reached");
    }
}
