//! The scores as a Markdown table, one section per group of datasets, followed by the tests over datasets.

use super::results::{Results, Scores, Series, mean};

/// The whole text.
pub fn markdown(results: &Results) -> String {
    let mut text = format!("Score: {}. Protocol: {}.\n", results.metric, results.protocol);
    let mut groups: Vec<&str> = vec![];
    for dataset in &results.datasets {
        if !groups.contains(&dataset.group.as_str()) {
            groups.push(&dataset.group);
        }
    }
    for group in groups {
        let datasets: Vec<&Scores> =
            results.datasets.iter().filter(|dataset| dataset.group == group).collect();
        text += &format!("\n## {group}\n\n{}", section(&results.models, &datasets));
    }
    if let Some(statistics) = &results.statistics {
        text += &format!("\n## Over datasets\n\n{}", statistics.text(&results.models));
    }
    text
}

/// A line per dataset, with each model's score and rank, followed by summary lines.
fn section(models: &[String], datasets: &[&Scores]) -> String {
    let mut lines = vec![
        format!("| dataset | n | p | {} |", models.join(" | ")),
        format!("| --- | ---: | ---: |{}", " ---: |".repeat(models.len())),
    ];
    for dataset in datasets {
        let cells =
            models.iter().map(|model| match dataset.models.get(model).and_then(|s| Some((s, s.mean()?))) {
                None => "–".to_owned(),
                Some((series, score)) => {
                    let deviation =
                        series.deviation().map_or(String::new(), |deviation| format!(" ± {deviation:.3}"));
                    format!("{score:.3}{deviation} ({})", rank(dataset, score))
                }
            });
        lines.push(format!(
            "| {} | {} | {} | {} |",
            dataset.name,
            dataset.n,
            dataset.p,
            cells.collect::<Vec<_>>().join(" | ")
        ));
    }
    // A model that lacks a dataset cannot be compared by its mean over the others.
    let complete = |model: &String| -> Option<Vec<(&Scores, &Series, f64)>> {
        datasets.iter().map(|d| d.models.get(model).and_then(|s| Some((*d, s, s.mean()?)))).collect()
    };
    let mut summary = |name: &str, digits: usize, of: &dyn Fn(&Scores, &Series, f64) -> f64| {
        let cells = models.iter().map(|model| match complete(model) {
            Some(runs) if !runs.is_empty() => {
                let values = runs.iter().map(|(dataset, series, score)| of(dataset, series, *score));
                let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
                if values.is_empty() { "–".to_owned() } else { format!("{:.digits$}", mean(&values)) }
            }
            _ => "–".to_owned(),
        });
        lines.push(format!("| **{name}** | | | {} |", cells.collect::<Vec<_>>().join(" | ")));
    };
    summary("mean", 4, &|_, _, score| score);
    summary("mean reciprocal rank", 3, &|dataset, _, score| 1.0 / rank(dataset, score) as f64);
    summary("mean relative difference to the best", 4, &|dataset, _, score| {
        let best = best(dataset);
        if best == 0.0 { 0.0 } else { (best - score) / best.abs() }
    });
    summary("training score", 4, &|_, series, _| known(&series.train_score));
    summary("tree size", 1, &|_, series, _| {
        mean(&series.nodes.iter().map(|&n| n as f64).collect::<Vec<_>>())
    });
    summary("parameters", 1, &|_, series, _| {
        mean(&series.parameters.iter().map(|&n| n as f64).collect::<Vec<_>>())
    });
    summary("columns per split", 1, &|_, series, _| known(&series.columns_per_split));
    summary("seconds", 2, &|_, series, _| mean(&series.seconds));
    lines.join("\n") + "\n"
}

/// The mean of the known values; NaN if there are none.
fn known(values: &[Option<f64>]) -> f64 {
    let values: Vec<f64> = values.iter().flatten().copied().collect();
    if values.is_empty() { f64::NAN } else { mean(&values) }
}

/// 1 for the best model of a dataset; ties share the better rank.
fn rank(dataset: &Scores, score: f64) -> usize {
    1 + dataset.models.values().filter_map(Series::mean).filter(|&other| other > score).count()
}

fn best(dataset: &Scores) -> f64 {
    dataset.models.values().filter_map(Series::mean).fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::statistics::Statistics;
    use super::*;

    #[test]
    fn scores_have_ranks_and_means() {
        let series = |scores: &[f64]| Series {
            metrics: BTreeMap::new(),
            score: scores.iter().map(|&score| Some(score)).collect(),
            train_score: vec![Some(1.0); scores.len()],
            nodes: vec![7; scores.len()],
            parameters: vec![10; scores.len()],
            columns_per_split: vec![(scores[0] == 0.5).then_some(1.5); scores.len()],
            seconds: vec![0.5; scores.len()],
        };
        let dataset = |name: &str, a: &[f64], b: &[f64]| Scores {
            name: name.into(),
            group: "binary".into(),
            n: 10,
            p: 2,
            models: BTreeMap::from([("a".to_owned(), series(a)), ("b".to_owned(), series(b))]),
        };
        let mut results = Results {
            espalier: "",
            task: "classification",
            protocol: "p".into(),
            metric: "macro_f1",
            models: vec!["b".into(), "a".into()],
            datasets: vec![dataset("one", &[0.5, 0.7], &[0.8, 0.8]), dataset("two", &[0.5], &[0.4])],
            statistics: None,
        };
        results.statistics = Statistics::new(&results);
        let text = markdown(&results);
        for line in [
            "| dataset | n | p | b | a |",
            "| one | 10 | 2 | 0.800 ± 0.000 (1) | 0.600 ± 0.141 (2) |",
            "| two | 10 | 2 | 0.400 (2) | 0.500 (1) |",
            "| **mean** | | | 0.6000 | 0.5500 |",
            "| **mean reciprocal rank** | | | 0.750 | 0.750 |",
            "| **mean relative difference to the best** | | | 0.1000 | 0.1250 |",
            "| **tree size** | | | 7.0 | 7.0 |",
            "| **parameters** | | | 10.0 | 10.0 |",
            "| **columns per split** | | | – | 1.5 |",
            "b and a cannot be told apart over 2 datasets (signed-rank p = 1.000).",
            "    b      a                    1/1/0  +0.0500 ± 0.2121           1  1.000     1.000",
        ] {
            assert!(text.lines().any(|known| known == line), "{line}\n{text}");
        }
    }
}
