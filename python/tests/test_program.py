"""Bit for bit what the program gives for the same settings and seed, for every task."""

import numpy as np
import pytest

import spinney
from conftest import rudy, same


def random_edges(sites, count, seed, kind):
    draws = np.random.default_rng(seed)
    pairs = {tuple(sorted(draws.choice(sites, 2, replace=False).tolist())) for _ in range(count)}
    weights = {"signs": lambda: float(draws.choice([-1, 1])), "real": lambda: float(draws.normal())}[kind]
    return [(i, j, weights()) for i, j in sorted(pairs)]


@pytest.mark.parametrize("kind", ["signs", "real"])
@pytest.mark.parametrize("keywords", [
    {},
    {"reads": 20},
    {"replicas": 2, "gamma": (0, 1), "gamma_schedule": "linear", "beta": (0.1, 3.0), "kernel": "heat-bath", "seed": 7},
    {"coupling": "centre", "order": "replica-round", "moves": "plain", "patience": 2000, "stop_frozen": True},
    {"steps": [2000, 1000], "profile_walks": 3, "init": "independent"},
])
def test_anneal_of_couplings(program, tmp_path, kind, keywords):
    edges = random_edges(24, 60, 3, kind)
    keywords = {"sweeps": 200, **keywords}
    if "steps" in keywords:
        del keywords["sweeps"]
    options = []
    for name, value in keywords.items():
        option = "--" + name.replace("_", "-")
        join = {tuple: ":", list: ","}.get(type(value))
        options += [option] if value is True else [option, join.join(map(str, value)) if join else value]
    graph = rudy(tmp_path / "graph.txt", 24, edges)
    problem = {(i, j): weight for i, j, weight in edges}
    for energy, made in (("ising", spinney.Ising({i: 0 for i in range(24)}, problem)),
                         ("qubo", spinney.QUBO(matrix(24, edges))),
                         ("maxcut", spinney.MaxCut(matrix(24, edges, symmetric=True)))):
        printed = program("anneal", "--energy", energy, "--graph", graph, *options)
        result = spinney.anneal(made, **keywords)
        found = same(result, printed)
        if "states" in found:
            states = [state["state"] for state in found["states"]]
            assert result.states.tolist() == states
            assert result.energies.tolist() == [state["energy"] for state in found["states"]]


def matrix(sites, edges, symmetric=False):
    made = np.zeros((sites, sites))
    for i, j, weight in edges:
        made[i, j] = weight
        if symmetric:
            made[j, i] = weight
    return made


def patterns_file(path, made):
    rows = np.column_stack([made.patterns, made.labels])
    path.write_text("\n".join(",".join(map(str, row)) for row in rows.tolist()) + "\n")
    return str(path)


@pytest.mark.parametrize("energy", ["errors", "bits", "logistic"])
def test_anneal_of_patterns(program, tmp_path, energy):
    drawn = spinney.Perceptron.random(101, alpha=0.3, seed=5)
    made = spinney.Perceptron(drawn.patterns, drawn.labels, energy)
    printed = program("anneal", "--energy", energy, "--patterns", patterns_file(tmp_path / "p.csv", made),
                      "--sweeps", 50)
    same(spinney.anneal(made, sweeps=50), printed)


def test_random_patterns_are_the_programs(program):
    printed = program("anneal", "--energy", "bits", "--random", "101,0.3,5", "--teacher", "--sweeps", 50)
    made = spinney.Perceptron.random(101, alpha=0.3, seed=5, energy="bits", teacher=True)
    result = spinney.anneal(made, sweeps=50)
    assert result.to_dict()["results"] == printed["results"]
    assert "generalisation" in result
    assert made([made.teacher])[0] == 0
    same(spinney.anneal("bits", random="101,0.3,5", teacher=True, sweeps=50), printed)


def test_anneal_of_a_committee(program, tmp_path):
    draws = np.random.default_rng(1)
    made = spinney.Committee(draws.choice([-1, 1], (20, 15)), draws.choice([-1, 1], 20), units=5, tree=True)
    printed = program("anneal", "--energy", "committee", "--units", 5, "--tree", "--patterns",
                      patterns_file(tmp_path / "p.csv", made), "--sweeps", 50)
    same(spinney.anneal(made, sweeps=50), printed)


def test_temper(program, tmp_path):
    edges = random_edges(16, 30, 1, "real")
    graph = rudy(tmp_path / "graph.txt", 16, edges)
    made = spinney.Ising(None, [(i, j, weight) for i, j, weight in edges])
    printed = program("temper", "--energy", "ising", "--graph", graph, "--scans", 256, "--keep-every", 16)
    same(spinney.temper(made, scans=256, keep_every=16), printed)


def test_population(program, tmp_path):
    edges = random_edges(16, 30, 1, "real")
    graph = rudy(tmp_path / "graph.txt", 16, edges)
    made = spinney.Ising(None, [(i, j, weight) for i, j, weight in edges])
    printed = program("population", "--energy", "ising", "--graph", graph, "--groups", 128, "--threads", 2)
    same(spinney.population(made, groups=128, threads=2), printed)
    assert spinney.population(made, groups=128).to_dict()["results"] == printed["results"]


