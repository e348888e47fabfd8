"""Split forty numbers into two halves with equal sums."""
from pathlib import Path

import numpy as np
import spinney

numbers = np.loadtxt(Path(__file__).with_name("numbers.txt"), dtype=np.int64)
side = spinney.spins("side", len(numbers))
p = spinney.Problem()
p.minimise((numbers @ side) ** 2)

if __name__ == "__main__":
    best = p.solve(sweeps=10000, rounds=100, target=0)
    left = best.solutions.values[0] == 1
    print(f"{left.sum()} numbers add up to {numbers[left].sum()}, the other {(~left).sum()} to {numbers[~left].sum()}")
