"""The estimator of scikit-learn: what scikit-learn asks of estimators, and bit for bit what the program trains."""

import os
import pickle
import signal
import subprocess
import sys
import warnings

import numpy as np
import pytest

import spinney
from conftest import PROGRAM

sklearn = pytest.importorskip("sklearn")

from sklearn import datasets  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.ensemble import BaggingClassifier  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402

from spinney import OneBitClassifier, tables  # noqa: E402
from spinney.classifier import _OWN, _SAID_OTHERWISE, SETTINGS  # noqa: E402

IRIS = datasets.load_iris(return_X_y=True)


# ---- scikit-learn's own checks ----


@pytest.mark.parametrize("parameters", [
    {"sweeps": 5}, {"hidden": 8}, {"preset": "paper", "steps": 5000},
    {"encode": "thermometer:4", "class_weight": "balanced"},
], ids=["linear", "network", "one bit for each feature", "thermometer"])
def test_check_estimator(parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("error", sklearn.exceptions.SkipTestWarning)  # a check that was skipped
        check_estimator(OneBitClassifier(**parameters))


# ---- logits ----


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("parameters", [{}, {"encode": "none"}, {"scaling": "none"}, {"replica": "centre", "bias": 3}],
                         ids=str)
def test_coefficients_give_the_decisions(classes, parameters):
    X, y = IRIS[0][IRIS[1] < classes], IRIS[1][IRIS[1] < classes]
    made = OneBitClassifier(random_state=1, sweeps=5, **parameters).fit(X, y)
    logits = X @ made.coef_.T + made.intercept_
    found = made.decision_function(X)
    if classes == 2:
        assert made.coef_.shape == (1, 4) and found.shape == (100,)
        np.testing.assert_allclose(found, logits[:, 0], rtol=1e-9, atol=1e-9)
        assert ((found > 0) == made.predict(X)).all()
    else:
        assert made.coef_.shape == (3, 4) and found.shape == (150, 3)
        np.testing.assert_allclose(found - found[:, :1], logits - logits[:, :1], rtol=1e-9, atol=1e-9)
        assert (found.argmax(axis=1) == made.predict(X)).all()


@pytest.mark.parametrize("parameters", [{"hidden": 4}, {"encode": "thermometer:4"}, {"scaling": "binary:2"}], ids=str)
def test_others_have_decisions_and_no_coefficients(parameters):
    made = OneBitClassifier(random_state=1, sweeps=5, **parameters).fit(*IRIS)
    assert not hasattr(made, "coef_") and not hasattr(made, "intercept_")
    assert (made.decision_function(IRIS[0]).argmax(axis=1) == made.predict(IRIS[0])).mean() > 0.9


# ---- parameters ----


def test_parameters_are_the_settings_of_the_table():
    settings = tables.TASKS["train"].settings
    assert _SAID_OTHERWISE <= set(settings)
    measures = {name for name, setting in settings.items() if setting.row["measure"]}
    assert set(SETTINGS) == set(settings) - _SAID_OTHERWISE - measures
    assert set(OneBitClassifier().get_params()) == set(SETTINGS) | set(_OWN)
    for name in SETTINGS:
        assert f"\n{name} : " in OneBitClassifier.__doc__, name


def test_unknown_parameters_are_refused():
    with pytest.raises(TypeError, match="sweep"):
        OneBitClassifier(sweep=3)
    with pytest.raises(ValueError, match="sweep"):
        OneBitClassifier().set_params(sweep=3)


@pytest.mark.parametrize("parameters, name", [
    ({"sweeps": -1}, "sweeps"), ({"sweeps": "many"}, "sweeps"), ({"preset": "papers"}, "preset"),
    ({"hidden": 0}, "hidden"), ({"beta": (1, "x")}, "beta"), ({"class_weight": "even"}, "class_weight"),
    ({"random_state": -1}, "random_state"), ({"image": (3, 2)}, "X"), ({"penalty": np.nan}, "penalty"),
    ({"class_weight": {"setosa": 2}}, None),
])
def test_bad_parameters_are_named(parameters, name):
    with pytest.raises(ValueError, match=f"^{name}: " if name else "class"):
        OneBitClassifier(**parameters).fit(*IRIS)


@pytest.mark.parametrize("weights", [[1.0], np.full(150, np.nan), -np.ones(150), np.zeros(150), ["a"] * 150])
def test_bad_sample_weights_are_refused(weights):
    with pytest.raises(ValueError):
        OneBitClassifier(random_state=1, sweeps=1).fit(*IRIS, sample_weight=weights)


# ---- what the program trains ----


def write_table(path, X, y):
    rows = [",".join(map(repr, x)) + f",{label}" for x, label in zip(X.tolist(), y.tolist())]
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize("load", [datasets.load_iris, datasets.load_breast_cancer, datasets.load_digits])
@pytest.mark.parametrize("parameters", [{}, {"hidden": 8}], ids=["linear", "network"])
def test_the_model_is_the_programs(tmp_path, load, parameters):
    X, y = load(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, random_state=0, stratify=y)
    options = {"sweeps": 4, "seed": 3, **parameters}
    table, held = write_table(tmp_path / "train.csv", X, y), write_table(tmp_path / "test.csv", X_test, y_test)
    made = tmp_path / "model.spn"
    command = [PROGRAM, "train", "--data", table, "--test", held, "--out", made, "--json", "--quiet"]
    command += [part for name, value in options.items() for part in (f"--{name}", str(value))]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    model = spinney.Model.read(made)
    classifier = OneBitClassifier(sweeps=4, random_state=3, **parameters).fit(X, y)
    assert np.array_equal(classifier.model_.weights, model.weights)
    assert classifier.model_.train_losses.tolist() == model.train_losses.tolist()
    assert classifier.predict(X_test).tolist() == model.predict(X_test).tolist()
    accuracy = spinney.evaluate(model, held)["best_accuracy"]
    assert classifier.score(X_test, y_test) == accuracy


@pytest.mark.parametrize("load, least", [
    (datasets.load_iris, 0.94), (datasets.load_breast_cancer, 0.96), (datasets.load_digits, 0.95)])
def test_accuracy_of_the_defaults(load, least):
    """The seed of the split is fixed, so this is no matter of chance; logistic regression has 0.97, 0.99 and 0.97."""
    X, y = load(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, random_state=0, stratify=y)
    assert OneBitClassifier(random_state=1).fit(X, y).score(X_test, y_test) >= least


def test_random_state():
    X, y = IRIS

    def weights(seed):
        return OneBitClassifier(sweeps=1, random_state=seed).fit(X, y).model_.weights

    assert np.array_equal(weights(5), weights(5)) and not np.array_equal(weights(5), weights(6))
    assert np.array_equal(weights(np.random.RandomState(5)), weights(np.random.RandomState(5)))
    generator = np.random.RandomState(5)
    assert not np.array_equal(weights(generator), weights(generator))
    assert np.array_equal(weights(np.random.default_rng(5)), weights(np.random.default_rng(5)))


def test_without_a_random_state_numpys_global_one_is_used():
    X, y = IRIS
    before = np.random.get_state()
    try:
        seeds = []
        for _ in range(2):
            np.random.seed(7)
            seeds += [OneBitClassifier(sweeps=1).fit(X, y).result_.settings["seed"] for _ in range(2)]
        np.random.seed(7)
        assert seeds == 2 * [np.random.randint(2**31 - 1) for _ in range(2)]
        assert seeds[0] != seeds[1]
        np.random.seed(7)
        OneBitClassifier(sweeps=1, random_state=4).fit(X, y)
        assert np.random.randint(2**31 - 1) == seeds[0]  # untouched
    finally:
        np.random.set_state(before)
    assert OneBitClassifier(sweeps=1, random_state=4).fit(X, y).result_.settings["seed"] == 4
    for wrong in ("x", 1.5):
        with pytest.raises(spinney.ArgumentError, match="random_state: None, a whole number or a generator"):
            OneBitClassifier(sweeps=1, random_state=wrong).fit(X, y)


def test_jobs_change_nothing():
    X, y = IRIS
    one, all_cores = (OneBitClassifier(random_state=1, sweeps=1, n_jobs=jobs).fit(X, y).model_.weights
                      for jobs in (None, -1))
    assert np.array_equal(one, all_cores)


# ---- weights ----


def binary_table():
    draws = np.random.default_rng(2)
    X = draws.normal(size=(80, 3)) + 0.25
    return X, (X[:, 0] + draws.normal(size=80) > 0).astype(int)


@pytest.mark.parametrize("parameters", [{}, {"hidden": 4}], ids=["linear", "network"])
def test_weights_of_samples_are_copies_of_them(parameters):
    """The loss that the training gave is that on samples which come as often as they weigh."""
    X, y = binary_table()
    weights = np.random.default_rng(3).integers(1, 4, size=len(y))
    weighted = OneBitClassifier(random_state=1, sweeps=5, **parameters).fit(X, y, sample_weight=weights)
    repeated = spinney.Dataset(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    loss = spinney.evaluate(weighted.model_, repeated)["best_loss"]
    assert loss == pytest.approx(weighted.model_.train_losses.min(), abs=1e-9)


def test_weights_move_the_boundary():
    X, y = binary_table()
    means = []
    for heavy in (0, 1):
        weights = np.where(y == heavy, 20.0, 1.0)
        by_sample = OneBitClassifier(random_state=1).fit(X, y, sample_weight=weights)
        by_class = OneBitClassifier(random_state=1, class_weight={heavy: 20.0}).fit(X, y)
        assert np.array_equal(by_sample.model_.weights, by_class.model_.weights)
        means.append(by_sample.predict(X).mean())
    assert means[0] < y.mean() < means[1]


def test_balanced_classes_are_the_programs_balance():
    X, y = IRIS
    X, y = X[30:], y[30:]
    balanced = OneBitClassifier(random_state=1, sweeps=1, class_weight="balanced").fit(X, y)
    assert np.array_equal(balanced.model_.weights, spinney.train(X, y, sweeps=1, balance=True).model.weights)
    plain = OneBitClassifier(random_state=1, sweeps=1).fit(X, y)
    assert not np.array_equal(balanced.model_.weights, plain.model_.weights)


def test_samples_without_weight_do_not_count():
    X, y = binary_table()
    weights = np.ones(len(y))
    weights[::4] = 0
    kept = weights > 0
    assert np.array_equal(OneBitClassifier(random_state=1, sweeps=1).fit(X, y, sample_weight=weights).model_.weights,
                          OneBitClassifier(random_state=1, sweeps=1).fit(X[kept], y[kept]).model_.weights)


# ---- warm starts ----


def test_a_warm_start_goes_on_from_the_last_weights():
    X, y = binary_table()
    model = OneBitClassifier(sweeps=2, warm_start=True, random_state=1).fit(X, y)
    first, losses = model.model_.weights.copy(), model.model_.train_losses.copy()
    cold = {"beta": 1e30, "sweeps": 1}
    weights = model.set_params(**cold).fit(X, y).model_.weights
    distance = np.mean(weights != first)
    assert 0 <= distance < 0.2, "a cold sweep from the last weights stays near them"
    assert (model.model_.train_losses <= losses + 1e-12).all()
    afresh = OneBitClassifier(random_state=1, encode=model.result_.settings["encode"], **cold).fit(X, y)
    assert np.mean(afresh.model_.weights != first) > max(distance, 0.1), "and from elsewhere it does not come there"


def test_a_warm_start_on_other_samples():
    X, y = IRIS
    model = OneBitClassifier(random_state=1, sweeps=1, warm_start=True).fit(X[::2], y[::2])
    shape = model.model_.weights.shape
    assert model.fit(X[20:], y[20:]).model_.weights.shape == shape
    with pytest.raises(ValueError, match="^warm_start: the classes"):
        model.fit(X[:100], y[:100])
    with pytest.raises(ValueError, match="^init: "):
        model.set_params(init="independent").fit(X, y)


# ---- beside the rest of scikit-learn ----


def test_pipelines_and_searches():
    X, y = IRIS
    pipeline = make_pipeline(StandardScaler(), OneBitClassifier(random_state=1, sweeps=2))
    grid = {"onebitclassifier__replicas": [1, 3], "onebitclassifier__hidden": [None, 4]}
    search = GridSearchCV(pipeline, grid, cv=2)
    search.fit(X, y)
    assert set(search.best_params_) == set(grid)
    assert search.best_score_ > 0.9 and search.predict(X).shape == (150,)
    assert cross_val_score(OneBitClassifier(random_state=1, sweeps=2), X, y, cv=2).min() > 0.8
    bag = BaggingClassifier(OneBitClassifier(sweeps=1), n_estimators=3, random_state=0).fit(X, y)
    assert bag.score(X, y) > 0.8
    weights = [estimator.model_.weights for estimator in bag.estimators_]
    assert not np.array_equal(weights[0], weights[1])


def test_processes():
    scores = cross_val_score(OneBitClassifier(random_state=1, sweeps=1), *IRIS, cv=2, n_jobs=2)
    assert scores.tolist() == cross_val_score(OneBitClassifier(random_state=1, sweeps=1), *IRIS, cv=2).tolist()


@pytest.mark.sanitize
def test_pickles():
    X, y = IRIS
    model = OneBitClassifier(random_state=1, sweeps=1, hidden=4).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.result_["train_loss"] == model.result_["train_loss"]
    assert not hasattr(clone(model), "model_")
    with pytest.raises(sklearn.exceptions.NotFittedError):
        clone(model).predict(X)


@pytest.mark.sanitize
def test_sparse_input_is_dense_input():
    sparse = pytest.importorskip("scipy.sparse")
    X, y = datasets.load_digits(n_class=3, return_X_y=True)
    dense = OneBitClassifier(random_state=1, sweeps=1).fit(X, y)
    for kind in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix):
        other = OneBitClassifier(random_state=1, sweeps=1).fit(kind(X), y)
        assert np.array_equal(other.model_.weights, dense.model_.weights)
        assert np.array_equal(other.predict_proba(kind(X)), dense.predict_proba(X))


def test_sparse_input_goes_by_blocks(monkeypatch):
    """Of predictions; a training takes a dense array, once."""
    sparse = pytest.importorskip("scipy.sparse")
    X, y = datasets.load_digits(n_class=3, return_X_y=True)
    fitted = OneBitClassifier(random_state=1, sweeps=1).fit(X, y)
    made = []
    dense = spinney._arrays.dense
    monkeypatch.setattr(spinney._arrays, "dense", lambda *a: made.append(a[1].shape[0]) or dense(*a))
    monkeypatch.setattr(spinney.model, "BLOCK", 64 * 8 * 100)
    for replica in ("best", "centre"):
        fitted.set_params(replica=replica)
        made.clear()
        assert np.array_equal(fitted.predict_proba(sparse.csc_matrix(X)), fitted.predict_proba(X))
        assert made == [100] * 5 + [37]
        assert np.array_equal(fitted.predict(sparse.csr_matrix(X[:1])), fitted.predict(X[:1]))


def test_sparse_input_that_is_too_large_is_refused():
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.csr_matrix((np.ones(2), ([0, 10**6 - 1], [0, 10**7 - 1])), shape=(10**6, 10**7))
    y = np.arange(10**6) % 2
    with pytest.raises(spinney.OutOfMemory, match="X: 1000000 x 10000000 .* dense array take 74505.8 GiB") as caught:
        OneBitClassifier(random_state=1, sweeps=1).fit(X, y)
    assert caught.value.argument == "X"
    with pytest.raises(spinney.OutOfMemory, match="1 byte"):
        spinney.Dataset(X.astype(np.uint8), y)


def test_tables_of_pandas():
    pandas = pytest.importorskip("pandas")
    X, y = IRIS
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    model = OneBitClassifier(random_state=1, sweeps=1).fit(frame, pandas.Series(y).map({0: "x", 1: "y", 2: "z"}))
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert model.classes_.tolist() == model.model_.classes == ["x", "y", "z"]
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["b", "a", "c", "d"]])


