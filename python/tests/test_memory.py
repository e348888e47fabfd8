"""Memory: nothing is lost over many objects, and large arrays are not copied."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import spinney


def resident():
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(make, count):
    """How much the process has grown over many objects, after some to warm up."""
    for _ in range(count // 10):
        make()
    gc.collect()
    before = resident()
    for _ in range(count):
        make()
    gc.collect()
    return resident() - before


J = {(i, (i + 1) % 50): 1.0 for i in range(50)}
RING = spinney.Ising(None, J)
SPINS = np.ones((4, 50), np.int8)
TABLE = np.zeros(256)


def failing():
    try:
        spinney.Table([1, float("nan")])
    except spinney.ArgumentError:
        pass


def raising():
    def f(spins):
        raise KeyError(1)

    try:
        spinney.anneal(spinney.Callback(f, 100), sweeps=2)
    except KeyError:
        pass


def chain():
    made = spinney.Chain(RING, beta=0.5)
    made.run(10)
    made.load(made.save()) if made.step % 8192 == 0 else None
    return made.best


def result():
    made = spinney.anneal(RING, steps=10, beta=1, init=SPINS)
    return made.numbers, made.curves, made.states, made.end_spins


# Each of these objects holds more than 100 bytes of the library's memory, so that a loss of one in ten would show.
@pytest.mark.parametrize("make, count", [
    (lambda: spinney.Table(TABLE), 40000), (lambda: spinney.Distance(SPINS), 20000), (failing, 20000),
    (lambda: spinney.Callback(len, 100), 20000), (chain, 3000), (result, 3000), (raising, 1000),
    (lambda: spinney.Dataset(SPINS * 0.5, [0, 1, 0, 1]), 10000), (lambda: spinney.Ising(None, J)([1] * 50), 2000),
], ids=["table", "states", "failing", "callback", "chain", "result", "raising", "dataset", "ising"])
def test_nothing_is_lost_over_many_objects(make, count):
    assert growth(make, count) < max(100 * count // 10, 2**19)


def test_a_loss_would_show():
    """The same of objects that are kept on purpose."""
    kept = []
    assert growth(lambda: kept.append(spinney.Table(np.zeros(256))), 3000) > 2**20


@pytest.mark.sanitize
def test_objects_come_and_go():
    """Short, for the sanitizers: every kind of object, in use and freed."""
    for make in (failing, raising, chain, result, lambda: spinney.Callback(len, 9), lambda: spinney.Distance(SPINS),
                 lambda: spinney.MaxCut(J)([1] * 50), lambda: spinney.Network([[0, 1], [1, 0]], [0, 1], hidden=3),
                 lambda: spinney.Softmax([[0.5, 1], [1, 0]], [0, 1]), lambda: spinney.temper(RING, scans=16),
                 lambda: spinney.exact("bits", random="6,3,1", replicas=1, threads=1),
                 lambda: spinney.Committee([[1, 1]], [1])([1] * 6),
                 lambda: spinney.train([[0.0, 1], [1, 0.5]] * 5, [0, 1] * 5, sweeps=2).model):
        for _ in range(3):
            kept = make()
        del kept
    gc.collect()


LARGE = """
import resource, numpy, spinney
numbers = numpy.full({size}, 0.5)
spins = numpy.ones(({rows}, {size} // {rows}), numpy.int8)
labels = numpy.arange({rows}) % 2
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
made = {make}
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
"""


@pytest.mark.parametrize("make, size, rows, least", [
    ("spinney.Dataset(numbers.reshape({rows}, -1), labels)", 10**7, 10**4, 8 * 10**7),
    ("spinney.Dataset(spins.view(numpy.uint8), labels)", 4 * 10**7, 10**4, 4 * 10**7),
    ("spinney.Perceptron(spins, 2 * labels - 1)", 4 * 10**7, 10**4, 4 * 10**7),
    ("spinney.Distance(spins)", 4 * 10**7, 10**4, 4 * 10**7),
    ("spinney.Table(numbers)", 2**23, 2**10, 8 * 2**23),
], ids=["doubles", "bytes", "patterns", "states", "table"])
def test_large_arrays_are_not_copied(make, size, rows, least):
    """The peak of a process grows by less than a third of what a copy would take."""
    script = LARGE.format(size=size, rows=rows, make=make.format(rows=rows))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < least // 3


@pytest.mark.sanitize
@pytest.mark.skipif("libasan" not in os.environ.get("LD_PRELOAD", ""), reason="of the sanitizers' build alone")
def test_the_sanitizer_finds_nothing_lost():
    """Python itself keeps memory until it exits; of the library's there is nothing left."""
    script = ("import test_memory as m, spinney\nfor make in (m.failing, m.raising, m.chain, m.result, m.several):\n"
              "    for _ in range(50): make()\nprint('made')")
    path = os.environ["PYTHONPATH"] + ":" + os.path.dirname(__file__)
    options = {"ASAN_OPTIONS": "detect_leaks=1", "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, **options})
    assert done.stdout == "made\n" and "LeakSanitizer" in done.stderr, done.stderr
    assert "libspinney" not in done.stderr, done.stderr


def several():
    spinney.Callback(len, 9), spinney.Distance(SPINS), spinney.Ising(None, J)([1] * 50), spinney.Table(TABLE)([1] * 8)
    return spinney.train(SPINS[:, :3] * 0.5, [0, 1, 0, 1], sweeps=1).model, spinney.Softmax([[0.5], [1]], [0, 1])
