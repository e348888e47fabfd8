#!/usr/bin/env python3
"""Default `spinney train` beside scikit-learn's StandardScaler + LogisticRegression, on the same splits.

For every data set and split the two parts are written as CSV, features as they are and the label last, and
the program is run as a user would run it:

    spinney train --data train.csv --test test.csv --out model.spn
    spinney predict model.spn test.csv

The accuracies are those of the classes that `predict` prints, which are of the replica of lowest loss in
training. Needs Debian's python3-sklearn.

With --hidden H, networks of H units on twelve of the data sets, beside the regression and scikit-learn's
MLPClassifier with as many units; the difference is to the better of the two.

usage: classifiers.py [--program FILE] [--splits N] [--more] [--large] [--hidden H] [--json]
                       [NAME...] [-- OPTIONS OF TRAIN...]
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
    import sklearn
    from sklearn import datasets
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import balanced_accuracy_score
    from sklearn.model_selection import train_test_split
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
except ImportError:
    sys.exit("classifiers.py: scikit-learn is missing (Debian: python3-sklearn; scripts/bootstrap classifiers)")
import warnings

TEST_SHARE = 0.3


def made(rows, features, informative, classes=2, **more):
    redundant = more.pop("redundant", min(2, features - informative))
    return datasets.make_classification(rows, features, n_informative=informative, n_redundant=redundant,
                                        n_classes=classes, random_state=more.pop("seed", 7), **more)


def linear(rows, weights, noise, features=None, seed=7):
    """Two classes by a linear rule, with logistic noise; noise: what the deviation of the logits is."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, len(weights))) if features is None else features
    logits = x @ weights
    chance = 1 / (1 + np.exp(-noise * (logits - logits.mean()) / logits.std()))
    return x, (rng.random(rows) < chance).astype(int)


def units():
    """Features in units from 1e-6 to 1e6."""
    x, y = made(600, 12, 6, 3)
    return x * 10.0 ** np.linspace(-6, 6, 12), y


def heavy_tails():
    rng = np.random.default_rng(7)
    return linear(600, rng.standard_normal(10), 3, rng.standard_t(2, (600, 10)))


def correlated():
    rng = np.random.default_rng(7)
    x = 0.35 * rng.standard_normal((600, 10)) + rng.standard_normal((600, 1))
    return linear(600, rng.standard_normal(10), 3, x)


def lognormal():
    rng = np.random.default_rng(7)
    x = np.exp(1.5 * rng.standard_normal((500, 8)))
    return linear(500, rng.standard_normal(8), 4, x)


def categories():
    rng = np.random.default_rng(7)
    level = rng.integers(0, 4, (800, 10))
    x = (level[:, :, None] == np.arange(4)).reshape(800, 40).astype(float)
    return linear(800, rng.standard_normal(40), 2, x)


def ordinal():
    rng = np.random.default_rng(7)
    x = rng.integers(1, 6, (600, 8)).astype(float)
    logits = (x - 3) @ rng.standard_normal((8, 3))
    return x, (logits + 1.5 * rng.gumbel(size=logits.shape)).argmax(1)


def counts():
    """Words of documents on four subjects: most counts are 0."""
    rng = np.random.default_rng(7)
    words, subjects = 500, 4
    common = rng.dirichlet(np.full(words, 0.1))
    y = rng.integers(0, subjects, 1000)
    rates = np.array([0.8 * common + 0.2 * rng.dirichlet(np.full(words, 0.1)) for _ in range(subjects)])
    return rng.poisson(40 * rates[y]).astype(float), y


def wide():
    """Far more features than samples, most of them noise."""
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 150)
    x = rng.standard_normal((150, 10000))
    x[:, :60] += 0.7 * (2 * y[:, None] - 1) * rng.choice([-1, 1], 60)
    return x, y


def big_mixture():
    """Ten correlated measurements and 44 indicators, seven classes of very different size, in part by thresholds."""
    rng = np.random.default_rng(7)
    rows = 107143
    common = rng.standard_normal((rows, 4))
    real = common @ rng.standard_normal((4, 10)) + 0.5 * rng.standard_normal((rows, 10))
    level = np.digitize(real[:, 0] + 0.4 * rng.standard_normal(rows), np.quantile(real[:, 0], np.arange(1, 40) / 40))
    zone = np.digitize(common[:, 1] + 0.7 * rng.standard_normal(rows), [-1, 0.2, 1.3])
    ones = np.hstack([level[:, None] == np.arange(40), zone[:, None] == np.arange(4)]).astype(float)
    x = np.hstack([(real - real.mean(0)) / real.std(0), ones])
    logits = x @ rng.standard_normal((54, 7)) * 0.75 + np.array([1.5, 2, 0.2, -2.5, -1.5, -0.5, -0.4])
    for k in range(7):
        for _ in range(6):
            i, j = rng.integers(0, 10, 2)
            logits[:, k] += rng.choice([-1, 1]) * ((x[:, i] > rng.normal()) & (x[:, j] > rng.normal()))
    return x, (logits + rng.gumbel(size=logits.shape)).argmax(1)


