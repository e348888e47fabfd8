"""Solve every example and draw what was found: python3 draw.py FOLDER [NAME...]

The problems in files are solved by the program: $SPINNEY, or build/spinney.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from picture import ACCENT, COLOURS, INK, PALE, SECOND, Picture, layout

HERE = Path(__file__).resolve().parent
PROGRAM = os.environ.get("SPINNEY", str(HERE.parents[1] / "build" / "spinney"))


def solved(name: str, *options: str) -> dict[str, int]:
    """The best solution of a problem in a file."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "solution.txt"
        subprocess.run([PROGRAM, "anneal", "--problem", str(HERE / name), *options, "--out", str(out)], check=True,
                       stdout=subprocess.DEVNULL)
        lines = out.read_text().splitlines()
    ends = [k for k, line in enumerate(lines) if line.startswith("#")] + [len(lines)]
    return {key: int(value) for key, value in map(str.split, lines[ends[0] + 1:ends[1]])}


def knapsack() -> Picture:
    text = (HERE / "knapsack.lp").read_text()
    values, weights = ({key: int(value) for value, key in re.findall(r"(\d+) (item\d+)", part)}
                       for part in text.split("Binary")[0].split("Subject To"))
    taken = solved("knapsack.lp")
    best = sum(values[item] for item in taken if taken[item])
    p = Picture(520, 250, f"Knapsack: each item's value over its weight; the chosen ones are worth {best}.")
    p.line(40, 215, 500, 215)
    p.line(40, 215, 40, 20)
    for item in values:
        p.dot(40 + 7.4 * weights[item], 215 - 2.6 * values[item], 6, ACCENT if taken[item] else PALE,
              stroke=INK if not taken[item] else ACCENT)
    for tick in (20, 40, 60):
        p.write(40 + 7.4 * tick, 231, tick, 11)
        p.write(32, 219 - 2.6 * tick, tick, 11, "end")
    p.write(480, 245, "weight", 12, "end")
    p.write(50, 26, "value", 12, "start")
    p.write(500, 195, f"taken: value {best}, weight {sum(weights[i] for i in taken if taken[i])} of 377", 12, "end",
            ACCENT)
    return p


def portfolio() -> Picture:
    import numpy as np
    from portfolio import covariance, gains, p as problem

    chosen = problem.solve().solutions.values[0]
    own = covariance.diagonal() ** 0.5
    p = Picture(520, 280, "Portfolio: expected gain of each asset over its deviation; the ten chosen are filled.")
    p.line(45, 245, 500, 245)
    p.line(45, 245, 45, 20)
    for tick in (0.2, 0.4, 0.6):
        p.write(45 + 650 * tick, 262, tick, 11)
    for tick in (0, 0.1, 0.2):
        p.write(38, 225 - 900 * tick, tick, 11, "end")
    for k in np.argsort(chosen, kind="stable"):
        p.dot(45 + 650 * own[k], 221 - 900 * gains[k], 6, ACCENT if chosen[k] else PALE, stroke=INK)
    p.write(500, 275, "deviation of the asset alone", 12, "end")
    p.write(52, 26, "expected gain", 12, "start")
    return p


def timetable() -> Picture:
    from timetable import CLASSES, DAYS, HOURS, names, p as problem, x as variables

    lessons = problem.solve(rounds=10).solutions.values[0].reshape(variables.shape)
    fills = ["#9cc5b4", "#b9cfe6", "#e5c7a1", "#d9b8cf", "#d8d8a0", "#c9c3ea", "#e8b3a6"]
    p = Picture(560, 330, "Timetable: the lessons of three classes over a week.")
    for c, label in enumerate(CLASSES):
        top = 26 + 100 * c
        p.write(24, top + 48, label, 15, font_weight="bold")
        for day, name in enumerate(DAYS):
            if c == 0:
                p.write(96 + 101 * day, 18, name, 12)
            for hour in range(HOURS):
                lesson = next((k for k in range(len(names)) if lessons[c, k, day, hour]), None)
                p.box(48 + 101 * day, top + 22 * hour, 96, 20, PALE if lesson is None else fills[lesson], rx="3",
                      opacity="0.4" if lesson is None else "1")
                if lesson is not None:
                    p.write(96 + 101 * day, top + 14 + 22 * hour, names[lesson], 11)
    return p


def graph(text: str, count: int, edges: list[tuple[int, int]], fill: list[str]) -> Picture:
    p = Picture(520, 380, text)
    places = [(25 + 470 * place.real, 25 + 330 * place.imag) for place in layout(count, edges)]
    ways = ("M{:.0f} {:.0f}L{:.0f} {:.0f}".format(*places[i], *places[j]) for i, j in edges)
    p.add("path", d="".join(ways), stroke="#9aa5a8", stroke_width=0.8, fill="none")
    for (x, y), colour in zip(places, fill):
        p.dot(x, y, 6 if count > 60 else 9, colour, stroke=INK)
    return p


