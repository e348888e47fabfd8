"""Python functions as energies."""

import ctypes
import os
import pickle
import subprocess

import numpy as np
import pytest

import spinney

J = np.random.default_rng(7).integers(-2, 3, (12, 12)) * (1 - np.eye(12))


def value(spins):
    return float(spins @ J @ spins)


def delta(spins, site):
    return float(-2 * spins[site] * (J[site] + J[:, site]) @ spins)


def values(states):
    return np.einsum("ki,ij,kj->k", states.astype(float), J, states.astype(float))


class Mine(Exception):
    pass


def of_every_kind():
    vectorised = spinney.Callback(values, 12, vectorised=True)
    return [spinney.Callback(value, 12), spinney.Callback(value, 12, delta), vectorised]


@pytest.mark.sanitize
def test_callbacks_are_the_energy():
    """The same chain, bit for bit, as that of the library's own energy: all numbers are whole."""
    plain = spinney.anneal(spinney.Ising(None, J), sweeps=30, beta=(0.01, 1))
    states = np.random.default_rng(1).choice([-1, 1], (20, 12))
    for made in of_every_kind():
        found = spinney.anneal(made, sweeps=30, beta=(0.01, 1))
        assert found["replicas.energy"].tolist() == plain["replicas.energy"].tolist()
        assert found["replicas.accepted"].tolist() == plain["replicas.accepted"].tolist()
        assert (found.states == plain.states).all()
        assert np.array_equal(made(states), values(states)) and made(states[0]) == value(states[0])
    assert spinney.temper(made, scans=16).complete
    small = spinney.Callback(lambda spins: float(spins.sum()), 4)
    assert spinney.exact(small, replicas=1)["E_min"] == -4


@pytest.mark.sanitize
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("after", [0, 1, 40])
def test_what_they_raise_comes_out_as_itself(after, threads):
    calls = []

    def failing(f, kind=Mine):
        def inner(*arguments):
            calls.append(1)
            if len(calls) > after:
                raise kind("mine")
            return f(*arguments)
        return inner

    for kind in (Mine, SystemExit, KeyboardInterrupt, StopIteration, MemoryError):
        for made in (spinney.Callback(failing(value, kind), 12), spinney.Callback(value, 12, failing(delta, kind)),
                     spinney.Callback(failing(values, kind), 12, vectorised=True)):
            calls.clear()
            with pytest.raises(kind, match="mine") as caught:
                spinney.anneal(made, sweeps=300, threads=threads)
            assert caught.traceback[-1].name == "inner"
            calls.clear()
            with pytest.raises(kind):
                spinney.Chain(made).run(5000)
    # and what was raised is forgotten
    assert spinney.anneal(spinney.Callback(value, 12), sweeps=2).complete


@pytest.mark.sanitize
@pytest.mark.parametrize("wrong", ["1", None, [1, 2], object(), b"1", 1j])
def test_wrong_values_are_errors(wrong):
    with pytest.raises(spinney.ArgumentError, match="^f: gave"):
        spinney.anneal(spinney.Callback(lambda spins: wrong, 5), sweeps=2)
    with pytest.raises(spinney.ArgumentError, match="^f: "):
        spinney.anneal(spinney.Callback(lambda states: wrong, 5, vectorised=True), sweeps=2)
    with pytest.raises(spinney.ArgumentError, match="^delta: gave"):
        spinney.anneal(spinney.Callback(lambda spins: 0.0, 5, lambda spins, site: wrong), sweeps=2)
    with pytest.raises(spinney.ArgumentError, match="^f: "):
        spinney.Callback(lambda spins: wrong, 5)([1] * 5)


@pytest.mark.sanitize
def test_wrong_numbers_of_values_are_errors():
    for found in (np.zeros(3), np.zeros((1, 1)), np.zeros(0), np.float64(1)):
        with pytest.raises(spinney.ArgumentError, match="^f: "):
            spinney.anneal(spinney.Callback(lambda states: found, 5, vectorised=True), sweeps=2)


def test_a_nan_is_an_error_of_the_energy():
    with pytest.raises(spinney.EnergyError, match="not a number"):
        spinney.anneal(spinney.Callback(lambda spins: float("nan"), 5), sweeps=2)


