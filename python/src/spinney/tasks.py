"""The tasks as functions: anneal, temper, train, evaluate and so on. Each is made from its table."""

from __future__ import annotations

import inspect
import os
import sys
import warnings
from typing import Any, Callable, NamedTuple

from . import _library, tables
from ._arrays import whole
from ._handles import Handle
from ._library import lab
from ._running import Call, History, Run, in_notebook, progress_bar
from .dataset import Dataset, DatasetHandle
from .energies import Energy, ForCalls, states_problem
from .errors import ArgumentError, ConvergenceWarning, Error, KeywordError, wrong
from .results import OF_TASK, Result

# What the functions take besides the settings of their tables.
_MORE = """
Running
-------
observer : callable
    called with a spinney.Moment some ten times a second and, with observe_every, at fixed steps; what it raises comes
    out of the call, and the run is stopped where it returns something true
observe_every : int, in steps
    steps of the chain between its calls (default: by the clock alone)
progress : bool | callable
    True: show a bar (of tqdm where that is installed); or a function of (share, words)
history : bool
    keep beta, gamma, energies, overlap and acceptance at some hundred steps of the chain, or as observe_every says, in
    ``result.history`` (default: in notebooks, whose pictures show it)

Ctrl-C stops a run and raises KeyboardInterrupt, whose attribute ``result`` is what was found so far, or None.
"""
_EXAMPLES = {
    "anneal": """
        >>> import spinney
        >>> result = spinney.anneal(spinney.Ising({}, {(0, 1): -1, (1, 2): -1, (0, 2): 1}), replicas=3, sweeps=100)
        >>> result.best_energy
        -1.0
        """,
    "temper": """
        >>> import spinney
        >>> result = spinney.temper(spinney.QUBO([[-1, 2], [0, -1]]), scans=64)
        >>> result.best_energy
        -1.0
        """,
    "population": """
        >>> import spinney
        >>> result = spinney.population(spinney.QUBO([[-1, 2], [0, -1]]), groups=64)
        >>> result.best_energy
        -1.0
        """,
    "entropy": """
        >>> import spinney
        >>> result = spinney.entropy("bits", random="21,5,1", distance=[0.1], scans=64, sweeps=100)
        >>> result.complete
        True
        """,
    "exact": """
        >>> import spinney
        >>> spinney.exact(spinney.Table([0, 1, 1, -2]), replicas=1)["E_min"]
        -2.0
        """,
    "train": """
        >>> import spinney
        >>> result = spinney.train("digits", subset=200, sweeps=1)
        >>> result.complete
        True
        """,
    "eval": """
        >>> import spinney
        >>> result = spinney.evaluate("digits.model", "digits")  # doctest: +SKIP
        """,
}

_NO_OPTIONS: dict[str, Any] = {}
_NOTHING = ForCalls(b"", ())
_LABELS = {"data": "labels", "test": "test_labels"}  # a data set's array, and that of its labels


def _parameters() -> list[inspect.Parameter]:
    """The parameters besides those of the tables."""
    rows: list[tuple[str, Any, str]] = [
        ("observer", None, "Callable[[Moment], Any]"),
        ("observe_every", None, "int"),
        ("progress", False, "bool | Callable[[float, str], Any]"),
        ("history", None, "bool"),
    ]
    return [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
            for name, default, kind in rows]


def _make(task: tables.Task, name: str) -> Callable[..., Result]:
    """The function of a task."""
    places = task.positional()
    more = {parameter.name for parameter in _parameters()} | set(task.options)

    def function(*arguments: Any, **keywords: Any) -> Result:
        if arguments:
            _by_place(name, places, arguments, keywords)
        if more.isdisjoint(keywords):
            return _run(task, keywords, _NO_OPTIONS)
        return _run(task, keywords, {key: keywords.pop(key) for key in more.intersection(keywords)})

    function.__name__ = function.__qualname__ = name
    function.__module__ = "spinney"
    function.__signature__ = task.signature(_parameters(), Result)  # type: ignore[attr-defined]
    function.__doc__ = task.help(_MORE, _EXAMPLES.get(task.name, ""))
    return function


