"""The sampler with the keywords of the common annealers, with and without their package."""

import itertools
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
import spinney
from hypothesis import given, settings, strategies as st
from spinney import Sampler, SampleSet


@pytest.fixture(autouse=True)
def no_dimod(monkeypatch):
    monkeypatch.setitem(sys.modules, "dimod", None)  # importing it fails, installed or not


@pytest.fixture
def dimod(monkeypatch):
    monkeypatch.delitem(sys.modules, "dimod", raising=False)
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "stand_in"))
    import dimod

    yield dimod
    monkeypatch.delitem(sys.modules, "dimod")


def ising_energy(h, J, sample):
    return sum(v * sample[i] for i, v in h.items()) + sum(v * sample[i] * sample[j] for (i, j), v in J.items())


def glass(sites, seed, kind=float):
    rng = np.random.default_rng(seed)
    return {(i, j): kind(rng.choice([-1, 1])) for i in range(sites) for j in range(i + 1, sites) if rng.random() < 0.2}


values = st.integers(-3, 3).map(lambda v: v / 2)


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(st.sampled_from("abcde"), values, max_size=5),
       st.dictionaries(st.sampled_from(list(itertools.combinations("abcde", 2))), values, max_size=6))
def test_ising_against_brute_force(h, J):
    found = Sampler().sample_ising(h, J, num_reads=20, num_sweeps=50, seed=1)
    variables = sorted({*h, *(v for pair in J for v in pair)})
    assert found.variables == variables and len(found) == 20
    states = [dict(zip(variables, s)) for s in itertools.product([-1, 1], repeat=len(variables))]
    lowest = min(ising_energy(h, J, state) for state in states)
    assert found.first.energy == lowest
    for row in found.data():
        assert row.energy == ising_energy(h, J, row.sample)


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), values, min_size=1, max_size=10))
def test_qubo_against_brute_force(Q):
    found = Sampler().sample_qubo(Q, num_reads=20, num_sweeps=50, seed=1)
    variables = sorted({v for pair in Q for v in pair})
    assert found.variables == variables and found.vartype.name == "BINARY"

    def energy(x):
        return sum(q * x[i] * x[j] for (i, j), q in Q.items())

    states = (dict(zip(variables, s)) for s in itertools.product([0, 1], repeat=len(variables)))
    assert found.first.energy == min(map(energy, states))
    assert all(row.energy == energy(row.sample) for row in found.data())


def test_same_as_anneal():
    J = glass(30, 1)
    found = Sampler().sample_ising({}, J, num_reads=8, num_sweeps=100, beta_range=(0.1, 3.0), seed=5)
    plain = spinney.anneal(spinney.Ising({v: 0.0 for v in range(30)}, J), reads=8, sweeps=100, beta="0.1:3",
                           schedule="exponential", replicas=1, order="sequential", seed=5)
    assert np.array_equal(found.aggregate().record.sample, plain.states)
    assert np.array_equal(found.aggregate().record.num_occurrences, plain.counts)
    assert found.info["beta_range"] == [0.1, 3.0]


def test_seeds():
    J = glass(40, 2)
    run = lambda **more: Sampler().sample_ising({}, J, num_reads=5, num_sweeps=20, **more)  # noqa: E731
    assert np.array_equal(run(seed=3).record, run(seed=3, threads=2).record)
    assert not np.array_equal(run(seed=3).record.sample, run(seed=4).record.sample)
    drawn = run()
    assert np.array_equal(run(seed=drawn.info["seed"]).record, drawn.record)
    assert run().info["seed"] != drawn.info["seed"]


def test_number_of_reads():
    J = {(i, i + 1): 1.0 for i in range(9)}
    assert len(Sampler().sample_ising({}, J)) == 1
    assert len(Sampler().sample_ising({}, J, num_reads=7)) == 7
    assert len(Sampler().sample_ising({}, J, initial_states=np.ones((4, 10)))) == 4
    assert len(Sampler().sample_ising([0.5] * 3, {}, num_reads=np.int64(2))) == 2


def frozen(**more):
    """Reads that stay where they start: no field is felt at beta 0 but in one sweep at a huge one."""
    return Sampler().sample_ising({}, {(0, 1): -1.0, (1, 2): -1.0}, num_sweeps=1, beta_range=(1e9, 1e9), seed=1, **more)


