"""The forest beside scikit-learn's, on the same rows.

    python3 benches/forest.py ESPALIER DATA [SEEDS]

ESPALIER is the program, DATA a folder with a MANIFEST.csv (name, file, task, target). For every regression table and seed
three quarters of the rows are drawn to train on; both forests have 100 trees that look at a third of the columns in each
node. Prints R² on the other quarter as a Markdown table.
"""

import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy
import pandas
from sklearn.ensemble import RandomForestRegressor
from sklearn.metrics import r2_score

program, data, seeds = sys.argv[1], pathlib.Path(sys.argv[2]), int((sys.argv + ["3"])[3])
print("| dataset | ours | scikit-learn | difference |\n| --- | ---: | ---: | ---: |")
means = []
with open(data / "MANIFEST.csv", encoding="utf-8") as manifest:
    tables = [line for line in csv.DictReader(manifest) if line["task"] == "regression"]
for line in tables:
    frame = pandas.read_csv(data / line["file"])
    ours, theirs = [], []
    for seed in range(seeds):
        test = numpy.random.default_rng(seed).permutation(len(frame)) < len(frame) // 4
        with tempfile.TemporaryDirectory() as folder:
            file, report = pathlib.Path(folder) / "table.csv", pathlib.Path(folder) / "report.json"
            frame.assign(part_of_split=numpy.where(test, "test", "train")).to_csv(file, index=False)
            subprocess.run(
                [program, "train", file, "--model", "forest", "--target", line["target"], "--task", "regression",
                 "--split-column", "part_of_split", "--seed", str(seed), "--report", report, "--progress", "none"],
                check=True,
            )
            ours.append(json.loads(report.read_text())["metrics"]["test"]["r2"])
        x = frame.drop(columns=line["target"])
        for name in x.select_dtypes(exclude="number"):
            x[name] = x[name].astype("category").cat.codes
        columns = math.ceil(x.shape[1] / 3)
        forest = RandomForestRegressor(100, max_features=columns, random_state=seed, n_jobs=-1)
        forest.fit(x[~test], frame.loc[~test, line["target"]])
        theirs.append(r2_score(frame.loc[test, line["target"]], forest.predict(x[test])))
    means.append((numpy.mean(ours), numpy.mean(theirs)))
    print(f"| {line['name']} | {means[-1][0]:.4f} | {means[-1][1]:.4f} | {means[-1][0] - means[-1][1]:+.4f} |", flush=True)
ours, theirs = numpy.mean(means, axis=0)
print(f"| **mean** | {ours:.4f} | {theirs:.4f} | {ours - theirs:+.4f} |")
