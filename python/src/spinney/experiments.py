"""Experiments: sweeps of hundreds of runs, their records, and the figures of a report. The library does everything,
as in ``spinney sweep``, ``spinney records`` and ``spinney report``; docs/experiments.md describes the specification."""

from __future__ import annotations

import ctypes
import io
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from ctypes import c_bool, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p
from pathlib import Path
from typing import Any, Callable

import numpy as np

from . import _arrays, _library, _running, plots
from ._handles import Handle
from ._library import HANDLE, STATUS, lab
from .errors import ArgumentError, wrong

__all__ = ["Figure", "FigureCurve", "Folder", "figures", "records", "report", "sweep"]

_WATCHER = ctypes.CFUNCTYPE(c_int, c_void_p, c_size_t, c_size_t, c_double, c_double, c_double)
_TEXTS = ctypes.POINTER(c_char_p)
_library.declare(lab, {
    "spn_sweep_parse": (STATUS, [HANDLE, c_char_p, _TEXTS, c_size_t]),
    "spn_sweep_parse_json": (STATUS, [HANDLE, c_char_p, c_char_p, _TEXTS, c_size_t]),
    "spn_sweep_free": (None, [c_void_p]),
    "spn_records_free": (None, [c_void_p]),
    "spn_report_can_draw": (c_bool, []),
    "spn_folder_sweep": (STATUS, [HANDLE, c_void_p, c_char_p, c_char_p, c_uint, _WATCHER, c_void_p]),
    "spn_folder_read": (STATUS, [HANDLE, c_char_p]),
    "spn_folder_json": (STATUS, [HANDLE, c_void_p, _TEXTS, c_size_t, c_char_p, c_char_p, c_bool]),
    "spn_folder_csv": (STATUS, [HANDLE, c_void_p, _TEXTS, c_size_t, c_char_p, c_char_p]),
    "spn_folder_doubts": (STATUS, [HANDLE, c_void_p, _TEXTS, c_size_t]),
    "spn_folder_figures": (STATUS, [HANDLE, c_void_p, _TEXTS, c_size_t]),
    "spn_folder_report": (STATUS, [HANDLE, c_void_p, c_char_p, _TEXTS, c_size_t, c_char_p, c_char_p, c_bool, c_bool]),
})


class _Sweep(Handle):
    _free = lab.spn_sweep_free


class _Records(Handle):
    _free = lab.spn_records_free


# ---- texts ----


def _path(name: str, value: Any) -> bytes:
    try:
        path = os.fsencode(value)
    except TypeError:
        raise wrong(name, f"a path is needed, not {value!r}") from None
    if b"\0" in path or not path:
        raise wrong(name, f"{value!r} is no path")
    return path


def _texts(name: str, values: Sequence[str]) -> tuple[Any, int]:
    for value in values:
        if not isinstance(value, str) or "\0" in value:
            raise wrong(name, f"a text is needed, not {value!r}")
    return (c_char_p * len(values))(*(value.encode() for value in values)), len(values)


def _where(where: str | Sequence[str] | None) -> tuple[Any, int]:
    if where is not None and not isinstance(where, (str, list, tuple)):
        raise wrong("where", f"a condition such as 'gamma<=3.2' or a list of them is needed, not {where!r}")
    return _texts("where", [] if where is None else [where] if isinstance(where, str) else list(where))


def _names(name: str, value: str | Sequence[str] | None) -> bytes | None:
    """Names as one text with commas."""
    if value is None:
        return None
    several = [value] if isinstance(value, str) else value
    if not isinstance(several, (list, tuple)):
        raise wrong(name, f"a name or a list of names is needed, not {value!r}")
    _texts(name, several)
    joined = ",".join(several)
    return joined.encode()


