"""What the documentation shows is what happens: every example of docs/python.md and of the docstrings."""

import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
import spinney

REPOSITORY = Path(__file__).parents[2]
NEEDS = {"classifier": "sklearn"}


def examples(name):
    """The text of a page without the lines that mark code, which are no output."""
    lines = (REPOSITORY / name).read_text(encoding="utf-8").splitlines()
    return "\n".join("" if line.startswith("```") else line for line in lines) + "\n"


def test_page(tmp_path, monkeypatch):
    for module in ("sklearn", "pandas"):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    page = "docs/python.md"
    parsed = doctest.DocTestParser().get_doctest(examples(page), {}, page, page, 0)
    assert len(parsed.examples) > 30
    told = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(parsed, out=told.append)
    assert not told, "".join(told)


@pytest.mark.parametrize("name", [m.name for m in pkgutil.iter_modules(spinney.__path__) if m.name != "libraries"])
def test_docstrings(name, tmp_path, monkeypatch):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(f"spinney.{name}")
    assert doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


def test_every_name_has_a_docstring():
    pytest.importorskip("sklearn")
    for name in dir(spinney):
        if not name.startswith("_"):
            assert getattr(spinney, name).__doc__, name


def test_all_names_are_there():
    assert set(dir(spinney)) == {*spinney.__all__, *spinney._LAZY}
    assert set(dir(spinney)) - set(spinney.__all__) == {"OneBitClassifier"}
    with pytest.raises(AttributeError, match="no attribute 'aneal'"):
        spinney.aneal


def test_all_names_are_imported_without_scikit_learn():
    program = "import sys; sys.modules['sklearn'] = None; from spinney import *; print(anneal.__name__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "anneal\n"), done.stderr
