"""The tasks as functions: anneal, temper, entropy, exact, train, evaluate. Each is made from its table."""

from __future__ import annotations

import inspect
import os
from typing import Any, Callable

from . import _library, tables
from ._arrays import whole
from ._handles import Handle
from ._library import lab
from ._running import Call, History, Run, in_notebook, progress_bar
from .dataset import Dataset, DatasetHandle
from .energies import Energy, states_problem
from .errors import ArgumentError, Error, KeywordError, wrong
from .results import Result

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

Ctrl-C stops a run; what it has found so far is returned, with ``complete`` False.
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
            keywords = {**_by_place(name, places, arguments, keywords), **keywords}
        own = {key: keywords.pop(key) for key in more.intersection(keywords)}
        return _run(task, keywords, own)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "spinney"
    function.__signature__ = task.signature(_parameters(), Result)  # type: ignore[attr-defined]
    function.__doc__ = task.help(_MORE, _EXAMPLES.get(task.name, ""))
    return function


def _by_place(name: str, places: list[str], arguments: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
    if len(arguments) > len(places):
        raise KeywordError(f"{name}() takes {len(places)} arguments by their place, {', '.join(places)}, and "
                           f"{len(arguments)} were given; give the others by their names")
    for place, _ in zip(places, arguments):
        if place in keywords:
            raise KeywordError(f"{place}: is given twice, by its place and by its name")
    return dict(zip(places, arguments))


def _run(task: tables.Task, keywords: dict[str, Any], own: dict[str, Any]) -> Result:
    call = Call(_library.make(lab.spn_call_create, task.name.encode()))
    inputs = _Inputs(task, call, keywords)
    try:
        inputs.give_all()
        for keyword, value in own.items():
            if value is not None and keyword in task.options:
                inputs.option(task.options[keyword], value)
        history = _go(inputs, own)
    except Error as error:
        raise _renamed(task, error) from error.__cause__
    return Result(task, call, inputs.energy, history)


def _go(inputs: _Inputs, own: dict[str, Any]) -> Any:
    """Run the call; raise what a Python function raised in it, in place of what the library says then. Returns what was
    on the way, where that is asked for."""
    task, energy = inputs.task, inputs.energy
    observers, every, history = _observers(own, task.chain)
    bar, close = progress_bar(own.get("progress"), task.name)
    run = Run(inputs.call, observers if bar is None else observers + [bar])
    if energy is not None:
        energy._begin()
    failed: Error | None = None
    try:
        run.go(every, inputs.uses_threads())
    except Error as error:
        failed = error
    finally:
        close()
        raised = energy._end() if energy is not None else None
    _after(run, raised, failed)
    return history.columns() if history is not None else None


def _observers(own: dict[str, Any], chain: bool) -> tuple[list[Any], int, History | None]:
    """Who is told of the run, and after how many steps."""
    observer, given, wanted = own.get("observer"), own.get("observe_every"), own.get("history")
    if observer is not None and not callable(observer):
        raise wrong("observer", f"a function is needed, not {observer!r}")
    every = 0 if given is None else whole("observe_every", given, 1)
    observers = [] if observer is None else [observer]
    if not chain or not (in_notebook() if wanted is None else wanted):
        return observers, every, None
    history = History()
    if every == 0:
        every = History.SOME
        if observer is not None:  # it has asked for the clock's ticks alone
            observers = [lambda moment: not moment.at and observer(moment)]
    return observers + [history], every, history


def _after(run: Run, raised: BaseException | None, failed: Error | None) -> None:
    """What was raised in a run comes out as itself, but for an interrupt after which there is something to return."""
    if raised is not None:
        raise raised
    if isinstance(run.raised, KeyboardInterrupt) and failed is None and run.has_results():
        return
    if run.raised is not None:
        raise run.raised
    if failed is not None:
        raise failed


def _renamed(task: tables.Task, error: Error) -> Error:
    """An error about a setting, by the name that it has here."""
    name, colon, rest = str(error).partition(": ")
    keyword = name.replace("-", "_")
    if colon and keyword in task.settings:
        error.args = (f"{keyword}: {rest}",)
        error.argument = keyword
    return error


class _Inputs:
    """What a call is given: texts, and objects in place of files."""

    def __init__(self, task: tables.Task, call: Call, keywords: dict[str, Any]) -> None:
        self.task, self.call, self.keywords = task, call, keywords
        self.texts: list[bytes] = []  # name, text, name, text, ...
        self.energy: Energy | None = None
        for value in keywords.values():
            if isinstance(value, Energy):
                self.energy = value

    def uses_threads(self) -> bool:
        """Whether threads of the library's may call back: an effort other than 1."""
        for setting in self.task.efforts:
            value = self.keywords.get(setting.keyword)
            if (setting.row["default"] if value is None else str(value)) != "1":
                return True
        return False

    def give_all(self) -> None:
        settings = self.task.settings
        for keyword, value in self.keywords.items():
            setting = settings.get(keyword)
            if setting is None:
                self._refuse(keyword)
            elif setting.kind == "file" and not isinstance(value, str):
                self.give(setting, value)
            elif not setting.is_default(value):
                self.texts += (setting.encoded, setting.text(value).encode())
        self.texts.append(b"\0")
        _library.check(lab.spn_call_set_all, self.call.pointer, b"\0".join(self.texts))

    def _refuse(self, keyword: str) -> None:
        """There is no such setting; the library knows the nearest."""
        try:
            _library.check(lab.spn_call_set, self.call.pointer, keyword.replace("_", "-").encode(), b"")
        except ArgumentError as error:
            raise KeywordError(str(error)) from None

    def give(self, setting: tables.Setting, value: Any) -> None:
        """Give something that may stand in place of a file."""
        if isinstance(value, Energy):
            self.give_energy(setting, value)
        elif value is None:
            return
        elif isinstance(value, os.PathLike) or setting.row["count"] and isinstance(value, int):
            self.texts += (setting.encoded, setting.text(value).encode())
        else:
            handle = self._object(setting, value)
            if handle is not None:
                self.hand_over(setting.encoded, handle)

    def option(self, option: tables.Setting, value: Any) -> None:
        text = option.text(value)
        _library.check(lab.spn_call_option, self.call.pointer, option.encoded, text.encode())

    def give_energy(self, setting: tables.Setting, energy: Energy) -> None:
        if not setting.row["plugin"]:
            raise wrong(setting.keyword, f"cannot be {energy!r}; that is an energy")
        texts, gives = energy._encoded()
        for pair in texts:
            self.texts += pair
        for name, handle in gives:
            self.hand_over(name, handle)

    def hand_over(self, name: bytes, handle: Handle) -> None:
        """Let an object stand in place of a file, and keep it alive as long as the call."""
        self.call.borrowed += (handle,)
        _library.check(handle._give, self.call.pointer, name, handle.pointer)

    def _object(self, setting: tables.Setting, value: Any) -> Handle | None:
        """The object that a value stands for: one of the package's, or made of an array."""
        keyword = setting.keyword
        if hasattr(value, "_handle"):
            return value._handle()
        if keyword in _LABELS.values():
            data = next(key for key, labels in _LABELS.items() if labels == keyword)
            if self.keywords.get(data) is None or isinstance(self.keywords[data], (str, os.PathLike, Dataset)):
                raise wrong(keyword, f"an array of labels is of use beside an array of {data}")
            return None  # given with the data
        if keyword in _LABELS:
            return self._dataset(keyword, value)
        if setting.row["plugin"]:
            raise wrong(keyword, f"an energy or its name is needed, not {type(value).__name__}")
        return _problem(setting, value, self.energy is not None and self.energy.binary)

    def _dataset(self, keyword: str, value: Any) -> DatasetHandle:
        labels = self.keywords.get(_LABELS[keyword])
        classes = None
        if keyword == "test" and self.keywords.get("labels") is not None:
            classes = Dataset(self.keywords["data"], self.keywords["labels"]).classes
        return Dataset(value, labels, classes=classes, names=(keyword, _LABELS[keyword]))._handle()


def _problem(setting: tables.Setting, value: Any, binary: bool) -> Handle:
    """A problem of an array, for a setting that names a file of such."""
    from . import energies

    kinds = {_library.spinney.spn_problem_file_name(kind): kind for kind in range(5)}
    kind = kinds.get(setting.encoded, energies.STATES)
    if kind == energies.STATES:
        return states_problem(setting.keyword, value, binary)
    if kind == energies.TABLE:
        return energies.Table(value)._problem
    if kind == energies.COUPLINGS or kind == energies.CUT:
        raise wrong(setting.keyword, "a file is needed; couplings in memory are given as "
                    "energy=spinney.Ising(h, J), QUBO(Q) or MaxCut(graph)")
    raise wrong(setting.keyword, "a file or a count is needed; patterns in memory are given as "
                "energy=spinney.Perceptron(patterns, labels)")


anneal = _make(tables.TASKS["anneal"], "anneal")
temper = _make(tables.TASKS["temper"], "temper")
entropy = _make(tables.TASKS["entropy"], "entropy")
exact = _make(tables.TASKS["exact"], "exact")
train = _make(tables.TASKS["train"], "train")
evaluate = _make(tables.TASKS["eval"], "evaluate")
