//! The answer rule of a run: why it is what it is, what a constant answer would score, and another rule for
//! finished trees.

use super::evaluate::score;
use super::{Aim, Fitted, Rule, Run};
use crate::encode::{Labels, has_rare_class};
use crate::error::{Result, quoted};
use crate::export::words::percent;
use crate::metrics::{Scores, classification_of};
use crate::numeric::order::first_largest;
use crate::tree::Decision;

/// An answer that looks at no column.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// The class that it answers to every row.
    pub class: String,
    /// Its scores on the test rows.
    pub scores: Scores,
}

impl Run {
    /// What the answer rule is for the classes of the target.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// Applies another answer rule to every tree of this run. No tree changes, since no learner depends on
    /// the rule: only answers and their scores do.
    pub(crate) fn decide(&mut self, answers: Rule) -> Result<()> {
        self.decision = answers.decide_for(&self.problem, &self.parts)?;
        if let Aim::Target { answers: rule, .. } = &mut self.settings.aim {
            *rule = answers;
        }
        if let Some(mut baseline) = self.baseline.take() {
            baseline.model.decision = self.decision.clone();
            self.score_again(&mut baseline);
            self.baseline = Some(baseline);
        }
        Ok(())
    }

    /// Scores the greedy tree anew, on the parts that it has scores of.
    fn score_again(&self, baseline: &mut Fitted) {
        for (part, scores) in &mut baseline.metrics {
            let rows = match *part {
                "train" => self.parts.train_and_valid(),
                "test" => self.parts.test.clone(),
                _ => vec![],
            };
            let rows = self.rows_of(&baseline.model, &rows);
            *scores = score(&baseline.model, rows.values(), &rows.labels);
        }
    }

    /// Which class trees answer and why, as a sentence; none for numbers.
    pub fn rule_sentence(&self) -> Option<String> {
        let classes = self.problem.target.classes();
        if classes.is_empty() {
            return None;
        }
        let counts = self.training_counts();
        let rarest =
            (0..counts.len()).filter(|&class| counts[class] > 0).min_by_key(|&class| counts[class])?;
        let share = percent(counts[rarest] as f64 / counts.iter().sum::<usize>() as f64);
        let rare =
            format!("{}, the rarest class, has {share} of the training rows", quoted(&classes[rarest]));
        let Aim::Target { answers, .. } = &self.settings.aim else { return None };
        Some(match (answers, &self.decision) {
            (Rule::Auto, Decision::Balanced { .. }) => format!("Every class counts equally, because {rare}."),
            (Rule::Auto, _) => "Right answers count: no class is rare.".into(),
            (_, Decision::Likeliest) if has_rare_class(&counts) => {
                format!("Right answers count, although {rare}.")
            }
            (_, Decision::Likeliest) => "Right answers count.".into(),
            (_, Decision::Balanced { .. }) => "Every class counts equally.".into(),
            (_, Decision::Costs { .. }) => "Answers are those of least expected cost.".into(),
        })
    }

    /// The best answer that looks at no column: the most frequent class of the training rows, or under costs
    /// the cheapest. None for numbers and without test rows.
    pub fn constant(&self) -> Option<Constant> {
        let classes = self.problem.target.classes();
        let labels = self.problem.labels.select(&self.parts.test);
        let Labels::Classes { label, .. } = &labels else { return None };
        if label.is_empty() {
            return None;
        }
        let counts = self.training_counts();
        let rows = counts.iter().sum::<usize>().max(1) as f64;
        let shares: Vec<f64> = counts.iter().map(|&count| count as f64 / rows).collect();
        // Where every class counts equally each constant is as good; the most frequent one is what people
        // compare with.
        let class = match &self.decision {
            Decision::Balanced { .. } => first_largest(&shares),
            other => other.class(&shares),
        };
        let scores =
            classification_of(label, &vec![shares; label.len()], &vec![class; label.len()], &self.decision);
        Some(Constant { class: classes[class].clone(), scores })
    }

    /// Training rows of each class.
    fn training_counts(&self) -> Vec<usize> {
        self.problem.labels.select(&self.parts.train).counts()
    }
}
