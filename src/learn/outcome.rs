//! What a unit found, and the form in which it travels from the worker that ran the unit to the one that merges.

use super::{Kept, StopReason};
use crate::tree::{Bounds, Leaf, Node, Split, Tree};

/// What a unit found.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The tree, in design space.
    pub tree: Tree,
    /// How good it is on samples it was not fitted to: the higher the better, and comparable between the units of a plan.
    pub score: f64,
    /// Its validation loss.
    pub loss: Option<f64>,
    /// The epoch it was seen at.
    pub epoch: u32,
    /// Why the unit ended; none while it goes on.
    pub stop: Option<StopReason>,
    /// Where the tree came from. The training fills in the unit's number.
    pub kept: Kept,
    /// What the last stage needs to know; the meaning is the plan's own.
    pub notes: Vec<f64>,
}

impl Outcome {
    /// Whether this outcome, of unit `index`, is kept rather than another: by score, then the smaller tree, then the lower index.
    pub fn beats(&self, index: u32, other: &Outcome, other_index: u32) -> bool {
        let by_score = self.score.total_cmp(&other.score);
        let by_size = other.tree.size().cmp(&self.tree.size());
        by_score.then(by_size).then(other_index.cmp(&index)).is_gt()
    }
}

/// A unit that has ended somewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The steps it took.
    pub steps: u64,
    /// What it has to show, if anything.
    pub outcome: Option<Outcome>,
}

impl Found {
    /// The same as numbers, every bit of it: a list of f64, little-endian, since whatever is smaller fits in one.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut numbers = vec![self.steps as f64];
        if let Some(outcome) = &self.outcome {
            let stop = outcome.stop.map_or(0, |stop| 1 + position(stop));
            let loss = outcome.loss.map_or([0.0, 0.0], |loss| [1.0, loss]);
            numbers.extend([outcome.score, loss[0], loss[1], f64::from(outcome.epoch), stop as f64]);
            push_all(&mut numbers, outcome.notes.iter().copied());
            outcome.kept.push(&mut numbers);
            outcome.tree.nodes().iter().for_each(|node| push_node(&mut numbers, node));
        }
        numbers.into_iter().flat_map(f64::to_le_bytes).collect()
    }

    /// Reads it back; none if it is something else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Found> {
        let mut numbers = Numbers::of(bytes)?;
        let steps = numbers.next()? as u64;
        if numbers.is_done() {
            return Some(Found { steps, outcome: None });
        }
        let score = numbers.next()?;
        let [has_loss, loss] = [numbers.next()?, numbers.next()?];
        let epoch = numbers.next()? as u32;
        let stop = match numbers.count()? {
            0 => None,
            place => Some(*STOPS.get(place - 1)?),
        };
        let notes = numbers.all()?;
        let kept = Kept::pull(&mut numbers)?;
        let mut nodes = vec![];
        while !numbers.is_done() {
            nodes.push(numbers.node()?);
        }
        let loss = (has_loss == 1.0).then_some(loss);
        let tree = Tree::new(nodes).ok()?;
        Some(Found { steps, outcome: Some(Outcome { tree, score, loss, epoch, stop, kept, notes }) })
    }
}

/// Every reason, in the order in which they are numbered here.
const STOPS: [StopReason; 4] =
    [StopReason::Grown, StopReason::NoImprovement, StopReason::EpochLimit, StopReason::Diverged];

fn position(stop: StopReason) -> usize {
    STOPS.iter().position(|&known| known == stop).expect("every reason is listed")
}

pub(super) fn push_all(numbers: &mut Vec<f64>, values: impl ExactSizeIterator<Item = f64>) {
    numbers.push(values.len() as f64);
    numbers.extend(values);
}

pub(super) fn push_node(numbers: &mut Vec<f64>, node: &Node) {
    let positions = |numbers: &mut Vec<f64>, at: &[usize]| push_all(numbers, at.iter().map(|&at| at as f64));
    let singles = |numbers: &mut Vec<f64>, values: &[f32]| push_all(numbers, values.iter().copied().map(f64::from));
    match node {
        Node::Leaf(Leaf::Constant(value)) => numbers.extend([0.0, f64::from(*value)]),
        Node::Leaf(Leaf::Scores(scores)) => {
            numbers.push(1.0);
            singles(numbers, scores);
        }
        Node::Leaf(Leaf::Linear { constant, features, coefficients, missing_values, bounds }) => {
            numbers.extend([2.0, f64::from(*constant)]);
            positions(numbers, features);
            singles(numbers, coefficients);
            singles(numbers, missing_values);
            let bounds = bounds.map_or(vec![], |Bounds { low, high }| vec![low, high]);
            push_all(numbers, bounds.into_iter());
        }
        Node::Split { split, left, right, default_left } => {
            let kind = match split {
                Split::Numerical { .. } => 3.0,
                Split::Categorical { .. } => 4.0,
                Split::Oblique { .. } => 5.0,
            };
            numbers.extend([kind, *left as f64, *right as f64, f64::from(u8::from(*default_left))]);
            match split {
                Split::Numerical { feature, threshold } => numbers.extend([*feature as f64, f64::from(*threshold)]),
                Split::Categorical { feature, left } => {
                    numbers.push(*feature as f64);
                    push_all(numbers, left.iter().map(|&left| f64::from(u8::from(left))));
                }
                Split::Oblique { features, weights, missing_values, threshold } => {
                    positions(numbers, features);
                    singles(numbers, weights);
                    singles(numbers, missing_values);
                    numbers.push(*threshold);
                }
            }
        }
    }
}

