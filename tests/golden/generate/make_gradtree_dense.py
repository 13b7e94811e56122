"""gradtree_dense.json: outputs, loss and gradients of GradTree.

The dense form: every leaf's indicator is a product over its levels, for every row. Two operations are
straight-through, so that the forward value is hard and the derivative is that of the soft value: the choice
of a feature (one-hot for entmax) and the split (rounded for the sigmoid or softsign). Derivatives are
automatic."""

import autograd.numpy as np
from autograd import grad
from autograd.extend import defvjp, primitive
from autograd.scipy.special import expit, logsumexp
from autograd.tracer import getval

import common
from make_entmax15 import entmax15

FILE = "gradtree_dense.json"
LIBRARIES = ["numpy", "autograd"]
INPUTS = {"name", "depth", "n", "outputs", "batch", "loss_kind", "split", "focal_gamma", "poly_eps",
          "poly_double_softmax_quirk", "class_weights", "I", "T", "L", "X", "y"}
ALLOWED = {None: (1e-10, 0.0)}


@primitive
def straight_through(soft, hard):
    """The value of `hard`; the derivative goes to `soft` unchanged."""
    return hard


defvjp(straight_through, lambda ans, soft, hard: lambda g: g, None)


def choice(scores):
    """One-hot of the best score, the first of equals."""
    p = entmax15(scores)
    return straight_through(p, np.eye(len(scores))[np.argmax(getval(scores))])


def outputs(case, index, threshold, leaf):
    """Raw outputs, one row per sample."""
    x = np.array(case["X"])
    h = np.array([choice(row) for row in index])
    z = np.sum(h * threshold, axis=1) - np.dot(x, h.T)
    s = expit(z) if case["split"] == "sigmoid" else (z / (1 + np.abs(z)) + 1) / 2
    # 0.5 becomes 0: a value on the threshold goes right.
    s = straight_through(s, np.round(getval(s)))
    indicator = np.ones((len(x), 2 ** case["depth"]))
    for node, right in zip(*(part.T for part in common.paths(case["depth"]))):
        indicator = indicator * ((1 - right) * s[:, node] + right * (1 - s[:, node]))
    return np.dot(indicator, leaf)


def log_softmax(u):
    return u - logsumexp(u, axis=1, keepdims=True)


def loss(case, u):
    """The mean loss over the batch."""
    y = np.array(case["y"])
    if case["loss_kind"] == "mse":
        return np.mean((u[:, 0] - y) ** 2)
    label = y.astype(int)
    rows, gamma, epsilon = np.arange(len(y)), case["focal_gamma"], case["poly_eps"]
    if case["loss_kind"] == "softmax_ce":
        log_p = log_softmax(u)[rows, label]
        twice = np.exp(log_softmax(np.exp(log_softmax(u))))[rows, label]
    else:
        sign = 2 * y - 1
        log_p = -np.logaddexp(0, -sign * u[:, 0])
        twice = expit(expit(u[:, 0]))
        twice = np.where(label == 1, twice, 1 - twice)
    p = np.exp(log_p)
    each = -log_p if gamma == 0 else -((1 - p) ** gamma) * log_p
    # The released program transforms the probabilities a second time in this term.
    each = each + epsilon * (1 - (twice if case["poly_double_softmax_quirk"] else p))
    if case["class_weights"] is not None:
        each = each * np.array(case["class_weights"])[label]
    return np.mean(each)


def case(stored):
    index, threshold, leaf = (np.array(stored[name]) for name in ("I", "T", "L"))
    shape = leaf.shape
    leaf = leaf.reshape(2 ** stored["depth"], stored["outputs"])
    out = outputs(stored, index, threshold, leaf)
    whole = grad(lambda parts: loss(stored, outputs(stored, *parts)))((index, threshold, leaf))
    return common.inputs(stored, INPUTS) | {
        "out": out,
        "loss": loss(stored, out),
        "dout": grad(lambda u: loss(stored, u))(out),
        "dI": whole[0],
        "dT": whole[1],
        "dL": whole[2].reshape(shape),
    }


def make(stored):
    return common.header(stored, LIBRARIES) | {"cases": [case(one) for one in stored["cases"]]}


if __name__ == "__main__":
    common.run(make, FILE)
