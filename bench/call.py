"""What a call from Python costs beside one from C: the short anneals of bench_call, one after the other.

    PYTHONPATH=python/src SPINNEY_LIBRARY=build /usr/bin/python3 bench/call.py build/bench/bench_call [CALLS]

Microseconds of processor time for each call, the fastest of five runs in turns with those of bench_call, as JSON: of
CALLS (10,000) anneals of 1,000 steps, which is 16 sweeps of 64 spins, and of a fifth as many of 10,000. Both sides read
the lowest energy and where it was.
"""

import json
import subprocess
import sys
import time
from ctypes import c_size_t, c_uint64

import spinney
from spinney import _library, energies

REPEATS, CALLS = 5, 10000
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
    python, best, c = [], 0.0, []
    for _ in range(REPEATS):
        seconds, best = call_all(energy, calls, steps)
        python.append(1e6 * seconds / calls)
        done = subprocess.run([program, str(calls), str(steps), "1"], capture_output=True, check=True)
        c.append(json.loads(done.stdout))
    assert abs(best - c[0]["mean_best"][1]) < 1e-6
    alone, call = min(one["chain_us"] for one in c), min(one["call_us"] for one in c)
    return {"about": c[0]["about"], "chain_us": alone, "call_us": call, "python_us": round(min(python), 2),
            "over_call": round(min(python) / call - 1, 3)}


def main() -> None:
    program, calls = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else CALLS
    energy = lattice()
    print(json.dumps([measure(program, energy, calls // share, steps) for steps, share in LENGTHS], indent=1))


if __name__ == "__main__":
    main()
