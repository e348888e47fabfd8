"""Energies: functions on {-1,+1}^N to anneal, made from arrays, dicts, graphs or Python functions."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Hashable, Sequence

import numpy as np

from . import _arrays, _couplings, _library
from ._handles import Handle, blame
from ._library import spinney
from .errors import wrong

PATTERNS, COUPLINGS, CUT, TABLE, STATES = 0, 1, 2, 3, 4  # spn_problem_kind


class Problem(Handle):
    """What an energy is made of, in the library's memory."""

    _free = spinney.spn_problem_free
    _object = _library.PROBLEM

    @classmethod
    def of(cls, kind: int, sites: int, entries: np.ndarray, labels: np.ndarray | None = None) -> Problem:
        """A problem made from arrays, which are kept alive and not copied."""
        pointer = _library.make(spinney.spn_problem_create, kind, sites, len(entries), entries.ctypes.data,
                                None if labels is None else labels.ctypes.data, True)
        return cls(pointer, entries, labels)

    @property
    def held(self) -> _library.Problem:
        """What the library holds, valid as long as this object."""
        assert self.pointer is not None
        return _library.Problem.from_address(self.pointer)

    @property
    def sites(self) -> int:
        return self.held.sites

    @property
    def count(self) -> int:
        return self.held.count

    def edges(self) -> np.ndarray:
        """For couplings and graphs: i, j and weight of each, without a copy."""
        return _arrays.view(self.held.edges, (self.count,), _couplings.EDGE, self)

    def rows(self) -> np.ndarray:
        """For patterns and states: one per row, without a copy."""
        return _arrays.view(self.held.rows, (self.count, self.sites), np.int8, self)


def states_problem(name: str, value: Any, binary: bool = False) -> Problem:
    """States as a problem, for a setting that names a file of states: one state, or one per row."""
    made = _arrays.array(name, value)
    if made.ndim == 1:
        made = made[np.newaxis, :]
    rows = _arrays.spins(name, made, 2, "a state, or one in each row,", binary)
    return Problem.of(STATES, rows.shape[1], rows)


class ForCalls:
    """Texts of settings, names and texts in turns, each ended by a zero byte; and objects in place of files, by the
    settings that name these."""

    __slots__ = ("texts", "given", "objects", "handles")

    def __init__(self, texts: bytes, given: tuple[tuple[bytes, Handle], ...]) -> None:
        self.texts, self.given = texts, given
        self.handles = tuple(handle for _, handle in given)
        made = [_library.Object(name, handle.pointer, handle._object) for name, handle in given]
        self.objects = (_library.Object * len(made))(*made)


