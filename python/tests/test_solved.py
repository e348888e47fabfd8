"""Problems that are solved: results under the names that were given, models of other packages, files, pickles."""

import pickle
from types import SimpleNamespace

import numpy as np
import pytest

import spinney


def packing():
    x = spinney.binaries("x", 5)
    p = spinney.Problem()
    p.maximise([4, 2, 10, 1, 2] @ x)
    p.subject_to([12, 1, 4, 1, 2] @ x <= 15, name="weight")
    return p


def test_a_problem_is_solved():
    p = packing()
    result = p.solve(reads=6, sweeps=100)
    assert result.objective == 15 and result.feasible is True and result.violation == 0
    assert result.sample == {"x0": 0, "x1": 1, "x2": 1, "x3": 1, "x4": 1}
    assert result.violations == {"weight": 0} and p.score(result.sample).objective == 15
    assert len(result.solutions) == 1 and result.solutions[0].reads == 6
    assert "found by 6 of 6 reads" in repr(result)
    assert result.settings["reads"] == 6 and result["found_reads"] == 6
    p.fix(x2=0)
    assert p.solve().objective == 8


def test_solutions_have_their_robustness_if_it_was_measured():
    x = spinney.binaries("x", 4)
    p = spinney.Problem()
    p.maximise([12, 5, 4, 3] @ x)
    p.subject_to([11, 5, 4, 2] @ x <= 12, name="weight")  # x0 alone is worth as much as all the others
    result = p.solve(reads=20, rank="robust", rank_noise=0.1)
    feasible = result.solutions.robust["feasible"]
    assert len(result.solutions) > 1 and (np.diff(feasible) <= 0).all() and 0 < feasible[-1] < 1
    first = result.solutions[0].robust
    assert first["feasible"] == result["robust_feasible"] == feasible[0]
    assert first["objective_error"] == result["robust_objective_error"] > 0
    assert result.to_pandas()["robust_feasible"].tolist() == feasible.tolist()
    assert pickle.loads(pickle.dumps(result)).solutions[0].robust == first
    assert p.solve().solutions.robust is None and p.solve().solutions[0].robust is None


def test_solutions_are_ranked_and_scored():
    x = spinney.binaries("x", (8, 4))
    p = spinney.Problem()
    weights = np.random.default_rng(3).integers(1, 30, (8, 4))
    p.minimise((weights * x).sum())
    p.subject_to(x.sum(1) == 1, name="once")
    p.subject_to(x.sum(0) <= 2, name="room")
    result = p.solve(sweeps=2, reads=30)
    found = result.solutions
    assert len(found) > 3 and found.reads.sum() == 30 and found[0].distance == 0
    for solution in found:
        score = p.score(solution.sample)
        assert (score.objective, score.violation, score.feasible) == (
            solution.objective, solution.violation, solution.feasible)
    ranks = [(s.violation, s.objective, -s.reads) for s in found]
    assert ranks == sorted(ranks)
    assert [s.distance for s in found] == (found.values != found.values[0]).sum(1).tolist()
    assert found[1:3] == [found[1], found[2]]
    if pytest.importorskip("pandas"):
        frame = result.to_pandas()
        assert len(frame) == len(found) and frame["x0_0"][1] == found[1].sample["x0_0"]


def test_what_cannot_hold_is_named():
    x = spinney.binaries("x", 2)
    p = spinney.Problem()
    p.subject_to(x.sum() >= 3, name="three")
    p.subject_to(x.sum() <= 2, name="two")
    with pytest.warns(spinney.ConvergenceWarning):
        result = p.solve()
    assert not result.feasible and result.violation == 1
    assert result.violations == {"three": 1, "two": 0} and result.broken == "three by 1"


def test_models_of_other_packages():
    bqm = SimpleNamespace(linear={"a": -1.0, ("b", 2): -1.5}, quadratic={("a", ("b", 2)): 2.0}, offset=0.5,
                          vartype="BINARY")
    result = spinney.anneal(problem=bqm)
    assert result.sample == {"a": 0, ("b", 2): 1} and result.objective == -1
    result = spinney.Problem({("a", "b", "c"): -2, ("a",): 1, (): 3}, vartype="SPIN").solve()
    assert result.objective == 0 and result.sample["a"] == -1


def test_a_file_and_a_pickle(tmp_path):
    path = tmp_path / "p.lp"
    path.write_text("max\n o: 2 a + 3 b\nst\n r: a + b <= 1\nbin\n a b\nend\n")
    result = spinney.anneal(problem=path, seed=4)
    assert result.sample == {"a": 0, "b": 1} and result.violations == {"r": 0}
    assert spinney.anneal(problem=path, fix="b=0").objective == 2
    for one in (result, packing().solve()):
        again = pickle.loads(pickle.dumps(one))
        assert again.sample == one.sample and again.violations == one.violations and repr(again) == repr(one)


def test_what_does_not_go_together_is_refused():
    p = packing()
    with pytest.raises(spinney.ArgumentError, match="steps: does not go with problem; give sweeps and rounds"):
        p.solve(steps=9)
    with pytest.raises(spinney.ArgumentError, match="fix: is for files"):
        p.solve(fix="x0=1")
    with pytest.raises(spinney.ArgumentError, match="energy: does not go with problem"):
        p.solve(energy=spinney.QUBO([[1]]))
