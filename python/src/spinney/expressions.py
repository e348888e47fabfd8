"""Variables, and polynomials made of them by operators: what a Problem is written in.

An expression is a polynomial, or an array of them. Its terms are held in NumPy arrays, so operations on a million terms
make no Python object for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Iterator, NamedTuple, Sequence

import numpy as np

from . import _arrays
from .errors import wrong

BINARY, SPIN, INTEGER = 0, 1, 2


def _common_shape(one: tuple[int, ...], two: tuple[int, ...]) -> tuple[int, ...]:
    """As np.broadcast_shapes, which NumPy has only since 1.20."""
    return np.broadcast(np.broadcast_to(0, one), np.broadcast_to(0, two)).shape


class Block:
    """Variables that were made together: consecutive numbers from `start`."""

    __slots__ = ("start", "shape", "size", "kind", "name", "names", "least", "most")
    _next = 0

    def __init__(self, name: Any, shape: Any, kind: int, least: int = 0, most: int = 1) -> None:
        self.names: list[Any] | None = None
        if not isinstance(name, str):
            self.names, shape = list(name), len(name)
            name = ""
        self.name, self.kind, self.least, self.most = name, kind, least, most
        self.shape = _shape(shape)
        self.size = int(np.prod(self.shape, dtype=np.int64))
        if self.size < 1 or not (name or self.names):
            raise wrong("shape" if name else "name", "there is one variable at least, and each has a name")
        self.start = Block._next
        Block._next += self.size

    def labels(self) -> list[Any]:
        """The names of its variables: x0, x1, ... or, with more dimensions, x0_1."""
        if self.names is not None:
            return self.names
        if not self.shape:
            return [self.name]
        return [self.name + "_".join(map(str, place)) for place in np.ndindex(self.shape)]


def _shape(shape: Any) -> tuple[int, ...]:
    given = shape if isinstance(shape, (tuple, list)) else (shape,)
    return tuple(_arrays.whole("shape", size, 1) for size in given)


class Terms(NamedTuple):
    """Products of equally many variables."""

    row: np.ndarray  # to which polynomial of the array it belongs
    ids: np.ndarray  # numbers of its variables, a row of them for each term
    weight: np.ndarray

    def at(self, picked: Any, row: np.ndarray, scale: Any = 1.0) -> Terms:
        """Some of the terms, as those of other polynomials."""
        return Terms(row, self.ids[picked], self.weight[picked] * scale)


class _Sorted(NamedTuple):
    """Terms sorted by their polynomial: those of row r begin at starts[r]."""

    terms: Terms
    starts: np.ndarray

    def expand(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All terms of these rows, a row as often as it is named: the place in `rows`, and that of the term."""
        first = self.starts[rows]
        counts = self.starts[rows + 1] - first
        place = np.repeat(np.arange(len(rows)), counts)
        shift = np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)
        return place, np.repeat(first, counts) + shift


