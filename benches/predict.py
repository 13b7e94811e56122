"""A million rows predicted by espalier, scikit-learn, ONNX Runtime, XGBoost and DuckDB from the same tree, in one run.

    cargo build --release && target/python/bin/python benches/predict.py DATA.csv TARGET [ROWS]

Every program reads the same CSV and writes its answers as CSV; the times of reading, predicting and writing are theirs. The
answers are compared before anything is printed.
"""

import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import time

import duckdb
import numpy
import onnxruntime
import pandas
import xgboost

PROJECT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = PROJECT / "target/release/espalier"


def timed(work):
    begun = time.perf_counter()
    answer = work()
    return time.perf_counter() - begun, answer


def main(data, target, wanted):
    folder = pathlib.Path(tempfile.mkdtemp())
    tree, rows = folder / "tree.json", folder / "rows.csv"
    train = ["train", data, "--target", target, "--model", "cart", "--depth", "6", "--tree", tree, "--progress", "none"]
    subprocess.run([PROGRAM, *train], check=True, stdout=subprocess.DEVNULL)
    header, *lines = pathlib.Path(data).read_text("utf-8").splitlines()
    repeated = (lines * (wanted // len(lines) + 1))[:wanted]
    rows.write_text("\n".join([header, *repeated]) + "\n", "utf-8")
    for form, ending in [("sklearn", "py"), ("onnx", "onnx"), ("xgboost", "json"), ("sql", "sql")]:
        subprocess.run([PROGRAM, "export", tree, "--to", form, "--out", folder / f"{form}.{ending}"], check=True)

    def ours():
        command = [PROGRAM, "predict", tree, rows, "--out", folder / "espalier.csv", "--progress", "none"]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)

    whole, _ = timed(ours)
    answers = pandas.read_csv(folder / "espalier.csv", usecols=["prediction", "leaf"], dtype=str)
    leaves = answers["leaf"].astype(int).to_numpy()

    read, frame = timed(lambda: pandas.read_csv(rows))
    specification = importlib.util.spec_from_file_location("tree_sklearn", folder / "sklearn.py")
    sklearn = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(sklearn)
    names = [feature["name"] for feature in sklearn.FEATURES]
    if any("words" in feature for feature in sklearn.FEATURES):
        sys.exit("Choose a file of numbers: how words are encoded would be measured too.")
    x = frame[names].to_numpy(dtype=numpy.float32)

    session = onnxruntime.InferenceSession(str(folder / "onnx.onnx"))
    booster = xgboost.Booster(model_file=str(folder / "xgboost.json"))
    database = duckdb.connect()
    load, _ = timed(lambda: database.execute(f"CREATE TABLE data AS SELECT * FROM read_csv('{rows}')"))
    query = (folder / "sql.sql").read_text("utf-8")
    runs = {
        "scikit-learn, predict": (read, lambda: (sklearn.model.apply(x), sklearn.model.predict(x))[0]),
        "ONNX Runtime": (read, lambda: session.run(["leaf", "prediction"], {"X": x})[0]),
        "XGBoost": (read, lambda: booster.predict(xgboost.DMatrix(x, feature_names=booster.feature_names), pred_leaf=True)),
        "DuckDB, sql": (load, lambda: database.execute(query).fetchnumpy()["leaf"]),
    }
    write, _ = timed(lambda: frame.assign(prediction=answers["prediction"], leaf=leaves).to_csv(folder / "out.csv", index=False))
    print(f"{len(leaves)} rows, {len(frame.columns)} columns, {rows.stat().st_size / 2**20:.0f} MB\n")
    print("| program | read, s | predict, s | write, s | whole, s | whole, ratio to espalier |\n| --- | --- | --- | --- | --- | --- |")
    print(f"| espalier predict | | | | {whole:.2f} | 1 |")
    for name, (reading, work) in runs.items():
        seconds, found = min((timed(work) for _ in range(3)), key=lambda run: run[0])
        assert (numpy.asarray(found).reshape(-1).astype(int) == leaves).all(), name
        total = reading + seconds + write
        print(f"| {name} | {reading:.2f} | {seconds:.3f} | {write:.2f} | {total:.2f} | {total / whole:.1f} |")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000)