def test_states_may_be_kept_but_not_changed():
    seen = []

    def keeping(spins):
        seen.append(spins)
        with pytest.raises(ValueError):
            spins[0] = 1
        return value(spins)

    spinney.anneal(spinney.Callback(keeping, 12), sweeps=3)
    assert all(set(np.unique(spins)) <= {-1, 1} for spins in seen) and len({spins.tobytes() for spins in seen}) > 10


def test_flips_are_asked_for_together():
    sizes = []

    def counting(states):
        sizes.append(len(states))
        return values(states)

    made = spinney.Callback(counting, 12, vectorised=True)
    result = spinney.anneal(made, sweeps=400, beta=50, replicas=1)  # frozen: it stays where it is
    assert result.proposals == 4800 and len(sizes) < 400 and max(sizes) >= 8


def test_callbacks_may_call_the_library():
    inner = spinney.Ising(None, J)

    def nested(spins):
        return spinney.anneal(inner, init=spins, steps=1, beta=1).energy

    assert spinney.anneal(spinney.Callback(nested, 12), steps=3).complete


def test_callbacks_are_pickled_with_their_functions():
    again = pickle.loads(pickle.dumps(spinney.Callback(value, 12, delta)))
    assert again(np.ones(12)) == value(np.ones(12)) and again.delta is delta
    with pytest.raises(Exception, match="lambda"):
        pickle.dumps(spinney.Callback(lambda spins: 0, 3))


SOURCE = """
#include <stddef.h>
#include <stdint.h>
double value(const int8_t *s, size_t n, void *c)
{ double e = 0; for (size_t i = 0; i + 1 < n; i++) e -= s[i] * s[i + 1]; return e; }
double change(const int8_t *s, size_t n, size_t i, void *c)
{ return 2.0 * s[i] * ((i ? s[i - 1] : 0) + (i + 1 < n ? s[i + 1] : 0)); }
"""


def test_compiled_functions_are_called_directly(tmp_path):
    """Those of ctypes: the same run as with the couplings, and no Python in between."""
    source, library = tmp_path / "energy.c", tmp_path / "energy.so"
    source.write_text(SOURCE)
    try:
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", library, source], check=True)
    except FileNotFoundError:
        pytest.skip("there is no compiler")
    functions = ctypes.CDLL(str(library))
    functions.value.restype = functions.change.restype = ctypes.c_double
    chain = spinney.Ising(None, {(i, i + 1): -1 for i in range(20)})
    for delta in (None, functions.change):
        mine = spinney.Callback(functions.value, 21, delta)
        assert mine([1] * 21) == -20 and mine([[1] * 21, [-1] * 20 + [1]]).tolist() == [-20, -18]
        run = {"sweeps": 30, "seed": 3, "beta": (0.1, 3)}
        assert spinney.anneal(mine, **run).states.tolist() == spinney.anneal(chain, **run).states.tolist()
    with pytest.raises(ValueError, match="both compiled"):
        spinney.Callback(functions.value, 21, lambda s, i: 0.0)


def test_cfuncs_of_numba():
    numba = pytest.importorskip("numba")

    @numba.cfunc("float64(CPointer(int8), uintp, voidptr)")
    def value(s, n, context):
        total = 0.0
        for i in range(n - 1):
            total -= s[i] * s[i + 1]
        return total

    assert spinney.anneal(spinney.Callback(value, 21), sweeps=100).best_energy == -20


def forbidding(spins):
    """Infinite unless the first two spins are equal: half of all states."""
    return 0.05 * value(spins) if spins[0] == spins[1] else float("inf")


def forbidding_delta(spins, site):
    flipped = spins.copy()
    flipped[site] *= -1
    return forbidding(flipped) - forbidding(spins)


def forbidding_values(states):
    return np.where(states[:, 0] == states[:, 1], 0.05 * values(states), np.inf)


def forbidding_of_every_kind():
    vectorised = spinney.Callback(forbidding_values, 12, vectorised=True)
    return [spinney.Callback(forbidding, 12), spinney.Callback(forbidding, 12, forbidding_delta), vectorised]


