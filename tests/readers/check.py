"""Runs every tree in a folder through the programs that Python reaches, and prints one JSON object per tree and reader.

A reader that is not installed is named on stderr and left out.
"""

import copy
import csv
import ctypes
import importlib
import importlib.util
import io
import json
import math
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(sys.argv[1])
PROJECT = pathlib.Path(__file__).resolve().parents[2]


def available(name):
    try:
        return importlib.import_module(name)
    except Exception as error:
        print(f"{name} is not available to Python ({type(error).__name__}); its comparisons are left out.", file=sys.stderr)
        return None


numpy = available("numpy")
pandas = available("pandas")
sklearn = available("sklearn.tree")
onnxruntime = available("onnxruntime")
onnx = available("onnx")
xgboost = available("xgboost")
duckdb = available("duckdb")
jsonschema = available("jsonschema")
jpmml = available("jpmml_evaluator") if shutil.which("java") else None
pypmml = available("pypmml") if shutil.which("java") else None
if not shutil.which("java"):
    print("There is no Java; the PMML readers are left out.", file=sys.stderr)
COMPILER = shutil.which("cc")
if not COMPILER:
    print("There is no C compiler; its comparisons are left out.", file=sys.stderr)


class Case:
    """A tree's files and the rows with what they must give."""

    def __init__(self, name):
        self.name = name
        self.folder = FOLDER / name
        data = json.loads((self.folder / "rows.json").read_text("utf-8"))
        self.features, self.classes, self.rows = data["features"], data["classes"], data["rows"]
        self.sums, self.has_file = data["sums"], data["file"]

    def last(self, rows):
        """The same tree with its last rows only, which lie on and beside the thresholds."""
        shorter = copy.copy(self)
        shorter.rows = self.rows[-rows:]
        return shorter

    def path(self, ending):
        path = self.folder / f"tree.{ending}"
        return path if path.is_file() else None

    def is_words(self, at):
        return self.features[at]["categories"] is not None

    def numbers(self, unseen=-1.0):
        """One list per row: numbers before rounding, positions of words, NaN for missing."""
        def value(at, number):
            if number is None:
                return math.nan
            return unseen if self.is_words(at) and number < 0 else number
        return [[value(at, number) for at, number in enumerate(row["numbers"])] for row in self.rows]

    def columns(self):
        """One list per feature: numbers, or the words themselves; None for missing."""
        def value(at, row):
            number = row["numbers"][at]
            if number is None or not self.is_words(at):
                return number
            return row["cells"][at].strip()
        return [[value(at, row) for row in self.rows] for at in range(len(self.features))]


def report(reader, case, leaves, answers, note=""):
    """Compares a reader's leaves and answers: a class or number each, or the probabilities; None where it gives none."""
    other_leaf = 0 if leaves is None else sum(int(a) != row["leaf"] for a, row in zip(leaves, case.rows, strict=True))
    other_answer = sum(not same(a, row) for a, row in zip(answers, case.rows, strict=True)) if answers is not None else 0
    line = {"reader": reader, "case": case.name, "rows": len(case.rows), "leaves": other_leaf, "answers": other_answer}
    print(json.dumps({**line, "note": note}))


def same(answer, row):
    if isinstance(answer, str) or isinstance(answer, (float, int)):
        return answer == row["prediction"]
    return all(abs(a - b) <= 1e-6 for a, b in zip(answer, row["probabilities"], strict=True))


def module(path, name):
    specification = importlib.util.spec_from_file_location(name, path)
    loaded = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(loaded)
    return loaded


def check_python(case):
    path = case.path("py")
    tree = module(path, "tree")
    tree.test()
    names = [feature["name"] for feature in case.features]
    found = [tree.predict(dict(zip(names, row["cells"]))) for row in case.rows]
    report("python", case, [answer["leaf"] for answer in found], [answer["prediction"] for answer in found])
    if case.classes:
        report("python", case, None, [list(answer["probabilities"].values()) for answer in found])
    if case.has_file:
        # The module runs under the bare interpreter, without anything installed.
        command = [sys.executable, "-I", "-S", str(path), str(case.folder / "data.csv")]
        printed = subprocess.run(command, capture_output=True, check=True).stdout
        wanted = (case.folder / "answers.csv").read_bytes()
        differ = sum(a != b for a, b in zip(cells_of(printed), cells_of(wanted), strict=True))
        line = {"reader": "python as a program", "case": case.name, "rows": wanted.count(b"\n") - 1, "leaves": 0}
        print(json.dumps({**line, "answers": differ, "note": ""}))


