"""Live chains: the same as a task's, in pieces, in threads; not in forks and pickles."""

import copy
import os
import pickle
import threading

import numpy as np
import pytest

import spinney

J = np.random.default_rng(3).normal(size=(20, 20)) * (1 - np.eye(20))


def glass():
    return spinney.Ising(None, J)


@pytest.mark.sanitize
def test_a_chain_is_the_tasks():
    result = spinney.anneal(glass(), steps=3000, beta=(0.1, 2.0), gamma=(0.0, 0.5), gamma_schedule="linear", seed=5,
                            kernel="one-stage", init="independent")
    chain = spinney.Chain(glass(), steps=3000, beta=(0.1, 2.0), gamma=(0.0, 0.5), gamma_schedule="linear", seed=5,
                          kernel="one-stage", init="independent")
    assert chain.run(1) == "none" and chain.step == 1
    pieces = 1
    while chain.run(7 * pieces) == "none":
        pieces += 1
    assert pieces > 20 and chain.step == 3000 and chain.run() == "steps"
    assert chain.energies.tolist() == result.end_energies.tolist()
    assert (chain.spins == result.end_spins).all()
    assert chain.accepted.tolist() == result["replicas.accepted"].tolist()
    assert chain.best_energy == result.best_energy and chain.overlap == result.overlap
    assert glass()(chain.best) == pytest.approx(chain.best_energy, abs=1e-9)
    assert chain.health == result.health and "step 3000" in repr(chain)
    assert glass()(chain.centre()) == pytest.approx(result.centre_energy, abs=1e-9)


@pytest.mark.sanitize
def test_save_and_load():
    one, other = (spinney.Chain(glass(), beta=0.5, seed=2) for _ in range(2))
    one.run(8192)
    other.load(one.save())
    one.run(1000)
    other.run(1000)
    assert (one.spins == other.spins).all() and one.energies.tolist() == other.energies.tolist()
    with pytest.raises(spinney.ArgumentError, match="^state: "):
        one.load(b"nonsense")
    with pytest.raises(spinney.ArgumentError, match="^state: "):
        one.load("text")
    assert one.run(10) == "none"


def test_stops():
    chain = spinney.Chain(spinney.MaxCut([(0, 1)]), beta=1.0, target=-1.0)
    assert chain.run(10**9) == "target" and chain.best_energy == -1
    assert spinney.Chain(glass(), beta=50, patience=1000).run() == "patience"


@pytest.mark.parametrize("keywords, text", [
    (dict(replicas=0), "^replicas: 0"), (dict(replicas="3"), "^replicas: "), (dict(beta=-1), "beta"),
    (dict(beta="x"), "^beta: "), (dict(beta=float("nan")), "^beta: nan"), (dict(beta=(1, "2")), "^beta: a number"),
    (dict(beta=(0.1, 1)), "beta"), (dict(schedule=3), "^beta: the kind"), (dict(kernel="heat"), "^kernel: .*heat-bath"),
    (dict(order=1), "^order: a word"), (dict(init=[[1, -1]]), "^init: 3 states of 20"), (dict(init="sme"), "^init: "),
    (dict(seed=-1), "^seed: -1"), (dict(target="0"), "^target: "), (dict(steps=0), "^steps: 0"),
    (dict(moves="waiting"), "waiting|moves"),
])
@pytest.mark.sanitize
def test_wrong_arguments(keywords, text):
    with pytest.raises(spinney.ArgumentError, match=text):
        spinney.Chain(glass(), **keywords)


def test_an_energy_is_needed():
    with pytest.raises(spinney.ArgumentError, match="^energy: "):
        spinney.Chain("ising")
    with pytest.raises(spinney.ArgumentError, match="^steps: "):
        spinney.Chain(glass()).run("3")


def test_starts():
    given = np.random.default_rng(0).choice([-1, 1], (3, 20))
    assert (spinney.Chain(glass(), init=given).spins == given).all()
    assert (spinney.Chain(glass(), init=given[0]).spins == given[0]).all()
    bits = spinney.Chain(spinney.QUBO([[1, 0], [0, 1]]), init=[0, 1])
    assert bits.spins.tolist() == [[-1, 1]] * 3 and set(bits.best) <= {0, 1}


def test_arrays_are_copies():
    chain = spinney.Chain(glass(), beta=0.1)
    before = chain.spins
    kept = before.copy()
    chain.run(1000)
    assert (before == kept).all() and (chain.spins != kept).any()


def test_two_threads_cannot_use_one_chain():
    """One of them runs while its function waits for the other, which is refused."""
    held, go_on = threading.Event(), threading.Event()

    def slow(spins):
        held.set()
        go_on.wait(20)
        return 0.0

    energy = spinney.Callback(lambda spins: slow(spins) if held_from else 0.0, 4)
    held_from = []
    chain = spinney.Chain(energy)
    held_from.append(1)
    thread = threading.Thread(target=chain.run, args=(3,))
    thread.start()
    assert held.wait(20)
    try:
        with pytest.raises(spinney.LiveObjectError, match="another thread"):
            chain.run(1)
        with pytest.raises(spinney.LiveObjectError, match="another thread"):
            chain.spins
    finally:
        go_on.set()
        thread.join()
    assert chain.step == 3


def test_no_pickle_no_copy():
    chain = spinney.Chain(glass())
    for trial in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(spinney.LiveObjectError, match=r"live chain cannot be pickled or copied; .*chain.save\(\)"):
            trial(chain)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(chain._handle_)


def test_a_fork_gets_a_clear_error():
    chain = spinney.Chain(glass(), threads=2)
    chain.run(100)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        said = "nothing"
        try:
            chain.run(1)
        except spinney.LiveObjectError as error:
            said = str(error)
        finally:
            del chain  # which must not wait for threads that are not there
            os.write(write, said.encode())
            os._exit(0)
    os.close(write)
    said = os.read(read, 1000).decode()
    os.close(read)
    assert os.waitpid(child, 0)[1] == 0
    assert f"lives in process {os.getpid()}, of which this one is a fork" in said
    chain.run(100)
    assert chain.step == 200