def diamonds():
    """The cut of ggplot2's diamonds from the other columns; needs R and Debian's r-cran-ggplot2."""
    script = ("d <- as.data.frame(ggplot2::diamonds); for (n in names(d)) d[[n]] <- as.numeric(d[[n]]); "
              "write.csv(d[, c('carat','color','clarity','depth','table','price','x','y','z','cut')], row.names = FALSE)")
    try:
        text = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        sys.exit("classifiers.py: diamonds needs R and ggplot2 (Debian: r-cran-ggplot2)")
    table = np.array([line.split(",") for line in text.splitlines()[1:]], float)
    return table[:, :9], table[:, 9].astype(int)


def bundled(load):
    return lambda: load(return_X_y=True)


def random_weights(n):
    return np.random.default_rng(11).standard_normal(n)


NAMED = {
    "wine": bundled(datasets.load_wine),
    "iris": bundled(datasets.load_iris),
    "breast-cancer": bundled(datasets.load_breast_cancer),
    "digits": bundled(datasets.load_digits),
    "faults": lambda: made(2000, 20, 8, weights=[0.95], class_sep=1.5, redundant=4),
}
MORE = {
    "two-features": lambda: made(300, 2, 2, redundant=0, n_clusters_per_class=1),
    "moons": lambda: datasets.make_moons(400, noise=0.25, random_state=7),
    "five-features": lambda: made(300, 5, 4, 3, redundant=1),
    "small": lambda: made(100, 10, 4),
    "noisy": lambda: made(400, 20, 5, flip_y=0.1, redundant=5),
    "fifty-features": lambda: made(1000, 50, 15, 5, redundant=5),
    "two-hundred-features": lambda: made(600, 200, 15, redundant=20),
    "twenty-classes": lambda: made(4000, 20, 15, 20, n_clusters_per_class=1, class_sep=2),
    "many-rows": lambda: made(20000, 20, 8, 3),
    "rare": lambda: made(4000, 10, 6, weights=[0.99], class_sep=1.5, flip_y=0.002),
    "tenth": lambda: made(500, 15, 6, weights=[0.9], class_sep=1.2),
    "units": units,
    "heavy-tails": heavy_tails,
    "correlated": correlated,
    "lognormal": lognormal,
    "hundred-weights": lambda: linear(1500, random_weights(100), 8),
    "unequal-weights": lambda: linear(500, np.exp(1.2 * random_weights(30)), 3),
    "categories": categories,
    "ordinal": ordinal,
    "counts": counts,
    "wide": wide,
}
LARGE = {
    "diamonds": diamonds,
    "long": lambda: made(285714, 12, 8, redundant=3, flip_y=0.05),
    "mixture": big_mixture,
}


TABLES = ("wine", "iris", "breast-cancer", "digits", "faults", "moons", "five-features", "noisy", "units", "heavy-tails",
          "lognormal", "ordinal")


def write_csv(path, features, labels):
    with open(path, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow([f"f{i}" for i in range(features.shape[1])] + ["label"])
        for row, label in zip(features, labels):
            writer.writerow([repr(float(v)) for v in row] + [f"c{label}"])


def run(command):
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"classifiers.py: {' '.join(command)}: {done.stderr}")
    after = os.times()
    return done.stdout, after.children_user - before.children_user + after.children_system - before.children_system


def spinney(program, options, folder):
    """The classes that the program predicts, its JSON, and the CPU seconds of the training."""
    model = os.path.join(folder, "model.spn")
    train, test = (os.path.join(folder, name) for name in ("train.csv", "test.csv"))
    text, seconds = run([program, "train", "--data", train, "--test", test, "--out", model, "--json", *options])
    classes, _ = run([program, "predict", model, test, "--quiet"])
    return classes.split(), json.loads(text), seconds


def baseline(method, train, test):
    started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = make_pipeline(StandardScaler(), method).fit(*train)
    return [f"c{c}" for c in fitted.predict(test[0])], time.process_time() - started


def scores(truth, predicted):
    truth, predicted = np.array(truth), np.array(predicted)
    return (truth == predicted).mean(), balanced_accuracy_score(truth, predicted)


