"""Tables in memory, with names of columns, texts or missing values: the code that reads a CSV file reads them,
so that texts are encoded and missing values treated alike."""

from __future__ import annotations

import csv
import ctypes
import os
import tempfile
from ctypes import POINTER, c_bool, c_char_p, c_int, c_size_t, c_uint32, c_void_p
from typing import Any, Mapping, NamedTuple

import numpy as np

from . import _arrays, _library
from ._library import HANDLE, STATUS, spinney
from .dataset import DatasetHandle
from .errors import Error, wrong


class ReadOptions(_library._Sized):
    _fields_ = [
        ("size", c_size_t),
        ("format", c_int),
        ("labels", c_int),
        ("header", c_int),
        ("classes", c_uint32),
        ("labels_optional", c_bool),
        ("single_class", c_bool),
        ("features", c_size_t),
        ("max_bytes", c_size_t),
        ("class_names", POINTER(c_char_p)),
        ("label_column", c_char_p),
        ("drop", c_char_p),
        ("categories", c_char_p),
        ("separator", c_int),
        ("missing", c_int),
        ("columns", c_void_p),
        ("part", c_int),
        ("most_categories", c_uint32),
        ("decimal", c_int),
        ("label_kind", c_int),
    ]


_library.STRUCTS["spn_read_options"] = ReadOptions
_library.declare(spinney, {
    "spn_dataset_read": (STATUS, [HANDLE, c_char_p, c_char_p, POINTER(ReadOptions)]),
    "spn_dataset_columns": (c_void_p, [c_void_p]),
    "spn_dataset_describe": (None, [POINTER(_library.DatasetArrays), c_void_p]),
    "spn_model_columns": (c_void_p, [c_void_p]),
})
_CSV, _YES, _NO, _COMMA, _TEST = 2, 1, 2, 1, 1  # of spn_format, spn_header, spn_separator, spn_data_part


class Like(NamedTuple):
    """What a table is read like: the columns of a training table, and its classes."""

    columns: int
    features: int = 0
    classes: Any = None  # texts, as a ctypes array
    class_count: int = 0
    predict: bool = False  # labels are not needed


def is_table(value: Any, missing: Any = None) -> bool:
    """Whether it has to be read as a table: it has names of columns, texts, or missing values that are dealt with."""
    if _arrays.is_frame(value):
        return True
    if _arrays.is_sparse(value) or isinstance(value, np.ma.MaskedArray):
        return False
    try:
        made = np.asarray(value)
    except ValueError:
        return False
    if made.ndim != 2:
        return False
    if made.dtype.kind in "OUS":
        return any(isinstance(item, (str, bytes)) for item in np.asarray(value, object).flat)
    return missing not in (None, "refuse") and made.dtype.kind == "f" and bool(np.isnan(made).any())


def read(name: str, X: Any, y: Any, keywords: Mapping[str, Any], like: Like | None = None) -> tuple[DatasetHandle, Any]:
    """The data set of a table, and the labels of its classes as they were given. keywords: settings of train about
    tables."""
    names, columns = _columns(X)
    options = _options(keywords, names is not None, like)
    if y is not None:
        names, columns = _with_labels(name, names, columns, y)
        options.label_column = names[-1].encode() if names is not None else None
    with tempfile.TemporaryDirectory(prefix="spinney-") as place:
        path = os.path.join(place, "table.csv")
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            if names is not None:
                writer.writerow(names)
            writer.writerows(zip(*map(_texts, columns)))
        try:
            made = DatasetHandle(
                _library.make(spinney.spn_dataset_read, os.fsencode(path), None, ctypes.byref(options)))
        except Error as error:
            error.args = (str(error).replace(path, name),)
            raise
    return made, None if like else _labels(made, names, columns, keywords, y)


def _columns(X: Any) -> tuple[list[str] | None, list[list[Any]]]:
    """The names of the columns, if it has any, and their values; None for missing ones."""
    if _arrays.is_frame(X):
        whole = X.astype(object).where(X.notna(), None)
        return [str(name) for name in X.columns], [whole.iloc[:, k].tolist() for k in range(X.shape[1])]
    made = np.asarray(X)
    made = np.asarray(X, object) if made.dtype.kind in "OUS" else made
    return None, [column.tolist() for column in made.T]


def _with_labels(name: str, names: list[str] | None, columns: list[list[Any]],
                 y: Any) -> tuple[list[str] | None, list[list[Any]]]:
    labels = np.asarray(y)
    if labels.ndim != 1 or not columns or len(labels) != len(columns[0]):
        rows = len(columns[0]) if columns else 0
        raise wrong("labels", f"a label for each of the {rows} rows of {name} is needed, not {labels.shape}")
    if names is None:
        return None, [*columns, labels.tolist()]
    own = str(getattr(y, "name", None) or "label")
    while own in names:
        own += "_"
    return [*names, own], [*columns, labels.tolist()]


def _options(keywords: Mapping[str, Any], header: bool, like: Like | None) -> ReadOptions:
    options = ReadOptions(format=_CSV, header=_YES if header else _NO, separator=_COMMA)
    for word in ("missing", "label_kind"):
        if keywords.get(word) is not None:
            found = ctypes.c_int()
            text = str(keywords[word]).encode()
            _library.check(spinney.spn_name_parse, ctypes.byref(found), _library.names(word), text)
            setattr(options, word, found.value)
    for keyword in ("label_column", "drop", "categories"):
        value = keywords.get(keyword)
        if value is not None and not (keyword == "label_column" and value == "last"):
            listed = [value] if isinstance(value, (str, int)) else value
            setattr(options, keyword, ",".join(map(str, listed)).encode())
    if like is not None:
        options.columns, options.features, options.part, options.single_class = like.columns, like.features, _TEST, True
        options.labels_optional = like.predict
        if like.classes is not None:
            options.class_names, options.classes = like.classes, like.class_count
    return options


def _texts(column: list[Any]) -> list[str]:
    return ["" if value is None or value != value else repr(value) if type(value) is float else str(value)
            for value in column]


def about(made: DatasetHandle) -> _library.DatasetArrays:
    out = _library.DatasetArrays()
    spinney.spn_dataset_describe(ctypes.byref(out), made.pointer)
    return out


def like_training(made: DatasetHandle) -> Like:
    """How a test table is read, beside that of the training."""
    told = about(made)
    return Like(spinney.spn_dataset_columns(made.pointer), told.features, told.class_names, told.classes)


def _labels(made: DatasetHandle, names: list[str] | None, columns: list[list[Any]], keywords: Mapping[str, Any],
            y: Any) -> Any:
    """The label of each class as it was given, which the file has as a text."""
    wanted = keywords.get("label_column")
    if y is not None or wanted in (None, "last"):
        k = -1
    elif names is not None and str(wanted) in names:
        k = names.index(str(wanted))
    elif wanted == "first":
        k = 0
    else:  # by its number
        return None
    given = {text: value for text, value in zip(_texts(columns[k]), columns[k])}
    told = about(made)
    found = [told.class_names[c].decode() for c in range(told.classes)]
    return np.array([given[text] for text in found]) if all(text in given for text in found) else None
