"""cart_breast_cancer.json: trees of scikit-learn on the breast cancer table, made like cart_small.json."""

import common
from make_cart_small import ALLOWED, INPUTS, LIBRARIES, make

FILE = "cart_breast_cancer.json"
__all__ = ["ALLOWED", "FILE", "INPUTS", "LIBRARIES", "make"]

if __name__ == "__main__":
    common.run(make, FILE)
