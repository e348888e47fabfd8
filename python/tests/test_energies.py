"""Energies from every kind of input, against a brute force, and what wrong input gets."""

import itertools
import math
import pickle

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import spinney

SETTINGS = settings(max_examples=40, deadline=None, derandomize=True, database=None)


def all_states(sites, low=-1):
    return np.array(list(itertools.product([low, 1], repeat=sites)), dtype=np.int8)


small = st.integers(-4, 4).map(float) | st.floats(-4, 4, allow_nan=False).map(lambda x: round(x, 3))


@st.composite
def problems(draw, diagonal):
    """Some couplings of up to 7 variables, as a matrix; not symmetric."""
    sites = draw(st.integers(1, 7))
    matrix = np.array([[draw(small) if draw(st.booleans()) else 0.0 for _ in range(sites)] for _ in range(sites)])
    if not diagonal:
        np.fill_diagonal(matrix, 0)
    return matrix


def near(one, other):
    return np.allclose(one, other, rtol=0, atol=1e-9)


@SETTINGS
@given(problems(diagonal=False), st.lists(small, min_size=7, max_size=7), small)
def test_ising_is_its_formula_and_its_minimum_is_found(J, fields, offset):
    sites = len(J)
    h, states = np.array(fields[:sites]), all_states(sites)
    wanted = np.einsum("ki,ij,kj->k", states, J, states) + states @ h + offset
    as_dict = {(i, j): J[i, j] for i, j in zip(*map(np.ndarray.tolist, np.nonzero(J)))}
    for made in (spinney.Ising(h, J, offset), spinney.Ising(dict(enumerate(h)), as_dict, offset)):
        assert near(made(states), wanted)
        assert made.sites == sites
    for found in (spinney.anneal(made, sweeps=100, reads=20, seed=3), spinney.exact(made, replicas=1, threads=1)):
        lowest = found["E_min"] if found.task == "exact" else found.best_energy
        assert near(lowest, wanted.min())


@SETTINGS
@given(problems(diagonal=True), small)
def test_qubo_is_its_formula_and_its_minimum_is_found(Q, offset):
    states = all_states(len(Q), 0)
    wanted = np.einsum("ki,ij,kj->k", states, Q, states) + offset
    made = spinney.QUBO(Q, offset)
    assert near(made(states), wanted)
    found = spinney.anneal(made, sweeps=100, reads=20, seed=5)
    assert near(found.best_energy, wanted.min())
    assert near(made(found.best), found.best_energy)
    assert set(np.unique(found.states)) <= {0, 1}
    assert found.counts.sum() == 20 and (np.diff(found.energies) >= 0).all()


@SETTINGS
@given(problems(diagonal=False))
def test_maxcut_is_its_formula_and_its_maximum_is_found(matrix):
    if len(matrix) < 2:
        return
    weights = np.triu(matrix) + np.triu(matrix).T
    states = all_states(len(weights))
    apart = states[:, :, None] != states[:, None, :]
    cuts = (np.triu(weights) * apart).sum((1, 2))
    made = spinney.MaxCut(weights)
    assert near(made(states), -cuts)
    assert near(spinney.anneal(made, sweeps=100, reads=20).best_energy, -cuts.max())


def test_every_form_of_couplings_is_the_same():
    sparse, networkx = pytest.importorskip("scipy.sparse"), pytest.importorskip("networkx")
    J = np.array([[0, 1.5, 0], [0, 0, -2], [0.5, 0, 0]])
    dictionary = {(0, 1): 1.5, (1, 2): -2, (2, 0): 0.5}
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(3))
    graph.add_weighted_edges_from((i, j, w) for (i, j), w in dictionary.items())
    forms = [J, J.tolist(), np.asfortranarray(J), J.astype(">f8"), J.astype(np.float32), sparse.csr_matrix(J),
             sparse.coo_matrix(J), dictionary, [(i, j, w) for (i, j), w in dictionary.items()], graph,
             {(np.int64(i), np.int64(j)): np.float32(w) for (i, j), w in dictionary.items()}]
    states = all_states(3)
    for form in forms:
        assert near(spinney.Ising([1, 0, -1], form)(states), spinney.Ising([1, 0, -1], J)(states))
        assert near(spinney.QUBO(form)(all_states(3, 0)), spinney.QUBO(J)(all_states(3, 0)))
    symmetric = J + J.T
    edges = networkx.from_numpy_array(symmetric)
    for form in (symmetric, sparse.csc_matrix(symmetric), edges, list(edges.edges(data="weight")), dictionary):
        assert near(spinney.MaxCut(form)(states), spinney.MaxCut(symmetric)(states))


