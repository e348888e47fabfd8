#!/usr/bin/env python3
"""`spinney anneal --problem` beside coinor-cbc, on eight kinds of generated problems of 50 to 500 variables.

Every instance is written as an LP file, MaxSAT as a WCNF file. spinney gets it with default settings, one
thread and --time seconds; cbc gets the same problem with products of variables linearised (a tour: with the
order of the cities in place of positions) and --limit seconds. `found` counts the instances where spinney's
best state is feasible, which is checked here once more, and no worse than what cbc ended with; `better` those
where it is better; `proved` those where cbc proved its optimum. cbc's seconds are those of its processor, so that
it may run beside other jobs, and what it finds is kept in a folder (--references, build/references) and used
again; --only-references finds it and stops. --busy, on a machine that others use: spinney's seconds are those in
which it had a processor, too (needs the tests, -DSPN_BUILD_TESTS=ON). --seed draws other instances; --numbers
0,3 runs some of them. Needs NumPy and Debian's coinor-cbc (scripts/bootstrap problems).

usage: problems.py [--program FILE] [--instances N] [--numbers N,...] [--seed N] [--time S] [--limit S] [--busy]
                   [--references DIR] [--only-references] [--folder DIR] [--json] [KIND...]
"""
import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    sys.exit("problems.py: NumPy is missing (Debian: python3-numpy; scripts/bootstrap problems)")

ROUNDING = 1e-6  # of the larger of 1 and the objective: cbc's own tolerances


class Problem:
    """Binary variables, a quadratic objective, linear rows; clauses with weights for MaxSAT."""

    def __init__(self, maximise=False):
        self.maximise, self.names, self.objective, self.constant = maximise, [], {}, 0.0
        self.rows, self.clauses = [], []  # rows: ({variable: coefficient}, sense, right)
        self.other = None  # the same problem in a form that suits cbc better

    def variable(self, name):
        self.names.append(name)
        return len(self.names) - 1

    def add(self, coefficient, *variables):
        key = tuple(sorted(set(variables)))
        self.objective[key] = self.objective.get(key, 0) + coefficient

    def row(self, terms, sense, right):
        self.rows.append((dict(terms), sense, right))

    def value(self, x):
        """The objective of a state; None if it is not feasible."""
        for terms, sense, right in self.rows:
            left = sum(c * x[i] for i, c in terms.items())
            if (sense != ">=" and left > right + 1e-9) or (sense != "<=" and left < right - 1e-9):
                return None
        broken = sum(weight for weight, literals in self.clauses
                     if not any(x[abs(k) - 1] == (k > 0) for k in literals))
        return self.constant + broken + sum(c * all(x[i] for i in key) for key, c in self.objective.items())

    def lp(self):
        def term(c, key, factor=1):
            return f" {'-' if c < 0 else '+'} {abs(c) * factor!r} " + " * ".join(self.names[i] for i in key)

        linear = [term(c, key) for key, c in self.objective.items() if len(key) == 1]
        pairs = [term(c, key, 2) for key, c in self.objective.items() if len(key) == 2]
        lines = ["Maximize" if self.maximise else "Minimize", " obj:"] + linear
        lines += [" + ["] + pairs + [" ] / 2"] if pairs else []
        lines += [f" + {self.constant!r}"] if self.constant else []
        lines.append("Subject To")
        for k, (terms, sense, right) in enumerate(self.rows):
            lines += [f" r{k}:"] + [term(c, (i,)) for i, c in terms.items()] + [f" {sense} {right!r}"]
        return "\n".join(lines + ["Binary"] + [" " + name for name in self.names] + ["End", ""])

    def wcnf(self):
        return "".join(f"{weight} {' '.join(map(str, literals))} 0\n" for weight, literals in self.clauses)

    def for_cbc(self):
        """The same with a variable for each product and each clause."""
        if self.other:
            return self.other
        out = Problem(self.maximise)
        out.names, out.constant, out.rows = list(self.names), 0.0, list(self.rows)
        for key, c in self.objective.items():
            if len(key) == 1:
                out.add(c, *key)
                continue
            both = out.variable("y" + "_".join(map(str, key)))
            out.add(c, both)
            out.row({both: 1, key[0]: -1}, "<=", 0)
            out.row({both: 1, key[1]: -1}, "<=", 0)
            out.row({both: 1, key[0]: -1, key[1]: -1}, ">=", -1)
        for k, (weight, literals) in enumerate(self.clauses):
            broken = out.variable(f"b{k}")
            out.add(weight, broken)
            terms = {abs(literal) - 1: 1 if literal > 0 else -1 for literal in literals}
            out.row({**terms, broken: 1}, ">=", 1 - sum(literal < 0 for literal in literals))
        return out


