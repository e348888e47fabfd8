"""Problems as people write them: variables, an objective, constraints and fixed values; and their solutions."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Hashable, NamedTuple, Sequence, cast

import numpy as np

from . import _arrays, _library
from ._handles import Handle, blame
from ._library import spinney
from .errors import wrong
from .expressions import BINARY, Block, Constraint, Expression, Terms, variables_of

if TYPE_CHECKING:
    from .solved import Solved

_FORMATS = {None: 0, "lp": 1, "coo": 3, "cnf": 4, "wcnf": 5}  # spn_program_format
_SENSES = {"<=": 0, "==": 1, ">=": 2}  # spn_sense


class ProgramHandle(Handle):
    _free = spinney.spn_program_free
    _object = _library.PROGRAM


class Problem:
    """An objective in variables, to be minimised or maximised, with constraints.

    >>> import spinney
    >>> x = spinney.binaries("x", 5)
    >>> p = spinney.Problem()
    >>> p.maximise([4, 2, 10, 1, 2] @ x)
    >>> p.subject_to([12, 1, 4, 1, 2] @ x <= 15, name="weight")
    >>> p.score({"x0": 0, "x1": 1, "x2": 1, "x3": 1, "x4": 1}).objective
    15.0

    model: what other packages have, taken as it is: a binary quadratic model or a constrained one of dimod's, or a dict
    of products of any degree, ``{("a", "b", "c"): 1.5, ("a",): -1, (): 2}``, whose variables are 0 and 1, or -1 and +1
    with vartype="SPIN".
    """

    def __init__(self, model: Any = None, vartype: str = "BINARY") -> None:
        self._set(ProgramHandle(_library.make(spinney.spn_program_create)))
        if model is not None:
            from . import _models

            _models.take(self, model, vartype)

    def _set(self, program: ProgramHandle) -> None:
        self._program = program
        self._first: dict[Block, int] = {}  # the number of its first variable
        self._places: dict[Hashable, tuple[Block, int]] = {}  # by the names of the variables, as they were given
        self._has_objective = False

    def _handle(self) -> ProgramHandle:
        return self._program

    # ---- variables ----

    @property
    def variables(self) -> Sequence[Hashable]:
        """The names of the variables, in the order in which the problem met them."""
        return tuple(self._places)

    def __getitem__(self, name: Hashable) -> Expression:
        """The variable of a name."""
        if name not in self._places:
            raise KeyError(f"there is no variable {name!r}")
        block, k = self._places[name]
        return variables_of(block).reshape(-1)[k]

    def _meet(self, blocks: Iterable[Block]) -> None:
        """Add the variables that are new."""
        for block in sorted(set(blocks) - self._first.keys(), key=lambda block: block.start):
            labels = block.labels()
            texts = (ctypes.c_char_p * block.size)(*(_text(label) for label in labels))
            _library.check(spinney.spn_program_add_variables, self._program.pointer, None, block.size, texts,
                           block.kind, block.least, block.most)
            self._first[block] = len(self._places)
            self._places.update((label, (block, k)) for k, label in enumerate(labels))

    def _number(self, expression: Expression) -> list[Terms]:
        """The terms of an expression, with its variables' numbers in this problem."""
        self._meet(expression._blocks)
        return expression.numbered(self._first)

    # ---- objective, constraints, fixed values ----

    def minimise(self, objective: Expression | float) -> None:
        """Give the objective, one polynomial."""
        self._set_objective(objective, False)

    def maximise(self, objective: Expression | float) -> None:
        """Give the objective, one polynomial, of which the largest value is sought."""
        self._set_objective(objective, True)

    minimize, maximize = minimise, maximise

    def _set_objective(self, objective: Any, maximise: bool) -> None:
        if self._has_objective:
            raise wrong("objective", "the problem has one already; give the sum of the two at once")
        if not isinstance(objective, Expression):
            objective = Expression((), frozenset(), np.array([_arrays.real("objective", objective)]), [])
        if objective.shape:
            raise wrong("objective", f"one polynomial is needed, not an array of shape {objective.shape}; take its "
                        "sum()")
        made = _Rows(self._number(objective), 1)
        with blame("objective"):
            _library.check(spinney.spn_program_add_objective, self._program.pointer, made.terms(),
                           float(objective._constant[0]))
        spinney.spn_program_set_maximise(self._program.pointer, maximise)
        self._has_objective = True

    def subject_to(self, *constraints: Constraint, name: str | None = None, weight: float | None = None) -> None:
        """Add constraints: comparisons of expressions, ``x.sum() == 10``, each one or an array of them.

        name: of the constraint, by which ``solution.violations`` reports it; those of an array get its places as
           ``binaries`` gives them to variables. Default: c and its number.
        weight: what a violation of 1 costs, for a constraint that may be broken. Default: it must hold.
        """
        for k, constraint in enumerate(constraints):
            if not isinstance(constraint, Constraint):
                raise wrong("constraints", f"a comparison of expressions is needed, not {constraint!r}; an expression "
                            "without variables is always true or always false")
            self._add(constraint, f"{name}_{k}" if name and len(constraints) > 1 else name, weight)

    def _add(self, constraint: Constraint, name: str | None, weight: float | None) -> None:
        difference = constraint.difference
        count = difference.size
        made = _Rows(self._number(difference), count)
        texts = None
        if name is not None:
            texts = (ctypes.c_char_p * count)(*map(_text, Block(name, difference.shape or (), BINARY).labels()))
        rights = np.ascontiguousarray(0.0 - difference._constant)
        senses = np.full(count, _SENSES[constraint.sense], np.intc)
        weights = None if weight is None else np.full(count, _arrays.real("weight", weight))
        with blame("constraints"):
            _library.check(spinney.spn_program_add_constraints, self._program.pointer, count, texts, made.terms(),
                           made.firsts.ctypes.data, senses.ctypes.data, rights.ctypes.data,
                           None if weights is None else weights.ctypes.data)

    def fix(self, variables: Any = None, values: Any = None, **named: int) -> None:
        """Fix variables: ``fix(x[:3], [1, 0, 1])``, ``fix({"x0": 1})`` or ``fix(x0=1)``."""
        if isinstance(variables, Expression):
            self._fix_numbers(variables, values)
            variables = {}
        for name, value in {**(variables or {}), **named}.items():
            self._fix_numbers(self[name], value)

    def _fix_numbers(self, variables: Expression, values: Any) -> None:
        parts = self._number(variables)
        given = np.broadcast_to(_arrays.array("values", values), variables.shape).ravel()
        if len(parts) != 1 or parts[0].ids.shape != (variables.size, 1) or variables._constant.any() or (
                parts[0].weight != 1).any() or len(set(parts[0].row.tolist())) != variables.size:
            raise wrong("variables", "variables are fixed, not polynomials of them")
        for row, number in zip(parts[0].row.tolist(), parts[0].ids[:, 0].tolist()):
            value = _arrays.whole("values", given[row].item(), -2**31, 2**31 - 1)
            with blame("values"):
                _library.check(spinney.spn_program_fix, self._program.pointer, number, value)

    # ---- solving ----

    def solve(self, **settings: Any) -> Solved:
        """Anneal the problem: ``p.solve(time=2)``. The settings are those of ``anneal``: time in seconds, reads,
        sweeps, rounds, penalty, replicas and gamma, beta, target, seed, threads; and observer, progress, checkpoint
        and so on.

        >>> import spinney
        >>> x = spinney.binaries("x", 5)
        >>> p = spinney.Problem()
        >>> p.maximise([4, 2, 10, 1, 2] @ x)
        >>> p.subject_to([12, 1, 4, 1, 2] @ x <= 15, name="weight")
        >>> result = p.solve()
        >>> result.objective, result.feasible
        (15.0, True)
        >>> result.sample
        {'x0': 0, 'x1': 1, 'x2': 1, 'x3': 1, 'x4': 1}
        """
        from ._typed import anneal

        return cast("Solved", anneal(problem=self, **settings))

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Write the problem to a file that ``anneal(problem=path)``, the program and, as LP, other solvers read.

        format: lp, coo, cnf or wcnf. Default: by the name (.coo, .cnf, .wcnf), else lp. What it cannot hold is an
           error that names it.
        """
        if format not in _FORMATS:
            raise wrong("format", f"{format!r} is not lp, coo, cnf or wcnf")
        options = _library.ProgramFiles(format=_FORMATS[format])
        with blame("problem"):
            _library.check(spinney.spn_program_write, self._program.pointer, os.fsencode(path),
                           ctypes.byref(options))

    # ---- values ----

    @property
    def constraints(self) -> tuple[str, ...]:
        """The names of the constraints."""
        return constraint_names(self._program.pointer)

    def score(self, sample: Any) -> Score:
        """What the problem is worth where the variables have given values, computed from scratch: a dict by their
        names, or an array in the order of ``variables``."""
        if isinstance(sample, Mapping):
            missing = next((name for name in self._places if name not in sample), None)
            if missing is not None:
                raise wrong("sample", f"there is no value of the variable {missing!r}")
            sample = [sample[name] for name in self._places]
        given = _arrays.array("sample", sample)
        values = np.ascontiguousarray(given, np.int32)
        if given.shape != (len(self._places),) or (values != given).any():
            raise wrong("sample", f"a whole number for each of {len(self._places)} variables is needed")
        return score_of(self._program.pointer, values)

    def __repr__(self) -> str:
        count = spinney.spn_program_constraints(self._program.pointer)
        return f"<spinney.Problem: {len(self._places)} variables, {count} constraints>"


class Score(NamedTuple):
    """What values of the variables are worth."""

    objective: float  # soft constraints count
    feasible: bool
    violation: float  # the sum over the constraints that must hold
    violations: dict[str, float]  # of each constraint, soft ones included


def constraint_names(program: int | None) -> tuple[str, ...]:
    """The names of the constraints of a problem in the library's memory."""
    view, names = _library.ConstraintView(), []
    for k in range(spinney.spn_program_constraints(program)):
        spinney.spn_program_constraint_sized(ctypes.byref(view), ctypes.sizeof(view), program, k)
        names.append(view.name.decode("utf-8", "replace"))
    return tuple(names)


