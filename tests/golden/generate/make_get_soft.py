"""get_soft.json: GET's soft loss and its gradients, hard routes and leaf refits.

The reach probability of a leaf is the product over its levels; the derivatives are automatic. Linear leaves
are refitted by numpy's least squares (minimum norm) on centred rows."""

import autograd.numpy as np
from autograd import value_and_grad
from autograd.scipy.special import expit

import common

FILE = "get_soft.json"
LIBRARIES = ["numpy", "autograd"]
INPUTS = {"depth", "n", "N", "alpha", "linear", "l1", "X", "y", "a", "b", "h", "k"}
# A leaf that its rows barely determine has coefficients around 25.
ALLOWED = {None: (1e-9, 0.0), "refit_linear_k": (1e-9, 1e-9), "refit_linear_h": (1e-9, 1e-9)}


def soft_loss(parts, x, y, alpha, l1):
    """The expected squared error under soft routing, plus l1 times the absolute sum of the planes. `parts` is
    (a, b, h) for constant leaves and (a, b, h, k) for linear ones."""
    a, b, h = parts[:3]
    left = expit(alpha * (b - np.dot(x, a.T)))
    reach = np.ones((len(x), len(h)))
    depth = len(h).bit_length() - 1
    for node, right in zip(*(part.T for part in common.paths(depth))):
        reach = reach * ((1 - right) * left[:, node] + right * (1 - left[:, node]))
    answer = h + np.dot(x, parts[3].T) if len(parts) > 3 else h
    return np.sum(reach * (y[:, None] - answer) ** 2) / len(x) + l1 * np.sum(np.abs(a))


def routes(a, b, x, depth):
    """The leaf of each row: left when a.x <= b."""
    node = np.zeros(len(x), dtype=int)
    for _ in range(depth):
        node = 2 * node + 1 + (np.sum(a[node] * x, axis=1) > b[node])
    return node - (2**depth - 1)


def refit_constant(leaf, y, leaves):
    """The mean of each leaf, and the squared error; an empty leaf has the middle of the range of y."""
    middle = (y.min() + y.max()) / 2
    h = np.array([y[leaf == l].mean() if np.any(leaf == l) else middle for l in range(leaves)])
    return h, np.mean((y - h[leaf]) ** 2)


def refit_linear(leaf, x, y, leaves):
    h, k = np.full(leaves, (y.min() + y.max()) / 2), np.zeros((leaves, x.shape[1]))
    for l in range(leaves):
        rows = leaf == l
        if np.any(rows):
            x_mean, y_mean = x[rows].mean(axis=0), y[rows].mean()
            k[l] = np.linalg.lstsq(x[rows] - x_mean, y[rows] - y_mean, rcond=None)[0]
            h[l] = y_mean - k[l] @ x_mean
    return h, k, np.mean((y - h[leaf] - np.sum(k[leaf] * x, axis=1)) ** 2)


def case(stored):
    x, y = np.array(stored["X"]), np.array(stored["y"])
    names = ["a", "b", "h"] + (["k"] if stored["linear"] else [])
    parts = [np.array(stored[name]) for name in names]
    loss, gradient = value_and_grad(soft_loss)(parts, x, y, stored["alpha"], stored["l1"])
    leaves = 2 ** stored["depth"]
    leaf = routes(parts[0], parts[1], x, stored["depth"])
    h, mse = refit_constant(leaf, y, leaves)
    made = {"loss": loss, "dk": None} | {f"d{name}": d for name, d in zip(names, gradient)}
    made |= {"hard_leaf": leaf, "leaf_counts": np.bincount(leaf, minlength=leaves)}
    made |= {"refit_const_h": h, "refit_const_mse": mse}
    if stored["linear"]:
        names = ("refit_linear_h", "refit_linear_k", "refit_linear_mse")
        made |= dict(zip(names, refit_linear(leaf, x, y, leaves)))
    return common.inputs(stored, INPUTS) | made


def make(stored):
    return common.header(stored, LIBRARIES) | {"cases": [case(one) for one in stored["cases"]]}


if __name__ == "__main__":
    common.run(make, FILE)
