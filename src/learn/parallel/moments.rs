//! Trees that a unit passed through somewhere else, and the form in which they travel to the worker that
//! leads the training: with them its film can show a restart that it has not seen itself.

use serde::{Deserialize, Serialize};

use super::{Pace, Unit};
use crate::learn::NodeChoice;
use crate::tree::Tree;

/// Moments that are kept at most, and numbers of all their trees together: a plane over a hundred columns
/// takes some three hundred.
const MOST_MOMENTS: usize = 240;
const MOST_NUMBERS: usize = 500_000;

/// A tree on the way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// The tree, in design space.
    pub tree: Tree,
    /// The epoch that had ended.
    pub epoch: u32,
    /// Its training loss.
    pub train_loss: Option<f64>,
    /// Its validation loss.
    pub valid_loss: Option<f64>,
    /// See [`Unit::choices`].
    pub choices: Vec<NodeChoice>,
    /// See [`Unit::keeping`].
    pub keeping: Vec<f32>,
}

/// The moments of one unit, evenly spaced.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Moments {
    kept: Vec<Moment>,
    /// Epochs from one moment to the next, and since the last one.
    stride: usize,
    since: usize,
    /// Numbers of all trees kept.
    numbers: usize,
}

impl Moments {
    /// For a unit whose plan wants so many epochs between two frames.
    pub(crate) fn every(epochs: usize) -> Moments {
        Moments { stride: epochs.max(1), ..Moments::default() }
    }

    /// Notes that an epoch has ended, and keeps the tree if its turn has come.
    pub(crate) fn epoch(&mut self, unit: &dyn Unit, pace: &Pace) {
        self.since += 1;
        if self.since < self.stride && !self.kept.is_empty() {
            return;
        }
        self.since = 0;
        let tree = unit.current();
        self.numbers += size(&tree);
        self.kept.push(Moment {
            tree,
            epoch: pace.epoch,
            train_loss: pace.train_loss,
            valid_loss: pace.valid_loss,
            choices: unit.choices(),
            keeping: unit.keeping(),
        });
        while self.kept.len() > 2 && (self.kept.len() > MOST_MOMENTS || self.numbers > MOST_NUMBERS) {
            self.thin();
        }
    }

    /// Drops every second moment.
    fn thin(&mut self) {
        let mut at = 0;
        self.kept.retain(|_| {
            at += 1;
            at % 2 == 1
        });
        self.stride *= 2;
        self.numbers = self.kept.iter().map(|moment| size(&moment.tree)).sum();
    }

    /// The moments in order.
    pub(crate) fn all(&self) -> &[Moment] {
        &self.kept
    }
}

/// About how many numbers a tree takes.
fn size(tree: &Tree) -> usize {
    tree.nodes().iter().map(|node| 6 + 3 * node.features().len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Outcome;
    use crate::tree::{Leaf, Node, Split};

    /// A unit whose tree says at which step it was seen.
    struct Counting {
        step: u32,
        columns: usize,
    }

    impl Unit for Counting {
        fn step(&mut self) -> Pace {
            self.step += 1;
            let losses = (Some(1.0 / f64::from(self.step)), self.step.is_multiple_of(2).then_some(0.1));
            Pace {
                epoch: self.step,
                epoch_ended: true,
                train_loss: losses.0,
                valid_loss: losses.1,
                ..Pace::default()
            }
        }
        fn current(&self) -> Tree {
            let (features, weights) = ((0..self.columns).collect(), vec![0.5; self.columns]);
            let split = Split::Oblique { features, missing_values: weights.clone(), weights, threshold: 0.1 };
            let leaf = |value: f32| Node::Leaf(Leaf::Constant(value));
            let root = Node::Split { split, left: 1, right: 2, default_left: true };
            Tree::new(vec![root, leaf(self.step as f32), leaf(-0.0)]).unwrap()
        }
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn choices(&self) -> Vec<NodeChoice> {
            vec![NodeChoice { node: 0, leading: vec![(3, 0.7), (1, 0.1)], locked: self.step > 5 }]
        }
        fn keeping(&self) -> Vec<f32> {
            vec![1.0, 0.25, 0.0]
        }
    }

    fn filmed(epochs: u32, columns: usize, every: usize) -> Moments {
        let mut unit = Counting { step: 0, columns };
        let mut moments = Moments::every(every);
        for _ in 0..epochs {
            let pace = unit.step();
            moments.epoch(&unit, &pace);
        }
        moments
    }

    #[test]
    fn moments_are_even_and_bounded() {
        let epochs = |moments: &Moments| moments.all().iter().map(|moment| moment.epoch).collect::<Vec<_>>();
        assert_eq!(epochs(&filmed(5, 2, 1)), [1, 2, 3, 4, 5]);
        assert_eq!(epochs(&filmed(5, 2, 2)), [1, 3, 5]);
        let long = filmed(10_000, 2, 1);
        assert!((MOST_MOMENTS / 2..=MOST_MOMENTS).contains(&long.all().len()));
        let apart: Vec<u32> = epochs(&long).windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(apart.iter().all(|&distance| distance == apart[0]), "{apart:?}");
        let wide = filmed(400, 5000, 1);
        assert!(wide.all().len() > 10);
    }
}
