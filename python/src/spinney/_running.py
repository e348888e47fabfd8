"""Runs of the library that Python watches: observers, progress, Ctrl-C, exceptions.

While the library runs, Python's lock is released. About ten times a second the library calls back; then signals are
handled, observers are called, and the run stops if one of them wants it. No exception leaves a function that the
library calls: it is kept, the run stops, and it is raised again when the library has returned.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import signal as _signal
import sys
import threading
from typing import Any, Callable

import numpy as np

from . import _arrays, _library
from ._handles import Handle
from ._library import lab, spinney
from .errors import Error


class Call(Handle):
    """A call of a task; its results live as long as it does."""

    _free = lab.spn_call_free


class Moment:
    """The progress of a run, as an observer sees it; valid only while the observer is called.

    Numbers: done (0 to 1), at (1 at one of the fixed steps, 0 at a tick of the clock), step, beta, gamma, energy (mean
    over the replicas), best_energy, overlap (mean over pairs), acceptance, proposals; NaN if unknown.
    """

    __slots__ = ("_now", "_past")

    def __init__(self, now: _library.Progress, past: tuple[float, float]) -> None:
        self._now: _library.Progress | None = now
        self._past = past  # proposals and acceptances when the observers were called last

    def _live(self) -> _library.Progress:
        if self._now is None:
            raise Error("a moment is valid only while its observer is called; keep the numbers that you need")
        return self._now

    def _state(self) -> _library.Snapshot | None:
        state = self._live().state
        return state.contents if state else None

    def __getattr__(self, name: str) -> float:
        if name not in NUMBERS:
            raise AttributeError(f"a moment has no {name!r}; it has {', '.join(NUMBERS)}, words, spins, energies")
        now, state = self._live(), self._state()
        if name == "done":
            return now.share
        if name == "at":
            return float(now.due)
        if name == "proposals":
            return float(now.proposals) if now.proposals or state is not None and not now.words else math.nan
        if state is None:
            return math.nan
        if name == "energy":
            return float(np.mean(_arrays.view(state.energy, (state.replicas,), np.float64, None)))
        if name == "overlap":
            return spinney.spn_snapshot_overlap(ctypes.byref(state))
        if name == "acceptance":
            proposals, accepted = (new - old for new, old in zip(self._counts(), self._past))
            return accepted / proposals if proposals > 0 else math.nan
        return float(now.best_energy if name == "best_energy" else getattr(state, name))

    def _counts(self) -> tuple[float, float]:
        """The proposals of a chain, and those accepted."""
        state = self._state()
        if state is None or self._live().words:
            return self._past
        made, accepted = (_arrays.view(counts, (state.replicas,), np.uint64, None)
                          for counts in (state.proposals, state.accepted))
        return float(made.sum()), float(accepted.sum())

    @property
    def words(self) -> str | None:
        """What the run is doing, in words."""
        return _library.text(self._live().words)

    @property
    def spins(self) -> np.ndarray | None:
        """The spins of the replicas, one per row: a copy. None if no single chain runs."""
        state = self._state()
        spins = None if state is None else _copy(state.spins, (state.replicas, state.sites), np.int8)
        return None if spins is None else spins.astype(np.int64)

    @property
    def energies(self) -> np.ndarray | None:
        """The energies of the replicas: a copy."""
        state = self._state()
        return None if state is None else _copy(state.energy, (state.replicas,), np.float64)

    def __repr__(self) -> str:
        if self._now is None:
            return "<spinney.Moment: over>"
        return f"<spinney.Moment: {100 * self.done:.0f}%, step {self.step:.0f}, energy {self.energy}>"


# Without the enumerations of the module signal, which take longer than all else here.
_SIGINT = int(_signal.SIGINT)
_signal = sys.modules.get("_signal", _signal)

NUMBERS = ("done", "at", "step", "beta", "gamma", "energy", "best_energy", "overlap", "acceptance", "proposals")


def _copy(address: int | None, shape: tuple[int, ...], dtype: Any) -> np.ndarray | None:
    return np.array(_arrays.view(address, shape, dtype, None)) if address else None


class Run:
    """One run: its observers, what was raised in it, and how to stop it."""

    def __init__(self, call: Call, observers: list[Callable[[Moment], Any]]) -> None:
        self.call = call
        self.observers = observers
        self.raised: BaseException | None = None
        self.number = next(_numbers)
        self.past = (0.0, 0.0)

    def stop(self) -> None:
        lab.spn_call_stop(self.call.pointer)

    def keep(self, error: BaseException) -> None:
        """Keep the first exception, and stop."""
        if self.raised is None:
            self.raised = error
        self.stop()

    def tell(self, now: Any) -> int:
        """Call the observers; nonzero if one of them wants to stop."""
        if not self.observers:
            return 0
        moment = Moment(now.contents, self.past)
        try:
            return int(any([bool(observer(moment)) for observer in self.observers]))
        except BaseException as error:
            self.keep(error)
            return 1
        finally:
            self.past = moment._counts()
            moment._now = None

    def go(self, every: int, elsewhere: bool) -> None:
        """Run it, and raise what the library says. elsewhere: threads of the library's call back, so that this
        one has to be left free to handle signals."""
        _running[self.number] = self
        try:
            with catch_interrupts(self) as main:
                if elsewhere and main:
                    _in_a_thread(lambda: _library.check(_run, self.call.pointer, _watcher, self.number, every))
                else:
                    _library.check(_run, self.call.pointer, _watcher, self.number, every)
        finally:
            del _running[self.number]

    def has_results(self) -> bool:
        return _library.states(self.call.pointer).count > 0 or bool(lab.spn_call_curve(self.call.pointer, 0))


_run = lab.spn_call_run_watched
_numbers = itertools.count(1)
_running: dict[int, Run] = {}


@_library.WATCHER
def _watcher(number: int, now: Any) -> int:
    # Where there is nobody to tell, being here is enough: Python has handled its signals on the way in.
    return _running[number].tell(now)


class catch_interrupts:
    """Let Ctrl-C stop a run, in the main thread. Its handler raises KeyboardInterrupt, and would do so within a
    function that the library has called, from which no exception can leave; so the run keeps that, and stops."""

    __slots__ = ("run", "before")

    def __init__(self, run: Any) -> None:  # with stop() and keep(error)
        self.run = run
        self.before: Any = None

    def __enter__(self) -> bool:
        """Whether this is the main thread."""
        before = _signal.getsignal(_SIGINT)
        if not callable(before):
            return threading.current_thread() is threading.main_thread()
        self.before = before
        try:
            _signal.signal(_SIGINT, self.handle)
        except ValueError:  # it is not
            self.before = None
            return False
        return True

    def handle(self, number: int, frame: Any) -> None:
        try:
            self.before(number, frame)
            self.run.stop()
        except BaseException as error:
            self.run.keep(error)

    def __exit__(self, *_: Any) -> None:
        if self.before is not None:
            _signal.signal(_SIGINT, self.before)


def _in_a_thread(work: Callable[[], None]) -> None:
    """Run it in a thread and wait so that this thread can handle signals."""
    raised: list[BaseException] = []

    def target() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=target, name="spinney")
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
    if raised:
        raise raised[0]


# ---- what was on the way ----


class History:
    """An observer that keeps the numbers of a chain at fixed steps. SOME: at about a hundred steps, chosen by the
    library."""

    KEPT = ("step", "beta", "gamma", "energy", "best_energy", "overlap", "acceptance")
    SOME = 2**64 - 1

    def __init__(self) -> None:
        self.rows: list[tuple[float, ...]] = []

    def __call__(self, moment: Moment) -> None:
        if moment.at:
            self.rows.append(tuple(getattr(moment, name) for name in self.KEPT))

    def columns(self) -> dict[str, np.ndarray] | None:
        if not self.rows:
            return None
        return {name: np.array(column) for name, column in zip(self.KEPT, zip(*self.rows))}


def in_notebook() -> bool:
    """Whether results are likely to be shown as pictures."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and type(ipython.get_ipython()).__name__ == "ZMQInteractiveShell"


