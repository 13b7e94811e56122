#!/usr/bin/env python3
"""Log loss and calibration error on test rows: a learner's tree beside a depth-tuned CART.

    python3 benches/calibration.py ESPALIER DATA-FOLDER [--model gradtree] [--seeds 2] [--only a,b] [--prior 0.5,1,2,4] [--cart]

ESPALIER is the program; DATA-FOLDER has a MANIFEST.csv. Parts are drawn here (60/20/20, by class) and handed over in a column,
so that every program and every depth sees the same rows. Probabilities are those that the program predicts. With --prior they
are also made anew from the counts in the tree file, for each strength m of the shrinkage:
p(child) = p(parent) + (f(child) - f(parent)) / (1 + m / n(parent)). CART's depth is the one of least validation log loss; its
probabilities are plain shares (m = 0), as scikit-learn has them, and the shrunken ones.

Every entry of the output is [log loss, calibration error, by chance]. The last is the calibration error that the same
probabilities would have on as many rows if each were exactly right: few rows in a bin seldom have just the promised share. It
is the mean over 40 draws of the classes from the probabilities. What lies above it is miscalibration.
"""
import argparse, csv, json, math, random, subprocess, sys, tempfile
from collections import defaultdict
from pathlib import Path

DEPTHS = (2, 3, 4, 5, 6, 8, 10)


def run(program, *arguments):
    subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def parts(labels, seed):
    """train, valid or test for each row, by class."""
    rows, drawn = defaultdict(list), [None] * len(labels)
    for at, label in enumerate(labels):
        rows[label].append(at)
    dice = random.Random(seed)
    for members in rows.values():
        dice.shuffle(members)
        for place, at in enumerate(members):
            share = (place + 0.5) / len(members)
            drawn[at] = "test" if share < 0.2 else "valid" if share < 0.4 else "train"
    return drawn


def predicted(program, folder, table, target, model, depth):
    """The tree file and, per row of the table, the leaf and the program's probabilities."""
    tree, answers = folder / "tree.json", folder / "answers.csv"
    depth = [] if depth is None else ["--depth", depth]
    run(program, "train", table, "--target", target, "--task", "classification", "--model", model, *depth, "--split-column",
        "part of the rows", "--tree", tree, "--predictions", answers, "--progress", "none")
    tree = json.loads(tree.read_text())
    rows = list(csv.reader(answers.open(newline="")))
    head, rows, classes = rows[0], rows[1:], tree["target"]["classes"]
    first = len(head) - 1 - len(classes)
    return tree, [int(row[-1]) for row in rows], [[float(cell) for cell in row[first:-1]] for row in rows]


def shares(tree, m):
    """Probabilities by leaf, from the counts in the file; plain shares for m = 0."""
    nodes = tree["trees"][0]["nodes"]
    classes = len(tree["target"]["classes"])
    share = [[k / max(1, sum(node["leaf_distribution"])) for k in node["leaf_distribution"]] for node in nodes]
    if m:
        counts = nodes[0]["leaf_distribution"]
        share[0] = [(k + 1 / classes) / (sum(counts) + 1) for k in counts]
    found = {0: share[0]}
    for at, node in enumerate(nodes):
        for side in ("left_child", "right_child"):
            if side in node:
                part = 1 / (1 + m / max(1, sum(node["leaf_distribution"])))
                found[node[side]] = [p + part * (b - a) for p, a, b in zip(found[at], share[at], share[node[side]])]
    return found


def calibration(probabilities, truth, classes):
    """The calibration error as the program has it."""

    def error(k):
        gap = [0.0] * 10
        for p, t in zip(probabilities, truth):
            gap[min(int(p[k] * 10), 9)] += p[k] - (t == k)
        return sum(map(abs, gap)) / len(truth)

    return error(1) if classes == 2 else sum(map(error, range(classes))) / classes