def cells_of(data):
    """The cells of a CSV. Two decimals can be the shortest for one number, so numbers are compared as such."""
    def value(cell):
        try:
            return float(cell)
        except ValueError:
            return cell
    return [[value(cell) for cell in row] for row in csv.reader(io.StringIO(data.decode("utf-8"), newline=""))]


def check_sklearn(case):
    path = case.path("sklearn.py")
    if not path:
        return
    tree = module(path, "sklearn_tree")
    tree.test()
    names = [feature["name"] for feature in case.features]
    x = tree.matrix([dict(zip(names, row["cells"])) for row in case.rows])
    report("scikit-learn", case, tree.model.apply(x), [a if case.classes else float(a) for a in tree.model.predict(x)])
    if case.classes:
        report("scikit-learn", case, None, tree.model.predict_proba(x).tolist())


def check_onnx(case):
    path = case.path("onnx")
    if onnx:
        onnx.checker.check_model(onnx.load(str(path)), full_check=True)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    x = numpy.array(case.numbers(), dtype=numpy.float64).astype(numpy.float32)
    outputs = dict(zip([output.name for output in session.get_outputs()], session.run(None, {"X": x})))
    report("onnxruntime", case, outputs["leaf"].tolist(), outputs["prediction"].tolist())
    if case.classes:
        report("onnxruntime", case, None, outputs["probabilities"].tolist())


def check_xgboost(case):
    path = case.path("xgboost.json")
    if not path:
        return
    booster = xgboost.Booster(model_file=str(path))
    x = numpy.array(case.numbers(unseen=math.nan), dtype=numpy.float64).astype(numpy.float32)
    types = ["c" if case.is_words(at) else "q" for at in range(len(case.features))]
    rows = xgboost.DMatrix(x, feature_names=booster.feature_names, feature_types=types, enable_categorical=True)
    leaves = booster.predict(rows, pred_leaf=True).reshape(len(case.rows), -1)
    assert (leaves == leaves[:, :1]).all()
    found = booster.predict(rows)
    if len(case.classes) == 2:
        found = numpy.stack([1.0 - found, found], axis=1)
    answers = found.astype(float).tolist()
    report("xgboost", case, leaves[:, 0], answers)


def check_c(case):
    path, library = case.path("c"), case.folder / "tree.so"
    strict = [COMPILER, "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wno-overlength-strings"]
    subprocess.run([*strict, "-shared", "-fPIC", "-o", library, path, "-lm"], check=True)
    program = ctypes.CDLL(str(library))
    width = max(len(case.classes), 1)
    output, leaves, answers, labels = (ctypes.c_double * width)(), [], [], []
    for row in case.numbers():
        leaves.append(program.predict((ctypes.c_double * len(row))(*row), output))
        answers.append(list(output) if case.classes else output[0])
        if case.classes:
            labels.append(case.classes[program.answer(leaves[-1], output)])
    report("cc", case, leaves, answers)
    if case.classes:
        report("cc", case, None, labels)
    if case.has_file:
        program = case.folder / "tree-test"
        subprocess.run([*strict, "-DTREE_TEST", "-o", program, path, "-lm"], check=True)
        subprocess.run([program], check=True, stdout=subprocess.DEVNULL)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def check_sql(case, reader, connection, insert):
    path = case.path("sql")
    if not path:
        return
    kinds = ["TEXT" if case.is_words(at) else "DOUBLE PRECISION" for at in range(len(case.features))]
    # A name that SQL cannot hold belongs to a column that the tree does not read.
    names = [f["name"].replace("\0", "?") or "?" for f in case.features]
    columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in zip(names, kinds))
    connection.execute("DROP TABLE IF EXISTS data")
    connection.execute(f"CREATE TABLE data ({columns})")
    insert(connection, case)
    found = connection.execute(path.read_bytes().decode("utf-8")).fetchall()
    report(reader, case, [leaf for leaf, _ in found], [answer for _, answer in found])


