//! What a unit found. It may travel from the worker that ran the unit to the one that merges.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Moments, codec};
use crate::learn::{Kept, StopReason};
use crate::tree::Tree;

/// What a unit found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The tree, in design space.
    pub tree: Tree,
    /// How good it is on samples it was not fitted to: the higher the better, and comparable between the
    /// units of a plan.
    pub score: f64,
    /// Its validation loss.
    pub loss: Option<f64>,
    /// The epoch it was seen at.
    pub epoch: u32,
    /// Why the unit ended; none while it goes on.
    pub stop: Option<StopReason>,
    /// Where the tree came from. The training fills in the unit's number.
    pub kept: Kept,
    /// What the last stage needs to know.
    pub notes: Notes,
}

impl Outcome {
    /// Whether this outcome, of unit `index`, is kept rather than another: by score, then the smaller tree,
    /// then the lower index.
    pub(crate) fn beats(&self, index: u32, other: &Outcome, other_index: u32) -> bool {
        let by_score = self.score.total_cmp(&other.score);
        let by_size = other.tree.size().cmp(&self.tree.size());
        by_score.then(by_size).then(other_index.cmp(&index)).is_gt()
    }
}

/// What the last stage of a learner needs to know of a unit beside its tree: a value of the learner's own
/// type.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Notes(Vec<u8>);

impl Notes {
    /// Keeps a value.
    pub fn of<T: Serialize>(value: &T) -> Notes {
        Notes(codec::to_bytes(value))
    }

    /// The value; none if there is none of this type.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        codec::from_bytes(&self.0)
    }
}

/// A unit that has ended somewhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The steps it took.
    pub steps: u64,
    /// What it has to show, if anything.
    pub outcome: Option<Outcome>,
}

/// What a unit brings home from another worker: what it found, and the trees it passed through.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Brought {
    /// What it found.
    pub found: Found,
    /// The trees it passed through.
    pub moments: Moments,
}

impl Brought {
    /// The same as bytes, every bit of it.
    pub fn to_bytes(&self) -> Vec<u8> {
        codec::to_bytes(self)
    }

    /// Reads it back; none if it is something else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Brought> {
        codec::from_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Chosen, Judges, Measure, Start};
    use crate::tree::{Bounds, Leaf, Node, Split};

    fn kept() -> Kept {
        let on = Judges::Folds { folds: 5, rounds: 2, validation: true };
        Kept {
            start: Start::GreedyOblique,
            restart: 3,
            gradient_epochs: 1 << 30,
            taught: 101,
            synthetic_rows: 2000,
            polished: 4,
            chosen: Some(Chosen { by: Measure::LossAndR2, on }),
            refitted: true,
        }
    }

    fn outcome() -> Outcome {
        let split = |split, left, right| Node::Split { split, left, right, default_left: left == 3 };
        let nodes = vec![
            split(Split::Numerical { feature: 7, threshold: -0.1 }, 1, 2),
            split(Split::Categorical { feature: 2, left: vec![true, false, true] }, 3, 4),
            split(
                Split::Oblique {
                    features: vec![0, 9],
                    weights: vec![0.3, -1e-30],
                    missing_values: vec![1.5, f32::MAX],
                    threshold: 0.1,
                },
                5,
                6,
            ),
            Node::Leaf(Leaf::Constant(0.7)),
            Node::Leaf(Leaf::Scores(vec![0.25, -3.5, f32::MIN_POSITIVE])),
            Node::Leaf(Leaf::Linear {
                constant: 1.1,
                features: vec![4],
                coefficients: vec![2.2],
                missing_values: vec![-0.0],
                bounds: Some(Bounds { low: -0.1, high: 1e300 }),
            }),
            Node::Leaf(Leaf::Scores(vec![])),
        ];
        let tree = Tree::new(nodes).unwrap();
        let (loss, stop) = (Some(0.1 + 0.2), Some(StopReason::EpochLimit));
        let notes = Notes::of(&(1e300, vec![-0.0f32], 7u32));
        Outcome { tree, score: -1.0 / 3.0, loss, epoch: 12, stop, kept: kept(), notes }
    }

    fn brought(outcome: Option<Outcome>) -> Brought {
        let moments = Moments::default();
        Brought { found: Found { steps: 1234, outcome }, moments }
    }

    fn arrives(there: &Brought) {
        let bytes = there.to_bytes();
        let back = Brought::from_bytes(&bytes);
        assert_eq!(back.as_ref(), Some(there));
        // Signs of zeros too, which are equal to each other.
        assert_eq!(back.map(|back| back.to_bytes()), Some(bytes));
    }

    #[test]
    fn what_travels_arrives_to_the_bit() {
        let there = outcome();
        arrives(&brought(Some(there.clone())));
        arrives(&brought(None));
        let stops =
            [StopReason::Grown, StopReason::NoImprovement, StopReason::EpochLimit, StopReason::Diverged];
        for stop in stops {
            arrives(&brought(Some(Outcome { stop: Some(stop), loss: None, ..there.clone() })));
        }
        let starts = [Start::Constant, Start::Random, Start::Cart, Start::Greedy].map(Kept::at);
        let chosen = [Judges::Training, Judges::Validation].map(|on| Chosen { by: Measure::Loss, on });
        let chosen = chosen.map(|chosen| Kept { chosen: Some(chosen), ..Kept::at(Start::Random) });
        for kept in starts.into_iter().chain(chosen) {
            arrives(&brought(Some(Outcome { kept, ..there.clone() })));
        }
    }

    #[test]
    fn what_is_cut_off_is_not_taken() {
        let bytes = brought(Some(outcome())).to_bytes();
        for end in 0..bytes.len() {
            assert_eq!(Brought::from_bytes(&bytes[..end]), None, "{end}");
        }
        assert_eq!(Brought::from_bytes(&[bytes, vec![0]].concat()), None, "nor is what is longer");
    }

    #[test]
    fn what_is_not_a_tree_is_not_taken() {
        let mut nodes = outcome().tree.nodes().to_vec();
        nodes.pop();
        assert_eq!(codec::from_bytes::<Tree>(&codec::to_bytes(&nodes)), None);
    }

    #[test]
    fn notes_are_read_as_what_they_are() {
        let notes = Notes::of(&(0.1 + 0.2, vec![-0.0f32, 7.5]));
        let (number, list): (f64, Vec<f32>) = notes.read().unwrap();
        assert_eq!((number, list[0].is_sign_negative(), list[1]), (0.1 + 0.2, true, 7.5));
        assert_eq!(notes.read::<f64>(), None, "there is more than a number");
        assert_eq!(Notes::default().read::<f64>(), None);
    }
}
