//! Conclusions from the scores over all datasets: pairs of models, ranks, and a sentence.

use espalier::metrics::statistics::{self, friedman, holm, wilcoxon};
use serde::Serialize;

use super::super::layout::{self, Align};
use super::results::{Results, mean};

/// A difference is significant below this p value.
const LEVEL: f64 = 0.05;

/// Tests over the datasets on which every model has a score.
#[derive(Debug, Serialize)]
pub struct Statistics {
    /// Number of these datasets.
    pub datasets: usize,
    /// Every pair of models.
    pub pairs: Vec<Pair>,
    /// All models together.
    pub friedman: Option<Friedman>,
}

/// Two models, compared by their mean scores over the seeds of each dataset.
#[derive(Debug, Serialize)]
pub struct Pair {
    pub first: String,
    pub second: String,
    /// Datasets on which the first scores higher, lower, or the same.
    pub wins: usize,
    pub losses: usize,
    pub ties: usize,
    /// The mean over the datasets of the first score minus the second.
    pub mean_difference: f64,
    /// The sample standard deviation of the differences; `None` for a single dataset.
    pub deviation: Option<f64>,
    /// The paired signed-rank test; `None` if no scores differ.
    pub wilcoxon: Option<Wilcoxon>,
}

/// Wilcoxon's signed-rank test.
#[derive(Debug, Serialize)]
pub struct Wilcoxon {
    /// Datasets with a difference that is not zero.
    pub pairs: usize,
    pub statistic: f64,
    /// Whether the ranks favour the first model. The mean difference may favour the other one, by a single
    /// dataset.
    pub first_ahead: bool,
    pub p: f64,
    /// The p value adjusted for all pairs of models (Holm).
    pub p_holm: f64,
    /// Whether p is exact rather than approximated.
    pub exact: bool,
}

/// Friedman's test.
#[derive(Debug, Serialize)]
pub struct Friedman {
    /// Mean rank by model, in the order of the list; 1 is the best.
    pub mean_ranks: Vec<f64>,
    pub chi_square: f64,
    /// Iman and Davenport's statistic; `None` if every dataset has the same ranks.
    pub f: Option<f64>,
    pub p: f64,
    /// Nemenyi's critical difference at 5 %; `None` for two models.
    pub critical_difference: Option<f64>,
}

impl Statistics {
    /// Compares at least two models on at least one dataset.
    pub fn new(results: &Results) -> Option<Statistics> {
        let models = &results.models;
        let score = |dataset: &super::results::Scores, model: &String| dataset.models.get(model)?.mean();
        let scores: Vec<Vec<f64>> = results
            .datasets
            .iter()
            .filter_map(|dataset| models.iter().map(|model| score(dataset, model)).collect())
            .collect();
        if models.len() < 2 || scores.is_empty() {
            return None;
        }
        let mut pairs = vec![];
        for first in 0..models.len() {
            for second in first + 1..models.len() {
                let differences: Vec<f64> = scores.iter().map(|row| row[first] - row[second]).collect();
                pairs.push(Pair::new(&models[first], &models[second], &differences));
            }
        }
        let tests: Vec<&mut Wilcoxon> = pairs.iter_mut().filter_map(|pair| pair.wilcoxon.as_mut()).collect();
        let adjusted = holm(&tests.iter().map(|test| test.p).collect::<Vec<_>>());
        tests.into_iter().zip(adjusted).for_each(|(test, p)| test.p_holm = p);
        Some(Statistics { datasets: scores.len(), pairs, friedman: friedman(&scores).map(Friedman::new) })
    }

    /// The conclusion, then the numbers that support it.
    pub fn text(&self, models: &[String]) -> String {
        let header = [
            ("first", Align::Left),
            ("second", Align::Left),
            ("better/worse/equal", Align::Right),
            ("mean difference", Align::Right),
            ("Wilcoxon W", Align::Right),
            ("p", Align::Right),
            ("p (Holm)", Align::Right),
        ];
        let rows: Vec<Vec<String>> = self.pairs.iter().map(Pair::row).collect();
        let mut text = format!("{}\n\n{}", self.conclusion(models), indented(&layout::table(&header, &rows)));
        if let Some(test) = self.friedman.as_ref().filter(|_| models.len() > 2) {
            let mut order: Vec<usize> = (0..models.len()).collect();
            order.sort_by(|&a, &b| test.mean_ranks[a].total_cmp(&test.mean_ranks[b]));
            let rows: Vec<Vec<String>> = order
                .iter()
                .map(|&at| vec![models[at].clone(), format!("{:.2}", test.mean_ranks[at])])
                .collect();
            let ranks = layout::table(&[("model", Align::Left), ("mean rank", Align::Right)], &rows);
            text += &format!("\n{}\n\n{}", test.sentence(), indented(&ranks));
        }
        text
    }

