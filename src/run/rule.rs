//! The answer rule that was asked for, and the [`Decision`] that it is for the classes of a target.

use crate::encode::{Parts, Problem, has_rare_class};
use crate::error::{Code, Error, Result, listed, quoted};
use crate::tree::{Decision, Target};

/// Which class trees answer, as the user asks for it.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Rule {
    /// Balanced where a class is rare, as GradTree's authors rebalance; likeliest elsewhere.
    #[default]
    Auto,
    /// The class with the largest share.
    Likeliest,
    /// Every class counts equally.
    Balanced,
    /// The class with the least expected cost.
    Costs(Costs),
}

/// What wrong answers cost.
#[derive(Debug, Clone, PartialEq)]
pub enum Costs {
    /// A row per true class and a column per answer, in the order of the classes. A row of one number is what
    /// every mistake with its class costs.
    Matrix(Vec<Vec<f64>>),
    /// True class, answer and cost. A mistake that is not named costs 1, a right answer nothing.
    Named(Vec<(String, String, f64)>),
}

impl Rule {
    /// `auto`, `likeliest`, `balanced`, or `costs:` with a matrix (`0,1;5,0`, a row per true class), with a
    /// number per true class (`1;5`, what any mistake with it costs) or with named mistakes
    /// (`yes>no=5;no>yes=1`, true class first).
    pub fn parse(text: &str) -> Result<Rule> {
        match text {
            "auto" => Ok(Rule::Auto),
            "likeliest" => Ok(Rule::Likeliest),
            "balanced" => Ok(Rule::Balanced),
            _ => match text.strip_prefix("costs:") {
                Some(costs) => Costs::parse(costs).map(Rule::Costs),
                None => Err(bad(
                    format!("There is no answer rule called {}.", quoted(text)),
                    "Choose auto, likeliest, balanced or costs:…, for instance costs:yes>no=5;no>yes=1.",
                )),
            },
        }
    }

    /// The word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Rule::Auto => "auto",
            Rule::Likeliest => "likeliest",
            Rule::Balanced => "balanced",
            Rule::Costs(_) => "costs",
        }
    }

    /// The decision for a problem: by the training rows of its parts.
    pub fn decide_for(&self, problem: &Problem, parts: &Parts) -> Result<Decision> {
        self.decide(&problem.target, &problem.labels.select(&parts.train).counts())
    }

    /// The decision for a target, given the training rows of each class. Numbers have no classes to choose
    /// from.
    pub(crate) fn decide(&self, target: &Target, counts: &[usize]) -> Result<Decision> {
        let classes = target.classes();
        if classes.is_empty() {
            return match self {
                Rule::Auto => Ok(Decision::Likeliest),
                other => Err(bad(
                    format!("The answer rule {} is for classes, but the target is a number.", other.as_str()),
                    "Leave the answer rule at auto, or predict the target as classes.",
                )),
            };
        }
        Ok(match self {
            Rule::Auto if has_rare_class(counts) => Decision::balanced(counts),
            Rule::Auto | Rule::Likeliest => Decision::Likeliest,
            Rule::Balanced => Decision::balanced(counts),
            Rule::Costs(costs) => Decision::Costs { costs: costs.matrix(classes)? },
        })
    }
}

impl Costs {
    /// Reads a matrix or named mistakes: see [`Rule::parse`].
    pub(crate) fn parse(text: &str) -> Result<Costs> {
        let parts: Vec<&str> = text.split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
        if parts.is_empty() {
            return Err(bad("There are no costs.".into(), "Write for instance costs:yes>no=5;no>yes=1."));
        }
        if parts.iter().all(|part| part.contains('=')) {
            return parts.into_iter().map(named).collect::<Result<_>>().map(Costs::Named);
        }
        let row =
            |part: &str| part.split(',').map(|cell| cost(cell.trim(), "")).collect::<Result<Vec<f64>>>();
        parts.into_iter().map(row).collect::<Result<_>>().map(Costs::Matrix)
    }

