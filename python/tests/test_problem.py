"""Problems: what they are worth beside the same computed by NumPy, and models of other packages."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

import spinney

random = np.random.default_rng(2)


def small():
    """A problem of every kind of variable and constraint, and the same in NumPy."""
    x, s, n = spinney.binaries("x", (2, 2)), spinney.spins("s", 2), spinney.integers("n", least=-1, most=3)
    Q = np.arange(16).reshape(4, 4) - 6
    p = spinney.Problem()
    flat = x.reshape(4)
    p.maximise(flat @ Q @ flat + 3 * s[0] * s[1] * x[0, 0] - n ** 2 + 5)
    p.subject_to(x.sum(1) == 1, name="row")
    p.subject_to(2 * s[0] + n <= 2, x[0, 0] * n >= 0, name="mixed")
    p.subject_to(x.sum() + s.sum() >= 3, weight=0.5)

    def direct(X, S, N):
        flat = X.ravel()
        soft = max(0, 3 - X.sum() - S.sum())
        objective = flat @ Q @ flat + 3 * S[0] * S[1] * X[0, 0] - N ** 2 + 5 - 0.5 * soft
        rows = abs(X.sum(1) - 1)
        rest = [max(0, 2 * S[0] + N - 2), max(0, -X[0, 0] * N)]
        return objective, [*rows, *rest, soft]

    return p, direct


def test_scores_are_those_of_numpy():
    p, direct = small()
    assert p.variables == ("x0_0", "x0_1", "x1_0", "x1_1", "s0", "s1", "n")
    assert p.constraints == ("row0", "row1", "mixed_0", "mixed_1", "c4")
    states = itertools.product(*[[0, 1]] * 4, *[[-1, 1]] * 2, range(-1, 4))
    for state in states:
        found = p.score(state)
        objective, violations = direct(np.array(state[:4]).reshape(2, 2), np.array(state[4:6]), state[6])
        assert found.objective == objective and list(found.violations.values()) == violations
        assert found.feasible == (sum(violations[:4]) == 0) and found.violation == sum(violations[:4])
        assert found == p.score(dict(zip(p.variables, state)))


def test_problems_are_written_and_read_again(tmp_path):
    x, n = spinney.binaries("x", 6), spinney.integers("n", least=-1, most=3)
    p = spinney.Problem()
    p.maximise(3 * x[0] - 2 * x[1] * x[2] + x.sum() + n)
    p.subject_to(x[:3].sum() == 2, 2 * x[3] + 3 * x[4] - n <= 3)
    p.fix(x5=0)
    p.write(tmp_path / "p.lp")
    p.write(tmp_path / "text", format="lp")
    assert (tmp_path / "p.lp").read_text() == (tmp_path / "text").read_text()
    found, again = p.solve(), spinney.anneal(problem=str(tmp_path / "p.lp"))
    assert (found.objective, found.sample) == (again.objective, again.sample)
    with pytest.raises(spinney.ArgumentError, match="^problem: a coo polynomial has no constraints"):
        p.write(tmp_path / "p.coo")
    with pytest.raises(spinney.ArgumentError, match="^format: 'qplib' is not lp, coo, cnf or wcnf"):
        p.write(tmp_path / "p", format="qplib")
    assert not (tmp_path / "p.coo").exists()


def test_problems_are_tempered():
    x = spinney.binaries("x", 5)
    p = spinney.Problem()
    p.maximise([4, 2, 10, 1, 2] @ x)
    p.subject_to([12, 1, 4, 1, 2] @ x <= 15)
    for sample in spinney.temper, spinney.population:
        found = sample(problem=p, penalty=3, replicas=1, gamma=0, beta=(0, 0.1) if sample is spinney.temper else 0.1)
        assert found.objective == 15 and 0 < found.feasible <= 1
        states = np.array(list(itertools.product([0, 1], repeat=5)))
        energies = 3 * np.maximum(0, states @ [12, 1, 4, 1, 2] - 15) - states @ [4, 2, 10, 1, 2]
        assert abs(found.log_z - np.log(np.exp(-0.1 * energies).sum())) < 5 * found.log_z_error < 0.1
        assert found.sample == {"x0": 0, "x1": 1, "x2": 1, "x3": 1, "x4": 1}


def test_many_constraints_of_several_degrees():
    x = spinney.binaries("x", 30)
    A = random.integers(-3, 4, (200, 30))
    p = spinney.Problem()
    p.subject_to(A @ x + (A @ x) * x[0] - 2 * x[:, None][0] <= 1)
    state = random.integers(0, 2, 30)
    left = A @ state + (A @ state) * state[0] - 2 * state[0]
    assert list(p.score(state).violations.values()) == np.maximum(0, left - 1).tolist()


def test_fixed_variables():
    x = spinney.binaries("x", 4)
    for fix in (lambda p: p.fix(x[1:3], [1, 0]), lambda p: p.fix(x1=1, x2=0), lambda p: p.fix({"x1": 1, "x2": 0})):
        p = spinney.Problem()
        p.minimise(x.sum())
        fix(p)
        assert [p.score(state).feasible for state in ([0, 1, 0, 1], [0, 0, 0, 1])] == [True, False]
    assert p["x3"].value({f"x{k}": k for k in range(4)}) == 3


def test_dicts_of_products():
    p = spinney.Problem({("a", "b", "c"): 1.5, ("a",): -1, (): 2, "b": 0.25})
    assert p.variables == ("a", "b", "c") and p.score([1, 1, 1]).objective == 2.75
    spin = spinney.Problem({("a", "b"): 2.0, ("a", "a"): 1}, vartype="SPIN")
    assert spin.score([-1, 1]).objective == -1


def quadratic(linear, pairs, offset=0.0, vartype="BINARY"):
    return SimpleNamespace(linear=linear, quadratic=pairs, offset=offset, vartype=SimpleNamespace(name=vartype))


def constrained():
    """What dimod's constrained models offer."""
    kinds = {"a": "BINARY", "s": "SPIN", "i": "INTEGER"}
    soft = quadratic({"a": 1.0}, {})
    soft.is_soft, soft.weight, soft.penalty = lambda: True, lambda: 4.0, lambda: "linear"
    sense = SimpleNamespace
    return SimpleNamespace(
        variables=list(kinds), vartype=lambda v: SimpleNamespace(name=kinds[v]), lower_bound=lambda v: 0.0,
        upper_bound=lambda v: 7.0, objective=quadratic({"a": 1.0, "i": -1.0}, {("a", "i"): 2.0}, 3.0),
        constraints={"cap": SimpleNamespace(lhs=quadratic({"i": 1.0}, {("s", "a"): 2.0}), sense=sense(value="<="),
                                            rhs=4.0),
                     7: SimpleNamespace(lhs=soft, sense=sense(value="=="), rhs=1.0)})


