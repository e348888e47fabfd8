"""The gallery of problems: its pages show the code of their scripts and known optima, its data are what their generator
makes, and every picture is drawn. What its commands print is tested with the other pages (test_docs.py)."""

import importlib
import itertools
import re
import subprocess
import sys
import xml.etree.ElementTree as tree
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
GALLERY, SCRIPTS = REPOSITORY / "docs/gallery", REPOSITORY / "examples/problems"
NAMES = ["knapsack", "portfolio", "timetable", "colouring", "independent-set", "tsp", "sudoku", "maxsat", "partition",
         "features"]


@pytest.mark.parametrize("name", NAMES)
def test_page(name):
    text = (GALLERY / f"{name}.md").read_text(encoding="utf-8")
    assert f"]({name}.svg)" in text and f"]({name}.md)" in (GALLERY / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 70
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if ">>>" not in block:
            assert block in (SCRIPTS / f"{name}.py").read_text(encoding="utf-8")


def test_every_page_is_tested():
    assert sorted(page.stem for page in GALLERY.glob("*.md")) == sorted([*NAMES, "README", "robust"])


def test_data_are_those_of_the_generator(tmp_path):
    subprocess.run([sys.executable, str(SCRIPTS / "generate.py"), str(tmp_path)], check=True)
    made = sorted(tmp_path.iterdir())
    assert len(made) == 8
    for file in made:
        assert file.read_bytes() == (SCRIPTS / file.name).read_bytes(), file.name


def test_pictures_are_drawn(tmp_path):
    subprocess.run([sys.executable, str(SCRIPTS / "draw.py"), str(tmp_path)], check=True)
    for name in NAMES:
        made, shown = (tree.parse(folder / f"{name}.svg").getroot() for folder in (tmp_path, GALLERY))
        assert made.attrib == shown.attrib and made[0].text == shown[0].text, name
        assert len(made) == len(shown) > 10, name


def test_robustness_is_compared(capsys, monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    robust = importlib.import_module("robust")
    monkeypatch.setattr(robust, "BUDGET", 20000)
    robust.main(3, 1, robust.ONE, robust.COUPLED)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("3 instances, 20000 proposals each; both solve ") and len(lines) == 4
    assert all(re.search(r"one -?\d.* ± .*, coupled .* ± .*, difference .* ± ", line) for line in lines[1:])


def test_the_tour_is_shortest():
    rows = (SCRIPTS / "cities.csv").read_text().splitlines()[1:]
    places = [complex(*map(float, row.split(",")[1:])) for row in rows]
    best = {(1, 0): 0.0}  # over the sets of cities that were visited, and the last of them: Held and Karp
    for size, visited in itertools.product(range(1, len(places)), range(1, 2 ** len(places), 2)):
        if bin(visited).count("1") != size:
            continue
        for last, city in itertools.product(range(len(places)), repeat=2):
            if (visited, last) in best and not visited >> city & 1:
                key, way = (visited | 1 << city, city), best[visited, last] + abs(places[last] - places[city])
                best[key] = min(way, best.get(key, way))
    whole = 2 ** len(places) - 1
    shortest = min(best[whole, last] + abs(places[last] - places[0]) for last in range(1, len(places)))
    assert f"length {shortest:.2f}" in (GALLERY / "tsp.md").read_text(encoding="utf-8")


def test_the_knapsack_is_best():
    parts = (SCRIPTS / "knapsack.lp").read_text().split("Binary")[0].split("Subject To")
    values, weights = ([int(number) for number in re.findall(r"(\d+) item", part)] for part in parts)
    best = [0] * 378
    for value, weight in zip(values, weights):
        for room in range(377, weight - 1, -1):
            best[room] = max(best[room], best[room - weight] + value)
    assert best[377] == 519
