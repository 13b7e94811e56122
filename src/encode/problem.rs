//! What to learn from a table: the target, the usable columns and the rows.

use super::Labels;
use crate::error::{Code, Error, Result, listed, quoted};
use crate::numeric::order::{sort_positions, sort_words};
use crate::table::{Column, Kind, Table};
use crate::tree::Target;

/// More classes than this cannot be drawn, explained or learned from a table that fits in a browser tab.
const MOST_CLASSES: usize = 100;

/// The kind of prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// The task that the target column suggests.
    Auto,
    /// A class.
    Classification,
    /// A number.
    Regression,
}

/// The user's choice of what to learn.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The target column's name.
    pub target: String,
    /// The task.
    pub task: Task,
    /// Columns that must not be used.
    pub ignore: Vec<String>,
    /// The positive class of two; it comes second in the output. `None` keeps the usual order.
    pub positive: Option<String>,
}

/// A checked problem, which later code can trust.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The target with its classes.
    pub target: Target,
    /// The target column's position.
    pub target_column: usize,
    /// Positions of the columns that may be used, in the file's order.
    pub columns: Vec<usize>,
    /// Rows whose target is present, in the file's order.
    pub rows: Vec<usize>,
    /// One label per row of `rows`.
    pub labels: Labels,
    /// Sentences for the user.
    pub warnings: Vec<String>,
}

impl Task {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Task::Auto => "auto",
            Task::Classification => "classification",
            Task::Regression => "regression",
        }
    }

    /// Parses the name of a task.
    pub fn parse(word: &str) -> Result<Task> {
        [Task::Auto, Task::Classification, Task::Regression]
            .into_iter()
            .find(|task| task.as_str() == word)
            .ok_or_else(|| {
                Error::new(
                    Code::BadTask,
                    format!("There is no task called {}.", quoted(word)),
                    "Choose auto, classification or regression; clustering is for train alone.",
                )
            })
    }
}

impl Problem {
    /// Finds the target, the usable columns and the rows with a target.
    pub fn new(table: &Table, selection: &Selection) -> Result<Problem> {
        let target_column = table.position(&selection.target)?;
        for name in &selection.ignore {
            table.position(name)?;
        }
        let column = &table.columns()[target_column];
        let rows: Vec<usize> =
            (0..table.rows()).filter(|&row| column.is_present(table.cell(row, target_column))).collect();
        if table.rows() == 0 {
            return Err(Error::new(
                Code::TooFewRows,
                "The file has a header line but no rows of data.",
                "Choose a file with at least two rows below the header.",
            ));
        }
        if rows.is_empty() {
            return Err(bad_target(
                column,
                "Every cell of the target is missing.",
                "Choose another target column.",
            ));
        }
        if rows.len() < 2 {
            return Err(Error::new(
                Code::TooFewRows,
                "Only 1 row of the file has a target, and a tree needs at least 2.",
                "Use a file with more rows.",
            ));
        }
        let (target, labels) = match task_of(column, selection.task)? {
            Task::Regression => values(table, target_column, &rows)?,
            _ => classes(table, target_column, &rows, selection.positive.as_deref())?,
        };
        let columns: Vec<usize> = (0..table.columns().len())
            .filter(|&at| at != target_column && table.columns()[at].usable())
            .filter(|&at| !selection.ignore.contains(&table.columns()[at].name))
            .collect();
        if columns.is_empty() {
            return Err(Error::new(
                Code::NoFeatures,
                "No column is left to learn from: apart from the target every column is ignored, constant, \
                 an identifier or free text.",
                "Use more columns, or choose number or category for a column that was read as something \
                 else.",
            ));
        }
        let warnings = match table.rows() - rows.len() {
            0 => vec![],
            1 => vec![format!("1 row is left out because its {} is missing.", quoted(&column.name))],
            left_out => {
                vec![format!(
                    "{left_out} rows are left out because their {} is missing.",
                    quoted(&column.name)
                )]
            }
        };
        Ok(Problem { target, target_column, columns, rows, labels, warnings })
    }
}

fn bad_target(column: &Column, message: &str, hint: &str) -> Error {
    Error::new(Code::BadTarget, message, hint).in_column(&column.name)
}

/// The requested task, or the one the column suggests.
fn task_of(column: &Column, asked: Task) -> Result<Task> {
    match (asked, column.kind, column.task()) {
        (Task::Regression, Kind::Number | Kind::Constant | Kind::Identifier, _)
        | (Task::Auto, _, Some("regression")) => Ok(Task::Regression),
        (Task::Regression, ..) => Err(Error::new(
            Code::BadTask,
            "Regression needs a target of numbers, and this column holds words.",
            "Choose classification, or another target.",
        )
        .in_column(&column.name)),
        _ => Ok(Task::Classification),
    }
}

