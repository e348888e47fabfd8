"""Write the data of the examples, with fixed seeds: python3 generate.py [FOLDER]"""
import random
import sys
from pathlib import Path


def edges(rng: random.Random, count: int, chance: float) -> list[tuple[int, int]]:
    return [(i, j) for i in range(count) for j in range(i + 1, count) if rng.random() < chance]


def sum_of(names: list[str]) -> str:
    """In lines of ten."""
    return "\n   + ".join(" + ".join(names[k:k + 10]) for k in range(0, len(names), 10))


def knapsack(rng: random.Random) -> str:
    weights = [rng.randint(5, 60) for _ in range(25)]
    values = [weight + rng.randint(-4, 15) for weight in weights]
    text = {what: sum_of([f"{number} item{k}" for k, number in enumerate(numbers)])
            for what, numbers in (("value", values), ("weight", weights))}
    return (f"Maximize\n value: {text['value']}\nSubject To\n weight: {text['weight']} <= {sum(weights) // 2}\n"
            f"Binary\n {' '.join(f'item{k}' for k in range(25))}\nEnd\n")


def independent_set(pairs: list[tuple[int, int]], count: int) -> str:
    names = [f"x{k}" for k in range(count)]
    rows = "\n".join(f" x{i} + x{j} <= 1" for i, j in pairs)
    return f"Maximize\n size: {sum_of(names)}\nSubject To\n{rows}\nBinary\n {' '.join(names)}\nEnd\n"


def colouring(pairs: list[tuple[int, int]], count: int, colours: tuple[str, ...]) -> str:
    """A clause that each node has a colour, and one for each edge and colour that its ends do not both have it."""
    number = {(i, c): i * len(colours) + k + 1 for i in range(count) for k, c in enumerate(colours)}
    clauses = [[number[i, c] for c in colours] for i in range(count)]
    clauses += [[-number[i, c], -number[j, c]] for i, j in pairs for c in colours]
    head = "".join(f"c variable {n} is node{i}_{c}\n" for (i, c), n in number.items())
    return head + f"p cnf {len(number)} {len(clauses)}\n" + "".join(" ".join(map(str, c)) + " 0\n" for c in clauses)


def maxsat(rng: random.Random, variables: int, clauses: int) -> str:
    """Clauses of three, each with a weight of 1 to 9."""
    lines = []
    for _ in range(clauses):
        chosen = sorted(rng.sample(range(1, variables + 1), 3))
        lines.append(" ".join(str(word) for word in [rng.randint(1, 9), *(rng.choice((-1, 1)) * k for k in chosen), 0]))
    return "\n".join(lines) + "\n"


def assets(rng: random.Random) -> str:
    """The expected gain of each, its own variance, and how much it follows five factors."""
    rows = ["asset,gain,variance,f1,f2,f3,f4,f5"]
    for k in range(40):
        numbers = [rng.gauss(0.1, 0.05), rng.uniform(0.01, 0.1), *(rng.gauss(0, 0.14) for _ in range(5))]
        rows.append(",".join([f"A{k}", *(f"{x:.4f}" for x in numbers)]))
    return "\n".join(rows) + "\n"


def main(folder: Path) -> None:
    rng = random.Random(11)
    for _ in range(30):
        rng.randint(1, 10**4)
    texts = {"numbers.txt": "\n".join(str(rng.randint(1, 10**7)) for _ in range(40)) + "\n"}
    pairs, colours = edges(rng, 40, 4.2 / 39), ("red", "green", "blue", "yellow")
    for count in (3, 4):
        texts[f"colouring-{count}.cnf"] = colouring(pairs, 40, colours[:count])
    texts["independent-set.lp"] = independent_set(edges(rng, 120, 0.05), 120)
    for count in (8, 10, 12):
        cities = [(rng.random() * 100, rng.random() * 100) for _ in range(count)]
    texts["cities.csv"] = "city,x,y\n" + "".join(f"{'ABCDEFGHIJKL'[k]},{x:.2f},{y:.2f}\n"
                                                 for k, (x, y) in enumerate(cities))
    texts["knapsack.lp"] = knapsack(rng)
    texts["maxsat.wcnf"] = maxsat(random.Random(1), 60, 300)
    texts["assets.csv"] = assets(random.Random(5))
    for name, text in texts.items():
        (folder / name).write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
