//! Removes branches that no training row uses, and splits that change no answer.

use super::{Leaf, Node, Tree};

impl Tree {
    /// The tree without the branches that none of the rows reach.
    ///
    /// A split with one empty side is replaced by its other side; an empty subtree is removed with the split
    /// above it. Predictions for the given rows do not change. Those for other rows may: a branch without
    /// training rows holds an answer that was never learned. After pruning, such a row gets the answer of its
    /// neighbours instead.
    pub(crate) fn without_empty_branches<'a>(&self, rows: impl Iterator<Item = &'a [f32]>) -> Tree {
        self.without_empty_branches_traced(rows).0
    }

    /// As [`without_empty_branches`](Tree::without_empty_branches), also returning the position in this tree
    /// that each new node comes from.
    pub(crate) fn without_empty_branches_traced<'a>(
        &self,
        rows: impl Iterator<Item = &'a [f32]>,
    ) -> (Tree, Vec<usize>) {
        self.without_unreached_traced(&self.arrivals(rows))
    }

    /// The same, given how many rows reach each node.
    pub(crate) fn without_unreached_traced(&self, arrivals: &[usize]) -> (Tree, Vec<usize>) {
        self.collapsed(|id| match self.nodes()[id] {
            Node::Split { left, right, .. } if arrivals[left] == 0 && arrivals[right] > 0 => Some(right),
            Node::Split { left, right, .. } if arrivals[right] == 0 => Some(left),
            _ => None,
        })
    }

    /// The tree in which a split whose two sides always answer alike is replaced by one of them.
    pub(crate) fn without_idle_splits(&self) -> Tree {
        self.without_idle_splits_traced().0
    }

    /// As [`without_idle_splits`](Tree::without_idle_splits), also returning the position in this tree that
    /// each new node comes from.
    pub(crate) fn without_idle_splits_traced(&self) -> (Tree, Vec<usize>) {
        // From the last node up: `same[id]` is the leaf that equals the node's whole subtree, if there is
        // one.
        let mut same: Vec<Option<Leaf>> = vec![None; self.size()];
        for (id, node) in self.nodes().iter().enumerate().rev() {
            same[id] = match node {
                Node::Leaf(leaf) => Some(leaf.clone()),
                Node::Split { left, right, .. } if same[*left] == same[*right] => same[*left].clone(),
                Node::Split { .. } => None,
            };
        }
        self.collapsed(|id| match &self.nodes()[id] {
            Node::Split { left, .. } if same[id].is_some() => Some(*left),
            _ => None,
        })
    }

    /// A copy in which each node for which `instead` gives another is replaced by that one, repeatedly. Also
    /// returns where each node of the copy comes from.
    fn collapsed(&self, instead: impl Fn(usize) -> Option<usize>) -> (Tree, Vec<usize>) {
        let settle = |mut id: usize| {
            while let Some(next) = instead(id) {
                id = next;
            }
            id
        };
        // Copies breadth-first from the settled root; `sources[k]` is the old position of new node k.
        let mut sources = vec![settle(0)];
        let mut nodes = Vec::new();
        while let Some(&source) = sources.get(nodes.len()) {
            nodes.push(match &self.nodes()[source] {
                Node::Leaf(leaf) => Node::Leaf(leaf.clone()),
                Node::Split { split, left, right, default_left } => {
                    let place = sources.len();
                    sources.extend([settle(*left), settle(*right)]);
                    Node::Split {
                        split: split.clone(),
                        left: place,
                        right: place + 1,
                        default_left: *default_left,
                    }
                }
            });
        }
        // The copy is already breadth-first, so its nodes keep their positions.
        (Tree::new(nodes).expect("a copy of a tree is a tree"), sources)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Split;
    use super::*;

    fn split(threshold: f32, left: usize, right: usize) -> Node {
        Node::Split { split: Split::Numerical { feature: 0, threshold }, left, right, default_left: false }
    }

    fn leaf(value: f32) -> Node {
        Node::Leaf(Leaf::Constant(value))
    }

    #[test]
    fn empty_branches_go_and_the_answers_stay() {
        // x <= 5: (x <= 9: (a | b)) | (x <= 20: c | d); on the left side nothing is above 9.
        let tree = Tree::new(vec![
            split(5.0, 1, 2),
            split(9.0, 3, 4),
            split(20.0, 5, 6),
            leaf(1.0),
            leaf(2.0),
            leaf(3.0),
            leaf(4.0),
        ])
        .unwrap();
        let rows: Vec<Vec<f32>> = [1.0, 4.0, 7.0, 30.0].iter().map(|&x| vec![x]).collect();
        let pruned = tree.without_empty_branches(rows.iter().map(Vec::as_slice));
        assert_eq!(pruned.nodes(), [split(5.0, 1, 2), leaf(1.0), split(20.0, 3, 4), leaf(3.0), leaf(4.0)]);
        for row in &rows {
            assert_eq!(pruned.output(pruned.leaf_of(row), row), tree.output(tree.leaf_of(row), row));
        }
    }

    #[test]
    fn a_tree_that_no_row_reaches_becomes_one_leaf() {
        let tree = Tree::new(vec![split(5.0, 1, 2), leaf(1.0), leaf(2.0)]).unwrap();
        assert_eq!(tree.without_empty_branches(std::iter::empty()).nodes(), [leaf(1.0)]);
    }

    #[test]
    fn splits_with_equal_sides_go() {
        let tree =
            Tree::new(vec![split(5.0, 1, 2), split(9.0, 3, 4), leaf(1.0), leaf(2.0), leaf(2.0)]).unwrap();
        assert_eq!(tree.without_idle_splits().nodes(), [split(5.0, 1, 2), leaf(2.0), leaf(1.0)]);
        let same = Tree::new(vec![split(5.0, 1, 2), leaf(1.0), leaf(1.0)]).unwrap();
        assert_eq!(same.without_idle_splits().nodes(), [leaf(1.0)]);
    }
}
