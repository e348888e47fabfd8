"""Labelled data in memory, in the library's form."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from . import _arrays, _library
from ._handles import Handle, blame
from ._library import spinney
from .errors import wrong


class DatasetHandle(Handle):
    _free = spinney.spn_dataset_free
    _object = _library.DATASET


class Dataset:
    """Samples, the rows of X, with labels y of any kind.

    X: numbers; contiguous arrays of doubles or bytes are not copied (do not change them while the Dataset exists),
    others are converted, sparse ones made dense (8 bytes per number, 1 if they are uint8).
    y: a label for each sample, numbers or texts; None for no labels.
    classes: all labels, if y may lack some of them, in the order of class numbers. None for those of y, sorted.
    weights: how much each sample counts in a loss, positive numbers; None if all are equal.
    image: (height, width) of samples that are images.

    >>> import spinney
    >>> data = spinney.Dataset([[0.5, 1], [2, 3], [1, 1]], ["a", "b", "a"])
    >>> data.samples, data.features, list(data.classes)
    (3, 2, ['a', 'b'])
    """

    def __init__(self, X: Any, y: Any = None, *, classes: Any = None, weights: Any = None,
                 image: tuple[int, int] | None = None, names: tuple[str, str] = ("X", "y")) -> None:
        features = _features(names[0], X)
        self.samples, self.features = features.shape
        options = _library.DatasetArrays(samples=self.samples, features=self.features, borrow=True)
        field = "bytes" if features.dtype == np.uint8 else "values"
        setattr(options, field, features.ctypes.data)
        self.classes: np.ndarray | None = None
        numbers = counted = None
        if y is not None:
            self.classes, numbers = _classes(names[1], y, self.samples, classes)
            texts = class_names(self.classes)
            options.labels, options.classes = numbers.ctypes.data, len(texts)
            options.class_names = (ctypes.c_char_p * len(texts))(*(text.encode() for text in texts))
        if weights is not None:
            counted = _weights(weights, self.samples)
            options.weights = counted.ctypes.data
        if image is not None:
            options.height, options.width = (_arrays.whole("image", side, 1) for side in image)
        with blame(names[0]):
            self._made = DatasetHandle(_library.make(spinney.spn_dataset_create, ctypes.byref(options)), features)
        self._kept = features, numbers, counted, image  # for pickles

    def _handle(self) -> DatasetHandle:
        return self._made

    @property
    def checksum(self) -> int:
        """Of shape, features, labels and names of classes, the same for a file of this content."""
        return spinney.spn_dataset_checksum(self._made.pointer)

    def __reduce__(self) -> Any:
        return _again, (*self._kept, self.classes)

    def __repr__(self) -> str:
        classes = "no labels" if self.classes is None else f"{len(self.classes)} classes"
        return f"<spinney.Dataset: {self.samples} samples of {self.features} features, {classes}>"


def _again(features: np.ndarray, numbers: np.ndarray | None, weights: np.ndarray | None, image: Any,
           classes: np.ndarray | None) -> Dataset:
    labels = None if numbers is None or classes is None else classes[numbers]
    return Dataset(features, labels, classes=classes, weights=weights, image=image)


def _features(name: str, X: Any) -> np.ndarray:
    """Rows of doubles, or of bytes if they are bytes already."""
    if _arrays.is_sparse(X) and X.dtype.kind in "biuf":  # at once of the type that is wanted: one dense array, not two
        X = _arrays.dense(name, X, _type(X.dtype))
    made = _arrays.array(name, X)
    if made.dtype.kind not in "biuf":
        raise wrong(name, f"numbers are needed, and these are of type {made.dtype}")
    _arrays.shape(name, made, 2, "a sample in each row")
    return np.ascontiguousarray(made, dtype=_type(made.dtype))


def _type(dtype: np.dtype) -> Any:
    return np.uint8 if dtype.kind in "bu" and dtype.itemsize == 1 else np.float64


def _weights(weights: Any, samples: int) -> np.ndarray:
    made = _arrays.numbers("weights", weights, 1, "a number for each sample")
    if len(made) != samples:
        raise wrong("weights", f"there are {len(made)} for {samples} samples")
    if not (np.isfinite(made) & (made > 0)).all():
        at = int(np.flatnonzero(~(np.isfinite(made) & (made > 0)))[0])
        raise wrong("weights", f"entry {at} is {made[at]}; weights are positive and finite")
    return made


def _classes(name: str, y: Any, samples: int, given: Any) -> tuple[np.ndarray, np.ndarray]:
    """The labels, and the class number of each sample."""
    labels = np.asarray(y)
    _arrays.shape(name, labels, 1, "a label for each sample")
    if len(labels) != samples:
        raise wrong(name, f"there are {len(labels)} labels for {samples} samples")
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise wrong(name, f"label {int(np.flatnonzero(~np.isfinite(labels))[0])} is not a number")
    if labels.dtype.kind not in "biufUSO":
        raise wrong(name, f"labels are numbers or texts, not {labels.dtype}")
    try:
        classes, numbers = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise wrong(name, f"labels cannot be sorted ({error})") from None
    if given is None:
        return classes, np.ascontiguousarray(numbers, dtype=np.uint32)
    known = np.asarray(given)
    place = {label: k for k, label in enumerate(known.tolist())}
    for label in classes.tolist():
        if label not in place:
            raise wrong(name, f"{label!r} is none of the {len(known)} classes")
    to = np.array([place[label] for label in classes.tolist()], np.uint32)
    return known, np.ascontiguousarray(to[numbers])


def class_names(classes: np.ndarray) -> list[str]:
    """The names of classes as in a file: whole numbers without a decimal point."""
    return [_name(label) for label in classes.tolist()]


def _name(label: Any) -> str:
    if isinstance(label, bool):
        return str(int(label))
    if isinstance(label, float) and label.is_integer():
        return str(int(label))
    text = label.decode() if isinstance(label, bytes) else str(label)
    if not text or "\0" in text:
        raise wrong("y", f"{label!r} cannot be the name of a class")
    return text