@pytest.mark.parametrize("labels", [[False, True], [-1, 1], [1.0, 2.0], ["b", "a"], [10, 9]])
def test_labels_of_any_kind(labels):
    X, y = binary_table()
    named = np.array(labels)[y]
    model = OneBitClassifier(random_state=1, sweeps=1).fit(X, named)
    assert model.classes_.tolist() == sorted(labels) and model.classes_.dtype == named.dtype
    assert set(model.predict(X).tolist()) <= set(labels)


def test_images_can_be_shifted():
    X, y = datasets.load_digits(n_class=2, return_X_y=True)
    model = OneBitClassifier(random_state=1, sweeps=1, hidden=4, image=(8, 8), shifts=4).fit(X, y)
    assert "█" in model.model_.picture() or "▀" in model.model_.picture()
    with pytest.raises(ValueError, match="^shifts: "):
        OneBitClassifier(hidden=4, shifts=4).fit(X, y)


def test_the_weights_that_predict_can_be_chosen():
    X, y = IRIS
    model = OneBitClassifier(random_state=1, sweeps=2, hidden=4, replicas=3).fit(X, y)
    for replica in ("best", "centre", "vote", 1, 3):
        model.set_params(replica=replica)
        assert np.array_equal(model.predict_proba(X), model.model_.predict_proba(X, replica))
    with pytest.raises(ValueError, match="^replica: "):
        model.set_params(replica=4).predict(X)


