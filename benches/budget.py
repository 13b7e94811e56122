#!/usr/bin/env python3
"""How well `espalier train --budget` keeps to its budget on a large file.

    python3 benches/budget.py ESPALIER [--models cart,forest] [--budgets 5,10,20,40] [--rows 900000] [--out FILE.json]

Makes the file once (seeded, in the system's temporary folder) and prints one line per model and budget: the wall time from the start of
encoding to the scored model, which is what the budget covers (reading the file is apart), how much longer that is than the budget, and
where it went. A run keeps its budget if it ends within 5 % plus one slice (0.1 s). `rest` is the greedy tree beside it and all scores.
"""
import argparse, json, os, random, subprocess, sys, tempfile
from pathlib import Path

SLICE = 0.1
# GET's linear leaves are for numbers; each other learner is asked for the class.
TARGETS = {"cart": "class", "gradtree": "class", "get": "class", "relaxed": "class", "forest": "class", "get-linear": "number"}
CITIES = [f"city {chr(65 + at % 26)}{at}" for at in range(40)]


def write(path, rows, seed=1):
    """Six numbers (one with missing cells), two columns of words, a class of three, and a number."""
    dice = random.Random(seed)
    with open(path, "w") as out:
        out.write("a,b,c,d,e,f,colour,city,class,number\n")
        for _ in range(rows):
            a, b, c = dice.random(), dice.random(), dice.gauss(0, 1)
            d, e = dice.randrange(100), dice.expovariate(0.1)
            f = "" if dice.random() < 0.03 else f"{dice.gauss(20, 5):.2f}"
            colour, city = dice.randrange(4), int(40 * dice.random() ** 2)
            score = a + 0.5 * b * (1 if c > 0 else -1) + 0.1 * (colour == 2) + 0.005 * city + 0.1 * dice.gauss(0, 1)
            label = "low" if score < 0.4 else "middle" if score < 0.8 else "high"
            number = 10 * score + 0.02 * d + 0.05 * e
            word = ("red", "green", "blue", "grey")[colour]
            out.write(f"{a:.4f},{b:.4f},{c:.3f},{d},{e:.2f},{f},{word},{CITIES[city]},{label},{number:.3f}\n")


def measured(program, data, model, budget, folder, threads):
    report = folder / "report.json"
    other = "number" if TARGETS[model] == "class" else "class"
    command = [program, "train", data, "--target", TARGETS[model], "--ignore", other, "--model", model, "--budget",
               f"{int(budget * 1000)}ms", "--report", report, "--progress", "none", *threads]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    said = json.loads(report.read_text())
    seconds = said["seconds"]
    took = seconds["total"] - seconds["read"]
    return {
        "model": model, "budget": budget, "took": took, "over": took / budget - 1, "encode": seconds["encode"],
        "train": seconds["train"], "rest": took - seconds["encode"] - seconds["train"], "ended": said["stop_reason"],
        "nodes": said["tree"]["nodes"], "kept": took <= 1.05 * budget + SLICE, "load": os.getloadavg()[0],
        "said": [line for line in done.stderr.splitlines() if "budget" in line], "left out": said.get("left_out", []),
    }


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("program")
    words.add_argument("--models", default=",".join(TARGETS))
    words.add_argument("--budgets", default="5,10,20,40")
    words.add_argument("--rows", type=int, default=900_000)
    words.add_argument("--threads")
    words.add_argument("--out")
    asked = words.parse_args()
    data = Path(tempfile.gettempdir()) / f"espalier-budget-{asked.rows}.csv"
    if not data.exists():
        part = data.with_suffix(f".{os.getpid()}")
        write(part, asked.rows)
        part.rename(data)
    threads = ["--threads", asked.threads] if asked.threads else []
    print("| model | budget s | took s | over | kept | encode | train | rest | ended | nodes | load |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for model in asked.models.split(","):
            for budget in map(float, asked.budgets.split(",")):
                line = measured(asked.program, data, model, budget, Path(folder), threads)
                lines.append(line)
                print("| {model} | {budget:g} | {took:.2f} | {over:+.1%} | {0} | {encode:.2f} | {train:.2f} | {rest:.2f} | "
                      "{ended} | {nodes} | {load:.1f} |".format("yes" if line["kept"] else "**no**", **line), flush=True)
                for said in line["said"]:
                    print("    ", said, file=sys.stderr, flush=True)
    if asked.out:
        Path(asked.out).write_text(json.dumps(lines, indent=1))


if __name__ == "__main__":
    main()