def test_initial_states():
    up, down = [1, 1, 1], [-1, -1, -1]
    both = frozen(initial_states=[up, down])
    assert sorted(both.record.sample.tolist()) == [down, up]
    tiled = frozen(initial_states=[up, down], num_reads=5, initial_states_generator="tile")
    assert sorted(tiled.record.sample.tolist()) == [down] * 2 + [up] * 3
    assert frozen(initial_states=[up, down], num_reads=1).record.sample.tolist() == [up]
    named = frozen(initial_states={2: -1, 0: -1, 1: -1}, num_reads=1)
    assert named.record.sample.tolist() == [down]
    binary = SampleSet.from_samples([[0, 0, 0]], "BINARY", energy=[0])
    assert frozen(initial_states=binary).record.sample.tolist() == [down]
    assert len(frozen(initial_states=[up], num_reads=9, initial_states_generator="random")) == 9
    qubo = Sampler().sample_qubo({(0, 0): -1.0, (1, 1): 1.0}, initial_states=[[1, 0]], num_sweeps=1,
                                 beta_range=(1e9, 1e9), seed=1)
    assert qubo.record.sample.tolist() == [[1, 0]]


def test_schedules_agree():
    """Pieces of one sweep are the linear schedule where beta does not change; and steps are what was asked for."""
    J = glass(20, 4)
    run = lambda **more: Sampler().sample_ising({}, J, num_reads=3, seed=2, **more)  # noqa: E731
    constant = run(num_sweeps=6, beta_range=(1.5, 1.5))
    custom = run(beta_schedule_type="custom", beta_schedule=[1.5, 1.5], num_sweeps_per_beta=3)
    assert np.array_equal(constant.record, custom.record)
    steps = run(num_sweeps=6, num_sweeps_per_beta=3, beta_range=(0.5, 2.0))
    listed = run(beta_schedule_type="custom", beta_schedule=[0.5, 2.0], num_sweeps_per_beta=3)
    assert np.array_equal(steps.record, listed.record)
    linear = run(num_sweeps=6, num_sweeps_per_beta=2, beta_range=(0.0, 2.0), beta_schedule_type="linear")
    listed = run(beta_schedule_type="custom", beta_schedule=[0.0, 1.0, 2.0], num_sweeps_per_beta=2)
    assert np.array_equal(linear.record, listed.record)
    assert len(run(beta_schedule_type="linear", num_sweeps=5)) == 3
    assert len(run(randomize_order=True, num_sweeps=5)) == 3
    assert len(run(proposal_acceptance_criteria="Gibbs", num_sweeps=5)) == 3
    assert len(run(replicas=3, gamma=0.5, num_sweeps=5)) == 3


def test_interrupt():
    asked = []

    def enough():
        asked.append(threading.get_ident())
        return len(asked) >= 2

    J = {pair: value * 0.7310585 for pair, value in glass(60, 5).items()}
    found = Sampler().sample_ising({}, J, num_reads=3, num_sweeps=10**7, seed=1, interrupt_function=enough)
    assert len(asked) >= 2 and not found.info["complete"] and 1 <= len(found) <= 3

    def broken():
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        Sampler().sample_ising({}, J, num_sweeps=10**7, interrupt_function=broken)


def test_nothing_to_minimise():
    assert Sampler().sample_ising({}, {}, num_reads=2).record.sample.shape == (2, 0)
    flat = Sampler().sample_ising({"a": 0}, {("a", "b"): 0.0}, num_reads=50, seed=1)
    assert set(flat.record.energy) == {0.0} and set(flat.record.sample.ravel()) == {-1, 1}


def test_labels_of_any_kind():
    found = Sampler().sample_ising({"a": 1.0, 3: -1.0, ("x", 1): 0.5}, {("a", 3): -0.25}, num_reads=4, seed=1)
    assert found.first.sample == {"a": -1, 3: 1, ("x", 1): -1}


ONE = ({}, {(0, 1): 1.0})