def compare(program, options, data, split, hidden=0):
    x, y = data
    a, b, c, d = train_test_split(np.asarray(x, float), y, test_size=TEST_SHARE, random_state=split, stratify=y)
    with tempfile.TemporaryDirectory() as folder:
        write_csv(os.path.join(folder, "train.csv"), a, c)
        write_csv(os.path.join(folder, "test.csv"), b, d)
        ours, record, seconds = spinney(program, options, folder)
    theirs, their_seconds = baseline(LogisticRegression(max_iter=2000), (a, c), (b, d))
    truth = [f"c{k}" for k in d]
    results = record.get("results", record)
    found = {"ours": scores(truth, ours), "theirs": scores(truth, theirs), "seconds": seconds,
             "their_seconds": their_seconds, "mean": results["test_accuracy"], "centre": results["centre_test_accuracy"],
             "health": results["health"]}
    if hidden:
        method = MLPClassifier((hidden,), max_iter=1000, random_state=split)
        found["mlp"] = scores(truth, baseline(method, (a, c), (b, d))[0])
    return found


def percent(values):
    return f"{100 * np.mean(values):5.1f} ± {100 * np.std(values, ddof=1) if len(values) > 1 else 0:4.1f}"


def row(name, data, found):
    def column(key, part):
        return np.array([f[key][part] for f in found])
    rows, features = np.shape(data[0])
    cells = [name, f"{rows}", f"{features}", f"{len(set(data[1]))}"]
    for part in (0, 1):
        ours, theirs = column("ours", part), column("theirs", part)
        cells += [percent(ours), percent(theirs), f"{100 * (ours - theirs).mean():+.1f}"]
    cells += [f"{np.mean([f['seconds'] for f in found]):.2f}", f"{np.mean([f['their_seconds'] for f in found]):.2f}"]
    return "| " + " | ".join(cells) + " |"


def poor(found):
    """The splits whose run was not good, and why."""
    return ", ".join(f"split {k}: {f['health']}" for k, f in enumerate(found, 1) if f["health"] != "good")


def hidden_row(name, data, found):
    ours, theirs, mlp = (np.array([f[key][0] for f in found]) for key in ("ours", "theirs", "mlp"))
    better = max(theirs.mean(), mlp.mean())
    cells = [name, *map(str, np.shape(data[0])), f"{len(set(data[1]))}", percent(ours), percent(theirs), percent(mlp),
             f"{100 * (ours.mean() - better):+.1f}"]
    return "| " + " | ".join(cells) + " |"


def main():
    own = sys.argv[1:]
    options = own[own.index("--") + 1:] if "--" in own else []
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="build/spinney")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--more", action="store_true", help="the other data sets, not the five")
    parser.add_argument("--large", action="store_true", help="tables of 50,000 to 300,000 rows, not the five")
    parser.add_argument("--hidden", type=int, default=0, help="networks of this number of units, on twelve tables")
    parser.add_argument("--json", action="store_true", help="a JSON object for each split, too")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args(own[:own.index("--")] if "--" in own else own)
    sets = {**NAMED, **MORE, **LARGE}
    unknown = [n for n in given.names if n not in sets]
    if unknown:
        sys.exit(f"classifiers.py: no data set is called {unknown[0]}; there are {', '.join(sets)}")
    print(f"scikit-learn {sklearn.__version__}, {given.splits} splits, {TEST_SHARE:.0%} to test; accuracy and "
          "balanced accuracy in %, mean ± deviation over the splits, and the difference of the means")
    if given.hidden:
        options = ["--hidden", str(given.hidden), *options]
        print("| data | rows | features | classes | network | regression | MLP | network less the better |")
        print("|---|---|---|---|---|---|---|---|", flush=True)
        for name in given.names or TABLES:
            data = sets[name]()
            splits = range(1, given.splits + 1)
            print(hidden_row(name, data, [compare(given.program, options, data, k, given.hidden) for k in splits]),
                  flush=True)
        return
    print("| data | rows | features | classes | spinney | regression | difference | balanced: spinney | regression "
          "| difference | CPU s | regression |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for name in given.names or (LARGE if given.large else MORE if given.more else NAMED):
        data = sets[name]()
        found = [compare(given.program, options, data, split) for split in range(1, given.splits + 1)]
        print(row(name, data, found), flush=True)
        if poor(found):
            print(f"{name}: {poor(found)}", flush=True)
        if given.json:
            print(json.dumps({name: found}), flush=True)


if __name__ == "__main__":
    main()