def colouring() -> Picture:
    colours = solved("colouring-4.cnf", "--rounds", "50")
    lines = [[int(word) for word in line.split()[:-1]] for line in
             (HERE / "colouring-4.cnf").read_text().splitlines() if line[0] not in "cp"]
    edges = sorted({(-(a + 1) // 4, -(b + 1) // 4) for a, b in (c for c in lines if len(c) == 2)})
    fill = [next(COLOURS[c] for c in COLOURS if colours[f"node{k}_{c}"]) for k in range(40)]
    assert all(fill[i] != fill[j] for i, j in edges)
    return graph("Colouring: no edge joins two nodes of the same of four colours.", 40, edges, fill)


def independent_set() -> Picture:
    chosen = solved("independent-set.lp")
    edges = [(int(i), int(j)) for i, j in
             re.findall(r"^ x(\d+) \+ x(\d+) <=", (HERE / "independent-set.lp").read_text(), re.M)]
    size = sum(chosen.values())
    assert not any(chosen[f"x{i}"] and chosen[f"x{j}"] for i, j in edges)
    return graph(f"Independent set: {size} of 120 nodes, no two of them joined by an edge.", 120, edges,
                 [ACCENT if chosen[f"x{k}"] else "#ffffff" for k in range(120)])


def tsp() -> Picture:
    from tsp import n, p as problem, places, table

    best = problem.solve()
    tour = best.solutions.values[0].reshape(n, n).argmax(axis=0).tolist()
    p = Picture(520, 400, f"The shortest round trip through twelve cities: {best.objective:.2f}.")
    at = [(30 + 4.5 * x, 385 - 3.7 * y) for x, y in places]
    for a, b in zip(tour, tour[1:] + tour[:1]):
        p.line(at[a][0], at[a][1], at[b][0], at[b][1], ACCENT, 3)
    for (x, y), name in zip(at, table["city"]):
        p.dot(x, y, 10, "#ffffff", stroke=INK)
        p.write(x, y + 4, name, 11)
    return p


def sudoku() -> Picture:
    from sudoku import given, p as problem

    best = problem.solve(sweeps=10000, rounds=50)
    digits = best.solutions.values[0].reshape(9, 9, 9).argmax(axis=2) + 1
    p = Picture(340, 340, "A solved Sudoku; the given digits are bold.")
    for k in range(10):
        p.line(17 + 34 * k, 17, 17 + 34 * k, 323, INK, 0.5 if k % 3 else 2)
        p.line(17, 17 + 34 * k, 323, 17 + 34 * k, INK, 0.5 if k % 3 else 2)
    for r in range(9):
        for c in range(9):
            p.write(34 + 34 * c, 41 + 34 * r, digits[r, c], 19, fill=INK if given[r, c] else ACCENT,
                    font_weight="bold" if given[r, c] else "normal")
    return p


def maxsat() -> Picture:
    values = solved("maxsat.wcnf", "--reads", "16")
    clauses = [[int(word) for word in line.split()[:-1]] for line in (HERE / "maxsat.wcnf").read_text().splitlines()]
    held = [sum(values[f"x{abs(k)}"] == (k > 0) for k in literals) for _, *literals in clauses]
    broken = sum(clause[0] for clause, true in zip(clauses, held) if true == 0)
    p = Picture(520, 240, f"MaxSAT: 300 clauses; those that do not hold weigh {broken}.")
    fills = [SECOND, "#b8d8c9", "#6fb394", ACCENT]
    for k, ((weight, *_), true) in enumerate(zip(clauses, held)):
        x, y = 23 + 16 * (k % 30), 18 + 18 * (k // 30)
        p.box(x, y, 14, 16, fills[true], rx="2")
        if true == 0:
            p.write(x + 7, y + 12, weight, 11, fill="#ffffff")
    for true, label in enumerate(("does not hold (its weight)", "one literal", "two", "three")):
        x = 23 + (0, 200, 300, 370)[true]
        p.box(x, 212, 12, 12, fills[true], rx="2")
        p.write(x + 18, 222, label, 11, "start")
    return p


def partition() -> Picture:
    from partition import numbers, p as problem

    sides = problem.solve(sweeps=10000, rounds=100, target=0).solutions.values[0]
    p = Picture(520, 130, "Number partitioning: two rows of bricks of the same length.")
    for row, side in enumerate((1, -1)):
        x = 20.0
        for k in sorted(range(len(numbers)), key=lambda k: -numbers[k]):
            if sides[k] == side:
                width = 480 * float(numbers[k]) * 2 / float(numbers.sum())
                p.box(x, 25 + 45 * row, width, 35, (ACCENT, "#3b6ea8")[row], stroke="#fbfaf6")
                x += width
    return p


def features() -> Picture:
    from features import digits, p as problem, pixels, relevance

    chosen = problem.solve().solutions.values[0]
    p = Picture(520, 270, "Feature selection: how much each of 64 pixels tells about the digit; ten are marked.")
    for k in range(64):
        x, y = 15 + 30 * (k % 8), 15 + 30 * (k // 8)
        shade = relevance[k] / relevance.max()
        p.box(x, y, 29, 29, "#ffffff")
        p.box(x, y, 29, 29, "#3b6ea8", opacity=f"{shade:.2f}")
        if chosen[k]:
            p.add("rect", x=x + 2.0, y=y + 2.0, width=25.0, height=25.0, fill="none", stroke=SECOND, stroke_width=3)
    for digit in range(2):
        mean = pixels[digits == (3, 8)[digit]].mean(0) / 16
        for k in range(64):
            p.box(285 + 115 * digit + 13 * (k % 8), 60 + 13 * (k // 8), 12.5, 12.5, INK, opacity=f"{mean[k]:.2f}")
        p.write(336 + 115 * digit, 185, ("the mean 3", "the mean 8")[digit], 12)
    return p


PICTURES = {"knapsack": knapsack, "portfolio": portfolio, "timetable": timetable, "colouring": colouring,
            "independent-set": independent_set, "tsp": tsp, "sudoku": sudoku, "maxsat": maxsat,
            "partition": partition, "features": features}

if __name__ == "__main__":
    for name in sys.argv[2:] or PICTURES:
        PICTURES[name]().save(Path(sys.argv[1]) / f"{name}.svg")
