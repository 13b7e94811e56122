"""Makes cart_losses.json: run it with scikit-learn installed, in this folder.

Absolute error: trees as scikit-learn grows them. Pinball loss, which scikit-learn has no criterion for: trees by exhaustive search
in plain numpy, with the same thresholds and rules. Labels and columns are continuous, so that no two splits are equally good."""

import json

import numpy as np
import sklearn
from sklearn.tree import DecisionTreeRegressor


def data(seed, n, columns, noise):
    rng = np.random.default_rng(seed)
    x = rng.normal(0, 1, (n, columns)).astype(np.float32).astype(float)
    y = np.where(x[:, 0] > 0.3, 4.0, 0.0) + x[:, 1] ** 2 + noise * np.exp(x[:, columns - 1] / 2) * rng.standard_t(3, n)
    return x, y.round(6)


def sklearn_tree(x, y, **params):
    t = DecisionTreeRegressor(criterion="absolute_error", random_state=0, **params).fit(x, y).tree_
    return [{"feature": int(t.feature[i]), "threshold": float(t.threshold[i]), "left": int(t.children_left[i]),
             "right": int(t.children_right[i]), "rows": int(t.n_node_samples[i]), "impurity": float(t.impurity[i]),
             "value": float(t.value[i].ravel()[0])} for i in range(t.node_count)]


def best_answer(y, q):
    return float(np.quantile(y, q, method="averaged_inverted_cdf"))


def pinball(y, q):
    off = y - best_answer(y, q)
    return float(np.mean(np.where(off > 0, q * off, (q - 1) * off)))


def search(x, y, q, depth, least, nodes, rows):
    at = len(nodes)
    nodes.append({"feature": -2, "threshold": -2.0, "left": -1, "right": -1, "rows": len(rows),
                  "impurity": pinball(y[rows], q), "value": best_answer(y[rows], q)})
    if depth == 0 or len(rows) < 2 * least:
        return at
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
    _, feature, threshold = best
    goes_left = x[rows, feature] <= threshold
    nodes[at]["feature"], nodes[at]["threshold"] = feature, float(threshold)
    nodes[at]["left"] = search(x, y, q, depth - 1, least, nodes, rows[goes_left])
    nodes[at]["right"] = search(x, y, q, depth - 1, least, nodes, rows[~goes_left])
    return at


cases = []
for seed, (n, columns, noise, params) in enumerate([
    (60, 3, 0.3, dict(max_depth=4)),
    (150, 4, 1.0, dict(max_depth=5, min_samples_leaf=5)),
    (300, 5, 2.0, dict(max_depth=6, min_samples_split=12)),
    (101, 2, 0.0, dict()),
    (200, 4, 1.0, dict(max_depth=8, ccp_alpha=0.05)),
    (200, 4, 1.0, dict(max_depth=6, min_impurity_decrease=0.02)),
]):
    x, y = data(seed, n, columns, noise)
    cases.append({"loss": "absolute", "quantile": 0.5, "params": params, "x": x.tolist(), "y": y.tolist(),
                  "nodes": sklearn_tree(x, y, **params)})
for seed, (n, q, depth, least) in enumerate([(80, 0.9, 3, 1), (90, 0.1, 4, 4), (70, 0.25, 3, 2), (100, 0.7, 3, 10)]):
    x, y = data(100 + seed, n, 3, 1.0)
    nodes = []
    search(x, y, q, depth, least, nodes, np.arange(n))
    cases.append({"loss": "quantile", "quantile": q, "params": dict(max_depth=depth, min_samples_leaf=least),
                  "x": x.tolist(), "y": y.tolist(), "nodes": nodes})
with open("cart_losses.json", "w") as file:
    json.dump({"made_by": "cart_losses.py", "library_versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
               "tolerance": "1e-9 relative", "cases": cases}, file)
