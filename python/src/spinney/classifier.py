"""A classifier with one-bit weights as a scikit-learn estimator.

Its parameters are the settings of the task `train`, made from its table, except those that scikit-learn names
differently and those about reading files.
"""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np

from . import errors, tables
from .dataset import Dataset
from .errors import wrong
from .model import Model
from .results import Result
from ._typed import train

try:
    import joblib
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import ConvergenceWarning as _Theirs
    from sklearn.utils import check_random_state, compute_class_weight
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted
except ImportError as error:
    raise ImportError("spinney.OneBitClassifier needs scikit-learn, which cannot be imported "
                      f"({error}): pip install scikit-learn; spinney.train does without") from None

# Settings that are not parameters: what they would say is said by X, y and sample_weight, or by ...
_SAID_OTHERWISE = {
    "data", "labels", "test", "test_labels", "test_fraction",  # X and y; scores of other samples: score
    "format", "header", "separator", "decimal", "label_column", "label_kind", "drop", "categories",  # of files
    "missing",
    "balance",  # class_weight
    "seed",  # random_state
    "threads",  # n_jobs
}
_TASK = tables.TASKS["train"]
SETTINGS = [keyword for keyword, setting in _TASK.settings.items()
            if keyword not in _SAID_OTHERWISE and not setting.row["measure"]]
_OWN = {"class_weight": None, "warm_start": False, "random_state": None, "n_jobs": None, "verbose": 0,
        "replica": "best", "image": None}


class OneBitClassifier(ClassifierMixin, BaseEstimator):
    """A classifier whose every weight is one bit, linear or with hidden units, trained by replicated annealing."""

    def __init__(self, **parameters: Any) -> None:
        for name, default in {**dict.fromkeys(SETTINGS), **_OWN}.items():
            setattr(self, name, parameters.pop(name, default))
        for name in parameters:
            raise TypeError(f"OneBitClassifier has no parameter {name!r}; help(spinney.OneBitClassifier) lists them")

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OneBitClassifier:
        """Train on the rows of X with labels y, weighted by sample_weight (default: all equal)."""
        X, y = _validate(self, X, y)
        check_classification_targets(y)
        classes = np.unique(y)
        X, y, weights = self._weigh(X, y, classes, sample_weight)
        data = Dataset(X, y, classes=classes, weights=weights, image=self.image)
        result = train(data, **self._keywords(classes))
        if not result.complete:
            warnings.warn("the training was stopped before its end; the model is the best so far", RuntimeWarning)
        self.classes_: np.ndarray = classes
        self.result_: Result = result
        self.model_: Model = result.model
        return self

    def _weigh(self, X: Any, y: np.ndarray, classes: np.ndarray, given: Any) -> tuple[Any, np.ndarray, Any]:
        """The samples that count, and their weights; None if all are equal."""
        weights = None
        if given is not None:
            weights = _check_sample_weight(given, X, dtype=np.float64)
            if not (np.isfinite(weights).all() and (weights >= 0).all()):
                raise wrong("sample_weight", "weights are finite numbers that are not negative")
        if isinstance(self.class_weight, dict):
            of_class = compute_class_weight(self.class_weight, classes=classes, y=y)
            of_sample = of_class[np.searchsorted(classes, y)]
            weights = of_sample if weights is None else weights * of_sample
        elif self.class_weight not in (None, "balanced"):
            raise wrong("class_weight", f"{self.class_weight!r} is neither None, 'balanced' nor a dict of weights by "
                        "label")
        if weights is not None and not weights.all():
            counts = np.flatnonzero(weights)
            X, y, weights = X[counts], y[counts], weights[counts]
        if len(np.unique(y)) < 2:
            raise wrong("y", "samples of two classes are needed, and those that count (by their weights) are of one "
                        f"class: {classes.tolist()[:1]}" if len(y) else "no sample has a weight: one class is there")
        return X, y, weights

    def _keywords(self, classes: np.ndarray) -> dict[str, Any]:
        """The settings of a training."""
        keywords = {name: getattr(self, name) for name in SETTINGS}
        keywords["balance"] = self.class_weight == "balanced"
        keywords["seed"] = _seed(self.random_state)
        if self.n_jobs is not None:
            keywords["threads"] = joblib.effective_n_jobs(self.n_jobs)
        if self.verbose:
            keywords["progress"] = True
        if self.warm_start and hasattr(self, "model_"):
            self._start_warm(keywords, classes)
        return {name: value for name, value in keywords.items() if value is not None}

    def _start_warm(self, keywords: dict[str, Any], classes: np.ndarray) -> None:
        """Start from the weights of the last fit, with the same number of weights."""
        if not np.array_equal(classes, self.classes_):
            raise wrong("warm_start", f"the classes are {classes.tolist()}, and those of the last fit were "
                        f"{self.classes_.tolist()}; fit anew with warm_start=False")
        if keywords["init"] is not None:
            raise wrong("init", "a warm start starts at the last weights; give warm_start or init, not both")
        keywords["init"] = self.model_
        for name in ("encode", "bias"):
            if keywords[name] is None:
                keywords[name] = self.result_.settings[name]

    def _classify(self, X: Any, probabilities: bool) -> tuple[np.ndarray, np.ndarray | None]:
        check_is_fitted(self)
        X = _validate(self, X)
        return self.model_._classify(X, self.replica, probabilities)

    def predict(self, X: Any) -> np.ndarray:
        """The label of each sample."""
        numbers = self._classify(X, False)[0]
        return self.classes_[numbers]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class, in the order of ``classes_``, for each sample."""
        shares = self._classify(X, True)[1]
        assert shares is not None
        return shares

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Its logarithm."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


    def decision_function(self, X: Any) -> np.ndarray:
        """For two classes the logit of the second less that of the first; else the logits of all classes, up to a
        constant of each sample."""
        shares = self.predict_proba(X)
        logits = np.log(np.maximum(shares, np.nextafter(0, 1)))
        return logits[:, 1] - logits[:, 0] if len(self.classes_) == 2 else logits

    @property
    def coef_(self) -> np.ndarray:
        """The weights of the features in the logits, as in scikit-learn: for two classes one row, the second's less the
        first's. Linear classifiers without thermometers have them."""
        return self._coefficients(0)

    @property
    def intercept_(self) -> np.ndarray:
        """The constants of the logits, which go with ``coef_``."""
        return self._coefficients(1)

    def _coefficients(self, which: int) -> np.ndarray:
        if not hasattr(self, "model_"):
            raise AttributeError("fit first: coef_ and intercept_ are of a trained classifier")
        found = self.model_.coefficients(self.replica)[which]
        return found[1:] - found[:1] if len(self.classes_) == 2 else found


