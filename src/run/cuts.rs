//! Every way to cut rows in two by one column, and what each is worth at once: the greedy view of a split.

use crate::encode::Labels;
use crate::numeric::order::sort_positions;

/// Sums over the rows of one side, from which its impurity follows.
#[derive(Clone)]
struct Side {
    rows: f64,
    /// Rows by class; for numbers the sum and the sum of squares.
    sums: Vec<f64>,
}

/// The outcomes of some rows, ready to be summed.
pub(super) struct Outcomes<'a> {
    labels: &'a Labels,
    /// Numbers are counted from here, so that squares stay small.
    centre: f64,
}

impl<'a> Outcomes<'a> {
    pub(super) fn new(labels: &'a Labels) -> Outcomes<'a> {
        let centre = match labels {
            Labels::Classes { .. } => 0.0,
            Labels::Values(values) => values.iter().sum::<f64>() / values.len().max(1) as f64,
        };
        Outcomes { labels, centre }
    }

    fn nothing(&self) -> Side {
        let width = if let Labels::Classes { classes, .. } = self.labels { *classes } else { 2 };
        Side { rows: 0.0, sums: vec![0.0; width] }
    }

    /// Adds a row to a side, or takes it away (`sign` −1).
    fn add(&self, side: &mut Side, row: usize, sign: f64) {
        side.rows += sign;
        match self.labels {
            Labels::Classes { label, .. } => side.sums[label[row] as usize] += sign,
            Labels::Values(values) => {
                let value = values[row] - self.centre;
                side.sums[0] += sign * value;
                side.sums[1] += sign * value * value;
            }
        }
    }

    /// Rows times Gini impurity, or the sum of squared deviations.
    fn impurity(&self, side: &Side) -> f64 {
        if side.rows == 0.0 {
            return 0.0;
        }
        match self.labels {
            Labels::Classes { .. } => side.rows - side.sums.iter().map(|n| n * n).sum::<f64>() / side.rows,
            Labels::Values(_) => side.sums[1] - side.sums[0] * side.sums[0] / side.rows,
        }
    }

    /// What parting `rows` by `goes_left` takes off their impurity, per row: Gini impurity, or variance.
    pub(super) fn gain(&self, rows: &[usize], goes_left: &dyn Fn(usize) -> bool) -> f64 {
        let (mut left, mut right) = (self.nothing(), self.nothing());
        for &row in rows {
            self.add(if goes_left(row) { &mut left } else { &mut right }, row, 1.0);
        }
        let mut whole = left.clone();
        whole.rows += right.rows;
        whole.sums.iter_mut().zip(&right.sums).for_each(|(sum, more)| *sum += more);
        (self.impurity(&whole) - self.impurity(&left) - self.impurity(&right)) / whole.rows.max(1.0)
    }

    /// Visits every cut between two neighbouring values, ascending, with its gain per row. Rows without a
    /// value (NaN) take no part.
    pub(super) fn sweep(
        &self,
        rows: &[usize],
        value: &dyn Fn(usize) -> f64,
        visit: &mut dyn FnMut(f64, f64),
    ) {
        let mut order: Vec<usize> = rows.iter().copied().filter(|&row| !value(row).is_nan()).collect();
        sort_positions(&mut order, &|a, b| value(a).total_cmp(&value(b)));
        let (mut left, mut right) = (self.nothing(), self.nothing());
        order.iter().for_each(|&row| self.add(&mut right, row, 1.0));
        let whole = self.impurity(&right);
        for pair in order.windows(2) {
            self.add(&mut left, pair[0], 1.0);
            self.add(&mut right, pair[0], -1.0);
            let (low, high) = (value(pair[0]), value(pair[1]));
            if low < high {
                let gain = whole - self.impurity(&left) - self.impurity(&right);
                visit(low / 2.0 + high / 2.0, gain / order.len() as f64);
            }
        }
    }

    /// The cut with the greatest gain, the first of equals; none where all values are one.
    pub(super) fn best_cut(&self, rows: &[usize], value: &dyn Fn(usize) -> f64) -> Option<f64> {
        let mut best: Option<(f64, f64)> = None;
        self.sweep(rows, value, &mut |cut, gain| {
            if best.is_none_or(|(_, most)| gain > most) {
                best = Some((cut, gain));
            }
        });
        best.map(|(cut, _)| cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_cut_parts_the_classes() {
        let labels = Labels::Classes { label: vec![0, 0, 1, 1, 1], classes: 2 };
        let values = [1.0, 2.0, 4.0, 5.0, f64::NAN];
        let outcomes = Outcomes::new(&labels);
        let mut seen = vec![];
        outcomes.sweep(&[0, 1, 2, 3, 4], &|row| values[row], &mut |cut, gain| seen.push((cut, gain)));
        assert_eq!(seen.iter().map(|(cut, _)| *cut).collect::<Vec<_>>(), [1.5, 3.0, 4.5]);
        // Four rows, two of each class: Gini 1/2 at first and nothing left after the middle cut.
        assert!((seen[1].1 - 0.5).abs() < 1e-12, "{seen:?}");
        assert_eq!(outcomes.best_cut(&[0, 1, 2, 3, 4], &|row| values[row]), Some(3.0));
        assert_eq!(outcomes.best_cut(&[0, 4], &|row| values[row]), None);
    }

    #[test]
    fn a_sweep_and_a_gain_agree_on_every_cut_of_numbers() {
        let labels = Labels::Values((0..40).map(|i| 1e6 + f64::from(i * 7 % 13)).collect());
        let values: Vec<f64> = (0..40).map(|i| f64::from(i * 5 % 17)).collect();
        let rows: Vec<usize> = (0..40).collect();
        let outcomes = Outcomes::new(&labels);
        let mut cuts = 0;
        outcomes.sweep(&rows, &|row| values[row], &mut |cut, gain| {
            assert!((gain - outcomes.gain(&rows, &|row| values[row] <= cut)).abs() < 1e-9, "{cut}");
            cuts += 1;
        });
        assert_eq!(cuts, 16);
    }
}
