"""data/*.csv: the four tables behind the CART trees, as scikit-learn ships them. The target is the last
column, `y`.

The check compares the header and every number of every table."""

import csv
import sys
from pathlib import Path

from sklearn import datasets

FILE = "data/*.csv"
INPUTS = set()
ALLOWED = {None: (0.0, 0.0)}
LOADERS = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "breast_cancer": datasets.load_breast_cancer,
    "diabetes": lambda: datasets.load_diabetes(scaled=False),
}


def read(folder):
    """The tables of a folder by name: a header and rows of numbers."""
    tables = {}
    for name in LOADERS:
        with open(Path(folder) / "data" / f"{name}.csv", newline="") as file:
            header, *rows = csv.reader(file)
        tables[name] = {"header": header, "rows": [[float(cell) for cell in row] for row in rows]}
    return tables


def write(folder):
    target = Path(folder) / "data"
    target.mkdir(parents=True, exist_ok=True)
    for name, load in LOADERS.items():
        loaded = load()
        lines = [[f"f{column}" for column in range(loaded.data.shape[1])] + ["y"]]
        # Python's own numbers: the target is a whole number where it is a class.
        lines += [[*x.tolist(), y.item()] for x, y in zip(loaded.data, loaded.target)]
        text = "".join(",".join(map(str, line)) + "\n" for line in lines)
        (target / f"{name}.csv").write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: make_data.py FOLDER   (writes FOLDER/data/*.csv)")
    write(sys.argv[1])
