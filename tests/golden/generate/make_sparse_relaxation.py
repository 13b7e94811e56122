"""sparse_relaxation.json: the scores q of the relaxed tree, the pruning variables a, the traversal z
and the gradients.

The groups of equal a are found by merging (pool adjacent violators). With the groups known, a is a mean,
which can be differentiated automatically. Two checks do not use the merging: the solution fulfils the
optimality conditions of the convex problem to 1e-12, which proves it, and gradients by planes and eta agree
with central differences to 1e-4. Version A starts from rows and planes, version B from the scores s."""

import autograd.numpy as np
from autograd import value_and_grad
from autograd.tracer import getval

import common

FILE = "sparse_relaxation.json"
LIBRARIES = ["numpy", "autograd"]
INPUTS = {"version", "depth", "N", "n", "X", "W", "b", "eta", "lambda", "zbar", "abar"}
ALLOWED = {None: (1e-9, 0.0)}


class Problem:
    """One of the two versions, in common terms: `shift` is added to q, a group's value is
    (sum of `prior` + sum of the active q + shift) / (`weight` * nodes + active)."""

    def __init__(self, case):
        self.nodes = 2 ** (case["depth"] + 1) - 1
        self.a = case["version"] == "A"
        self.shift, self.weight = (0.0, 1.0) if self.a else (0.5, case["lambda"])

    def mean(self, values, prior, size):
        """The value of a group of `size` nodes, and how many of its values of q are active: the largest ones,
        as long as they are not below the mean."""
        descending = np.sort(values.ravel())[::-1]
        k, total = 0, prior
        while k < len(descending) and total / (self.weight * size + k) <= descending[k]:
            if not self.a and descending[k] < 0:
                break
            total += descending[k]
            k += 1
        return total / (self.weight * size + k), k

    def groups(self, q, prior):
        """Lists of nodes with one value each, after merging every child that is above its parent."""
        top = list(range(self.nodes))
        members = {t: [t] for t in top}

        def solve(t):
            group = members[t]
            return self.mean(q[:, group] + self.shift, np.sum(prior[group]), len(group))[0]

        value = {t: solve(t) for t in top}
        while True:
            above = [t for t in members if t > 0 and value[t] > value[top[(t - 1) // 2]]]
            if not above:
                return [sorted(group) for group in members.values()]
            t = max(above, key=lambda t: value[t])
            parent = top[(t - 1) // 2]
            for member in members[t]:
                top[member] = parent
            members[parent] += members.pop(t)
            value[parent] = solve(parent)

    def solution(self, q, prior):
        """Unclipped values a, differentiable by q and prior, and the groups in the form of the file."""
        fixed_q, fixed_prior = getval(q), getval(prior)
        a, stored = [None] * self.nodes, []
        for group in sorted(self.groups(fixed_q, fixed_prior)):
            values = fixed_q[:, group] + self.shift
            _, k = self.mean(values, np.sum(fixed_prior[group]), len(group))
            threshold = np.sort(values.ravel())[::-1][k - 1] if k else np.inf
            chosen = values >= threshold
            assert chosen.sum() == k, "two values are equal"
            denominator = self.weight * len(group) + k
            group = np.array(group)
            total = np.sum(prior[group]) + np.sum(np.where(chosen, q[:, group] + self.shift, 0.0))
            for t in group:
                a[t] = total / denominator
            stored.append({"nodes": group, "k": k, "denominator": float(denominator)})
        return np.array(a), stored

    def check_optimality(self, q, prior, a):
        """Each edge needs a multiplier that is not negative, and zero where the child is below its parent."""
        slope = self.weight * a - prior - np.sum(np.maximum(q + self.shift - a, 0), axis=0)
        multiplier = -slope
        for t in range(self.nodes - 1, 0, -1):
            parent = (t - 1) // 2
            multiplier[parent] += multiplier[t]
            assert multiplier[t] > -1e-12 and a[t] < a[parent] + 1e-12
            assert abs(multiplier[t]) < 1e-12 or a[t] > a[parent] - 1e-12
        assert abs(multiplier[0]) < 1e-12


def scores(s):
    """q of all nodes, from the scores s of the inner nodes: left needs s < 0."""
    q = [np.ones(len(s))]
    for t in range(1, 2 * s.shape[1] + 1):
        parent = (t - 1) // 2
        sign = -1 if t % 2 else 1
        q.append(np.minimum(q[parent], sign * s[:, parent]))
    return np.stack(q, axis=1)


def objective(problem, case, q, prior):
    """The sum of zbar * z and abar * a, with a and z."""
    a, _ = problem.solution(q, prior)
    # A variable on a bound passes no gradient.
    a = np.where((getval(a) > 0) & (getval(a) < 1), a, np.clip(getval(a), 0, 1))
    moved = q + problem.shift
    # autograd's `where` does not sum over rows by itself, so a has a row per sample before it goes in.
    per_row = a * np.ones((len(moved), 1))
    z = np.where(getval(moved) <= 0, 0.0, np.where(getval(moved) >= getval(per_row), per_row, moved))
    total = np.sum(z * np.array(case["zbar"]))
    return total + (np.sum(a * np.array(case["abar"])) if case.get("abar") else 0.0), a, z


def check_differences(function, parts, gradient, step=1e-6):
    for part, d in zip(parts, gradient):
        for at in np.ndindex(part.shape):
            ends = []
            for sign in (1, -1):
                moved = part.copy()
                moved[at] += sign * step
                ends.append(function([moved if other is part else other for other in parts]))
            assert abs((ends[0] - ends[1]) / (2 * step) - d[at]) < 1e-4


def case(stored):
    problem = Problem(stored)
    if problem.a:
        x, w, b, prior = (np.array(stored[name]) for name in ("X", "W", "b", "eta"))
        s = np.dot(x, w.T) + b
    else:
        s, prior = np.array(stored["s"]), np.zeros(problem.nodes)
    q = scores(s)
    a, groups = problem.solution(q, prior)
    problem.check_optimality(q, prior, a)
    total, a, z = objective(problem, stored, q, prior)
    made = {"s": s, "q": q, "a": a, "z": z, "groups": groups, "objective": total}

    def by_scores(parts):
        return objective(problem, stored, *parts)[0]

    dq, deta = value_and_grad(by_scores)([q, prior])[1]
    made["dq"] = dq
    if problem.a:
        def by_planes(parts):
            w, b, eta = parts
            return objective(problem, stored, scores(np.dot(x, w.T) + b), eta)[0]

        parts = [w, b, prior]
        gradient = value_and_grad(by_planes)(parts)[1]
        check_differences(by_planes, parts, gradient)
        assert np.abs(gradient[2] - deta).max() < 1e-12
        made |= dict(zip(("dW", "db", "deta"), gradient))
    return common.inputs(stored, INPUTS) | made


def make(stored):
    return common.header(stored, LIBRARIES) | {"cases": [case(one) for one in stored["cases"]]}


if __name__ == "__main__":
    common.run(make, FILE)
