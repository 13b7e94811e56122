"""optimizers.json: five steps of Adam as in Keras and in PyTorch, of AdamW and of QHAdam.

The stored values come from the libraries (PyTorch, TensorFlow, qhoptim). Here the steps are plain numpy,
written from the update formulas; the check compares them with the stored values of the libraries."""

import numpy as np

import common

FILE = "optimizers.json"
LIBRARIES = ["numpy"]
INPUTS = {"optimizer", "lr", "betas", "nus", "eps", "weight_decay", "note", "theta0", "grads"}
ALLOWED = {None: (1e-9, 0.0)}


class AdamKeras:
    """Adam with epsilon outside the bias correction. Keras stores the learning rate and the betas in f32,
    also where the parameters are f64; without that the two drift apart by 3e-10 a step."""

    def __init__(self, size, betas, eps):
        self.m, self.v, self.t = np.zeros(size), np.zeros(size), 0
        self.betas, self.eps = [float(np.float32(beta)) for beta in betas], eps

    def step(self, theta, g, lr):
        (b1, b2), lr = self.betas, float(np.float32(lr))
        self.t += 1
        self.m = b1 * self.m + (1 - b1) * g
        self.v = b2 * self.v + (1 - b2) * g**2
        rate = lr * np.sqrt(1 - b2**self.t) / (1 - b1**self.t)
        return theta - rate * self.m / (np.sqrt(self.v) + self.eps)


class AdamW:
    """PyTorch's form: both moments are corrected before epsilon is added, and the decay is apart from the
    gradient. Without decay it is PyTorch's Adam."""

    def __init__(self, size, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        self.m, self.v, self.t = np.zeros(size), np.zeros(size), 0
        self.betas, self.eps, self.weight_decay = betas, eps, weight_decay

    def step(self, theta, g, lr):
        b1, b2 = self.betas
        self.t += 1
        self.m = b1 * self.m + (1 - b1) * g
        self.v = b2 * self.v + (1 - b2) * g**2
        m, v = self.m / (1 - b1**self.t), self.v / (1 - b2**self.t)
        return theta * (1 - lr * self.weight_decay) - lr * m / (np.sqrt(v) + self.eps)


class QHAdam:
    """Quasi-hyperbolic Adam; running weights take the place of the bias correction."""

    def __init__(self, size, nus, betas, eps):
        self.m, self.v, self.w1, self.w2 = np.zeros(size), np.zeros(size), 0.0, 0.0
        self.nus, self.betas, self.eps = nus, betas, eps

    def step(self, theta, g, lr):
        (nu1, nu2), (b1, b2) = self.nus, self.betas
        self.w1, self.w2 = 1 + b1 * self.w1, 1 + b2 * self.w2
        self.m = (1 - 1 / self.w1) * self.m + g / self.w1
        self.v = (1 - 1 / self.w2) * self.v + g**2 / self.w2
        step = nu1 * self.m + (1 - nu1) * g
        return theta - lr * step / (np.sqrt(nu2 * self.v + (1 - nu2) * g**2) + self.eps)


def optimiser(case):
    size, betas, eps = len(case["theta0"]), case["betas"], case["eps"]
    if case["optimizer"] == "adam_keras":
        return AdamKeras(size, betas, eps)
    if case["optimizer"] == "qhadam":
        return QHAdam(size, case["nus"], betas, eps)
    return AdamW(size, betas, eps, case.get("weight_decay", 0.0))


def case(stored):
    theta, steps = np.array(stored["theta0"]), optimiser(stored)
    after = []
    for g in stored["grads"]:
        theta = steps.step(theta, np.array(g), stored["lr"])
        after.append(theta)
    return common.inputs(stored, INPUTS) | {"theta_after_each": after}


def make(stored):
    return common.header(stored, LIBRARIES) | {"cases": [case(one) for one in stored["cases"]]}


if __name__ == "__main__":
    common.run(make, FILE)
