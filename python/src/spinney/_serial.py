"""Sample sets as plain values, for JSON and the like, in the layout of dimod's SampleSet.to_serializable (schema
3.1.0), so each package reads what the other wrote."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

SCHEMA = "3.1.0"


# ---- arrays ----


def of_array(values: Any, use_bytes: bool, bytes_type: Callable[[bytes], Any]) -> dict[str, Any]:
    made = np.asarray(values)
    data = bytes_type(made.tobytes()) if use_bytes else made.tolist()
    return {"type": "array", "data": data, "data_type": made.dtype.name, "shape": list(made.shape),
            "use_bytes": bool(use_bytes)}


def to_array(name: str, value: Any) -> np.ndarray:
    """Back to an array. Only of numbers: a file may contain anything."""
    try:
        kind = np.dtype(str(value["data_type"]))
        if kind.kind not in "biuf":
            raise ValueError(f"the type {kind} is not one of numbers")
        if value["use_bytes"]:
            made = np.frombuffer(bytes(value["data"]), kind)
        else:
            made = np.array(value["data"], kind)
        return made.reshape([int(size) for size in value["shape"]])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name}: not an array as to_serializable writes it ({error})") from None


def of_any(value: Any, use_bytes: bool, bytes_type: Callable[[bytes], Any]) -> Any:
    """The content of info: arrays anywhere in it, and NumPy numbers as plain ones."""
    if isinstance(value, np.ndarray):
        return of_array(value, use_bytes, bytes_type)
    if isinstance(value, Mapping):
        return {key: of_any(item, use_bytes, bytes_type) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [of_any(item, use_bytes, bytes_type) for item in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, (float, np.floating)) else value


def to_any(value: Any) -> Any:
    if isinstance(value, Mapping):
        if value.get("type") == "array":
            return to_array("info", value)
        return {key: to_any(item) for key, item in value.items()}
    return [to_any(item) for item in value] if isinstance(value, list) else value


# ---- samples: one bit each, 32 in a word, the first in the lowest bit ----


def pack(samples: np.ndarray) -> np.ndarray:
    if not samples.size:
        return np.empty(samples.shape, np.uint32)
    words = -(-samples.shape[1] // 32)
    padded = np.zeros((len(samples), 32 * words), bool)
    padded[:, :samples.shape[1]] = samples > 0
    return np.packbits(padded, axis=1, bitorder="little").view("<u4").astype(np.uint32)


def unpack(words: np.ndarray, variables: int) -> np.ndarray:
    """Rows of 0 and 1."""
    if not words.size:
        return np.zeros((words.shape[0], variables), np.int8)
    if words.ndim != 2 or words.dtype != np.uint32 or words.shape[1] != -(-variables // 32):
        raise ValueError(f"sample_data: {words.shape} words of {words.dtype} are not rows of {variables} bits")
    as_bytes = np.ascontiguousarray(words.astype("<u4")).view(np.uint8)
    return np.unpackbits(as_bytes, axis=1, count=variables, bitorder="little").astype(np.int8)


# ---- labels: JSON has no tuples ----


def of_label(label: Hashable) -> Any:
    if isinstance(label, (tuple, frozenset)):
        return [of_label(part) for part in label]
    if isinstance(label, (bool, np.bool_)):
        return bool(label)
    if isinstance(label, Integral):
        return int(label)
    return float(label) if isinstance(label, Real) else label


def to_label(label: Any) -> Hashable:
    if isinstance(label, Sequence) and not isinstance(label, (str, bytes)):
        return tuple(to_label(part) for part in label)
    return label
