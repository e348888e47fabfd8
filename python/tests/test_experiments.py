"""Sweeps, records, figures and reports: what the program does, from Python."""

import json
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
import spinney
from conftest import PROGRAM

SPECIFICATION = {
    "name": "small", "title": "A small one", "task": "anneal", "runs": 3, "seed": 7,
    "settings": {"energy": "bits", "random": "41,25", "steps": 300, "beta": 0.8},
    "grid": [{"setting": "gamma", "values": [0, 0.1]}, {"setting": "replicas", "values": np.array([2, 3])}],
    "figures": [{"name": "least", "x": "gamma", "by": "replicas", "value": "best_energy"},
                {"name": "spread", "value": "energy", "as": ["histogram"]},
                {"name": "late", "x": "gamma", "value": "energy", "where": ["run>9"]}]}

YAML = """name: small
title: A small one
task: anneal
runs: 3
seed: 7
settings: {energy: bits, random: '41,25', steps: 300, beta: 0.8}
grid:
  - {setting: gamma, values: [0, 0.1]}
  - {setting: replicas, values: [2, 3]}
"""


def without_times(runs):
    return [{k: v for k, v in run.items() if k not in ("seconds", "first_hit_seconds", "finished")} for run in runs]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    specification = {**SPECIFICATION, "figures": SPECIFICATION["figures"][:2]}
    return spinney.sweep(specification, tmp_path_factory.mktemp("sweeps") / "small")


def test_same_as_the_program(folder, tmp_path):
    (tmp_path / "small.yaml").write_text(YAML)
    subprocess.run([PROGRAM, "sweep", str(tmp_path / "small.yaml"), "--out", str(tmp_path / "program"), "--quiet"],
                   check=True, capture_output=True)
    printed = json.loads(subprocess.run([PROGRAM, "records", str(tmp_path / "program"), "--list", "--json"], check=True,
                                        capture_output=True).stdout)
    assert len(folder.runs()) == 12
    assert without_times(folder.runs()) == without_times(printed["records"])
    again = spinney.sweep(tmp_path / "small.yaml", tmp_path / "ours", threads=1)
    assert without_times(again.runs()) == without_times(printed["records"])


@pytest.mark.sanitize
def test_state(folder):
    assert folder.complete and folder.state["finished"] == 12 and folder.state["name"] == "small"
    assert folder.state["defaults"]["kernel"] == "two-stage"
    assert "12 of 12 runs" in repr(folder)


def test_goes_on(tmp_path):
    first = spinney.sweep(SPECIFICATION, tmp_path / "a", runs=1, threads=1, gamma=[0.0])
    assert len(first.runs()) == 2
    more = spinney.sweep(SPECIFICATION, tmp_path / "a")
    assert len(more.runs()) == 12 and without_times(first.runs("run=1"))[0] in without_times(more.runs())


def test_default_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = spinney.sweep(SPECIFICATION, runs=1)
    assert str(made.path) == "records/small" and (tmp_path / "records/small/manifest.jsonl").exists()


def test_files_beside(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "graph.txt").write_text("2 1\n1 2 -1\n")
    graph = {"name": "g", "task": "anneal", "settings": {"energy": "ising", "graph": "graph.txt", "sweeps": 10}}
    made = spinney.sweep(graph, tmp_path / "a", beside=tmp_path / "in")
    assert made.runs()[0]["results"]["best_energy"] == -1
    with pytest.raises(OSError, match="graph.txt"):
        spinney.sweep(graph, tmp_path / "b")
    (tmp_path / "x.yaml").write_text(YAML)
    with pytest.raises(ValueError, match="beside"):
        spinney.sweep(tmp_path / "x.yaml", beside=tmp_path)


def test_progress_and_stop(tmp_path):
    told = []

    def stop(state):
        told.append(state)
        return True

    made = spinney.sweep({**SPECIFICATION, "settings": {**SPECIFICATION["settings"], "steps": 10**9}}, tmp_path / "a",
                         progress=stop, threads=1)
    assert told[0]["runs"] == 12 and 0 <= told[0]["done"] <= 1
    assert not made.complete and made.runs() == []


@pytest.mark.parametrize("package", ["tqdm.auto", "none"])
def test_progress_ends_at_100(tmp_path, capsys, monkeypatch, package):
    if package == "none":
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    spinney.sweep(SPECIFICATION, tmp_path / "a", progress=True, threads=1)
    assert "100%" in capsys.readouterr().err


@pytest.mark.sanitize
def test_exceptions_come_out(tmp_path):
    def broken(state):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        spinney.sweep(SPECIFICATION, tmp_path / "a", steps=10**9, progress=broken)


