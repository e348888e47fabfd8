"""A live chain: replicas annealed step by step that you can look at in between."""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Any

import numpy as np

from . import _arrays, _library
from ._handles import Handle, blame
from ._library import HANDLE, STATUS, spinney
from ._running import catch_interrupts
from .energies import Energy
from .errors import LiveObjectError, wrong

_library.declare(spinney, {
    "spn_schedule_parse": (STATUS, [HANDLE, ctypes.c_char_p, ctypes.c_char_p]),
    "spn_schedule_free": (None, [ctypes.c_void_p]),
    "spn_chain_create": (STATUS, [HANDLE, ctypes.c_void_p, ctypes.POINTER(_library.ChainOptions)]),
    "spn_sampler_run": (STATUS, [ctypes.POINTER(ctypes.c_int), ctypes.c_void_p, ctypes.POINTER(_library.Until)]),
    "spn_chain_snapshot_sized": (None, [ctypes.POINTER(_library.Snapshot), ctypes.c_size_t, ctypes.c_void_p]),
    "spn_snapshot_centre": (None, [ctypes.POINTER(_library.Snapshot), ctypes.c_void_p]),
    "spn_sampler_save": (STATUS, [HANDLE, ctypes.POINTER(ctypes.c_size_t), ctypes.c_void_p]),
    "spn_sampler_load": (STATUS, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]),
    "spn_sampler_health": (ctypes.c_int, [ctypes.c_void_p]),
    "spn_sampler_free": (None, [ctypes.c_void_p]),
})

_SLICE_SECONDS = 0.05  # between looks at signals
_REQUEST = 5  # SPN_STOP_REQUEST


class _Schedule(Handle):
    _free = spinney.spn_schedule_free


class _ChainHandle(Handle):
    _free = spinney.spn_sampler_free

    def __init__(self, pointer: int, *borrowed: Any) -> None:
        super().__init__(pointer, *borrowed)
        self.process = os.getpid()

    __slots__ = ("process",)

    def __del__(self) -> None:
        # In a child of a fork the chain's threads are not there, so that it cannot be freed.
        if getattr(self, "process", None) == os.getpid():
            super().__del__()


