"""The energies by their definitions, for small problems, to check the program against. A committee is named with its
units: committee-5, committee-units-5, and with -tree behind them where it is one.

    oracle.py optimum ENERGY FILE          the least energy over all states
    oracle.py states ENERGY FILE STATES    the energy of each state of a file, one a line
    oracle.py set ENERGY FILE STATES       a set of states (.csv, .npy, .json, else lines): fail
                                           unless all energies are right, the states distinct, and
                                           the lowest first; print how many, the counts' sum, and
                                           the least energy
"""
import ast
import csv
import gzip
import itertools
import json
import math
import re
import struct
import sys


def lines(path):
    with (gzip.open(path, "rt") if path.endswith(".gz") else open(path)) as file:
        return [line.strip() for line in file if line.strip() and not line.startswith("#")]


def read_states(path):
    return [[1 if c in "+1" else -1 for c in line] for line in lines(path)]


def read_csv_set(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][:2] == ["energy", "count"] and len(set(rows[0])) == len(rows[0])
    return [(float(r[0]), int(r[1]), [int(v) for v in r[2:]]) for r in rows[1:]]


def read_npy_set(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00"
    start = 10 + struct.unpack("<H", data[8:10])[0]
    assert start % 64 == 0 and data[start - 1:start] == b"\n"
    head = ast.literal_eval(data[10:start].decode("latin1"))
    assert head["fortran_order"] is False
    (energy, count, (name, kind, (sites,))), (rows,) = head["descr"], head["shape"]
    assert (energy, count, name, kind) == (("energy", "<f8"), ("count", "<i8"), "state", "|i1")
    assert len(data) == start + rows * (16 + sites)
    record = struct.Struct(f"<dq{sites}b")
    return [(r[0], r[1], list(r[2:])) for r in record.iter_unpack(data[start:])]


def read_json_set(path):
    with open(path) as file:
        whole = json.load(file)
    return [(s["energy"], s["count"], s["state"]) for s in whole["states"]]


def read_text_set(path):
    with open(path) as file:
        said = re.findall(r"# energy (\S+), count (\d+), first found by read \d+", file.read())
    return [(float(e), int(c), s) for (e, c), s in zip(said, read_states(path))]


def read_set(path):
    readers = {"csv": read_csv_set, "npy": read_npy_set, "json": read_json_set}
    return readers.get(path.rsplit(".")[-1], read_text_set)(path)


def check_set(states, energy):
    spins = [[1 if v > 0 else -1 for v in state] for _, _, state in states]
    assert len({tuple(s) for s in spins}) == len(spins)
    for (said, count, _), s in zip(states, spins):
        assert shown(said) == shown(energy(s)) and count > 0
    assert [e for e, _, _ in states] == sorted(e for e, _, _ in states)
    print(len(states), sum(c for _, c, _ in states), shown(states[0][0]))


def perceptron(path, cost):
    rows = [[int(float(v)) for v in line.split(",")] for line in lines(path)]
    sites = len(rows[0]) - 1

    def energy(s):
        return sum(cost(row[-1] * sum(a * b for a, b in zip(s, row))) for row in rows)

    return sites, energy


def errors(path):
    return perceptron(path, lambda x: x < 0)


def product(path):
    sites, wrong = perceptron(path, lambda x: x <= 0)
    return sites, lambda s: min(1, wrong(s))


def flips(x, is_right):
    count = 0
    while not is_right(x + 2 * count):
        count += 1
    return count


def bits(path):
    sites = len(lines(path)[0].split(",")) - 1
    even = sites % 2 == 0
    return perceptron(path, lambda x: flips(x, lambda v: v >= 0 if even else v > 0))


def bits_strict(path):
    return perceptron(path, lambda x: flips(x, lambda v: v > 0))


def symmetric(path):
    root = math.sqrt(len(lines(path)[0].split(",")) - 1)
    return perceptron(path, lambda x: abs(x) / root > 1)


def committee(path, units, tree, graded):
    rows = [[int(float(v)) for v in line.split(",")] for line in lines(path)]
    inputs = len(rows[0]) - 1
    share = inputs // units if tree else inputs

    def lacks(s, row):
        right = 0
        for j in range(units):
            seen = row[j * share:(j + 1) * share] if tree else row[:-1]
            right += row[-1] * sum(a * b for a, b in zip(s[j * share:(j + 1) * share], seen)) >= 0
        return max(0, (units + 1) // 2 - right)

    return share * units, lambda s: sum(lacks(s, row) if graded else lacks(s, row) > 0 for row in rows)


def logistic(path, steepness=1):
    return perceptron(path, lambda x: math.log1p(math.exp(-steepness * x)))


def logistic_steep(path):
    return logistic(path, 20)


def triples(path_lines, first):
    split = [line.split() for line in path_lines]
    return [(int(i) - first, int(j) - first, float(v)) for i, j, v in split]


def ising(path):
    terms = triples(lines(path), 0)
    sites = 1 + max(max(i, j) for i, j, _ in terms)
    return sites, lambda s: sum(v * (s[i] if i == j else s[i] * s[j]) for i, j, v in terms)


def qubo(path):
    terms = triples(lines(path), 0)
    sites = 1 + max(max(i, j) for i, j, _ in terms)
    return sites, lambda s: sum(v for i, j, v in terms if s[i] > 0 and s[j] > 0)


def maxcut(path):
    text = lines(path)
    edges = triples(text[1:], 1)
    return int(text[0].split()[0]), lambda s: -sum(w for i, j, w in edges if s[i] != s[j])


def table(path):
    values = [float(v) for line in lines(path) for v in line.replace(",", " ").split()]
    sites = len(values).bit_length() - 1
    return sites, lambda s: values[sum(1 << i for i in range(sites) if s[i] > 0)]


def distance(path):
    minima = read_states(path)
    return len(minima[0]), lambda s: min(sum(a != b for a, b in zip(s, m)) for m in minima)


def shown(value):
    """Without the last digits, in which sums of logarithms may differ."""
    return round(float(value), 9)


def main():
    what, name, path = sys.argv[1:4]
    shape = re.fullmatch(r"committee(-units)?-(\d+)(-tree)?", name)
    if shape:
        sites, energy = committee(path, int(shape[2]), bool(shape[3]), bool(shape[1]))
    else:
        sites, energy = globals()[name.replace("-", "_")](path)
    if what == "optimum":
        print(shown(min(energy(s) for s in itertools.product((-1, 1), repeat=sites))))
    elif what == "set":
        check_set(read_set(sys.argv[4]), energy)
    else:
        for state in read_states(sys.argv[4]):
            print(shown(energy(state)))


main()
