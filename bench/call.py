"""What a call from Python costs beside one from C: the short anneals of bench_call, one after the other.

    PYTHONPATH=python/src SPINNEY_LIBRARY=build /usr/bin/python3 bench/call.py build/bench/bench_call [CALLS]

CALLS (10,000) anneals of 1,000 steps, which is 16 sweeps of 64 spins, and a fifth as many of 10,000 steps, in 20 rounds
in turns with as many by bench_call. Both sides read the lowest energy and where it was. Microseconds of processor time
for each call, as JSON: of the fastest round, which other work on the machine disturbed least, and of the median one.
"""

import json
import statistics
import subprocess
import sys
import time
from ctypes import c_size_t, c_uint64

import spinney
from spinney import _library, energies

ROUNDS, CALLS = 20, 10000
LENGTHS = ((1000, 1), (10000, 5))  # steps, and the share of the calls that is made of them: 1 in so many


def lattice() -> spinney.Ising:
    """The problem of bench_call."""
    _library.declare(_library.spinney, {
        "spn_problem_random_lattice": (_library.STATUS, [_library.HANDLE, c_size_t, c_size_t, c_uint64])})
    made = energies.Problem(_library.make(_library.spinney.spn_problem_random_lattice, 8, 8, 1))
    return spinney.Ising(None, [tuple(edge) for edge in made.edges().tolist()])


def call_all(energy: spinney.Ising, calls: int, steps: int) -> "tuple[float, float]":
    """Seconds of the processor's time for all calls, and the mean of the lowest energies."""
    started, total = time.process_time(), 0.0
    for seed in range(1, calls + 1):
        result = spinney.anneal(energy, gamma=0, steps=steps, beta=(0.1, 3), seed=seed)
        total += result.best_energy
        result.best
    return time.process_time() - started, total / calls


def measure(program: str, energy: spinney.Ising, calls: int, steps: int) -> "dict[str, object]":
    """Both in turns; the means of their results have to agree."""
    rounds: "dict[str, list[float]]" = {"chain_us": [], "call_us": [], "python_us": []}
    for _ in range(ROUNDS):
        seconds, best = call_all(energy, calls, steps)
        done = subprocess.run([program, str(calls), str(steps), "1"], capture_output=True, check=True)
        c = json.loads(done.stdout)
        assert abs(best - c["mean_best"][1]) < 1e-6
        for name, value in {**c, "python_us": 1e6 * seconds / calls}.items():
            if name in rounds:
                rounds[name].append(value)
    row: "dict[str, object]" = {"about": f"{c['about']} in each of {ROUNDS} rounds"}
    for word, of in (("fastest", min), ("median", statistics.median)):
        found = {name: round(of(values), 2) for name, values in rounds.items()}
        row[word] = {**found, "over_call": round(found["python_us"] / found["call_us"] - 1, 3)}
    return row


def main() -> None:
    program, calls = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else CALLS
    energy = lattice()
    each = max(calls // ROUNDS, 5)
    print(json.dumps([measure(program, energy, each // share, steps) for steps, share in LENGTHS], indent=1))


if __name__ == "__main__":
    main()
