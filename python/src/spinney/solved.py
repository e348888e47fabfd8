"""What a run found of a problem with constraints: the solutions, best first."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Hashable, NamedTuple, overload

import numpy as np

from . import _library
from ._library import lab
from .errors import Error
from .problem import Problem, score_of, variable_names
from .results import OF_TASK

if TYPE_CHECKING:
    from ._typed import AnnealResult as _AnnealResult
else:
    _AnnealResult = OF_TASK["anneal"]


# Means over changed worlds (``rank_changes``, ``rank_noise``, ``rank="robust"``), and their standard errors.
ROBUST = ("objective", "objective_error", "feasible", "feasible_error", "violation", "violation_error")


class Solution(NamedTuple):
    """One of the distinct solutions."""

    sample: dict[Hashable, int]  # by the names of the variables
    objective: float  # soft constraints count
    violation: float  # the sum over the constraints that must hold; 0: feasible
    reads: int  # whose best solution it is
    distance: int  # variables that have other values than in the best solution
    robust: dict[str, float] | None = None  # how it fares in a changed world, if that was measured: ROBUST

    @property
    def feasible(self) -> bool:
        """Whether every constraint that must hold does."""
        return self.violation == 0


class Solutions(Sequence[Solution]):
    """Solutions, each once: feasible ones by objective, then others by violation. Also as columns: ``values`` (one row
    for each, int32), ``objectives``, ``violations``, ``reads``, ``distances``, and ``robust`` (a dict of columns), None
    unless it was measured how they fare in a changed world; with ``rank="robust"`` they are in that order."""

    def __init__(self, variables: Sequence[Hashable], columns: dict[str, np.ndarray]) -> None:
        self.variables = variables
        self.values, self.objectives, self.violations = columns["values"], columns["objectives"], columns["violations"]
        self.reads, self.distances = columns["counts"], columns["distances"]
        self.robust = dict(zip(ROBUST, columns["robust"].T)) if len(columns["robust"]) else None

    def __len__(self) -> int:
        return len(self.objectives)

    @overload
    def __getitem__(self, k: int) -> Solution: ...

    @overload
    def __getitem__(self, k: slice) -> list[Solution]: ...

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        return Solution(dict(zip(self.variables, self.values[k].tolist())), float(self.objectives[k]),
                        float(self.violations[k]), int(self.reads[k]), int(self.distances[k]),
                        {name: float(column[k]) for name, column in self.robust.items()} if self.robust else None)

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each solution."""
        try:
            import pandas
        except ImportError:
            raise Error("to_pandas needs pandas, which is not installed") from None
        frame = pandas.DataFrame({"objective": self.objectives, "feasible": self.violations == 0, "violation":
                                  self.violations, "reads": self.reads, "distance": self.distances})
        for name, column in (self.robust or {}).items():
            frame["robust_" + name] = column
        return frame.join(pandas.DataFrame(self.values, columns=list(self.variables)))

    def __repr__(self) -> str:
        return f"<{len(self)} solutions of {len(self.variables)} variables>"


class Solved(_AnnealResult):
    """What a run of anneal found of a problem with constraints."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        found = _library.AnswerArrays()
        call = self._live()
        lab.spn_call_answers(ctypes.byref(found), call)
        shapes = {"objectives": np.float64, "violations": np.float64, "counts": np.uint64, "distances": np.uint64}
        columns = {name: np.empty(found.count, kind) for name, kind in shapes.items()}
        columns["values"] = np.empty((found.count, found.variables), np.int32)
        columns["robust"] = np.empty((found.count if found.is_shaken else 0, len(ROBUST)))
        for name, column in columns.items():
            setattr(found, name, column.ctypes.data)
        lab.spn_call_answers(ctypes.byref(found), call)
        for column in columns.values():
            column.flags.writeable = False
        problem = self._given.get("problem")
        names: Sequence[Hashable] = ()
        if found.program:
            names = problem.variables if isinstance(problem, Problem) else variable_names(found.program)
        self.solutions = Solutions(names, columns)
        self._violations = score_of(found.program, columns["values"][0]).violations if found.count else {}

    @property
    def sample(self) -> dict[Hashable, int]:
        """The best solution, by the names of its variables."""
        return self._first().sample

    @property
    def feasible(self) -> bool:
        """Whether the best solution violates no constraint that must hold."""
        return self._first().feasible

    @property
    def violations(self) -> dict[str, float]:
        """The violation of each constraint in the best solution, soft ones included, by its name."""
        return dict(self._violations)

    @cached_property
    def variables(self) -> Any:
        """The names of the variables."""
        return self.solutions.variables

    def _first(self) -> Solution:
        if not self.solutions:
            raise Error("this run of anneal was stopped before it had a solution")
        return self.solutions[0]

    def to_pandas(self, curve: str | None = None) -> Any:
        """A DataFrame: the columns of a curve, else a row for each solution."""
        return self.solutions.to_pandas() if curve is None else super().to_pandas(curve)

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        if not isinstance(state["settings"]["problem"], str):  # it is memory of the library
            state["settings"]["problem"] = None
        return state

    def __repr__(self) -> str:
        if not self.solutions:
            return "<spinney anneal: no solution yet>"
        best = self._first()
        worth = "feasible" if best.feasible else f"not feasible, violation {best.violation:.10g}"
        return f"<spinney anneal: objective {best.objective:.10g}, {worth}, found by {best.reads} of " \
            f"{int(self.solutions.reads.sum())} reads>"