def test_variables_keep_their_names():
    made = spinney.Ising({"b": 1}, {("a", "b"): 1, ("a", "c"): -1})
    assert list(made.variables) == ["b", "a", "c"]
    result = spinney.anneal(made, sweeps=100)
    assert result.sample == {"b": -1, "a": 1, "c": 1}
    assert list(result.variables) == ["b", "a", "c"]
    assert list(spinney.QUBO({(5, 5): 1, (2, 5): 1}).variables) == [2, 5]
    mixed = spinney.QUBO({(("x", 1), 0): 1})
    assert list(mixed.variables) == [("x", 1), 0]
    assert list(spinney.MaxCut({(0, 1): 1}).variables) == [0, 1]
    # a graph's nodes without an edge are variables as well
    networkx = pytest.importorskip("networkx")
    graph = networkx.empty_graph(4)
    graph.add_edge(1, 2)
    assert spinney.MaxCut(graph).sites == 4


def test_labels_and_numbers_meet():
    assert near(spinney.Ising([1, 2, 3], {(0, 2): 1})(all_states(3)),
                spinney.Ising({0: 1, 1: 2, 2: 3}, {(0, 2): 1})(all_states(3)))
    assert near(spinney.Ising({1: 2}, [[0, 1], [0, 0]])(all_states(2)),
                spinney.Ising([0, 2], [[0, 1], [0, 0]])(all_states(2)))
    with pytest.raises(spinney.ArgumentError, match="^J: 3 is no variable"):
        spinney.Ising([1, 2, 3], {(0, 3): 1})
    with pytest.raises(spinney.ArgumentError, match="^h: 'a' is no variable"):
        spinney.Ising({"a": 2}, [[0, 1], [0, 0]])


def test_other_energies_are_their_formulas():
    draws = np.random.default_rng(0)
    patterns, labels = draws.choice([-1, 1], (6, 7)), draws.choice([-1, 1], 6)
    states = all_states(7)
    stability = labels * (states @ patterns.T)
    assert near(spinney.Perceptron(patterns, labels)(states), (stability < 0).sum(1))
    assert near(spinney.Perceptron(patterns, labels, kappa=0.5)(states), (stability / math.sqrt(7) < 0.5).sum(1))
    assert near(spinney.Perceptron(patterns, labels, "logistic")(states), np.logaddexp(0, -stability).sum(1))
    units = all_states(9)
    signs = np.where(np.einsum("kuj,pj->kpu", units.reshape(-1, 3, 3), patterns[:, :3]) * labels[:, None] >= 0, 1, -1)
    assert near(spinney.Committee(patterns[:, :3], labels, 3)(units), (signs.sum(2) < 0).sum(1))
    table = draws.normal(size=128)
    number = ((states > 0) * 2 ** np.arange(7)).sum(1)
    assert near(spinney.Table(table)(states), table[number])
    assert near(spinney.Distance(patterns)(states), (states[:, None] != patterns).sum(2).min(1))


def test_softmax_and_network_are_their_formulas():
    draws = np.random.default_rng(1)
    X, y = draws.normal(size=(30, 4)), draws.choice(["a", "b", "c"], 30)
    labels = np.unique(y, return_inverse=True)[1]

    def loss(logits, weights=np.ones(30)):
        logits = logits - logits.max(1, keepdims=True)
        log = logits - np.log(np.exp(logits).sum(1, keepdims=True))
        return -(weights * log[np.arange(30), labels]).sum() / weights.sum()

    weights = draws.choice([-1, 1], (3, 5))
    logits = 0.7 * (X @ weights[:, :4].T + weights[:, 4])
    made = spinney.Softmax(X, y, scaling="none", logit_scale=0.7, bias=1)
    assert math.isclose(made(weights.ravel()), loss(logits), rel_tol=1e-12)
    balance = np.array([1.0, 2.0, 3.0])
    made = spinney.Softmax(X, y, scaling="none", logit_scale=0.7, bias=1, class_weights=balance)
    assert math.isclose(made(weights.ravel()), loss(logits, balance[labels]), rel_tol=1e-12)
    bits = draws.integers(0, 2, (30, 4))
    hidden, output = draws.choice([-1, 1], (5, 5)), draws.choice([-1, 1], (3, 5))
    signs = np.where(bits @ hidden[:, :4].T + hidden[:, 4] >= 0, 1, -1)
    made = spinney.Network(bits, y, hidden=5, hidden_bias=1, logit_scale=0.3)
    assert math.isclose(made(np.concatenate([hidden.ravel(), output.ravel()])), loss(0.3 * (signs @ output.T)),
                        rel_tol=1e-6)
    data = spinney.Dataset(X, y, weights=balance[labels])
    assert math.isclose(spinney.Softmax(data, scaling="none", logit_scale=0.7, bias=1)(weights.ravel()),
                        loss(logits, balance[labels]), rel_tol=1e-12)


