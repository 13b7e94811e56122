//! Splits the rows into training, validation and test parts.

use super::Labels;
use crate::error::{Code, Error, Result, quoted};
use crate::numeric::order::sort_positions;
use crate::numeric::random::Random;

/// Sizes of the parts, as shares of all rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// For the test score.
    pub test: f64,
    /// For early stopping.
    pub valid: f64,
}

/// The labelled rows of each part: positions in the problem's rows, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// For training.
    pub train: Vec<usize>,
    /// For early stopping.
    pub valid: Vec<usize>,
    /// For the test score.
    pub test: Vec<usize>,
}

impl Default for Shares {
    fn default() -> Self {
        Shares { test: 0.2, valid: 0.2 }
    }
}

impl Shares {
    /// Checks that enough is left for training.
    pub fn check(self) -> Result<()> {
        for (name, share) in [("test", self.test), ("valid", self.valid)] {
            if !(0.0..=0.9).contains(&share) {
                return Err(Error::new(
                    Code::BadValue,
                    format!("The {name} share cannot be {share}."),
                    "It takes a number from 0 to 0.9, for instance 0.2.",
                ));
            }
        }
        if self.test + self.valid > 0.9 {
            return Err(Error::new(
                Code::BadValue,
                format!(
                    "The test share {} and the valid share {} leave too few rows to train on.",
                    self.test, self.valid
                ),
                "Together they may be at most 0.9.",
            ));
        }
        Ok(())
    }
}

impl Parts {
    /// Draws the parts at random. Classification is stratified: each part has the classes in proportion, and
    /// every class is in the training part.
    pub fn draw(labels: &Labels, shares: Shares, seed: u64) -> Result<Parts> {
        shares.check()?;
        let mut random = Random::stream(seed, "parts");
        let mut order: Vec<usize> = (0..labels.len()).collect();
        random.shuffle(&mut order);
        if let Labels::Classes { label, .. } = labels {
            // A stable sort keeps the shuffled order within a class. Taking every k-th row then takes each
            // class's share, to within one row.
            sort_positions(&mut order, &|a, b| label[a].cmp(&label[b]));
        }
        let (test, rest) = every_kth(&order, shares.test);
        let (mut valid, mut train) = every_kth(&rest, shares.valid / (1.0 - shares.test));
        let mut test = test;
        if let Labels::Classes { label, classes } = labels {
            for class in 0..*classes as u32 {
                let trained = train.iter().any(|&row| label[row] == class);
                for part in [&mut valid, &mut test] {
                    if trained || train.iter().any(|&row| label[row] == class) {
                        break;
                    }
                    if let Some(at) = part.iter().position(|&row| label[row] == class) {
                        train.push(part.remove(at));
                    }
                }
            }
        }
        Parts { train, valid, test }.checked()
    }

    /// Reads the parts from a column of the file: `words` yields `train`, `valid` or `test` for each labelled
    /// row.
    pub(crate) fn from_words<'a>(words: impl Iterator<Item = (u64, &'a str)>) -> Result<Parts> {
        let mut parts = Parts { train: vec![], valid: vec![], test: vec![] };
        for (row, (line, word)) in words.enumerate() {
            match word {
                "train" => parts.train.push(row),
                "valid" => parts.valid.push(row),
                "test" => parts.test.push(row),
                _ => {
                    return Err(Error::new(
                        Code::BadValue,
                        format!("Expected train, valid or test in the split column, found {}.", quoted(word)),
                        "Correct the cell, or leave the split column out.",
                    )
                    .at_line(line));
                }
            }
        }
        parts.checked()
    }

    /// Training and validation rows together, ascending.
    pub fn train_and_valid(&self) -> Vec<usize> {
        let mut rows = [self.train.as_slice(), &self.valid].concat();
        sort_positions(&mut rows, &|a, b| a.cmp(&b));
        rows
    }

    fn checked(mut self) -> Result<Parts> {
        for part in [&mut self.train, &mut self.valid, &mut self.test] {
            sort_positions(part, &|a, b| a.cmp(&b));
        }
        if self.train.len() < 2 {
            let rows = self.train.len() + self.valid.len() + self.test.len();
            return Err(Error::new(
                Code::TooFewRows,
                format!(
                    "{rows} {} with a target: {} to train on, and a tree needs at least 2.",
                    if rows == 1 { "row" } else { "rows" },
                    match self.train.len() {
                        0 => "none is left".into(),
                        n => format!("{n} is left"),
                    }
                ),
                "Use a file with more rows, or smaller test and valid shares.",
            ));
        }
        Ok(self)
    }
}

