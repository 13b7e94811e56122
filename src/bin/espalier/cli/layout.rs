//! Text tables with aligned columns.

/// The alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// Rows under a header, with two spaces between columns and none at the end of a line.
pub fn table(header: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].0.chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let names: Vec<String> = header.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut text = String::new();
    for row in std::iter::once(&names).chain(rows) {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .zip(header)
            .map(|((cell, &width), (_, align))| match align {
                Align::Left => format!("{cell:<width$}"),
                Align::Right => format!("{cell:>width$}"),
            })
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// A score with as many digits as matter in a comparison.
pub fn score(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 || value.abs() >= 1e6 {
        format!("{value:.3e}")
    } else {
        format!("{value:.4}")
    }
}

/// A time in seconds.
pub fn seconds(value: f64) -> String {
    format!("{value:.2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [vec!["a".into(), "1".into()], vec!["größer".into(), "10".into()]];
        let text = table(&[("name", Align::Left), ("n", Align::Right)], &rows);
        assert_eq!(text, "name     n\na        1\ngrößer  10\n");
    }

    #[test]
    fn scores_keep_four_digits() {
        assert_eq!(
            [0.0, 0.98765, 12.5, 0.00001234, 2.5e7].map(score),
            ["0.0000", "0.9877", "12.5000", "1.234e-5", "2.500e7"]
        );
    }
}