@pytest.mark.parametrize("keyword, value", [
    ("num_reads", 0), ("num_reads", 1.5), ("num_reads", "many"), ("num_reads", True),
    ("num_sweeps", "x"), ("num_sweeps_per_beta", 0), ("num_sweeps_per_beta", 7), ("beta_range", 3),
    ("beta_range", (1,)), ("beta_range", (0, 1)), ("beta_range", (1, float("nan"))), ("beta_range", ("a", "b")),
    ("beta_range", (-1, 1)), ("beta_schedule_type", "custom"), ("beta_schedule_type", "cubic"),
    ("beta_schedule", [1, 2]), ("seed", -1), ("seed", "x"), ("seed", 0.5), ("initial_states", [[1]]),
    ("initial_states", [[1, 7]]), ("initial_states", [[0, 1]]), ("initial_states", "ab"),
    ("initial_states_generator", "all"), ("interrupt_function", 3),
    ("proposal_acceptance_criteria", "metro")])
def test_bad_keywords(keyword, value):
    # what it is about may be the keyword beside it, such as beta_schedule for beta_schedule_type
    with pytest.raises(spinney.ArgumentError, match=keyword.partition("_type")[0].partition("_per_beta")[0]):
        Sampler().sample_ising(*ONE, **{keyword: value})


@pytest.mark.parametrize("more, name", [
    ({"beta_schedule": [1, -1]}, "beta_schedule"), ({"beta_schedule": []}, "beta_schedule"),
    ({"beta_schedule": [[1]]}, "beta_schedule"), ({"beta_schedule": ["x"]}, "beta_schedule"),
    ({"beta_schedule": [1, 2], "num_sweeps": 3}, "num_sweeps"),
    ({"beta_schedule": [1, 2], "beta_range": (1, 3)}, "beta_range")])
def test_bad_custom_schedules(more, name):
    with pytest.raises(spinney.ArgumentError, match=name):
        Sampler().sample_ising(*ONE, beta_schedule_type="custom", **more)


@pytest.mark.parametrize("h, J", [
    ({}, {(0, 0): 1.0}), ({}, {0: 1.0}), ({}, [1, 2]), ({}, {(0, 1): "x"}), ({}, {(0, 1): float("nan")}),
    ({0: None}, {}), ([float("inf")], {}), ({}, {(0, 1, 2): 1.0})])
def test_bad_problems(h, J):
    with pytest.raises(ValueError, match="h|J"):
        Sampler().sample_ising(h, J)


def test_bad_names():
    with pytest.raises(TypeError, match="num_read"):
        Sampler().sample_ising(*ONE, num_read=3)
    with pytest.raises(ValueError, match="none"):
        Sampler().sample_ising(*ONE, num_reads=2, initial_states=[[1, 1]], initial_states_generator="none")
    with pytest.raises(ValueError, match="bqm"):
        Sampler().sample({(0, 1): 1.0})


# ---- beside the package that others use ----


def test_returns_their_type(dimod):
    found = Sampler().sample_ising({"a": 1.0}, {("a", "b"): -1.0}, num_reads=3, seed=1)
    assert type(found) is dimod.SampleSet and found.vartype is dimod.SPIN and len(found) == 3
    assert found.first.sample == {"a": -1, "b": -1} and found.first.energy == -2.0
    assert Sampler().sample_qubo({(0, 0): -1.0}, seed=1).vartype is dimod.BINARY
    assert isinstance(Sampler(), dimod.Sampler)


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
def test_their_models(dimod, vartype):
    bqm = dimod.BinaryQuadraticModel({"b": 0.5, "a": -1.0}, {("a", "b"): 0.75, ("b", "c"): -2.0}, 3.5, vartype)
    found = Sampler().sample(bqm, num_reads=20, num_sweeps=50, seed=1)
    levels = sorted(bqm.vartype.value)
    states = (dict(zip("abc", s)) for s in itertools.product(levels, repeat=3))
    assert found.first.energy == min(map(bqm.energy, states)) and found.vartype is bqm.vartype
    for row in found.record:
        assert row["energy"] == bqm.energy(dict(zip(found.variables, row["sample"].tolist())))


def test_to_their_type(dimod):
    ours = SampleSet.from_samples(([[1, -1]], ["a", "b"]), "SPIN", energy=[1.5], info={"seed": 1}, num_occurrences=[4])
    theirs = ours.to_dimod()
    assert theirs.record.num_occurrences.tolist() == [4] and theirs.info == {"seed": 1}
    again = SampleSet.from_samples(theirs, "SPIN", energy=theirs.record.energy)
    assert again.record.sample.tolist() == [[1, -1]] and again.variables == ["a", "b"]


