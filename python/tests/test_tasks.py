"""Functions of tasks: made from the tables, with errors that name the argument; results by name."""

import doctest
import importlib
import inspect
import json
import pickle
import pkgutil
import re
import subprocess

import numpy as np
import pytest

import spinney
from conftest import PROGRAM
from spinney import _library, _running, tables, tasks

FUNCTIONS = tasks.FUNCTIONS


def triangle():
    return spinney.MaxCut([(0, 1), (1, 2), (0, 2)])


def test_every_task_has_a_function():
    assert set(FUNCTIONS) == set(tables.TASKS)
    assert all(getattr(spinney, function.__name__) is function for function in FUNCTIONS.values())


@pytest.mark.parametrize("task", FUNCTIONS)
def test_signatures_are_the_programs_settings(task):
    """The keywords are the settings that the program prints, in its order, and their defaults."""
    parameters = inspect.signature(FUNCTIONS[task]).parameters
    shown = subprocess.run([PROGRAM, task, "--help-all"], capture_output=True, text=True).stdout
    options = [line.split()[0][2:].replace("-", "_") for line in shown.splitlines() if line.startswith("  --")]
    files = {"out", "checkpoint", "every", "trace", "trace_every"}
    command = {"resume", "json", "rows", "quiet", "grid", "runs", "plot", "y", "log", "histogram"}
    mine = {"observer", "observe_every", "progress", "history"}
    settings = [name for name in options if name not in files | command]
    assert [name for name in parameters if name not in files | mine] == settings
    assert {name for name in parameters if name in files} == files & set(options)
    assert mine <= set(parameters)


def test_defaults_are_python_values():
    parameters = inspect.signature(spinney.anneal).parameters
    found = {name: parameters[name].default for name in ("replicas", "gamma", "beta", "teacher", "target", "sweeps")}
    assert found == {"replicas": 3, "gamma": "0.5", "beta": "auto", "teacher": False, "target": None, "sweeps": 1000}
    assert parameters["energy"].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert parameters["replicas"].kind is inspect.Parameter.KEYWORD_ONLY
    assert list(inspect.signature(spinney.evaluate).parameters)[:3] == ["model", "data", "labels"]


@pytest.mark.parametrize("task", FUNCTIONS)
def test_help_has_every_row_of_the_table(task):
    text = " ".join(FUNCTIONS[task].__doc__.split())
    for row in tables.TASKS[task].row["settings"] + tables.TASKS[task].row["results"]:
        for part in (row.get("heading"), row.get("help"), (row.get("name") or "").replace("-", "_")):
            names_as_keywords = re.sub("`([^`]*)`", lambda name: name[1].replace("-", "_"), part or "")
            assert " ".join(names_as_keywords.split()) in text


@pytest.mark.parametrize("name", ["spinney"] + [
    f"spinney.{module.name}" for module in pkgutil.iter_modules(spinney.__path__)
    if module.name in ("callback", "chain", "data_energies", "dataset", "energies", "tasks")])
