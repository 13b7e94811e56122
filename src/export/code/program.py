def at(value, stand_in):
    """A value in a sum; a missing one is replaced."""
    return stand_in if math.isnan(value) else value


def hold(total, low, high):
    """A sum clamped to its bounds."""
    return high if total > high else total if total >= low else low


def logistic(score):
    """The probabilities of two classes from the logit of the second."""
    # For very negative logits exp overflows.
    p = 1.0 / (1.0 + math.exp(-score)) if score > -700 else 0.0
    return [1.0 - p, p]


def answer_of(x):
    """The prediction for one row of values."""
    leaf = leaf_of(x)
    outputs = outputs_of(leaf, x)
    if not CLASSES:
        return {"prediction": outputs[0], "probabilities": {}, "leaf": leaf}
    prediction = CLASSES[ANSWERS[leaf] if leaf in ANSWERS else outputs.index(max(outputs))]
    return {"prediction": prediction, "probabilities": dict(zip(CLASSES, outputs)), "leaf": leaf}


def predict(row):
    """Predicts one row. `row` maps column names to text cells; the result has prediction, probabilities, leaf."""
    return answer_of([value_of(feature, cell_in(row, feature)) for feature in FEATURES])


def test():
    """Runs the proof rows: constructed rows with the leaf and the outputs that they must give."""
    for number, (cells, leaf, outputs) in enumerate(PROOF):
        x = [value_of(feature, cell) for feature, cell in zip(FEATURES, cells)]
        found = outputs_of(leaf_of(x), x)
        # The last bits of exp differ between systems; sums of numbers do not.
        near = 1e-6 if CLASSES else 0.0
        if leaf_of(x) != leaf or any(abs(a - b) > near for a, b in zip(found, outputs)):
            sys.exit(f"Proof row {number} gives leaf {leaf_of(x)} and {found}, not leaf {leaf} and {outputs}.")
    return len(PROOF)


def decoded(data):
    """The text of a file in UTF-8, UTF-16 with a byte-order mark, or windows-1252."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def named(header):
    """Column names: trimmed, empty ones numbered, repeated ones made unique."""
    header = [name.strip(BLANKS) for name in header]
    given, used, names = set(header) - {""}, set(), []
    for position, name in enumerate(header):
        base = unique = name or f"column {position + 1}"
        copy = 1
        while unique in used or (copy > 1 or name == "") and unique in given:
            copy += 1
            unique = f"{base} ({copy})"
        used.add(unique)
        names.append(unique)
    return names


def table_of(text):
    """The rows of a CSV text. Its delimiter is the one that finds most of the tree's columns in the header."""

    def cut(separator):
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        return named(next((line for line in lines if line), []))

    wanted = {feature[key] for feature in FEATURES for key in ("name", "column")}
    separator = max([",", ";", "\t", "|"], key=lambda separator: len(wanted.intersection(cut(separator))))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    lines = ((reader.line_num, [cell.strip(BLANKS) for cell in line]) for line in reader if line)
    names = named(next(lines, (0, []))[1])
    absent = [
        FEATURES[at]["column"]
        for at in TESTED
        if FEATURES[at]["column"] not in names and FEATURES[at]["name"] not in names
    ]
    if absent:
        sys.exit(f"The tree tests {absent!r}, which the file does not have. Its columns are {names!r}: rename or add.")
    return names, lines


def decimal(number):
    """The shortest form of a number without an exponent."""
    text = format(Decimal(repr(float(number))), "f")
    return text[:-2] if text.endswith(".0") else text


def field(text):
    """A CSV cell, escaped so that no spreadsheet takes it for a formula."""
    first = text[:1]
    formula = first in FORMULA_STARTS if first else False
    if first in ("+", "-", "\uff0b", "\uff0d") and not any(sign in text for sign in "(|![{"):
        formula = False
    text = "'" + text if formula else text
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',"\r\n') else text


FORMULA_STARTS = ("=", "@", "+", "-", "\t", "\r", "\uff1d", "\uff20", "\uff0b", "\uff0d")


def main(arguments):
    """Prints the rows of a CSV file followed by prediction, probabilities and leaf."""
    if arguments == ["--test"]:
        print(f"All {test()} proof rows give the leaf and output they must.")
        return
    if len(arguments) != 1:
        sys.exit(f"Usage: python3 {sys.argv[0]} DATA.csv, or --test to run the proof rows.")
    csv.field_size_limit(2**31 - 1)
    with open(arguments[0], "rb") as file:
        names, lines = table_of(decoded(file.read()))
    out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="")
    header = list(names)
    for name in ["prediction", *(f"probability_{word}" for word in CLASSES), "leaf"]:
        copies = (name if copy == 1 else f"{name} ({copy})" for copy in itertools.count(1))
        header.append(next(copy for copy in copies if copy not in header))
    out.write(",".join(map(field, header)) + "\n")
    for line, cells in lines:
        if len(cells) != len(names):
            sys.exit(f"Line {line}: {len(cells)} fields instead of {len(names)}. Correct the row.")
        answer = predict(dict(zip(names, cells)))
        prediction = field(answer["prediction"]) if CLASSES else decimal(answer["prediction"])
        numbers = [decimal(p) for p in answer["probabilities"].values()]
        out.write(",".join([*map(field, cells), prediction, *numbers, str(answer["leaf"])]) + "\n")
    out.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