def test_without_scikit_learn(tmp_path):
    """A clear error where scikit-learn is not there, and only where it is needed."""
    (tmp_path / "sklearn").mkdir()
    (tmp_path / "sklearn" / "__init__.py").write_text("raise ImportError('hidden')\n")
    code = "import spinney; spinney.train('digits', subset=50, sweeps=1).model; spinney.OneBitClassifier"
    path = os.pathsep.join([str(tmp_path), os.path.dirname(os.path.dirname(spinney.__file__))])
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, capture_output=True,
                          text=True)
    assert done.returncode == 1
    assert "ImportError: spinney.OneBitClassifier needs scikit-learn" in done.stderr


def test_an_interrupt_ends_a_cross_validation():
    """Ctrl-C in a fit comes out of what called it, so no truncated fold is scored; the exception has the model so far.
    """
    code = """
import spinney
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_score
X, y = load_digits(return_X_y=True)
told = iter(range(10**9))
class Loud(spinney.OneBitClassifier):
    def _keywords(self, classes):
        tell = lambda moment: next(told) == 1 and print("running", flush=True)
        return {**super()._keywords(classes), "observer": tell}
try:
    print(cross_val_score(Loud(sweeps=1000000), X, y))
except KeyboardInterrupt as interrupt:
    model = interrupt.result.model
    print(model.predict_proba(X).shape, len(model.train_losses), interrupt.result.complete)
"""
    run = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert run.stdout.readline() == "running\n"
    run.send_signal(signal.SIGINT)
    assert run.communicate(timeout=1200)[0] == "(1797, 10) 3 False\n"


@pytest.mark.parametrize("parameters", [{}, {"hidden": 4}], ids=["linear", "network"])
def test_weights_of_any_size(parameters):
    """Equal weights scale the loss beside the penalty and the temperature, and nothing else."""
    X, y = IRIS
    with pytest.raises(ValueError, match="infinity|infinite"):
        OneBitClassifier(**parameters).fit(X, y, sample_weight=np.full(150, 1e307))
    for size in (1e-300, 1e300):
        model = OneBitClassifier(random_state=1, sweeps=1, **parameters).fit(X, y, sample_weight=np.full(150, size))
        losses = model.model_.train_losses
        assert np.isfinite(losses).all() and losses.min() == pytest.approx(
            spinney.evaluate(model.model_, spinney.Dataset(X, y))["best_loss"], rel=1e-9)
