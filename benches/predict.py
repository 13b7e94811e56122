"""A million rows predicted by espalier, scikit-learn and ONNX Runtime from the same tree, in one run.

    cargo build --release && target/python/bin/pip install polars pyarrow
    target/python/bin/python benches/predict.py DATA.csv TARGET [ROWS]

Three things are measured, each the best of several rounds in which the programs take turns:
predicting alone, from a matrix of f32 in memory to a leaf and an answer per row; the whole way from a CSV file to a CSV file with the
answers; and the size of the tree in every form. The others read and write with whichever of pandas, pyarrow and polars is quickest here,
without the time to start Python; espalier is the whole program. Their leaves are compared with ours before anything is printed.
"""

import gzip
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
import onnxruntime
import pandas
import polars
import pyarrow
import pyarrow.csv

PROJECT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = PROJECT / "target/release/espalier"
ROUNDS = 3


def timed(work):
    begun = time.perf_counter()
    answer = work()
    return time.perf_counter() - begun, answer


def in_turns(works, rounds):
    """The best time of each, the programs taking turns, so that a busy moment of the machine meets them all; and what they gave."""
    best, answers = {}, {}
    for _ in range(rounds):
        for name, work in works.items():
            seconds, answers[name] = timed(work)
            best[name] = min(best.get(name, seconds), seconds)
    return best, answers


def table(heads, rows):
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    print()


