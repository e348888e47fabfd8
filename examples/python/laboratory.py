"""The laboratory: the exact law of coupled replicas at small N, and a chain that should follow it.

    python3 laboratory.py [GAMMA]

The law of two replicas of a perceptron with 7 weights has 2^14 states; all of them are summed. The script compares it
with means over a long chain at the same beta and gamma, with standard errors from 50 parts, and prints the spectral
gaps, which say how fast each kernel forgets.
"""
import sys

import numpy as np
import spinney

gamma, beta, parts = float(sys.argv[1]) if len(sys.argv) > 1 else 0.6, 0.7, 50
perceptron = spinney.Perceptron.random(7, 5, seed=3, energy="errors")
law = spinney.exact(perceptron, replicas=2, beta=beta, gamma=gamma, threads=1)
print(f"{law.minima_count:.0f} of 128 states put {5 - law.E_min:.0f} of 5 patterns right; gaps: "
      + ", ".join(f"{kernel} {law['gap_' + kernel]:.2g}" for kernel in ("two_stage", "one_stage")))

chain = spinney.Chain(perceptron, replicas=2, beta=beta, gamma=gamma, seed=1)
chain.run(1000)
means = np.zeros((parts, 2))
for part in means:
    for _ in range(100):
        chain.run(50)
        part += chain.energies.sum(), chain.overlap
means /= 100
for name, exact, found in zip(("energy of both", "overlap"), (law.mean_U, law.numbers["overlap"]), means.T):
    error = found.std(ddof=1) / np.sqrt(parts)
    off = (found.mean() - exact) / error
    print(f"{name:15s} exact {exact:.4f}, chain {found.mean():.4f} ± {error:.4f} ({off:+.1f} errors)")