def test_examples_of_docstrings_run(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0


@pytest.mark.parametrize("task", ["anneal", "temper", "population", "entropy", "exact", "train"])
def test_examples_of_functions_run(task):
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    runner.run(parser.get_doctest(FUNCTIONS[task].__doc__, {}, task, None, 0))
    assert runner.failures == 0 and runner.tries > 1


WRONG = [
    (dict(replica=3), spinney.KeywordError, "replicas"),
    (dict(replicas=0), spinney.ArgumentError, "^replicas: .*1 to 255"),
    (dict(replicas="3"), spinney.ArgumentError, "^replicas: a whole number is needed, not the text '3'"),
    (dict(replicas=2.5), spinney.ArgumentError, "^replicas: "),
    (dict(replicas=True), spinney.ArgumentError, "^replicas: "),
    (dict(replicas=[1, 2]), spinney.ArgumentError, "^replicas: "),
    (dict(replicas=float("nan")), spinney.ArgumentError, "^replicas: "),
    (dict(replicas=object()), spinney.ArgumentError, "^replicas: cannot be a object"),
    (dict(gamma=float("inf")), spinney.ArgumentError, "^gamma: "),
    (dict(gamma=(0, 1, 2)), spinney.ArgumentError, "^gamma: "),
    (dict(beta="aut"), spinney.ArgumentError, "^beta: "),
    (dict(schedule="linear\0"), spinney.ArgumentError, "^schedule: a text"),
    (dict(beta_start=-1), spinney.ArgumentError, "^beta_start: "),
    (dict(kernel="two"), spinney.ArgumentError, "^kernel: .*two-stage"),
    (dict(kernel=3), spinney.ArgumentError, "^kernel: "),
    (dict(sweeps=-1), spinney.ArgumentError, "^sweeps: "),
    (dict(seed=2**64), spinney.ArgumentError, "^seed: "),
    (dict(init=[[1, 1]]), spinney.ArgumentError, "^init: .*"),
    (dict(init=[[1, 1, 0]]), spinney.ArgumentError, r"^init: entry \[0, 2\] is 0"),
    (dict(init=[[1, 1, float("nan")]]), spinney.ArgumentError, r"^init: entry \[0, 2\] is nan"),
    (dict(init="no such file"), spinney.FileError, "^init: .*no such file"),
    (dict(init=0.5), spinney.ArgumentError, "^init: "),
    (dict(graph=[[0, 1]]), spinney.ArgumentError, "^graph: a file is needed"),
    (dict(patterns=np.ones((2, 3))), spinney.ArgumentError, "^patterns: a file or a count"),
    (dict(graph=spinney.Ising([1])), spinney.ArgumentError, "^graph: cannot be <spinney.Ising"),
    (dict(observer=3), spinney.ArgumentError, "^observer: a function"),
    (dict(observe_every=0), spinney.ArgumentError, "^observe_every: 0"),
    (dict(observe_every="1"), spinney.ArgumentError, "^observe_every: a whole number"),
    (dict(out=3.5), spinney.ArgumentError, "^out: the path of a file"),
    (dict(out="/no such folder/out.txt"), spinney.FileError, "/no such folder/out.txt"),
    (dict(trace=True), spinney.ArgumentError, "^trace: the path of a file"),
    (dict(time="1 s"), spinney.ArgumentError, "^time: a number"),
    (dict(energy=spinney.Ising([1])), spinney.KeywordError, "^energy: is given twice"),
]


@pytest.mark.sanitize
@pytest.mark.parametrize("keywords, kind, text", WRONG, ids=[f"{k}" for k, _, _ in WRONG])
def test_wrong_arguments_are_errors_that_name_them(keywords, kind, text):
    with pytest.raises(kind, match=text) as caught:
        spinney.anneal(triangle(), **keywords)
    if not isinstance(caught.value, spinney.KeywordError) and text.startswith("^") and "out" not in keywords:
        assert caught.value.argument is None or caught.value.argument in keywords


@pytest.mark.sanitize
@pytest.mark.parametrize("energy", [None, 3, 0.5, [1, 2], np.zeros(3), object(), b"ising", "isin", "", {}])
def test_wrong_energies_are_errors(energy):
    with pytest.raises(spinney.ArgumentError, match="^energy: |energy"):
        spinney.anneal(energy)


@pytest.mark.sanitize
@pytest.mark.parametrize("arguments, text", [
    ((np.zeros((3, 2)), ["a", "b"]), "^labels: there are 2 labels for 3"),
    ((np.zeros((3, 2)), 5), "^labels: "),
    ((np.full((3, 2), np.nan), ["a", "b", "a"]), "^data: "),
    ((np.zeros(3), ["a", "b", "a"]), "^data: a sample in each row"),
    (([["x", "y"]], ["a"]), "^data: labels: all 1 samples are of class"),
    (("digits", ["a", "b"]), "^labels: an array of labels is of use beside an array"),
    ((np.zeros((3, 2)),), "label"),
    ((np.zeros((3, 2)), [1, 1, 1]), "class"),
])
def test_wrong_data_are_errors(arguments, text):
    with pytest.raises((spinney.ArgumentError, spinney.InputError), match=text):
        spinney.train(*arguments, sweeps=1)


def test_too_many_places():
    with pytest.raises(spinney.KeywordError, match="takes 1 arguments by their place, energy"):
        spinney.anneal(triangle(), 3)
    with pytest.raises(TypeError):
        spinney.anneal(triangle(), rplicas=3)


def test_values_become_texts():
    text = {name: setting.text for name, setting in tables.TASKS["anneal"].settings.items()}
    assert text["beta"]((0.1, 2)) == "0.1:2" and text["beta"](1e-30) == "1e-30"
    assert text["beta"](np.float32(0.5)) == "0.5"
    assert text["flip"]([0, 0.1]) == "0,0.1" and text["flip"](np.array([0.5, 0.25])) == "0.5,0.25"
    assert text["teacher"](np.bool_(True)) == "true" and text["steps"](range(1, 4)) == "1,2,3"
    assert text["replicas"](np.array(3)) == "3" and text["seed"](np.uint64(2**64 - 1)) == str(2**64 - 1)
    assert text["gamma"](0.1 + 0.2) == "0.30000000000000004"


def test_results_by_name():
    result = spinney.anneal(triangle(), sweeps=100, replicas=4)
    assert result["best_energy"] == result.best_energy == -2.0 and result["cut"] == 2
    assert result["stop"] == result.stop == "steps" and result.complete
    assert result["replicas.energy"].shape == (4,) and "replicas.energy" in result
    assert result.overlap == result["overlap"]
    pairs = result.overlap_matrix
    assert pairs.shape == (4, 4) and (np.diag(pairs) == 1).all() and (pairs == pairs.T).all()
    assert np.isclose(pairs[np.triu_indices(4, 1)].mean(), result.overlap)
    ends = result.end_spins.astype(int)
    assert np.allclose(ends @ ends.T / 3, pairs)
    assert result.settings["replicas"] == 4 and result.settings["gamma"] == "0.5"
    with pytest.raises(KeyError, match="is best_energy meant"):
        result["best_enrgy"]
    with pytest.raises(AttributeError, match="hits"):
        result.hits
    assert "best_energy" in dir(result) and "best_energy -2" in repr(result)
    assert json.loads(result.to_json(rows=1))["task"] == "anneal"


def test_arrays_of_results_show_its_memory_and_keep_it():
    result = spinney.anneal(triangle(), sweeps=10, replicas=3)
    column, ends = result["replicas.energy"], result.end_energies
    assert not column.flags.owndata and not column.flags.writeable and not ends.flags.owndata
    kept = column.tolist(), ends.tolist()
    del result
    for _ in range(50):  # its memory would be used again
        spinney.anneal(triangle(), sweeps=10, replicas=3, seed=9)
    assert (column.tolist(), ends.tolist()) == kept
    with pytest.raises(ValueError):
        column[0] = 1


def test_results_can_be_pickled():
    result = spinney.anneal(spinney.QUBO({("a", "b"): -1}), reads=5, sweeps=10)
    again = pickle.loads(pickle.dumps(result))
    assert again.to_dict() == result.to_dict() and repr(again) == repr(result)
    assert (again.states == result.states).all() and again.sample == result.sample
    assert again["reads.energy"].tolist() == result["reads.energy"].tolist()
    assert pickle.loads(pickle.dumps(again)).settings == result.settings


def test_tables_of_results():
    pandas = pytest.importorskip("pandas")
    result = spinney.anneal(spinney.QUBO({("a", "b"): -1}), reads=5, sweeps=10)
    frame = result.to_pandas()
    assert list(frame.columns) == ["a", "b", "energy", "count"] and frame["count"].sum() == 5
    assert isinstance(result.to_pandas("reads"), pandas.DataFrame) and len(result.to_pandas("reads")) == 5
    assert len(spinney.exact(triangle()).to_pandas()) == 1
    with pytest.raises(KeyError):
        result.to_pandas("red")


def test_pictures_of_results():
    for result in (spinney.anneal(triangle(), sweeps=50, history=True), spinney.anneal(triangle(), reads=9, sweeps=5),
                   spinney.temper(triangle(), scans=64), spinney.exact(triangle())):
        assert "<svg" in result._repr_html_() and "<table>" in result._repr_html_()
    page = spinney.anneal(spinney.Ising({"<b>": 1}), sweeps=5)._repr_html_()
    assert "<svg" not in page and "<b><b>" not in page


def test_pictures_of_scores():
    """Labelled columns are drawn, those of one quantity together; tables and confusions are not."""
    draw = np.random.default_rng(2)
    y = np.arange(60) % 3
    model = spinney.train(draw.normal(size=(60, 4)) + y[:, None], labels=y, sweeps=5).model
    x = draw.normal(size=(60, 4)) + y[:, None]
    assert "<svg" not in spinney.evaluate(model, x, labels=y)._repr_html_()
    page = spinney.evaluate(model, x, labels=y, flip=[0, 0.1, 0.2], trials=9)._repr_html_()
    assert "share of weights flipped</text>" in page and "accuracy</text>" in page
    scores = spinney.evaluate(model, x, labels=y, certify=True)
    page = scores._repr_html_()
    assert all(f">{words}</text>" in page for words in ("certified", "flipped weights", "accuracy", "random", "worst"))
    assert scores["certified.flips"][:3].tolist() == [1, 2, 5]
    worst = scores["certified.worst"]
    assert (np.diff(worst) <= 0).all() and (worst <= scores["certified.random_high"]).all()
    assert worst[0] <= scores.accuracy


def test_history_is_the_trace(tmp_path):
    """What is kept in memory is what the program writes into a trace at the same steps."""
    file = tmp_path / "trace.csv"
    result = spinney.anneal(triangle(), sweeps=100, history=True, observe_every=32, trace=file, trace_every=32)
    rows = np.genfromtxt(file, delimiter=",", names=True)
    ours, theirs = result.history, {name: rows[name] for name in ("step", "beta", "gamma", "overlap")}
    count = len(ours["step"])
    for name, column in theirs.items():
        assert ours[name].tolist() == column[:count].tolist(), name
    assert count >= 9 and len(rows) - count <= 1


def test_cross_validation():
    draw = np.random.default_rng(4)
    y = np.arange(90) % 3
    x = draw.normal(size=(90, 5)) + y[:, None]
    found = spinney.train(x, labels=y, folds=3, sweeps=10)
    assert list(found["folds.samples"]) == [30, 30, 30]
    assert found.cv_accuracy == pytest.approx(np.mean(found["folds.accuracy"]))
    assert 0.4 < found.cv_accuracy < 1
    scores = spinney.evaluate(found.model, x, labels=y, replica="best")
    assert scores["classes.samples"].tolist() == [30, 30, 30]


def test_files_are_written_and_read(tmp_path, program):
    out = tmp_path / "states.txt"
    result = spinney.anneal(triangle(), sweeps=20, out=out)
    states = [line for line in out.read_text().split("\n") if line and line[0] != "#"]
    assert states[0] == "".join("-+"[int(s > 0)] for s in result.best)
    again = spinney.anneal(triangle(), init=out, steps=1)
    assert again.complete


def test_0_and_1_are_taken_as_states_of_a_qubo():
    q = spinney.QUBO({(0, 0): -1, (1, 1): -1, (0, 1): 2})
    one = spinney.anneal(q, init=[[0, 1]], steps=1, beta=50)
    other = spinney.anneal(q, init=[[-1, 1]], steps=1, beta=50)
    assert one.to_dict()["results"] == other.to_dict()["results"] and q([0, 1]) == q([-1, 1]) == -1


# ---- what a call costs ----


def test_a_call_crosses_to_the_library_five_times(monkeypatch):
    crossed = []

    def counted(name, function):
        def call(*arguments):
            crossed.append(name)
            return function(*arguments)
        return call

    energy = spinney.Ising([0.5, 0], {(0, 1): -1.0})
    spinney.anneal(energy, steps=10)  # what is made once is made
    for name in _library._LAB:
        monkeypatch.setattr(_library.lab, name, counted(name, getattr(_library.lab, name)))
    monkeypatch.setattr(_running, "_run", _library.lab.spn_call_run_watched)
    result = spinney.anneal(energy, gamma=0, steps=20000, beta=(0.1, 3), seed=2)
    assert result.best_energy == -1.5 and result.best.tolist() == [-1, -1]
    assert crossed == ["spn_call_prepare", "spn_call_run_watched", "spn_call_text", "spn_call_number", "spn_call_spins"]


def test_texts_are_kept_only_of_what_cannot_change():
    beta = tables.TASKS["anneal"].settings["beta"]
    ends = (0.1, 3)
    assert beta.part(ends) == beta.part(ends) == "beta\x000.1:3\0"
    assert beta.last[0] is ends
    for value, text in (((0.1, 3.0), "0.1:3"), (-0.0, "-0"), (0.0, "0"), (0.25, "0.25"), ("auto", "auto"), (2, "2")):
        assert beta.part(value) == f"beta\0{text}\0"
    listed = tables.TASKS["entropy"].settings["distance"]
    values = [0.1]
    assert listed.part(values) == "distance\x000.1\0"
    values.append(0.2)
    assert listed.part(values) == "distance\x000.1,0.2\0"
    holder = ([1], 2)
    with pytest.raises(spinney.ArgumentError, match="beta: cannot be a list"):
        beta.part(holder)
    assert beta.last[0] is not holder


def test_results_of_a_task_are_attributes_of_its_class():
    result = spinney.anneal(triangle(), sweeps=10)
    assert type(result).__name__ == "AnnealResult" and isinstance(result, spinney.Result)
    assert isinstance(type(result).best_energy, property) and type(result).best_energy.__doc__
    assert "best_energy" in dir(result) and "hits" not in dir(result)
    with pytest.raises(AttributeError, match="this run of anneal has no hits"):
        result.hits
    again = pickle.loads(pickle.dumps(result))
    assert type(again) is type(result) and again.best_energy == result.best_energy == -2.0
    assert again.best.tolist() == result.best.tolist() and not result.best.flags.writeable