class Energy:
    """An energy of N spins.

    ``sites`` is N; ``variables`` are the names of the spins, by default 0 to N - 1; ``binary`` says whether states
    are written with 0 and 1 instead of -1 and +1.

    An energy never changes, so threads can share it. Contiguous arrays of doubles, or of bytes for spins, are not
    copied: do not change them while the energy exists.
    """

    kind: str
    binary = False

    def __init__(self) -> None:
        raise TypeError("Energy cannot be made by itself; make an Ising, QUBO, MaxCut, Perceptron, ...")

    # What a task is given: texts of settings, and objects in place of files.
    def _texts(self) -> dict[str, str]:
        return {}

    def _gives(self) -> dict[str, Handle]:
        return {"energy": self._handle()}

    def _handle(self) -> EnergyHandle:
        """The energy in the library's memory, created on first use."""
        raise NotImplementedError

    def _begin(self) -> None:
        """A run of this energy begins."""

    def _end(self) -> BaseException | None:
        """It has ended; what a Python function raised while the library called it."""
        return None

    @property
    def sites(self) -> int:
        return spinney.spn_energy_sites(self._handle().pointer)

    @property
    def variables(self) -> Sequence[Hashable]:
        return range(self.sites)

    @cached_property
    def _for_calls(self) -> ForCalls:
        """What a call receives; made once, since an energy never changes."""
        texts = b"".join(b"%b\0%b\0" % (name.encode(), text.encode()) for name, text in self._texts().items())
        return ForCalls(texts, tuple((name.encode(), handle) for name, handle in self._gives().items()))

    def __call__(self, states: Any) -> Any:
        """The energy of a state, or of each row of an array of states, computed from scratch.

        A state may also be a dict of the values of all variables, as ``result.sample`` is, and states a list of such
        dicts, a DataFrame with a column for each variable, or a sample set."""
        made = _arrays.array("states", self._by_name("states", states))
        rows = _arrays.spins("states", made, max(made.ndim, 1), "states", self.binary)
        if rows.ndim > 2 or rows.shape[-1] != self.sites:
            raise wrong("states", f"states of {self.sites} spins are needed, and these are of shape {made.shape}")
        values = self._values(rows.reshape(-1, self.sites))
        return values if rows.ndim == 2 else float(values[0])

    def _by_name(self, name: str, states: Any) -> Any:
        """States whose values have names, as rows of values."""
        if hasattr(states, "record") and hasattr(states, "variables"):
            states = states.samples(sorted_by=None)
        if _arrays.is_frame(states) and list(states.columns) != list(range(states.shape[1])):
            states = states.to_dict("records")
        if isinstance(states, Mapping):
            return self._row(name, states)
        if isinstance(states, Sequence) and len(states) and all(isinstance(state, Mapping) for state in states):
            return [self._row(name, state) for state in states]
        return states

    def _row(self, name: str, state: Mapping[Hashable, Any]) -> list[Any]:
        variables = self.variables
        missing = next((v for v in variables if v not in state), None)
        if missing is not None:
            raise wrong(name, f"there is no value of the variable {missing!r}")
        if len(state) != len(variables):
            known = set(variables)
            raise wrong(name, f"{next(v for v in state if v not in known)!r} is no variable of this energy")
        return [state[v] for v in variables]

    def _values(self, rows: np.ndarray) -> np.ndarray:
        pointer, first, sites = self._handle().pointer, rows.ctypes.data, self.sites
        return np.array([spinney.spn_energy_value(pointer, first + k * sites) for k in range(len(rows))])

    def __repr__(self) -> str:
        return f"<spinney.{type(self).__name__}: {self.sites} spins>"


class EnergyHandle(Handle):
    _free = spinney.spn_energy_free
    _object = _library.ENERGY


class _OfProblem(Energy):
    """An energy of a problem; the task creates it by name, as the program does."""

    _setting: str  # that names the problem's file

    def __init__(self, kind: str, problem: Problem, variables: list[Hashable] | None = None,
                 **options: Any) -> None:
        self.kind = kind
        self._problem = problem
        self._variables = None if variables is None or _couplings.is_plain(variables) else variables
        self._options = options
        self._made: EnergyHandle | None = None
        self._sites = 0  # not asked for yet

    def _texts(self) -> dict[str, str]:
        return {"energy": self.kind}

    def _gives(self) -> dict[str, Handle]:
        return {self._setting: self._problem}

    def _handle(self) -> EnergyHandle:
        if self._made is None:
            options = _library.EnergyOptions(**{"kappa": math.nan, **self._options})
            pointer = _library.make(spinney.spn_energy_create_as, self.kind.encode(), self._problem.pointer,
                                    ctypes.byref(options))
            self._made = EnergyHandle(pointer, self._problem)
        return self._made

    @property
    def variables(self) -> Sequence[Hashable]:
        return range(self.sites) if self._variables is None else self._variables


class _Quadratic(_OfProblem):
    _setting = "graph"
    _kind = COUPLINGS

    def _set(self, name: str, made: _couplings.Couplings, offset: Any) -> None:
        if made.sites < 1:
            raise wrong(name, "is empty: an energy has one variable at least")
        number = _arrays.real("offset", offset)
        edges = made.edges if len(made.edges) else self._nothing(name, made.sites)
        with blame(name):
            problem = Problem.of(self._kind, made.sites, edges)
        if number:
            _library.check(spinney.spn_problem_set_offset, problem.pointer, number)
        super().__init__(self.kind, problem, made.variables)
        names = [str(v) for v in self._variables or ()]  # files have texts
        if all(v and "\0" not in v for v in names) and 0 < len(names) == len(set(names)):
            texts = (ctypes.c_char_p * len(names))(*(v.encode() for v in names))
            _library.check(spinney.spn_problem_set_names, problem.pointer, texts)

    @property
    def sites(self) -> int:
        if not self._sites:
            self._sites = self._problem.sites
        return self._sites

    def _nothing(self, name: str, sites: int) -> np.ndarray:
        """A field of 0 for variables without terms: the library needs at least one entry."""
        return _couplings.edges([0], [0], [0.0])

    @property
    def offset(self) -> float:
        """The constant added to every energy."""
        return self._problem.held.offset

    def edges(self) -> np.ndarray:
        """The couplings: i, j and weight of each; i = j is a field. They belong to the energy."""
        return self._problem.edges()

    def __reduce__(self) -> Any:
        return _again, (type(self), np.array(self.edges()), list(self.variables), self.sites, self.offset)

    def __repr__(self) -> str:
        return f"<spinney.{type(self).__name__}: {self.sites} variables, {self._problem.count} couplings>"


