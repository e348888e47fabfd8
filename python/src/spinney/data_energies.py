"""Energies of labelled data: classifiers whose weights are spins."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from . import _arrays, _library
from ._handles import Handle, blame
from ._library import spinney
from .dataset import Dataset, DatasetHandle
from .energies import Energy, EnergyHandle
from .errors import wrong


class _OfData(Energy):
    """An energy of a data set, which is kept for pickles."""

    def __init__(self, made: EnergyHandle, kind: str, data: Dataset, **keywords: Any) -> None:
        self.kind = kind
        self._made = made
        self._kept = data, keywords

    def _handle(self) -> EnergyHandle:
        return self._made

    def __reduce__(self) -> Any:
        return _again, (type(self), *self._kept)


def _again(kind: type[Any], data: Dataset, keywords: dict[str, Any]) -> Any:
    return kind(data, **keywords)


class Softmax(_OfData):
    """The mean cross-entropy of a linear classifier of K classes whose weights are spins.

    Spin k * (D + bias) + i is weight i of class k, for D features; the last ``bias`` spins of a class see a constant
    1.

    X, y: the samples and their labels, or a Dataset and nothing.
    scaling: of the features: none, dataset, feature, "SHIFT,SCALE", "binary:T" or auto, as in ``train``.
    logit_scale: logits are this times the sums.
    class_weights: a weight for each class, in the order of the sorted labels.
    faults: a share of faulty weights; the energy is then the mean chance of a wrong answer.
    fault_model: what faults do to a weight: flips, stuck-0, stuck-1 or asymmetric:p01,p10.

    >>> import spinney
    >>> round(spinney.Softmax([[0.0, 1.0], [1.0, 0.0]], ["a", "b"], scaling="none")([1, 1, 1, 1]), 6)
    0.693147
    """

    def __init__(self, X: Any, y: Any = None, *, scaling: str = "auto", logit_scale: float = 1.0, bias: int = 0,
                 class_weights: Any = None, faults: float = 0.0, fault_model: str = "flips") -> None:
        data = _dataset(X, y)
        weights = _class_weights(class_weights, data)
        options = _library.SoftmaxOptions(
            logit_scale=_arrays.real("logit_scale", logit_scale), bias=_arrays.whole("bias", bias, 0, 2**31),
            class_weights=None if weights is None else weights.ctypes.data, faults=_arrays.real("faults", faults))
        with blame("fault_model"):
            _library.check(spinney.spn_fault_model_parse, ctypes.byref(options.fault_model), fault_model.encode())
        prepared, scale = _prepare(data, scaling)
        with blame("Softmax"):
            pointer = _library.make(spinney.spn_softmax_create_as, prepared.pointer, scale.pointer,
                                    ctypes.byref(options))
        super().__init__(EnergyHandle(pointer), "softmax", data, scaling=scaling, logit_scale=logit_scale, bias=bias,
                         class_weights=class_weights, faults=faults, fault_model=fault_model)


class Network(_OfData):
    """The mean cross-entropy of a network with one hidden layer of sign units, whose weights are spins.

    X, y: the samples, whole numbers from 0 to 255 (best bits), and their labels, or a Dataset and nothing.
    hidden: the number of units; hidden_bias and bias: weights of each unit and of each class on a constant 1.
    faults: the share of flipped weights that units expect: each is then the mean of its sign.
    fault_model: what faults do to a weight: flips, stuck-0, stuck-1 or asymmetric:p01,p10.
    margin: with faults, the label's logit counts as so much less.

    >>> import spinney
    >>> spinney.Network([[0, 1], [1, 0]], ["a", "b"], hidden=3).sites
    12
    """

    def __init__(self, X: Any, y: Any = None, *, hidden: int = 64, hidden_bias: int = 0, bias: int = 0,
                 logit_scale: float = 1.0, class_weights: Any = None, faults: float = 0.0,
                 fault_model: str = "flips", margin: float = 0.0) -> None:
        data = _dataset(X, y)
        weights = _class_weights(class_weights, data)
        options = _library.NetworkOptions(
            hidden=_arrays.whole("hidden", hidden, 1, 16384),
            hidden_bias=_arrays.whole("hidden_bias", hidden_bias, 0, 2**31), bias=_arrays.whole("bias", bias, 0, 2**31),
            logit_scale=_arrays.real("logit_scale", logit_scale),
            class_weights=None if weights is None else weights.ctypes.data, faults=_arrays.real("faults", faults),
            margin=_arrays.real("margin", margin))
        with blame("fault_model"):
            _library.check(spinney.spn_fault_model_parse, ctypes.byref(options.fault_model), fault_model.encode())
        with blame("Network"):
            pointer = _library.make(spinney.spn_network_create, data._handle().pointer, ctypes.byref(options))
        super().__init__(EnergyHandle(pointer), "network", data, hidden=hidden, hidden_bias=hidden_bias, bias=bias,
                         logit_scale=logit_scale, class_weights=class_weights, faults=faults, fault_model=fault_model,
                         margin=margin)


class _Scaling(Handle):
    _free = spinney.spn_scaling_free


def _dataset(X: Any, y: Any) -> Dataset:
    if isinstance(X, Dataset):
        if y is not None:
            raise wrong("y", "a Dataset has labels of its own")
        data = X
    else:
        if y is None:
            raise wrong("y", "labels are needed")
        data = Dataset(X, y)
    if data.classes is None:
        raise wrong("X", "the Dataset has no labels")
    return data


def _class_weights(weights: Any, data: Dataset) -> np.ndarray | None:
    if weights is None:
        return None
    made = _arrays.numbers("class_weights", weights, 1, "a weight for each class")
    assert data.classes is not None
    if len(made) != len(data.classes):
        raise wrong("class_weights", f"there are {len(made)} for {len(data.classes)} classes")
    return made


def _prepare(data: Dataset, scaling: Any) -> tuple[DatasetHandle, _Scaling]:
    """The data as the energy wants them, and the scaling of their features."""
    how = _library.Preprocess()
    if scaling == "auto":
        how = spinney.spn_preprocess_suiting(None, data._handle().pointer)
    else:
        if not isinstance(scaling, str) or "\0" in scaling:
            raise wrong("scaling", f"a text is needed, not {scaling!r}")
        with blame("scaling"):
            _library.check(spinney.spn_preprocess_from_text, ctypes.byref(how), scaling.encode())
    prepared = data._handle()
    if how.kind == _BINARY:
        threshold = ctypes.c_double(how.threshold)
        prepared = DatasetHandle(_library.make(spinney.spn_dataset_binarise, prepared.pointer, threshold))
    with blame("scaling"):
        scale = _Scaling(_library.make(spinney.spn_preprocess_fit, ctypes.byref(how), prepared.pointer))
    return prepared, scale


_BINARY = 4  # SPN_PREPROCESS_BINARY
