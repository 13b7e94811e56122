"""statistics.json: Wilcoxon's signed-rank test, Friedman's test in the form of Iman and Davenport, and the
quantiles of Nemenyi's critical difference, from scipy. Everything is drawn from the seed 7."""

import numpy as np
from scipy import stats

import common

FILE = "statistics.json"
LIBRARIES = ["scipy", "numpy"]
SEED = 7
INPUTS = set()
ALLOWED = {None: (1e-12, 1e-9), "critical_difference": (0.0, 1e-6), "nemenyi_from_three": (0.0, 1e-6)}


def wilcoxon(name, differences):
    d = np.array(differences, dtype=float)
    kept = d[d != 0]
    tied = len(set(np.abs(kept))) < len(kept)
    if len(kept) > 50:
        test = stats.wilcoxon(kept, method="asymptotic", correction=False)
    elif tied:
        # All 2^n signs.
        test = stats.wilcoxon(kept, method=stats.PermutationMethod(n_resamples=np.inf))
    else:
        test = stats.wilcoxon(kept, method="exact")
    return {"name": name, "differences": d, "pairs": len(kept), "statistic": float(test.statistic),
            "p": float(test.pvalue)}


def friedman(name, scores):
    x = np.array(scores, dtype=float)
    n, k = x.shape
    chi = stats.friedmanchisquare(*x.T).statistic if k > 2 else of_two(x)
    f = (n - 1) * chi / (n * (k - 1) - chi)
    ranks = np.mean([stats.rankdata(-row) for row in x], axis=0)
    p = stats.f.sf(f, k - 1, (k - 1) * (n - 1))
    difference = nemenyi(k) * np.sqrt(k * (k + 1) / (6 * n)) if k > 2 else None
    return {"name": name, "scores": x, "mean_ranks": ranks, "chi_square": float(chi), "f": float(f),
            "p": float(p), "critical_difference": difference}


def of_two(x):
    """Friedman's statistic for two groups, which scipy refuses; the formula is the same."""
    n, k = x.shape
    ranks = np.array([stats.rankdata(row) for row in x])
    ties = sum((t**3 - t) for row in x for t in np.unique(row, return_counts=True)[1])
    c = 1 - ties / (k * (k * k - 1) * n)
    return (12 / (k * n * (k + 1)) * np.sum(ranks.sum(axis=0) ** 2) - 3 * n * (k + 1)) / c


def nemenyi(k):
    """The 5 % quantile of the studentised range of k models, over the root of 2."""
    return float(stats.studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2))


def make(stored):
    rng = np.random.default_rng(SEED)

    def normal(n, shift):
        return rng.normal(shift, 1, n).round(4)

    def half(n, shift):
        """Multiples of a half, so that differences are often equal."""
        return (rng.normal(shift, 2, n) * 2).round() / 2

    wilcoxons = [
        wilcoxon("five, one sign", [0.1, 0.2, 0.3, 0.4, 0.5]),
        wilcoxon("twelve", normal(12, 0.4)),
        wilcoxon("thirty", normal(30, 0.3)),
        wilcoxon("fifty", normal(50, -0.2)),
        wilcoxon("ten with ties", half(10, 0.5)),
        wilcoxon("sixteen with ties and zeros", np.concatenate([half(14, 0.7), [0, 0]])),
        wilcoxon("sixty, approximated", normal(60, 0.2)),
        wilcoxon("ninety with ties, approximated", half(90, 0.3)),
    ]
    friedmans = [
        friedman("three models, eight sets", rng.normal(0, 1, (8, 3)).round(3) + [0, 0.4, 0.9]),
        friedman("five models, thirty sets", rng.normal(0, 1, (30, 5)).round(3) + [0, 0, 0.2, 0.5, 0.8]),
        friedman("four models with ties", (rng.normal(0, 1, (12, 4)) + [0, 0, 0.5, 1]).round()),
        friedman("twenty models", rng.normal(0, 1, (9, 20)).round(3)),
        friedman("two models", rng.normal(0, 1, (15, 2)).round(3) + [0, 0.7]),
        friedman("no difference at all", rng.normal(0, 1, (40, 3)).round(3)),
    ]
    quantiles = [nemenyi(k) for k in range(3, 21)]
    return common.header(stored, LIBRARIES) | {
        "wilcoxon": wilcoxons, "friedman": friedmans, "nemenyi_from_three": quantiles}


if __name__ == "__main__":
    common.run(make, FILE)
