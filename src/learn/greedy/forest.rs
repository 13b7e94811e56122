//! A forest: trees that grow one after another, each on its own bootstrap sample (Breiman, *Random Forests*,
//! Machine Learning 45, 2001).

use super::grower::{Grower, NodeOf, Search};

/// Begins the next tree, given the search of the one before: its random numbers and its memory go on.
type Plant<S> = Box<dyn FnMut(Option<S>) -> Grower<S> + Send>;

/// A forest that grows tree by tree.
pub struct BootstrapForest<S: Search> {
    plant: Plant<S>,
    /// The tree that is growing.
    growing: Option<Grower<S>>,
    /// The search of the tree before, for the next one.
    rested: Option<S>,
    grown: usize,
    wanted: usize,
}

/// A tree of a forest: its nodes, and the samples that it was grown on, a sample as often as it was drawn.
pub(super) type BootstrapTree<S> = (Vec<NodeOf<S>>, Vec<u32>);

impl<S: Search + 'static> BootstrapForest<S> {
    /// A forest of so many trees.
    pub fn new(wanted: usize, plant: impl FnMut(Option<S>) -> Grower<S> + Send + 'static) -> Self {
        BootstrapForest { plant: Box::new(plant), growing: None, rested: None, grown: 0, wanted }
    }

    /// A slice of the growing tree; gives the tree once it is complete. Nothing is done once all are grown.
    pub fn advance(&mut self) -> Option<BootstrapTree<S>> {
        if self.is_complete() {
            return None;
        }
        let mut tree = self.take_growing();
        if !tree.advance() {
            self.growing = Some(tree);
            return None;
        }
        let (nodes, samples, search) = tree.finish();
        self.rested = search;
        self.grown += 1;
        Some((nodes, samples))
    }

    /// The tree that is growing, or the next one at its beginning.
    pub fn take_growing(&mut self) -> Grower<S> {
        match self.growing.take() {
            Some(tree) => tree,
            None => (self.plant)(self.rested.take()),
        }
    }

    /// Whether all trees have grown.
    pub fn is_complete(&self) -> bool {
        self.grown >= self.wanted
    }

    /// The number of grown trees, and of all trees.
    pub fn counts(&self) -> (usize, usize) {
        (self.grown, self.wanted)
    }

    /// Share of the trees that have grown.
    pub fn share(&self) -> f64 {
        let within = self.growing.as_ref().map_or(0.0, Grower::share);
        (self.grown as f64 + within) / self.wanted.max(1) as f64
    }
}
