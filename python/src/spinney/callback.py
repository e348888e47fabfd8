"""Python functions as energies."""

from __future__ import annotations

import ctypes
from typing import Any, Callable

import numpy as np

from . import _arrays, _library
from ._library import spinney
from .energies import Energy, EnergyHandle
from .errors import wrong

_FUNCTION: Any = ctypes.CFUNCTYPE(None).__mro__[1]  # the class of all functions of ctypes


class Callback(Energy):
    """A Python function as an energy.

    f: the energy of a state, a read-only array of ``sites`` spins of -1 and +1, as int64.
    sites: the number of spins.
    delta: optional; ``delta(spins, site)`` is the energy change if one spin flips, given the spins before the flip.
       With it f is rarely called.
    f and delta may also be compiled functions, of ctypes or cfuncs of Numba, with the signatures double(int8*, size_t,
    void*) and double(int8*, size_t spins, size_t site, void*): they are called directly, without Python.
    vectorised: f takes many states, the rows of an array, and returns an array of their energies. Many flips of a
       state are then evaluated at once, and kept until one is accepted.

    If the function raises, the exception comes out of the call that runs it. One thread at a time calls it.

    >>> import spinney
    >>> c = spinney.Callback(lambda spins: abs(spins.sum()), sites=4)
    >>> c([1, 1, 1, -1])
    2.0
    """

    kind = "callback"

    def __init__(self, f: Callable[..., Any], sites: int, delta: Callable[..., Any] | None = None, *,
                 vectorised: bool = False) -> None:
        if not callable(f):
            raise wrong("f", f"a function is needed, not {f!r}")
        self._direct = _address(f) is not None
        if delta is not None and (_address(delta) is not None) != self._direct or self._direct and vectorised:
            raise wrong("f", "f and delta are both compiled functions of one state, or both Python's")
        if delta is not None and not callable(delta):
            raise wrong("delta", f"a function is needed, not {delta!r}")
        if delta is not None and vectorised:
            raise wrong("delta", "is of no use to a vectorised function, whose flips are asked for together")
        self._sites = _arrays.whole("sites", sites, 1, 2**32 - 1)
        self.f, self.delta, self.vectorised = f, delta, bool(vectorised)
        self._calls = _Calls(f, delta)
        self._made = self._make()

    def _make(self) -> EnergyHandle:
        calls = self._calls
        if self._direct:
            value = ctypes.cast(_address(self.f), _library.VALUE)  # type: ignore[arg-type]
            pointer = _library.make(spinney.spn_callback_create, self._sites, value, _address(self.delta), None)
            return EnergyHandle(pointer, self.f, self.delta)
        if self.vectorised:
            values = _library.VALUES(calls.values)
            pointer = _library.make(spinney.spn_batch_callback_create, self._sites, values, None)
            return EnergyHandle(pointer, values)
        value = _library.VALUE(calls.value)
        change = _library.CHANGE(calls.change) if self.delta else None
        address = ctypes.cast(change, ctypes.c_void_p) if change else None
        pointer = _library.make(spinney.spn_callback_create, self._sites, value, address, None)
        return EnergyHandle(pointer, value, change)

    def _handle(self) -> EnergyHandle:
        return self._made

    def _begin(self) -> None:
        self._calls.begin()

    def _end(self) -> BaseException | None:
        return self._calls.end()

    @property
    def sites(self) -> int:
        return self._sites

    def _values(self, rows: np.ndarray) -> np.ndarray:
        """The energies of states, directly from the function."""
        if self._direct:
            return super()._values(rows)
        rows = _arrays.wide("states", rows)
        if self.vectorised:
            return _checked(self.f(rows), len(rows))
        return np.array([_number("f", self.f(row)) for row in rows])

    def __reduce__(self) -> Any:
        return _again, (self.f, self._sites, self.delta, self.vectorised)


def _address(f: Any) -> int | None:
    """The address of a compiled function; None for others."""
    if isinstance(f, _FUNCTION):
        return ctypes.cast(f, ctypes.c_void_p).value
    address = getattr(f, "address", None)  # of a cfunc of Numba
    return address if isinstance(address, int) and hasattr(f, "ctypes") else None


def _again(f: Any, sites: int, delta: Any, vectorised: bool) -> Callback:
    return Callback(f, sites, delta, vectorised=vectorised)


class _Calls:
    """The functions as the library calls them. An exception is kept for its run, and the energy is NaN, which ends
    the run."""

    def __init__(self, f: Callable[..., Any], delta: Callable[..., Any] | None) -> None:
        self.f, self.delta = f, delta
        self.raised: list[BaseException] = []
        self.runs = 0

    def begin(self) -> None:
        """A run starts. Leftovers of earlier runs are useless, but two may run at once."""
        if self.runs == 0:
            self.raised.clear()
        self.runs += 1

    def end(self) -> BaseException | None:
        """The run has ended; return what was raised in it."""
        self.runs -= 1
        return self.raised.pop(0) if self.raised else None

    def value(self, spins: int, sites: int, _: Any) -> float:
        try:
            return _number("f", self.f(_states(spins, sites)))
        except BaseException as error:
            self.raised.append(error)
            return float("nan")

    def change(self, spins: int, sites: int, site: int, _: Any) -> float:
        try:
            return _number("delta", self.delta(_states(spins, sites), site))  # type: ignore[misc]
        except BaseException as error:
            self.raised.append(error)
            return float("nan")

    def values(self, out: int, states: int, count: int, sites: int, _: Any) -> None:
        try:
            found = _checked(self.f(_states(states, count * sites).reshape(count, sites)), count)
        except BaseException as error:
            self.raised.append(error)
            found = np.full(count, np.nan)
        ctypes.memmove(out, found.ctypes.data, 8 * count)


def _states(address: int, size: int) -> np.ndarray:
    """A copy that the function may keep: the library's memory ends with the run."""
    return _arrays.wide("states", np.frombuffer(ctypes.string_at(address, size), np.int8))


def _number(name: str, value: Any) -> float:
    if type(value) is float:
        return value
    if isinstance(value, (str, bytes)) or value is None:
        raise wrong(name, f"gave {value!r} in place of a number")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise wrong(name, f"gave a {type(value).__name__} in place of a number") from None


def _checked(values: Any, count: int) -> np.ndarray:
    made = _arrays.numbers("f", values, 1, "an energy for each state")
    if len(made) != count:
        raise wrong("f", f"gave {len(made)} energies for {count} states")
    return made
