"""What Python users expect by habit: pickles, names, labels, warnings, and errors in Python's words."""

import pickle
import warnings

import numpy as np
import pytest

import spinney

QUBO = spinney.QUBO({("a", "a"): -1, ("a", "b"): 2.0, ("b", "c"): -1.5})


def table(rows=60, seed=1):
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 3))
    return X, (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize("tree", [False, True])
@pytest.mark.parametrize("teacher", [False, True])
def test_random_committees(tree, teacher, program):
    made = spinney.Committee.random(21, 9, seed=4, units=3, tree=tree, teacher=teacher)
    result = spinney.anneal(made, sweeps=20)
    options = ["--random", "21,9,4", "--units", 3, *(["--tree"] * tree), *(["--teacher"] * teacher)]
    same = program("anneal", "--energy", "committee", *options, "--sweeps", 20)
    assert result.best_energy == same["results"]["best_energy"]
    assert made(result.best) == result.best_energy
    again = pickle.loads(pickle.dumps(made))
    assert np.array_equal(again.patterns, made.patterns) and np.array_equal(again.labels, made.labels)
    assert again.sites == made.sites == len(result.best) == 21 and made.patterns.shape == (9, 21 if tree else 7)
    if teacher:
        assert made(made.teacher) == 0 and np.array_equal(again.teacher, made.teacher)


def test_pickles_keep_the_teacher():
    made = spinney.Perceptron.random(31, 10, seed=3, teacher=True)
    again = pickle.loads(pickle.dumps(made))
    assert np.array_equal(again.teacher, made.teacher) and again(again.teacher) == 0


@pytest.mark.parametrize("kind, keywords", [
    (spinney.Softmax, {"bias": 2, "class_weights": [1.0, 3.0], "scaling": "feature"}),
    (spinney.Network, {"hidden": 3})])
def test_pickles_of_energies_of_data(kind, keywords):
    X, y = table()
    X = (X > 0).astype(np.uint8)
    made = kind(X, np.where(y, "yes", "no"), **keywords)
    state = np.random.default_rng(1).choice([-1, 1], made.sites)
    assert pickle.loads(pickle.dumps(made))(state) == made(state)


def test_pickles_of_data():
    X, y = table()
    made = spinney.Dataset(X, y, classes=[0, 1, 2], weights=np.arange(1, 61), image=(1, 3))
    again = pickle.loads(pickle.dumps(made))
    assert again.checksum == made.checksum and again.classes.tolist() == [0, 1, 2]


@pytest.mark.parametrize("of", [int, float, bool, str, lambda y: np.where(y, "yes", "no")])
def test_predictions_are_labels_as_they_were_given(of, tmp_path):
    X, y = table()
    y = of(y) if of not in (int, float, bool, str) else y.astype(of)
    trained = spinney.train(X, labels=y, seed=1)
    found = trained.model.predict(X)
    assert found.dtype.kind == y.dtype.kind and (found == y).mean() > 0.9
    assert (pickle.loads(pickle.dumps(trained)).model.predict(X) == found).all()
    trained.model.write(tmp_path / "model.spn")
    read = spinney.Model.read(tmp_path / "model.spn").predict(X)
    assert (read.astype(str) == np.array(trained.model.classes)[trained.model._classify(X, "best", False)[0]]).all()
    assert read.dtype.kind == ("U" if of not in (int, float, bool, str) else "i")


@pytest.mark.parametrize("name, begins", [("m.onnx", b"\x08"), ("m.npy", b"\x93NUMPY"), ("m.h", b"/*"), ("m.c", b"/*")])
def test_the_ending_of_a_file_says_its_format(name, begins, tmp_path):
    X, y = table()
    model = spinney.train(X, labels=y, sweeps=1).model
    model.export(tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(begins)
    with pytest.raises(ValueError, match="format: c, npy, text or onnx is needed"):
        model.export(tmp_path / "model")


def test_tables_name_variables():
    pandas = pytest.importorskip("pandas")
    names = ["x", "y"]
    frame = pandas.DataFrame([[-1, 2], [0, -3]], index=names, columns=names)
    assert spinney.anneal(spinney.QUBO(frame), sweeps=50).sample == {"x": 0, "y": 1}
    swapped = frame[["y", "x"]]  # the names count, not the places
    assert spinney.QUBO(swapped)({"x": 1, "y": 1}) == -2 == spinney.QUBO(frame)({"x": 1, "y": 1})
    assert spinney.Ising(pandas.Series({"x": 1.0, "y": -2.0}))({"y": 1, "x": -1}) == -3
    graph = pandas.DataFrame([[0, 3], [3, 0]], index=names, columns=names)
    assert spinney.MaxCut(graph)({"x": 1, "y": -1}) == -3
    with pytest.raises(ValueError, match="Q: the names of a table's rows are those of its columns"):
        spinney.QUBO(frame.rename(columns={"x": "z"}))


@pytest.mark.parametrize("task, keywords", [
    ("anneal", {"sweeps": 40, "gamma": (0.1, 1.0)}), ("anneal", {"reads": 7, "sweeps": 20}),
    ("anneal", {"sweeps": 5, "beta": 3.0, "init": [[1, 0, 1]], "replicas": 1}), ("temper", {"scans": 128}),
    ("population", {"groups": 64}), ("exact", {"replicas": 2, "beta": 1.0, "gamma": 0.5})])
def test_settings_repeat_a_run(task, keywords):
    function = getattr(spinney, task)
    first = function(QUBO, seed=5, **keywords) if task != "exact" else function(QUBO, **keywords)
    again = function(QUBO, **first.settings)
    assert dict(again.numbers) == dict(first.numbers) or task != "exact"
    assert [again.to_dict()[part] for part in ("curves", "states") if part in again.to_dict()] == [
        first.to_dict()[part] for part in ("curves", "states") if part in first.to_dict()]
    assert first.settings["energy"] is None and again.settings["replicas"] == first.settings["replicas"]


def test_settings_repeat_a_training():
    X, y = table()
    first = spinney.train(X, labels=y, sweeps=3, seed=8)
    again = spinney.train(**first.settings)
    assert first.settings["data"] is X and np.array_equal(again.model.weights, first.model.weights)
    assert pickle.loads(pickle.dumps(first)).settings["data"] is None


def test_energies_of_samples():
    result = spinney.anneal(QUBO, reads=4, sweeps=30)
    assert QUBO(result.sample) == result.best_energy == QUBO([result.sample, result.sample])[1]
    samples = spinney.Sampler().sample_qubo({("a", "a"): -1, ("a", "b"): 2.0, ("b", "c"): -1.5}, num_reads=3, seed=1)
    assert QUBO(samples).tolist() == samples.record.energy.tolist()
    with pytest.raises(ValueError, match="states: there is no value of the variable 'c'"):
        QUBO({"a": 1, "b": 1})
    with pytest.raises(ValueError, match="states: 'd' is no variable"):
        QUBO({"a": 1, "b": 1, "c": 0, "d": 1})


def test_log_z_has_one_name():
    exact = spinney.exact(QUBO, replicas=1, beta=1.0, gamma=0)
    assert exact.log_z == pytest.approx(np.log(sum(np.exp(-QUBO(x)) for x in np.ndindex(2, 2, 2))))
    ladder = spinney.temper(QUBO, scans=4096, replicas=1, beta="0:1", gamma=0, seed=1)
    assert abs(ladder.log_z - exact.log_z) < 7 * ladder.log_z_error


def test_health_that_is_not_good_is_a_warning():
    with pytest.warns(spinney.ConvergenceWarning, match="frozen from the start: .*lower beta") as told:
        result = spinney.anneal(spinney.Ising(None, np.triu(np.ones((30, 30)), 1)), sweeps=200, beta=1e9)
    assert result.health == "frozen from the start" and told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert spinney.anneal(QUBO, sweeps=1000).health == "good"


def test_the_warning_is_scikit_learns_too():
    exceptions = pytest.importorskip("sklearn.exceptions")
    X, y = table()
    with pytest.warns(exceptions.ConvergenceWarning) as told:
        spinney.OneBitClassifier(beta=1e9, sweeps=20).fit(X, y)
    assert issubclass(told[0].category, spinney.ConvergenceWarning)


@pytest.mark.parametrize("task, keyword, means", [
    ("anneal", "num_reads", "reads"), ("anneal", "num_sweeps", "sweeps"),
    ("anneal", "beta_range", r"beta=\(start, end\)"),
    ("temper", "sweeps", "scans"), ("temper", "num_sweeps", "scans"), ("anneal", "random_state", "seed"),
    ("train", "test_label", "test_labels"), ("anneal", "gama", "gamma")])
def test_unknown_keywords_name_the_nearest_in_python(task, keyword, means):
    with pytest.raises(TypeError, match=f"'{keyword}' of {task}; did you mean {means}\\?"):
        getattr(spinney, task)(**{keyword: 1})
