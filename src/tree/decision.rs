//! The answer rule (in textbooks, the decision rule): which class to predict, given the probability of each.
//!
//! Probabilities are shares of real rows and belong to the tree. The rule belongs to the experiment: all
//! trees in a comparison use the same one.

use crate::numeric::order::first_largest;

/// An answer rule for the classes of one target.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Decision {
    /// The most probable class.
    #[default]
    Likeliest,
    /// The most probable class after weighting, so that every class counts equally.
    Balanced {
        /// The inverse of each class's share of the training rows, divided by the number of classes; 0 for a
        /// class without rows.
        weights: Vec<f64>,
    },
    /// The class with the lowest expected cost.
    Costs {
        /// `costs[truth][answer]`, in class order.
        costs: Vec<Vec<f64>>,
    },
}

impl Decision {
    /// The rule in which every class counts equally, given the training rows per class.
    pub(crate) fn balanced(counts: &[usize]) -> Decision {
        let rows = counts.iter().sum::<usize>() as f64;
        let occurring = counts.iter().filter(|&&count| count > 0).count() as f64;
        let weight = |&count: &usize| if count > 0 { rows / (occurring * count as f64) } else { 0.0 };
        Decision::Balanced { weights: counts.iter().map(weight).collect() }
    }

    /// The rule's name in files, reports and settings.
    pub fn as_str(&self) -> &'static str {
        match self {
            Decision::Likeliest => "likeliest",
            Decision::Balanced { .. } => "balanced",
            Decision::Costs { .. } => "costs",
        }
    }

    /// The predicted class; ties go to the first.
    pub(crate) fn class(&self, probabilities: &[f64]) -> usize {
        match self {
            Decision::Likeliest => first_largest(probabilities),
            Decision::Balanced { weights } => {
                let weighted: Vec<f64> =
                    probabilities.iter().zip(weights).map(|(p, weight)| p * weight).collect();
                first_largest(&weighted)
            }
            Decision::Costs { costs } => {
                let spared = |answer: usize| -> f64 {
                    -probabilities.iter().zip(costs).map(|(p, row)| p * row[answer]).sum::<f64>()
                };
                let spared: Vec<f64> = (0..probabilities.len()).map(spared).collect();
                first_largest(&spared)
            }
        }
    }

    /// For two classes: the probability of the second above which it is predicted. `None` for more classes,
    /// and if the costs always give the same answer.
    pub fn threshold(&self) -> Option<f64> {
        match self {
            Decision::Likeliest => Some(0.5),
            Decision::Balanced { weights } => match weights[..] {
                [first, second] if first + second > 0.0 => Some(first / (first + second)),
                _ => None,
            },
            Decision::Costs { costs } => match &costs[..] {
                [first, second] => {
                    // How much more a wrong answer costs than the right one, by true class.
                    let (alarm, miss) = (first[1] - first[0], second[0] - second[1]);
                    (alarm >= 0.0 && miss >= 0.0 && alarm + miss > 0.0).then(|| alarm / (alarm + miss))
                }
                _ => None,
            },
        }
    }

    /// The rule's meaning, as the end of a sentence.
    pub(crate) fn meaning(&self) -> &'static str {
        match self {
            Decision::Likeliest => "right answers count",
            Decision::Balanced { .. } => "every class counts equally",
            Decision::Costs { .. } => "costs decide",
        }
    }

    /// The metric for comparing trees under this rule.
    pub fn metric(&self) -> &'static str {
        match self {
            Decision::Likeliest => "accuracy",
            Decision::Balanced { .. } => "balanced_accuracy",
            Decision::Costs { .. } => "cost",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeliest_takes_the_first_of_equals() {
        assert_eq!(Decision::Likeliest.class(&[0.2, 0.4, 0.4]), 1);
    }

    #[test]
    fn balanced_answers_a_rare_class_from_its_own_share_on() {
        let rule = Decision::balanced(&[780, 220]);
        assert!((rule.threshold().unwrap() - 0.22).abs() < 1e-12);
        assert_eq!(rule.class(&[0.79, 0.21]), 0);
        assert_eq!(rule.class(&[0.77, 0.23]), 1);
        // With equally frequent classes it is the most probable class; a class without rows is never
        // predicted.
        assert_eq!(Decision::balanced(&[5, 5]).class(&[0.5, 0.5]), 0);
        assert_eq!(Decision::balanced(&[4, 0, 4]).class(&[0.3, 0.4, 0.3]), 0);
    }

    #[test]
    fn costs_answer_what_costs_least() {
        // Missing the second class costs four times as much as a false alarm.
        let rule = Decision::Costs { costs: vec![vec![0.0, 1.0], vec![4.0, 0.0]] };
        assert!((rule.threshold().unwrap() - 0.2).abs() < 1e-12);
        assert_eq!((rule.class(&[0.81, 0.19]), rule.class(&[0.79, 0.21])), (0, 1));
        let three =
            Decision::Costs { costs: vec![vec![0.0, 1.0, 1.0], vec![1.0, 0.0, 1.0], vec![9.0, 1.0, 0.0]] };
        assert_eq!(three.class(&[0.5, 0.3, 0.2]), 1, "expected costs are 2.1, 0.7 and 0.8");
        assert_eq!(three.threshold(), None);
    }

    #[test]
    fn costs_without_a_choice_have_no_threshold() {
        // The second class is the cheaper answer, whatever the truth.
        let rule = Decision::Costs { costs: vec![vec![2.0, 1.0], vec![3.0, 0.0]] };
        assert_eq!((rule.threshold(), rule.class(&[1.0, 0.0])), (None, 1));
    }
}
