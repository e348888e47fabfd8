"""What the documentation shows is what happens: docs/python.md, the tutorials, and every example of the docstrings."""

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
import spinney

REPOSITORY = Path(__file__).parents[2]
PROGRAM = Path(os.environ.get("SPINNEY") or REPOSITORY / "build" / "spinney")
NEEDS = {"classifier": "sklearn"}
GALLERY = [f"docs/gallery/{page.name}" for page in (REPOSITORY / "docs/gallery").glob("*.md") if page.stem != "README"]
PAGES = ["docs/python.md", *(f"docs/tutorials/{page.name}" for page in (REPOSITORY / "docs/tutorials").glob("*.md")),
         "docs/paper/paper.md", *GALLERY]
# Pages that train: the accuracies on them were printed with AVX-512, and differ in the last digits without.
TRAIN = {"docs/tutorials/table.md"}
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


class Page:
    """A page of docs/, worked through from top to bottom in a folder: blocks with a title are written as files,
    sessions of Python and of the shell (`console`, commands after $) print what they show. A line of ... stands for
    any lines."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        self.examples, self.told, self.names = 0, [], {}
        self.exact = name not in TRAIN or "avx512f" in Path("/proc/cpuinfo").read_text()
        self.environment = self._environment()

    def _environment(self):
        """The program is found as if it were installed, and so is the library, with its header files."""
        include = f"-I{REPOSITORY}/include -I{PROGRAM.parent}/include"
        (self.folder / "pkgconfig").mkdir()
        (self.folder / "pkgconfig/spinney.pc").write_text(
            f"Name: spinney\nDescription: of a build\nVersion: 0\nCflags: {include}\n"
            f"Libs: -L{PROGRAM.parent} -Wl,-rpath,{PROGRAM.parent} -lspinney\n")
        (self.folder / "bin").mkdir()
        (self.folder / "bin/python3").symlink_to(sys.executable)
        for folder in ("examples", "data"):  # a page's commands are those of the root of the repository
            (self.folder / folder).symlink_to(REPOSITORY / folder)
        path = f"{self.folder / 'bin'}:{PROGRAM.parent}:{os.environ['PATH']}"
        return {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8",
                "PKG_CONFIG_PATH": str(self.folder / "pkgconfig"), "OMP_NUM_THREADS": "1"}

    def work(self):
        text = (REPOSITORY / self.name).read_text(encoding="utf-8")
        for block in re.finditer(r'^```(\w*)(?: title="([\w.]+)")?\n(.*?)^```$', text, re.MULTILINE | re.DOTALL):
            language, title, lines = block.groups()
            line = text.count("\n", 0, block.start()) + 1
            if title:
                (self.folder / title).write_text(lines, encoding="utf-8")
            elif language == "console":
                self._console(lines, line)
            elif ">>>" in lines:
                self._python(lines, line)

    def _python(self, lines, line):
        parsed = doctest.DocTestParser().get_doctest(lines, self.names, self.name, self.name, line)
        self.examples += len(parsed.examples)
        doctest.DocTestRunner(optionflags=FLAGS).run(parsed, out=self.told.append, clear_globs=False)
        self.names = parsed.globs

    def _console(self, lines, line):
        for command, wanted in re.findall(r"^\$ (.*(?:\\\n.*)*)\n((?:(?!\$ ).*\n)*)", lines, re.MULTILINE):
            self.examples += 1
            done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if not self._same(wanted, done.stdout):
                self.told.append(f"{self.name}, line {line}: {command}\nshown:\n{wanted}\nprinted:\n{done.stdout}\n")

    def _same(self, wanted, got):
        if not self.exact:
            wanted, got = (re.sub(r"\d[\d.e+-]*", "0", text) for text in (wanted, got))
        return doctest.OutputChecker().check_output(wanted, got, FLAGS)


@pytest.mark.parametrize("name", PAGES)
def test_page(name, tmp_path, monkeypatch):
    for module in ("sklearn", "pandas"):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    page = Page(name, tmp_path)
    page.work()
    assert page.examples > (30 if name == "docs/python.md" else 4 if "tutorials" in name else 0)
    assert not page.told, "".join(page.told)


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


def test_importing_loads_no_other_package_than_numpy():
    """So it takes little longer than importing NumPy."""
    program = """import sys; before = set(sys.modules); import spinney
files = {name: getattr(sys.modules[name], "__file__", None) or "" for name in set(sys.modules) - before}
print(*{name.split(".")[0] for name in files if "-packages" in files[name]})"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, set(done.stdout.split()) - {"spinney"}) == (0, {"numpy"}), done.stderr