class Chain:
    """Replicas of an energy's spins, annealed together; ``run(k)`` makes k steps.

    The same arguments and seed give the same chain to the last bit, however many pieces you run it in.

    energy: the energy to anneal.
    replicas: the number of copies, 1 to 255.
    beta, gamma: inverse temperature and coupling: a number, (start, end), or a text; start and end need steps.
    schedule, gamma_schedule: how they change: constant, linear, exponential, "pieces:B1xT1,...", ...
    steps: of the whole run; None for a run without end.
    init: same, independent, or an array of states, one for each replica; dicts find variables by name.
    kernel, order, coupling, centre_every, moves, threads, seed, target, target_by, patience: as in ``anneal``.
    run: the number of an independent run with the same seed.

    >>> import spinney
    >>> chain = spinney.Chain(spinney.MaxCut([(0, 1), (1, 2), (0, 2)]), beta=2.0)
    >>> chain.run(1000)
    'none'
    >>> chain.best_energy
    -2.0
    """

    def __init__(self, energy: Energy, *, replicas: int = 3, beta: Any = 1.0, gamma: Any = 0.0,
                 schedule: str | None = None, gamma_schedule: str | None = None, steps: int | None = None,
                 init: Any = "same", kernel: str = "two-stage", order: str = "replica-round",
                 coupling: str = "replicas", centre_every: int = 0, moves: str = "plain", threads: int = 1,
                 seed: int = 1, run: int = 0, target: float | None = None, target_by: str = "any",
                 patience: int = 0) -> None:
        if not isinstance(energy, Energy):
            raise wrong("energy", f"a spinney.Energy is needed, not {energy!r}")
        whole = _arrays.whole
        self.energy = energy
        self._lock = threading.Lock()
        self._stop = ctypes.c_int(0)
        self._raised: BaseException | None = None
        count = whole("replicas", replicas, 1, 255)
        schedules = [_schedule("beta", beta, schedule), _schedule("gamma", gamma, gamma_schedule)]
        start, given = _start(init, count, energy)
        options = _library.ChainOptions(
            replicas=count, kernel=_word("kernel", kernel), order=_word("order", order), start=start,
            threads=whole("threads", threads, 1, 4096), seed=whole("seed", seed, 0, 2**64 - 1),
            beta=schedules[0].pointer, gamma=schedules[1].pointer,
            steps=0 if steps is None else whole("steps", steps, 1), run=whole("run", run, 0, 2**32 - 1),
            target=0 if target is None else _word("target_by", target_by, "target"),
            target_energy=0.0 if target is None else _arrays.real("target", target),
            patience=whole("patience", patience),
            coupling=_word("coupling", coupling, "coupling_kind"), moves=_word("moves", moves),
            centre_every=whole("centre_every", centre_every))
        if given is not None:
            options.given = given.ctypes.data
        pointer = self._calling(_library.make, spinney.spn_chain_create, energy._handle().pointer,
                                ctypes.byref(options))
        self._handle_ = _ChainHandle(pointer, energy, self._stop)

    # ---- running ----

    def run(self, steps: int | None = None) -> str:
        """Run this many steps, or all that are left. Returns why it stopped: none (more steps are left), steps,
        target, patience. Ctrl-C raises KeyboardInterrupt between two steps, and the chain can continue from there."""
        left = 2**63 if steps is None else _arrays.whole("steps", steps)
        if left == 0:
            return "none"
        with self._alone() as pointer, catch_interrupts(self):
            stop, slice_, clock = ctypes.c_int(), 64, _Clock()
            until = _library.Until(stop=ctypes.addressof(self._stop))
            while True:
                until.steps = min(left, slice_)
                self._calling(_library.check, spinney.spn_sampler_run, ctypes.byref(stop), pointer,
                              ctypes.byref(until))
                left -= min(left, slice_)
                if self._raised is not None:
                    raised, self._raised = self._raised, None
                    self._stop.value = 0
                    raise raised
                if stop.value or left <= 0:
                    return spinney.spn_name(_library.names("stop"), stop.value).decode()
                slice_ = clock.adapt(slice_)

    def stop(self) -> None:
        """Stop a run in another thread at its next step."""
        self._stop.value = 1

    def keep(self, error: BaseException) -> None:
        if self._raised is None:
            self._raised = error
        self.stop()

    def _calling(self, function: Any, *arguments: Any) -> Any:
        """Call the library, which may call a function of the energy; an exception in it comes out unchanged."""
        self.energy._begin()
        try:
            return function(*arguments)
        finally:
            raised = self.energy._end()
            if raised is not None:
                raise raised

    def _alone(self) -> _Alone:
        return _Alone(self)

    # ---- looking ----

    def _look(self) -> tuple[_library.Snapshot, int]:
        snapshot = _library.Snapshot()
        with self._alone() as pointer:
            spinney.spn_chain_snapshot_sized(ctypes.byref(snapshot), ctypes.sizeof(snapshot), pointer)
        return snapshot, snapshot.replicas

    def _array(self, name: str, dtype: Any, by_site: bool = False) -> np.ndarray:
        """A copy, because the chain's memory changes as it runs."""
        snapshot, replicas = self._look()
        shape = (replicas, snapshot.sites) if by_site else (replicas,)
        now = _arrays.view(getattr(snapshot, name), shape, dtype, self._handle_)
        return now.astype(np.int64 if dtype == np.int8 else dtype)  # spins as int64, whose sums do not wrap

    @property
    def step(self) -> int:
        """Steps done."""
        return self._look()[0].step

    @property
    def beta(self) -> float:
        """At the last step done."""
        return self._look()[0].beta

    @property
    def gamma(self) -> float:
        return self._look()[0].gamma

    @property
    def spins(self) -> np.ndarray:
        """The current spins, one replica per row."""
        return self._array("spins", np.int8, by_site=True)

    @property
    def energies(self) -> np.ndarray:
        """The current energy of each replica."""
        return self._array("energy", np.float64)

    @property
    def best_energies(self) -> np.ndarray:
        """The lowest energy of each replica so far."""
        return self._array("best_energy", np.float64)

    @property
    def best_energy(self) -> float:
        """The lowest of all."""
        return float(self.best_energies.min())

    @property
    def best(self) -> np.ndarray:
        """The state with that energy, -1 and +1, or 0 and 1 for a QUBO."""
        spins = self._array("best_spins", np.int8, by_site=True)[int(self.best_energies.argmin())]
        return (spins > 0).astype(np.int64) if self.energy.binary else spins

    @property
    def accepted(self) -> np.ndarray:
        """Accepted flips of each replica."""
        return self._array("accepted", np.uint64)

    @property
    def proposals(self) -> np.ndarray:
        """Proposed flips of each replica."""
        return self._array("proposals", np.uint64)

    @property
    def health(self) -> str:
        """Whether the run so far was annealed, judged by its accepted uphill moves."""
        with self._alone() as pointer:
            return spinney.spn_name(_library.names("health"), spinney.spn_sampler_health(pointer)).decode()

    @property
    def overlap(self) -> float:
        """The mean over pairs of replicas of <s, s'>/N; 1 for a single replica."""
        return spinney.spn_snapshot_overlap(ctypes.byref(self._look()[0]))

    def centre(self) -> np.ndarray:
        """The majority of the replicas at each spin."""
        snapshot, _ = self._look()
        out = np.empty(snapshot.sites, np.int8)
        spinney.spn_snapshot_centre(ctypes.byref(snapshot), out.ctypes.data)
        return out.astype(np.int64)

    # ---- keeping ----

    def save(self) -> bytes:
        """The state of the chain as bytes, at any step. An energy of your own in C with `refresh` needs
        `plain_cache` for that; without, it can be saved at multiples of 8192 steps."""
        size = ctypes.c_size_t()
        with self._alone() as pointer:
            memory = _library.make(spinney.spn_sampler_save, ctypes.byref(size), pointer)
        try:
            return ctypes.string_at(memory, size.value)
        finally:
            spinney.spn_free(memory)

    def load(self, state: bytes) -> None:
        """Load a saved state of a chain with the same arguments; it continues to the last bit as that one would."""
        if not isinstance(state, bytes):
            raise wrong("state", f"the bytes that save() gave are needed, not {type(state).__name__}")
        with self._alone() as pointer, blame("state"):
            self._calling(_library.check, spinney.spn_sampler_load, pointer, state, len(state))

    def __reduce__(self) -> Any:
        raise LiveObjectError("a live chain cannot be pickled or copied; keep its arguments and chain.save()")

    def __repr__(self) -> str:
        snapshot, replicas = self._look()
        return f"<spinney.Chain: {replicas} replicas of {snapshot.sites} spins, step {snapshot.step}>"