def load_sklearn(path):
    specification = importlib.util.spec_from_file_location("tree_sklearn", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def main(data, target, wanted):
    folder = pathlib.Path(tempfile.mkdtemp())
    tree, rows, out = folder / "tree.json", folder / "rows.csv", folder / "out.csv"
    train = ["train", data, "--target", target, "--model", "cart", "--depth", "6", "--tree", tree, "--progress", "none"]
    subprocess.run([PROGRAM, *train], check=True, stdout=subprocess.DEVNULL)
    header, *lines = pathlib.Path(data).read_text("utf-8").splitlines()
    rows.write_text("\n".join([header, *(lines * (wanted // len(lines) + 1))[:wanted]]) + "\n", "utf-8")
    for form, ending in [("sklearn", "py"), ("onnx", "onnx")]:
        subprocess.run([PROGRAM, "export", tree, "--to", form, "--out", folder / f"{form}.{ending}"], check=True)

    sklearn = load_sklearn(folder / "sklearn.py")
    if any("words" in feature for feature in sklearn.FEATURES):
        sys.exit("Choose a file of numbers: how words are encoded would be measured too.")
    names = [feature["name"] for feature in sklearn.FEATURES]
    sessions = {}
    for threads in (1, os.cpu_count()):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        sessions[threads] = onnxruntime.InferenceSession(str(folder / "onnx.onnx"), options)

    # Their readers and writers: the quickest is used below.
    columns = {name: numpy.float32 for name in names}
    readers = {
        "pandas": lambda: pandas.read_csv(rows, dtype=columns),
        "pandas with pyarrow": lambda: pandas.read_csv(rows, dtype=columns, engine="pyarrow"),
        "pyarrow": lambda: pyarrow.csv.read_csv(rows).to_pandas(),
        "polars": lambda: polars.read_csv(rows),
    }
    reading, frames = in_turns(readers, ROUNDS)
    frame, polar = frames["pandas"], frames["polars"]
    writers = {
        "pandas": lambda: frame.to_csv(out, index=False),
        "pyarrow": lambda: pyarrow.csv.write_csv(pyarrow.Table.from_pandas(frame, preserve_index=False), out),
        "polars": lambda: polar.write_csv(out),
    }
    writing, _ = in_turns(writers, 1)
    print(f"{wanted} rows, {len(frame.columns)} columns, {rows.stat().st_size / 1e6:.0f} MB; {os.cpu_count()} cores, "
          f"load {os.getloadavg()[0]:.1f}\n")
    table(["their CSV", *sorted({*readers, *writers})], [
        ["read, s", *(f"{reading[name]:.2f}" if name in reading else "" for name in sorted({*readers, *writers}))],
        ["write, s", *(f"{writing[name]:.2f}" if name in writing else "" for name in sorted({*readers, *writers}))],
    ])

    # Predicting alone.
    x = numpy.ascontiguousarray(frame[names].to_numpy(dtype=numpy.float32))
    values = sklearn.model.tree_.value.reshape(sklearn.model.tree_.node_count, -1)[:, 0]

    def by_sklearn(x):
        leaves = sklearn.model.apply(x)
        return leaves, values[leaves]

    def by_onnx(x, threads):
        leaves, answers = sessions[threads].run(["leaf", "prediction"], {"X": x})
        return leaves.reshape(-1), answers.reshape(-1)

    cores = os.cpu_count()
    alone = {"scikit-learn": lambda: by_sklearn(x)} | {
        f"ONNX Runtime, {threads} thread{'s' * (threads > 1)}": (lambda threads=threads: by_onnx(x, threads)) for threads in sessions
    }
    seconds, answers = in_turns(alone, 5)
    measure = ["cargo", "bench", "--profile", "release", "--quiet", "--bench", "predict", "--", tree, rows]
    parts = subprocess.run(measure, check=True, capture_output=True, text=True, cwd=PROJECT).stdout
    parts = json.loads(parts.strip().splitlines()[-1])
    ours = parts["route_all"]
    table(["predicting alone", "s", "ratio to espalier", "million rows a second"],
          [[name, f"{time:.4f}", f"{time / ours:.2f}", f"{wanted / time / 1e6:.1f}"]
           for name, time in {"espalier, 1 thread": ours, **seconds}.items()])

    # The whole way.
    def espalier():
        command = [PROGRAM, "predict", tree, rows, "--out", folder / "espalier.csv", "--progress", "none"]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)

    def whole(predict):
        polar = polars.read_csv(rows)
        leaves, found = predict(polar.select(names).to_numpy(order="c").astype(numpy.float32))
        polar.with_columns(prediction=polars.Series(found), leaf=polars.Series(leaves)).write_csv(out)

    whole_way = {
        "espalier predict, 1 thread": espalier,
        f"polars + scikit-learn, {cores} threads": lambda: whole(by_sklearn),
        f"polars + ONNX Runtime, {cores} threads": lambda: whole(lambda x: by_onnx(x, cores)),
    }
    seconds, _ = in_turns(whole_way, ROUNDS)
    ours = seconds["espalier predict, 1 thread"]
    leaves = pandas.read_csv(folder / "espalier.csv", usecols=["leaf"])["leaf"].to_numpy()
    for name, (found, _) in answers.items():
        assert (numpy.asarray(found).astype(int) == leaves).all(), name
    table(["CSV to CSV", "s", "ratio to espalier"], [[name, f"{time:.2f}", f"{time / ours:.2f}"] for name, time in seconds.items()])
    table(["espalier's parts", "survey", "cells", "values", "route", "write (to memory)"],
          [["s", *(f"{parts[key]:.3f}" for key in ["survey", "cells", "values", "route", "write"])]])

    forms = ["json", "text", "markdown", "svg", "dot", "python", "javascript", "c", "rust", "sql", "sklearn", "onnx", "xgboost", "pmml"]
    sizes = {}
    for form in forms:
        written = subprocess.run([PROGRAM, "export", tree, "--to", form], check=True, capture_output=True).stdout
        sizes[form] = (len(written), len(gzip.compress(written)))
    nodes = len(json.loads(tree.read_text("utf-8"))["trees"][0]["nodes"])
    table([f"depth 6, {nodes} nodes", *forms], [
        ["bytes", *(f"{size:,}" for size, _ in sizes.values())],
        ["gzipped", *(f"{size:,}" for _, size in sizes.values())],
    ])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000)