def _again(kind: type[_Quadratic], edges: np.ndarray, variables: list[Hashable], sites: int,
           offset: float) -> _Quadratic:
    made = kind.__new__(kind)
    made._set("edges", _couplings.Couplings(edges, variables, sites), offset)
    return made


class Ising(_Quadratic):
    """The energy ``sum J[i, j] s_i s_j + sum h[i] s_i + offset`` of spins -1 and +1.

    h: fields, a dict {variable: field} or a sequence; None for no fields.
    J: couplings, a dict {(u, v): coupling}, a list of (u, v, coupling), a dense or sparse matrix, or a networkx graph
    with the attribute ``weight`` (default 1). All entries of a pair add up: with a symmetric matrix each pair has
    J[i, j] + J[j, i], as in ``s @ J @ s``.

    >>> import spinney
    >>> ring = spinney.Ising({}, {("a", "b"): -1, ("b", "c"): -1, ("c", "a"): 1})
    >>> ring([1, 1, 1])
    -1.0
    """

    kind = "ising"

    def __init__(self, h: Any = None, J: Any = None, offset: float = 0.0) -> None:
        self._set("h, J", _ising(h, J), offset)


class QUBO(_Quadratic):
    """The energy ``sum Q[i, j] x_i x_j + offset`` of variables 0 and 1, over all entries of Q, as ``x @ Q @ x``.

    Q: a dict {(u, v): value}, with (u, u) for linear terms, a list of (u, v, value), or a dense or sparse matrix.

    >>> import spinney
    >>> q = spinney.QUBO({("a", "a"): -1, ("b", "b"): -1, ("a", "b"): 2})
    >>> q([1, 0])
    -1.0
    """

    kind = "qubo"
    binary = True

    def __init__(self, Q: Any, offset: float = 0.0) -> None:
        self._set("Q", _couplings.of("Q", Q), offset)


class MaxCut(_Quadratic):
    """Minus the weight of the cut that the signs of the nodes' spins make in a graph.

    graph: a networkx graph with the attribute ``weight`` (default 1); a symmetric matrix, dense or sparse, whose
       entry [i, j] is the weight of an edge; a dict {(u, v): weight}; or a list of tuples (u, v) or (u, v, weight).

    >>> import spinney
    >>> triangle = spinney.MaxCut([(0, 1), (1, 2), (0, 2)])
    >>> triangle([1, -1, 1])
    -2.0
    """

    kind = "maxcut"
    _kind = CUT

    def __init__(self, graph: Any, offset: float = 0.0) -> None:
        made = _couplings.of("graph", graph)
        loops = made.edges["i"] == made.edges["j"]
        if loops.any():
            at = int(made.edges["i"][loops][0])
            node = made.variables[at] if made.variables else at
            raise wrong("graph", f"node {node!r} has an edge to itself, which is in no cut")
        if made.variables is None or _arrays.is_frame(graph):  # a matrix: each edge is there twice
            made = made._replace(edges=_upper("graph", made))
        self._set("graph", made, offset)

    def _nothing(self, name: str, sites: int) -> np.ndarray:
        if sites < 2:
            raise wrong(name, "has one node, and so no cut")
        return _couplings.edges([0], [1], [0.0])


