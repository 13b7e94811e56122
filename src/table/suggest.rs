//! Guesses which column is the target, and its task.

use super::{Column, Kind, Table};

/// Common names of targets.
const TARGET_NAMES: &[&str] = &[
    "target",
    "class",
    "label",
    "y",
    "outcome",
    "species",
    "survived",
    "diagnosis",
    "attrition",
    "churn",
    "churned",
    "default",
    "fraud",
];

/// A column of whole numbers with at most this many distinct values is probably a class code.
const CLASS_CODES: usize = 10;

/// A column of words with more distinct values than this is not a target.
const MOST_CLASSES: usize = 100;

/// A guess at target and task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The column's position.
    pub target: usize,
    /// `classification` or `regression`.
    pub task: &'static str,
}

impl Column {
    /// The task if this column were the target; `None` if it cannot be one.
    pub fn task(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Number if self.whole && self.distinct <= CLASS_CODES => Some("classification"),
            Kind::Number => Some("regression"),
            Kind::Category | Kind::YesNo if self.distinct <= MOST_CLASSES => Some("classification"),
            _ => None,
        }
    }
}

impl Table {
    /// Suggests the column named like a target, or else the last one that can be a target.
    pub fn suggestion(&self) -> Option<Suggestion> {
        let can = |position: &usize| self.columns()[*position].task().is_some();
        let named = |position: &usize| {
            TARGET_NAMES.contains(&self.columns()[*position].name.to_ascii_lowercase().as_str())
        };
        let positions = || (0..self.columns().len()).filter(can);
        let target = positions().rev().find(named).or_else(|| positions().next_back())?;
        let task = self.columns()[target].task().expect("only columns that pose a task are left");
        Some(Suggestion { target, task })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Overrides;
    use super::*;

    fn suggested(text: &str) -> Option<(String, &'static str)> {
        let table = Table::read(text.as_bytes(), &Overrides::default()).unwrap();
        table.suggestion().map(|found| (table.columns()[found.target].name.clone(), found.task))
    }

    #[test]
    fn the_target_is_named_or_last() {
        assert_eq!(suggested("Class,x\n0,1.5\n1,2.5\n"), Some(("Class".into(), "classification")));
        assert_eq!(suggested("a,b\n0.5,1.5\n1,2.5\n"), Some(("b".into(), "regression")));
        assert_eq!(suggested("a,b\nu,1\nv,1\n"), Some(("a".into(), "classification")));
        assert_eq!(suggested("a,b\n1,\n1,\n"), None);
    }
}
