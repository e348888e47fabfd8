#!/usr/bin/python3
"""`spinney train` without options beside logistic regression on tables that come with R packages of Debian.

    apt-get install r-base-core r-cran-cardata r-cran-aer r-cran-kernlab
    bench/r_tables.py [TABLE ...]

The tables are exported as CSV into a scratch folder. Each is split five times, four parts to train and one to test, by
class; categories are one column each, and numbers standardised, for scikit-learn's LogisticRegression with its
defaults. Prints a table for docs/classifiers.md: mean accuracies on the test parts in per cent, and the difference with
its standard error. Needs Rscript, scikit-learn and pandas; SPINNEY names the program (build/spinney).
"""

import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

PROGRAM = os.environ.get("SPINNEY") or str(Path(__file__).parents[1] / "build" / "spinney")
TABLES = {  # package, column of the labels
    "TitanicSurvival": ("carData", "survived"), "Mroz": ("carData", "lfp"), "Womenlf": ("carData", "partic"),
    "BEPS": ("carData", "vote"), "Cowles": ("carData", "volunteer"), "Chile": ("carData", "vote"),
    "Wells": ("carData", "switch"), "WVS": ("carData", "poverty"), "SwissLabor": ("AER", "participation"),
    "CreditCard": ("AER", "card"), "HMDA": ("AER", "deny"), "DoctorVisits": ("AER", "private"),
    "musk": ("kernlab", "Class")}
EXPORT = """
d <- as.data.frame(get(data(list="{name}", package="{package}")))
d <- d[complete.cases(d), !(names(d) %in% c("molecule", "conformation"))]
write.csv(d[, c(setdiff(names(d), "{label}"), "{label}")], "{path}", row.names=FALSE)
"""


def table_of(name, folder):
    package, label = TABLES[name]
    path = folder / f"{name}.csv"
    code = EXPORT.format(name=name, package=package, label=label, path=path)
    subprocess.run(["Rscript", "-e", code], check=True, stdout=subprocess.DEVNULL)
    return pd.read_csv(path, keep_default_na=False)


def logistic(table):
    texts = [column for column in table if table[column].dtype == object]
    numbers = [column for column in table if column not in texts]
    columns = make_column_transformer((StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore"), texts))
    return make_pipeline(columns, LogisticRegression(max_iter=3000))


def trained(train, test, folder):
    for part, rows in (("train", train), ("test", test)):
        rows.to_csv(folder / f"{part}.csv", index=False)
    done = subprocess.run([PROGRAM, "train", "--data", folder / "train.csv", "--test", folder / "test.csv", "--json",
                           "--quiet"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["results"]["test_accuracy"]


def compare(name, folder):
    table = table_of(name, folder)
    labels, rows = table.iloc[:, -1].astype(str), table.iloc[:, :-1]
    found = []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=1).split(rows, labels):
        usual = logistic(rows).fit(rows.iloc[train], labels.iloc[train]).score(rows.iloc[test], labels.iloc[test])
        most = (labels.iloc[test] == labels.iloc[train].mode()[0]).mean()
        found.append((trained(table.iloc[train], table.iloc[test], folder), usual, most))
    own, usual, most = 100 * np.array(found).T
    apart = own - usual
    print(f"| {name} ({TABLES[name][0]}) | {len(rows)} | {rows.shape[1]} | {labels.nunique()} | {own.mean():.1f} | "
          f"{usual.mean():.1f} | {most.mean():.1f} | {apart.mean():+.1f} ± {apart.std(ddof=1) / 5**0.5:.1f} |", flush=True)


def main():
    warnings.simplefilter("ignore")
    print("| table | rows | columns | classes | spinney | logistic | majority | difference |\n|" + "---|" * 8)
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or TABLES:
            compare(name, Path(folder))


if __name__ == "__main__":
    main()