def _upper(name: str, made: _couplings.Couplings) -> np.ndarray:
    """The upper triangle of a symmetric matrix."""
    edges = made.edges
    upper, lower = edges[edges["i"] < edges["j"]], edges[edges["i"] > edges["j"]]
    turned = _couplings.edges(lower["j"], lower["i"], lower["weight"])
    upper, turned = np.sort(upper, order=["i", "j"]), np.sort(turned, order=["i", "j"])
    if len(upper) != len(turned) or not np.array_equal(upper, turned):
        raise wrong(name, "the matrix of a graph is symmetric, and this one is not")
    return upper


def _ising(h: Any, J: Any) -> _couplings.Couplings:
    """Fields and couplings together; labels and numbers may be mixed."""
    pairs = _couplings.Couplings(np.empty(0, _couplings.EDGE), [], 0) if J is None else _couplings.of("J", J)
    loops = pairs.edges["i"] == pairs.edges["j"]
    if loops.any():
        at = int(pairs.edges["i"][loops][0])
        label = pairs.variables[at] if pairs.variables is not None else at
        raise wrong("J", f"couples {label!r} to itself; fields go into h")
    fields, keys = _fields(h)
    if keys is None and pairs.variables is None:
        if h is not None and len(fields) != pairs.sites:
            raise wrong("h", f"has {len(fields)} fields for the {pairs.sites} variables of J")
        variables, sites = None, pairs.sites
    elif keys is None and h is not None:
        variables, sites = None, len(fields)
        pairs = _by_number("J", pairs, sites)
    elif pairs.variables is None:
        variables, sites = None, pairs.sites
        keys = _within("h", keys or [], sites)
    else:
        variables = _couplings.order("h, J", (keys or []) + pairs.variables)
        sites = len(variables)
        pairs = _renumber(pairs, variables)
    if keys:
        place = {v: k for k, v in enumerate(range(sites) if variables is None else variables)}
        of = np.fromiter((place[v] for v in keys), np.uint32, len(keys))
    else:
        of = np.arange(len(fields), dtype=np.uint32)
    kept = fields != 0
    linear = _couplings.edges(of[kept], of[kept], fields[kept])
    return _couplings.Couplings(np.concatenate([linear, pairs.edges]), variables, sites)


def _fields(h: Any) -> tuple[np.ndarray, list[Any] | None]:
    """The fields, and the variables that they are of; None: 0, 1, 2, ..."""
    if h is None:
        return np.empty(0), []
    if isinstance(h, Mapping) or hasattr(h, "to_dict"):  # a pandas Series has names, too
        h = h if isinstance(h, Mapping) else h.to_dict()
        return _couplings.weigh("h", list(h), list(h.values())), list(h)
    made = _arrays.array("h", h)
    if made.ndim == 1 and made.size == 0:  # as of a problem without fields
        return np.empty(0), []
    fields = _arrays.numbers("h", made, 1, "one field for each variable")
    _arrays.finite("h", fields)
    return fields, None


def _within(name: str, keys: list[Any], sites: int) -> list[int]:
    for key in keys:
        if isinstance(key, bool) or not isinstance(key, (int, np.integer)) or not 0 <= key < sites:
            raise wrong(name, f"{key!r} is no variable: they are 0 to {sites - 1}")
    return [int(key) for key in keys]


def _by_number(name: str, pairs: _couplings.Couplings, sites: int) -> _couplings.Couplings:
    """Couplings whose labels are numbers of variables."""
    if pairs.variables is None:
        return pairs
    numbers = np.array(_within(name, pairs.variables, sites), np.uint32)
    return _moved(pairs, numbers, sites)


def _renumber(pairs: _couplings.Couplings, variables: list[Hashable]) -> _couplings.Couplings:
    assert pairs.variables is not None
    place = {v: k for k, v in enumerate(variables)}
    numbers = np.fromiter((place[v] for v in pairs.variables), np.uint32, len(pairs.variables))
    return _moved(pairs, numbers, len(variables))


def _moved(pairs: _couplings.Couplings, numbers: np.ndarray, sites: int) -> _couplings.Couplings:
    if not len(numbers):
        return pairs._replace(sites=sites)
    moved = _couplings.edges(numbers[pairs.edges["i"]], numbers[pairs.edges["j"]], pairs.edges["weight"])
    return pairs._replace(edges=moved, sites=sites)


