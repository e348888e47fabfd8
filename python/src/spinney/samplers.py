"""An annealing sampler with the methods and keywords that users of dimod and D-Wave's samplers know."""

from __future__ import annotations

import secrets
import time
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from .energies import Energy, Ising, QUBO
from .errors import KindError, wrong
from .problem import Problem
from .sampleset import SampleSet, Vartype, as_samples
from ._typed import anneal
from .tables import TASKS

__all__ = ["Sampler"]

SCHEDULES = {"linear": "linear", "geometric": "exponential"}  # their names here
KERNELS = {"Metropolis": "two-stage", "Gibbs": "heat-bath"}
GENERATORS = ("none", "tile", "random")


class Sampler:
    """Simulated annealing of Ising models and QUBOs, by ``spinney.anneal``.

    It takes the keywords of common annealing samplers and returns a ``dimod.SampleSet`` if dimod is installed, else a
    ``spinney.SampleSet`` with the same fields. Other keywords are settings of ``spinney.anneal``, such as
    ``threads``, ``replicas``, ``gamma``, ``target`` or ``time``.

    It differs from others as follows:

    - The range of beta is measured from the energy (``beta="auto"``), not bounded by sums of couplings, so couplings
      of very different sizes do not freeze a read too early or too late.
    - A sample is the best state of a read, not its last, unless all energies are equal; they agree if the end is
      cold. For samples at a temperature use ``spinney.Chain`` or ``spinney.temper``.
    - Beta changes at every step, not once per sweep, unless ``num_sweeps_per_beta`` or ``beta_schedule`` says
      otherwise.
    - With ``initial_states`` each read is a run of its own, and the samples come in the order of these states. Without,
      they come lowest energy first.
    - ``interrupt_function`` is called about ten times a second, also within reads. Interrupted reads count as they
      are; reads that have not started are left out.

    >>> import spinney
    >>> samples = spinney.Sampler().sample_ising({"a": 0.5}, {("a", "b"): -1.0}, num_reads=10, seed=1)
    >>> samples.first.sample, samples.first.energy
    ({'a': -1, 'b': -1}, -1.5)
    """

    def __init__(self) -> None:
        keywords = ("num_reads", "num_sweeps", "num_sweeps_per_beta", "beta_range", "beta_schedule", "seed",
                    "interrupt_function", "initial_states", "initial_states_generator", "randomize_order")
        self.parameters: dict[str, list[str]] = {
            **{keyword: [] for keyword in keywords}, "beta_schedule_type": ["beta_schedule_options"],
            "proposal_acceptance_criteria": ["proposal_acceptance_criteria_options"]}
        self.properties: dict[str, Any] = {
            "beta_schedule_options": ("linear", "geometric", "custom"),
            "proposal_acceptance_criteria_options": tuple(KERNELS)}
        dimod = _dimod()
        if dimod is not None and hasattr(getattr(dimod, "Sampler", None), "register"):
            dimod.Sampler.register(type(self))

    def remove_unknown_kwargs(self, **kwargs: Any) -> dict[str, Any]:
        """The keywords that the sampler knows; a warning names each of the others."""
        known = {*self.parameters, *TASKS["anneal"].settings}
        for name in kwargs.keys() - known:
            warnings.warn(f"the sampler has no keyword {name!r}; it is left out", stacklevel=2)
        return {name: value for name, value in kwargs.items() if name in known}

    def sample_ising(self, h: Any, J: Any, **parameters: Any) -> Any:
        """Minimise sum h_i s_i + sum J_ij s_i s_j over spins -1 and 1.

        h: a dict from variables to fields, or a list of them; J: a dict from pairs of variables to couplings, or a
        square matrix of them with a zero diagonal, in which (i, j) and (j, i) add up. For the other keywords see
        ``sample``.
        """
        fields = dict(h) if isinstance(h, Mapping) else dict(enumerate(h))
        return self._sample(fields, _pairs("J", J), 0.0, Vartype.SPIN, parameters)

    def sample_qubo(self, Q: Any, **parameters: Any) -> Any:
        """Minimise sum Q_ij x_i x_j over variables 0 and 1.

        Q: a dict from pairs of variables to coefficients, or a square matrix of them; (i, i) is the linear term of i.
        For the other keywords see ``sample``.
        """
        linear: dict[Hashable, float] = {}
        quadratic: dict[tuple[Hashable, Hashable], float] = {}
        for (u, v), value in _pairs("Q", Q, loops=True).items():
            if u == v:
                linear[u] = value
            else:
                quadratic[u, v] = value
        return self._sample(linear, quadratic, 0.0, Vartype.BINARY, parameters)

    def sample_hubo(self, J: Mapping[Any, float], vartype: Any = "BINARY", *, num_reads: int = 1,
                    num_sweeps: int = 1000, seed: int | None = None, **kwargs: Any) -> Any:
        """Minimise a polynomial of any degree, as OpenJij's method of this name.

        J: a dict from tuples of variables to coefficients; () is the constant. vartype: SPIN or BINARY.
        kwargs: settings of spinney.anneal that go with a problem, such as threads or time.

        >>> import spinney
        >>> spinney.Sampler().sample_hubo({(0, 1, 2): -1.0, (0,): 0.5}, "SPIN", num_reads=3, seed=1).first.energy
        -1.5
        """
        own = secrets.randbits(31) if seed is None else seed
        kind = Vartype.of_two(vartype)
        problem = Problem({key if isinstance(key, tuple) else (key,): value for key, value in J.items()}, kind.name)
        result = anneal(problem=problem, reads=num_reads, sweeps=num_sweeps, seed=own, **kwargs)
        found = result.solutions
        rows = np.repeat(np.arange(len(found)), found.reads.astype(int))
        info = {"seed": own, "complete": result.complete and len(rows) == num_reads, "seconds": result.seconds}
        return _made((found.values[rows].astype(np.int8), list(found.variables)), kind, found.objectives[rows], info)

    def sample(self, bqm: Any, *, num_reads: int | None = None, num_sweeps: int | None = None,
               num_sweeps_per_beta: int = 1, beta_range: Sequence[float] | None = None,
               beta_schedule_type: str = "geometric", beta_schedule: Any = None, seed: int | None = None,
               initial_states: Any = None, initial_states_generator: str = "random",
               interrupt_function: Callable[[], bool] | None = None, randomize_order: bool = False,
               proposal_acceptance_criteria: str = "Metropolis", **kwargs: Any) -> Any:
        """Sample from a binary quadratic model.

        bqm: an object with linear, quadratic, offset and vartype, such as a dimod.BinaryQuadraticModel.
        num_reads: independent runs, one sample each; by default the number of initial states, or 1.
        num_sweeps: sweeps of each run (default 1000); 0 returns the initial states.
        beta_range: inverse temperatures at the start and at the end (default: measured).
        beta_schedule_type: geometric, linear or, with beta_schedule, custom.
        beta_schedule: values of beta, each for num_sweeps_per_beta sweeps, or pairs (beta, sweeps). A list of such
            pairs as ``schedule`` says the same.
        num_sweeps_per_beta: sweeps before beta changes; other values than 1 need beta_range or beta_schedule.
        seed: of all randomness; by default a new one, reported in info["seed"].
        initial_states: samples to start from, one for each read; initial_states_generator says where further ones come
            from: "random", "tile" (the same again) or "none" (there must be enough).
        interrupt_function: called without arguments; if it returns True, the samples so far are returned.
        randomize_order: propose spins at random, not in turn.
        proposal_acceptance_criteria: Metropolis or Gibbs.
        kwargs: settings of spinney.anneal, such as threads=4 or replicas=3.

        info has the seed, beta_range, whether the run is complete, its seconds, and timing in nanoseconds. Equal seeds
        and arguments give equal samples, at any number of threads.
        """
        given = dict(num_reads=num_reads, num_sweeps=num_sweeps, num_sweeps_per_beta=num_sweeps_per_beta,
                     beta_range=beta_range, beta_schedule_type=beta_schedule_type, beta_schedule=beta_schedule,
                     seed=seed, initial_states=initial_states, initial_states_generator=initial_states_generator,
                     interrupt_function=interrupt_function, randomize_order=randomize_order,
                     proposal_acceptance_criteria=proposal_acceptance_criteria)
        try:
            linear, quadratic, offset, vartype = bqm.linear, bqm.quadratic, bqm.offset, Vartype.of_two(bqm.vartype)
            variables = list(bqm.variables) if hasattr(bqm, "variables") else []
        except AttributeError:
            raise wrong("bqm", f"an object with linear, quadratic, offset and vartype is needed, not {bqm!r}") from None
        fields = {**dict.fromkeys(variables, 0.0), **dict(linear)}
        return self._sample(fields, _pairs("bqm", quadratic), float(offset), vartype, {**given, **kwargs})

    def _sample(self, linear: dict[Hashable, float], quadratic: Mapping[tuple[Hashable, Hashable], float],
                offset: float, vartype: Vartype, parameters: dict[str, Any]) -> Any:
        variables = _variables(linear, quadratic)
        call = _Call(variables, vartype, parameters)
        call.flat = all(value == 0 for value in (*linear.values(), *quadratic.values()))
        if call.flat and call.starts is None:  # any state is as good
            return call.stay(None, np.full(call.reads, offset))
        fields = {variable: linear.get(variable, 0.0) for variable in variables}
        if vartype is Vartype.BINARY:
            return call.run(QUBO({**{(v, v): field for v, field in fields.items()}, **quadratic}, offset))
        return call.run(Ising(fields, dict(quadratic), offset))


