"""Array arguments are checked here, with errors that name the argument.

Contiguous arrays of the right type are passed on without a copy.
"""

from __future__ import annotations

import math
import operator
import sys
from typing import Any

import numpy as np

from .errors import OutOfMemory, wrong


def array(name: str, value: Any) -> np.ndarray:
    """Anything array-like as an array of any type. Sparse matrices become dense."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise wrong(name, "has masked values; fill them first")
    if is_sparse(value):
        value = dense(name, value)
    try:
        made = np.asarray(value)
    except (TypeError, ValueError) as error:  # of rows of different lengths, for one
        raise wrong(name, f"cannot be made an array ({error})") from None
    if made.dtype == object:
        made = _of_objects(name, made)
    return made


def dense(name: str, value: Any, dtype: Any = None) -> np.ndarray:
    """A sparse matrix as a dense array, of its own type or another; refused if memory is too small."""
    kind = value.dtype if dtype is None else np.dtype(dtype)
    size, room = value.shape[0] * value.shape[1] * kind.itemsize, memory_available()
    if size > room:
        each = "1 byte" if kind.itemsize == 1 else f"{kind.itemsize} bytes"
        error = OutOfMemory(
            f"{name}: {value.shape[0]} x {value.shape[1]} numbers of {each} as a dense array take "
            f"{size / 2**30:.1f} GiB, and {room / 2**30:.1f} GiB are available; take fewer rows or columns, or "
            "numbers from 0 to 255 as uint8, which take 1 byte")
        error.argument = name
        raise error
    return value.tocsr().astype(kind, copy=False).toarray()


def memory_available() -> float:
    """Available memory in bytes; infinity if unknown."""
    try:
        with open("/proc/meminfo") as lines:
            return next(float(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError, IndexError):
        return math.inf


def _of_objects(name: str, made: np.ndarray) -> np.ndarray:
    """An array of objects that are all numbers, as in a column of a table, or an error."""
    for place, item in np.ndenumerate(made):
        if not isinstance(item, (int, float, np.number, np.bool_)):
            raise wrong(name, f"an array of numbers is needed, and {_at(place)}is {_short(item)}")
    try:
        return made.astype(float)
    except (OverflowError, ValueError) as error:
        raise wrong(name, str(error)) from None


def _at(place: tuple[int, ...]) -> str:
    return f"entry [{', '.join(map(str, place))}] " if place else "it "


def _short(item: Any) -> str:
    text = repr(item)
    return text if len(text) <= 40 else text[:37] + "..."


def shape(name: str, made: np.ndarray, dimensions: int, what: str) -> None:
    """Check that an array has the right number of dimensions and is not empty."""
    if made.ndim != dimensions:
        raise wrong(name, f"{what} is needed, an array of {dimensions} dimensions, and this has {made.ndim}")
    if made.size == 0:
        raise wrong(name, f"is empty (its shape is {made.shape}); {what} is needed")


def numbers(name: str, value: Any, dimensions: int, what: str) -> np.ndarray:
    """Real numbers as contiguous doubles; the library checks that they are finite."""
    made = array(name, value)
    if made.dtype.kind not in "biuf":
        raise wrong(name, f"numbers are needed, and these are of type {made.dtype}")
    shape(name, made, dimensions, what)
    return np.ascontiguousarray(made, dtype=np.float64)


def finite(name: str, made: np.ndarray, at: Any = None) -> None:
    """Check that all numbers are finite; at: turns the place of an entry into words."""
    bad = np.flatnonzero(~np.isfinite(made))
    if bad.size:
        place = tuple(int(k) for k in np.unravel_index(bad[0], made.shape))
        where = at(place) if at else _at(place)
        raise wrong(name, f"{where}is {made[place]}; numbers must be finite")


def spins(name: str, value: Any, dimensions: int, what: str, binary: bool = False) -> np.ndarray:
    """Spins as contiguous bytes of -1 and +1; with binary, 0 and 1 are accepted too."""
    made = array(name, value)
    if made.dtype.kind not in "biuf":
        raise wrong(name, f"spins of -1 and +1 are needed, and these are of type {made.dtype}")
    shape(name, made, dimensions, what)
    given, made = made, np.ascontiguousarray(made) if made.dtype == np.int8 else _to_bytes(name, made)
    if binary and made.min() == 0 and made.max() <= 1:
        made = 2 * made - 1
    if made.min() < -1 or made.max() > 1 or not made.all():
        place = tuple(int(k) for k in np.argwhere((made != 1) & (made != -1))[0])
        raise wrong(name, f"{_at(place)}is {given[place]}; spins are -1 or +1" + (", or 0 or 1" if binary else ""))
    return made


def _to_bytes(name: str, made: np.ndarray) -> np.ndarray:
    """A copy as bytes; a value that does not fit is an error, never rounded."""
    with np.errstate(invalid="ignore"):
        out = np.ascontiguousarray(made, dtype=np.int8)
    bad = out != made
    if bad.any():
        place = tuple(int(k) for k in np.argwhere(bad)[0])
        raise wrong(name, f"{_at(place)}is {made[place]}; spins are -1 or +1")
    return out


def wide(name: str, spins: np.ndarray) -> np.ndarray:
    """Spins as int64, read-only: sums and products of int8 would wrap beyond 127."""
    size = 8 * spins.size
    if size > 2**28 and size > memory_available():
        shape = " x ".join(map(str, spins.shape))
        raise OutOfMemory(f"{name}: {shape} numbers of 8 bytes take {size / 2**30:.1f} GiB, "
                          f"more than is available; {name}_int8 takes an eighth of that")
    out = spins.astype(np.int64)
    out.flags.writeable = False
    return out


def whole(name: str, value: Any, least: int = 0, most: int = 2**63 - 1) -> int:
    """A whole number within bounds; no text, no bool, nothing that would be rounded."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = int(value) if isinstance(value, float) and value.is_integer() else operator.index(value)
    except (TypeError, OverflowError):
        raise wrong(name, f"a whole number is needed, not {_short(value)}") from None
    if not least <= number <= most:
        raise wrong(name, f"{number} is not {least} to {most}" if most < 2**63 - 1 else f"{number} is below {least}")
    return number


def real(name: str, value: Any) -> float:
    """A finite number."""
    ok = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "iuf":
        ok = True
    if not ok:
        raise wrong(name, f"a number is needed, not {_short(value)}")
    number = float(value)
    if not np.isfinite(number):
        raise wrong(name, f"{number} is not finite")
    return number


def is_sparse(value: Any) -> bool:
    """Whether it is a SciPy sparse matrix, without importing SciPy."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and sparse.issparse(value)


def is_frame(value: Any) -> bool:
    """Whether it is a pandas DataFrame, without importing pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def is_graph(value: Any) -> bool:
    """Whether it is a networkx graph, without importing networkx."""
    networkx = sys.modules.get("networkx")
    return networkx is not None and isinstance(value, networkx.Graph)


class _Memory:
    """Memory of a library object that lives as long as arrays use it."""

    def __init__(self, address: int, shape: tuple[int, ...], dtype: str, owner: Any) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "data": (address, True), "shape": shape, "typestr": dtype}


def view(address: int | None, shape: tuple[int, ...], dtype: Any, owner: Any) -> np.ndarray:
    """A read-only array of memory that belongs to owner, without a copy."""
    kind = np.dtype(dtype)
    if not address or 0 in shape:
        return np.empty(shape, kind)
    if kind.fields:
        flat = (shape[0] * kind.itemsize,)
        return np.asarray(_Memory(address, flat, "|u1", owner)).view(kind)
    return np.asarray(_Memory(address, shape, kind.str, owner))
