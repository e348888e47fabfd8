"""Print what a program read in a sample, on one line: loss and accuracy of a model, from the JSON of `eval`; the best
energy of each run, from the CSV of `records`.

    values.py NAME FILE"""
import csv
import json
import sys

name, file = sys.argv[1:]
if name.endswith(".csv"):
    values = [row["best_energy"] for row in csv.DictReader(open(file))]
else:
    said = json.load(open(file))
    results = said.get("results", said)
    values = [f"{results[result]:.9g}" for result in ("loss", "accuracy")]
print(name, *values)