class _Alone:
    """The right to use a chain: one thread at a time, in the process that made it."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain

    def __enter__(self) -> int:
        handle = self.chain._handle_
        if handle.process != os.getpid():
            raise LiveObjectError(f"this chain lives in process {handle.process}, of which this one is a fork; "
                                  "make it anew here, and load() what save() gave there")
        if not self.chain._lock.acquire(blocking=False):
            raise LiveObjectError("another thread is using this chain; each needs a chain of its own")
        assert handle.pointer is not None
        return handle.pointer

    def __exit__(self, *_: Any) -> None:
        self.chain._lock.release()


class _Clock:
    """Slices of a run, each some hundredths of a second long."""

    def __init__(self) -> None:
        import time

        self.now = time.perf_counter
        self.last = self.now()

    def adapt(self, steps: int) -> int:
        before, self.last = self.last, self.now()
        seconds = self.last - before
        return steps * 2 if seconds < _SLICE_SECONDS / 2 else max(1, steps // 2) if seconds > _SLICE_SECONDS else steps


def _schedule(name: str, value: Any, kind: str | None) -> _Schedule:
    if isinstance(value, (tuple, list)):
        text = ":".join(repr(_arrays.real(name, item)) for item in value)
    elif isinstance(value, str):
        text = value
    else:
        text = repr(_arrays.real(name, value))
    if kind is not None and not isinstance(kind, str):
        raise wrong(name, f"the kind of a schedule is a text, not {kind!r}")
    with blame(name):
        encoded = None if kind is None else kind.encode()
        return _Schedule(_library.make(spinney.spn_schedule_parse, text.encode(), encoded))


def _word(name: str, value: Any, kind: str | None = None) -> int:
    if not isinstance(value, str) or "\0" in value:
        raise wrong(name, f"a word is needed, not {value!r}")
    out = ctypes.c_int()
    with blame(name):
        _library.check(spinney.spn_name_parse, ctypes.byref(out), _library.names(kind or name), value.encode())
    return out.value


def _start(init: Any, replicas: int, energy: Energy) -> tuple[int, np.ndarray | None]:
    if isinstance(init, str):
        return _word("init", init, "start"), None
    made = _arrays.array("init", energy._by_name("init", init))
    rows = _arrays.spins("init", made[np.newaxis] if made.ndim == 1 else made, 2, "a state for each replica",
                         energy.binary)
    if rows.shape[1] != energy.sites or rows.shape[0] not in (1, replicas):
        raise wrong("init", f"{replicas} states of {energy.sites} spins are needed, or one, not {rows.shape}")
    return 2, np.ascontiguousarray(np.broadcast_to(rows, (replicas, energy.sites)))  # 2: SPN_START_GIVEN