class _Call:
    """The checked keywords of one call, as settings of anneal."""

    def __init__(self, variables: list[Hashable], vartype: Vartype, parameters: dict[str, Any]) -> None:
        self.began, self.asked = time.perf_counter_ns(), 0
        self.variables, self.vartype = variables, vartype
        self.given = dict(parameters)
        self.seed = self._seed(self.given.pop("seed", None))
        self.interrupt = self.given.pop("interrupt_function", None)
        if self.interrupt is not None and not callable(self.interrupt):
            raise wrong("interrupt_function", f"a function is needed, not {self.interrupt!r}", KindError)
        self.settings: dict[str, Any] = {"seed": self.seed}
        self.reads, self.starts = self._starts()
        self.settings["reads"] = self.reads
        self.still = self.given.get("num_sweeps") == 0 and self.given.pop("num_sweeps") == 0
        self.ends: list[Any] = []  # of beta, where they are given
        self.flat = False  # whether all energies are equal: then a sample is the last state
        self._take_orders()
        self._take_betas()
        self.settings.update(self.given)

    # ---- reading keywords ----

    def _whole(self, name: str, value: Any, least: int = 1) -> int:
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise wrong(name, f"a whole number from {least} on is needed, not {value!r}", KindError)
        whole = int(value)
        if not least <= whole < 2**64:
            raise wrong(name, f"a whole number from {least} on is needed, below 2^64, not {value!r}")
        return whole

    def _seed(self, seed: Any) -> int:
        return secrets.randbits(31) if seed is None else self._whole("seed", seed, 0)

    def _word(self, name: str, default: str, words: Iterable[str]) -> str:
        word = self.given.pop(name, default)
        if word not in list(words):
            raise wrong(name, f"{word!r} is not one of {', '.join(words)}")
        return word

    def _take_orders(self) -> None:
        """One replica per read, spins in turn, unless settings say otherwise."""
        kernel = KERNELS[self._word("proposal_acceptance_criteria", "Metropolis", KERNELS)]
        order = "random" if self.given.pop("randomize_order", False) else "sequential"
        if self.given.get("moves") in ("waiting", "auto"):
            order = "replica-round"
        self.settings.update(replicas=1, order=order, kernel=kernel)

    def _starts(self) -> tuple[int, np.ndarray | None]:
        """The number of reads and their start states; None for random ones."""
        number = self.given.pop("num_reads", None)
        reads = None if number is None else self._whole("num_reads", number)
        generator = self._word("initial_states_generator", "random", GENERATORS)
        states = self.given.pop("initial_states", None)
        if states is None:
            if generator != "random" and reads is not None:
                raise wrong("initial_states_generator", f"{generator}: there are no initial states")
            return reads or 1, None
        rows = self._rows(states)
        reads = reads or len(rows) or 1
        if not len(rows) and generator != "random":
            raise wrong("initial_states", "there are none")
        missing = reads - len(rows)
        if missing > 0 and generator == "none":
            raise wrong("initial_states", f"there are {len(rows)} for {reads} reads; initial_states_generator is none")
        if missing > 0 and generator == "random":
            more = np.random.default_rng(self.seed).integers(0, 2, (missing, rows.shape[1]), np.int8)
            rows = np.concatenate([rows, more if self.vartype is Vartype.BINARY else 2 * more - 1])
        return reads, rows[np.arange(reads) % len(rows)]

    def _rows(self, states: Any) -> np.ndarray:
        """Initial states in the problem's values, one column per variable in its order."""
        try:
            rows, labels = as_samples(states)
        except (TypeError, ValueError) as error:
            raise wrong("initial_states", str(error)) from None
        if set(labels) != set(self.variables):
            raise wrong("initial_states", "they are of other variables than the problem")
        place = {label: k for k, label in enumerate(labels)}
        rows = rows[:, [place[variable] for variable in self.variables]]
        own = getattr(states, "vartype", None)
        binary = (Vartype.of(own) if own is not None else self.vartype) is Vartype.BINARY
        if not np.isin(rows, (0, 1) if binary else (-1, 1)).all():
            raise wrong("initial_states", "expected 0 and 1" if binary else "expected -1 and 1")
        if binary == (self.vartype is Vartype.BINARY):
            return rows
        return 2 * rows - 1 if binary else (rows + 1) // 2

    # ---- beta ----

    def _take_betas(self) -> None:
        kind = self._word("beta_schedule_type", "geometric", ("linear", "geometric", "custom"))
        each = self._whole("num_sweeps_per_beta", self.given.pop("num_sweeps_per_beta", 1))
        sweeps, betas = self.given.pop("num_sweeps", None), self.given.pop("beta_schedule", None)
        if betas is None and np.ndim(self.given.get("schedule", 0)) == 2:  # OpenJij's pairs
            kind, betas = "custom", self.given.pop("schedule")
        ends = self.given.pop("beta_range", None)
        if sweeps is not None:
            sweeps = self._whole("num_sweeps", sweeps)
        if kind == "custom":
            self._take_pieces(self._schedule(betas, ends, sweeps, each), each)
            return
        if betas is not None:
            raise wrong("beta_schedule", "is for beta_schedule_type='custom'")
        if sweeps is not None or each > 1 or not {"steps", "sweeps", "time"} & set(self.given):
            sweeps = 1000 if sweeps is None else sweeps
            if sweeps % each:
                raise wrong("num_sweeps", f"{sweeps} is not a multiple of num_sweeps_per_beta, {each}")
            self.settings["sweeps"] = sweeps
        if ends is not None:
            self._take_range(*self._ends(ends, kind), kind, sweeps, each)
        elif each > 1:
            raise wrong("num_sweeps_per_beta", "steps of beta need beta_range or beta_schedule; a range that is "
                        "measured is gone through smoothly")
        elif kind == "linear":
            self.settings["schedule"] = "linear"

    def _ends(self, ends: Any, kind: str) -> tuple[float, float]:
        try:
            first, last = (float(end) for end in ends)
        except (TypeError, ValueError):
            raise wrong("beta_range", f"two numbers are needed, not {ends!r}") from None
        if not (0 <= first < np.inf and 0 <= last < np.inf):
            raise wrong("beta_range", f"{first}, {last}: values of beta are finite and not below 0")
        if kind == "geometric" and not (first > 0 and last > 0):
            raise wrong("beta_range", f"{first}, {last}: a geometric schedule has no value 0; use linear")
        return first, last

    def _take_range(self, first: float, last: float, kind: str, sweeps: int | None, each: int) -> None:
        self.ends = [first, last]
        if each > 1 and sweeps is not None:
            number = sweeps // each
            betas = np.linspace(first, last, number) if kind == "linear" else np.geomspace(first, last, number)
            self._take_pieces(betas if number > 1 else np.array([last]), each)
            return
        self.settings["beta"] = (first, last) if first != last else first
        if first != last:
            self.settings["schedule"] = SCHEDULES[kind]

    def _schedule(self, betas: Any, ends: Any, sweeps: int | None, each: int) -> np.ndarray:
        if betas is None:
            raise wrong("beta_schedule", "is needed for beta_schedule_type='custom'")
        try:
            values = np.asarray(betas, dtype=float)
        except (TypeError, ValueError):
            raise wrong("beta_schedule", f"a list of numbers is needed, not {betas!r}") from None
        if values.ndim == 2 and values.shape[1] == 2 and (values[:, 1] >= 1).all():  # (beta, sweeps)
            values = np.repeat(values[:, 0], values[:, 1].astype(int))
        if values.ndim != 1 or not values.size or np.isnan(values).any() or values.min() < 0:
            raise wrong("beta_schedule", "a list of numbers, none below 0, is needed, or of pairs (beta, sweeps)")
        values = np.minimum(values, np.finfo(float).max)  # at infinity no energy rises
        if sweeps is not None and sweeps != len(values) * each:
            raise wrong("num_sweeps", f"{sweeps} is not {len(values)} values of beta times {each} sweeps")
        if ends is not None and self._ends(ends, "custom") != (values[0], values[-1]):
            raise wrong("beta_range", "does not agree with beta_schedule")
        return values

    def _take_pieces(self, betas: np.ndarray, sweeps_each: int) -> None:
        order, replicas = self.given.get("order", self.settings["order"]), self.given.get("replicas", 1)
        steps = sweeps_each * len(self.variables) * (int(replicas) if order == "random" else 1)
        self.ends = [float(betas[0]), float(betas[-1])]
        self.settings.pop("sweeps", None)
        self.settings["schedule"] = "pieces:" + ",".join(f"{float(beta)!r}x{steps}" for beta in betas)

    # ---- running ----

    def stay(self, samples: np.ndarray | None, energies: np.ndarray) -> Any:
        """The initial states as they are; random ones if there are none."""
        if samples is None:
            bits = np.random.default_rng(self.seed).integers(0, 2, (self.reads, len(self.variables)), np.int8)
            samples = bits if self.vartype is Vartype.BINARY else 2 * bits - 1
        info = {"seed": self.seed, "beta_range": self.ends or [0.0, 0.0], "complete": True, "seconds": 0.0}
        return self.made(samples, energies, info, time.perf_counter_ns())

    def run(self, energy: Energy) -> Any:
        assert list(energy.variables) == self.variables
        if self.still:
            random = self.stay(self.starts, np.zeros(self.reads)).record.sample
            return self.stay(random, energy(random))
        if self.starts is None:
            return self.anneal(energy, self.settings)
        if self.reads == 1:
            return self.anneal(energy, {**self.settings, "init": self.starts})
        return self.one_by_one(energy, self.starts)

    def one_by_one(self, energy: Energy, starts: np.ndarray) -> Any:
        """A run for each start, so that the samples come in the order of these."""
        seeds = np.random.SeedSequence(self.seed).generate_state(self.reads, np.uint32).tolist()
        own: dict[str, Any] = {**self.settings, "reads": 1}
        until = None if own.get("time") is None else time.perf_counter() + float(own["time"])
        parts: list[Any] = []
        for left, seed, start in zip(range(self.reads, 0, -1), seeds, starts):
            if until is not None:
                own["time"] = max((until - time.perf_counter()) / left, 0.001)
            parts.append(self.anneal(energy, {**own, "seed": seed, "init": start[np.newaxis]}))
            over = until is not None and time.perf_counter() > until
            if self.interrupted or (over and {"steps", "sweeps"} & own.keys()):  # else each read is whole
                break
        samples = np.concatenate([part.record.sample for part in parts])
        whole = len(parts) == self.reads and all(part.info["complete"] for part in parts)
        info = {**parts[0].info, "complete": whole, "seed": self.seed,
                "seconds": sum(part.info["seconds"] for part in parts)}
        return self.made(samples, np.concatenate([part.record.energy for part in parts]), info, self.sampled)

    def anneal(self, energy: Energy, settings: dict[str, Any]) -> Any:
        self.asked = self.asked or time.perf_counter_ns()
        observer = None if self.interrupt is None else (lambda moment: bool(self.interrupt()))
        try:
            result = anneal(energy, observer=observer, **settings)
        except KeyboardInterrupt as interrupt:
            if interrupt.result is not None:  # type: ignore[attr-defined]
                interrupt.result = self.collect(interrupt.result)  # type: ignore[attr-defined]
            raise
        return self.collect(result)

    def collect(self, result: Any) -> Any:
        """The sample set of a result."""
        self.sampled, self.interrupted = time.perf_counter_ns(), not result.complete
        if self.flat:
            spins = result.end_spins.astype(np.int8)
            return self.made(spins if self.vartype is Vartype.SPIN else (spins + 1) // 2, result.end_energies,
                             self._info(result, result.complete), self.sampled)
        rows = np.repeat(np.arange(len(result.energies)), result.counts.astype(int))
        cut = result.words.get("stop") == "time"  # before the sweeps that were asked for
        whole = result.complete and not cut and (self.starts is not None or len(rows) == self.reads)
        return self.made(result.states_int8[rows], result.energies[rows], self._info(result, whole), self.sampled)

    def _info(self, result: Any, whole: bool) -> dict[str, Any]:
        return {"seed": self.seed, "complete": whole, "seconds": result.seconds,
                "beta_range": self.ends or [result.numbers.get("beta_start"), result.numbers.get("beta_end")]}

    def made(self, samples: np.ndarray, energies: np.ndarray, info: dict[str, Any], sampled: int) -> Any:
        """A sample set, with the times that it took: before, in and after the run."""
        asked = self.asked or sampled - 1
        out = _made((samples, self.variables), self.vartype, energies, info)
        out.info["timing"] = {"preprocessing_ns": max(1, asked - self.began), "sampling_ns": max(1, sampled - asked),
                              "postprocessing_ns": max(1, time.perf_counter_ns() - sampled)}
        return out


