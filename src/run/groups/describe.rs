//! What distinguishes the rows of a branch, in the file's words: the columns with the largest standardised
//! difference.

use crate::learn::relaxed::paper::samples::Units;
use crate::numeric::order::{sort_positions, sort_words};
use crate::table::{Kind, Table};

/// Lines per node, at most.
const LINES: usize = 3;

/// Differences below this many deviations are not worth a line.
const LEAST: f64 = 0.3;

/// Words of a column that are looked at, at most.
const MOST_WORDS: usize = 50;

/// Something that can differ: a number per row, and how it is said.
struct Trait {
    values: Vec<Option<f64>>,
    column: String,
    word: Option<String>,
}

/// Lines for each node, given the rows of each.
pub(crate) fn nodes(table: &Table, columns: &[usize], rows: &[Vec<usize>]) -> Vec<Vec<String>> {
    let traits: Vec<Trait> = columns.iter().flat_map(|&at| traits(table, at)).collect();
    let spread: Vec<f64> = traits
        .iter()
        .map(|one| Units::of(&one.values.iter().flatten().copied().collect::<Vec<f64>>()).scale)
        .collect();
    rows.iter()
        .map(|inside| {
            let mut is_inside = vec![false; table.rows()];
            inside.iter().for_each(|&row| is_inside[row] = true);
            let means: Vec<Option<[f64; 2]>> = traits.iter().map(|one| one.means(&is_inside)).collect();
            let difference =
                |at: usize| means[at].map_or(0.0, |[here, there]| ((here - there) / spread[at]).abs());
            let mut order: Vec<usize> = (0..traits.len()).filter(|&at| difference(at) >= LEAST).collect();
            sort_positions(&mut order, &|a, b| difference(b).total_cmp(&difference(a)));
            let mut lines: Vec<String> = vec![];
            let mut said: Vec<&str> = vec![];
            for at in order {
                // Several words of one column say much the same.
                if lines.len() < LINES && !said.contains(&traits[at].column.as_str()) {
                    said.push(&traits[at].column);
                    lines.extend(means[at].map(|means| traits[at].line(means)));
                }
            }
            lines
        })
        .collect()
}

fn traits(table: &Table, at: usize) -> Vec<Trait> {
    let column = &table.columns()[at];
    let cells = || (0..table.rows()).map(|row| table.cell(row, at));
    let name = column.name.clone();
    if column.kind == Kind::Number {
        let values = cells().map(|cell| column.number(cell)).collect();
        return vec![Trait { values, column: name, word: None }];
    }
    let mut words: Vec<&str> = cells().filter(|cell| !column.is_missing(cell)).collect();
    sort_words(&mut words);
    if words.len() > MOST_WORDS {
        return vec![];
    }
    let one = |word: &str| Trait {
        values: cells().map(|cell| Some(f64::from(u8::from(cell == word)))).collect(),
        column: name.clone(),
        word: Some(word.to_owned()),
    };
    words.into_iter().map(one).collect()
}

impl Trait {
    /// Means inside and outside; none where either has no value.
    fn means(&self, is_inside: &[bool]) -> Option<[f64; 2]> {
        let mut sums = [(0.0, 0.0); 2];
        for (value, &inside) in self.values.iter().zip(is_inside) {
            if let Some(value) = value {
                let sum = &mut sums[usize::from(!inside)];
                *sum = (sum.0 + value, sum.1 + 1.0);
            }
        }
        sums.iter().all(|sum| sum.1 > 0.0).then(|| sums.map(|(sum, count)| sum / count))
    }

    fn line(&self, [here, there]: [f64; 2]) -> String {
        match &self.word {
            Some(word) => {
                format!(
                    "{} is {word} in {:.0} %, elsewhere in {:.0} %",
                    self.column,
                    100.0 * here,
                    100.0 * there
                )
            }
            None => {
                let side = if here > there { "higher" } else { "lower" };
                let digits = digits(here - there);
                format!(
                    "{} {side}: {} on average, elsewhere {}",
                    self.column,
                    short(here, digits),
                    short(there, digits)
                )
            }
        }
    }
}

/// Digits behind the point that show a difference by its first two.
fn digits(difference: f64) -> usize {
    let mut digits = 0;
    let mut size = difference.abs();
    while size < 10.0 && digits < 8 {
        size *= 10.0;
        digits += 1;
    }
    digits
}

fn short(value: f64, digits: usize) -> String {
    let size = value.abs();
    if size >= 1e9 || (digits >= 8 && size < 1e-6 && size > 0.0) {
        return format!("{value:.2e}");
    }
    let text = format!("{value:.digits$}");
    // What rounds to 0 has no sign.
    if text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.')) { text.replace('-', "") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_means_are_told_apart_by_their_digits() {
        let line = |here: f64, there: f64| {
            Trait { values: vec![], column: "RI".into(), word: None }.line([here, there])
        };
        assert_eq!(line(1.52041, 1.51812), "RI higher: 1.5204 on average, elsewhere 1.5181");
        assert_eq!(line(120.0, 350.4), "RI lower: 120 on average, elsewhere 350");
        assert_eq!(line(-0.02, 15.0), "RI lower: 0 on average, elsewhere 15", "what rounds to 0 has no sign");
        assert_eq!(line(3e-10, 1e-9), "RI lower: 3.00e-10 on average, elsewhere 1.00e-9");
    }
}
