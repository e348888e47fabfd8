"""The types of spins: what is handed out cannot wrap in sums and products."""

import numpy as np
import pytest

import spinney
from spinney import _arrays

SITES = 301
UP = -np.ones(SITES, int)
ENERGIES = [spinney.Ising(np.ones(SITES)), spinney.QUBO(np.eye(SITES))]


@pytest.mark.parametrize("energy", ENERGIES, ids=["spin", "binary"])
@pytest.mark.parametrize("keywords", [{}, {"reads": 3}])
def test_states(energy, keywords):
    result = spinney.anneal(energy, sweeps=20, **keywords)
    low = 0 if energy.binary else -1
    for states in (result.states, result.best[np.newaxis]):
        assert states.dtype == np.int64 and not states.flags.writeable and (states[0] == low).all()
    assert (result.spins @ result.spins.T)[0, 0] == SITES and result.spins.dtype == np.int64
    assert result.states_int8.dtype == np.int8 and np.array_equal(result.states_int8, result.states)
    assert not result.states_int8.flags.writeable


def test_ends_and_chains():
    energy = ENERGIES[0]
    assert (lambda s: (s @ s.T)[0, 0])(spinney.anneal(energy, sweeps=2).end_spins) == SITES
    chain = spinney.Chain(energy)
    assert (chain.spins @ chain.spins.T)[0, 0] == SITES == chain.best @ chain.best == chain.centre() @ chain.centre()
    seen = []
    spinney.anneal(energy, sweeps=2, observe_every=SITES, observer=lambda m: seen.append(m.spins @ m.spins.T))
    assert all(products[0, 0] == SITES for products in seen) and seen


@pytest.mark.parametrize("how", ["value", "delta", "vectorised"])
def test_functions(how):
    """A sum of products with bytes of the user's own is that of whole numbers."""
    pattern = np.ones(SITES, np.int8)

    def value(s):
        assert s.dtype == np.int64 and not s.flags.writeable
        return s @ pattern

    mine = spinney.Callback(value, SITES, (lambda s, i: -2 * s[i] * pattern[i]) if how == "delta" else None,
                            vectorised=how == "vectorised")
    assert mine(UP) == -SITES and mine([UP, -UP]).tolist() == [-SITES, SITES]
    assert spinney.anneal(mine, sweeps=20, beta=10.0, replicas=1).best_energy == -SITES


def test_patterns_and_weights():
    drawn = spinney.Perceptron.random(SITES, 5, teacher=True)
    assert (drawn.patterns @ drawn.patterns.T).diagonal().tolist() == [SITES] * 5
    assert drawn.teacher @ drawn.teacher == SITES and drawn.labels.dtype == np.int64
    X = np.random.default_rng(1).integers(0, 2, (50, SITES)).astype(np.uint8)
    model = spinney.train(X, labels=X[:, 0], sweeps=1).model
    assert (model.weights @ model.weights.T)[0, 0] == model.weights.shape[1] > 127
    assert np.array_equal(model.weights_int8, model.weights) and model.weights_int8.dtype == np.int8


def test_states_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(_arrays, "memory_available", lambda: 2.0**30)
    many = np.broadcast_to(np.int8(1), (10**6, 1000))
    with pytest.raises(MemoryError, match="states: 1000000 x 1000 numbers of 8 bytes take 7.5 GiB.*states_int8"):
        _arrays.wide("states", many)