def _made(samples: tuple[np.ndarray, list[Hashable]], vartype: Vartype, energies: np.ndarray,
          info: dict[str, Any]) -> Any:
    dimod = _dimod()
    kind = SampleSet if dimod is None else dimod.SampleSet
    return kind.from_samples(samples, vartype=vartype.name, energy=energies, info=info)


def _dimod() -> Any:
    try:
        import dimod
    except ImportError:
        return None
    return dimod


def _of_matrix(name: str, matrix: np.ndarray, loops: bool) -> dict[tuple[Hashable, Hashable], float]:
    """The entries of a square matrix; with loops the whole diagonal, so that no variable is lost."""
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.dtype.kind not in "biuf":
        raise wrong(name, f"a square matrix of numbers is needed, not an array of shape {matrix.shape}")
    kept = (matrix != 0) | (np.eye(len(matrix), dtype=bool) & loops)
    return {(int(i), int(j)): float(matrix[i, j]) for i, j in zip(*np.nonzero(kept))}


def _pairs(name: str, pairs: Any, loops: bool = False) -> Mapping[tuple[Hashable, Hashable], float]:
    if isinstance(pairs, np.ndarray):
        pairs = _of_matrix(name, pairs, loops)
    elif not isinstance(pairs, Mapping) and hasattr(pairs, "items"):
        pairs = dict(pairs.items())
    if not isinstance(pairs, Mapping):
        raise wrong(name, f"a dict from pairs of variables to numbers is needed, not {type(pairs).__name__}")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise wrong(name, f"{pair!r} is not a pair of variables")
        if pair[0] == pair[1] and not loops:
            raise wrong(name, f"{pair!r} is not a pair of two variables")
    return pairs


def _variables(linear: Mapping[Hashable, float],
               quadratic: Mapping[tuple[Hashable, Hashable], float]) -> list[Hashable]:
    """All variables, sorted if possible."""
    met = dict.fromkeys(linear)
    for u, v in quadratic:
        met[u] = met[v] = None
    try:
        return sorted(met)  # type: ignore[type-var]
    except TypeError:
        return list(met)
