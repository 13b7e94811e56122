"""cart_losses.json: trees under absolute error and under the pinball loss, on tables drawn from stated seeds.

Absolute error: trees as scikit-learn grows them. Pinball loss, for which scikit-learn has no criterion: trees
by exhaustive search in plain numpy, with the same thresholds and rules. Labels and columns are continuous, so
that equally good splits are rare."""

import numpy as np
from sklearn.tree import DecisionTreeRegressor

import common

FILE = "cart_losses.json"
LIBRARIES = ["scikit-learn", "numpy"]
INPUTS = set()
ALLOWED = {None: (1e-12, 1e-9)}

# Seed i is the place in the list: rows, columns, noise, parameters.
ABSOLUTE = [
    (60, 3, 0.3, dict(max_depth=4)),
    (150, 4, 1.0, dict(max_depth=5, min_samples_leaf=5)),
    (300, 5, 2.0, dict(max_depth=6, min_samples_split=12)),
    (101, 2, 0.0, dict()),
    (200, 4, 1.0, dict(max_depth=8, ccp_alpha=0.05)),
    (200, 4, 1.0, dict(max_depth=6, min_impurity_decrease=0.02)),
]
# Seed 100 + i: rows, quantile, depth, fewest rows of a leaf.
PINBALL = [(80, 0.9, 3, 1), (90, 0.1, 4, 4), (70, 0.25, 3, 2), (100, 0.7, 3, 10)]


def data(seed, n, columns, noise):
    rng = np.random.default_rng(seed)
    x = rng.normal(0, 1, (n, columns)).astype(np.float32).astype(float)
    heavy = noise * np.exp(x[:, columns - 1] / 2) * rng.standard_t(3, n)
    return x, (np.where(x[:, 0] > 0.3, 4.0, 0.0) + x[:, 1] ** 2 + heavy).round(6)


def sklearn_tree(x, y, **params):
    tree = DecisionTreeRegressor(criterion="absolute_error", random_state=0, **params).fit(x, y).tree_
    columns = {"feature": tree.feature, "threshold": tree.threshold, "left": tree.children_left,
               "right": tree.children_right, "rows": tree.n_node_samples, "impurity": tree.impurity,
               "value": tree.value[:, 0, 0]}
    return [{key: column[node].item() for key, column in columns.items()} for node in range(tree.node_count)]


def best_answer(y, q):
    return float(np.quantile(y, q, method="averaged_inverted_cdf"))


def pinball(y, q):
    """The mean loss of the best answer to all of y."""
    off = y - best_answer(y, q)
    return float(np.mean(np.where(off > 0, q * off, (q - 1) * off)))


def best_split(x, y, q, least, rows):
    """The split with the least loss: (loss, feature, threshold). The first of equals."""
    best = None
    for feature in range(x.shape[1]):
        order = rows[np.argsort(x[rows, feature])]
        for cut in range(least, len(rows) - least + 1):
            low, high = x[order[cut - 1], feature], x[order[cut], feature]
            if np.float32(high) <= np.float32(low) + np.float32(1e-7):
                continue
            loss = cut * pinball(y[order[:cut]], q) + (len(rows) - cut) * pinball(y[order[cut:]], q)
            if best is None or loss < best[0]:
                best = (loss, feature, low / 2 + high / 2)
    return best


def search(x, y, q, depth, least, nodes, rows):
    """Appends the subtree of some rows to `nodes` in pre-order; returns the number of its top."""
    at = len(nodes)
    nodes.append({"feature": -2, "threshold": -2.0, "left": -1, "right": -1, "rows": len(rows),
                  "impurity": pinball(y[rows], q), "value": best_answer(y[rows], q)})
    if depth == 0 or len(rows) < 2 * least:
        return at
    _, feature, threshold = best_split(x, y, q, least, rows)
    goes_left = x[rows, feature] <= threshold
    nodes[at] |= {"feature": feature, "threshold": float(threshold)}
    nodes[at]["left"] = search(x, y, q, depth - 1, least, nodes, rows[goes_left])
    nodes[at]["right"] = search(x, y, q, depth - 1, least, nodes, rows[~goes_left])
    return at


def make(stored):
    cases = []
    for seed, (n, columns, noise, params) in enumerate(ABSOLUTE):
        x, y = data(seed, n, columns, noise)
        cases.append({"loss": "absolute", "quantile": 0.5, "params": params, "x": x, "y": y,
                      "nodes": sklearn_tree(x, y, **params)})
    for seed, (n, q, depth, least) in enumerate(PINBALL):
        x, y = data(100 + seed, n, 3, 1.0)
        nodes = []
        search(x, y, q, depth, least, nodes, np.arange(n))
        params = dict(max_depth=depth, min_samples_leaf=least)
        cases.append({"loss": "quantile", "quantile": q, "params": params, "x": x, "y": y, "nodes": nodes})
    return common.header(stored, LIBRARIES) | {"cases": cases}


if __name__ == "__main__":
    common.run(make, FILE)