def scores(probabilities, truth, classes, draws=40):
    """Log loss, the calibration error, and what it would be by chance."""
    loss = -sum(math.log(min(max(p[t], 1e-15), 1 - 1e-15)) for p, t in zip(probabilities, truth)) / len(truth)
    dice = random.Random(1)
    drawn = lambda: [dice.choices(range(classes), weights=p)[0] for p in probabilities]
    chance = sum(calibration(probabilities, drawn(), classes) for _ in range(draws)) / max(1, draws)
    return loss, calibration(probabilities, truth, classes), chance


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("folder", type=Path)
    options.add_argument("--model", default="gradtree")
    options.add_argument("--seeds", type=int, default=2)
    options.add_argument("--seed", type=int, default=0, help="the first one")
    options.add_argument("--only", default="")
    options.add_argument("--most-rows", type=int, default=6000)
    options.add_argument("--prior", default="")
    options.add_argument("--cart", action="store_true", help="also CART, its depth tuned")
    asked = options.parse_args()
    priors = [float(m) for m in asked.prior.split(",") if m]
    for one in csv.DictReader((asked.folder / "MANIFEST.csv").open(newline="")):
        if one["task"] == "regression" or int(one["n"]) > asked.most_rows or one["name"].endswith("-full"):
            continue
        if asked.only and one["name"] not in asked.only.split(","):
            continue
        table = list(csv.reader((asked.folder / one["file"]).open(newline="")))
        head, rows = table[0], [row for row in table[1:] if row[-1] != ""]
        sums = defaultdict(list)
        for seed in range(asked.seed, asked.seed + asked.seeds):
            drawn = parts([row[-1] for row in rows], seed)
            with tempfile.TemporaryDirectory() as place:
                place = Path(place)

                def written(name, parts):
                    with (place / name).open("w", newline="") as file:
                        csv.writer(file).writerows([[*head, "part of the rows"]] + [[*r, p] for r, p in zip(rows, parts)])
                    return place / name

                def judged(tree, leaves, given, part, wanted, draws=40):
                    places = {word: k for k, word in enumerate(tree["target"]["classes"])}
                    rows_of = [at for at, p in enumerate(drawn) if p == part and rows[at][-1].strip() in places]
                    truth = [places[rows[at][-1].strip()] for at in rows_of]
                    by_leaf = {m: shares(tree, m) for m in wanted if m is not None}
                    pick = lambda m, at: given[at] if m is None else by_leaf[m][leaves[at]]
                    return {m: scores([pick(m, at) for at in rows_of], truth, len(places), draws) for m in wanted}

                whole = written("whole.csv", drawn)
                try:
                    found = judged(*predicted(asked.program, place, whole, head[-1], asked.model, None), "test", [None, *priors])
                    for m, found_scores in found.items():
                        sums["predicted" if m is None else f"m={m:g}"].append(found_scores)
                    if asked.cart:
                        # Validation rows are held out by calling them test rows.
                        inner = written("inner.csv", ["test" if p != "train" else p for p in drawn])

                        def loss(depth):
                            grown = predicted(asked.program, place, inner, head[-1], "cart", depth)
                            return judged(*grown, "valid", [0.0], draws=0)[0.0][0]

                        depth = min(DEPTHS, key=loss)
                        found = judged(*predicted(asked.program, place, whole, head[-1], "cart", depth), "test", [0.0, *priors])
                        for m, found_scores in found.items():
                            sums[f"cart m={m:g}"].append(found_scores)
                except subprocess.CalledProcessError:
                    print(f"{one['name']}, seed {seed}: refused", file=sys.stderr)
        mean = lambda rows, at: sum(row[at] for row in rows) / len(rows)
        line = {name: [round(mean(rows, at), 4) for at in range(3)] for name, rows in sums.items()}
        if line:
            print(json.dumps({"name": one["name"], "n": int(one["n"]), "classes": one["task"], **line}), flush=True)


if __name__ == "__main__":
    main()
