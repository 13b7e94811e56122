"""What the generators share: files, the paths of a complete tree, and the comparison of two files.

A generator is a module `make_<name>.py` with

* `FILE`: the golden file it makes,
* `LIBRARIES`: the distributions whose versions it records,
* `INPUTS`: the keys that it copies from the stored file; every other key is computed,
* `ALLOWED`: by key, the (absolute, relative) difference that the check allows; `None` stands for other keys,
* `make(stored)`: the whole new content of the file.
"""

import json
import math
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

GOLDEN = Path(__file__).resolve().parent.parent

# The head of a file, and two measurements of how well a solver agreed, which depend on the solver.
NOT_COMPARED = {"made_by", "library_versions", "seed", "tolerance", "notes",
                "solver_max_abs_diff", "finite_difference_max_abs_diff"}


def read(name, folder=GOLDEN):
    return json.loads((Path(folder) / name).read_text())


def header(stored, libraries):
    """The head of a file: that of the stored file, with the versions of this environment."""
    head = {key: stored[key] for key in ("seed", "tolerance", "notes") if key in stored}
    return head | {"library_versions": {name: version(name) for name in libraries}}


def plain(value):
    """Numpy's numbers and arrays as Python's, so that they can be written as JSON."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def inputs(case, keys):
    return {key: case[key] for key in case if key in keys}


def paths(depth):
    """Per leaf (row) and level (column): the node above the leaf, and whether the leaf is to its right."""
    leaf = np.arange(2**depth)[:, None]
    level = np.arange(depth)[None, :]
    node = 2**level - 1 + leaf // 2 ** (depth - level)
    right = (leaf // 2 ** (depth - level - 1)) % 2
    return node, right


def run(make, file):
    """The main function of a generator: write the file into the folder that the command line names."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {Path(sys.argv[0]).name} FOLDER   (writes FOLDER/{file})")
    write(make(read(file)), file, sys.argv[1])


def write(content, file, folder):
    target = Path(folder) / file
    target.parent.mkdir(parents=True, exist_ok=True)
    made_by = {"made_by": f"tests/golden/generate/make_{target.stem}.py"}
    target.write_text(json.dumps(made_by | plain(content), separators=(",", ":")))


class Comparison:
    """The stored content beside the new one: how many values were computed, and the largest difference. Whole
    numbers, words and the structure must be equal."""

    def __init__(self, allowed, copied):
        self.allowed, self.copied = allowed, copied
        self.computed, self.largest, self.where, self.problems = 0, 0.0, "", []

    def walk(self, stored, made, key=None, path=""):
        if isinstance(stored, dict) and isinstance(made, dict):
            for name in (stored.keys() | made.keys()) - NOT_COMPARED:
                below = f"{path}.{name}" if path else name
                if name in stored and name in made:
                    # A name that is the number of a node belongs to the key above it.
                    self.walk(stored[name], made[name], key if name.isdigit() else name, below)
                else:
                    only = "stored" if name in stored else "new"
                    self.problems.append(f"{below} is only in the {only} file")
        elif isinstance(stored, list) and isinstance(made, list):
            if len(stored) != len(made):
                self.problems.append(f"{path}: {len(stored)} items stored, {len(made)} made")
            for at, (one, other) in enumerate(zip(stored, made)):
                self.walk(one, other, key, f"{path}[{at}]")
        else:
            self.value(stored, made, key, path)

    def value(self, stored, made, key, path):
        self.computed += key not in self.copied
        number = (int, float)
        whole = type(stored) is int and type(made) is int
        if whole or not (type(stored) in number and type(made) in number):
            if stored != made or type(stored) is not type(made):
                self.problems.append(f"{path}: {stored!r} stored, {made!r} made")
            return
        difference = abs(stored - made)
        if difference > self.largest:
            self.largest, self.where = difference, path
        absolute, relative = self.allowed.get(key, self.allowed[None])
        if not difference <= absolute + relative * abs(stored) or not math.isfinite(made):
            self.problems.append(f"{path}: {stored!r} stored, {made!r} made")
