"""Models: read, used, exported and pickled, as the program does."""

import copy
import pickle
import subprocess

import numpy as np
import pytest

import spinney
from conftest import PROGRAM

X = np.random.default_rng(0).normal(size=(60, 5)).round(3)
Y = np.array(["no", "yes", "perhaps"])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)]


def run(*options):
    done = subprocess.run([PROGRAM, *map(str, options)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module", params=["linear", "network"])
def model(request):
    more = {"hidden": 6, "replicas": 3} if request.param == "network" else {}
    return spinney.train(X, Y, sweeps=3, **more).model


@pytest.fixture
def samples(tmp_path):
    file = tmp_path / "samples.csv"
    file.write_text("\n".join(",".join(map(repr, x)) for x in X.tolist()) + "\n")
    return file


@pytest.mark.sanitize
def test_what_a_model_holds(model):
    assert model.classes == ["no", "perhaps", "yes"]
    assert (model.features, model.replicas) == (5, 3)
    assert model.weights.dtype == np.int64 and set(np.unique(model.weights)) == {-1, 1}
    assert not model.weights.flags.writeable
    parts = [model.output_weights.reshape(3, -1)]
    if model.hidden:
        assert model.hidden_weights.shape[:2] == (3, 6)
        parts.insert(0, model.hidden_weights.reshape(3, -1))
    else:
        assert model.hidden_weights is None
    assert np.array_equal(np.hstack(parts), model.weights)
    assert np.array_equal(model.weights_int8, model.weights) and model.weights_int8.dtype == np.int8
    assert len(model.train_losses) == 3
    assert model.manifest["settings"]["sweeps"] == "3"
    assert "3 classes of 5 features" in repr(model)


@pytest.mark.sanitize
def test_weights_outlive_the_model():
    weights = spinney.train(X, Y, sweeps=1).model.weights
    copies = [bytearray(weights.nbytes) for _ in range(100)]  # would take the memory of one that was freed
    assert set(np.unique(weights)) == {-1, 1} and len(copies) == 100


@pytest.mark.parametrize("replica", ["best", "centre", 2, "vote"])
def test_predictions_are_the_programs(model, samples, tmp_path, replica):
    if replica == "vote" and not model.hidden:
        with pytest.raises(spinney.ArgumentError, match="^replica: networks vote"):
            model.predict(X, replica)
        return
    model.write(tmp_path / "model.spn")
    lines = run("predict", tmp_path / "model.spn", samples, "--replica", replica, "--probabilities", "--quiet").split()
    rows = [line.split(",") for line in lines[1:]]
    assert lines[0].split(",")[1:] == model.classes
    assert model.predict(X, replica).tolist() == [row[0] for row in rows]
    assert model.predict_proba(X, replica).tolist() == [[float(cell) for cell in row[1:]] for row in rows]


def test_files_are_the_programs(model, tmp_path):
    model.write(tmp_path / "one.spn")
    assert (tmp_path / "one.spn").read_bytes() == model.to_bytes()
    again = spinney.Model.read(tmp_path / "one.spn")
    assert again.to_bytes() == model.to_bytes()
    run("eval", tmp_path / "one.spn", "--help")
    assert "perhaps" in run("show", tmp_path / "one.spn")


def test_a_model_is_evaluated_in_memory(model, tmp_path):
    model.write(tmp_path / "one.spn")
    rows = [",".join(map(repr, x)) + "," + label for x, label in zip(X.tolist(), Y)]
    (tmp_path / "data.csv").write_text("\n".join(rows) + "\n")
    from_files = spinney.evaluate(tmp_path / "one.spn", tmp_path / "data.csv")
    in_memory = spinney.evaluate(model, spinney.Dataset(X, Y))
    assert dict(in_memory.numbers) == dict(from_files.numbers)
    accuracies = in_memory["replicas.accuracy"].tolist()
    assert accuracies == [np.mean(model.predict(X, a + 1) == Y) for a in range(3)]


@pytest.mark.parametrize("format", ["c", "npy", "text", "onnx"])
def test_exports_are_the_programs(model, tmp_path, format):
    model.write(tmp_path / "model.spn")
    run("export", tmp_path / "model.spn", "--format", format, "--out", tmp_path / "program", "--replica", "centre",
        *(["--name", "made"] if format == "c" else []))
    model.export(tmp_path / "python", format, replica="centre", name="made" if format == "c" else None)
    assert (tmp_path / "python").read_bytes() == (tmp_path / "program").read_bytes()


@pytest.mark.sanitize
def test_pickles_and_copies(model):
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert again.to_bytes() == model.to_bytes()
        assert np.array_equal(again.predict(X), model.predict(X))
    result = pickle.loads(pickle.dumps(spinney.train(X, Y, sweeps=1)))
    assert result.model.classes == ["no", "perhaps", "yes"]


def test_only_training_makes_a_model():
    with pytest.raises(AttributeError, match="model"):
        spinney.anneal(spinney.QUBO([[-1, 2], [0, -1]]), sweeps=10).model


@pytest.mark.sanitize
@pytest.mark.parametrize("what, name", [
    (lambda m: m.predict(X[:, :4]), "X"),
    (lambda m: m.predict(X[0]), "X"),
    (lambda m: m.predict([["a"] * 5]), "X"),
    (lambda m: m.predict(np.full((1, 5), np.nan)), "X"),
    (lambda m: m.predict(np.empty((0, 5))), "X"),
    (lambda m: m.predict(X, replica=0), "replica"),
    (lambda m: m.predict(X, replica=4), "replica"),
    (lambda m: m.predict(X, replica="worst"), "replica"),
    (lambda m: m.predict(X, replica=1.5), "replica"),
    (lambda m: m.export("/tmp/none", "pdf"), "format"),
    (lambda m: m.export("/tmp/none", 3), "format"),
    (lambda m: m.export(3), "path"),
    (lambda m: m.write("a\0b"), "path"),
    (lambda m: spinney.Model.from_bytes("text"), "data"),
])
def test_bad_arguments_are_named(model, what, name):
    with pytest.raises(spinney.ArgumentError, match=f"^{name}: ") as raised:
        what(model)
    assert raised.value.argument == name


def test_bad_files(model, tmp_path):
    with pytest.raises(spinney.FileError):
        spinney.Model.read(tmp_path / "none.spn")
    with pytest.raises(spinney.FileError):
        model.write(tmp_path / "no" / "folder.spn")
    data = bytearray(model.to_bytes())
    data[len(data) // 2] ^= 1
    with pytest.raises(spinney.InputError):
        spinney.Model.from_bytes(bytes(data))