class Perceptron(_OfProblem):
    """Patterns of -1 and +1 with labels -1 and +1, to be classified by N one-bit weights.

    patterns: an array of P rows of N values; labels: one for each pattern.
    energy: errors (the number of wrong patterns), bits, bits-strict, product, symmetric, logistic, ...
    kappa: the threshold of the stabilities x/sqrt(N); None for the energy's default.

    >>> import spinney
    >>> p = spinney.Perceptron([[1, 1, -1], [1, -1, -1]], [1, -1])
    >>> p([1, 1, 1]), p([-1, 1, 1])
    (0.0, 1.0)
    """

    _setting = "patterns"

    def __init__(self, patterns: Any, labels: Any, energy: str = "errors", kappa: float | None = None) -> None:
        super().__init__(_word("energy", energy), _patterns(patterns, labels), **_kappa(kappa))

    @classmethod
    def random(cls, sites: int, patterns: int | None = None, *, alpha: float | None = None, seed: int = 1,
               energy: str = "errors", kappa: float | None = None, teacher: bool = False) -> Perceptron:
        """Random patterns: a given number of them, or alpha * sites; with teacher, a random teacher labels them."""
        return cls._draw(sites, patterns, alpha, seed, teacher, energy, _kappa(kappa))

    @classmethod
    def _draw(cls, sites: Any, patterns: Any, alpha: Any, seed: Any, teacher: Any, energy: Any,
              options: dict[str, Any]) -> Any:
        made = cls.__new__(cls)
        problem = _random_patterns(sites, patterns, alpha, seed, 1 if teacher else 0, options)
        _OfProblem.__init__(made, _word("energy", energy), problem, **options)
        random = f"{int(sites)},{problem.count},{seed}"
        made._drawn = {"random": random, "teacher": "true"} if teacher else {"random": random}
        return made

    # Random patterns are drawn again by the task, which then knows of their teacher.
    _drawn: dict[str, str] | None = None

    def _gives(self) -> dict[str, Handle]:
        return super()._gives() if self._drawn is None else {}

    def _texts(self) -> dict[str, str]:
        texts = {**super()._texts(), **(self._drawn or {})}
        if "kappa" in self._options:
            texts["kappa"] = repr(self._options["kappa"])
        return texts

    @property
    def patterns(self) -> np.ndarray:
        """The patterns, one in each row, as int64."""
        return _arrays.wide("patterns", self._problem.rows())

    @property
    def labels(self) -> np.ndarray:
        """Their labels."""
        return _arrays.wide("labels", self._signs())

    def _signs(self) -> np.ndarray:
        return _arrays.view(self._problem.held.labels, (self._problem.count,), np.int8, self._problem)

    @property
    def teacher(self) -> np.ndarray | None:
        """The planted weights of random patterns with a teacher."""
        address = self._problem.held.teacher
        if not address:
            return None
        return _arrays.wide("teacher", _arrays.view(address, (self.sites,), np.int8, self._problem))

    def _arguments(self) -> tuple[Any, ...]:
        """What makes it again of its patterns and labels."""
        return self.kind, self._options.get("kappa")

    def __reduce__(self) -> Any:
        if self._drawn is not None:  # so that the teacher is drawn again, too
            sites, count, seed = map(int, self._drawn["random"].split(","))
            return _drawn_again, (type(self), sites, count, seed, "teacher" in self._drawn, self.kind, self._options)
        return type(self), (np.array(self._problem.rows()), np.array(self._signs()), *self._arguments())


class Committee(Perceptron):
    """Patterns to be classified by the majority of K hidden perceptrons.

    units: K, odd; tree: each unit sees its own share of the inputs; energy: committee (the number of wrong
    patterns) or committee-units. ``Committee.random`` draws the patterns.

    >>> import spinney
    >>> c = spinney.Committee([[1, 1, -1], [1, -1, -1]], [1, -1], units=3)
    >>> c.sites
    9
    """

    def __init__(self, patterns: Any, labels: Any, units: int = 3, tree: bool = False,
                 energy: str = "committee") -> None:
        _OfProblem.__init__(self, _word("energy", energy), _patterns(patterns, labels), **_units(units, tree))

    @classmethod
    def random(cls, sites: int, patterns: int | None = None, *,  # type: ignore[override]
               alpha: float | None = None, seed: int = 1, units: int = 3, tree: bool = False,
               energy: str = "committee", teacher: bool = False) -> Committee:
        """Random patterns for ``sites`` weights: a given number of them, or alpha * sites; with teacher, a random
        committee labels them. A unit has sites / units weights."""
        return cls._draw(sites, patterns, alpha, seed, teacher, energy, _units(units, tree))

    def _texts(self) -> dict[str, str]:
        texts = {**super()._texts(), "units": str(self._options["units"])}
        return {**texts, "tree": "true"} if self._options["tree"] else texts

    def _arguments(self) -> tuple[Any, ...]:
        return self._options["units"], self._options["tree"], self.kind