/// Numbers that are read one after another.
pub(super) struct Numbers<'a> {
    words: &'a [[u8; 8]],
    at: usize,
}

impl Numbers<'_> {
    /// None if the bytes are not a list of f64.
    pub(super) fn of(bytes: &[u8]) -> Option<Numbers<'_>> {
        let (words, rest) = bytes.as_chunks::<8>();
        rest.is_empty().then_some(Numbers { words, at: 0 })
    }

    pub(super) fn is_done(&self) -> bool {
        self.at == self.words.len()
    }

    pub(super) fn next(&mut self) -> Option<f64> {
        let word = self.words.get(self.at)?;
        self.at += 1;
        Some(f64::from_le_bytes(*word))
    }

    pub(super) fn count(&mut self) -> Option<usize> {
        self.next().map(|number| number as usize)
    }

    /// How many follow; none if there are not so many left.
    pub(super) fn length(&mut self) -> Option<usize> {
        self.count().filter(|&count| count <= self.words.len() - self.at)
    }

    fn all(&mut self) -> Option<Vec<f64>> {
        (0..self.length()?).map(|_| self.next()).collect()
    }

    pub(super) fn positions(&mut self) -> Option<Vec<usize>> {
        Some(self.all()?.into_iter().map(|number| number as usize).collect())
    }

    pub(super) fn singles(&mut self) -> Option<Vec<f32>> {
        Some(self.all()?.into_iter().map(|number| number as f32).collect())
    }

    pub(super) fn node(&mut self) -> Option<Node> {
        let kind = self.count()?;
        Some(match kind {
            0 => Node::Leaf(Leaf::Constant(self.next()? as f32)),
            1 => Node::Leaf(Leaf::Scores(self.singles()?)),
            2 => Node::Leaf(Leaf::Linear {
                constant: self.next()? as f32,
                features: self.positions()?,
                coefficients: self.singles()?,
                missing_values: self.singles()?,
                bounds: match self.all()?[..] {
                    [] => None,
                    [low, high] => Some(Bounds { low, high }),
                    _ => return None,
                },
            }),
            3..=5 => {
                let (left, right, default_left) = (self.count()?, self.count()?, self.next()? == 1.0);
                let split = match kind {
                    3 => Split::Numerical { feature: self.count()?, threshold: self.next()? as f32 },
                    4 => Split::Categorical {
                        feature: self.count()?,
                        left: self.all()?.into_iter().map(|left| left == 1.0).collect(),
                    },
                    _ => Split::Oblique {
                        features: self.positions()?,
                        weights: self.singles()?,
                        missing_values: self.singles()?,
                        threshold: self.next()?,
                    },
                };
                Node::Split { split, left, right, default_left }
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Chosen, Judges, Measure, Start};
    use super::*;

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

    fn found() -> Found {
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
        let notes = vec![1e300, -0.0];
        let outcome = Outcome { tree, score: -1.0 / 3.0, loss, epoch: 12, stop, kept: kept(), notes };
        Found { steps: 1234, outcome: Some(outcome) }
    }

    #[test]
    fn what_travels_arrives_to_the_bit() {
        let there = found();
        let bytes = there.to_bytes();
        let back = Found::from_bytes(&bytes).unwrap();
        assert_eq!(back, there);
        // Signs of zeros too, which are equal to each other.
        assert_eq!(back.to_bytes(), bytes);
        let nothing = Found { steps: 3, outcome: None };
        assert_eq!(Found::from_bytes(&nothing.to_bytes()), Some(nothing));
        for stop in STOPS {
            let outcome = Outcome { stop: Some(stop), loss: None, ..there.outcome.clone().unwrap() };
            let other = Found { steps: 0, outcome: Some(outcome) };
            assert_eq!(Found::from_bytes(&other.to_bytes()), Some(other));
        }
        let starts = [Start::Constant, Start::Random, Start::Cart, Start::Greedy].map(Kept::at);
        let chosen = [Judges::Training, Judges::Validation].map(|on| Chosen { by: Measure::Loss, on });
        let chosen = chosen.map(|chosen| Kept { chosen: Some(chosen), ..Kept::at(Start::Random) });
        for kept in starts.into_iter().chain(chosen) {
            let other = Found { steps: 0, outcome: Some(Outcome { kept, ..there.outcome.clone().unwrap() }) };
            assert_eq!(Found::from_bytes(&other.to_bytes()), Some(other));
        }
    }

    #[test]
    fn what_is_cut_off_is_not_taken() {
        let bytes = found().to_bytes();
        // With the number of steps alone it is a unit that has nothing to show.
        for end in (0..bytes.len()).filter(|&end| end != 8) {
            assert_eq!(Found::from_bytes(&bytes[..end]), None, "{end}");
        }
        let mut absurd = bytes.clone();
        absurd[48..56].copy_from_slice(&1e18f64.to_le_bytes());
        assert_eq!(Found::from_bytes(&absurd), None);
    }
}