@pytest.mark.sanitize
def test_infinite_energies_are_never_entered():
    """Every sampler starts at finite energies and stays there; log Z is that of the allowed states."""
    states = np.array(np.unravel_index(np.arange(4096), (2,) * 12)).T * 2 - 1
    energies = forbidding_values(states)
    lowest, log_z = energies.min(), np.log(np.exp(-energies).sum())
    for made in forbidding_of_every_kind():
        for seed, beta in ((0, "auto"), (1, "auto"), (2, (0, 2)), (3, (0, 2))):
            found = spinney.anneal(made, sweeps=10, seed=seed, beta=beta)
            assert np.isfinite(found["replicas.energy"]).all()
        assert spinney.anneal(made, reads=4, sweeps=30).best_energy == lowest
        chain = spinney.Chain(made, beta=0)
        chain.run(100)
        assert np.isfinite(chain.energies).all()
    made = forbidding_of_every_kind()[2]
    alone = {"replicas": 1, "gamma": 0}
    for run in (spinney.temper(made, scans=128, rungs=4, beta=(0, 1), **alone),
                spinney.temper(made, scans=128, rungs=4, beta=(0, 1), method="simulated", **alone),
                spinney.population(made, groups=256, sweeps=2, beta=1, **alone)):
        assert abs(run["log_z"] - log_z) < 13 * run["log_z_error"] < 2  # 1e-6 at 8 degrees of freedom
        assert run.best_energy == lowest and np.isfinite(run.energies).all()
    assert np.isinf(spinney.temper(made, scans=16, beta=(0, 1))["rungs.energy"][0])
    with pytest.raises(spinney.EnergyError, match="equi-energy needs finite energies"):
        spinney.temper(made, scans=64, beta=(0, 1), method="equi-energy")
    with pytest.raises(spinney.EnergyError, match="is infinite at state"):
        spinney.exact(made, replicas=1)


def test_infinite_energies_without_a_way_out_are_refused():
    nowhere = spinney.Callback(lambda spins: float("inf"), 5)
    for run in (spinney.anneal, spinney.temper, spinney.population):
        with pytest.raises(spinney.EnergyError, match="infinite at every state of a random start's search"):
            run(nowhere)
    with pytest.raises(spinney.EnergyError, match="given start of replica 0 is infinite"):
        spinney.anneal(forbidding_of_every_kind()[0], init=[1, -1] + [1] * 10)
    deep = spinney.Callback(lambda spins: -float("inf") if spins.sum() < 0 else 0.0, 12)
    for run in (spinney.anneal, spinney.temper, spinney.population):
        with pytest.raises(spinney.EnergyError, match="-infinity"):
            run(deep)


@pytest.mark.sanitize
def test_a_wrong_delta_is_found_in_every_sampler():
    def half(spins, site):
        return -2 * spins[site] * (J[site] @ spins)  # of one of the two triangles

    made = spinney.Callback(value, 12, half)
    few = spinney.Callback(lambda spins: -1000.0 * (spins.sum() == 12), 12, lambda spins, site: -0.0)
    for energy in (made, few):
        init = {"init": np.ones(12, int)} if energy is few else {}
        for run in (lambda **more: spinney.anneal(energy, sweeps=60, **init, **more),
                    lambda: spinney.anneal(energy, reads=3, sweeps=60, **init),
                    lambda: spinney.anneal(energy, steps=20, **init)):
            with pytest.raises(spinney.EnergyError, match="does not agree with itself"):
                run()
    for run in (lambda: spinney.temper(made, scans=32), lambda: spinney.temper(made, scans=32, keep_every=2),
                lambda: spinney.temper(made, scans=32, method="simulated"),
                lambda: spinney.temper(made, scans=32, method="equi-energy"),
                lambda: spinney.population(made, groups=64), lambda: spinney.entropy(made, scans=16),
                lambda: spinney.Chain(made).run(20000)):
        with pytest.raises(spinney.EnergyError, match="does not agree with itself"):
            run()


def test_energies_are_those_of_the_states():
    """Sums of changes have rounding errors; what is handed out has not."""
    def rough(spins):
        return float(np.cos(spins @ np.arange(1.0, 13)) / 3)

    def rough_delta(spins, site):
        flipped = spins.copy()
        flipped[site] *= -1
        return rough(flipped) - rough(spins)

    made = spinney.Callback(rough, 12, rough_delta)
    for run in (spinney.anneal(made, sweeps=50), spinney.anneal(made, reads=9, sweeps=50),
                spinney.temper(made, scans=16, keep_every=4), spinney.population(made, groups=64, sweeps=1)):
        assert (run.energies == made(run.spins)).all()
