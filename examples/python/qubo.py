"""A QUBO, compared with a plain annealer in NumPy.

    python3 qubo.py [VARIABLES]

Both anneal the same problem at the same temperatures, with the same reads and sweeps, and so as many proposals.
"""
import sys
import time
from typing import Any

import numpy as np
import spinney

N, READS, SWEEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 120, 20, 100
rng = np.random.default_rng(1)
Q = np.triu(np.where(rng.random((N, N)) < 0.1, rng.integers(-50, 51, (N, N)), 0)).astype(float)


def plain_annealing(Q: np.ndarray, betas: np.ndarray, reads: int, rng: np.random.Generator) -> np.ndarray:
    """All reads at once, one variable at a time; returns the lowest energy of each read."""
    symmetric = Q + Q.T - np.diag(np.diag(Q))  # the field at a variable, without its own term
    x = rng.integers(0, 2, (reads, len(Q))).astype(float)
    energy = np.einsum("ri,ij,rj->r", x, Q, x)
    best = energy.copy()
    for beta in betas:
        for i in range(len(Q)):
            change = (1 - 2 * x[:, i]) * (Q[i, i] + x @ symmetric[i] - x[:, i] * symmetric[i, i])
            accepted = rng.random(reads) < np.exp(-beta * np.clip(change, 0, None))
            x[accepted, i] = 1 - x[accepted, i]
            energy += np.where(accepted, change, 0)
            best = np.minimum(best, energy)
    return best


def ours(**more: Any) -> Any:
    pairs = {(int(i), int(j)): Q[i, j] for i, j in zip(*np.nonzero(Q))}
    return spinney.Sampler().sample_qubo(pairs, num_reads=READS, num_sweeps=SWEEPS, seed=1, **more)


started = time.perf_counter()
samples = ours()
seconds = time.perf_counter() - started
hot, cold = samples.info["beta_range"]
again = time.perf_counter()
plain = plain_annealing(Q, np.geomspace(hot, cold, SWEEPS), READS, rng)
print(f"{N} variables, {READS} reads of {SWEEPS} sweeps, beta {hot:.3g} to {cold:.3g}")
print(f"spinney  lowest {samples.first.energy:.0f}, mean {samples.record.energy.mean():.1f}, {seconds:.3f} s")
print(f"NumPy    lowest {plain.min():.0f}, mean {plain.mean():.1f}, {time.perf_counter() - again:.3f} s")
state = np.array([samples.first.sample[v] for v in samples.variables], float)
assert state @ Q @ state == samples.first.energy
