"""preprocess_metrics.json: quantiles turned into normal scores, leave-one-out means, metrics, dendrogram
purity.

The first three come from scikit-learn and category_encoders; purity is the mean over all ordered pairs."""

import numpy as np
import pandas as pd
from category_encoders import LeaveOneOutEncoder
from sklearn.metrics import accuracy_score, f1_score, r2_score
from sklearn.preprocessing import QuantileTransformer

import common

FILE = "preprocess_metrics.json"
LIBRARIES = ["numpy", "scikit-learn", "category_encoders"]
INPUTS = {"kind", "name", "fit_column", "n_quantiles", "x", "category", "y", "test_category", "y_true",
          "y_pred", "depth", "z", "labels"}
ALLOWED = {None: (1e-9, 0.0)}


def quantile_normal(case):
    """Without the noise that GradTree adds to the column before fitting."""
    count = case["n_quantiles"]
    fitted = QuantileTransformer(n_quantiles=count, output_distribution="normal", subsample=None)
    fitted.fit(np.array(case["fit_column"])[:, None])
    transformed = fitted.transform(np.array(case["x"])[:, None])
    return {"quantiles": fitted.quantiles_[:, 0], "transformed": transformed[:, 0]}


def leave_one_out(case):
    encoder = LeaveOneOutEncoder(cols=["category"])
    train = pd.DataFrame({"category": case["category"]})
    encoded = encoder.fit_transform(train, pd.Series(case["y"]))
    new = encoder.transform(pd.DataFrame({"category": case["test_category"]}))
    return {"train_encoded": encoded["category"].to_numpy(), "test_encoded": new["category"].to_numpy()}


def metrics(case):
    truth, answer = case["y_true"], case["y_pred"]
    return {"macro_f1": f1_score(truth, answer, average="macro"), "accuracy": accuracy_score(truth, answer)}


def r2(case):
    return {"r2": r2_score(case["y_true"], case["y_pred"])}


def common_ancestor(one, other):
    while one != other:
        one, other = ((one - 1) // 2, other) if one > other else (one, (other - 1) // 2)
    return one


def dendrogram_purity(case):
    """A row belongs to every node where its z is positive. Its leaf is that of the largest z, the first of
    equals."""
    z, labels = np.array(case["z"]), np.array(case["labels"])
    first_leaf = 2 ** case["depth"] - 1
    leaf = first_leaf + np.argmax(z[:, first_leaf:], axis=1)
    purities = []
    for i, label in enumerate(labels):
        for j in np.flatnonzero(labels == label):
            inside = z[:, common_ancestor(leaf[i], leaf[j])] > 0
            purities.append(np.mean(labels[inside] == label) if inside.any() else 0.0)
    return {"leaf_node": leaf, "purity": np.mean(purities)}


MAKERS = {"quantile_normal": quantile_normal, "leave_one_out": leave_one_out, "metrics": metrics, "r2": r2,
          "dendrogram_purity": dendrogram_purity}


def make(stored):
    cases = [common.inputs(one, INPUTS) | MAKERS[one["kind"]](one) for one in stored["cases"]]
    return common.header(stored, LIBRARIES) | {"cases": cases}


if __name__ == "__main__":
    common.run(make, FILE)