def test_models_of_dimod():
    p = spinney.Problem(quadratic({"u": 1.0, "v": -2.0}, {("u", "v"): 3.0}, 0.5, "SPIN"))
    assert p.variables == ("u", "v") and p.score([-1, 1]).objective == -5.5
    p = spinney.Problem(constrained())
    assert p.constraints == ("cap", "7")
    found = p.score({"a": 1, "s": 1, "i": 5})
    assert found.objective == 9 and found.violations == {"cap": 3, "7": 0} and not found.feasible
    assert p.score({"a": 0, "s": 1, "i": 4}).objective == -1 + 4 and p.score([0, 1, 4]).feasible


@pytest.mark.parametrize("what, text", [
    (lambda p, x: p.minimise(x), "objective: one polynomial is needed, not an array"),
    (lambda p, x: (p.minimise(x.sum()), p.maximise(x.sum())), "objective: the problem has one already"),
    (lambda p, x: p.subject_to(x.sum()), "constraints: a comparison of expressions is needed"),
    (lambda p, x: p.subject_to(x[0] <= 1, name=""), "name: "),
    (lambda p, x: (p.subject_to(x <= 1, name="c"), p.subject_to(x >= 0, name="c")), "constraints: .*c0"),
    (lambda p, x: p.subject_to(x[0] <= 1, weight=-1), "constraints: .*weight"),
    (lambda p, x: p.subject_to(x[0] + spinney.binaries("x", 1)[0] <= 1), "x0"),
    (lambda p, x: p.fix(x[0] + 1, 1), "variables: variables are fixed, not polynomials"),
    (lambda p, x: p.fix(x0=2), "values: .*x0"),
    (lambda p, x: p.score([1, 2]), "sample: a whole number for each"),
    (lambda p, x: p.score({"x0": 1}), "sample: there is no value of the variable 'x1'"),
    (lambda p, x: spinney.Problem({}), "model: is empty"),
    (lambda p, x: spinney.Problem(3), "model: a quadratic or a constrained model")])
def test_what_is_refused(what, text):
    x, p = spinney.binaries("x", 3), spinney.Problem()
    p._meet(x._blocks)
    with pytest.raises(ValueError, match=text):
        what(p, x)
