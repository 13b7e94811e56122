"""get_training.json: GET's learning-rate schedule, and a run of forty epochs.

An epoch measures the soft loss and the hard error of the refitted tree, then takes one step of AdamW.
Gradients are automatic; AdamW is the one of make_optimizers.py."""

import autograd.numpy as np
from autograd import value_and_grad

import common
from make_get_soft import refit_constant, routes, soft_loss
from make_optimizers import AdamW

FILE = "get_training.json"
LIBRARIES = ["numpy", "autograd"]
INPUTS = {"kind", "epochs", "hi", "lo", "steps", "depth", "alpha", "X", "y", "a0", "b0", "h0", "weight_decay"}
ALLOWED = {None: (1e-8, 0.0), "lr": (1e-12, 0.0)}


def learning_rate(step, epochs, hi=0.01, lo=1e-6):
    """Eleven steps of linear warm-up, then one cosine."""
    if step <= 11:
        return lo + (hi - lo) * step / 11
    return lo + (hi - lo) * (1 + np.cos(np.pi * (step - 11) / (epochs - 10))) / 2


def schedule(stored):
    rates = [learning_rate(step, stored["epochs"], stored["hi"], stored["lo"]) for step in stored["steps"]]
    return {"lr": rates}


def trace(stored):
    x, y, epochs = np.array(stored["X"]), np.array(stored["y"]), stored["epochs"]
    parts = [np.array(stored[name]) for name in ("a0", "b0", "h0")]
    optimisers = [AdamW(part.shape, weight_decay=stored["weight_decay"]) for part in parts]
    lines, best = [], (np.inf, None)
    for epoch in range(epochs):
        loss, gradient = value_and_grad(soft_loss)(parts, x, y, stored["alpha"], 0.0)
        _, mse = refit_constant(routes(parts[0], parts[1], x, stored["depth"]), y, len(parts[2]))
        lines.append({"soft_loss": loss, "hard_mse": mse})
        if mse < best[0]:
            best = (mse, epoch)
        rate = learning_rate(epoch, epochs)
        parts = [optimiser.step(part, g, rate) for optimiser, part, g in zip(optimisers, parts, gradient)]
    made = {"trace": lines, "best_hard_mse": best[0], "best_epoch": best[1]}
    return made | dict(zip(("a_end", "b_end", "h_end"), parts))


def make(stored):
    made = {"lr_schedule": schedule, "training_trace": trace}
    cases = [common.inputs(one, INPUTS) | made[one["kind"]](one) for one in stored["cases"]]
    return common.header(stored, LIBRARIES) | {"cases": cases}


if __name__ == "__main__":
    common.run(make, FILE)