def test_their_samples_as_starts(dimod):
    theirs = dimod.SampleSet.from_samples((np.array([[0, 0]], np.int8), [0, 1]), "BINARY", [0.0])
    found = Sampler().sample_ising({}, {(0, 1): -1.0}, initial_states=theirs, num_sweeps=1, beta_range=(1e9, 1e9))
    assert found.record.sample.tolist() == [[-1, -1]]


def test_parameters_are_told():
    sampler = Sampler()
    for keyword, properties in sampler.parameters.items():
        assert keyword in Sampler.sample.__kwdefaults__
        assert all(name in sampler.properties for name in properties)


def test_samples_come_in_the_order_of_the_initial_states():
    """Cold reads stay where they start, whatever the energies are."""
    starts = [[1, 1], [-1, -1], [1, 1], [-1, -1]]
    for keywords in ({"beta_range": (1e9, 1e9), "num_sweeps": 1}, {"num_sweeps": 0}):
        found = Sampler().sample_ising({0: 0.1}, {(0, 1): -1.0}, initial_states=starts, seed=1, **keywords)
        assert found.record.sample.tolist() == starts
        assert found.record.energy.tolist() == pytest.approx([-0.9, -1.1, -0.9, -1.1])
    tiled = Sampler().sample_ising({}, {(0, 1): -1.0}, initial_states=starts[:2], num_reads=3, num_sweeps=0,
                                   initial_states_generator="tile")
    assert tiled.record.sample.tolist() == starts[:3]
    again = [Sampler().sample_ising({}, {(0, 1): 1.0}, initial_states=starts, num_sweeps=3, seed=2) for _ in range(2)]
    assert np.array_equal(again[0].record.sample, again[1].record.sample)


def test_polynomials_of_any_degree():
    """As OpenJij's sample_hubo: the least value, by trying all states."""
    rng = np.random.default_rng(4)
    terms = {tuple(sorted(rng.choice(8, d, False).tolist())): float(rng.integers(-5, 6)) for d in (1, 2, 3, 4) * 5}
    for vartype, low in (("SPIN", -1), ("BINARY", 0)):
        states = [[low if k >> i & 1 else 1 for i in range(8)] for k in range(256)]
        least = min(sum(c * np.prod([s[i] for i in key]) for key, c in terms.items()) + 2 for s in states)
        found = Sampler().sample_hubo({**terms, (): 2.0}, vartype, num_reads=20, num_sweeps=100, seed=1)
        assert len(found) == 20 and found.vartype.name == vartype and found.info["complete"]
        assert found.first.energy == least
        for sample, energy in zip(found.samples(sorted_by=None), found.record.energy):
            assert energy == sum(c * np.prod([sample[i] for i in key]) for key, c in terms.items()) + 2


def test_samples_of_equal_energies_are_the_last_states():
    """Spins whose flips cost nothing turn at each sweep; by heat bath each is drawn anew. They stayed as they were."""
    free, start = ({k: 0.0 for k in range(1000)}, {}), np.ones((1, 1000), int)
    for sweeps in range(4):
        how = dict(initial_states=start, num_sweeps=sweeps, beta_range=(0.1, 1))
        for found in (Sampler().sample_ising(*free, **how), Sampler().sample_qubo(np.zeros((1000, 1000)), **how)):
            down = -1 if found.vartype.name == "SPIN" else 0
            assert (found.record.sample == (down if sweeps % 2 else 1)).all() and found.record.energy.tolist() == [0]
    drawn = Sampler().sample_ising(*free, initial_states=start, num_sweeps=1, beta_range=(0.1, 1), seed=1,
                                   proposal_acceptance_criteria="Gibbs")
    assert 400 < (drawn.record.sample == 1).sum() < 600  # 6 standard deviations


def test_reads_that_the_time_cuts_off_are_not_complete():
    """With initial states, and single reads, they were marked complete."""
    J = {(k, (k + 1) % 1000): -1.0 for k in range(1000)}
    ones = np.ones((3, 1000), int)
    for how in ({}, {"num_reads": 3}, {"initial_states": ones[:1]}, {"initial_states": ones}):
        cut = Sampler().sample_ising({}, J, num_sweeps=10**7, time=0.05, **how)
        assert not cut.info["complete"] and 1 <= len(cut) <= 3
        assert Sampler().sample_ising({}, J, num_sweeps=3, time=3600, **how).info["complete"]