def test_interrupt(tmp_path):
    """Ctrl-C in the midst: what is finished stays, and the same call goes on."""
    script = (
        "import os, signal, sys, spinney\n"
        "def late(state):\n"
        "    if state['finished'] >= 1: os.kill(os.getpid(), signal.SIGINT)\n"
        "spec = {'name': 's', 'task': 'anneal', 'runs': 200, 'settings': {'energy': 'bits', 'random': '401,200',"
        " 'steps': 1000000}}\n"
        "try:\n"
        "    spinney.sweep(spec, sys.argv[1], threads=1, progress=late)\n"
        "except KeyboardInterrupt as interrupt:\n"
        "    made = interrupt.result\n"
        "    print(made.complete, 1 <= len(made.runs()) < 200, interrupt)\n")
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "a")], capture_output=True, text=True,
                          timeout=1200)
    assert done.stdout.startswith("False True "), done.stderr
    assert done.stdout.endswith(" of 200 runs are finished; the same call continues\n")


def test_in_two_threads(folder, tmp_path):
    made = {}

    def work(name):
        made[name] = spinney.sweep(SPECIFICATION, tmp_path / name)

    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert without_times(made["a"].runs()) == without_times(made["b"].runs()) == without_times(folder.runs())


def test_records(folder):
    pandas = pytest.importorskip("pandas")
    table = spinney.records(folder.path)
    runs = folder.runs()
    assert len(table) == 12 and isinstance(table, pandas.DataFrame)
    assert table["setting_energy"].tolist() == ["bits"] * 12 and table["gamma"].dtype == float
    assert table["energy"].tolist() == [run["results"]["energy"] for run in runs]
    assert table["seed"].tolist() == [run["seed"] for run in runs]
    assert table["key"].tolist() == [run["key"] for run in runs]
    some = spinney.records(folder, where=["gamma=0.1", "run<3"], columns=["run", "gamma", "best_energy"])
    assert list(some.columns) == ["run", "gamma", "best_energy"] and len(some) == 4
    with pytest.warns(UserWarning, match="no run has gamma=3; gamma is 0, 0.1"):
        assert len(spinney.records(folder, where="gamma=3")) == 0
    summary = folder.summary(by="gamma")
    assert summary.index.name == "gamma" and summary.index.tolist() == [0, 0.1]
    mean = table[table.gamma == 0.1]["best_energy"].mean()
    assert np.isclose(summary[("best_energy", "mean")][0.1], mean, rtol=1e-12)
    assert folder.summary(by=["gamma", "replicas"], columns="energy").shape == (4, 9)


def test_curves(tmp_path):
    pytest.importorskip("pandas")
    made = spinney.sweep({"name": "curves", "task": "anneal", "runs": 2, "settings": {
        "energy": "bits", "random": "41,20", "steps": 100, "flip": [0, 0.1], "trials": 6}}, tmp_path / "a")
    table = made.records(curve="flips")
    assert len(table) == 4 and table["flips.p"].tolist() == [0, 0.1] * 2
    with pytest.raises(ValueError, match="there is no curve 'flip'; there is flips"):
        made.records(curve="flip")


@pytest.mark.sanitize
def test_figures(folder):
    shown = spinney.figures(folder.path)
    assert list(shown) == ["least", "spread"]
    figure = shown["least"]
    assert [curve.value for curve in figure] == ["2", "3"] and figure.kinds == ["lines"] and figure.missing is None
    curve = figure.curves[1]
    runs = [run["results"]["best_energy"] for run in folder.runs(["gamma=0.1", "replicas=3"])]
    assert curve.x.tolist() == [0, 0.1] and curve.x_text == ["0", "0.1"] and curve.runs.tolist() == [3, 3]
    assert np.isclose(curve.mean[1], np.mean(runs), rtol=1e-12)
    assert np.isclose(curve.deviation[1], np.std(runs, ddof=1), rtol=1e-12)
    assert curve.low[1] <= curve.mean[1] <= curve.high[1] and np.isnan(curve.reference).all()
    values = sorted(run["results"]["energy"] for run in folder.runs())
    assert sorted(shown["spread"].curves[0].values) == values
    for each in shown.values():
        assert each._repr_html_().startswith("<svg") and each.title in repr(each)
    assert len(folder.figures(where="gamma>0")["least"].curves[0]) == 1
    none = folder.figures(where="gamma>9")["least"]
    assert none.missing and none.missing in repr(none) and "<p>" in none._repr_html_()


def test_pickles(folder):
    again = pickle.loads(pickle.dumps(folder))
    assert again.path == folder.path and again.complete
    figure = pickle.loads(pickle.dumps(folder.figures()["least"]))
    assert figure.curves[0].mean.tolist() == folder.figures()["least"].curves[0].mean.tolist()


