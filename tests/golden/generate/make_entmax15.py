"""entmax15.json: entmax with exponent 1.5, and its Jacobian times a direction.

The threshold is found by sorting; the Jacobian is automatic differentiation of the closed form over the
support. Each result is also checked against a root search for the threshold, which does not use the closed
form."""

import autograd.numpy as np
from autograd import jacobian
from autograd.tracer import getval
from scipy.optimize import brentq

import common

FILE = "entmax15.json"
LIBRARIES = ["numpy", "scipy", "autograd"]
INPUTS = {"name", "v", "g"}
ALLOWED = {None: (1e-10, 0.0)}


def support(x):
    """Indices of the support of entmax for the halved scores `x`, the largest first."""
    order = np.argsort(-x, kind="stable")
    kept = 1
    for k in range(1, len(x) + 1):
        head = x[order[:k]]
        if head.mean() - np.sqrt(max((1 - k * head.var()) / k, 0)) > head[-1]:
            break
        kept = k
    return order[:kept]


def entmax15(v):
    """The distribution p of the scores v; autograd can differentiate it."""
    x = (v - np.max(getval(v))) / 2
    head = x[support(getval(x))]
    mean, k = np.mean(head), len(head)
    tau = mean - np.sqrt((1 - k * (np.mean(head**2) - mean**2)) / k)
    return np.where(getval(x) > getval(tau), x - tau, 0.0) ** 2


def by_root_search(v):
    x = (v - v.max()) / 2
    tau = brentq(lambda tau: np.sum(np.maximum(x - tau, 0) ** 2) - 1, -1.0, 0.0, xtol=1e-15)
    return np.maximum(x - tau, 0) ** 2


def case(stored):
    v = np.array(stored["v"])
    p, j = entmax15(v), jacobian(entmax15)(v)
    assert np.abs(p - by_root_search(v)).max() < 1e-12, stored["name"]
    products = [{"g": product["g"], "Jg": j @ np.array(product["g"])} for product in stored["jvp"]]
    return common.inputs(stored, INPUTS) | {"p": p, "jvp": products}


def make(stored):
    return common.header(stored, LIBRARIES) | {"cases": [case(one) for one in stored["cases"]]}


if __name__ == "__main__":
    common.run(make, FILE)
