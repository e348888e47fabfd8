"""The type hints of what is made of the tables: they are those of the tables as they are now, and they are of use."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import spinney
from spinney import tasks

ROOT = Path(__file__).parents[2]
STUBS = ROOT / "python" / "src" / "spinney" / "_typed.pyi"
RENEW = "PYTHONPATH=python/src SPINNEY_LIBRARY=build scripts/make-stubs > python/src/spinney/_typed.pyi"


def test_the_hints_are_those_of_the_tables():
    pytest.importorskip("sklearn")
    made = subprocess.run([sys.executable, str(ROOT / "scripts" / "make-stubs")], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert STUBS.read_text() == made.stdout, "renew it: " + RENEW


def test_what_has_hints_is_there():
    space = {}
    exec("from spinney._typed import *", space)
    for name in set(space) - {"__builtins__"}:
        assert getattr(spinney, name) is space[name]
        assert f" {name}(" in STUBS.read_text()
    assert isinstance(spinney.anneal(spinney.Table([0, 1]), sweeps=5), spinney.AnnealResult)


GOOD = """
import spinney
result = spinney.anneal(spinney.QUBO({(0, 1): 1.0}), replicas=3, beta=(0.1, 3), gamma=0, kernel="heat-bath", reads=None)
best: float = result.best_energy
stop: str = result["stop"]
energies: float = result["replicas.energy"].sum()
losses: float = spinney.train("digits", sweeps=1).train_loss
"""
BAD = {
    'spinney.anneal("bits", sweep=3)': "sweep",
    'spinney.anneal("bits", replicas="three")': "replicas",
    'a: str = spinney.anneal("bits").best_energy': "float",
    'b: str = spinney.anneal("bits")["best_energy"]': "float",
    'spinney.OneBitClassifier(hiden=3)': "hiden",
}


def test_type_checkers_know_keywords_and_results(tmp_path):
    mypy = pytest.importorskip("mypy.api")
    script = tmp_path / "script.py"
    script.write_text(GOOD + "\n".join(BAD) + "\n")
    cache = Path(os.environ["SPINNEY_LIBRARY"]) / "mypy"
    said, errors, _ = mypy.run([str(script), "--config-file", str(ROOT / "pyproject.toml"),
                                "--cache-dir", str(cache)])
    assert not errors
    first = len(GOOD.splitlines())
    found = {line.split(":")[1]: line for line in said.splitlines() if line.startswith(str(script))}
    for k, (code, word) in enumerate(BAD.items(), first + 1):
        assert word in found.get(str(k), "nothing"), (code, said)
    assert all(int(number) > first for number in found), said


def test_signatures_agree_with_the_hints():
    text = STUBS.read_text()
    for function in tasks.FUNCTIONS.values():
        _, _, rest = text.partition(f"def {function.__name__}(\n")
        listed = [line.split(":")[0].strip() for line in rest.partition("\n) ->")[0].splitlines()]
        assert [name for name in listed if name != "*,"] == list(inspect.signature(function).parameters)
