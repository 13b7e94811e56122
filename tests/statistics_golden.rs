//! Significance tests over datasets compared with scipy (numbers made by
//! `tests/golden/generate/make_statistics.py`).

use espalier::metrics::statistics::{friedman, wilcoxon};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    wilcoxon: Vec<Signed>,
    friedman: Vec<Ranked>,
    nemenyi_from_three: Vec<f64>,
}

#[derive(Deserialize)]
struct Signed {
    name: String,
    differences: Vec<f64>,
    pairs: usize,
    statistic: f64,
    p: f64,
}

#[derive(Deserialize)]
struct Ranked {
    name: String,
    scores: Vec<Vec<f64>>,
    mean_ranks: Vec<f64>,
    chi_square: f64,
    f: f64,
    p: f64,
    critical_difference: Option<f64>,
}

fn file() -> File {
    serde_json::from_str(&std::fs::read_to_string("tests/golden/statistics.json").unwrap()).unwrap()
}

fn near(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs().max(1e-3)
}

#[test]
fn the_signed_rank_test_is_scipys() {
    for case in file().wilcoxon {
        let test = wilcoxon(&case.differences).unwrap();
        assert_eq!((test.pairs, test.statistic), (case.pairs, case.statistic), "{}", case.name);
        assert_eq!(test.exact, case.pairs <= 50, "{}", case.name);
        assert!(near(test.p, case.p, 1e-9), "{}: {} and {}", case.name, test.p, case.p);
        let turned: Vec<f64> = case.differences.iter().map(|d| -d).collect();
        let turned = wilcoxon(&turned).unwrap();
        assert_eq!(
            (turned.statistic, turned.p),
            (test.statistic, test.p),
            "{}: the other model first",
            case.name
        );
        assert!(!(turned.positive && test.positive), "{}: only one of them can be ahead", case.name);
    }
}

#[test]
fn friedmans_test_is_scipys() {
    for case in file().friedman {
        let test = friedman(&case.scores).unwrap();
        assert!(
            test.mean_ranks.iter().zip(&case.mean_ranks).all(|(a, b)| near(*a, *b, 1e-12)),
            "{}",
            case.name
        );
        let found = [test.chi_square, test.f.unwrap(), test.p];
        let expected = [case.chi_square, case.f, case.p];
        assert!(
            found.iter().zip(expected).all(|(a, b)| near(*a, b, 1e-9)),
            "{}: {found:?} {expected:?}",
            case.name
        );
        let (found, expected) = (test.critical_difference, case.critical_difference);
        let same = found.zip(expected).map_or(found == expected, |(a, b)| near(a, b, 1e-6));
        assert!(same, "{}: {found:?} {expected:?}", case.name);
    }
}

#[test]
fn the_critical_difference_has_the_quantiles_of_the_studentised_range() {
    for (models, quantile) in (3..).zip(file().nemenyi_from_three) {
        // Six datasets, so that the factor is the root of k (k + 1) / 36.
        let scores: Vec<Vec<f64>> =
            (0..6).map(|row| (0..models).map(|k| ((k + row * row) % models) as f64).collect()).collect();
        let factor = ((models * (models + 1)) as f64 / 36.0).sqrt();
        let found = friedman(&scores).unwrap().critical_difference.unwrap() / factor;
        assert!(near(found, quantile, 1e-6), "{models} models: {found} and {quantile}");
    }
}