/// Splits off every 1/share-th row.
fn every_kth(rows: &[usize], share: f64) -> (Vec<usize>, Vec<usize>) {
    let taken = |k: usize| (k as f64 * share + 0.5).floor();
    let (picked, others): (Vec<_>, Vec<_>) =
        rows.iter().enumerate().partition(|(k, _)| taken(k + 1) > taken(*k));
    let strip = |pairs: Vec<(usize, &usize)>| pairs.into_iter().map(|(_, &row)| row).collect();
    (strip(picked), strip(others))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(counts: &[usize]) -> Labels {
        let label = counts.iter().zip(0..).flat_map(|(&count, class)| vec![class; count]).collect();
        Labels::Classes { label, classes: counts.len() }
    }

    #[test]
    fn parts_are_disjoint_complete_and_in_proportion() {
        let labels = classes(&[60, 30, 10]);
        let Labels::Classes { label, .. } = &labels else { unreachable!() };
        let parts = Parts::draw(&labels, Shares::default(), 7).unwrap();
        assert_eq!((parts.train.len(), parts.valid.len(), parts.test.len()), (60, 20, 20));
        let mut all = [parts.train.as_slice(), &parts.valid, &parts.test].concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
        for part in [&parts.valid, &parts.test] {
            for (class, expected) in [(0, 12), (1, 6), (2, 2)] {
                let count = part.iter().filter(|&&row| label[row] == class).count();
                assert!((expected - 1..=expected + 1).contains(&count), "class {class}: {count}");
            }
        }
        assert_eq!(parts, Parts::draw(&labels, Shares::default(), 7).unwrap());
        assert_ne!(parts, Parts::draw(&labels, Shares::default(), 8).unwrap());
    }

    #[test]
    fn a_class_of_one_row_is_trained_on() {
        for seed in 0..20 {
            let labels = classes(&[20, 1, 1]);
            let parts = Parts::draw(&labels, Shares { test: 0.4, valid: 0.4 }, seed).unwrap();
            assert!(parts.train.contains(&20) && parts.train.contains(&21), "seed {seed}");
        }
    }

    #[test]
    fn too_few_rows_and_bad_shares_are_refused() {
        let values = Labels::Values(vec![1.0, 2.0]);
        assert_eq!(
            Parts::draw(&values, Shares { test: 0.5, valid: 0.2 }, 0).unwrap_err().code,
            Code::TooFewRows
        );
        for (test, valid) in [(-0.1, 0.2), (0.2, f64::NAN), (0.5, 0.5)] {
            assert_eq!(Parts::draw(&values, Shares { test, valid }, 0).unwrap_err().code, Code::BadValue);
        }
    }

    #[test]
    fn a_column_can_say_the_parts() {
        let words = ["train", "test", "train", "valid"];
        let parts =
            Parts::from_words(words.into_iter().enumerate().map(|(i, word)| (i as u64 + 2, word))).unwrap();
        assert_eq!(parts, Parts { train: vec![0, 2], valid: vec![3], test: vec![1] });
        let error = Parts::from_words([(2, "train"), (3, "later")].into_iter()).unwrap_err();
        assert_eq!(error.line, Some(3));
    }
}