# ---- the kinds: each makes a problem of about n variables ----


def numbered(p, count, letter="x"):
    return [p.variable(f"{letter}{k}") for k in range(count)]


def knapsack(rng, n):
    """Five resources, values that follow the weights."""
    p = Problem(maximise=True)
    x = numbered(p, n)
    weights = rng.integers(10, 100, (5, n))
    for i in x:
        p.add(int(weights[:, i].mean()) + int(rng.integers(0, 30)), i)
    for w in weights:
        p.row({i: int(w[i]) for i in x}, "<=", int(w.sum() * 0.4))
    return p


def portfolio(rng, n):
    """A quarter of the assets, covariances within sectors of ten, at most four of each sector."""
    p = Problem()
    x = numbered(p, n)
    for start in range(0, n, 10):
        sector = x[start:start + 10]
        loads = rng.normal(size=(len(sector), 3))
        risk = np.round(100 * (loads @ loads.T * 0.05 + np.diag(rng.uniform(0.05, 0.2, len(sector)))))
        for a, i in enumerate(sector):
            p.add(int(risk[a, a]) - int(rng.integers(5, 40)), i)
            for b in range(a):
                if risk[a, b]:
                    p.add(2 * int(risk[a, b]), i, sector[b])
        p.row({i: 1 for i in sector}, "<=", 4)
    p.row({i: 1 for i in x}, "=", n // 4)
    return p


def graph(rng, n, degree):
    return [(i, j) for i in range(n) for j in range(i) if rng.random() < degree / (n - 1)]


def colouring(rng, n):
    """As few of eight colours as possible."""
    colours, p = 8, Problem()
    vertices = max(4, (n - colours) // colours)
    used = numbered(p, colours, "u")
    x = [[p.variable(f"v{i}c{c}") for c in range(colours)] for i in range(vertices)]
    for c in used:
        p.add(1, c)
    for v in x:
        p.row({i: 1 for i in v}, "=", 1)
    for i, j in graph(rng, vertices, 6):
        for c in range(colours):
            p.row({x[i][c]: 1, x[j][c]: 1, used[c]: -1}, "<=", 0)
    for v in x:
        for c in range(colours):
            p.row({v[c]: 1, used[c]: -1}, "<=", 0)
    return p


def independent_set(rng, n):
    p = Problem(maximise=True)
    x = numbered(p, n)
    for i in x:
        p.add(int(rng.integers(1, 10)), i)
    for i, j in graph(rng, n, 6):
        p.row({i: 1, j: 1}, "<=", 1)
    return p


def tour(rng, n):
    """Positions of the cities but the last, which comes last."""
    cities = int(round(n ** 0.5)) + 1
    at = rng.uniform(0, 100, (cities, 2))
    d = np.round(np.linalg.norm(at[:, None] - at[None], axis=2)).astype(int)
    p, m = Problem(), cities - 1
    x = [[p.variable(f"c{i}t{t}") for t in range(m)] for i in range(m)]
    for i in range(m):
        p.row({x[i][t]: 1 for t in range(m)}, "=", 1)
        p.row({x[j][i]: 1 for j in range(m)}, "=", 1)
        p.add(int(d[i, m]), x[i][0])
        p.add(int(d[i, m]), x[i][m - 1])
        for j in range(m):
            for t in range(m - 1):
                if i != j:
                    p.add(int(d[i, j]), x[i][t], x[j][t + 1])
    p.other = edges_of_tour(d)
    return p


def edges_of_tour(d):
    """A variable for each edge and direction, and flows that leave the last city, in bits of their own."""
    cities = len(d)
    p, m = Problem(), cities - 1
    e = {(i, j): p.variable(f"e{i}_{j}") for i in range(cities) for j in range(cities) if i != j}
    bits = range(max(1, m.bit_length()))
    order = [[p.variable(f"o{i}b{b}") for b in bits] for i in range(m)]
    for (i, j), k in e.items():
        p.add(int(d[i, j]), k)
    for i in range(cities):
        p.row({e[i, j]: 1 for j in range(cities) if j != i}, "=", 1)
        p.row({e[j, i]: 1 for j in range(cities) if j != i}, "=", 1)
    for i in range(m):  # Miller, Tucker, Zemlin: j comes later than i if its edge is taken
        for j in range(m):
            if i != j:
                terms = {order[i][b]: 1 << b for b in bits}
                terms.update({order[j][b]: -(1 << b) for b in bits})
                p.row({**terms, e[i, j]: m}, "<=", m - 1)
    for i in range(m):
        p.row({order[i][b]: 1 << b for b in bits}, "<=", m - 1)
    return p


def timetable(rng, n):
    """Lessons in slots: no two of one teacher or class at once, as many rooms as needed and one, wishes."""
    slots, p = 10, Problem()
    lessons = max(5, n // slots)
    x = [[p.variable(f"l{i}s{s}") for s in range(slots)] for i in range(lessons)]
    for lesson in x:
        p.row({i: 1 for i in lesson}, "=", 1)
        for i in lesson:
            p.add(int(rng.integers(0, 20)), i)
    for i, j in graph(rng, lessons, 5):
        for s in range(slots):
            p.row({x[i][s]: 1, x[j][s]: 1}, "<=", 1)
    for s in range(slots):
        p.row({x[i][s]: 1 for i in range(lessons)}, "<=", -(-lessons // slots) + 1)
    return p


def maxsat(rng, n):
    """Random clauses of three literals, five for each variable, with weights."""
    p = Problem()
    for k in range(n):
        p.variable(f"x{k + 1}")
    for _ in range(5 * n):
        variables = rng.choice(n, 3, replace=False) + 1
        p.clauses.append((int(rng.integers(1, 10)), [int(v) * (1 if rng.random() < 0.5 else -1) for v in variables]))
    return p


def cover(rng, n):
    """Sets that cover every element; of every second instance, exactly once, which a hidden choice does."""
    p = Problem()
    x = numbered(p, n)
    elements, exact = n // 5, rng.random() < 0.5
    holds = [[] for _ in range(elements)]
    hidden = rng.permutation(elements)
    size = 4
    chosen = [hidden[k:k + size] for k in range(0, elements, size)]
    for i in x:
        members = chosen[i] if i < len(chosen) else rng.choice(elements, rng.integers(2, 7), replace=False)
        p.add(int(rng.integers(3, 12)) + len(members), i)
        for member in members:
            holds[member].append(i)
    for sets in holds:
        p.row({i: 1 for i in sets}, "=" if exact else ">=", 1)
    return p


KINDS = {"knapsack": knapsack, "portfolio": portfolio, "colouring": colouring, "independent-set": independent_set,
         "tour": tour, "timetable": timetable, "maxsat": maxsat, "cover": cover}


def instance(kind, number, of, seed):
    """Instance `number` of a kind: from 50 variables of the first to 500 of the last."""
    n = 50 + (450 * number // (of - 1) if of > 1 else 0)
    return KINDS[kind](np.random.default_rng([list(KINDS).index(kind), number] + [seed] * (seed > 0)), n)


# ---- the solvers ----


def own_time(program):
    """An environment in which the clock of the program stands still while others have the processor."""
    return {**os.environ, "LD_PRELOAD": os.path.join(os.path.dirname(os.path.abspath(program)), "tests/stop_at.so"),
            "STOP_AT": "0", "STOP_CALL": "none", "STOP_BUSY": "1"}


def cbc(problem, path, limit):
    """Its best objective (None: no feasible state was found), whether it is proved, and its seconds."""
    with open(path, "w") as file:
        file.write(problem.lp())
    before = os.times().children_user
    out = subprocess.run(["cbc", path, "-timeMode", "cpu", "-sec", str(limit), "-solve", "-quit"], capture_output=True,
                         text=True, check=True).stdout
    found = re.search(r"^Objective value:\s+(\S+)", out, re.M)
    proved = "Result - Optimal solution found" in out
    value = float(found.group(1)) if found and "infeasible" not in out.lower().split("result -")[-1] else None
    return value, proved, os.times().children_user - before


def reference(problem, path, options):
    """What cbc finds, or found before."""
    key = hashlib.sha256(f"{options.limit:g} {problem.lp()}".encode()).hexdigest()[:24]
    kept = os.path.join(options.references, key + ".json")
    if not os.path.exists(kept):
        os.makedirs(options.references, exist_ok=True)
        found = cbc(problem, path, options.limit)
        with open(kept + ".new", "w") as file:
            json.dump(found, file)
        os.replace(kept + ".new", kept)
    with open(kept) as file:
        return json.load(file)


def spinney(problem, path, options):
    """The objective of its best state, as computed here; None if it is not feasible."""
    out = subprocess.run([options.program, "anneal", "--problem", path, "--time", str(options.time), "--json",
                          "--quiet"], capture_output=True, text=True,
                         env=own_time(options.program) if options.busy else None)
    if out.returncode not in (0, 1) or not out.stdout:
        sys.exit(f"problems.py: {' '.join(out.args)}: {out.stderr.strip()}")
    result = json.loads(out.stdout)
    best = result["solutions"][0]
    values = dict(zip(result["variables"], best["values"]))
    value = problem.value([values.get(name, 0) for name in problem.names])  # 0: in no clause
    if best["feasible"] != (value is not None) or (best["feasible"] and abs(best["objective"] - value) > 1e-9):
        sys.exit(f"problems.py: {path}: spinney says {best['objective']}, feasible: {best['feasible']}; here {value}")
    return value


def no_worse(problem, value, reference):
    if value is None or reference is None:
        return value is not None
    room = ROUNDING * max(1, abs(reference))
    return value >= reference - room if problem.maximise else value <= reference + room


def run(kind, number, options, folder):
    problem = instance(kind, number, options.instances, options.seed)
    path = os.path.join(folder, f"{kind}-{number}." + ("wcnf" if problem.clauses else "lp"))
    with open(path, "w") as file:
        file.write(problem.wcnf() if problem.clauses else problem.lp())
    best, proved, seconds = reference(problem.for_cbc(), path + ".cbc.lp", options)
    row = {"kind": kind, "instance": number, "variables": len(problem.names), "cbc": best, "proved": proved,
           "cbc_seconds": round(seconds, 2)}
    if not options.only_references:
        value = spinney(problem, path, options)
        found = no_worse(problem, value, best)
        row.update(spinney=value, found=found, better=found and (best is None or not no_worse(problem, best, value)))
    return row


def table(rows):
    print(f"{'kind':16} {'variables':>11} {'instances':>9} {'found':>6} {'better':>6} {'proved':>6} {'cbc s':>6}")
    for kind in [*dict.fromkeys(row["kind"] for row in rows), None]:
        mine = [row for row in rows if kind in (None, row["kind"])]
        sizes = [row["variables"] for row in mine]
        print(f"{kind or 'all':16} {f'{min(sizes)}-{max(sizes)}':>11} {len(mine):9} {sum(r['found'] for r in mine):6} "
              f"{sum(r['better'] for r in mine):6} {sum(r['proved'] for r in mine):6} "
              f"{np.mean([r['cbc_seconds'] for r in mine]):6.1f}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1], add_help=True)
    parser.add_argument("--program", default="build/spinney")
    parser.add_argument("--instances", type=int, default=10)
    parser.add_argument("--numbers", type=lambda text: [int(n) for n in text.split(",")])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--time", type=float, default=5)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--references", default="build/references")
    parser.add_argument("--only-references", action="store_true")
    parser.add_argument("--folder")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("kinds", nargs="*", choices=[[], *KINDS])
    options = parser.parse_args()
    if not shutil.which("cbc"):
        sys.exit("problems.py: cbc is missing (Debian: coinor-cbc; scripts/bootstrap problems)")
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        if options.folder:
            os.makedirs(options.folder, exist_ok=True)
        for kind in options.kinds or KINDS:
            for number in options.numbers or range(options.instances):
                rows.append(run(kind, number, options, options.folder or scratch))
                print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    if options.json:
        print(json.dumps(rows, indent=1))
    elif not options.only_references:
        table(rows)


if __name__ == "__main__":
    main()
