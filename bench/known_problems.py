#!/usr/bin/env python3
"""`spinney anneal --problem` on ten problems whose optimum is known, with default settings and one thread.

The problems are drawn from fixed seeds and written as LP files: Inkala's Sudoku; a knapsack of 25 items; a portfolio
of 10 of 40 assets; tours of 8, 10 and 12 cities; a colouring of 40 vertices with 3 and 4 colours (as few edges
within a colour as possible); two partitions, of 30 numbers to 10^4 and of 40 to 10^7, into halves as equal as can
be. Optima come from dynamic programming (knapsack, tours), backtracking (colouring), and the halves' parity (the
first partition; the second is known to be solvable once a solution is found); that of the portfolio is the best of
2,000 searches by exchanges. A line tells how many of the seeds found the optimum, and the time until the last of
them had it: each run ends at its optimum (--target), or at the time limit. --busy, on a
machine that others use: seconds are those in which the run had a processor (needs the tests, -DSPN_BUILD_TESTS=ON).
Needs NumPy.

usage: known_problems.py [--program FILE] [--seeds N] [--time S] [--sudoku-time S] [--busy] [--folder DIR] [NAME...]
"""
import argparse
import itertools
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

import numpy as np
from problems import Problem, numbered, own_time

INKALA = "800000000003600000070090200050007000000045700000100030001000068008500010090000400"


