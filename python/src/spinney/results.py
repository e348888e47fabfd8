"""What a run found: results by name, curves as arrays, states with their energies."""

from __future__ import annotations

import ctypes
import difflib
import html
import json
import math
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Hashable, Iterator, Mapping, Sequence

import numpy as np

from . import _arrays, _library, tables
from ._library import lab
from ._running import Call
from .energies import Energy
from .errors import Error

if TYPE_CHECKING:
    from .model import Model

_TEXT = _library.text
_CHAR, _INT8 = ctypes.c_char, np.dtype(np.int8)


class Result:
    """What a run of a task found.

    ``result["NAME"]`` is a result in the task's table, as ``spinney.anneal?`` lists them: a number, a word, a curve
    ("replicas") or a column of one ("replicas.energy"). Numbers and words are also attributes. ``states`` has the
    states, lowest energy first, with their ``energies`` and ``counts``. Curves share the memory of the run; they are
    read-only and keep it alive.
    """

    def __init__(self, task: tables.Task, call: Call, energy: Energy | None = None,
                 history: Mapping[str, np.ndarray] | None = None, given: Mapping[str, Any] = MappingProxyType({}),
                 labels: np.ndarray | None = None) -> None:
        self._task = task
        self._call: Call | None = call
        self._energy = energy
        self._given = given  # keywords, of which some are objects
        self._labels = labels  # of the classes, as they were given
        self.history = history  # of a chain, where it was kept: step, beta, energy, ...

    # ---- what was run ----

    @property
    def task(self) -> str:
        """The name of the task."""
        return self._task.name

    @cached_property
    def complete(self) -> bool:
        """False if Ctrl-C or an observer stopped the run; the results are those so far."""
        return lab.spn_call_complete(self._live())

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """The value of every setting, given or not, by its keyword; None if it has none, or if the energy brings it.
        ``anneal(energy, **result.settings)`` repeats a run."""
        own = set() if self._energy is None else {*self._energy._texts(), *self._energy._gives()}
        return MappingProxyType({key: None if setting.name in own else self._setting(setting)
                                 for key, setting in self._task.settings.items()})

    def _setting(self, setting: tables.Setting) -> Any:
        text = _TEXT(lab.spn_call_text(self._live(), setting.encoded))
        if setting.kind == "file" and (text is None or text.startswith("@")):
            return self._given.get(setting.keyword)
        return setting.value(text)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Notes about the run, one line each."""
        lines: list[str] = []
        while (line := lab.spn_call_note(self._live(), len(lines))) is not None:
            lines.append(line.decode("utf-8", "replace"))
        return tuple(lines)

    @cached_property
    def seconds(self) -> float:
        """How long the run took."""
        return lab.spn_call_number(self._live(), b"seconds")

    def _live(self) -> int:
        if self._call is None or self._call.pointer is None:
            raise Error("this result was read from a pickle, which does not hold this")
        return self._call.pointer

    # ---- results by name ----

    @cached_property
    def numbers(self) -> Mapping[str, float]:
        """The results that are single numbers, in the order of the table."""
        found = ((name, lab.spn_call_number(self._live(), text)) for name, text in self._task.numbers.items())
        return MappingProxyType({name: value for name, value in found if not math.isnan(value)})

    @cached_property
    def words(self) -> Mapping[str, str]:
        """The results that are a word or a line, such as why the run stopped."""
        found = ((n, _TEXT(lab.spn_call_text(self._live(), n.encode())))
                 for n, row in self._task.results.items() if row["kind"] == "text")
        return MappingProxyType({name: value for name, value in found if value is not None})

    def _one(self, name: str) -> Any:
        """A number or a word by name, without fetching the others; None if there is none."""
        encoded = self._task.numbers.get(name)
        if encoded is None:
            return self.words.get(name) if name in self._task.results else None
        known = self.__dict__.get("numbers")
        value = lab.spn_call_number(self._live(), encoded) if known is None else known.get(name, math.nan)
        return value if value == value else None

    @cached_property
    def curves(self) -> Mapping[str, Mapping[str, np.ndarray]]:
        """Columns of numbers of one length, by the name of the curve and of the column; not copied."""
        call = self._live()
        curves: dict[str, Mapping[str, np.ndarray]] = {}
        while found := lab.spn_call_curve(call, len(curves)):
            curve = found.contents
            curves[curve.name.decode()] = MappingProxyType({
                curve.names[c].decode():
                    _arrays.view(curve.values[c], (curve.rows,), np.float64, self._call)
                for c in range(curve.columns)
            })
        return MappingProxyType(curves)

    def __getitem__(self, name: str) -> Any:
        value = self._one(name)
        if value is not None:
            return value
        curve, _, column = str(name).partition(".")
        if curve in self.curves:
            if not column:
                return self.curves[curve]
            if column in self.curves[curve]:
                return self.curves[curve][column]
        raise KeyError(self._unknown(name))

    def _unknown(self, name: Any) -> str:
        if name in self._task.results:
            return f"this run of {self.task} has no {name}"
        near = difflib.get_close_matches(str(name), list(self), 1)
        return f"{self.task} has no result {name!r}" + (f"; is {near[0]} meant?" if near else "")

    def __iter__(self) -> Iterator[str]:
        yield from self.numbers
        yield from self.words
        for curve, columns in self.curves.items():
            yield from (f"{curve}.{column}" for column in columns)

    keys = __iter__

    def __contains__(self, name: object) -> bool:
        return name in list(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = self._one(name)
        if value is not None:
            return value
        raise AttributeError(self._unknown(name))

    def __dir__(self) -> list[str]:
        missing = {name for name in self._task.results if not hasattr(Result, name)}
        return sorted({*super().__dir__()} - missing | {*self.numbers, *self.words})

    # ---- states ----

    @cached_property
    def states(self) -> np.ndarray:
        """The distinct states, one per row, lowest energy first: of all reads, or of the replicas if there is one read.
        int64, -1 and +1, or 0 and 1 if the energy's variables are binary (QUBO)."""
        return _arrays.wide("states", self.states_int8)

    @cached_property
    def states_int8(self) -> np.ndarray:
        """The same in one byte each, an eighth of the memory. Beware: NumPy's sums of products of int8 wrap beyond
        127, as in ``states_int8 @ states_int8.T``."""
        call = self._live()
        found = _library.states(call)
        out = np.empty((found.count, found.sites), np.int8)
        if out.size:
            lab.spn_call_spins(call, 0, len(out), out.ctypes.data)
        if self.binary:
            np.greater(out, 0, out=out.view(bool))
        out.flags.writeable = False
        return out

    @cached_property
    def spins(self) -> np.ndarray:
        """The states as -1 and +1, whatever the variables are."""
        if not self.binary:
            return self.states
        out = 2 * self.states - 1
        out.flags.writeable = False
        return out

    @cached_property
    def binary(self) -> bool:
        """Whether ``states`` has 0 and 1 instead of -1 and +1."""
        return _library.states(self._live()).binary if self._energy is None else self._energy.binary

    @cached_property
    def energies(self) -> np.ndarray:
        """The energy of each of the states."""
        return self._of_states(np.float64, "energies")

    @cached_property
    def counts(self) -> np.ndarray:
        """How often each of the states was found."""
        return self._of_states(np.uint64, "counts")

    @cached_property
    def firsts(self) -> np.ndarray:
        """The number, from 0, of the read or replica that found it first."""
        return self._of_states(np.uint64, "firsts")

    def _of_states(self, dtype: Any, name: str) -> np.ndarray:
        call = self._live()
        out = np.empty(_library.states(call).count, dtype)
        if out.size:
            _library.states(call, **{name: out.ctypes.data})
        out.flags.writeable = False
        return out

    @cached_property
    def end_spins(self) -> np.ndarray:
        """For a single run of anneal: the replicas at its end, one per row, -1 and +1."""
        found = _library.states(self._live())
        ends = _arrays.view(found.end_spins, (found.replicas, found.sites), np.int8, self._call)
        return _arrays.wide("end_spins", ends)

    @cached_property
    def end_energies(self) -> np.ndarray:
        """Their energies; not copied."""
        found = _library.states(self._live())
        return _arrays.view(found.end_energies, (found.replicas,), np.float64, self._call)

    @cached_property
    def variables(self) -> Sequence[Hashable]:
        """The names of the columns of ``states``; by default 0 to N - 1."""
        if self._energy is not None:
            return self._energy.variables
        found = _library.states(self._live())
        if not found.variables:
            return range(found.sites)
        return [_TEXT(found.variables[i]) or "" for i in range(found.sites)]

    @property
    def best(self) -> np.ndarray:
        """The state of lowest energy."""
        call, energy = self._call, self._energy
        if call is None or "states" in self.__dict__:
            if not len(self.states):
                raise Error(f"this run of {self.task} has left no states")
            return self.states[0]
        spins = (_CHAR * (_library.states(call.pointer).sites if energy is None else energy.sites))()
        if not lab.spn_call_spins(call.pointer, 0, 1, spins):
            raise Error(f"this run of {self.task} has left no states")
        out = np.frombuffer(spins.raw, _INT8)
        return _arrays.wide("best", out > 0 if (self.binary if energy is None else energy.binary) else out)

    @property
    def sample(self) -> dict[Hashable, int]:
        """The state of lowest energy, by the names of its variables."""
        return dict(zip(self.variables, self.best.tolist()))

    @property
    def overlap(self) -> float:
        """The mean over pairs of replicas of <s, s'>/N. NaN if the run did not measure it, as with many reads."""
        value = self._one("overlap")
        return math.nan if value is None else value

    @property
    def overlap_matrix(self) -> np.ndarray:
        """The overlap of each pair of replicas."""
        columns = self.curves.get("overlaps")
        if columns is None:
            return np.ones((1, 1)) if len(self.curves.get("replicas", {}).get("energy", ())) == 1 else np.empty((0, 0))
        first, second = columns["first"].astype(int) - 1, columns["second"].astype(int) - 1
        matrix = np.eye(1 + int(max(first.max(), second.max())))
        matrix[first, second] = matrix[second, first] = columns["overlap"]
        return matrix

    @cached_property
    def model(self) -> Model:
        """The classifier that train made."""
        from .model import Model

        made = Model._of_call(self._live(), self._labels)
        if made is None:
            raise AttributeError(f"this run of {self.task} has made no model")
        return made

    # ---- in other forms ----

    def to_json(self, rows: int = 2**62) -> str:
        """What the program prints with --json, with at most ``rows`` states."""
        if "_json" in self.__dict__:
            return self.__dict__["_json"]
        rows = _arrays.whole("rows", rows)
        return _library.take_text(_library.make(lab.spn_call_json, self._live(), rows))

    def to_dict(self, rows: int = 2**62) -> dict[str, Any]:
        """The same as Python values."""
        return json.loads(self.to_json(rows))

    def to_pandas(self, curve: str | None = None) -> Any:
        """A DataFrame: the columns of a curve, else a row for each state with its energy and count; for a run without
        states, its numbers."""
        try:
            import pandas
        except ImportError:
            raise Error("to_pandas needs pandas, which is not installed") from None
        if curve is not None:
            columns = self[curve]
            if not isinstance(columns, Mapping):
                raise Error(f"{curve} is no curve; there are {', '.join(self.curves) or 'none'}")
            return pandas.DataFrame({name: np.array(column) for name, column in columns.items()})
        if not len(self.states):
            return pandas.DataFrame([dict(self.numbers) | dict(self.words)])
        frame = pandas.DataFrame(self.states, columns=list(self.variables))
        return frame.assign(energy=self.energies, count=self.counts)

    def __getstate__(self) -> dict[str, Any]:
        """For pickles: everything except the memory of the run."""
        if self._call is None:
            return dict(self.__dict__, _task=self._task.name)
        for name in _KEPT:
            getattr(self, name, None)
        state = dict(self.__dict__, _json=self.to_json(), _call=None, _energy=None, _given={}, _task=self._task.name)
        for name in ("numbers", "words", "settings"):
            state[name] = dict(state[name])
        state["settings"].update(dict.fromkeys(_DATA & state["settings"].keys()))
        state["end_energies"] = np.array(state["end_energies"])
        for name in ("states", "spins"):  # made of states_int8 again
            state.pop(name, None)
        state["curves"] = {c: {n: np.array(v) for n, v in columns.items()} for c, columns in self.curves.items()}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._task = tables.TASKS[state["_task"]]

    def __repr__(self) -> str:
        words = [f"{name} {value:.10g}" for name, value in self._main()]
        if not self.complete:
            words.append("stopped")
        return f"<spinney {self.task}: {', '.join(words) or 'no results'}>"

    def _main(self) -> list[tuple[str, float]]:
        """The results that tables show by default."""
        main = [name for name, row in self._task.results.items() if row["main"] and name in self.numbers]
        return [(name, self.numbers[name]) for name in main or list(self.numbers)[:4]]

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(self._task.results[name]['label'] or name)}</td>"
            f"<td style='text-align:right'>{value:.10g}</td>"
            f"<td style='text-align:left'>{html.escape(self._task.results[name]['help'] or '')}</td></tr>"
            for name, value in self._main()
        )
        head = f"spinney {html.escape(self.task)}" + ("" if self.complete else " (stopped)")
        notes = "".join(f"<div>{html.escape(note)}</div>" for note in self.notes)
        return f"<div><b>{head}</b><table>{rows}</table>{self._plot() or ''}<small>{notes}</small></div>"

    def _plot(self) -> str | None:
        """A picture: the history of a chain, the distribution of the reads, or the first longer curve."""
        from . import plots

        if self.history is not None and len(self.history["step"]) > 1:
            way = [plots.Curve(name, self.history["step"], self.history[name]) for name in ("energy", "best_energy")]
            return plots.lines(way, x_label="step", y_label="energy")
        reads = self.curves.get("reads", {}).get("best_energy")
        if reads is not None and len(reads) > 1:
            return plots.histogram([("best energy", reads)], x_label="best energy of a read")
        for name, columns in self.curves.items():
            x, *others = columns
            labelled = [y for y in others if self._label(name, y)]
            if self._label(name, x) and labelled and len(columns[x]) > 2:
                what = self._label(name, labelled[-1]).split(",")[0]  # "accuracy" of "accuracy, worst flips"
                drawn = [plots.Curve(y, columns[x], columns[y], columns.get(f"{y}_low", columns.get("low")),
                                     columns.get(f"{y}_high", columns.get("high")))
                         for y in labelled if self._label(name, y).split(",")[0] == what]
                return plots.lines(drawn, title=name, x_label=self._label(name, x), y_label=what)
        return None

    def _label(self, curve: str, column: str) -> str:
        """What an axis says; empty for columns that are not drawn, such as error bars."""
        return self._task.results.get(f"{curve}.{column}", {}).get("label") or ""