    /// Reads a CSV table, which only the command line takes: the first line names the answers, the first cell
    /// of every further line its true class.
    #[cfg(any(test, not(target_arch = "wasm32")))]
    pub fn from_csv(text: &str) -> Result<Costs> {
        let mut lines =
            csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(text.as_bytes());
        let lines: Vec<csv::StringRecord> = lines.records().filter_map(|line| line.ok()).collect();
        let Some((head, lines)) = lines.split_first() else {
            return Err(bad("The file of costs is empty.".into(), SHAPE));
        };
        if lines.len() + 1 != head.len() {
            let what = format!(
                "The costs are not square: {} true classes, {} answers.",
                lines.len(),
                head.len() - 1
            );
            return Err(bad(what, SHAPE));
        }
        let mut named = vec![];
        for (at, line) in lines.iter().enumerate() {
            if line.len() != head.len() {
                let what = format!("There are {} cells where {} belong.", line.len(), head.len());
                return Err(bad(what, SHAPE).at_line(at as u64 + 2));
            }
            for (answer, cell) in head.iter().zip(line.iter()).skip(1) {
                let cost = cost(cell.trim(), "").map_err(|error| error.at_line(at as u64 + 2))?;
                named.push((line[0].trim().to_owned(), answer.trim().to_owned(), cost));
            }
        }
        Ok(Costs::Named(named))
    }

    /// `costs[truth][answer]` for these classes.
    fn matrix(&self, classes: &[String]) -> Result<Vec<Vec<f64>>> {
        let count = classes.len();
        let costs = match self {
            Costs::Matrix(rows) => {
                let each = rows.len() > 1 && rows.iter().all(|row| row.len() == 1);
                if let Some(row) = rows.iter().find(|row| !each && row.len() != rows.len()) {
                    let what = format!(
                        "The costs are not square: {} rows, one of {} numbers.",
                        rows.len(),
                        row.len()
                    );
                    return Err(bad(what, "Give a row per true class and a number per answer in it."));
                }
                if rows.len() != count {
                    let what =
                        format!("The costs are for {} classes, but the target has {count}.", rows.len());
                    return Err(bad(
                        what,
                        format!(
                            "The classes are {}, in this order.",
                            listed(classes.iter().map(String::as_str))
                        ),
                    ));
                }
                let cost = |truth: usize, answer: usize| match (each, truth == answer) {
                    (false, _) => rows[truth][answer],
                    (true, true) => 0.0,
                    (true, false) => rows[truth][0],
                };
                (0..count).map(|truth| (0..count).map(|answer| cost(truth, answer)).collect()).collect()
            }
            Costs::Named(named) => {
                let mut costs: Vec<Vec<f64>> = (0..count)
                    .map(|truth| (0..count).map(|answer| f64::from(truth != answer)).collect())
                    .collect();
                let place = |name: &str| {
                    classes.iter().position(|class| class == name).ok_or_else(|| {
                        let what =
                            format!("The costs name {}, which is no class of the target.", quoted(name));
                        bad(what, format!("The classes are {}.", listed(classes.iter().map(String::as_str))))
                    })
                };
                for (truth, answer, cost) in named {
                    costs[place(truth)?][place(answer)?] = *cost;
                }
                costs
            }
        };
        if costs.iter().flatten().all(|&cost| cost == 0.0) {
            return Err(bad(
                "All costs are zero, so every answer is as good.".into(),
                "Give a mistake a cost above 0.",
            ));
        }
        Ok(costs)
    }
}

#[cfg(any(test, not(target_arch = "wasm32")))]
const SHAPE: &str = "Name the answers in the first line and the true class first in every further line, a \
                     cost in every other cell.";

/// `yes>no=5`.
fn named(text: &str) -> Result<(String, String, f64)> {
    let wrong = || {
        let what = format!("{} is not a cost.", quoted(text));
        bad(what, "Write the true class, the answer and the cost, for instance yes>no=5.")
    };
    let (names, number) = text.rsplit_once('=').ok_or_else(wrong)?;
    let (truth, answer) = names.split_once('>').ok_or_else(wrong)?;
    let (truth, answer) = (truth.trim(), answer.trim());
    if truth.is_empty() || answer.is_empty() {
        return Err(wrong());
    }
    Ok((truth.to_owned(), answer.to_owned(), cost(number.trim(), &format!(" of {names}"))?))
}

