"""Runs that are watched, interrupted, and side by side."""

import itertools
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import spinney

J = np.random.default_rng(3).integers(-1, 2, (30, 30)) * (1 - np.eye(30))


def glass():
    return spinney.Ising(None, J)


# ---- observers ----


def test_observers_see_fixed_steps():
    seen = []

    def look(moment):
        if moment.at:
            seen.append((moment.step, moment.beta, moment.energy, moment.best_energy, moment.overlap))
            assert moment.spins.shape == (3, 30) and moment.energies.shape == (3,)
            assert np.allclose(glass()(moment.spins), moment.energies) and moment.energies.mean() == moment.energy
            assert moment.spins.flags.owndata and 0 <= moment.done <= 1 and moment.gamma == 0.5

    result = spinney.anneal(glass(), steps=1000, beta=(0.1, 2.0), observer=look, observe_every=100)
    assert [row[0] for row in seen] == [100.0 * k for k in range(11)]
    assert seen[-1][3] == result.best_energy and seen[-1][4] == result.overlap
    plain = spinney.anneal(glass(), steps=1000, beta=(0.1, 2.0))
    assert plain.to_dict()["results"] == result.to_dict()["results"]


def test_a_moment_is_over_after_its_call():
    kept = []
    spinney.anneal(glass(), steps=100, observer=kept.append, observe_every=50)
    assert kept and "over" in repr(kept[0])
    for name in ("step", "spins", "energies", "words"):
        with pytest.raises(spinney.Error, match="valid only while"):
            getattr(kept[0], name)
    with pytest.raises(AttributeError, match="it has done, at, step"):
        kept[0].nothing


@pytest.mark.parametrize("keywords", [{}, {"reads": 50}, {"reads": 50, "threads": 2}])
def test_an_observer_can_stop_the_run(keywords):
    result = spinney.anneal(glass(), steps=10**12, observer=lambda moment: True, **keywords)
    assert not result.complete and result.stop == "interrupted" and len(result.best) == 30
    assert "stopped" in repr(result)


@pytest.mark.sanitize
@pytest.mark.parametrize("threads", [1, 2])
def test_what_observers_raise_comes_out_as_itself(threads):
    for kind in (KeyError, SystemExit, KeyboardInterrupt):
        def failing(moment):
            raise kind("mine")
        with pytest.raises(kind, match="mine") as raised:
            spinney.anneal(glass(), steps=10**12, threads=threads, observer=failing)
        if kind is KeyboardInterrupt:
            assert not raised.value.result.complete and len(raised.value.result.best) == 30


def test_names_of_any_kind_read_back(tmp_path):
    names = ["a\nb", 'q"z', " sp ", "x,y", "=1", "#h", "energy"]
    chosen = spinney.QUBO({(name, name): (-1) ** k for k, name in enumerate(names)})
    found = spinney.anneal(chosen, sweeps=50, seed=1)
    turned = spinney.QUBO({(name, name): (-1) ** names.index(name) for name in reversed(names)})
    for ending in ("csv", "json"):
        spinney.anneal(chosen, sweeps=50, seed=1, out=tmp_path / f"o.{ending}")
        again = spinney.anneal(turned, init=tmp_path / f"o.{ending}", steps=1, beta=1e9, replicas=1)
        assert again.sample == found.sample


def test_progress():
    shares = []
    spinney.anneal(glass(), sweeps=200, progress=lambda share, words: shares.append(share))
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares) and shares[-1] == 1
    with pytest.raises(ZeroDivisionError):
        spinney.anneal(glass(), steps=10**12, progress=lambda share, words: 1 / 0)


def third_look():
    """An observer that ends a run at its third look."""
    looks = itertools.count(1)
    return lambda moment: next(looks) == 3


def test_a_bar_is_shown(capsys):
    spinney.anneal(glass(), steps=10**12, progress=True, observer=third_look())
    stopped = capsys.readouterr().err
    assert "anneal" in stopped and "100%" not in stopped
    spinney.anneal(glass(), sweeps=10, progress=True)
    assert "100%" in capsys.readouterr().err