def insert_rows(connection, case):
    marks = ", ".join("?" * len(case.features))
    connection.executemany(f"INSERT INTO data VALUES ({marks})", list(zip(*case.columns())))


def insert_frame(connection, case):
    kinds = ["object" if case.is_words(at) else "float64" for at in range(len(case.features))]
    frame = pandas.DataFrame({f"c{at}": pandas.Series(c, dtype=k) for at, (c, k) in enumerate(zip(case.columns(), kinds))})
    connection.register("frame", frame)
    connection.execute("INSERT INTO data SELECT * FROM frame")


def check_pmml(case, reader, evaluate):
    path = case.path("pmml")
    if not path:
        return
    columns = {f["name"]: values for f, values in zip(case.features, case.columns())}
    found = evaluate(path, pandas.DataFrame(columns, dtype=object))
    taken = [f["name"] for f in case.features]

    def output(name):
        copies = [name, *(f"{name} ({number})" for number in range(2, 9))]
        return next(one for one in copies if one in found.columns and one not in taken)

    # A class that looks like a number may come back as one.
    answers = [str(a) if case.classes else float(a) for a in found[output("prediction")]]
    report(reader, case, found[output("leaf")].tolist(), answers)
    if case.classes:
        shares = [found[output(f"probability_{word}")].tolist() for word in case.classes]
        report(reader, case, None, [list(row) for row in zip(*shares)])


def check_shape(case, schema):
    """Files that are only looked at: valid against the schema, and well-formed."""
    if jsonschema:
        jsonschema.validate(json.loads(case.path("tree.json").read_text("utf-8")), schema)
        report("jsonschema", case, None, None)
    if case.path("svg"):
        xml.etree.ElementTree.parse(io.BytesIO(case.path("svg").read_bytes()))


def main():
    schema = json.loads((PROJECT / "schema/espalier-tree-1.1.schema.json").read_text("utf-8"))
    cases = [Case(name) for name in json.loads((FOLDER / "cases.json").read_text("utf-8"))]
    readers = [("python", check_python), ("schema", lambda case: check_shape(case, schema))]
    lite = sqlite3.connect(":memory:")
    readers.append(("sqlite", lambda case: check_sql(case, "sqlite", lite, insert_rows)))
    if COMPILER:
        readers.append(("cc", check_c))
    if sklearn:
        readers.append(("scikit-learn", check_sklearn))
    if onnxruntime:
        readers.append(("onnxruntime", check_onnx))
    if xgboost:
        readers.append(("xgboost", check_xgboost))
    if duckdb and pandas:
        duck = duckdb.connect()
        readers.append(("duckdb", lambda case: check_sql(case, "duckdb", duck, insert_frame)))
    if jpmml and pandas:
        from jpmml_evaluator.py4j import Py4JBackend
        backend = Py4JBackend()
        def with_jpmml(path, frame):
            evaluator = jpmml.make_evaluator(str(path), backend=backend)
            evaluator.verify()
            return evaluator.evaluateAll(frame)
        readers.append(("jpmml", lambda case: check_pmml(case, "jpmml", with_jpmml)))
    if pypmml and pandas:
        def with_pypmml(path, frame):
            # Row by row: a whole frame would be rounded to ten decimals on its way to Java.
            model = pypmml.Model.load(str(path))
            return pandas.DataFrame([dict(model.predict(row)) for row in frame.to_dict("records")])
        # It compares sums of unrounded values.
        readers.append(("pypmml", lambda case: None if case.sums else check_pmml(case.last(150), "pypmml", with_pypmml)))
    for name, check in readers:
        for case in cases:
            try:
                check(case)
            except BaseException as error:
                line = {"reader": name, "case": case.name, "rows": len(case.rows), "leaves": len(case.rows), "answers": 0}
                print(json.dumps({**line, "note": f"{type(error).__name__}: {str(error)[:400]}"}))
    # Their Java would outlive this program.
    if jpmml and pandas:
        Py4JBackend.destroyGateway()
    if pypmml and pandas:
        pypmml.PMMLContext.shutdown()


main()
