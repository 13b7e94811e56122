//! Synthetic rows behind real ones, recombined from them and labelled by a forest.

use nalgebra::DMatrix;

use super::votes::VotingForest;
use crate::encode::{Design, Labels};
use crate::numeric::random::Random;

/// The probability that a column comes from another row.
const SWAP: f64 = 0.25;
/// Synthetic rows per real row,
pub(super) const TIMES: usize = 4;
/// and at most so many.
const MOST: usize = 20_000;
/// Rows that one step makes and labels.
const PIECE: usize = 200;

/// Synthetic rows in the making.
pub(super) struct LabelledRows {
    random: Random,
    /// The columns of the design that stand for one column of the file, for each of the file's: these stay
    /// together.
    columns: Vec<Vec<usize>>,
    x: Vec<f32>,
    y: Labels,
    wanted: usize,
}

impl LabelledRows {
    /// Begins with the real rows. `feature` has the file's column behind each column of the design; it is
    /// empty where each stands for itself.
    pub(super) fn new(train: &Design, feature: &[usize], random: Random) -> LabelledRows {
        let of_file = |column: usize| feature.get(column).copied().unwrap_or(column);
        let most = (0..train.features()).map(of_file).max().map_or(0, |most| most + 1);
        let mut columns = vec![vec![]; most];
        (0..train.features()).for_each(|column| columns[of_file(column)].push(column));
        let wanted = train.samples() + (TIMES * train.samples()).min(MOST);
        LabelledRows { random, columns, x: train.x.as_slice().to_vec(), y: train.y.clone(), wanted }
    }

    /// How many synthetic rows there are, and how many are wanted.
    pub(super) fn made(&self, train: &Design) -> (usize, usize) {
        (self.y.len() - train.samples(), self.wanted - train.samples())
    }

    /// Makes some more; gives real and synthetic rows together once all are there. Votes on numbers are in
    /// `units`: mean and deviation.
    pub(super) fn advance(
        &mut self,
        train: &Design,
        forest: &VotingForest,
        units: [f64; 2],
    ) -> Option<Design> {
        let LabelledRows { random, columns, x, y, wanted } = self;
        let samples = train.samples();
        let mut votes = vec![0.0; if let Labels::Classes { classes, .. } = y { *classes } else { 1 }];
        for _ in 0..PIECE.min(*wanted - y.len()) {
            let at = x.len();
            x.extend_from_slice(train.row(random.below(samples)));
            for column in columns.iter() {
                if random.uniform() < SWAP {
                    let other = train.row(random.below(samples));
                    column.iter().for_each(|&place| x[at + place] = other[place]);
                }
            }
            forest.vote(&x[at..], &mut votes);
            match y {
                Labels::Values(values) => values.push(units[0] + units[1] * f64::from(votes[0])),
                Labels::Classes { label, .. } => label.push(drawn(&votes, random.uniform())),
            }
        }
        (y.len() == *wanted).then(|| {
            let x = DMatrix::from_vec(train.features(), y.len(), std::mem::take(x));
            Design { x, y: y.clone() }
        })
    }
}

/// The class at a place between 0 and 1 among shares that add up to 1.
fn drawn(shares: &[f32], mut place: f64) -> u32 {
    for (class, share) in (0u32..).zip(shares) {
        place -= f64::from(*share);
        if place < 0.0 {
            return class;
        }
    }
    // Rounding: the shares add up to a little less than 1.
    shares.iter().rposition(|&share| share > 0.0).unwrap_or(0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_drawn_by_their_shares() {
        assert_eq!([0.0, 0.24, 0.26, 0.99].map(|place| drawn(&[0.25, 0.75, 0.0], place)), [0, 0, 1, 1]);
        assert_eq!(drawn(&[0.5, 0.499], 0.9999), 1);
    }
}