def partition(numbers):
    """A half of the sum, exactly: its violation is the distance from it."""
    p = Problem()
    x = numbered(p, len(numbers))
    p.row(dict(zip(x, numbers)), "=", sum(numbers) // 2)
    return p


def colouring(edges, vertices, colours):
    p = Problem()
    x = [[p.variable(f"v{i}c{c}") for c in range(colours)] for i in range(vertices)]
    for v in x:
        p.row({i: 1 for i in v}, "=", 1)
    for i, j in edges:
        for c in range(colours):
            p.add(1, x[i][c], x[j][c])
    return p


def fewest_conflicts(edges, vertices, colours):
    """The fewest edges within a colour, by backtracking: vertices in the order of their degrees."""
    near = [[j for e in edges for j in e if i in e and j != i] for i in range(vertices)]
    order = sorted(range(vertices), key=lambda i: -len(near[i]))

    def possible(most):
        colour = {}

        def place(k, left):
            if k == vertices:
                return True
            for c in range(min(colours, len(set(colour.values())) + 1)):
                cost = sum(colour.get(j) == c for j in near[order[k]])
                if cost <= left:
                    colour[order[k]] = c
                    if place(k + 1, left - cost):
                        return True
                    del colour[order[k]]
            return False

        return place(0, most)

    return next(most for most in itertools.count() if possible(most))


def tour(d):
    n = len(d)
    p = Problem()
    x = [[p.variable(f"c{i}t{t}") for t in range(n)] for i in range(n)]
    for i in range(n):
        p.row({x[i][t]: 1 for t in range(n)}, "=", 1)
        p.row({x[j][i]: 1 for j in range(n)}, "=", 1)
        for j in range(n):
            for t in range(n):
                if i != j:
                    p.add(d[i][j], x[i][t], x[j][(t + 1) % n])
    return p


def shortest_tour(d):
    """Held and Karp's."""
    n = len(d)
    best = {(1, 0): 0.0}
    for size in range(1, n):
        for rest in itertools.combinations(range(1, n), size):
            mask = 1 + sum(1 << i for i in rest)
            for i in rest:
                before = mask & ~(1 << i)
                best[mask, i] = min(best[before, j] + d[j][i] for j in (0, *rest) if (before, j) in best)
    return min(best[(1 << n) - 1, i] + d[i][0] for i in range(1, n))


def knapsack(weights, values, room):
    p = Problem(maximise=True)
    x = numbered(p, len(weights))
    for i, value in zip(x, values):
        p.add(value, i)
    p.row(dict(zip(x, weights)), "<=", room)
    return p


def fullest(weights, values, room):
    best = [0] * (room + 1)
    for weight, value in zip(weights, values):
        for c in range(room, weight - 1, -1):
            best[c] = max(best[c], best[c - weight] + value)
    return best[room]


def portfolio(S, mu, k):
    p = Problem()
    x = numbered(p, len(mu))
    for i in x:
        p.add(float(S[i, i] - mu[i]), i)
        for j in x[:i]:
            p.add(float(2 * S[i, j]), j, i)
    p.row({i: 1 for i in x}, "=", k)
    return p


def best_exchanges(S, mu, k, starts):
    """The best local optimum of exchanges, from random starts."""
    rng, n = np.random.default_rng(1), len(mu)
    linear, best = np.diag(S) - mu, math.inf
    for _ in range(starts):
        x = np.zeros(n, bool)
        x[rng.permutation(n)[:k]] = True
        while True:
            field = linear + 2 * ((S * ~np.eye(n, dtype=bool)) @ x)
            inside, outside = np.flatnonzero(x), np.flatnonzero(~x)
            change = field[outside] - field[inside][:, None] - 2 * S[np.ix_(inside, outside)]
            a, b = np.unravel_index(change.argmin(), change.shape)
            if change[a, b] > -1e-12:
                break
            x[inside[a]], x[outside[b]] = False, True
        best = min(best, float(x @ S @ x - mu @ x))
    return best


def sudoku(givens):
    p = Problem()
    cell = {(r, c, d): p.variable(f"r{r}c{c}d{d}") for r in range(9) for c in range(9) for d in range(1, 10)}
    groups = [[(r, c, d) for d in range(1, 10)] for r in range(9) for c in range(9)]
    groups += [[(r, c, d) for c in range(9)] for r in range(9) for d in range(1, 10)]
    groups += [[(r, c, d) for r in range(9)] for c in range(9) for d in range(1, 10)]
    groups += [[(b // 3 * 3 + k // 3, b % 3 * 3 + k % 3, d) for k in range(9)] for b in range(9) for d in range(1, 10)]
    for group in groups:
        p.row({cell[key]: 1 for key in group}, "=", 1)
    for k, d in enumerate(givens):
        if d != "0":
            p.row({cell[k // 9, k % 9, int(d)]: 1}, "=", 1)
    return p


def draw():
    """The problems by name, each with its optimum."""
    drawn = random.Random(11)
    small = [drawn.randint(1, 10**4) for _ in range(30)]
    large = [drawn.randint(1, 10**7) for _ in range(40)]
    vertices = 40
    edges = [(i, j) for i in range(vertices) for j in range(i + 1, vertices) if drawn.random() < 4.2 / (vertices - 1)]
    for _ in itertools.combinations(range(120), 2):
        drawn.random()
    tours = {}
    for n in (8, 10, 12):
        at = [(drawn.random() * 100, drawn.random() * 100) for _ in range(n)]
        tours[n] = [[math.dist(p, q) for q in at] for p in at]
    weights = [drawn.randint(5, 60) for _ in range(25)]
    values = [w + drawn.randint(-4, 15) for w in weights]
    room = sum(weights) // 2
    rng = np.random.default_rng(5)
    F = rng.normal(size=(40, 5))
    S = F @ F.T * 0.02 + np.diag(rng.uniform(.01, .1, 40))
    mu = rng.normal(.1, .05, 40)
    yield "sudoku", lambda: (sudoku(INKALA), 0)
    yield "knapsack", lambda: (knapsack(weights, values, room), fullest(weights, values, room))
    yield "portfolio", lambda: (portfolio(S, mu, 10), best_exchanges(S, mu, 10, 2000))
    for n, d in tours.items():
        yield f"tour-{n}", lambda d=d: (tour(d), shortest_tour(d))
    for colours in (3, 4):
        yield f"colouring-{colours}", lambda colours=colours: (
            colouring(edges, vertices, colours), fewest_conflicts(edges, vertices, colours))
    yield "partition-30", lambda: (partition(small), 0)
    yield "partition-40", lambda: (partition(large), 0)


def solve(program, path, seconds, seed, optimum, maximise, environment):
    """Whether the optimum was found, and when."""
    room = 1e-9 * max(1, abs(optimum))
    target = optimum - room if maximise else optimum + room
    out = subprocess.run([program, "anneal", "--problem", path, "--time", str(seconds), "--seed", str(seed), "--target",
                          repr(target), "--json", "--quiet"], capture_output=True, text=True,
                         env=environment)
    if out.returncode != 0:
        sys.exit(f"known_problems.py: {' '.join(out.args)}: {out.stderr.strip()}")
    result = json.loads(out.stdout)["results"]
    better = result["objective"] > optimum + room if maximise else result["objective"] < optimum - room
    if result["feasible"] and better:
        sys.exit(f"known_problems.py: {path}: {result['objective']} is better than the optimum {optimum}")
    return result["stop"] == "target", json.loads(out.stdout)["seconds"], result


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("--program", default="build/spinney")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--time", type=float, default=2)
    parser.add_argument("--sudoku-time", type=float, default=10)
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--folder")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or scratch
        os.makedirs(folder, exist_ok=True)
        print(f"{'problem':13} {'variables':>9} {'optimum':>10} {'limit s':>7} {'found':>6} {'mean s':>7} {'last s':>7}")
        for name, make in draw():
            if options.names and name not in options.names:
                continue
            problem, optimum = make()
            path = os.path.join(folder, name + ".lp")
            with open(path, "w") as file:
                file.write(problem.lp())
            limit = options.sudoku_time if name == "sudoku" else options.time
            runs = [solve(options.program, path, limit, seed + 1, optimum, problem.maximise,
                          own_time(options.program) if options.busy else None)
                    for seed in range(options.seeds)]
            times = [seconds for found, seconds, _ in runs if found]
            print(f"{name:13} {len(problem.names):9} {optimum:10.6g} {limit:7g} {len(times):3}/{len(runs):<2} "
                  f"{statistics.mean(times) if times else math.nan:7.2f} {max(times, default=math.nan):7.2f}", flush=True)


if __name__ == "__main__":
    main()
