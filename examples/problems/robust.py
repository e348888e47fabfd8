"""Do coupled replicas find solutions that survive a changed world better? Random inequalities between spins: one
replica, or several coupled ones, solve them again and again until the same number of proposals is spent; the most
robust solution counts, after a random spin is flipped.

    python3 robust.py [INSTANCES [FIRST [ONE [COUPLED]]]]

ONE and COUPLED are options of spinney anneal for either; both default to the best of some that were tried on the first
instances. The program is $SPINNEY, or build/spinney.
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = os.environ.get("SPINNEY", str(Path(__file__).resolve().parents[2] / "build" / "spinney"))
SPINS, ROWS, BUDGET = 201, 80, 300000
ONE, COUPLED = "--beta 2", "--replicas 3 --gamma 1 --beta 1"


def instance(seed: int) -> str:
    """Sums of all spins with random signs, each at least 1; a spin is 2 x - 1."""
    rng = random.Random(seed)
    rows = []
    for _ in range(ROWS):
        signs = [rng.choice((-1, 1)) for _ in range(SPINS)]
        terms = " ".join(f"{2 * sign:+d} x{i}" for i, sign in enumerate(signs))
        rows.append(f" {terms} >= {1 + sum(signs)}\n")
    names = " ".join(f"x{i}" for i in range(SPINS))
    return "Minimize\n nothing: 0 x0\nSubject To\n" + "".join(rows) + f"Binary\n {names}\nEnd\n"


def solve(path: str, seed: int, options: str) -> dict[str, float]:
    """The most robust solution within the budget, and how many there were."""
    best, spent, count = {"robust_feasible": 0.0, "robust_violation": math.inf}, 0.0, 0
    while spent < BUDGET:
        command = [PROGRAM, "anneal", "--problem", path, "--reads", "1", "--seed", str(1000 * seed + count), "--sweeps",
                   "1000000", "--rank-changes", "1", "--json", *options.split()]
        found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["results"]
        spent += found["proposals"]
        if spent > BUDGET or not found["feasible"]:
            break
        count += 1
        if found["robust_violation"] < best["robust_violation"]:
            best = found
    return {**best, "solutions": count}


def mean(values: list[float]) -> str:
    """With a 95% interval."""
    middle = sum(values) / len(values)
    spread = math.sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1))
    return f"{middle:.3f} ± {1.96 * spread / math.sqrt(len(values)):.3f}"


def main(instances: int, first: int, one: str, coupled: str) -> None:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "rows.lp")
        for seed in range(first, first + instances):
            Path(path).write_text(instance(seed))
            found.append((solve(path, seed, one), solve(path, seed, coupled)))
    both = [pair for pair in found if pair[0]["solutions"] and pair[1]["solutions"]]
    print(f"{instances} instances, {BUDGET} proposals each; both solve {len(both)}")
    for name in ("solutions", "robust_feasible", "robust_violation"):
        print(f"{name}: one {mean([a[name] for a, _ in both])}, coupled {mean([b[name] for _, b in both])}, "
              f"difference {mean([b[name] - a[name] for a, b in both])}")


if __name__ == "__main__":
    given = sys.argv[1:] + ["50", "1", ONE, COUPLED][len(sys.argv) - 1:]
    main(int(given[0]), int(given[1]), given[2], given[3])
