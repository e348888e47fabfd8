"""Couplings from dicts, matrices, lists of edges and graphs: one array of edges, and the variables' names."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, Hashable, NamedTuple

import numpy as np

from . import _arrays
from .errors import wrong

EDGE = np.dtype([("i", np.uint32), ("j", np.uint32), ("weight", np.float64)])
MOST_SITES = 2**32 - 1


class Couplings(NamedTuple):
    edges: np.ndarray  # of EDGE; i = j is a field
    variables: list[Hashable] | None  # None: they are 0 .. sites - 1
    sites: int


def edges(i: Any, j: Any, weight: Any) -> np.ndarray:
    made = np.empty(len(weight), EDGE)
    made["i"], made["j"], made["weight"] = i, j, weight
    return made


def of(name: str, value: Any) -> Couplings:
    """Couplings from a dict {(u, v): weight}, a list of tuples (u, v) or (u, v, weight), a networkx graph, or a
    square matrix, dense or sparse. All entries of a pair add up."""
    if _arrays.is_graph(value):
        return _of_pairs(name, *_graph_pairs(name, value), list(value.nodes))
    if isinstance(value, Mapping):
        return _of_pairs(name, list(value), list(value.values()))
    if _arrays.is_frame(value):
        return _of_frame(name, value)
    if isinstance(value, (list, tuple, set, frozenset)) and all(type(e) is tuple for e in value):
        return _of_pairs(name, *_list_pairs(name, list(value)))
    if isinstance(value, (str, bytes)):
        raise wrong(name, "a dict, a matrix, a list of tuples or a graph is needed, not a text; "
                    "a file is given as graph=PATH to a task")
    return _of_matrix(name, value)


def _of_frame(name: str, value: Any) -> Couplings:
    """A square matrix with the names of its rows and columns, in any order."""
    rows, columns = list(value.index), list(value.columns)
    if len(set(rows)) != len(rows) or len(rows) != len(columns) or set(rows) != set(columns):
        raise wrong(name, "the names of a table's rows are those of its columns, each once; "
                    f"the rows are {_short(rows)}, and the columns {_short(columns)}")
    return _of_matrix(name, value[rows].to_numpy())._replace(variables=rows)


def _short(names: list[Any]) -> str:
    return ", ".join(map(repr, names[:4])) + (", ..." if len(names) > 4 else "")


def _of_matrix(name: str, value: Any) -> Couplings:
    if _arrays.is_sparse(value):
        matrix = value.tocoo()
        i, j, weight = matrix.row, matrix.col, _arrays.array(name, matrix.data)
        if weight.dtype.kind not in "biuf":
            raise wrong(name, f"numbers are needed, and these are of type {weight.dtype}")
        weight = weight.astype(np.float64, copy=False)
        rows, columns = matrix.shape
    else:
        dense = _arrays.numbers(name, value, 2, "a square matrix")
        rows, columns = dense.shape
        i, j = np.nonzero(dense)
        weight = dense[i, j]
    if rows != columns or rows == 0:
        raise wrong(name, f"a square matrix is needed, and this has {rows} rows and {columns} columns")
    _arrays.finite(name, weight, lambda place: f"entry [{i[place]}, {j[place]}] ")
    return Couplings(edges(i, j, weight), None, rows)


def _graph_pairs(name: str, graph: Any) -> tuple[list[Any], list[Any]]:
    pairs, weights = [], []
    for u, v, weight in graph.edges(data="weight", default=1):
        pairs.append((u, v))
        weights.append(weight)
    return pairs, weights


def _list_pairs(name: str, given: list[tuple[Any, ...]]) -> tuple[list[Any], list[Any]]:
    for k, edge in enumerate(given):
        if len(edge) not in (2, 3):
            raise wrong(name, f"edge {k} has {len(edge)} items; (u, v) or (u, v, weight) is needed")
    return [edge[:2] for edge in given], [edge[2] if len(edge) == 3 else 1 for edge in given]


def _of_pairs(name: str, pairs: list[Any], weights: list[Any], nodes: list[Hashable] | None = None) -> Couplings:
    for pair in pairs:
        if type(pair) is not tuple or len(pair) != 2:
            raise wrong(name, f"{pair!r} is no pair (u, v)")
    weight = weigh(name, pairs, weights)
    flat = list(chain.from_iterable(pairs))
    variables = order(name, flat if nodes is None else nodes)
    i, j = number(flat, variables)
    return Couplings(edges(i, j, weight), variables, len(variables))


def weigh(name: str, keys: list[Any], weights: list[Any]) -> np.ndarray:
    """The weights of keys as doubles, finite."""
    for key, weight in zip(keys, weights):
        if isinstance(weight, (bool, np.bool_)) or not isinstance(weight, (int, float, np.number)) or isinstance(
            weight, (complex, np.complexfloating)
        ):
            raise wrong(name, f"{key!r} has {weight!r}; a number is needed")
    try:
        made = np.fromiter(map(float, weights), np.float64, len(weights))
    except OverflowError:
        raise wrong(name, "a number is too large for a double") from None
    _arrays.finite(name, made, lambda place: f"{keys[place[0]]!r} ")
    return made


def order(name: str, given: list[Hashable]) -> list[Hashable]:
    """The variables in order: sorted if all are whole numbers, else by first appearance."""
    try:
        distinct = list(dict.fromkeys(given))
    except TypeError as error:
        raise wrong(name, f"a variable cannot be the key of a dict ({error})") from None
    if all(isinstance(v, (int, np.integer)) and not isinstance(v, bool) for v in distinct):
        distinct.sort()
    if len(distinct) > MOST_SITES:
        raise wrong(name, f"{len(distinct)} variables are more than {MOST_SITES}")
    return distinct


def number(flat: list[Hashable], variables: list[Hashable]) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of the two ends of each pair, from a list of all ends."""
    place = {variable: k for k, variable in enumerate(variables)}
    numbered = np.fromiter((place[v] for v in flat), np.uint32, len(flat))
    return numbered[0::2], numbered[1::2]


def is_plain(variables: list[Hashable]) -> bool:
    """Whether they are the numbers 0, 1, 2, ..."""
    return all(type(v) is not bool and v == k for k, v in enumerate(variables)) and all(
        isinstance(v, (int, np.integer)) for v in variables
    )
