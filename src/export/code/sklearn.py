def with_sets(x):
    """The values of a row, followed by the columns of the sets."""
    return x + [float(inside) if x[at] in codes else 1.0 - inside for at, codes, inside in SETS]


def matrix(rows):
    """The model's input for rows that map column names to cells as text."""
    values = [with_sets([value_of(feature, cell_in(row, feature)) for feature in FEATURES]) for row in rows]
    return numpy.array(values, dtype=numpy.float32).reshape(len(values), len(FEATURES) + len(SETS))


class AnsweringTree(DecisionTreeClassifier):
    """A classifier with the tree's own answer rule, which need not predict the most probable class."""

    def predict(self, X, check_input=True):
        leaves = self.apply(X, check_input)
        return self.classes_.take([ANSWERS[leaf] for leaf in leaves])


def built():
    """The estimator."""
    nodes = numpy.zeros(len(NODES), dtype=NODE_DTYPE)
    for at, (left, right, column, threshold, rows, missing) in enumerate(NODES):
        nodes["left_child"][at], nodes["right_child"][at] = left, right
        nodes["feature"][at], nodes["threshold"][at] = column, threshold
        nodes["n_node_samples"][at] = nodes["weighted_n_node_samples"][at] = rows
        nodes["missing_go_to_left"][at] = missing
    columns = len(FEATURES) + len(SETS)
    tree = Tree(columns, numpy.array([max(len(CLASSES), 1)], dtype=numpy.intp), 1)
    values = numpy.array(VALUES, dtype=numpy.float64)[:, numpy.newaxis, :]
    tree.__setstate__({"max_depth": DEPTH, "node_count": len(NODES), "nodes": nodes, "values": values})
    estimator = AnsweringTree() if CLASSES else DecisionTreeRegressor()
    if CLASSES:
        estimator.classes_ = numpy.array(CLASSES, dtype=object)
        estimator.n_classes_ = len(CLASSES)
    estimator.n_features_in_ = estimator.max_features_ = columns
    estimator.n_outputs_ = 1
    estimator.tree_ = tree
    return estimator


model = built()


def test():
    """Runs the proof rows: constructed rows with the leaf and the outputs that they must give."""
    rows = [[value_of(feature, cell) for feature, cell in zip(FEATURES, cells)] for cells, _, _ in PROOF]
    values = numpy.array([with_sets(row) for row in rows], dtype=numpy.float32)
    outputs = model.predict_proba(values) if CLASSES else model.predict(values)[:, numpy.newaxis]
    found = model.apply(values)
    for at, (_, leaf, expected) in enumerate(PROOF):
        near = 1e-6 if CLASSES else 0.0
        if found[at] != leaf or numpy.abs(outputs[at] - expected).max() > near:
            sys.exit(f"Proof row {at} gives leaf {found[at]} and {outputs[at]}, not {leaf} and {expected}.")
    return len(PROOF)


if __name__ == "__main__":
    print(f"All {test()} proof rows give the leaf and output they must.")