def test_entropy(program):
    printed = program("entropy", "--energy", "bits", "--random", "21,5,1", "--distance", "0.1,0.2", "--scans", 128,
                      "--sweeps", 100, "--all")
    same(spinney.entropy("bits", random="21,5,1", distance=[0.1, 0.2], scans=128, sweeps=100, all=True), printed)


def test_exact(program, tmp_path):
    energies = np.random.default_rng(2).normal(size=16)
    table = tmp_path / "table.txt"
    table.write_text("\n".join(map(repr, energies.tolist())) + "\n")
    printed = program("exact", "--energy", "table", "--table", table, "--beta", 0.7, "--density", "--threads", 1)
    same(spinney.exact(spinney.Table(energies), beta=0.7, density=True, threads=1), printed)


def test_train(program):
    printed = program("train", "--data", "digits", "--sweeps", 1, "--subset", 100, "--flip", "0,0.1", "--trials", 10)
    same(spinney.train("digits", sweeps=1, subset=100, flip=[0, 0.1], trials=10), printed)


def test_train_of_arrays(program, tmp_path):
    draws = np.random.default_rng(4)
    X, y = draws.normal(size=(60, 5)).round(3), draws.choice(["no", "yes"], 60)
    for name, rows in (("train", slice(0, 40)), ("test", slice(40, 60))):
        lines = [",".join(map(repr, x)) + "," + label for x, label in zip(X[rows].tolist(), y[rows])]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    printed = program("train", "--data", tmp_path / "train.csv", "--test", tmp_path / "test.csv", "--sweeps", 2)
    same(spinney.train(X[:40], y[:40], test=X[40:], test_labels=y[40:], sweeps=2), printed)


def test_evaluate(program, tmp_path):
    file = tmp_path / "digits.spn"
    trained = spinney.train("digits", sweeps=1, subset=100, hidden=8, out=file)
    printed = program("eval", "--model", file, "--data", "digits", "--flip", "0,0.1", "--trials", 10)
    same(spinney.evaluate(file, "digits", flip=[0, 0.1], trials=10), printed)
    in_memory = spinney.evaluate(trained.model, "digits", flip=[0, 0.1], trials=10).to_dict()
    for part in ("results", "curves"):
        assert in_memory[part] == printed[part]


def test_init_from_an_array_is_that_of_a_file(program, tmp_path):
    edges = random_edges(12, 30, 1, "signs")
    graph = rudy(tmp_path / "graph.txt", 12, edges)
    states = np.random.default_rng(3).choice([-1, 1], (2, 12))
    file = tmp_path / "states.txt"
    file.write_text("\n".join("".join("-+"[int(s > 0)] for s in state) for state in states) + "\n")
    printed = program("anneal", "--energy", "ising", "--graph", graph, "--init", file, "--steps", 3, "--beta", 5)
    same(spinney.anneal(spinney.Ising(None, edges), init=states, steps=3, beta=5), printed)


def test_init_finds_variables_by_name(tmp_path):
    """In dicts, tables, sample sets and files that Python wrote, in any order; unknown and missing ones are refused."""
    pandas = pytest.importorskip("pandas")
    state = {(0, 1): 1, 7: 1, "a": -1}
    energy = spinney.Ising({"a": 1.0, 7: -2.0}, {("a", 7): 0.5, (7, (0, 1)): -1.0})
    table = pandas.DataFrame([list(state.values())], columns=pandas.Index(list(state), tupleize_cols=False))
    samples = spinney.SampleSet.from_samples((np.array([list(state.values())]), list(state)), "SPIN", energy=0.0,
                                             sort_labels=False)
    spinney.anneal(energy, init=state, steps=1, beta=1e9, replicas=1, out=tmp_path / "states.json")
    spinney.anneal(energy, init=state, steps=1, beta=1e9, replicas=1, out=tmp_path / "states.csv")
    assert (tmp_path / "states.csv").read_text().splitlines()[0] == 'energy,count,a,7,"(0, 1)"'
    assert energy(state) == energy(table)[0] == energy([state])[0] == energy(samples)[0] == -4.5
    for init in (state, [state, state], table, samples, tmp_path / "states.json", tmp_path / "states.csv"):
        found = spinney.anneal(energy, init=init, steps=1, beta=1e9, replicas=1)
        assert found.end_energies.tolist() == [-4.5]
        assert np.array_equal(found.end_spins[0], [state[v] for v in energy.variables])
    assert (spinney.Chain(energy, init=state).energies == -4.5).all()
    for wrong, why in (({"a": 1, 7: 1}, r"no value of the variable \(0, 1\)"),
                       ({**state, "b": 1}, "'b' is no variable")):
        for run in (lambda: spinney.anneal(energy, init=wrong), lambda: spinney.Chain(energy, init=wrong)):
            with pytest.raises(ValueError, match="^init: .*" + why):
                run()
