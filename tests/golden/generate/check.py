"""Makes every golden file anew in a temporary folder and compares it with the stored one.

Prints a line per file. Exits with 1 if a file differs by more than its tolerance, or if nothing could be
compared. A file whose libraries are not installed is skipped, and its line says so."""

import argparse
import importlib
import sys
import tempfile
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent.parent
GENERATORS = ["data", "entmax15", "gradtree_dense", "optimizers", "get_soft", "get_training",
              "sparse_relaxation", "cart_small", "cart_breast_cancer", "cart_losses", "preprocess_metrics",
              "statistics"]


def both(generator, stored_folder, folder):
    """The stored content and the new one, read back from the folder that it is written to."""
    import common

    if hasattr(generator, "write"):
        generator.write(folder)
        return generator.read(stored_folder), generator.read(folder)
    stored = common.read(generator.FILE, stored_folder)
    common.write(generator.make(stored), generator.FILE, folder)
    return stored, common.read(generator.FILE, folder)


def check(name, stored_folder, folder):
    """The line of one generator, and whether its file is the same; None if it was skipped."""
    try:
        import common

        generator = importlib.import_module(f"make_{name}")
    except ModuleNotFoundError as error:
        if error.name == "common" or error.name.startswith("make_"):
            raise
        return f"{name}: skipped, because the library {error.name} is not installed", None
    try:
        stored, made = both(generator, stored_folder, folder)
    except AssertionError as error:
        return f"{generator.FILE}: DIFFERENT, a check of the generator itself failed {error}", False
    comparison = common.Comparison(generator.ALLOWED, generator.INPUTS)
    comparison.walk(stored, made)
    largest = f"{comparison.largest:.1e} at {comparison.where}" if comparison.where else "0"
    line = f"{generator.FILE}: {comparison.computed} values computed, largest difference {largest}"
    if not comparison.problems:
        return f"{line}: same", True
    shown = "".join(f"\n    {problem}" for problem in comparison.problems[:10])
    return f"{line}: DIFFERENT ({len(comparison.problems)}){shown}", False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    everything = ", ".join(GENERATORS)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"what to check, of {everything}")
    parser.add_argument("--stored", default=GOLDEN, help="where the stored files are, if not in tests/golden")
    options = parser.parse_args()
    unknown = set(options.names) - set(GENERATORS)
    if unknown:
        parser.error(f"no generator is called {', '.join(sorted(unknown))}")
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names or GENERATORS:
            line, same = check(name, options.stored, folder)
            print(line, flush=True)
            results.append(same)
    print(f"{results.count(True)} the same, {results.count(False)} different, {results.count(None)} skipped")
    sys.exit(1 if False in results or True not in results else 0)


if __name__ == "__main__":
    main()