class ConvergenceWarning(errors.ConvergenceWarning, _Theirs):
    """The health of a run is not good: a warning of spinney, and of scikit-learn once this module is imported."""


def _validate(estimator: Any, X: Any, *y: Any) -> Any:
    """Arrays that scikit-learn accepts: for training if y is given, else with the features of the training."""
    how: dict[str, Any] = {"accept_sparse": "csr", "dtype": "numeric"}
    if y:
        how["y"] = y[0]
    else:
        how["reset"] = False
    try:
        from sklearn.utils.validation import validate_data
    except ImportError:  # scikit-learn before 1.6
        made = estimator._validate_data(X, **how)
    else:
        made = validate_data(estimator, X, **how)
    return made


def _seed(random_state: Any) -> int:
    """The seed of a fit, as in other estimators: a whole number is the seed itself; from None (NumPy's global state)
    or a generator each fit draws a new one."""
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(np.iinfo(np.int32).max))
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool):
        if random_state < 0:
            raise wrong("random_state", f"{random_state} is negative")
        return int(random_state)
    try:
        state = check_random_state(random_state)
    except ValueError:
        raise wrong("random_state", f"None, a whole number or a generator of NumPy's is needed, not "
                    f"{random_state!r}") from None
    return int(state.randint(np.iinfo(np.int32).max))


# ---- signature and help, from the table ----

_OWN_HELP = """
class_weight : None | "balanced" | dict
    weights of classes in the loss, by label; balanced: all classes count the same
warm_start : bool
    start at the weights of the last fit, which must have had the same classes and features. A schedule that starts
    hot, as that of the presets does, forgets them: give a beta that starts cold
random_state : int | RandomState | Generator | None
    a whole number is the setting seed of the program; else a seed is drawn for each fit: None from NumPy's global
    state (``numpy.random.seed``). ``result_.settings["seed"]`` tells it
n_jobs : int
    threads, -1 for one on each core; never changes a result [1]
verbose : bool
    show the progress of a fit
replica : "best" | "centre" | "vote" | int
    the weights that predict: of the replica of lowest loss in training, of the majority of the replicas, of networks
    the sum of the replicas' logits, or of a replica by its number from 1
image : (height, width)
    of samples that are images, for shifts and for the scaling that suits images
"""
_ATTRIBUTES = """
Attributes
----------
classes_ : ndarray
    the labels
coef_, intercept_ : ndarray
    of linear classifiers, the weights of the features and the constants of the logits, in units of the data
model_ : spinney.Model
    what was trained, to be written, exported or looked at
result_ : spinney.Result
    losses, accuracies and all else that the training found
n_features_in_, feature_names_in_
    as of other estimators

Examples
--------
>>> from sklearn.datasets import load_iris
>>> from spinney import OneBitClassifier
>>> X, y = load_iris(return_X_y=True)
>>> bool(OneBitClassifier(random_state=1).fit(X, y).score(X, y) > 0.94)
True
"""


def _describe() -> None:
    """Give the class the signature and help from its table."""
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for name, default in {**dict.fromkeys(SETTINGS), **_OWN}.items():
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default))
    OneBitClassifier.__init__.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    lines = [OneBitClassifier.__doc__ or "", "",
             "Settings that are None have the value of the preset or of the table.", "", "Parameters", "----------"]
    for keyword in SETTINGS:
        lines += tables._setting_help(_TASK.settings[keyword].row)
    OneBitClassifier.__doc__ = "\n".join(lines) + _OWN_HELP + _ATTRIBUTES


_describe()
