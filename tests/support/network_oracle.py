"""A network by its definition, from its export as text: for each sample of a CSV file (label last) the
whole-number scores of the classes and the name of the first of the highest, as use_export.c prints them.
Where the text holds several replicas, they vote: their scores add up.
   network_oracle.py TEXT SAMPLES.csv [NPY]    NPY: the same weights as arrays, which are compared"""
import ast
import re
import struct
import sys


def read_text(path):
    thresholds, above, biases, replicas, names = [], None, {"hidden unit": 0, "class": 0}, [], []
    kind = None
    for line in open(path).read().split("\n")[:-1]:
        if m := re.fullmatch(r"# (\d+),(\S+)", line):
            thresholds.append((int(m[1]), float(m[2])))
        elif m := re.fullmatch(r"# inputs are 1 where a feature is above (\S+), else 0", line):
            above = float(m[1])
        elif m := re.fullmatch(r"# the last (\d+) weights of a (hidden unit|class) are its bias", line):
            biases[m[2]] = int(m[1])
        elif m := re.fullmatch(r"# (?:replica \d+, )?(unit|class) (.*)", line):
            kind = m[1]
            if kind == "unit" and m[2] == "1":
                replicas.append(([], []))
            if kind == "class" and len(replicas) == 1:
                names.append(m[2])
        elif line[0] != "#":
            assert set(line) <= set("+-")
            replicas[-1][kind == "class"].append([1 if c == "+" else -1 for c in line])
    return thresholds, above, biases, replicas, names


def read_npy(path):
    raw = open(path, "rb").read()
    size, = struct.unpack("<H", raw[8:10])
    shape = ast.literal_eval(raw[10:10 + size].decode())["shape"]
    return shape, list(struct.unpack("%db" % (len(raw) - 10 - size), raw[10 + size:]))


def compare_arrays(replicas, path):
    for part, name in enumerate((path, path + ".outputs.npy")):
        shape, values = read_npy(name)
        rows = replicas[0][part]
        expected = (len(rows), len(rows[0]))
        assert shape == (expected if len(replicas) == 1 else (len(replicas),) + expected), shape
        assert values == [w for replica in replicas for row in replica[part] for w in row]


def scores(replicas, biases, x):
    total = None
    for units, classes in replicas:
        seen = x + [1] * biases["hidden unit"]
        assert all(len(u) == len(seen) for u in units)
        signs = [1 if sum(a * b for a, b in zip(u, seen)) >= 0 else -1 for u in units]
        signs += [1] * biases["class"]
        assert all(len(c) == len(signs) for c in classes)
        found = [sum(a * b for a, b in zip(c, signs)) for c in classes]
        total = found if total is None else [a + b for a, b in zip(total, found)]
    return total


thresholds, above, biases, replicas, names = read_text(sys.argv[1])
if len(sys.argv) > 3:
    compare_arrays(replicas, sys.argv[3])
for line in open(sys.argv[2]):
    x = [float(v) for v in line.split(",")[:-1]]
    if thresholds:
        x = [int(x[i] > t) for i, t in thresholds]
    elif above is not None:
        x = [int(v > above) for v in x]
    else:
        x = [int(v) for v in x]
    z = scores(replicas, biases, x)
    print(*z, names[z.index(max(z))])