def test_no_sweeps_without_initial_states():
    found = Sampler().sample_qubo({(0, 1): 2.0, (1, 1): -1.0}, num_reads=50, num_sweeps=0, seed=3)
    assert set(found.record.energy.tolist()) == {-1.0, 0.0, 1.0}


def test_timing_is_told():
    for h, J in (({}, {}), ({"a": 1}, {}), ({}, {("a", "b"): -1.0})):
        timing = Sampler().sample_ising(h, J).info["timing"]
        assert set(timing) == {"preprocessing_ns", "sampling_ns", "postprocessing_ns"} and min(timing.values()) > 0


def test_unknown_keywords_are_left_out_when_asked():
    with pytest.warns(UserWarning, match="no keyword 'foo'"):
        assert Sampler().remove_unknown_kwargs(num_reads=3, foo=1, threads=2) == {"num_reads": 3, "threads": 2}


@pytest.mark.parametrize("keyword", ["num_reads", "seed", "num_sweeps", "num_sweeps_per_beta", "interrupt_function"])
@pytest.mark.parametrize("value", [3.5, float("inf"), "text", [], {}])
def test_values_of_another_kind_are_type_errors(keyword, value):
    with pytest.raises(TypeError, match=keyword):
        Sampler().sample_ising({}, {(0, 1): 1.0}, **{keyword: value})


def test_matrices_are_dicts_of_their_entries():
    Q = np.array([[0, 2, 0], [-3, 1, 0], [0, 0, 0]])
    found = Sampler().sample_qubo(Q, num_reads=5, seed=1)
    assert found.record.sample.shape[1] == 3 and found.first.energy == -0.0
    for sample, energy in zip(found.record.sample, found.record.energy):
        assert energy == sample @ Q @ sample
    J = np.array([[0, 2.5], [-1, 0]])
    found = Sampler().sample_ising(np.array([1.0, 0.5]), J, num_reads=5, seed=1)
    assert found.first.energy == min(a + b / 2 + 1.5 * a * b for a in (-1, 1) for b in (-1, 1))
    for wrong in (np.ones((2, 3)), np.ones(4), np.array([["a"]]), np.ones((2, 2)) * np.nan):
        with pytest.raises(ValueError, match="Q"):
            Sampler().sample_qubo(wrong)
    with pytest.raises(ValueError, match="J"):
        Sampler().sample_ising([0, 0], np.eye(2))


def test_schedules_of_pairs_and_an_infinite_beta():
    own = Sampler().sample_ising(*ONE, schedule=[[0.5, 2], [3.0, 1]], seed=1)
    assert own.info["beta_range"] == [0.5, 3.0]
    pairs = Sampler().sample_ising(*ONE, beta_schedule_type="custom", beta_schedule=[[0.5, 2], [3.0, 1]], seed=1)
    plain = Sampler().sample_ising(*ONE, beta_schedule_type="custom", beta_schedule=[0.5, 0.5, 3.0], seed=1)
    assert pairs.record.sample.tolist() == plain.record.sample.tolist() and pairs.info["beta_range"] == [0.5, 3.0]
    fields = np.random.default_rng(1).normal(size=50)
    cold = Sampler().sample_ising(fields, {}, beta_schedule_type="custom", beta_schedule=[float("inf")],
                                  initial_states=[np.sign(fields)])
    assert (cold.record.sample[0] == -np.sign(fields)).all()


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
def test_their_models_are_energies(dimod, vartype):
    quadratic = {("a", "b"): 0.75, ("b", "c"): -2.0}
    bqm = dimod.BinaryQuadraticModel({"b": 0.5, "a": -1.0, "d": 2.0}, quadratic, 3.5, vartype)
    result = spinney.anneal(bqm, reads=5, sweeps=50, seed=1)
    levels = sorted(bqm.vartype.value)
    states = (dict(zip("abcd", s)) for s in itertools.product(levels, repeat=4))
    assert result.best_energy == bqm.energy(result.sample) == min(map(bqm.energy, states))
    assert spinney.exact(bqm, replicas=1, beta=1.0).E_min == result.best_energy