def test_figure_as_a_table(folder):
    pytest.importorskip("pandas")
    table = folder.figures()["least"].to_pandas()
    assert len(table) == 4 and set(table["curve"]) == {"replicas = 2", "replicas = 3"}


@pytest.mark.skipif(subprocess.run(["which", "gnuplot"], capture_output=True).returncode != 0, reason="no gnuplot")
def test_pictures(folder, tmp_path):
    svg = folder.figures()["least"].svg()
    assert svg.startswith("<?xml") and "replicas = 3" in svg
    assert "<svg" in folder.figures()["spread"].svg("histogram")
    with pytest.raises(ValueError, match="drawn as histogram, not lines"):
        folder.figures()["spread"].svg("lines")
    files = spinney.report(folder, tmp_path / "page.html", tmp_path / "figures")
    assert {"page.html", "least.svg", "least.pdf", "least.csv", "spread-histogram.png"} <= {f.name for f in files}
    assert all(file.exists() for file in files)


def test_survival(tmp_path):
    made = spinney.sweep({
        "name": "times", "task": "anneal", "runs": 5, "settings": {
            "energy": "bits", "random": "41,10", "sweeps": 50, "target": 0},
        "figures": [{"name": "times", "value": "first_hit_steps", "as": ["survival"]}]}, tmp_path / "a")
    curve = made.figures()["times"].curves[0]
    assert len(curve.costs) == len(curve.hits) == 5 and curve.hits.all() and (curve.costs > 0).all()
    assert "<svg" in made.figures()["times"]._repr_html_()


@pytest.mark.sanitize
def test_report_without_pictures(folder, tmp_path):
    files = folder.report(tmp_path / "page.html", tmp_path / "figures", pictures=False)
    assert not [file for file in files if file.suffix == ".svg"] and (tmp_path / "page.html") in files
    assert not os.listdir(folder.path).count("report.html")


def test_without_pandas(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="needs pandas.*Folder.runs"):
        folder.records()


@pytest.mark.sanitize
@pytest.mark.parametrize("specification, kind, text", [
    ({}, ValueError, "specification"),
    ({**SPECIFICATION, "task": "aneal"}, ValueError, "did you mean anneal"),
    ({**SPECIFICATION, "seeds": 3}, ValueError, "seeds"),
    ({**SPECIFICATION, "settings": {"gama": 1}}, ValueError, "did you mean gamma"),
    ({**SPECIFICATION, "seed": float("nan")}, ValueError, "specification"),
    ({**SPECIFICATION, "seed": object()}, ValueError, "has no place in a specification"),
    ({**SPECIFICATION, "name": "a\0b"}, ValueError, "specification"),
    ({**SPECIFICATION, "title": "\ud800"}, ValueError, "specification"),
    (SPECIFICATION["figures"][2], ValueError, "specification"),
    ("no-such.yaml", OSError, "no-such.yaml"), (3, ValueError, "specification"), ("", ValueError, "specification"),
    ("a\0b", ValueError, "specification")])
def test_bad_specifications(specification, kind, text, tmp_path):
    with pytest.raises(kind, match=text):
        spinney.sweep(specification, tmp_path / "a")
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("more, text", [
    ({"threads": 0}, "threads"), ({"threads": "x"}, "threads"), ({"gama": 1}, "did you mean gamma"),
    ({"runs": 0}, "runs"), ({"beside": 3}, "beside"), ({"gamma": [[1]]}, "gamma"), ({"replicas": "x"}, "replicas")])
def test_bad_keywords(more, text, tmp_path):
    with pytest.raises(ValueError, match=text):
        spinney.sweep(SPECIFICATION, tmp_path / "a", **more)


def test_bad_folders_and_conditions(folder, tmp_path):
    with pytest.raises(OSError, match="no such folder"):
        spinney.records(tmp_path / "none")
    for where in ("gama<3", "gamma", 3, [3], {"gamma": 3}, "a\0b=1"):
        with pytest.raises(ValueError, match="where"):
            folder.runs(where)
    for columns in ("best_enrgy", 3, [3]):
        with pytest.raises(ValueError, match="columns"):
            folder.summary(columns=columns)
    (tmp_path / "x.yaml").write_text("join: [nowhere]\n")
    with pytest.raises(ValueError):
        spinney.figures(tmp_path / "x.yaml")


def test_joint_report(folder, tmp_path):
    (tmp_path / "both.yaml").write_text(
        f"name: both\njoin:\n  - folder: {folder.path}\n    name: one\nfigures:\n"
        "  - {name: least, x: gamma, by: case, value: best_energy}\n")
    figure = spinney.figures(tmp_path / "both.yaml")["least"]
    assert [curve.value for curve in figure] == ["one"] and figure.curves[0].runs.tolist() == [6, 6]