def _value(value: Any) -> Any:
    """Values that JSON has no type for: NumPy numbers and arrays, paths."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (set, frozenset, range)):
        return list(value)
    raise wrong("specification", f"{value!r} has no place in a specification")


def _changes(changes: Mapping[str, Any]) -> list[str]:
    """gamma=[0, 0.1] as gamma=0,0.1, the form of spinney sweep --set."""
    out = []
    for name, value in changes.items():
        plain = value if isinstance(value, (str, int, float, list, tuple)) else _value(value)
        several = plain if isinstance(plain, (list, tuple)) else [plain]
        texts = [str(v).lower() if isinstance(v, bool) else v if isinstance(v, str) else repr(
            v.item() if isinstance(v, np.generic) else v) for v in several]
        out.append(f"{name.replace('_', '-')}={','.join(texts)}")
    return out


# ---- sweeps ----


class _Watch:
    """A running sweep: its observer, what was raised, and whether to stop."""

    def __init__(self, observers: list[Callable[[dict[str, float]], Any]]) -> None:
        self.observers = observers
        self.stopping = False
        self.raised: BaseException | None = None

    def stop(self) -> None:
        self.stopping = True

    def keep(self, error: BaseException) -> None:
        self.raised = self.raised or error
        self.stop()

    def tell(self, _: Any, runs: int, finished: int, share: float, seconds: float, left: float) -> int:
        state = {"runs": runs, "finished": finished, "done": share, "seconds": seconds, "seconds_left": left}
        try:
            if any([bool(observer(state)) for observer in self.observers]):
                self.stop()
        except BaseException as error:
            self.keep(error)
        return int(self.stopping)


def _progress(wanted: Any) -> tuple[list[Callable[[dict[str, float]], Any]], Callable[[bool], None]]:
    if wanted is None or wanted is False:
        return [], lambda complete: None
    if callable(wanted):
        return [wanted], lambda complete: None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return [_print_progress], lambda complete: print("\rsweep: 100%" if complete else "", file=sys.stderr)
    bar = tqdm(total=100, desc="sweep", bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}")

    def tick(state: dict[str, float]) -> None:
        bar.n = round(100 * state["done"], 1)
        bar.set_postfix_str(f"{state['finished']} of {state['runs']} runs", refresh=False)
        bar.refresh()

    return [tick], lambda complete: _running.close_bar(bar, complete)


def _print_progress(state: dict[str, float]) -> None:
    print(f"\rsweep: {100 * state['done']:3.0f}%, {state['finished']} of {state['runs']} runs", end="",
          file=sys.stderr, flush=True)


def _parse(specification: Any, beside: Any, changes: list[str]) -> tuple[_Sweep, bytes]:
    """The sweep, and the file beside which other files are looked up."""
    if isinstance(specification, Mapping):
        name = os.path.join(_path("beside", beside), b"specification") if beside else b"specification"
        try:
            text = json.dumps(specification, default=_value, allow_nan=False, ensure_ascii=False).encode()
        except ArgumentError:
            raise
        except (ValueError, TypeError) as error:
            raise wrong("specification", str(error)) from None
        arguments: tuple[Any, ...] = (lab.spn_sweep_parse_json, text, name)
    else:
        if beside is not None:
            raise wrong("beside", "is of a specification that is a dict; that of a file is its own folder")
        name = _path("specification", specification)
        arguments = (lab.spn_sweep_parse, name)
    return _Sweep(_library.make(*arguments, *_texts("changes", changes))), name


def sweep(specification: Any, folder: Any = None, *, threads: int | None = None, progress: Any = None,
          beside: Any = None, **changes: Any) -> Folder:
    """Run a sweep, or the rest of one, and return its folder.

    specification: a file (YAML), or a dict with the same keys: name, task, settings, grid, runs, seed, keep,
        figures (docs/experiments.md).
    folder: where its records go; by default records/NAME. An interrupted sweep continues there.
    threads: runs side by side; by default one per core. They never change a result.
    progress: True for a bar, or a function that is called about ten times a second with a dict of runs, finished,
       done (0 to 1), seconds and seconds_left; if it returns a true value, the sweep stops.
    beside: for a dict, the folder in which its files are looked up; by default the current one.
    changes: settings, runs, seed or keep that replace those of the specification, as with spinney sweep --set; a list
       gives the values of an axis.

    Ctrl-C stops the sweep and raises KeyboardInterrupt, with the Folder as its ``result``. Finished runs are in the
    folder and started ones are saved: the same call continues.

    >>> import spinney, tempfile
    >>> specification = {"name": "small", "task": "anneal", "runs": 2,
    ...                  "settings": {"energy": "bits", "random": "21,7", "steps": 500},
    ...                  "grid": [{"setting": "gamma", "values": [0, 0.5]}]}
    >>> with tempfile.TemporaryDirectory() as place:
    ...     done = spinney.sweep(specification, place + "/small", runs=1)
    ...     len(done.runs())
    2
    """
    parsed, name = _parse(specification, beside, _changes(changes))
    wanted = 0 if threads is None else _arrays.whole("threads", threads, 1, 4096)
    observers, close = _progress(progress)
    watch = _Watch(observers)
    watcher = _WATCHER(watch.tell)
    where = None if folder is None else _path("folder", folder)
    complete = False
    try:
        with _running.catch_interrupts(watch):
            address = _library.make(lab.spn_folder_sweep, parsed.pointer, where, name, wanted, watcher, None)
        outcome = json.loads(_library.take_text(address))
        complete = outcome["before"] + outcome["now"] == outcome["runs"]
    finally:
        close(complete)
    made = Folder(os.fsdecode(where) if where else outcome["folder"])
    if watch.raised is not None:
        raise _interruption(watch.raised, made, outcome)
    return made


def _interruption(raised: BaseException, made: Folder, outcome: dict[str, Any]) -> BaseException:
    """What was raised during the run; Ctrl-C says how far the sweep is, and carries its folder."""
    if isinstance(raised, KeyboardInterrupt):
        finished = outcome["before"] + outcome["now"]
        raised.args = (f"{finished} of {outcome['runs']} runs are finished; the same call continues",)
        raised.result = made  # type: ignore[attr-defined]
    return raised


# ---- folders ----


class Folder:
    """The folder of a sweep, or, for the file of a joint report, of several sweeps.

    Each call reads it again, so you can look at a running sweep.
    """

    def __init__(self, path: Any) -> None:
        self.path = Path(os.fsdecode(_path("folder", path)))
        self._read()

    def _read(self) -> _Records:
        return _Records(_library.make(lab.spn_folder_read, os.fsencode(self.path)))

    def _json(self, where: Any = None, columns: Any = None, by: Any = None, list_: bool = True) -> dict[str, Any]:
        read = self._read()
        return json.loads(_library.take_text(_library.make(
            lab.spn_folder_json, read.pointer, *_where(where), _names("columns", columns), _names("by", by), list_)))

    @property
    def state(self) -> dict[str, Any]:
        """The sweep's name, title, task, version and seed, its default settings, and its progress: jobs, finished,
        missing."""
        told = self._json(where="run<1")
        return {name: value for name, value in told.items() if name not in ("records", "chosen")}

    @property
    def complete(self) -> bool:
        """Whether all runs are finished."""
        return self.state["missing"] == 0

    def runs(self, where: Any = None) -> list[dict[str, Any]]:
        """The runs as in the manifest: dicts with key, run, seed, settings, results, curves, ..."""
        return self._json(where)["records"]

    def records(self, where: Any = None, columns: Any = None, curve: str | None = None) -> Any:
        """The runs as a pandas DataFrame; see spinney.records."""
        pandas = _pandas("records")
        read = self._read()
        conditions = _where(where)
        _warn_of_doubts(read, conditions)
        text = _library.take_text(_library.make(lab.spn_folder_csv, read.pointer, *conditions,
                                                _names("columns", columns), _names("curve", curve)))
        kinds = {name: str for name in ("key", "machine", "version", "instructions", "finished")}
        return pandas.read_csv(io.StringIO(text), float_precision="round_trip", keep_default_na=False, na_values=[""],
                               dtype=kinds, low_memory=False)

    def summary(self, by: Any = None, where: Any = None, columns: Any = None) -> Any:
        """Means over runs with their 95% intervals as a DataFrame: one row for each group of runs with equal settings
        `by` (by default those of the grid), and for each result count, mean, half (of the interval), low, high,
        deviation, least and most."""
        pandas = _pandas("summary")
        groups = self._json(where, columns, by, False)["groups"]
        rows = [{("runs", ""): group["runs"],
                 **{(result, what): value for result, told in group["results"].items() for what, value in told.items()}}
                for group in groups]
        names = list(groups[0]["by"]) if groups else []
        table = pandas.DataFrame(rows, columns=pandas.MultiIndex.from_tuples(list(rows[0])) if rows else None)
        if names:
            levels = [_numbers([group["by"][name] for group in groups]) for name in names]
            table.index = (pandas.MultiIndex.from_arrays(levels, names=names) if len(names) > 1
                           else pandas.Index(levels[0], name=names[0]))
        return table

    def figures(self, where: Any = None) -> dict[str, Figure]:
        """The figures of the specification, by name; see spinney.figures."""
        read = self._read()
        rows = json.loads(_library.take_text(_library.make(lab.spn_folder_figures, read.pointer, *_where(where))))
        return {row["name"]: Figure(self, where, row) for row in rows}

    def report(self, page: Any = None, figures: Any = None, where: Any = None, pictures: bool = True,
               static: bool = False) -> list[Path]:
        """Write the report; see spinney.report."""
        base = self.path if self.path.is_dir() else Path("records") / self.state["name"]
        told = self._report(None, where, page or base / "report.html", figures or base / "figures", pictures, static)
        if pictures and not told["pictures"]:
            warnings.warn("gnuplot is not installed: scripts and data of the figures are written, but no pictures",
                          stacklevel=3)
        return [Path(name) for name in told["files"]]

    def _report(self, figure: str | None, where: Any, page: Any, figures: Any, pictures: bool,
                static: bool) -> dict[str, Any]:
        read = self._read()
        texts = [None if value is None else _path(name, value)
                 for name, value in (("page", page), ("figures", figures))]
        return json.loads(_library.take_text(_library.make(
            lab.spn_folder_report, read.pointer, figure.encode() if figure else None, *_where(where), *texts,
            bool(pictures), bool(static))))

    def __repr__(self) -> str:
        state = self.state
        return (f"<spinney.Folder: {state['name']} ({state['task']}) in {self.path}, "
                f"{state['finished']} of {state['jobs']} runs>")


def _numbers(texts: list[str]) -> list[Any]:
    """Values of a setting as numbers, if all are numbers."""
    try:
        return [float(text) for text in texts]
    except ValueError:
        return list(texts)


def _pandas(what: str) -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError(
            f"{what} needs pandas, which is not installed; Folder.runs() gives dicts without it") from None
    return pandas


def _warn_of_doubts(read: _Records, conditions: tuple[Any, int]) -> None:
    doubts = _library.take_text(_library.make(lab.spn_folder_doubts, read.pointer, *conditions))
    for line in doubts.splitlines():
        warnings.warn(f"where: {line}", stacklevel=4)


def records(folder: Any, where: Any = None, columns: Any = None, curve: str | None = None) -> Any:
    """The runs of a sweep as a pandas DataFrame with all digits, one row per run.

    folder: the folder of a sweep, or a Folder.
    where: conditions such as "gamma<=3.2" or ["replicas=3", "solved=1"]: only runs that meet all of them.
    columns: settings, results, run, seed, seconds, ...; by default all.
    curve: the name of a curve, such as "flips": one row for each of its points.
    """
    return _folder(folder).records(where, columns, curve)


def figures(folder: Any, where: Any = None) -> dict[str, Figure]:
    """The figures of a sweep's folder, or of a joint report's file, by name, with the points they draw."""
    return _folder(folder).figures(where)


def report(folder: Any, page: Any = None, figures: Any = None, where: Any = None, pictures: bool = True,
           static: bool = False) -> list[Path]:
    """Write the report of a sweep's folder, or of a joint report's file, and return the files written.

    page: the HTML page (by default report.html in the folder); figures: the folder for .svg, .pdf, .png, .gp, .csv
    and .md of each (by default figures in the folder); pictures: draw them if gnuplot is installed; static: pictures
    in the page instead of interactive charts.
    """
    return _folder(folder).report(page, figures, where, pictures, static)


def _folder(folder: Any) -> Folder:
    return folder if isinstance(folder, Folder) else Folder(folder)


# ---- figures ----


class FigureCurve:
    """One curve of a figure.

    name, value (what distinguishes it); for each point: x (NaN if it is not a number), x_text, mean, low and high
    (the 95% interval), half, deviation, runs, reference, reference_half and difference, in joint intervals; for
    histograms all values; for survival the costs and hits of all runs.
    """

    def __init__(self, row: dict[str, Any]) -> None:
        self.name: str = row["name"]
        self.value: str = row["value"]
        self.x_text: list[str] = row["x_text"]
        for name in ("x", "mean", "low", "high", "half", "deviation", "reference", "reference_half", "difference",
                     "values", "costs"):
            setattr(self, name, np.array([np.nan if v is None else v for v in row[name]], dtype=float))
        self.runs = np.array(row["runs"], dtype=int)
        self.hits = np.array(row["hits"], dtype=bool)

    x: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    half: np.ndarray
    deviation: np.ndarray
    reference: np.ndarray
    reference_half: np.ndarray
    difference: np.ndarray
    values: np.ndarray
    costs: np.ndarray

    def __len__(self) -> int:
        return len(self.mean)

    def __repr__(self) -> str:
        return f"<spinney.FigureCurve: {self.name}, {len(self)} points>"


class Figure:
    """A figure of a report: name, title, x_label, label, by_label, kinds (how it is drawn), log_x, log_y, verdict
    (how it compares with its reference) and curves. missing: why there is nothing to show, or None."""

    def __init__(self, folder: Folder, where: Any, row: dict[str, Any]) -> None:
        self._folder, self._where, self._factor = folder, where, row.get("factor", 1)
        self.name: str = row["name"]
        self.title: str = row["title"]
        self.missing: str | None = row.get("missing")
        self.x_label: str = row.get("x_label", "")
        self.label: str = row.get("label", "")
        self.by_label: str = row.get("by_label", "")
        self.verdict: str = row.get("verdict", "")
        self.kinds: list[str] = row.get("kinds", [])
        self._pictures: dict[str, str] = row.get("pictures", {})  # the names of files by kind
        self.log_x: bool = row.get("log_x", False)
        self.log_y: bool = row.get("log_y", False)
        self.curves = [FigureCurve(curve) for curve in row.get("curves", [])]

    def __iter__(self) -> Iterator[FigureCurve]:
        return iter(self.curves)

    def to_pandas(self) -> Any:
        """The points of all curves as a DataFrame."""
        pandas = _pandas("to_pandas")
        columns = ("x", "x_text", "mean", "low", "high", "half", "deviation", "runs", "reference", "difference")
        parts = [pandas.DataFrame({"curve": curve.name, **{name: getattr(curve, name) for name in columns}})
                 for curve in self.curves]
        return pandas.concat(parts, ignore_index=True) if parts else pandas.DataFrame(columns=("curve", *columns))

    def svg(self, kind: str | None = None) -> str:
        """The picture of a report, drawn by gnuplot, as SVG text. kind: lines, heat, histogram or survival, if the
        figure has several."""
        drawn = list(self._pictures)
        chosen = kind if kind is not None else drawn[0] if drawn else None
        if chosen not in drawn:
            raise wrong("kind", f"the figure {self.name} is drawn as {', '.join(drawn) or 'no picture'}, not {kind}")
        if not lab.spn_report_can_draw():
            raise RuntimeError("svg needs gnuplot, which is not installed; quick_svg draws without it")
        with tempfile.TemporaryDirectory(prefix="spinney-") as place:
            self._folder._report(self.name, self._where, None, place, True, False)
            return Path(place, self._pictures[chosen] + ".svg").read_text(encoding="utf-8")

    def quick_svg(self) -> str:
        """A small picture of the curves that needs no other program."""
        curves = [plots.Curve(c.name, c.x if np.isfinite(c.x).all() else np.arange(len(c)), self._factor * c.mean,
                              self._factor * c.low, self._factor * c.high) for c in self.curves if len(c)]
        if not curves:
            return plots.histogram([(c.name, c.values) for c in self.curves if len(c.values)], title=self.title,
                                   x_label=self.label)
        return plots.lines(curves, title=self.title, x_label=self.x_label, y_label=self.label, log_x=self.log_x,
                           log_y=self.log_y)

    def _repr_html_(self) -> str:
        if self.missing is not None:
            return f"<p>{plots.escape(self.name)}: {plots.escape(self.missing)}</p>"
        if not any(len(c) or len(c.values) for c in self.curves) and self._pictures and lab.spn_report_can_draw():
            return self.svg()
        return self.quick_svg() + (f"<p>{plots.escape(self.verdict)}</p>" if self.verdict else "")

    def __repr__(self) -> str:
        if self.missing is not None:
            return f"<spinney.Figure {self.name}: {self.missing}>"
        return f"<spinney.Figure {self.name}: {self.title}, {len(self.curves)} curves>"
