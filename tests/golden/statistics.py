"""Makes statistics.json: run it with scipy and numpy installed, in this folder."""

import json

import numpy as np
import scipy
from scipy import stats


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
    return {"name": name, "differences": d.tolist(), "pairs": len(kept), "statistic": float(test.statistic), "p": float(test.pvalue)}


def friedman(name, scores):
    x = np.array(scores, dtype=float)
    n, k = x.shape
    chi = stats.friedmanchisquare(*x.T).statistic if k > 2 else two(x)
    f = (n - 1) * chi / (n * (k - 1) - chi)
    ranks = np.mean([stats.rankdata(-row) for row in x], axis=0)
    p = stats.f.sf(f, k - 1, (k - 1) * (n - 1))
    cd = stats.studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n)) if k > 2 else None
    return {"name": name, "scores": x.tolist(), "mean_ranks": ranks.tolist(), "chi_square": float(chi), "f": float(f),
            "p": float(p), "critical_difference": cd}


def two(x):
    """scipy asks for three groups; the same formula for two."""
    n, k = x.shape
    ranks = np.array([stats.rankdata(row) for row in x])
    ties = sum((t**3 - t) for row in x for t in np.unique(row, return_counts=True)[1])
    c = 1 - ties / (k * (k * k - 1) * n)
    return (12 / (k * n * (k + 1)) * np.sum(ranks.sum(axis=0) ** 2) - 3 * n * (k + 1)) / c


rng = np.random.default_rng(7)
normal = lambda n, shift: rng.normal(shift, 1, n).round(4)
half = lambda n, shift: (rng.normal(shift, 2, n) * 2).round() / 2
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
nemenyi = [float(stats.studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2)) for k in range(3, 21)]
with open("statistics.json", "w") as file:
    json.dump({"made_by": "statistics.py", "library_versions": {"scipy": scipy.__version__, "numpy": np.__version__}, "seed": 7,
               "tolerance": "1e-9 relative; 1e-6 for the critical difference, whose table has seven digits",
               "wilcoxon": wilcoxons, "friedman": friedmans, "nemenyi_from_three": nemenyi}, file)
