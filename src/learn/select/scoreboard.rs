//! Scores of many alternatives on held-out samples: macro F1 for classes, R² for numbers, and for numbers
//! under another loss the same share of that loss: 1 − loss / loss of the best constant.

use crate::encode::Labels;
use crate::numeric::pinball::Pinball;
use crate::numeric::scores::{macro_f1, share_explained};

/// Sums of alternatives, from which their scores follow; a round holds out every sample once.
#[derive(Debug, Clone)]
pub(crate) struct Scoreboard {
    /// 0 for numbers.
    classes: usize,
    rounds: usize,
    /// The loss of numbers and the constant answer that it is compared with, unless it is the squared error.
    loss: Option<(Pinball, f64)>,
    /// (alternatives × rounds × 3 C) rows by class that were hit, that are of it and that were given it; for
    /// numbers the squared errors, then the sums that make the variance.
    cells: Vec<f64>,
}

impl Scoreboard {
    /// Empty sums.
    pub(crate) fn new(labels: &Labels, rounds: usize, alternatives: usize) -> Scoreboard {
        let classes = match labels {
            Labels::Classes { classes, .. } => *classes,
            Labels::Values(_) => 0,
        };
        let mut scoreboard = Scoreboard { classes, rounds, loss: None, cells: vec![] };
        scoreboard.extend(alternatives);
        scoreboard
    }

    /// Judges numbers by another loss than the squared error, beside a constant answer.
    pub(crate) fn by(self, loss: Option<(Pinball, f64)>) -> Scoreboard {
        Scoreboard { loss, ..self }
    }

    /// More alternatives.
    pub(crate) fn extend(&mut self, alternatives: usize) {
        self.cells.resize(self.cells.len() + alternatives * self.rounds * self.width(), 0.0);
    }

    fn width(&self) -> usize {
        3 * self.classes.max(1) + 1
    }

    fn cell(&self, alternative: usize, round: usize) -> std::ops::Range<usize> {
        let at = (alternative * self.rounds + round) * self.width();
        at..at + self.width()
    }

    /// A sample of a class was given a label.
    pub(crate) fn label(&mut self, alternative: usize, round: usize, class: usize, label: usize) {
        let range = self.cell(alternative, round);
        let cell = &mut self.cells[range];
        if class == label {
            cell[class] += 1.0;
        }
        cell[self.classes + class] += 1.0;
        cell[2 * self.classes + label] += 1.0;
    }

    /// A sample was given a number.
    pub(crate) fn value(&mut self, alternative: usize, round: usize, truth: f64, answer: f64) {
        let range = self.cell(alternative, round);
        let cell = &mut self.cells[range];
        let parts = match self.loss {
            None => [(truth - answer) * (truth - answer), truth, truth * truth, 1.0],
            Some((pinball, constant)) => {
                [pinball.loss(truth, answer), pinball.loss(truth, constant), 0.0, 1.0]
            }
        };
        cell.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
    }

    /// The mean over the rounds.
    pub(crate) fn score(&self, alternative: usize) -> f64 {
        let scores: Vec<f64> = (0..self.rounds)
            .filter_map(|round| self.of(&self.cells[self.cell(alternative, round)]))
            .collect();
        if scores.is_empty() { 0.0 } else { scores.iter().sum::<f64>() / scores.len() as f64 }
    }

    fn of(&self, cell: &[f64]) -> Option<f64> {
        if self.classes == 0 {
            let whole =
                if self.loss.is_some() { cell[1] } else { cell[2] - cell[1] * cell[1] / cell[3].max(1.0) };
            return (cell[3] > 0.0).then(|| if whole > 0.0 { share_explained(cell[0], whole) } else { 0.0 });
        }
        let (hits, rest) = cell.split_at(self.classes);
        let (truth, label) = rest.split_at(self.classes);
        macro_f1(hits, truth, &label[..self.classes])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_the_metrics() {
        let labels = Labels::Classes { label: vec![], classes: 3 };
        let mut scoreboard = Scoreboard::new(&labels, 2, 2);
        for (class, label) in [(0, 0), (0, 1), (1, 1)] {
            scoreboard.label(1, 0, class, label);
        }
        scoreboard.label(1, 1, 2, 2);
        // Round 0: 2/3 for both classes that occur; round 1: 1.
        assert!((scoreboard.score(1) - (2.0 / 3.0 + 1.0) / 2.0).abs() < 1e-12);
        assert_eq!(scoreboard.score(0), 0.0);
        let mut numbers = Scoreboard::new(&Labels::Values(vec![]), 1, 1);
        for (truth, answer) in [(1.0, 1.0), (2.0, 2.5), (3.0, 2.5)] {
            numbers.value(0, 0, truth, answer);
        }
        assert_eq!(numbers.score(0), 0.75);
        let mut absolute = Scoreboard::new(&Labels::Values(vec![]), 1, 1).by(Some((Pinball::ABSOLUTE, 2.0)));
        for (truth, answer) in [(1.0, 1.0), (2.0, 2.5), (3.0, 3.0)] {
            absolute.value(0, 0, truth, answer);
        }
        assert_eq!(absolute.score(0), 0.75);
    }
}