def test_a_line_is_shown_without_tqdm(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    spinney.anneal(glass(), steps=10**12, progress=True, observer=third_look())
    stopped = capsys.readouterr().err
    assert "anneal: " in stopped and "100%" not in stopped
    spinney.anneal(glass(), sweeps=10, progress=True)
    assert "anneal: 100%" in capsys.readouterr().err


# ---- Ctrl-C ----

LONG = [
    "spinney.anneal(energy, steps=10**12)",
    "spinney.anneal(energy, reads=500, sweeps=10**7)",
    "spinney.anneal(energy, reads=500, sweeps=10**7, threads=2)",
    "spinney.anneal(energy, steps=10**12, coupling='centre', threads=2)",
    "spinney.temper(energy, scans=10**8)",
    "spinney.population(energy, groups=2000, sweeps=10**5)",
    "spinney.anneal(spinney.Callback(lambda s: float(s.sum()), 9), steps=10**9)",
    "spinney.anneal(spinney.Callback(lambda s: float(s.sum()), 9, lambda s, i: -2.0 * s[i]), steps=10**9)",
    "spinney.anneal(spinney.Callback(lambda s: s.sum(1, float), 9, vectorised=True), steps=10**9)",
    "spinney.train('digits', subset=300, sweeps=10**6)",
]
NOTHING = [
    "spinney.population('bits', random='4001,0.5,1', groups=50000, replicas=1, beta=1)",  # while the start is drawn
    "spinney.entropy('bits', random='1001,0.2,1', scans=10**8)",
    "spinney.exact('bits', random='22,5,1', replicas=1, schedule='linear:0:1', steps=10**8, threads=1)",
    "spinney.Chain(energy).run()",
    "spinney.Chain(spinney.Callback(lambda s: float(s.sum()), 9)).run()",
]
# Once this process has worked for so long, the call has begun, however busy the machine is.
INTERRUPT_LATER = """
import os, signal, threading, time
def wait_and_interrupt():
    until = time.process_time() + 0.3
    while time.process_time() < until:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
def interrupt_later():
    thread = threading.Thread(target=wait_and_interrupt)
    thread.start()
    return thread
"""
INTERRUPTED = INTERRUPT_LATER + """
import numpy, sys, spinney
J = numpy.random.default_rng(3).integers(-1, 2, (30, 30)) * (1 - numpy.eye(30))
energy = spinney.Ising(None, J)
for code in sys.argv[1:]:
    timer = interrupt_later()
    try:
        eval(compile(code, "call", "eval"))  # a text would mark the interrupt as never handled
    except KeyboardInterrupt as interrupt:
        result = getattr(interrupt, "result", None)
        print(code, result and (result.complete, len(result.energies) > 0 or len(result.model.classes) == 10))
    timer.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
"""


def interrupted(codes):
    """What a program prints that is interrupted a moment after each of these calls has begun."""
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, *codes], capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
    return done.stdout.strip().split("\n")


def test_an_interrupt_carries_what_there_is():
    assert interrupted(LONG) == [code + " (False, True)" for code in LONG]


def test_an_interrupt_comes_out_where_there_is_nothing():
    assert interrupted(NOTHING) == [code + " None" for code in NOTHING]


def test_other_handlers_of_interrupts_are_obeyed():
    script = INTERRUPT_LATER + """
import spinney
def mine(number, frame): raise TimeoutError("mine")
signal.signal(signal.SIGINT, mine)
interrupt_later()
try:
    spinney.anneal(spinney.MaxCut([(0, 1)]), steps=10**12)
except TimeoutError as error:
    print(error, signal.getsignal(signal.SIGINT) is mine)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=1200)
    assert (done.stdout, done.stderr) == ("mine True\n", "")


# ---- side by side ----


def test_python_runs_while_the_library_does():
    """The lock is free: this thread counts while another runs, and then has it stopped."""
    begun, over, counted = threading.Event(), threading.Event(), 0
    results = []

    def look(moment):
        if moment.step > 0:
            begun.set()
        return over.is_set()

    def run():
        results.append(spinney.anneal(glass(), steps=10**13, observer=look))

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    while counted < 10**6:
        counted += 1
    over.set()
    thread.join()
    assert not results[0].complete and results[0].proposals > 0


@pytest.mark.sanitize
def test_two_runs_in_two_threads_are_those_of_one():
    alone = [spinney.anneal(glass(), sweeps=300, seed=seed).to_dict()["results"] for seed in range(4)]
    energy = glass()
    found = [None] * 4

    def run(seed):
        found[seed] = spinney.anneal(energy, sweeps=300, seed=seed).to_dict()["results"]

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


def test_what_two_threads_raise_comes_out_of_each():
    class Mine(Exception):
        pass

    def failing(spins):
        raise Mine(threading.get_ident())

    energy, caught = spinney.Callback(failing, 9), []

    def run():
        for _ in range(50):
            try:
                spinney.anneal(energy, sweeps=10)
            except Mine as error:
                caught.append(error)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(caught) == 100


@pytest.mark.parametrize("before", [1, 2])
def test_a_child_of_a_fork_can_run(before):
    """Also where threads have run before in the parent, which the child does not have."""
    script = f"""
import os, spinney
spinney.exact("bits", random="12,3,1", threads={before})
spinney.anneal("bits", random="101,0.3,1", reads=20, sweeps=20, threads={before})
child = os.fork()
if child == 0:
    result = spinney.anneal("bits", random="101,0.3,1", reads=20, sweeps=20, threads=2)
    spinney.exact("bits", random="12,3,1", threads=2)
    os._exit(7 if result.complete else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=1200)
    assert (done.stdout, done.stderr) == ("7\n", "")


def test_interrupts_within_a_point_of_a_population_lose_nothing(tmp_path):
    """Groups that have walked are saved, though the step is the same. All but the first interrupt lost them."""
    calls, stop_at = 0, 0

    def ring(spins):
        nonlocal calls
        calls += 1
        if calls == stop_at:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.1)  # runs ask for signals fifty times a second
        return -float(spins @ np.roll(spins, 1))

    how = dict(groups=64, replicas=1, beta=1.0, sweeps=20, seed=1)
    whole = spinney.population(spinney.Callback(ring, 8), **how)
    expected, calls, spent = calls, 0, 0
    for stop_at in (64 + 4000, 4000, 4000):  # the first point after beta 0 takes 10240
        with pytest.raises(KeyboardInterrupt):
            spinney.population(spinney.Callback(ring, 8), checkpoint=tmp_path / "part.ck", **how)
        spent, calls = spent + calls, 0
    stop_at = 0
    rest = spinney.population(spinney.Callback(ring, 8), checkpoint=tmp_path / "part.ck", **how)
    assert rest.log_z == whole.log_z and rest.best_energy == whole.best_energy
    assert spent + calls < expected + 2000