def _by_place(name: str, places: list[str], arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """Move positional arguments to the keywords."""
    if len(arguments) > len(places):
        raise KeywordError(f"{name}() takes {len(places)} arguments by their place, {', '.join(places)}, and "
                           f"{len(arguments)} were given; give the others by their names")
    for place, value in zip(places, arguments):
        if keywords.get(place) is not None:
            raise KeywordError(f"{place}: is given twice, by its place and by its name")
        keywords[place] = value


def _run(task: tables.Task, keywords: dict[str, Any], own: dict[str, Any]) -> Result:
    inputs = _Inputs(task, keywords)
    try:
        inputs.take_all()
        call = inputs.prepare()
        if own:
            _set_options(call, task, own)
        history, interrupt = _go(inputs, call, own)
    except Error as error:
        raise _renamed(task, error) from error.__cause__
    result = _result_kind(task, keywords)(task, call, inputs.energy, history, keywords, inputs.labels)
    if interrupt is not None:
        interrupt.result = result  # type: ignore[attr-defined]
        raise interrupt
    health = lab.spn_call_text(call.pointer, b"health")
    if health not in _GOOD and lab.spn_call_text(call.pointer, b"stop") != b"target":
        _warn(result, health.decode())
    return result


def _result_kind(task: tables.Task, keywords: dict[str, Any]) -> type[Result]:
    if task.name != "anneal" or keywords.get("problem") is None:
        return OF_TASK[task.name]
    from .solved import Solved

    return Solved


_GOOD = (b"good", None)


def _warn(result: Result, health: str) -> None:
    """Say that a run is not to be trusted, with the note that says what to change."""
    about = [note for note in result.notes if health in note]
    both = sys.modules.get("spinney.classifier")  # of scikit-learn, too
    kind = ConvergenceWarning if both is None else both.ConvergenceWarning
    warnings.warn(f"{result.task}: {about[0] if about else 'health: ' + health}", kind, stacklevel=4)


def _set_options(call: Call, task: tables.Task, own: dict[str, Any]) -> None:
    for keyword, value in own.items():
        if value is not None and keyword in task.options:
            option = task.options[keyword]
            _library.check(lab.spn_call_option, call.pointer, option.encoded, option.text(value).encode())


def _go(inputs: _Inputs, call: Call, own: dict[str, Any]) -> tuple[Any, BaseException | None]:
    """Run the call. If a Python function raised in it, raise that instead of the library's error. Returns the history
    if requested, and Ctrl-C if it left something."""
    task, energy = inputs.task, inputs.energy
    watch = _watch(own, task) if own or in_notebook() else _NOBODY
    run = Run(call, watch.observers)
    if energy is not None:
        energy._begin()
    failed: Error | None = None
    complete = False
    try:
        run.go(watch.every, inputs.uses_threads())
        complete = watch.close is not None and bool(lab.spn_call_complete(call.pointer))
    except Error as error:
        failed = error
    finally:
        raised = energy._end() if energy is not None else None
        if watch.close is not None:
            watch.close(complete and raised is None and run.raised is None)
    interrupt = None
    if raised is not None or failed is not None or run.raised is not None:
        interrupt = _after(run, raised, failed)
    return watch.history.columns() if watch.history is not None else None, interrupt


class _Watch(NamedTuple):
    """The observers of a run, how often they are called, and what to do at its end."""

    observers: list[Any]
    every: int = 0
    history: History | None = None
    close: Callable[[bool], Any] | None = None


_NOBODY = _Watch([])


def _watch(own: dict[str, Any], task: tables.Task) -> _Watch:
    observer, given, wanted = own.get("observer"), own.get("observe_every"), own.get("history")
    if observer is not None and not callable(observer):
        raise wrong("observer", f"a function is needed, not {observer!r}")
    every = 0 if given is None else whole("observe_every", given, 1)
    observers = [] if observer is None else [observer]
    history = History() if task.chain and (in_notebook() if wanted is None else wanted) else None
    if history is not None and every == 0:
        every = History.SOME
        if observer is not None:  # it has asked for the clock's ticks alone
            observers = [lambda moment: not moment.at and observer(moment)]
    bar, close = progress_bar(own.get("progress"), task.name)
    return _Watch(observers + [one for one in (history, bar) if one is not None], every, history, close)


def _after(run: Run, raised: BaseException | None, failed: Error | None) -> BaseException | None:
    """An exception in a run comes out unchanged. An interrupt that leaves something is returned, to carry it."""
    first = raised or run.raised or failed
    if isinstance(first, KeyboardInterrupt):
        if first is run.raised and failed is None and run.has_results():
            return first
        first.result = None  # type: ignore[attr-defined]
    assert first is not None
    raise first


def _renamed(task: tables.Task, error: Error) -> Error:
    """An error about a setting, under its name here."""
    name, colon, rest = str(error).partition(": ")
    keyword = name.replace("-", "_")
    if colon and keyword in task.settings:
        error.args = (f"{keyword}: {rest}",)
        error.argument = keyword
    return error


class _Inputs:
    """What a call receives: texts, and objects in place of files."""

    __slots__ = ("task", "keywords", "texts", "objects", "energy", "labels")

    def __init__(self, task: tables.Task, keywords: dict[str, Any]) -> None:
        self.task, self.keywords = task, keywords
        self.texts: list[str] = []
        self.objects: list[tuple[bytes, Handle]] = []  # besides those of the energy
        self.energy: Energy | None = None
        self.labels: Any = None  # of the classes of the data

    def uses_threads(self) -> bool:
        """Whether threads of the library may call back: an effort other than 1."""
        efforts, given = self.task.efforts, self.keywords
        if efforts.keys().isdisjoint(given):
            return self.task.shared
        return any(str(text if given.get(name) is None else given[name]) != "1" for name, text in efforts.items())

    def take_all(self) -> None:
        parts, texts = self.task.parts, self.texts
        for keyword, value in self.keywords.items():
            part = parts.get(keyword)
            if part is not None:
                texts.append(part(value))
            else:
                self._take_file(keyword, value)

    def prepare(self) -> Call:
        """The call, with everything it was given."""
        mine = self.energy._for_calls if self.energy is not None else _NOTHING
        if self.objects:
            mine = ForCalls(mine.texts, mine.given + tuple(self.objects))
        pointer = _library.make(lab.spn_call_prepare, self.task.encoded, mine.texts + "".join(self.texts).encode(),
                                mine.objects, len(mine.objects))
        return Call(pointer, *mine.handles)  # which keeps them alive

    def _take_file(self, keyword: str, value: Any) -> None:
        """Take a setting that names a file, or an object in place of one."""
        setting = self.task.settings.get(keyword)
        if setting is not None and setting.row["plugin"] and hasattr(value, "quadratic") and hasattr(value, "vartype"):
            value = self.keywords[keyword] = _of_model(value)
        if setting is None:
            self._refuse(keyword)
        elif isinstance(value, Energy):
            if not setting.row["plugin"]:
                raise wrong(keyword, f"cannot be {value!r}; that is an energy")
            self.energy = value
        elif value is None:
            return
        elif isinstance(value, (str, os.PathLike)) or setting.row["count"] and isinstance(value, int):
            self.texts.append(setting.part(value))
        else:
            handle = self._object(setting, value)
            if handle is not None:
                self.objects.append((setting.encoded, handle))

    def _refuse(self, keyword: str) -> None:
        """There is no such setting; the library names the nearest, if it is not one that other packages call so."""
        for known in _ELSEWHERE.get(keyword, ()):
            if known in self.task.settings:
                raise KeywordError(f"unknown setting {keyword!r} of {self.task.name}; did you mean {known}"
                                   + ("=(start, end)?" if keyword.endswith("_range") else "?"))
        try:
            text = keyword.replace("_", "-").encode() + b"\0\0"
            Call(_library.make(lab.spn_call_prepare, self.task.encoded, text, None, 0))
        except ArgumentError as error:
            head, mean, near = str(error).partition("; did you mean ")
            named = head.replace(keyword.replace("_", "-"), keyword)
            raise KeywordError(named + mean + near.replace("-", "_")) from None

    def _given_energy(self) -> Energy | None:
        """The energy, which may be taken later."""
        return next((value for value in self.keywords.values() if isinstance(value, Energy)), None)

    def _object(self, setting: tables.Setting, value: Any) -> Handle | None:
        """The object that a value stands for: one of the package's, or one made from an array."""
        keyword = setting.keyword
        if hasattr(value, "_handle"):
            if keyword == "data":
                self.labels = getattr(value, "classes", None)
            return value._handle()
        if keyword in _LABELS.values():
            data = next(key for key, labels in _LABELS.items() if labels == keyword)
            if self.keywords.get(data) is None or isinstance(self.keywords[data], (str, os.PathLike, Dataset)):
                raise wrong(keyword, f"an array of labels is of use beside an array of {data}")
            return None  # given with the data
        if keyword in _LABELS:
            return self._dataset(keyword, value)
        if keyword == "problem":
            from .problem import Problem

            value = self.keywords[keyword] = Problem(value)
            return value._handle()
        if setting.row["plugin"]:
            raise wrong(keyword, f"an energy or its name is needed, not {type(value).__name__}")
        return _problem(setting, value, self._given_energy())

    def _table(self, keyword: str, value: Any) -> DatasetHandle:
        """A table with names, texts or missing values."""
        from . import frames

        like, model = None, self.keywords.get("model")
        if model is not None and hasattr(model, "_like"):
            like = model._like()
        elif keyword == "test":
            data = self.keywords.get("data")
            if not frames.is_table(data, self.keywords.get("missing")):
                raise wrong("test", "a table with names or texts is of use beside data of the same kind")
            training = self._table("data", data)  # is kept until the test table is read
            like = frames.like_training(training)
        made, labels = frames.read(keyword, value, self.keywords.get(_LABELS[keyword]), self.keywords, like)
        if keyword == "data":
            self.labels = labels
        return made

    def _dataset(self, keyword: str, value: Any) -> DatasetHandle:
        from .frames import is_table

        if is_table(value, self.keywords.get("missing")):
            return self._table(keyword, value)
        labels = self.keywords.get(_LABELS[keyword])
        classes = None
        if keyword == "test" and self.keywords.get("labels") is not None:
            classes = Dataset(self.keywords["data"], self.keywords["labels"]).classes
        made = Dataset(value, labels, classes=classes, names=(keyword, _LABELS[keyword]))
        if keyword == "data":
            self.labels = made.classes
        return made._handle()


def _of_model(bqm: Any) -> Energy:
    """The energy of a binary quadratic model of dimod's."""
    from .energies import QUBO, Ising
    from .sampleset import Vartype

    fields, pairs, offset = dict(bqm.linear), dict(bqm.quadratic), float(bqm.offset)
    if Vartype.of_two(bqm.vartype) is Vartype.BINARY:
        return QUBO({**{(v, v): field for v, field in fields.items()}, **pairs}, offset)
    return Ising(fields, pairs, offset)


def _problem(setting: tables.Setting, value: Any, energy: Energy | None) -> Handle:
    """A problem from an array, for a setting that names such a file."""
    from . import energies

    kinds = {_library.spinney.spn_problem_file_name(kind): kind for kind in range(5)}
    kind = kinds.get(setting.encoded, energies.STATES)
    if kind == energies.STATES:
        rows = value if energy is None else energy._by_name(setting.keyword, value)
        return states_problem(setting.keyword, rows, energy is not None and energy.binary)
    if kind == energies.TABLE:
        return energies.Table(value)._problem
    if kind == energies.COUPLINGS or kind == energies.CUT:
        raise wrong(setting.keyword, "a file is needed; couplings in memory are given as "
                    "energy=spinney.Ising(h, J), QUBO(Q) or MaxCut(graph)")
    raise wrong(setting.keyword, "a file or a count is needed; patterns in memory are given as "
                "energy=spinney.Perceptron(patterns, labels)")


# What other packages call a setting, and what it is called here: the first that a task has.
_ELSEWHERE = {
    "num_reads": ("reads",), "n_reads": ("reads",), "n_runs": ("reads",), "num_sweeps": ("sweeps", "scans"),
    "sweeps": ("scans",), "n_sweeps": ("sweeps", "scans"), "n_steps": ("steps", "scans"), "n_iter": ("steps", "scans"),
    "max_iter": ("sweeps", "scans"), "beta_range": ("beta",), "beta_schedule": ("schedule",),
    "beta_schedule_type": ("schedule",), "initial_states": ("init",), "initial_state": ("init",),
    "random_state": ("seed",), "n_jobs": ("threads",), "num_threads": ("threads",), "timeout": ("time",),
    "time_limit": ("time",), "y": ("labels",), "X": ("data",), "hidden_layer_sizes": ("hidden",),
    "class_weight": ("balance",),
}
_NAMES = {"eval": "evaluate"}  # the functions that are not called as their task
FUNCTIONS = {name: _make(task, _NAMES.get(name, name)) for name, task in tables.TASKS.items()}
globals().update({function.__name__: function for function in FUNCTIONS.values()})