def variable_names(program: int | None) -> tuple[str, ...]:
    """The names of its variables."""
    view, names = _library.VariableView(), []
    for k in range(spinney.spn_program_variables(program)):
        spinney.spn_program_variable_sized(ctypes.byref(view), ctypes.sizeof(view), program, k)
        names.append(view.name.decode("utf-8", "replace"))
    return tuple(names)


def score_of(program: int | None, values: np.ndarray) -> Score:
    """What the program is worth at values of the type int32."""
    names = constraint_names(program)
    out, violations = _library.Score(), np.zeros(len(names))
    with blame("sample"):
        _library.check(spinney.spn_program_score_sized, ctypes.byref(out), ctypes.sizeof(out),
                       violations.ctypes.data, program, values.ctypes.data)
    return Score(out.objective, out.feasible, out.violation, dict(zip(names, violations.tolist())))


def _text(label: Any) -> bytes:
    text = label if isinstance(label, str) else str(label)
    if "\0" in text:
        raise wrong("name", "a name cannot hold a zero byte")
    return text.encode()


class _Rows:
    """Terms in compressed rows, those of each polynomial together, as the library takes them."""

    def __init__(self, parts: list[Terms], count: int) -> None:
        row = np.concatenate([part.row for part in parts] or [np.empty(0, np.int64)])
        degree = np.repeat([part.ids.shape[1] for part in parts], [len(part.row) for part in parts]).astype(np.int64)
        flat = np.concatenate([part.ids.ravel() for part in parts] or [np.empty(0, np.int64)])
        weight = np.concatenate([part.weight for part in parts] or [np.empty(0)])
        if count > 1:
            begin = np.cumsum(degree) - degree
            order = np.argsort(row, kind="stable")
            row, degree, weight = row[order], degree[order], weight[order]
            shift = np.repeat(begin[order] - (np.cumsum(degree) - degree), degree)
            flat = flat[np.arange(len(flat)) + shift]
        self.coefficients = np.ascontiguousarray(weight, np.float64)
        self.starts = np.concatenate([[0], np.cumsum(degree)]).astype(np.uintp)
        self.variables = flat.astype(np.uint32)
        self.firsts = np.searchsorted(row, np.arange(count + 1)).astype(np.uintp)

    def terms(self) -> Any:
        return ctypes.byref(_library.TermArrays(
            count=len(self.coefficients), coefficients=self.coefficients.ctypes.data, starts=self.starts.ctypes.data,
            variables=self.variables.ctypes.data))
