"""cart_small.json: trees of scikit-learn on iris, wine and diabetes.

The tables are read from ../data. An exhaustive search in numpy over the rows of a node finds the splits that
are equally good; twelve values of `random_state` show whether a tree depends on the order of the features."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.class_weight import compute_sample_weight

import common

FILE = "cart_small.json"
LIBRARIES = ["numpy", "scikit-learn"]
INPUTS = {"data", "criterion", "max_depth", "min_samples_split", "min_samples_leaf", "min_impurity_decrease",
          "ccp_alpha", "class_weight"}
# The structure is whole numbers, which must be equal. A pure node's impurity may be a residue of rounding;
# values have 14 decimals and scores 10.
ALLOWED = {None: (0.0, 0.0), "threshold": (1e-6, 0.0), "tied_alternatives": (1e-6, 0.0),
           "impurity": (1e-13, 1e-9), "value": (1e-13, 1e-9), "train_score_over_seeds": (1e-10, 0.0)}
SEEDS = range(12)


def table(name):
    rows = np.loadtxt(common.GOLDEN / "data" / f"{name}.csv", delimiter=",", skiprows=1)
    return rows[:, :-1], rows[:, -1]


def fit(case, x, y, seed):
    model = DecisionTreeRegressor if case["criterion"] == "squared_error" else DecisionTreeClassifier
    return model(criterion=case["criterion"], random_state=seed, **case["params"]).fit(x, y)


def spread(criterion, total, sums, squares):
    """Weight times impurity of sets of rows, from their weight, weighted sums and weighted sum of squares."""
    if criterion == "squared_error":
        return squares - sums[..., 0] ** 2 / total
    share = sums / total[..., None]
    if criterion == "gini":
        return total * (1 - np.sum(share**2, axis=-1))
    return -total * np.sum(share * np.log2(np.where(share > 0, share, 1)), axis=-1)


def splits(case, x, y, weight):
    """Every admissible split of a node's rows: (weighted impurity of the children, feature, threshold)."""
    least, criterion = case["params"].get("min_samples_leaf", 1), case["criterion"]
    # The columns whose weighted sums an impurity is made of: the target itself, or membership of each class.
    column = y[:, None] if criterion == "squared_error" else (y[:, None] == np.unique(y)).astype(float)
    found = []
    for feature in range(x.shape[1]):
        values = x[:, feature].astype(np.float32)
        order = np.argsort(values, kind="stable")
        values, w, c = values[order], weight[order], column[order]
        total, sums, squares = np.cumsum(w), np.cumsum(w[:, None] * c, axis=0), np.cumsum(w * y[order] ** 2)
        at = np.flatnonzero(values[1:] > values[:-1] + np.float32(1e-7))
        at = at[(at + 1 >= least) & (len(y) - at - 1 >= least)]
        left = spread(criterion, total[at], sums[at], squares[at])
        right = spread(criterion, total[-1] - total[at], sums[-1] - sums[at], squares[-1] - squares[at])
        threshold = values[at].astype(float) / 2 + values[at + 1].astype(float) / 2
        found += [(loss, feature, t) for loss, t in zip(left + right, threshold)]
    return found


def alternatives(case, tree, x, y, weight):
    """By inner node: the equally good splits, where there are several; and nodes of one class that were
    split."""
    tied, pure = {}, []
    reaches = tree.decision_path(x.astype(np.float32)).toarray().astype(bool)
    for node in np.flatnonzero(tree.children_left >= 0):
        rows = reaches[:, node]
        if len(np.unique(y[rows])) == 1:
            pure.append(node)
            continue
        found = splits(case, x[rows], y[rows], weight[rows])
        best = min(loss for loss, _, _ in found)
        slack = 1e-10 * weight[rows].sum() * tree.impurity[node]
        equal = sorted((feature, threshold) for loss, feature, threshold in found if loss <= best + slack)
        assert any(f == tree.feature[node] and abs(t - tree.threshold[node]) < 1e-6 for f, t in equal)
        if len(equal) > 1:
            tied[str(node)] = equal
    return tied, pure


def shape(tree):
    """What two trees must share to be the same."""
    return tree.feature.tolist(), tree.threshold.tolist(), tree.children_left.tolist()


def case(stored):
    x, y = table(stored["data"])
    models = [fit(stored, x, y, seed) for seed in SEEDS]
    tree = models[0].tree_
    weight = compute_sample_weight(stored["params"].get("class_weight"), y)
    tied, pure = alternatives(stored, tree, x, y, weight)
    inner = tree.children_left >= 0
    made = {
        "tie_free_over_12_seeds": all(shape(model.tree_) == shape(tree) for model in models) and not tied,
        "train_score_over_seeds": sorted({round(model.score(x, y), 10) for model in models}),
        "node_count": tree.node_count,
        "leaves": tree.n_leaves,
        "depth": tree.max_depth,
        "tied_alternatives": tied,
        "children_left": tree.children_left,
        "children_right": tree.children_right,
        "feature": np.where(inner, tree.feature, -1),
        "threshold": np.where(inner, tree.threshold, 0.0),
        "impurity": tree.impurity,
        "n_node_samples": tree.n_node_samples,
        "value": tree.value[:, 0, :].round(14),
        "leaf_of_row": models[0].apply(x),
    }
    if pure:
        made["pure_nodes_split_by_rounding"] = pure
    return {key: stored[key] for key in ("data", "criterion", "params")} | made


def make(stored):
    return common.header(stored, LIBRARIES) | {"cases": [case(one) for one in stored["cases"]]}


if __name__ == "__main__":
    common.run(make, FILE)
