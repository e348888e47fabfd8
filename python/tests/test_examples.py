"""The scripts in examples/python run, and say what they should."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "python"


def run(name, *arguments, folder):
    done = subprocess.run([sys.executable, str(EXAMPLES / name), *map(str, arguments)], cwd=folder, capture_output=True,
                          text=True, timeout=1200, env={**os.environ, "OMP_NUM_THREADS": "1"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def test_classifier(tmp_path):
    pytest.importorskip("sklearn")
    lines = run("classifier.py", folder=tmp_path).splitlines()
    one_bit, real = (numbers(line.split("  ", 1)[1])[0] for line in lines[:2])
    assert one_bit > 94 and real > 94  # guessing gives 63
    rows = ["width,height,kind"] + [f"{k % 7},{k % 5},{'wide' if k % 7 > k % 5 else 'high'}" for k in range(70)]
    (tmp_path / "table.csv").write_text("\n".join(rows) + "\n")
    assert "'" in run("classifier.py", "table.csv", folder=tmp_path)


def test_bit_flips(tmp_path):
    default, robust = (numbers(line)[1::2] for line in run("bit_flips.py", "a.svg", folder=tmp_path).splitlines()[:2])
    assert default[0] > 96 and robust[0] > 94 and robust[4] > default[4] + 10
    assert (tmp_path / "a.svg").read_text().startswith("<svg")


def test_qubo(tmp_path):
    ours, plain = (numbers(line) for line in run("qubo.py", 60, folder=tmp_path).splitlines()[1:3])
    assert ours[0] <= plain[0] and abs(ours[1] - plain[1]) < 0.02 * abs(plain[1])


def test_perceptron(tmp_path):
    text = run("perceptron.py", "a.svg", folder=tmp_path)
    assert "coupled: lowest energy 0" in text and "every pattern is right" in text
    assert (tmp_path / "a.svg").read_text().startswith("<svg")


def test_laboratory(tmp_path):
    for line in run("laboratory.py", folder=tmp_path).splitlines()[1:3]:
        assert abs(numbers(line.partition("(")[2])[0]) < 6  # errors of the mean: a false alarm in 10^6


def test_all_are_tested():
    here = Path(__file__).read_text()
    assert all(f'"{script.name}"' in here for script in EXAMPLES.glob("*.py"))
    assert len(list(EXAMPLES.glob("*.py"))) == 5