    /// The conclusion in one sentence.
    fn conclusion(&self, models: &[String]) -> String {
        let over = format!("over {} dataset{}", self.datasets, if self.datasets == 1 { "" } else { "s" });
        let clear = |pair: &&Pair| pair.wilcoxon.as_ref().is_some_and(|test| test.p_holm < LEVEL);
        if let ([pair], [first, second]) = (self.pairs.as_slice(), models) {
            let p = pair.wilcoxon.as_ref().map_or(1.0, |test| test.p);
            // By the ranks, as the test goes: one dataset can turn the mean.
            let ahead = pair.wilcoxon.as_ref().is_some_and(|test| test.first_ahead);
            return match (p < LEVEL, ahead) {
                (false, _) => {
                    format!("{first} and {second} cannot be told apart {over} (signed-rank p {}).", shown(p))
                }
                (true, true) => {
                    format!("{first} scores higher than {second} {over} (signed-rank p {}).", shown(p))
                }
                (true, false) => {
                    format!("{second} scores higher than {first} {over} (signed-rank p {}).", shown(p))
                }
            };
        }
        let clear = self.pairs.iter().filter(clear).count();
        let best = self.friedman.as_ref().and_then(|test| {
            let least = test.mean_ranks.iter().copied().fold(f64::INFINITY, f64::min);
            let best: Vec<&str> = models
                .iter()
                .zip(&test.mean_ranks)
                .filter(|(_, r)| **r == least)
                .map(|(m, _)| m.as_str())
                .collect();
            Some((best.join(" and "), least)).filter(|_| test.p < LEVEL)
        });
        match best {
            Some((best, rank)) => format!(
                "The models differ {over}: {best} has the best mean rank, {rank:.2} of {}, and {clear} of {} \
                 pairs differ (signed-rank test at 5 %, adjusted).",
                models.len(),
                self.pairs.len()
            ),
            None => format!("The models' ranks cannot be told apart {over} (Friedman's test at 5 %)."),
        }
    }
}

impl Pair {
    fn new(first: &str, second: &str, differences: &[f64]) -> Pair {
        let count = |of: fn(&f64) -> bool| differences.iter().filter(|d| of(d)).count();
        let middle = mean(differences);
        let squares: f64 = differences.iter().map(|d| (d - middle) * (d - middle)).sum();
        Pair {
            first: first.to_owned(),
            second: second.to_owned(),
            wins: count(|&d| d > 0.0),
            losses: count(|&d| d < 0.0),
            ties: count(|&d| d == 0.0),
            mean_difference: middle,
            deviation: (differences.len() > 1).then(|| (squares / (differences.len() - 1) as f64).sqrt()),
            wilcoxon: wilcoxon(differences).map(Wilcoxon::new),
        }
    }

    fn row(&self) -> Vec<String> {
        let deviation = self.deviation.map_or(String::new(), |deviation| format!(" ± {deviation:.4}"));
        let test = |of: &dyn Fn(&Wilcoxon) -> String| self.wilcoxon.as_ref().map_or("–".to_owned(), of);
        vec![
            self.first.clone(),
            self.second.clone(),
            format!("{}/{}/{}", self.wins, self.losses, self.ties),
            format!("{:+.4}{deviation}", self.mean_difference),
            test(&|test| test.statistic.to_string()),
            test(&|test| number(test.p)),
            test(&|test| number(test.p_holm)),
        ]
    }
}

impl Wilcoxon {
    fn new(test: statistics::Wilcoxon) -> Wilcoxon {
        let statistics::Wilcoxon { pairs, statistic, positive, p, exact } = test;
        Wilcoxon { pairs, statistic, first_ahead: positive, p, p_holm: p, exact }
    }
}

impl Friedman {
    fn new(test: statistics::Friedman) -> Friedman {
        let statistics::Friedman { mean_ranks, chi_square, f, p, critical_difference, .. } = test;
        Friedman { mean_ranks, chi_square, f, p, critical_difference }
    }

    fn sentence(&self) -> String {
        let difference = match self.critical_difference {
            Some(difference) if self.p < LEVEL => {
                format!("; mean ranks more than {difference:.2} apart differ (Nemenyi, 5 %)")
            }
            _ => String::new(),
        };
        let f = self.f.map_or("infinite".to_owned(), |f| format!("{f:.3}"));
        format!(
            "Friedman's test of the ranks: p {} (χ² {:.3}, Iman–Davenport F {f}){difference}.",
            shown(self.p),
            self.chi_square
        )
    }
}

/// `0.012`, or `<0.001`.
fn number(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

/// `= 0.012`, or `< 0.001`.
fn shown(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("= {p:.3}") }
}

/// Indents each line by four spaces: a plain table, in Markdown too.
fn indented(table: &str) -> String {
    table.lines().map(|line| format!("    {line}\n")).collect()
}
