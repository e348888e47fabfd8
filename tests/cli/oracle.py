"""The energies by their definitions, for small problems, to check the program against.

    oracle.py optimum ENERGY FILE          the least energy over all states
    oracle.py states ENERGY FILE STATES    the energy of each state of a file, one a line
"""
import gzip
import itertools
import math
import sys


def lines(path):
    with (gzip.open(path, "rt") if path.endswith(".gz") else open(path)) as file:
        return [line.strip() for line in file if line.strip() and not line.startswith("#")]


def read_states(path):
    return [[1 if c == "+" else -1 for c in line] for line in lines(path)]


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
    sites, energy = globals()[name.replace("-", "_")](path)
    if what == "optimum":
        print(shown(min(energy(s) for s in itertools.product((-1, 1), repeat=sites))))
    else:
        for state in read_states(sys.argv[4]):
            print(shown(energy(state)))


main()
