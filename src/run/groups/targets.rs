//! Which columns are predicted from the others, and their values.
//!
//! The rule: among columns of numbers, those that the others predict best in a straight line. A column that
//! hangs together with the others is one that groups of rows show in; a column of noise would make the tree
//! divide noise. Of p columns of numbers, a quarter is taken, at least two if three are there, and at most
//! [`MOST`], so that enough is left to divide by. Without columns of numbers the column of words with the
//! fewest different words is predicted, each word by itself.

use crate::error::{Code, Error, Result};
use crate::learn::relaxed::paper::samples::Units;
use crate::numeric::order::{sort_positions, sort_words};
use crate::numeric::solve::gauss_jordan;
use crate::table::{Kind, Table};

/// The most columns that are predicted unless they are named.
const MOST: usize = 6;

/// Words of a column that is predicted, at most; the rarer ones count as none.
const MOST_WORDS: usize = 20;

/// Added to the diagonal of the correlations, so that a copy of a column is no division by 0.
const RIDGE: f64 = 1e-2;

/// The columns to predict: those named, or by the rule. `rows` are the training rows.
pub(crate) fn choose(
    table: &Table,
    usable: &[usize],
    named: &[String],
    rows: &[usize],
) -> Result<Vec<usize>> {
    if !named.is_empty() {
        return named.iter().map(|name| table.position(name)).collect();
    }
    let columns: Vec<(usize, Vec<f64>)> = usable
        .iter()
        .filter(|&&at| table.columns()[at].kind == Kind::Number)
        .map(|&at| (at, standardised(table, at, rows)))
        .filter(|(_, values)| values.iter().any(|&value| value != 0.0))
        .collect();
    if columns.is_empty() || columns.len() == 1 && usable.len() == 1 {
        let words = usable.iter().copied().filter(|&at| distinct(table, at, rows) > 1);
        return words.min_by_key(|&at| (distinct(table, at, rows), at)).map(|at| vec![at]).ok_or_else(|| {
            let message = "No column can be predicted from the others: none has two different values.";
            Error::new(Code::NoFeatures, message, "Use more rows or other columns.")
        });
    }
    let explained = explained(&columns.iter().map(|(_, values)| values.as_slice()).collect::<Vec<_>>());
    let mut order: Vec<usize> = (0..columns.len()).collect();
    sort_positions(&mut order, &|a, b| explained[b].total_cmp(&explained[a]));
    let most = (columns.len() / 4).clamp(if columns.len() > 2 { 2 } else { 1 }, MOST);
    let mut chosen: Vec<usize> = order.into_iter().take(most).map(|at| columns[at].0).collect();
    sort_positions(&mut chosen, &|a, b| a.cmp(&b));
    Ok(chosen)
}

/// How much of each column the others explain in a straight line: `1 − 1/(C⁻¹)_jj` of the correlations C.
fn explained(columns: &[&[f64]]) -> Vec<f64> {
    let (p, n) = (columns.len(), columns[0].len().max(1) as f64);
    let product = |j: usize, k: usize| columns[j].iter().zip(columns[k]).map(|(a, b)| a * b).sum::<f64>() / n;
    // With the ridge no pivot is 0.
    let inverse = gauss_jordan(|j, k| product(j, k) + if j == k { RIDGE } else { 0.0 }, p);
    (0..p).map(|j| 1.0 - 1.0 / inverse[j][j]).collect()
}

/// A column of numbers with mean 0 and deviation 1 over some rows; a missing value is the mean.
fn standardised(table: &Table, at: usize, rows: &[usize]) -> Vec<f64> {
    let column = &table.columns()[at];
    let numbers: Vec<Option<f64>> = rows.iter().map(|&row| column.number(table.cell(row, at))).collect();
    let present: Vec<f64> = numbers.iter().flatten().copied().collect();
    let Units { centre, scale } = Units::of(&present);
    numbers.into_iter().map(|number| number.map_or(0.0, |number| (number - centre) / scale)).collect()
}

fn distinct(table: &Table, at: usize, rows: &[usize]) -> usize {
    words(table, at, rows).len()
}

fn words<'a>(table: &'a Table, at: usize, rows: &[usize]) -> Vec<&'a str> {
    let column = &table.columns()[at];
    let mut words: Vec<&str> =
        rows.iter().map(|&row| table.cell(row, at)).filter(|cell| !column.is_missing(cell)).collect();
    sort_words(&mut words);
    words
}

/// The values of the columns to predict, for all rows (N × outputs), each with mean 0 and deviation 1 over
/// the training rows; and the number of outputs: one of a column of numbers, one per word of a column of
/// words.
pub(crate) fn values(table: &Table, columns: &[usize], train: &[usize]) -> (Vec<f64>, usize) {
    let mut outputs: Vec<Vec<f64>> = vec![];
    let mut add = |raw: Vec<Option<f64>>| {
        let present: Vec<f64> = train.iter().filter_map(|&row| raw[row]).collect();
        let Units { centre, scale } = Units::of(&present);
        outputs.push(raw.into_iter().map(|y| y.map_or(0.0, |y| (y - centre) / scale)).collect());
    };
    for &at in columns {
        let column = &table.columns()[at];
        let cells = || (0..table.rows()).map(|row| table.cell(row, at));
        if column.kind == Kind::Number {
            add(cells().map(|cell| column.number(cell)).collect());
        } else {
            for word in words(table, at, train).into_iter().take(MOST_WORDS) {
                add(cells().map(|cell| Some(f64::from(u8::from(cell == word)))).collect());
            }
        }
    }
    let width = outputs.len().max(1);
    let rows = (0..table.rows()).flat_map(|row| outputs.iter().map(move |output| output[row]));
    (rows.collect(), width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_follows_from_others_is_explained_and_noise_is_not() {
        let mut random = crate::numeric::random::Random::new(1);
        let [a, b, noise] = [0; 3].map(|_| (0..500).map(|_| random.normal()).collect::<Vec<f64>>());
        let sum: Vec<f64> = a.iter().zip(&b).map(|(a, b)| (a + b) / 2.0f64.sqrt()).collect();
        let explained = explained(&[&a, &b, &noise, &sum]);
        assert!(explained[3] > 0.9 && explained[2] < 0.1, "{explained:?}");
        // A copy must not blow up.
        assert!(super::explained(&[&a, &a]).iter().all(|share| (0.9..1.0).contains(share)));
    }
}