def _units(units: Any, tree: Any) -> dict[str, Any]:
    return {"units": _arrays.whole("units", units, 1, 10**6), "tree": bool(tree)}


def _drawn_again(kind: type[Perceptron], sites: int, count: int, seed: int, teacher: bool, energy: str,
                 options: dict[str, Any]) -> Perceptron:
    return kind._draw(sites, count, None, seed, teacher, energy, options)


def _word(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value or "\0" in value:
        raise wrong(name, f"the name of an energy is needed, not {value!r}")
    return value


def _kappa(kappa: Any) -> dict[str, Any]:
    return {} if kappa is None else {"kappa": _arrays.real("kappa", kappa)}


def _patterns(patterns: Any, labels: Any) -> Problem:
    rows = _arrays.spins("patterns", patterns, 2, "a pattern in each row")
    signs = _arrays.spins("labels", labels, 1, "a label for each pattern")
    count, sites = rows.shape
    if len(signs) != count:
        raise wrong("labels", f"there are {len(signs)} for {count} patterns")
    return Problem.of(PATTERNS, sites, rows, signs)


def _random_patterns(sites: Any, patterns: Any, alpha: Any, seed: Any, planting: int,
                     options: dict[str, Any]) -> Problem:
    number = _arrays.whole("sites", sites, 1, 2**32 - 1)
    if (patterns is None) == (alpha is None):
        raise wrong("patterns", "give the number of patterns, or alpha, their number for each spin")
    if patterns is None:
        density = _arrays.real("alpha", alpha)
        if density <= 0:
            raise wrong("alpha", f"{density} is not above 0")
        count = math.floor(density * number + 0.5)
    else:
        count = _arrays.whole("patterns", patterns, 1)
    committee = {name: options[name] for name in ("units", "tree") if name in options}
    if number % options.get("units", 1):
        raise wrong("sites", f"{number} weights cannot be shared by {options['units']} units of the same size")
    inputs = number if options.get("tree", True) else number // options["units"]
    how = _library.RandomPatterns(sites=inputs, count=count, planting=planting,
                                  seed=_arrays.whole("seed", seed, 0, 2**64 - 1), **committee)
    return Problem(_library.make(spinney.spn_problem_random_patterns_as, ctypes.byref(how)))


class Table(_OfProblem):
    """A list of 2^N energies, one for each state; spin i of state k is +1 if bit i of k is set.

    >>> import spinney
    >>> t = spinney.Table([0, 1, 1, -2])
    >>> t([1, 1])
    -2.0
    """

    _setting = "table"

    def __init__(self, energies: Any) -> None:
        values = _arrays.numbers("energies", energies, 1, "one energy for each state")
        sites = len(values).bit_length() - 1
        if len(values) != 1 << sites or sites < 1:
            raise wrong("energies", f"2, 4, 8, ... of them are needed, and there are {len(values)}")
        with blame("energies"):
            problem = Problem.of(TABLE, sites, values)
        super().__init__("table", problem)

    @property
    def energies(self) -> np.ndarray:
        """The listed energies; they belong to the energy."""
        address = self._problem.held.energies
        return _arrays.view(address, (1 << self._problem.sites,), np.float64, self._problem)

    def __reduce__(self) -> Any:
        return type(self), (np.array(self.energies),)


class Distance(_OfProblem):
    """The Hamming distance to the nearest of some states, one per row.

    >>> import spinney
    >>> spinney.Distance([[1, 1, 1], [-1, -1, -1]])([1, 1, -1])
    1.0
    """

    _setting = "minima"

    def __init__(self, minima: Any) -> None:
        super().__init__("distance", states_problem("minima", minima))

    def __reduce__(self) -> Any:
        return type(self), (np.array(self._problem.rows()),)