/// Classes as the file spells them: numbers in ascending order, words in alphabetical order.
fn classes(table: &Table, at: usize, rows: &[usize], positive: Option<&str>) -> Result<(Target, Labels)> {
    let column = &table.columns()[at];
    let mut words: Vec<&str> = rows.iter().map(|&row| table.cell(row, at)).collect();
    sort_words(&mut words);
    if words.len() < 2 {
        let message = format!("Every row has the same class, {}.", quoted(words[0]));
        return Err(bad_target(
            column,
            &message,
            "A tree needs at least two classes: choose another target column.",
        ));
    }
    if words.len() > MOST_CLASSES {
        let message = format!(
            "The target has {} different values, more than the {MOST_CLASSES} classes a tree can tell apart.",
            words.len()
        );
        return Err(bad_target(
            column,
            &message,
            "Choose regression if it is a number, or another target column.",
        ));
    }
    // `order[code]` is the word of a class and `code_of[word]` its inverse; words are found by their
    // alphabetical position.
    let mut order: Vec<usize> = (0..words.len()).collect();
    let numbers: Option<Vec<f64>> = words.iter().map(|word| column.number(word)).collect();
    if let Some(numbers) = numbers {
        sort_positions(&mut order, &|a, b| numbers[a].total_cmp(&numbers[b]));
    }
    if let Some(positive) = positive {
        if words.len() != 2 || !words.contains(&positive) {
            let message = format!("{} cannot be the positive class.", quoted(positive));
            let hint =
                format!("Choose one of two classes; the target has {}.", listed(words.iter().copied()));
            return Err(bad_target(column, &message, &hint));
        }
        if words[order[0]] == positive {
            order.swap(0, 1);
        }
    }
    let mut code_of = vec![0; words.len()];
    order.iter().zip(0..).for_each(|(&word, code)| code_of[word] = code);
    let place = |word: &str| words.binary_search(&word).expect("every word was listed");
    let label = rows.iter().map(|&row| code_of[place(table.cell(row, at))]).collect();
    let classes = order.iter().map(|&word| words[word].to_owned()).collect();
    let labels = Labels::Classes { label, classes: words.len() };
    Ok((Target::Classes { name: column.name.clone(), classes }, labels))
}

fn values(table: &Table, at: usize, rows: &[usize]) -> Result<(Target, Labels)> {
    let column = &table.columns()[at];
    let values: Vec<f64> = rows.iter().filter_map(|&row| column.number(table.cell(row, at))).collect();
    if values.len() != rows.len() {
        return Err(bad_target(
            column,
            "Not every cell of the target is a number.",
            "Choose classification instead.",
        ));
    }
    if values.iter().all(|&value| value == values[0]) {
        let message = format!("Every row has the same value, {}.", values[0]);
        return Err(bad_target(column, &message, "There is nothing to learn: choose another target column."));
    }
    Ok((Target::Value { name: column.name.clone() }, Labels::Values(values)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Overrides;

    fn problem(text: &str, target: &str, task: Task, ignore: &[&str]) -> Result<Problem> {
        let table = Table::read(text.as_bytes(), &Overrides::default())?;
        let ignore = ignore.iter().map(|&name| name.to_owned()).collect();
        Problem::new(&table, &Selection { target: target.into(), task, ignore, positive: None })
    }

    #[test]
    fn classes_are_ordered_and_rows_without_target_left_out() {
        let found = problem("x,y\n1,10\n2,9\n3,\n4,10\n", "y", Task::Auto, &[]).unwrap();
        assert_eq!(found.target.classes(), ["9", "10"]);
        assert_eq!(found.labels, Labels::Classes { label: vec![1, 0, 1], classes: 2 });
        assert_eq!(found.rows, [0, 1, 3]);
        assert_eq!(found.warnings, ["1 row is left out because its \"y\" is missing."]);
    }

    #[test]
    fn the_positive_class_comes_second() {
        let table = Table::read(b"x,y\n1,no\n2,yes\n3,no\n", &Overrides::default()).unwrap();
        let ask = |positive: &str| {
            let selection = Selection {
                target: "y".into(),
                task: Task::Auto,
                ignore: vec![],
                positive: Some(positive.into()),
            };
            Problem::new(&table, &selection)
        };
        assert_eq!(ask("yes").unwrap().target.classes(), ["no", "yes"]);
        let turned = ask("no").unwrap();
        assert_eq!(turned.target.classes(), ["yes", "no"]);
        assert_eq!(turned.labels, Labels::Classes { label: vec![1, 0, 1], classes: 2 });
        assert_eq!(ask("maybe").unwrap_err().code, Code::BadTarget);
    }

    #[test]
    fn numbers_can_be_values_or_classes() {
        let text = "x,y\n1,1\n2,2\n3,3\n";
        assert_eq!(
            problem(text, "y", Task::Regression, &[]).unwrap().labels,
            Labels::Values(vec![1.0, 2.0, 3.0])
        );
        assert!(matches!(
            problem(text, "y", Task::Auto, &[]).unwrap().labels,
            Labels::Classes { classes: 3, .. }
        ));
    }

    #[test]
    fn what_cannot_be_learned_is_refused() {
        let check = |text: &str, target: &str, task, ignore: &[&str], code| {
            let error = problem(text, target, task, ignore).unwrap_err();
            assert_eq!(error.code, code, "{error}");
        };
        let text = "x,y,w\n1,a,p\n2,b,p\n";
        check(text, "z", Task::Auto, &[], Code::UnknownColumn);
        check(text, "y", Task::Auto, &["z"], Code::UnknownColumn);
        check(text, "y", Task::Auto, &["x"], Code::NoFeatures);
        check(text, "w", Task::Auto, &[], Code::BadTarget);
        check(text, "y", Task::Regression, &[], Code::BadTask);
        check("x,y\n1,?\n2,\n", "y", Task::Auto, &[], Code::BadTarget);
        check("x,y\n1,a\n2,\n", "y", Task::Auto, &[], Code::TooFewRows);
        check("x,y\n1,4\n2,4\n", "y", Task::Regression, &[], Code::BadTarget);
        assert_eq!(Task::parse("clustering?").unwrap_err().code, Code::BadTask);
    }
}
