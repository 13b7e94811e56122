#!/usr/bin/env python3
"""Whether two builds of the program learn the same trees, byte for byte.

    python3 tests/same_trees.py OLD NEW DATA-FOLDER [--only a,b] [--models gradtree,get] [--quick]

OLD and NEW are two builds of `espalier`; DATA-FOLDER has a MANIFEST.csv. Each learner is trained by both on 18 files (9 with
classes, 9 with numbers) under each recipe, and the tree files are compared. Searches are cut short, since a change of order or
of a number shows in the first epochs; `--quick` takes a third of the files. Left out of the comparison: `training.steps`, which
counts how the work was sliced, settings that only one of the two programs has, and words of settings that were renamed.
Exit status 1 if a pair differs.
"""
import argparse, csv, json, subprocess, sys, tempfile
from pathlib import Path

CLASSES = ["titanic", "iris", "glass", "blood-transfusion", "heart-failure", "balance-scale", "wine", "zoo", "horse-colic"]
NUMBERS = ["airfoil-self-noise", "autohorse", "pbc", "sacramento", "space-ga", "meta", "abalone", "life-expectancy", "cpu-small"]
# Model, recipe and what shortens its search; the published ones are long by design.
RUNS = [
    ("cart", "espalier", []),
    ("gradtree", "espalier", ["depth=4"]),
    ("gradtree", "published", ["depth=5", "epochs=12", "restarts=2"]),
    ("get", "espalier", ["depth=4", "epochs=60"]),
    ("get", "published", ["depth=3", "epochs=25", "starts=2"]),
    ("get-linear", "espalier", ["depth=3", "epochs=60"]),
    ("get-linear", "published", ["depth=2", "epochs=25", "starts=2"]),
    ("relaxed", "espalier", ["depth=4", "epochs=20"]),
    ("relaxed", "published", ["depth=3", "epochs=4"]),
]


def trained(program, table, target, task, model, recipe, settings, tree):
    """The tree file's bytes, or the refusal in words: that has to be the same too."""
    sets = [word for setting in settings for word in ("--set", setting)]
    call = [program, "train", table, "--target", target, "--task", task, "--model", model, "--recipe", recipe, *sets]
    done = subprocess.run([*map(str, call), "--tree", str(tree), "--progress", "none"], capture_output=True)
    return tree.read_bytes() if done.returncode == 0 else done.stderr


# A setting's word before and after it was renamed.
RENAMED = {("teach", "on"): "forest"}


def alike(old, new):
    """Whether two tree files say the same of the tree."""
    if old == new:
        return True
    if not (old.startswith(b"{") and new.startswith(b"{")):
        return False
    pair = [json.loads(text) for text in (old, new)]
    known = set.intersection(*(set(tree["training"]["config"]) for tree in pair))
    for tree in pair:
        tree["training"].pop("steps")
        settings = tree["training"]["config"].items()
        tree["training"]["config"] = {key: RENAMED.get((key, value), value) for key, value in settings if key in known}
    return pair[0] == pair[1]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("old")
    options.add_argument("new")
    options.add_argument("folder", type=Path)
    options.add_argument("--only", default="")
    options.add_argument("--models", default="")
    options.add_argument("--quick", action="store_true")
    asked = options.parse_args()
    tables = {row["name"]: row["file"] for row in csv.DictReader((asked.folder / "MANIFEST.csv").open(newline=""))}
    step = 3 if asked.quick else 1
    files = [(name, "classification") for name in CLASSES[::step]] + [(name, "regression") for name in NUMBERS[::step]]
    same = refused = 0
    different = []
    for name, task in files:
        if asked.only and name not in asked.only.split(","):
            continue
        table = asked.folder / tables[name]
        target = next(csv.reader(table.open(newline="")))[-1]
        for model, recipe, settings in RUNS:
            if asked.models and model not in asked.models.split(","):
                continue
            if model == "get-linear" and task == "classification":
                continue
            with tempfile.TemporaryDirectory() as place:
                arguments = (table, target, task, model, recipe, settings, Path(place) / "tree.json")
                old, new = trained(asked.old, *arguments), trained(asked.new, *arguments)
            refused += not old.startswith(b"{")
            if alike(old, new):
                same += 1
            else:
                different.append(f"{name}: {model}, {recipe}")
                print(f"differs: {different[-1]}", flush=True)
    print(f"{same} passed, {len(different)} failed", flush=True)
    if refused:
        print(f"{refused} of them were refused by the first program")
    sys.exit(bool(different) or same == 0)


if __name__ == "__main__":
    main()