@pytest.mark.parametrize("make", [
    lambda: spinney.Ising({"a": 1.5}, {("a", "b"): 1}, 2.5),
    lambda: spinney.QUBO([[1, 2], [0, -1]]),
    lambda: spinney.MaxCut([("x", "y"), ("y", "z", 2.5)]),
    lambda: spinney.Perceptron.random(7, 3, energy="bits"),
    lambda: spinney.Committee([[1, -1, 1]], [1], units=3, tree=True),
    lambda: spinney.Table([1, 2, 3, 4]),
    lambda: spinney.Distance([[1, 1], [1, -1]]),
])
def test_energies_can_be_pickled(make):
    made = make()
    again = pickle.loads(pickle.dumps(made))
    states = all_states(made.sites)
    assert (again(states) == made(states)).all() or made.binary and (again(states > 0) == made(states > 0)).all()
    assert list(again.variables) == list(made.variables)
    assert spinney.anneal(again, sweeps=20).to_dict()["results"] == spinney.anneal(made, sweeps=20).to_dict()["results"]


NAN, STRING = float("nan"), np.array(["a", "b"])
BAD = [
    (lambda: spinney.Ising(), "h, J: is empty"),
    (lambda: spinney.Ising({}, {}), "h, J: is empty"),
    (lambda: spinney.Ising([], []), "h, J: is empty"),
    (lambda: spinney.Ising([1, NAN], None), r"h: entry \[1\] is nan"),
    (lambda: spinney.Ising({"a": NAN}), "h: 'a' is nan"),
    (lambda: spinney.Ising({"a": "1"}), "h: 'a' has '1'; a number"),
    (lambda: spinney.Ising({"a": 1j}), "h: 'a' has 1j"),
    (lambda: spinney.Ising({"a": 10**400}), "h: a number is too large"),
    (lambda: spinney.Ising("1 2 3"), "h: numbers are needed, and these are of type <U5"),
    (lambda: spinney.Ising(STRING), "h: numbers"),
    (lambda: spinney.Ising([[1, 2]]), "h: one field .* of 1 dimensions, and this has 2"),
    (lambda: spinney.Ising(np.float64(3)), "h: .* this has 0"),
    (lambda: spinney.Ising(np.ma.masked_array([1, 2], [True, False])), "h: has masked values"),
    (lambda: spinney.Ising([1, 2], {(0, 0): 1}), "J: couples 0 to itself"),
    (lambda: spinney.Ising([1, 2], np.eye(2)), "J: couples 0 to itself"),
    (lambda: spinney.Ising([1, 2], np.zeros((3, 3))), "h: has 2 fields for the 3"),
    (lambda: spinney.Ising(None, [[1, 2], [3]]), "J: cannot be made an array"),
    (lambda: spinney.Ising(None, np.zeros((2, 3))), "J: a square matrix is needed, and this has 2 rows and 3"),
    (lambda: spinney.Ising(None, np.zeros((0, 0))), "J: is empty"),
    (lambda: spinney.Ising(None, 3), "J: a square matrix is needed.* this has 0"),
    (lambda: spinney.Ising(None, np.array([[0, NAN], [0, 0]])), r"J: entry \[0, 1\] is nan"),
    (lambda: spinney.Ising(None, np.array([[0, np.inf], [0, 0]])), r"J: entry \[0, 1\] is inf"),
    (lambda: spinney.Ising(None, {("a",): 1}), r"J: \('a',\) is no pair"),
    (lambda: spinney.Ising(None, {"ab": 1}), "J: 'ab' is no pair"),
    (lambda: spinney.Ising(None, [(0, 1, 1, 1)]), "J: edge 0 has 4 items"),
    (lambda: spinney.Ising(None, [([], 1)]), "J: a variable cannot be the key"),
    (lambda: spinney.Ising(None, "graph.txt"), "J: .* not a text"),
    (lambda: spinney.Ising(None, [[0, "1"], [0, 0]]), "J: numbers are needed"),
    (lambda: spinney.Ising(None, [[0, None], [0, 0]]), r"J: .* entry \[0, 1\] is None"),
    (lambda: spinney.Ising([1], offset=NAN), "offset: nan"),
    (lambda: spinney.Ising([1], offset="1"), "offset: a number"),
    (lambda: spinney.QUBO({}), "Q: is empty"),
    (lambda: spinney.QUBO(None), "Q: .* is None"),
    (lambda: spinney.QUBO([1, 2]), "Q: a square matrix"),
    (lambda: spinney.QUBO({(0, 0): None}), r"Q: \(0, 0\) has None"),
    (lambda: spinney.QUBO(np.zeros((2, 2), complex)), "Q: numbers .* complex128"),
    (lambda: spinney.QUBO(np.zeros((2, 2), "datetime64[s]")), "Q: numbers"),
    (lambda: spinney.MaxCut([]), "graph: is empty"),
    (lambda: spinney.MaxCut([[0]]), "graph: has one node"),
    (lambda: spinney.MaxCut([(1, 1)]), "graph: node 1 has an edge to itself"),
    (lambda: spinney.MaxCut([[0, 1], [2, 0]]), "graph: the matrix of a graph is symmetric"),
    (lambda: spinney.MaxCut([[1, 1], [1, 0]]), "graph: node 0"),
    (lambda: spinney.MaxCut({("a", "b"): NAN}), r"graph: \('a', 'b'\) is nan"),
    (lambda: spinney.Perceptron([[1, 0]], [1]), r"patterns: entry \[0, 1\] is 0"),
    (lambda: spinney.Perceptron([[1, 1.5]], [1]), r"patterns: entry \[0, 1\] is 1.5"),
    (lambda: spinney.Perceptron([[1, 300]], [1]), r"patterns: entry \[0, 1\] is 300"),
    (lambda: spinney.Perceptron([[1, NAN]], [1]), r"patterns: entry \[0, 1\] is nan"),
    (lambda: spinney.Perceptron([1, 1], [1]), "patterns: .* 2 dimensions"),
    (lambda: spinney.Perceptron([[1, 1]], [1, 1]), "labels: there are 2 for 1"),
    (lambda: spinney.Perceptron([[1, 1]], [0]), r"labels: entry \[0\] is 0"),
    (lambda: spinney.Perceptron([[1, 1]], ["1"]), "labels: "),
    (lambda: spinney.Perceptron([[1, 1]], [1], energy=3), "energy: the name"),
    (lambda: spinney.Perceptron([[1, 1]], [1], energy="eros")([1, 1]), ".*eros"),
    (lambda: spinney.Perceptron([[1, 1]], [1], kappa="1"), "kappa: a number"),
    (lambda: spinney.Perceptron.random(0, 3), "sites: 0 is not 1"),
    (lambda: spinney.Perceptron.random("7", 3), "sites: a whole number"),
    (lambda: spinney.Perceptron.random(7.5, 3), "sites: a whole number"),
    (lambda: spinney.Perceptron.random(True, 3), "sites: a whole number"),
    (lambda: spinney.Perceptron.random(7), "patterns: give the number"),
    (lambda: spinney.Perceptron.random(7, alpha=-1), "alpha: -1.0 is not above 0"),
    (lambda: spinney.Perceptron.random(7, 3, seed=-1), "seed: -1"),
    (lambda: spinney.Committee([[1, 1]], [1], units=2)([1] * 4), ".* odd number of units"),
    (lambda: spinney.Table([1, 2, 3]), "energies: 2, 4, 8"),
    (lambda: spinney.Table([1]), "energies: 2, 4, 8"),
    (lambda: spinney.Table([1, NAN]), "energies: .*"),
    (lambda: spinney.Table([]), "energies: is empty"),
    (lambda: spinney.Table("12"), "energies: numbers"),
    (lambda: spinney.Distance([[1, 2]]), r"minima: entry \[0, 1\] is 2"),
    (lambda: spinney.Softmax([[1.0]], None), "y: labels are needed"),
    (lambda: spinney.Softmax([[1.0], [2.0]], [1]), "y: there are 1 labels for 2"),
    (lambda: spinney.Softmax([[1.0], [NAN]], [0, 1]), "X: .*"),
    (lambda: spinney.Softmax([["a"]], [0]), "X: numbers"),
    (lambda: spinney.Softmax([[1.0], [2.0]], [0, NAN]), "y: label 1 is not a number"),
    (lambda: spinney.Softmax([[1.0], [2.0]], [0, 1], scaling="nne"), "scaling: .*"),
    (lambda: spinney.Softmax([[1.0], [2.0]], [0, 1], scaling=2), "scaling: a text"),
    (lambda: spinney.Softmax([[1.0], [2.0]], [0, 1], logit_scale=-1), "Softmax: .*"),
    (lambda: spinney.Softmax([[1.0], [2.0]], [0, 1], class_weights=[1]), "class_weights: there are 1 for 2"),
    (lambda: spinney.Network([[0.5], [2.0]], [0, 1]), "Network: .*"),
    (lambda: spinney.Network([[0], [1]], [0, 1], hidden=0), "hidden: 0 is not 1"),
    (lambda: spinney.Network([[0], [1]], [0, 1], fault_model="rust"), "fault_model: 'rust' is not flips"),
    (lambda: spinney.Dataset([[1]], [0], weights=[0]), "weights: entry 0 is 0.0"),
    (lambda: spinney.Dataset([[1]], ["a"], classes=["b"]), "y: 'a' is none of the 1"),
    (lambda: spinney.Dataset(np.zeros((0, 3))), "X: is empty"),
    (lambda: spinney.Callback(3, 5), "f: a function"),
    (lambda: spinney.Callback(len, 0), "sites: 0"),
    (lambda: spinney.Callback(len, 5, delta=3), "delta: a function"),
    (lambda: spinney.Callback(len, 5, delta=len, vectorised=True), "delta: is of no use"),
]