# ---- progress ----


def progress_bar(wanted: Any, task: str) -> tuple[Callable[[Moment], Any] | None, Callable[[bool], Any] | None]:
    """An observer that shows the progress, and what to call at the end with whether the run is complete, to show 100%.
    wanted: True, or a function of (share, words)."""
    if wanted is None or wanted is False:
        return None, None
    if callable(wanted):
        return lambda moment: wanted(moment.done, moment.words), lambda complete: complete and wanted(1.0, "")
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _line(task)
    bar = tqdm(total=100, desc=task, bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}")

    def tick(moment: Moment) -> None:
        bar.n = round(100 * moment.done, 1)
        if not math.isnan(moment.best_energy):
            bar.set_postfix_str(f"best {moment.best_energy:g}", refresh=False)
        bar.refresh()

    return tick, lambda complete: close_bar(bar, complete)


def close_bar(bar: Any, complete: bool) -> None:
    """Leave a bar of tqdm on the screen, full if the work is complete."""
    if complete:
        bar.n = bar.total
    bar.close()


def _line(task: str) -> tuple[Callable[[Moment], Any], Callable[[bool], None]]:
    """The same without tqdm: one line on the standard error."""
    shown = ""

    def tick(moment: Moment) -> None:
        nonlocal shown
        best = moment.best_energy
        shown = "" if math.isnan(best) else f"  best {best:g}"
        print(f"\r{task}: {100 * moment.done:3.0f}%{shown}", end="", file=sys.stderr, flush=True)

    return tick, lambda complete: print(f"\r{task}: 100%{shown}" if complete else "", file=sys.stderr)