_DATA = {"data", "labels", "test", "test_labels"}  # which pickles do not hold
# What a pickle holds; the first are copied, being of the memory of the run.
_KEPT = ("complete", "settings", "notes", "seconds", "numbers", "words", "curves", "end_spins", "end_energies",
         "binary", "states_int8", "energies", "counts", "firsts", "variables", "model")


# ---- the results of each task ----


def _property(name: str, row: Mapping[str, Any]) -> property:
    """A number or a word of a run as a class attribute, which is faster than __getattr__."""
    encoded = name.encode() if row["kind"] == "number" else None

    def get(self: Result) -> Any:
        if encoded is not None and self._call is not None:  # without asking for all others
            value = lab.spn_call_number(self._call.pointer, encoded)
            if value == value:
                return value
        value = self._one(name)
        if value is None:
            raise AttributeError(self._unknown(name))
        return value

    return property(get, doc=row["help"])


def _of_task(task: tables.Task) -> type[Result]:
    """The class of what a task finds, with its numbers and words as attributes."""
    single = {name: row for name, row in task.results.items() if row["kind"] in ("number", "text")}
    content: dict[str, Any] = {name: _property(name, row) for name, row in single.items() if not hasattr(Result, name)}
    content |= {"__module__": __name__, "__doc__": f"What a run of {task.name} found: a Result."}
    return type(task.name.capitalize() + "Result", (Result,), content)


OF_TASK = {name: _of_task(task) for name, task in tables.TASKS.items()}
globals().update({kind.__name__: kind for kind in OF_TASK.values()})  # where pickles look for them
