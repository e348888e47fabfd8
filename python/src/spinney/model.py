"""Models: trained classifiers whose every weight is one bit."""

from __future__ import annotations

import ctypes
import json
import os
from ctypes import POINTER, c_bool, c_char_p, c_int, c_size_t, c_uint32, c_void_p
from typing import Any

import numpy as np

from . import _arrays, _library
from ._handles import Handle
from ._library import HANDLE, STATUS, lab, spinney
from .dataset import Dataset
from .errors import wrong


class ExportOptions(_library._Sized):
    _fields_ = [
        ("size", c_size_t),
        ("format", c_int),
        ("input", c_int),
        ("name", c_char_p),
        ("arithmetic", c_int),
        ("reserved", c_uint32),
        ("vote", c_size_t),
    ]


_library.STRUCTS["spn_export_options"] = ExportOptions
_library.declare(spinney, {
    "spn_model_read": (STATUS, [HANDLE, c_char_p]),
    "spn_model_parse": (STATUS, [HANDLE, c_char_p, c_size_t, c_char_p]),
    "spn_model_pack": (STATUS, [HANDLE, POINTER(c_size_t), c_void_p]),
    "spn_model_write": (STATUS, [c_void_p, c_char_p]),
    "spn_model_free": (None, [c_void_p]),
    "spn_model_describe": (None, [POINTER(_library.ModelArrays), c_void_p]),
    "spn_model_row": (c_size_t, [c_void_p]),
    "spn_model_sites": (c_size_t, [c_void_p]),
    "spn_model_best": (c_size_t, [c_void_p]),
    "spn_model_centre": (None, [c_void_p, c_void_p]),
    "spn_model_unpack": (None, [c_void_p, c_void_p, c_size_t, c_size_t]),
    "spn_model_predict": (STATUS, [c_void_p, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p]),
    "spn_model_export": (STATUS, [c_void_p, c_void_p, c_size_t, POINTER(ExportOptions), c_char_p]),
    "spn_units_text": (STATUS, [HANDLE, c_void_p, c_void_p, c_size_t, c_size_t, c_size_t, c_bool]),
})
_library.declare(lab, {
    "spn_call_take_model": (c_void_p, [c_void_p]),
})


BINARY = 4  # spn_preprocess_kind
BLOCK = 2**26  # bytes of the dense rows of a sparse matrix that are classified at once


class ModelHandle(Handle):
    _free = spinney.spn_model_free
    _object = _library.MODEL