fn cost(text: &str, of: &str) -> Result<f64> {
    match text.parse::<f64>() {
        Ok(cost) if cost.is_finite() && cost >= 0.0 => Ok(cost),
        Ok(_) => Err(bad(format!("The cost{of} is {text}."), "A cost is a number from 0 on.")),
        Err(_) => Err(bad(
            format!("The cost{of} is {}, which is no number.", quoted(text)),
            "A cost is a number from 0 on.",
        )),
    }
}

fn bad(what: String, hint: impl Into<String>) -> Error {
    Error::new(Code::BadValue, what, hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(classes: &[&str]) -> Target {
        Target::Classes { name: "y".into(), classes: classes.iter().map(|&class| class.into()).collect() }
    }

    fn decided(rule: &str, classes: &[&str], counts: &[usize]) -> Result<Decision> {
        Rule::parse(rule)?.decide(&target(classes), counts)
    }

    #[test]
    fn auto_balances_where_a_class_is_rare() {
        assert_eq!(decided("auto", &["no", "yes"], &[60, 40]).unwrap(), Decision::Likeliest);
        assert_eq!(decided("auto", &["no", "yes"], &[75, 25]).unwrap().as_str(), "balanced");
        // With three classes the bound is an eighth.
        assert_eq!(decided("auto", &["a", "b", "c"], &[50, 37, 13]).unwrap(), Decision::Likeliest);
        assert_eq!(decided("auto", &["a", "b", "c"], &[50, 38, 12]).unwrap().as_str(), "balanced");
        let number = Target::Value { name: "y".into() };
        assert_eq!(Rule::Auto.decide(&number, &[]).unwrap(), Decision::Likeliest);
        assert!(Rule::Balanced.decide(&number, &[]).unwrap_err().message.contains("number"));
    }

    #[test]
    fn costs_are_read_as_a_matrix_by_name_and_from_a_table() {
        let expected = Decision::Costs { costs: vec![vec![0.0, 1.0], vec![5.0, 0.0]] };
        for rule in ["costs:0,1;5,0", "costs:1;5", "costs: yes > no = 5", "costs:yes>no=5;no>yes=1"] {
            assert_eq!(decided(rule, &["no", "yes"], &[1, 1]).unwrap(), expected, "{rule}");
        }
        let table = Costs::from_csv(",yes,no\nyes,0,5\nno,1,0\n").unwrap();
        assert_eq!(Rule::Costs(table).decide(&target(&["no", "yes"]), &[1, 1]).unwrap(), expected);
    }

    #[test]
    fn bad_costs_say_what_is_wrong() {
        for (rule, word) in [
            ("costs:0,1;5", "square"),
            ("costs:0,1,2;1,0,2;1,2,0", "3 classes"),
            ("costs:1;2;3", "3 classes"),
            ("costs:0;0", "zero"),
            ("costs:0,0;0,0", "zero"),
            ("costs:0,-1;5,0", "-1"),
            ("costs:0,x;5,0", "no number"),
            ("costs:maybe>no=2", "maybe"),
            ("costs:yes>no=-2", "-2"),
            ("costs:yes=2", "not a cost"),
            ("costs:", "no costs"),
            ("cheapest", "cheapest"),
        ] {
            let error = decided(rule, &["no", "yes"], &[1, 1]).unwrap_err();
            assert!(error.message.contains(word) && !error.hint.is_empty(), "{rule}: {error}");
        }
        for (table, word) in [
            ("", "empty"),
            (",a,b\na,0,1\n", "square"),
            (",a,b\na,0\nb,1,0\n", "cells"),
            (",a,b\na,0,?\nb,1,0\n", "no number"),
        ] {
            let error = Costs::from_csv(table).unwrap_err();
            assert!(error.message.contains(word), "{table}: {error}");
        }
    }
}
