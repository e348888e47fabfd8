"""Expressions: every operation beside the same one on NumPy's arrays of the variables' values."""

import numpy as np
import pytest

import spinney

random = np.random.default_rng(1)
Q, A, w = random.normal(size=(4, 4)), random.normal(size=(5, 3)), random.normal(size=4)
x, y, z = spinney.binaries("x", (3, 4)), spinney.spins("y", 4), spinney.integers("z", least=-2, most=5)
SAMPLE = {f"x{i}_{j}": int(random.integers(2)) for i in range(3) for j in range(4)}
SAMPLE |= {f"y{j}": int(random.choice([-1, 1])) for j in range(4)} | {"z": 3}
X = np.array([[SAMPLE[f"x{i}_{j}"] for j in range(4)] for i in range(3)])
Y = np.array([SAMPLE[f"y{j}"] for j in range(4)])

OPERATIONS = {
    "add": lambda x, y, z: x + y,
    "subtract": lambda x, y, z: 1 - x - 2 * y + z,
    "multiply": lambda x, y, z: (1 - 2 * x) * (3 + y) - x * x,
    "divide": lambda x, y, z: w * y / 2,
    "power": lambda x, y, z: (x[0] + 2 * y) ** 3 + y ** 0,
    "vector of polynomials": lambda x, y, z: x @ y,
    "quadratic": lambda x, y, z: y @ Q @ y,
    "matrix on the right": lambda x, y, z: x @ Q,
    "matrix on the left": lambda x, y, z: A @ x,
    "weights": lambda x, y, z: w @ y,
    "numpy's dot": lambda x, y, z: np.dot(w, y),
    "numpy's sum": lambda x, y, z: np.sum(x, axis=1),
    "numpy's numbers": lambda x, y, z: x[0] * np.float64(2) + np.float64(3) * y,
    "product of matrices": lambda x, y, z: (x.T @ x) @ w,
    "sum of an axis": lambda x, y, z: x.sum(0) + x.sum(axis=-2),
    "sum of axes": lambda x, y, z: x.sum((0, 1)) * z,
    "python's sum": lambda x, y, z: sum(x) + sum(y),
    "slices": lambda x, y, z: x[1:, ::2] @ x[1:, ::2].T,
    "lists of places": lambda x, y, z: x[:, [0, 0, 3]],
    "shape": lambda x, y, z: x.reshape(2, 6)[:, None, :] + z,
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_are_those_of_numpy(name):
    made, direct = OPERATIONS[name](x, y, z), OPERATIONS[name](X, Y, 3)
    assert made.shape == np.shape(direct)
    assert np.allclose(made.value(SAMPLE), direct)


def test_sums_that_share_a_beginning_stay_apart():
    start = x[0, 0] + 1
    one, two = start + x[0, 1], start + x[0, 2]
    assert [e.value(SAMPLE) for e in (start, one, two)] == [1 + X[0, 0], 1 + X[0, 0] + X[0, 1], 1 + X[0, 0] + X[0, 2]]


def test_sparse_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.random(4, 4, 0.5, random_state=1)
    assert np.allclose((y @ matrix @ y).value(SAMPLE), Y @ matrix.toarray() @ Y)
    assert np.allclose((y @ matrix.T).value(SAMPLE), matrix @ Y)
    with pytest.raises(TypeError, match="write x @ M.T for M @ x"):  # SciPy asks NumPy, not us
        matrix @ y


def test_names():
    made = spinney.binaries(["milk", "eggs"])
    assert (made @ [3, 4]).value({"milk": 1, "eggs": 1}) == 7
    assert spinney.binaries("flag").value({"flag": 1}) == 1


@pytest.mark.parametrize("what, text", [
    (lambda: bool(1 <= x.sum() <= 3), "give each of two bounds by itself"),
    (lambda: x != 1, "!= makes no constraint"),
    (lambda: 1 / x, "unsupported operand"),
    (lambda: x / y, "not divided by a polynomial"),
    (lambda: x + "a", "unsupported operand"),
    (lambda: np.cumsum(x), "does not take expressions"),
    (lambda: len(z), "no length")])
def test_what_is_refused_with_a_type_error(what, text):
    with pytest.raises(TypeError, match=text):
        what()


@pytest.mark.parametrize("what, text", [
    (lambda: spinney.binaries("x", 0), "shape: 0 is below 1"),
    (lambda: spinney.integers("n", most=-1), "most: -1 is not"),
    (lambda: x ** -1, "power: -1 is not"),
    (lambda: x + np.nan, "expression: it is nan"),
    (lambda: x @ [1, 2], "shapes"),
    (lambda: x.sum(2), "axis: there is no axis 2")])
def test_what_is_refused_with_a_value_error(what, text):
    with pytest.raises(ValueError, match=text):
        what()


def test_a_million_terms_are_arrays():
    made = spinney.binaries("v", 1000)
    cost = made @ random.normal(size=(1000, 1000)) @ made
    assert sum(len(terms.weight) for terms in cost.terms()) == 10**6 and cost.degree == 2