class Model:
    """A trained classifier: the weights of every replica, all -1 or +1, and what is needed to use them.

    ``spinney.train(...).model`` and ``OneBitClassifier.model_`` are models, and ``Model.read`` reads the files of
    ``spinney train --out``. You can pickle a model, pass it to ``spinney.evaluate``, and to ``spinney.train`` as
    ``init``.

    ``replica`` chooses the weights: "best" (the replica with the lowest training loss), "centre" (the majority of the
    replicas), "vote" (for networks: the sum of the replicas' logits), or a number from 1.

    >>> import spinney
    >>> model = spinney.train("digits", subset=200, sweeps=2).model
    >>> model
    <spinney.Model: 10 classes of 64 features, 3 replicas of 8850 one-bit weights>
    """

    def __init__(self, handle: ModelHandle, labels: np.ndarray | None = None) -> None:
        self._made = handle
        names = self.classes
        if labels is None and all(name.lstrip("-").isdigit() and str(int(name)) == name for name in names):
            labels = np.array([int(name) for name in names])
        self.labels = np.array(names) if labels is None else labels

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Model:
        """Read a model file."""
        return cls(ModelHandle(_library.make(spinney.spn_model_read, _path(path))))

    @classmethod
    def _of_call(cls, call: int, labels: np.ndarray | None) -> Model | None:
        """Take the model that a call of train made; None if there is none."""
        made = lab.spn_call_take_model(call)
        return cls(ModelHandle(made), labels) if made else None

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a model file, as ``spinney train --out`` does."""
        _library.check(spinney.spn_model_write, self._pointer, _path(path))

    def _handle(self) -> ModelHandle:
        return self._made

    @property
    def _pointer(self) -> int:
        assert self._made.pointer is not None
        return self._made.pointer

    # ---- what it holds ----

    def _about(self) -> _library.ModelArrays:
        out = _library.ModelArrays()
        spinney.spn_model_describe(ctypes.byref(out), self._pointer)
        return out

    @property
    def classes(self) -> list[str]:
        """The names of the classes."""
        about = self._about()
        return [about.class_names[k].decode("utf-8", "replace") for k in range(about.classes)]

    @property
    def features(self) -> int:
        """Features of a sample."""
        return self._about().features

    @property
    def replicas(self) -> int:
        return self._about().replicas

    @property
    def hidden(self) -> int:
        """Hidden units; 0: a linear classifier."""
        return self._about().hidden

    @property
    def logit_scale(self) -> float:
        return self._about().logit_scale

    @property
    def weights(self) -> np.ndarray:
        """All weights, one replica per row, as int64."""
        return _arrays.wide("weights", self.weights_int8)

    @property
    def weights_int8(self) -> np.ndarray:
        """The same in one byte each. NumPy's sums of products of int8 wrap beyond 127."""
        return self._unpack(0, self.replicas)

    def _unpack(self, first: int, count: int) -> np.ndarray:
        """The weights of some replicas; the model itself keeps one bit for each."""
        out = np.empty((count, spinney.spn_model_sites(self._pointer)), np.int8)
        spinney.spn_model_unpack(out.ctypes.data, self._pointer, first, count)
        out.flags.writeable = False
        return out

    @property
    def output_weights(self) -> np.ndarray:
        """The weights of the classes, (replicas, classes, inputs or hidden units, and bias)."""
        classes, row = len(self.classes), spinney.spn_model_row(self._pointer)
        return self.weights[:, -classes * row:].reshape(self.replicas, classes, row)

    @property
    def hidden_weights(self) -> np.ndarray | None:
        """The weights of the hidden units, (replicas, units, inputs and bias), if there are any."""
        if not self.hidden:
            return None
        count = spinney.spn_model_sites(self._pointer) - len(self.classes) * spinney.spn_model_row(self._pointer)
        return self.weights[:, :count].reshape(self.replicas, self.hidden, -1)

    @property
    def train_losses(self) -> np.ndarray | None:
        """The training loss of each replica; None if unknown."""
        address = self._about().train_losses
        return _arrays.view(address, (self.replicas,), np.float64, self._made) if address else None

    @property
    def manifest(self) -> dict[str, Any]:
        """Where it comes from: settings, seed, version, checksum of the data, results."""
        text = _library.text(self._about().manifest)
        return json.loads(text) if text else {}

    # ---- use ----

    def _pick(self, replica: int | str) -> tuple[np.ndarray, int]:
        """The weights of a choice, and how many classifiers vote."""
        if isinstance(replica, str):
            if replica == "best":
                return self._unpack(spinney.spn_model_best(self._pointer), 1)[0], 1
            if replica == "centre":
                out = np.empty(spinney.spn_model_sites(self._pointer), np.int8)
                spinney.spn_model_centre(self._pointer, out.ctypes.data)
                return out, 1
            if replica == "vote":
                if not self.hidden:
                    raise wrong("replica", "networks vote, and this model is a linear one; choose best, centre, "
                                "or a number")
                return self.weights_int8, self.replicas
            raise wrong("replica", f"{replica!r} is not best, centre, vote or a number")
        return self._unpack(_arrays.whole("replica", replica, 1, self.replicas) - 1, 1)[0], 1

    def _like(self, predict: bool = False) -> Any:
        """How a table is read as that of the training was; None if the model is of plain numbers."""
        from .frames import Like

        columns, about = spinney.spn_model_columns(self._pointer), self._about()
        return Like(columns, about.features, about.class_names, about.classes, predict) if columns else None

    def _table(self, X: Any) -> Any:
        """Samples as the model's training table had them: names of columns, texts, missing values."""
        from . import frames

        like = self._like(predict=True)
        if like is None or not frames.is_table(X, "mean"):
            return None
        made = frames.read("X", X, None, {}, like._replace(classes=None))[0]
        if frames.about(made).samples != len(X):
            raise wrong("X", "has rows without a label, which are left out; remove the column of labels")
        return made

    def _classify(self, X: Any, replica: int | str, probabilities: bool) -> tuple[np.ndarray, np.ndarray | None]:
        """The number of the class of each sample, and the probabilities of all classes."""
        if _arrays.is_sparse(X) and X.shape[0] > 0 and X.shape[1] > 0:
            return self._classify_blocks(X.tocsr(), replica, probabilities)
        handle = None if isinstance(X, Dataset) else self._table(X)
        if handle is None:
            data = X if isinstance(X, Dataset) else Dataset(X)
            if data.features != self.features:
                raise wrong("X", f"has {data.features} features, and the model is of {self.features}")
            handle = data._handle()
        samples = len(X) if not isinstance(X, Dataset) else X.samples
        weights, votes = self._pick(replica)
        numbers = np.empty(samples, np.uint32)
        shares = np.empty((samples, len(self.classes))) if probabilities else None
        _library.check(spinney.spn_model_predict, numbers.ctypes.data, None if shares is None else shares.ctypes.data,
                       self._pointer, weights.ctypes.data, votes, handle.pointer)
        return numbers, shares

    def _classify_blocks(self, X: Any, replica: int | str,
                         probabilities: bool) -> tuple[np.ndarray, np.ndarray | None]:
        """The same for a sparse matrix, made dense some rows at a time."""
        rows = max(1, BLOCK // (8 * X.shape[1]))
        parts = [self._classify(Dataset(X[k:k + rows]), replica, probabilities) for k in range(0, X.shape[0], rows)]
        shares = [part for _, part in parts if part is not None]
        return np.concatenate([numbers for numbers, _ in parts]), np.concatenate(shares) if shares else None

    def predict(self, X: Any, replica: int | str = "best") -> np.ndarray:
        """The label of each sample, a row of X: one of ``labels``, which are as in training, or, in a model that was
        read from a file, whole numbers if all names of classes are, else texts."""
        return self.labels[self._classify(X, replica, False)[0]]

    def predict_proba(self, X: Any, replica: int | str = "best") -> np.ndarray:
        """The probability of each class, in the order of ``classes``, for each sample."""
        shares = self._classify(X, replica, True)[1]
        assert shares is not None
        return shares

    def coefficients(self, replica: int | str = "best") -> tuple[np.ndarray, np.ndarray]:
        """Of a linear classifier, the weight of each feature in the logit of each class, (classes, features), in units
        of the data, and the constants of the logits. Networks, thermometers and binary scalings have none."""
        about = self._about()
        encoding = about.encoding.contents if about.encoding else None
        binary = about.preprocess and about.preprocess.contents.kind == BINARY
        if about.hidden or binary or encoding and not encoding.copies:
            raise AttributeError("the logits are not linear in the features: there are no coefficients")
        rows = self._pick(replica)[0].reshape(len(self.classes), -1).astype(float) * about.logit_scale
        inputs = rows.shape[1] - about.bias
        rows, constants = rows[:, :inputs], rows[:, inputs:].sum(axis=1)
        if about.scaling:
            scaling = about.scaling.contents
            rows = rows / np.ctypeslib.as_array(scaling.scale, (inputs,))
            constants -= rows @ np.ctypeslib.as_array(scaling.shift, (inputs,))
        return rows.reshape(len(rows), -1, encoding.copies if encoding else 1).sum(axis=2), constants

    def export(self, path: str | os.PathLike[str], format: str | None = None, *, replica: int | str = "best",
               input: str = "float", arithmetic: str = "auto", name: str | None = None) -> None:
        """Write the model for use elsewhere, as ``spinney export`` does.

        format: "c" (a header without dependencies), "npy", "text" or "onnx"; by default as the path ends: .h or .c,
           .npy, .txt or .onnx.
        replica: as above; with "npy" and "text" also "all".
        input: for ONNX, "float", "double" or "uint8"; arithmetic: for C, "auto", "int", "float" or "double"; name:
           for C, the prefix of every identifier.
        """
        options = ExportOptions(
            format=_word("export_format", "format", _format(path) if format is None else format),
            input=_word("export_input", "input", input),
            arithmetic=_word("export_arithmetic", "arithmetic", arithmetic),
            name=None if name is None else _text("name", name),
        )
        weights, count = (self.weights_int8, self.replicas) if replica == "all" else self._pick(replica)
        options.vote = replica == "vote"
        _library.check(spinney.spn_model_export, self._pointer, weights.ctypes.data, count, ctypes.byref(options),
                       _path(path))

    def picture(self, replica: int | str = "best", width: int = 100) -> str:
        """The weights drawn in characters, one picture for each class or hidden unit, as ``spinney show`` does."""
        weights, _ = self._pick(replica)
        address = _library.make(spinney.spn_units_text, self._pointer, weights.ctypes.data, 0, 0,
                                _arrays.whole("width", width, 1), False)
        try:
            return ctypes.string_at(address).decode("utf-8")
        finally:
            spinney.spn_free(address)

    # ---- copies and texts ----

    def to_bytes(self) -> bytes:
        """The bytes of its file."""
        size = c_size_t()
        out = c_void_p()
        _library.check(spinney.spn_model_pack, ctypes.byref(out), ctypes.byref(size), self._pointer)
        assert out.value is not None
        try:
            return ctypes.string_at(out.value, size.value)
        finally:
            spinney.spn_free(out.value)

    @classmethod
    def from_bytes(cls, data: bytes, labels: np.ndarray | None = None) -> Model:
        """A model from the bytes of its file; labels: of its classes, for ``predict``."""
        if not isinstance(data, (bytes, bytearray)):
            raise wrong("data", f"bytes are needed, not {type(data).__name__}")
        return cls(ModelHandle(_library.make(spinney.spn_model_parse, bytes(data), len(data), b"data")), labels)

    def __reduce__(self) -> Any:
        return Model.from_bytes, (self.to_bytes(), self.labels)

    def __repr__(self) -> str:
        units = f", {self.hidden} hidden units" if self.hidden else ""
        return (f"<spinney.Model: {len(self.classes)} classes of {self.features} features{units}, {self.replicas} "
                f"replica{'s' * (self.replicas > 1)} of {spinney.spn_model_sites(self._pointer)} one-bit weights>")


_FORMATS = {".h": "c", ".c": "c", ".npy": "npy", ".txt": "text", ".onnx": "onnx"}


def _format(path: Any) -> str:
    """The format of a file by its ending."""
    ending = os.path.splitext(os.fsdecode(_path(path)))[1].lower()
    if ending not in _FORMATS:
        raise wrong("format", f"c, npy, text or onnx is needed: a file that ends in {ending!r} could be any")
    return _FORMATS[ending]


def _text(name: str, value: Any) -> bytes:
    if not isinstance(value, str) or "\0" in value:
        raise wrong(name, f"a text is needed, not {value!r}")
    return value.encode()


def _path(path: Any) -> bytes:
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise wrong("path", f"the path of a file is needed, not {type(path).__name__}")
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise wrong("path", "a path cannot hold a zero byte")
    return encoded


def _word(kind: str, name: str, value: Any) -> int:
    """The number of a word in the library's list."""
    from ._handles import blame

    out = c_int()
    text = _text(name, value)
    with blame(name):
        _library.check(spinney.spn_name_parse, ctypes.byref(out), _library.names(kind), text)
    return out.value
