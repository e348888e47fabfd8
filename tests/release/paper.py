"""docs/paper/paper.md has the form of JOSS, and the numbers in it are those that commands print.

    paper.py REPOSITORY    the form, and numbers that records in the repository hold
    paper.py REPOSITORY SPINNEY   also those that the program prints
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(sys.argv[1])
text = (root / "docs/paper/paper.md").read_text()
head, body = re.fullmatch(r"---\n(.*?)\n---\n(.*)", text, re.DOTALL).groups()


def need(condition, complaint):
    if not condition:
        sys.exit(f"paper: {complaint}")


for key in ("title", "tags", "authors", "affiliations", "date", "bibliography"):
    need(re.search(rf"^{key}:", head, re.MULTILINE), f"no {key} in its head")
for heading in ("Summary", "Statement of need", "References"):
    need(f"\n# {heading}\n" in body, f"no section '{heading}'")
words = len(re.sub(r"```.*?```", "", body, flags=re.DOTALL).split())
need(750 <= words <= 1250, f"{words} words; JOSS asks for 250 to 1,000 or a little more, the project for a thousand")
cited = set(re.findall(r"@(\w+)", re.sub(r"```.*?```", "", body, flags=re.DOTALL)))
listed = set(re.findall(r"^@\w+\{(\w+),", (root / "docs/paper/paper.bib").read_text(), re.MULTILINE))
need(cited == listed, f"cited but not listed, or the other way round: {sorted(cited ^ listed)}")


# the table is that of `spinney report experiments/hard/alpha.yaml`, as counts of 20 runs
report = (root / "experiments/hard/records/alpha/figures/solved.md").read_text()


def row(source, name):
    found = re.search(rf"^\| {name} \|(.*)\|$", source, re.MULTILINE)
    need(found, f"no row '{name}' in a table")
    return [cell.strip().split(" ")[0] for cell in found[1].split("|")]


alphas = row(report, r"method .*? α")
for method in ("annealing", "seven coupled replicas"):
    shares = dict(zip(alphas, row(report, method)))
    stated = dict(zip(row(body, r"share of patterns .*?"), row(body, f"{method}, solved of 20")))
    for alpha, count in stated.items():
        need(abs(float(shares[alpha]) - int(count) / 20) < 1e-9, f"{method}, {alpha}: {count} of 20, records {shares[alpha]}")

if len(sys.argv) > 2:
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "digits.spn"
        said = subprocess.run([sys.argv[2], "train", "--out", model], capture_output=True, text=True, check=True).stdout
        accuracy = re.search(r"test accuracy\s+([\d.]+%)", said)
        need(accuracy and f"accuracy is {accuracy[1]}" in body, f"train prints {accuracy and accuracy[1]}")
        said = subprocess.run([sys.argv[2], "eval", model, "--data", "digits", "--flip", "0.1"], capture_output=True,
                              text=True, check=True).stdout
        flipped = re.search(r"^ *0\.1 +([\d.]+)", said, re.MULTILINE)
        need(flipped and f"it is {100 * float(flipped[1]):.1f}%" in body, f"eval prints {flipped and flipped[1]}")
print(f"paper: {words} words, {len(cited)} references")