class Expression:
    """A polynomial in variables, or an array of polynomials: ``+ - * / ** @`` and ``sum`` work as with NumPy's arrays,
    and ``<= == >=`` make constraints.

    >>> import numpy as np, spinney
    >>> x = spinney.binaries("x", 3)
    >>> cost = x @ np.array([[0, 2, 0], [0, 0, 1], [0, 0, 0]]) @ x - 3 * x.sum() + 1
    >>> cost.degree, cost.value({"x0": 1, "x1": 1, "x2": 0})
    (2, -3.0)
    """

    __array_ufunc__ = None  # so that NumPy's arrays leave operators to this class
    __slots__ = ("shape", "_blocks", "_constant", "_parts", "_used", "_index")
    __hash__ = object.__hash__

    def __init__(self, shape: tuple[int, ...], blocks: frozenset[Block], constant: np.ndarray, parts: list[Terms],
                 used: int | None = None) -> None:
        self.shape = shape
        self._blocks = blocks
        self._constant = constant  # of each polynomial
        # The first `used` of a list, which sums of sums share: each appends to it if it is at the end.
        self._parts = parts
        self._used = len(parts) if used is None else used
        self._index: list[_Sorted] | None = None

    # ---- terms ----

    @property
    def size(self) -> int:
        return len(self._constant)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def terms(self) -> list[Terms]:
        """The terms, each degree once, in no order; products may repeat."""
        by_degree: dict[int, list[Terms]] = {}
        for part in self._parts[:self._used]:
            if len(part.weight):
                by_degree.setdefault(part.ids.shape[1], []).append(part)
        return [parts[0] if len(parts) == 1 else Terms(*map(np.concatenate, zip(*parts)))
                for _, parts in sorted(by_degree.items())]

    def numbered(self, first: Mapping[Block, int]) -> list[Terms]:
        """The terms, with other numbers of the variables; first: that of the first of each block."""
        blocks = sorted(self._blocks, key=lambda block: block.start)
        starts = np.array([block.start for block in blocks], np.int64)
        shift = np.array([first[block] for block in blocks], np.int64) - starts
        return [terms._replace(ids=terms.ids + shift[np.searchsorted(starts, terms.ids, "right") - 1])
                for terms in self.terms()]

    def _sorted(self) -> list[_Sorted]:
        if self._index is None:
            self._index = []
            for terms in self.terms():
                row = terms.row
                if (row[1:] < row[:-1]).any():
                    order = np.argsort(row, kind="stable")
                    terms = terms.at(order, row[order])
                self._index.append(_Sorted(terms, np.searchsorted(terms.row, np.arange(self.size + 1))))
        return self._index

    def _take(self, rows: np.ndarray, shape: tuple[int, ...], scale: np.ndarray | None = None) -> Expression:
        """An array of the polynomials of these rows, each times a factor."""
        factor = np.ones(len(rows)) if scale is None else scale
        parts = []
        for each in self._sorted():
            place, picked = each.expand(rows)
            parts.append(each.terms.at(picked, place, factor[place]))
        return Expression(shape, self._blocks, self._constant[rows] * factor, parts)

    def _gather(self, to: np.ndarray, shape: tuple[int, ...]) -> Expression:
        """Sums of the polynomials that go to the same place."""
        size = int(np.prod(shape, dtype=np.int64))
        parts = [terms._replace(row=to[terms.row]) for terms in self.terms()]
        return Expression(shape, self._blocks, np.bincount(to, self._constant, size), parts)

    def _places(self) -> np.ndarray:
        return np.arange(self.size).reshape(self.shape)

    def _broadcast(self, shape: tuple[int, ...]) -> Expression:
        if shape == self.shape:
            return self
        return self._take(np.broadcast_to(self._places(), shape).ravel(), shape)

    @property
    def degree(self) -> int:
        """The most variables in a product, as it is written."""
        return max((terms.ids.shape[1] for terms in self.terms()), default=0)

    # ---- arrays ----

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("one polynomial has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Expression]:
        if self.ndim == 1:
            return (self._take(np.array([k]), ()) for k in range(len(self)))
        return (self[k] for k in range(len(self)))

    def __getitem__(self, key: Any) -> Expression:
        rows = self._places()[key]
        return self._take(np.atleast_1d(rows).ravel(), np.shape(rows))

    def reshape(self, *shape: Any) -> Expression:
        rows = self._places().reshape(*shape)
        return self._take(rows.ravel(), rows.shape)

    def transpose(self, *axes: Any) -> Expression:
        rows = self._places().transpose(*axes)
        return self._take(rows.ravel(), rows.shape)

    T = property(transpose)

    def sum(self, axis: Any = None, out: None = None, **given: Any) -> Expression:
        """The sum over all, or over one axis or several."""
        if out is not None or given:
            raise TypeError("sum takes an axis alone")
        axes = range(self.ndim) if axis is None else np.atleast_1d(axis).tolist()
        gone = {axis % self.ndim if -self.ndim <= axis < self.ndim else _no_axis(axis) for axis in axes}
        kept = tuple(n for k, n in enumerate(self.shape) if k not in gone)
        flat = [1 if k in gone else n for k, n in enumerate(self.shape)]
        to = np.arange(int(np.prod(kept, dtype=np.int64))).reshape(flat)
        return self._gather(np.broadcast_to(to, self.shape).ravel(), kept)

    def __array_function__(self, function: Any, types: Any, given: Any, keywords: Any) -> Any:
        if function is np.sum:
            return self.sum(*given[1:], **keywords)
        if function is np.dot and not keywords:
            return given[0] @ given[1] if min(np.ndim(given[0]), np.ndim(given[1])) else given[0] * given[1]
        if function in (np.shape, np.ndim, np.size):
            return {np.shape: self.shape, np.ndim: self.ndim, np.size: self.size}[function]
        raise TypeError(f"numpy.{function.__name__} does not take expressions; there are + - * / ** @, sum, T, "
                        "reshape and indices; with a sparse matrix M write x @ M.T for M @ x")

    # ---- operators ----

    def __neg__(self) -> Expression:
        return self * -1.0

    def __pos__(self) -> Expression:
        return self

    def __add__(self, other: Any) -> Expression:
        if not isinstance(other, Expression):
            numbers = _numbers(other)
            if numbers is None:
                return NotImplemented
            shape = _common_shape(self.shape, numbers.shape)
            wide = self._broadcast(shape)
            constant = wide._constant + np.broadcast_to(numbers, shape).ravel()
            return Expression(shape, self._blocks, constant, wide._parts, wide._used)
        shape = _common_shape(self.shape, other.shape)
        one, two = self._broadcast(shape), other._broadcast(shape)
        parts = one._parts if one._used == len(one._parts) else one._parts[:one._used]
        parts.extend(two._parts[:two._used])
        return Expression(shape, _union(one, two), one._constant + two._constant, parts)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Expression:
        return self + (other * -1.0 if isinstance(other, Expression) else -np.asarray(other))

    def __rsub__(self, other: Any) -> Expression:
        return -self + other

    def __mul__(self, other: Any) -> Expression:
        if isinstance(other, Expression):
            return _product(self, other)
        numbers = _numbers(other)
        if numbers is None:
            return NotImplemented
        shape = _common_shape(self.shape, numbers.shape)
        wide = self._broadcast(shape)
        factor = np.broadcast_to(numbers, shape).ravel()
        parts = [terms._replace(weight=terms.weight * factor[terms.row]) for terms in wide.terms()]
        return Expression(shape, self._blocks, wide._constant * factor, parts)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Expression:
        if isinstance(other, Expression):
            raise TypeError("a polynomial is not divided by a polynomial")
        return self * (1.0 / np.asarray(other, np.float64))

    def __pow__(self, power: int) -> Expression:
        times = _arrays.whole("power", power, 0, 64)
        made = Expression(self.shape, self._blocks, np.ones(self.size), [])
        for _ in range(times):
            made = made * self
        return made

    def __matmul__(self, other: Any) -> Expression:
        if isinstance(other, Expression):
            return _matrix_product(self, other)
        if self.ndim == 1:
            return _apply(_matrix(other).T, self)
        return _apply(_matrix(other).T, self.T).T

    def __rmatmul__(self, other: Any) -> Expression:
        return _apply(_matrix(other), self)

    # ---- constraints ----

    def __le__(self, other: Any) -> Constraint:
        return Constraint(self - other, "<=")

    def __ge__(self, other: Any) -> Constraint:
        return Constraint(self - other, ">=")

    def __eq__(self, other: Any) -> Constraint:  # type: ignore[override]
        return Constraint(self - other, "==")

    def __ne__(self, other: Any) -> Any:
        raise TypeError("!= makes no constraint; there are <=, == and >=")

    def __bool__(self) -> bool:
        raise TypeError("a polynomial has no truth value before the problem is solved")

    # ---- values ----

    def value(self, sample: Any) -> Any:
        """Its value where the variables have those of a dict by their names: a number, or an array of its shape."""
        known = {block: np.array([sample[name] for name in block.labels()], np.float64) for block in self._blocks}
        return self._value(known)

    def _value(self, known: dict[Block, np.ndarray]) -> Any:
        first, end = {}, 0
        for block in known:
            first[block], end = end, end + block.size
        values = np.concatenate(list(known.values()) or [np.empty(0)])
        out = self._constant.copy()
        for terms in self.numbered(first):
            out += np.bincount(terms.row, terms.weight * values[terms.ids].prod(1), self.size)
        return out.reshape(self.shape) if self.shape else float(out[0])

    def __repr__(self) -> str:
        count = sum(len(terms.weight) for terms in self.terms())
        shape = f" of shape {self.shape}" if self.shape else ""
        return f"<spinney.Expression{shape}: {count} terms of degree up to {self.degree}>"


def _no_axis(axis: Any) -> int:
    raise wrong("axis", f"there is no axis {axis}")


def _union(one: Expression, two: Expression) -> frozenset[Block]:
    return one._blocks if two._blocks <= one._blocks else one._blocks | two._blocks


def _numbers(value: Any) -> np.ndarray | None:
    """Numbers that an operator takes; None if it does not."""
    if _arrays.is_sparse(value):
        value = value.toarray()
    if isinstance(value, (str, bytes, dict, Constraint)):
        return None
    made = np.asarray(value)
    if made.dtype.kind not in "biuf":
        return None
    made = made.astype(np.float64)
    _arrays.finite("expression", made)
    return made


def _matrix(value: Any) -> Any:
    """A vector, a matrix or a sparse matrix of numbers."""
    if _arrays.is_sparse(value):
        return value
    made = _numbers(value)
    if made is None or made.ndim not in (1, 2):
        raise TypeError("@ needs a vector or a matrix of numbers, or an expression")
    return made


def _apply(matrix: Any, of: Expression) -> Expression:
    """matrix @ of: a matrix or a vector of numbers, and a vector or a matrix of polynomials."""
    if of.ndim not in (1, 2) or matrix.shape[-1] != of.shape[0]:
        raise ValueError(f"@: shapes {matrix.shape} and {of.shape} do not fit")
    columns = of.shape[1] if of.ndim == 2 else 1
    rows = matrix.shape[0] if len(matrix.shape) == 2 else 1
    if _arrays.is_sparse(matrix):
        entries = matrix.tocoo()
        i, j, weight = entries.row.astype(np.int64), entries.col.astype(np.int64), entries.data.astype(np.float64)
    else:
        i, j = np.nonzero(np.atleast_2d(matrix))
        weight = np.atleast_2d(matrix)[i, j]
    column = np.arange(columns)
    taken = (j[:, None] * columns + column).ravel()
    scaled = of._take(taken, taken.shape, np.repeat(weight, columns))
    shape = tuple(n for n, there in ((rows, len(matrix.shape) == 2), (columns, of.ndim == 2)) if there)
    return scaled._gather((i[:, None] * columns + column).ravel(), shape)


def _matrix_product(one: Expression, two: Expression) -> Expression:
    if not (1 <= one.ndim <= 2 and 1 <= two.ndim <= 2) or one.shape[-1] != two.shape[0]:
        raise ValueError(f"@: shapes {one.shape} and {two.shape} do not fit")
    if two.ndim == 1:
        return (one * two).sum(-1)
    return (one[..., None] * two).sum(-2)


def _product(one: Expression, two: Expression) -> Expression:
    """Element by element."""
    shape = _common_shape(one.shape, two.shape)
    one, two = one._broadcast(shape), two._broadcast(shape)
    parts = []
    for first in one.terms():
        parts.append(first._replace(weight=first.weight * two._constant[first.row]))
        for second in two._sorted():
            place, picked = second.expand(first.row)
            ids = np.concatenate([first.ids[place], second.terms.ids[picked]], axis=1)
            parts.append(Terms(first.row[place], ids, first.weight[place] * second.terms.weight[picked]))
    for terms in two.terms():
        parts.append(terms._replace(weight=terms.weight * one._constant[terms.row]))
    kept = [terms.at(terms.weight != 0, terms.row[terms.weight != 0]) for terms in parts]
    return Expression(shape, _union(one, two), one._constant * two._constant, kept)


class Constraint:
    """``expression <= number`` and the like, as ``Problem.subject_to`` takes them: one or an array of them."""

    __slots__ = ("difference", "sense")
    __array_ufunc__ = None

    def __init__(self, difference: Expression, sense: str) -> None:
        self.difference, self.sense = difference, sense  # difference <= 0, == 0 or >= 0

    def __bool__(self) -> bool:
        raise TypeError("a constraint has no truth value: give each of two bounds by itself, as "
                        "p.subject_to(e >= 1, e <= 3), not 1 <= e <= 3")

    def __repr__(self) -> str:
        return f"<spinney.Constraint: {self.difference!r} {self.sense} 0>"


def variables_of(block: Block) -> Expression:
    ids = np.arange(block.start, block.start + block.size)[:, None]
    terms = Terms(np.arange(block.size), ids, np.ones(block.size))
    return Expression(block.shape, frozenset([block]), np.zeros(block.size), [terms])


def binaries(name: str | Sequence[Any], shape: Any = ()) -> Expression:
    """Variables 0 and 1: x0, x1, ... for a name and their number, one by itself without a number, an array for a tuple;
    or those of a list of names.

    >>> import spinney
    >>> x = spinney.binaries("x", 40)
    >>> x[3] + 2 * x[:5].sum()
    <spinney.Expression: 6 terms of degree up to 1>
    """
    return variables_of(Block(name, shape, BINARY))


def spins(name: str | Sequence[Any], shape: Any = ()) -> Expression:
    """Variables -1 and +1, named as those of ``binaries``."""
    return variables_of(Block(name, shape, SPIN, -1, 1))


def integers(name: str | Sequence[Any], shape: Any = (), *, least: int = 0, most: int) -> Expression:
    """Whole numbers from ``least`` to ``most``, named as the variables of ``binaries``."""
    low = _arrays.whole("least", least, -2**53, 2**53)
    return variables_of(Block(name, shape, INTEGER, low, _arrays.whole("most", most, low + 1, 2**53)))
