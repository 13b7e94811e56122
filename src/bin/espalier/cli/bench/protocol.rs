//! How rows are split and scored.

use espalier::encode::{Labels, Parts, Shares, Task};
use espalier::error::{Code, Error};
use espalier::run::Rule;

/// The rows that are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Judge {
    /// The test rows.
    Test,
    /// A part of the non-test rows, which are split again by the same protocol: the test rows stay unseen.
    Valid,
}

/// A task's protocol.
#[derive(Debug, Clone)]
pub struct Protocol {
    /// Classification or regression.
    pub task: Task,
    judge: Judge,
    /// The main score.
    pub metric: &'static str,
    /// The answer rule of the models.
    pub answers: Rule,
    shares: Shares,
}

impl Protocol {
    /// The protocol of a task.
    pub fn new(task: &str, judge: Judge, answers: Rule) -> Result<Protocol, Error> {
        match Task::parse(task) {
            Ok(Task::Classification) => Ok(Protocol {
                task: Task::Classification,
                judge,
                metric: "macro_f1",
                answers,
                shares: Shares { test: 0.2, valid: 0.2 },
            }),
            // A fifth of the remaining three quarters is for validation.
            Ok(Task::Regression) => {
                let shares = Shares { test: 0.25, valid: 0.15 };
                Ok(Protocol { task: Task::Regression, judge, metric: "r2", answers, shares })
            }
            _ => Err(Error::new(
                Code::BadTask,
                format!("There is no benchmark for the task {task}."),
                "Choose classification, regression or clustering.",
            )),
        }
    }

    /// The split of a seed. All models of a seed get the same one.
    pub fn parts(&self, labels: &Labels, seed: u32) -> Result<Parts, Error> {
        let outer = Parts::draw(labels, self.shares, u64::from(seed))?;
        if self.judge == Judge::Test {
            return Ok(outer);
        }
        let rows = outer.train_and_valid();
        let inner = Parts::draw(&labels.select(&rows), self.shares, u64::from(seed))?;
        let back = |part: Vec<usize>| part.into_iter().map(|at| rows[at]).collect();
        Ok(Parts { train: back(inner.train), valid: back(inner.valid), test: back(inner.test) })
    }

    /// Describes the protocol.
    pub fn words(&self) -> String {
        let Shares { test, valid } = self.shares;
        let percent = |share: f64| (share * 100.0).round();
        let rows = match self.judge {
            Judge::Test => "of all rows",
            Judge::Valid => "of the rows that are not for the test, which is not touched,",
        };
        format!(
            "random{}, {} % {rows} to score {} on and {} % for validation; \
             learners without validation train on both{}",
            if self.task == Task::Classification { " and stratified by class" } else { "" },
            percent(test),
            self.metric,
            percent(valid),
            if self.task == Task::Classification {
                format!("; answers {}", self.answers.as_str())
            } else {
                String::new()
            }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judging_on_validation_never_sees_a_test_row() {
        let labels = Labels::Classes { label: (0..200).map(|i| i % 3).collect(), classes: 3 };
        for seed in 0..5 {
            let parts = |judge| {
                Protocol::new("classification", judge, Rule::Auto).unwrap().parts(&labels, seed).unwrap()
            };
            let (outer, inner) = (parts(Judge::Test), parts(Judge::Valid));
            let mut used = [inner.train.as_slice(), &inner.valid, &inner.test].concat();
            used.sort_unstable();
            assert_eq!(used, outer.train_and_valid());
            assert_eq!((outer.test.len(), inner.test.len(), inner.valid.len()), (40, 32, 32));
        }
    }
}