@pytest.mark.sanitize
@pytest.mark.parametrize("make, text", BAD, ids=[text[:30] for _, text in BAD])
def test_wrong_input_is_an_error_that_names_the_argument(make, text):
    with pytest.raises(spinney.ArgumentError, match="^" + text):
        make()


@pytest.mark.sanitize
@pytest.mark.parametrize("states, text", [
    ([1, 1], "states of 3 spins"), ([[1, 1, 1, 1]], "states of 3 spins"), ([1, 1, 0], r"entry \[2\] is 0"),
    (np.ones((1, 1, 3)), "states of 3 spins"), (np.int8(1), "dimensions"), ("+++", "type <U3"), ([], "empty"),
])
def test_wrong_states_are_an_error(states, text):
    with pytest.raises(spinney.ArgumentError, match="^states: .*" + text):
        spinney.MaxCut([(0, 1), (1, 2)])(states)


@pytest.mark.sanitize
def test_odd_arrays_are_taken():
    """Not contiguous, read-only, Fortran's order, other types: as if they were plain."""
    J = np.arange(36.0).reshape(6, 6)[::2, ::2] * (1 - np.eye(3))
    plain = spinney.Ising(None, np.ascontiguousarray(J))(all_states(3))
    read_only = J.copy()
    read_only.flags.writeable = False
    for odd in (J, read_only, np.asfortranarray(J), J.astype(np.int64), J.astype(object)):
        assert near(spinney.Ising(None, odd)(all_states(3)), plain)
    patterns = np.ones((4, 6), np.int8)[::2, ::2]
    patterns.flags.writeable = False
    assert spinney.Perceptron(patterns, np.ones(4)[::2])([1, 1, 1]) == 0


def test_units_expect_other_faults_than_flips():
    X, y = np.eye(6, dtype=np.uint8), ["a", "b"] * 3
    values = [spinney.Network(X, y, hidden=2, faults=0.2, fault_model=model)([1] * 14 + [-1, -1])
              for model in ("flips", "stuck-0", "asymmetric:1,1")]
    assert values[0] == values[2] != values[1]


def test_linear_classifiers_expect_faults():
    X, y = np.array([[0.5, -1.0], [2.0, 0.25]]), ["a", "b"]
    made = spinney.Softmax(X, y, scaling="none", faults=0.1)
    slope = 1.702 * 0.8 / np.sqrt(8 * 0.1 * 0.9 * (X**2).sum(axis=1))
    lead = X @ [2, 0] * [1, -1]  # of the label: weights 1, 1 and -1, 1
    assert math.isclose(made([1, 1, -1, 1]), (1 / (1 + np.exp(slope * lead))).mean(), abs_tol=1e-4)
    assert spinney.Softmax(X, y, scaling="none", faults=0.1, fault_model="stuck-1")([1, 1, -1, 1]) < made([1, 1, -1, 1])
