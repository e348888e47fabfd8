"""Sample sets as users of annealing samplers know them: the fields and methods of dimod's SampleSet, for
machines where dimod is not installed."""
from __future__ import annotations

import enum
import warnings
from collections import namedtuple
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import _serial

__all__ = ["SampleSet", "Vartype", "append_data_vectors", "append_variables", "as_samples", "concatenate",
           "drop_variables", "infer_vartype", "keep_variables"]

REQUIRED = ("sample", "energy", "num_occurrences")


class Vartype(enum.Enum):
    """The values that variables take."""

    SPIN = frozenset({-1, 1})
    BINARY = frozenset({0, 1})
    INTEGER = "whole numbers"
    DISCRETE = "numbers of cases"

    @classmethod
    def of(cls, value: Any) -> Vartype:
        """From a Vartype (ours or another package's), its name, or its two values."""
        name = getattr(value, "name", value)
        if isinstance(name, str) and name.upper() in cls.__members__:
            return cls[name.upper()]
        if isinstance(value, (set, frozenset, tuple, list)):
            for member in cls:
                if frozenset(value) == member.value:
                    return member
        raise ValueError(f"vartype: {value!r} is not SPIN or BINARY, nor INTEGER or DISCRETE")

    @classmethod
    def of_two(cls, value: Any) -> Vartype:
        """The same, of variables with two values."""
        kind = cls.of(value)
        if kind not in (cls.SPIN, cls.BINARY):
            raise ValueError(f"vartype: {kind.name} is not SPIN or BINARY")
        return kind


def as_samples(samples_like: Any, dtype: Any = None, copy: bool = False,
               labels_type: Callable[[Iterable[Hashable]], Any] = list) -> tuple[np.ndarray, Any]:
    """Samples in one of the usual forms as an array, one per row, and the labels of its columns.

    Forms: a sample set; a dict, or a list of dicts, from labels to values; an array, a list or an iterator of rows,
    or one row, whose labels are 0, 1, ...; and a pair of such an array and a list of labels. Arrays keep their type;
    whole numbers from lists take as few bytes as they need.

    >>> as_samples([{"a": -1, "b": 1}, {"b": -1, "a": 1}])
    (array([[-1,  1],
           [ 1, -1]], dtype=int8), ['a', 'b'])
    """
    labels: Any = None
    if hasattr(samples_like, "record") and hasattr(samples_like, "variables"):
        samples_like, labels = samples_like.record.sample, samples_like.variables
    elif isinstance(samples_like, tuple) and len(samples_like) == 2 and not _is_rows(samples_like):
        samples_like, labels = samples_like
        if isinstance(samples_like, Iterator):
            raise TypeError("samples: expected a list or an array beside labels, not an iterator")
    if isinstance(samples_like, Mapping):
        if labels is not None:
            warnings.warn("labels beside a dict are of no use", DeprecationWarning, stacklevel=2)
        samples_like = [samples_like]
    known = None if labels is None else list(labels)
    given = samples_like
    if not isinstance(samples_like, np.ndarray):
        samples_like, known = _rows_of_dicts(list(samples_like), known)
    rows, known = _as_rows(samples_like, known)
    if rows.dtype.kind == "i" and not isinstance(given, np.ndarray):
        rows = rows.astype(next(kind for kind in (np.int8, np.int16, np.int32, np.int64)
                                if not rows.size or np.array_equal(rows, rows.astype(kind))))
    rows = np.array(rows, dtype) if copy else np.asarray(rows, dtype)
    return rows, labels if type(labels) is labels_type else labels_type(known)


def _is_rows(pair: tuple) -> bool:
    """Whether a pair is a row, or two rows, of numbers, not rows and their labels."""
    first, second = pair
    if all(isinstance(v, (int, float, np.number)) for v in pair):
        return True
    return (isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)) and len(first) > 0
            and all(isinstance(v, (int, np.integer)) for v in (*first, *second))
            and len(first) == len(second) and set(second) <= {-1, 0, 1})


def _rows_of_dicts(rows: list, labels: list[Hashable] | None) -> tuple[list, list[Hashable] | None]:
    if labels is None and any(isinstance(row, Mapping) for row in rows) and not isinstance(rows[0], Mapping):
        labels = list(range(len(rows[0])))
    for k, row in enumerate(rows):
        if isinstance(row, Mapping):
            labels = list(row) if labels is None else labels
            if set(row) != set(labels):
                raise ValueError(f"samples: those of row {k} are of other variables than the first")
            rows[k] = [row[label] for label in labels]
    return rows, labels


def _as_rows(samples: Any, labels: list[Hashable] | None) -> tuple[np.ndarray, list[Hashable]]:
    try:
        array = np.asarray(samples)
        if array.dtype.kind not in "biuf":
            array = array.astype(float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"samples: expected rows of one length that hold numbers: {error}") from None
    if array.ndim > 2:
        raise ValueError(f"samples: expected rows, not an array of {array.ndim} dimensions")
    if not array.size and array.shape[-1] == 0 and labels and array.ndim < 3 and len(array) == 0:
        array = np.empty((0, len(labels)), np.int8)
    if array.ndim < 2:
        array = array.reshape((1, -1) if array.size else (0, len(labels or ())))
    labels = list(range(array.shape[1])) if labels is None else labels
    if len(labels) != array.shape[1]:
        raise ValueError(f"samples: rows of {array.shape[1]} values, but {len(labels)} labels")
    if len(set(labels)) != len(labels):
        raise ValueError("samples: a label is there twice")
    return array, labels


class Variables(list):
    """Labels of variables: a list that equals any sequence of the same labels, such as "abc"."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __ne__(self, other: object) -> bool:
        return not self == other


class _Samples(Sequence):
    """Samples as mappings from labels to values; also samples[row, label] and samples[rows, labels]."""

    def __init__(self, rows: np.ndarray, variables: Sequence[Hashable]) -> None:
        self._rows, self._variables = rows, list(variables)
        self._index = {label: k for k, label in enumerate(self._variables)}

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            rows, labels = key
            columns = ([self._index[v] for v in labels] if isinstance(labels, list)
                       else self._index[labels])
            return self._rows[rows, columns]
        if isinstance(key, slice):
            return _Samples(self._rows[key], self._variables)
        return dict(zip(self._variables, self._rows[key].tolist()))

    def __repr__(self) -> str:
        return f"<{len(self)} samples of {len(self._variables)} variables>"


class SampleSet:
    """Samples, their energies, and how often each was found.

    Attributes:
        record: a NumPy record array with the fields sample, energy, num_occurrences and others.
        variables: the labels of the columns of record.sample.
        vartype: Vartype.SPIN (values -1 and 1) or BINARY (0 and 1); sets of others' samples may be INTEGER, DISCRETE.
        info: a dict about the whole set.

    >>> s = SampleSet.from_samples([[1, -1], [-1, -1]], "SPIN", energy=[2.0, -1.0])
    >>> s.first
    Sample(sample={0: -1, 1: -1}, energy=-1.0, num_occurrences=1)
    >>> [row.energy for row in s.data()]
    [-1.0, 2.0]
    """

    record: np.recarray
    variables: list[Hashable]
    info: dict[str, Any]
    vartype: Vartype
    _future: Any = None  # until the samples are there,
    _make: Callable[[], SampleSet]  # and how they are made of it

    def __init__(self, record: np.recarray, variables: Iterable[Hashable], info: Mapping[str, Any],
                 vartype: Any) -> None:
        if not isinstance(record, np.recarray) or not set(REQUIRED) <= set(record.dtype.names or ()):
            raise TypeError("record: expected a NumPy record array with the fields " + ", ".join(REQUIRED))
        self.record = record
        self.variables = Variables(variables)
        if len(self.variables) != record.sample.shape[1]:
            raise ValueError(f"variables: {len(self.variables)} labels, but samples of "
                             f"{record.sample.shape[1]} values")
        self.info = dict(info)
        self.vartype = Vartype.of(vartype)

    @classmethod
    def from_future(cls, future: Any, result_hook: Callable[[Any], SampleSet] | None = None) -> SampleSet:
        """The sample set that a future gives, such as one of concurrent.futures; looking at the samples waits for it.

        result_hook: makes the sample set of the future (default: the future's result).
        """
        hook = result_hook or (lambda known: known.result())
        return cls._pending(future, lambda: hook(future))

    @classmethod
    def _pending(cls, future: Any, make: Callable[[], SampleSet]) -> SampleSet:
        out = cls.__new__(cls)
        out._future, out._make = future, make
        return out

    def __getattr__(self, name: str) -> Any:
        """Fields that are not there yet."""
        if name not in ("record", "variables", "info", "vartype") or self._future is None:
            raise AttributeError(name)
        self.resolve()
        return getattr(self, name)

    def __getstate__(self) -> dict[str, Any]:
        self.resolve()
        return self.__dict__

    def _changed(self, inplace: bool, change: Callable[[SampleSet], SampleSet]) -> SampleSet:
        """Make a change, later if the samples are not there yet."""
        if self._future is None:
            return change(self if inplace else self.copy())
        if not inplace:
            return self._pending(self._future, lambda: change(self.copy()))
        before = self._make
        self._make = lambda: change(before().copy())
        return self

    @classmethod
    def from_samples(cls, samples_like: Any, vartype: Any, energy: Any,
                     info: Mapping[str, Any] | None = None, num_occurrences: Any = None,
                     aggregate_samples: bool = False, sort_labels: bool = True,
                     **vectors: Any) -> SampleSet:
        """Make a sample set from samples (see as_samples), their energies and other vectors."""
        samples, labels = as_samples(samples_like)
        if Vartype.of(vartype) in (Vartype.SPIN, Vartype.BINARY):
            with np.errstate(invalid="ignore"):
                whole = samples.astype(np.int8)
            if not np.array_equal(whole, samples):
                raise ValueError("samples: expected -1 and 1, or 0 and 1")
            samples = whole
        if sort_labels:
            samples, labels = _sorted_columns(samples, labels)
        count = len(samples)
        columns = {"energy": np.asarray(energy),
                   "num_occurrences": np.ones(count, dtype=int) if num_occurrences is None
                   else np.asarray(num_occurrences), **{k: np.asarray(v) for k, v in vectors.items()}}
        types: list[Any] = [("sample", samples.dtype, (samples.shape[1],))]
        for name, column in columns.items():
            if column.ndim and len(column) != count:
                raise ValueError(f"{name}: {len(column)} values for {count} samples")
            if column.dtype == object and column.ndim:
                raise ValueError(f"{name}: numbers or texts are needed, not objects")
            types.append((name, column.dtype, column.shape[1:]))
        record = np.zeros(count, dtype=types).view(np.recarray)
        record["sample"] = samples
        for name, column in columns.items():
            record[name] = column
        out = cls(record, labels, info or {}, vartype)
        return out.aggregate() if aggregate_samples else out

    @classmethod
    def from_samples_bqm(cls, samples_like: Any, bqm: Any, **more: Any) -> SampleSet:
        """The same with the energies of a binary quadratic model: an object with linear, quadratic, offset, vartype."""
        samples, labels = as_samples(samples_like)
        if not samples.size and not labels:
            samples, labels = np.empty((0, len(bqm.linear)), np.int8), list(bqm.linear)
        at = {label: samples[:, k].astype(float) for k, label in enumerate(labels)}
        missing = [label for label in bqm.linear if label not in at]
        if missing:
            raise ValueError(f"samples: they have no variable {missing[0]!r}, which the model has")
        energy = np.full(len(samples), float(bqm.offset))
        for label, bias in bqm.linear.items():
            energy += float(bias) * at[label]
        for (u, v), bias in bqm.quadratic.items():
            energy += float(bias) * at[u] * at[v]
        return cls.from_samples((samples, labels), bqm.vartype, energy, **more)

    # ---- looking ----

    def __len__(self) -> int:
        return len(self.record)

    def __iter__(self) -> Iterator[dict[Hashable, int]]:
        return iter(self.samples())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SampleSet):
            return NotImplemented
        if (self.vartype, self.info) != (other.vartype, other.info) or len(self) != len(other):
            return False
        if set(self.variables) != set(other.variables) or set(self.data_vectors) != set(other.data_vectors):
            return False
        place = {label: k for k, label in enumerate(other.variables)}
        order = [place[label] for label in self.variables]
        return bool((self.record.sample == other.record.sample[:, order]).all()) and all(
            np.array_equal(self.record[name], other.record[name]) for name in self.data_vectors)

    __hash__ = None  # type: ignore[assignment]

    @property
    def data_vectors(self) -> dict[str, Any]:
        """The fields of record except the samples, as arrays."""
        return {name: self.record[name] for name in self.record.dtype.names or () if name != "sample"}

    @property
    def first(self) -> Any:
        """The sample of the lowest energy, as a named tuple."""
        for row in self.data():
            return row
        raise ValueError("this SampleSet is empty")

    def _order(self, sorted_by: str | None, reverse: bool = False) -> np.ndarray:
        order = (np.arange(len(self)) if sorted_by is None
                 else np.argsort(self.record[sorted_by], kind="stable"))
        return order[::-1] if reverse else order

    def samples(self, n: int | None = None, sorted_by: str | None = "energy") -> _Samples:
        """The samples, at most n of them, as mappings from labels to values."""
        return _Samples(self.record.sample[self._order(sorted_by)][:n], self.variables)

    def data(self, fields: Sequence[str] | None = None, sorted_by: str | None = "energy",
             name: str | None = "Sample", reverse: bool = False, sample_dict_cast: bool = True,
             index: bool = False) -> Iterator[Any]:
        """The rows as named tuples (plain tuples if name is None) of some fields."""
        if fields is None:
            others = [f for f in self.record.dtype.names or () if f not in REQUIRED]
            fields = [*REQUIRED, *others, *(["idx"] if index else [])]
        kind = None if name is None else namedtuple(name, fields)
        for k in self._order(sorted_by, reverse):
            values = (self._value(field, int(k)) for field in fields)
            yield tuple(values) if kind is None else kind(*values)

    def _value(self, field: str, k: int) -> Any:
        if field == "idx":
            return k
        if field == "sample":
            return dict(zip(self.variables, self.record.sample[k].tolist()))
        return self.record[field][k]

    @property
    def is_writeable(self) -> bool:
        """Whether the arrays may be changed; setting it locks or unlocks them."""
        return bool(self.record.flags.writeable)

    @is_writeable.setter
    def is_writeable(self, wanted: bool) -> None:
        self.record.flags.writeable = bool(wanted)

    def done(self) -> bool:
        """Whether the samples are there; those of a future may not be yet."""
        return self._future is None or bool(self._future.done())

    def resolve(self) -> None:
        """Wait for the samples of a future."""
        if self._future is None:
            return
        made = self._make()
        self.record, self.variables = made.record, made.variables
        self.info, self.vartype = made.info, made.vartype
        self._future = None
        del self._make

    # ---- making others ----

    def _with(self, record: np.ndarray) -> SampleSet:
        return SampleSet(record.view(np.recarray), self.variables, self.info, self.vartype)

    def copy(self) -> SampleSet:
        return self._with(self.record.copy())

    def filter(self, pred: Callable[[Any], bool]) -> SampleSet:
        """The rows for which a function of the named tuple is true."""
        kept = [bool(pred(row)) for row in self.data(sorted_by=None)]
        return self._with(self.record[np.array(kept, dtype=bool)])

    def lowest(self, rtol: float = 1e-5, atol: float = 1e-8) -> SampleSet:
        """The samples of the lowest energy, within tolerances."""
        if len(self) == 0:
            return self.copy()
        close = np.isclose(self.record.energy, self.record.energy.min(), rtol=rtol, atol=atol)
        return self._with(self.record[close])

    def slice(self, *where: int | None, sorted_by: str | None = "energy") -> SampleSet:
        """Some rows, chosen like the arguments of slice(), sorted."""
        if len(where) > 3:
            raise TypeError(f"slice: at most 3 numbers, but {len(where)} were given")
        return self._with(self.record[self._order(sorted_by)[slice(*where) if where else slice(None)]])

    def truncate(self, n: int, sorted_by: str | None = "energy") -> SampleSet:
        """The first n rows."""
        return self.slice(n, sorted_by=sorted_by)

    def aggregate(self) -> SampleSet:
        """Each distinct sample once, with its number of occurrences; other fields are those of the first."""
        if len(self) == 0:
            return self.copy()
        _, first, inverse = np.unique(self.record.sample, axis=0, return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        record = self.record[first[order]].copy()
        counts = np.zeros(len(order), dtype=self.record.num_occurrences.dtype)
        np.add.at(counts, rank[inverse.ravel()], self.record.num_occurrences)
        record["num_occurrences"] = counts
        return self._with(record)

    def append_variables(self, samples_like: Any, sort_labels: bool = True) -> SampleSet:
        """Add variables: one sample for all rows, or one for each."""
        samples, labels = as_samples(samples_like)
        taken = [label for label in labels if label in self.variables]
        if taken:
            raise ValueError(f"samples: the variable {taken[0]!r} is there already")
        if len(samples) not in (1, len(self)):
            raise ValueError(f"samples: there are {len(samples)} for {len(self)} rows; give one, or one for each")
        if not np.isin(samples, list(self.vartype.value)).all():
            raise ValueError(f"samples: expected values of {self.vartype.name}, {sorted(self.vartype.value)}")
        rows = np.concatenate([self.record.sample, np.broadcast_to(samples, (len(self), len(labels)))], axis=1)
        return SampleSet.from_samples((rows, [*self.variables, *labels]), self.vartype, info=self.info,
                                      sort_labels=sort_labels, **self.data_vectors)

    def append_data_vectors(self, **vectors: Any) -> SampleSet:
        """Add fields, one value per row."""
        for name in vectors:
            if name in (self.record.dtype.names or ()):
                raise ValueError(f"{name}: there is such a field already")
        return SampleSet.from_samples((self.record.sample, self.variables), self.vartype, info=self.info,
                                      sort_labels=False, **self.data_vectors, **vectors)

    def relabel_variables(self, mapping: Mapping[Hashable, Hashable], inplace: bool = True) -> SampleSet:
        """Give variables other labels."""
        def change(out: SampleSet) -> SampleSet:
            labels = [mapping.get(label, label) for label in out.variables]
            if len(set(labels)) != len(labels):
                raise ValueError("mapping: it gives two variables one label")
            out.variables = Variables(labels)
            return out
        return self._changed(inplace, change)

    def change_vartype(self, vartype: Any, energy_offset: Any = 0.0, inplace: bool = True) -> SampleSet:
        """Turn -1 and 1 into 0 and 1, or back, and add an offset to the energies."""
        wanted = Vartype.of_two(vartype)

        def change(out: SampleSet) -> SampleSet:
            Vartype.of_two(out.vartype)
            if np.any(energy_offset):
                out.record.energy = out.record.energy + energy_offset
            if wanted is not out.vartype:
                binary = wanted is Vartype.BINARY
                sample = out.record.sample
                out.record["sample"] = (sample + 1) // 2 if binary else 2 * sample - 1
                out.vartype = wanted
            return out
        return self._changed(inplace, change)

    # ---- others' forms ----

    def to_serializable(self, use_bytes: bool = False, bytes_type: Callable[[bytes], Any] = bytes,
                        pack_samples: bool = True) -> dict[str, Any]:
        """As plain values that JSON can write (with use_bytes, arrays are bytes): the layout of dimod's method, so
        ``dimod.SampleSet.from_serializable`` reads it."""
        def array(values: np.ndarray) -> dict[str, Any]:
            return _serial.of_array(values, use_bytes, bytes_type)

        samples = self.record.sample
        pack_samples = pack_samples and self.vartype in (Vartype.SPIN, Vartype.BINARY)
        return {"type": "SampleSet", "version": {"sampleset_schema": _serial.SCHEMA},
                "num_variables": len(self.variables), "num_rows": len(self),
                "sample_data": array(_serial.pack(samples) if pack_samples else samples),
                "sample_type": samples.dtype.name, "sample_packed": bool(pack_samples),
                "vectors": {name: array(vector) for name, vector in self.data_vectors.items()},
                "variable_labels": [_serial.of_label(label) for label in self.variables],
                "variable_type": self.vartype.name,
                "info": _serial.of_any(self.info, use_bytes, bytes_type)}

    @classmethod
    def from_serializable(cls, obj: Mapping[str, Any]) -> SampleSet:
        """From what ``to_serializable`` made, ours or dimod's."""
        try:
            version, vartype = str(obj["version"]["sampleset_schema"]), Vartype.of(obj["variable_type"])
            labels = [_serial.to_label(label) for label in obj["variable_labels"]]
            samples = _serial.to_array("sample_data", obj["sample_data"])
            vectors: dict[str, Any] = {name: _serial.to_array(name, vector) for name, vector in obj["vectors"].items()}
            info, packed = _serial.to_any(obj["info"]), obj.get("sample_packed", True)
            size, energy = (obj["num_rows"], obj["num_variables"]), vectors["energy"]
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"obj: not a sample set as to_serializable writes it ({error!r})") from None
        if not version.startswith("3."):
            raise ValueError(f"obj: of the schema {version}; 3.0.0 and 3.1.0 are read")
        if packed:
            samples = _serial.unpack(samples, len(labels))
            samples = 2 * samples - 1 if vartype is Vartype.SPIN else samples
        if samples.shape != size or len(labels) != size[1] or energy.shape[:1] != size[:1]:
            raise ValueError(f"obj: sample_data of {samples.shape}, {len(labels)} labels and {energy.shape} energies "
                             f"are not those of {size[0]} samples of {size[1]} variables")
        return cls.from_samples((samples, labels), vartype, info=info, sort_labels=False, **vectors)

    def to_pandas_dataframe(self, sample_column: bool = False) -> Any:
        """A DataFrame with a row for each sample: a column for each variable, or one of dicts."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas_dataframe needs pandas, which is not installed") from None
        if sample_column:
            return pandas.DataFrame(list(self.data(name="Sample", sorted_by=None)))
        table = pandas.DataFrame(np.asarray(self.record.sample), columns=self.variables)
        for name, column in sorted(self.data_vectors.items()):  # in this order by custom
            table[name] = column if column.ndim == 1 else list(column)
        return table

    def to_dimod(self) -> Any:
        """The same as a dimod.SampleSet."""
        import dimod

        return dimod.SampleSet.from_samples(
            (np.ascontiguousarray(self.record.sample), self.variables), vartype=self.vartype.name,
            info=self.info, sort_labels=False, **self.data_vectors)

    def __repr__(self) -> str:
        return f"SampleSet({self.record!r}, {self.variables!r}, {self.info!r}, {self.vartype.name!r})"

    def _repr_html_(self) -> str:
        from . import plots

        lowest = f"{self.record.energy.min():g} to {self.record.energy.max():g}" if len(self) else "none"
        said = (f"<p>SampleSet: {len(self)} samples of {len(self.variables)} variables, {self.vartype.name}; "
                f"energies: {lowest}</p>")
        energies = np.repeat(self.record.energy, self.record.num_occurrences.astype(int)).astype(float)
        return said + (plots.histogram([("energy", energies)], x_label="energy") if len(energies) else "")

    def __str__(self) -> str:
        head = [*map(str, self.variables[:8]), *(["…"] if len(self.variables) > 8 else [])]
        others = list(self.data_vectors)
        rows = [["", *head, *others]]
        for k, row in enumerate(self.slice(10).record):
            values = [f"{v:+d}" if self.vartype is Vartype.SPIN else str(v) for v in row["sample"][:8]]
            values += ["…"] if len(self.variables) > 8 else []
            rows.append([str(k), *values, *(f"{row[name]}" for name in others)])
        widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
        table = [" ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows]
        more = [f"... and {len(self) - 10} more"] if len(self) > 10 else []
        said = f"{self.vartype.name}, {len(self)} rows, {len(self.variables)} variables"
        return "\n".join([*table, *more, said])


# ---- as functions ----


def append_variables(sampleset: SampleSet, samples_like: Any, sort_labels: bool = True) -> SampleSet:
    """Add variables: one sample for all rows, or one for each."""
    return sampleset.append_variables(samples_like, sort_labels)


def append_data_vectors(sampleset: SampleSet, **vectors: Any) -> SampleSet:
    """Add fields, one value per row."""
    return sampleset.append_data_vectors(**vectors)


def keep_variables(sampleset: SampleSet, variables: Iterable[Hashable]) -> SampleSet:
    """Only these variables, in this order; energies stay as they are."""
    wanted = list(variables)
    place = {label: k for k, label in enumerate(sampleset.variables)}
    missing = [label for label in wanted if label not in place]
    if missing:
        raise ValueError(f"variables: there is no {missing[0]!r}")
    rows = sampleset.record.sample[:, [place[label] for label in wanted]]
    return SampleSet.from_samples((rows.reshape(len(sampleset), len(wanted)), wanted), sampleset.vartype,
                                  info=sampleset.info, sort_labels=False, **sampleset.data_vectors)


def drop_variables(sampleset: SampleSet, variables: Iterable[Hashable]) -> SampleSet:
    """All variables but these; energies stay as they are."""
    dropped = set(variables)
    return keep_variables(sampleset, [label for label in sampleset.variables if label not in dropped])


def concatenate(samplesets: Iterable[SampleSet], defaults: Mapping[str, Any] | None = None) -> SampleSet:
    """The rows of several sample sets of the same variables, in the order and the values of the first.

    defaults: values of fields that some of them do not have; by default all have the same fields.

    >>> ones = SampleSet.from_samples([[1, 1]], "SPIN", energy=0.0)
    >>> len(concatenate([ones, ones]))
    2
    """
    sets = list(samplesets)
    if not sets:
        raise ValueError("samplesets: there are none")
    first, parts = sets[0], [each.change_vartype(sets[0].vartype, inplace=False) for each in sets]
    if any(set(each.variables) != set(first.variables) for each in parts):
        raise ValueError("samplesets: they are of different variables")
    rows = np.concatenate([keep_variables(each, first.variables).record.sample for each in parts])
    vectors = {name: np.concatenate([_vector(each, name, defaults or {}) for each in parts])
               for name in {**{n: 0 for each in parts for n in each.data_vectors}}}
    return SampleSet.from_samples((rows, first.variables), first.vartype, sort_labels=False, **vectors)


def _vector(sampleset: SampleSet, name: str, defaults: Mapping[str, Any]) -> np.ndarray:
    if name in sampleset.data_vectors:
        return sampleset.record[name]
    if name not in defaults:
        raise ValueError(f"samplesets: not all have the field {name!r}, and defaults has none")
    return np.repeat(np.asarray(defaults[name])[np.newaxis], len(sampleset), axis=0)


def infer_vartype(samples_like: Any) -> Vartype | None:
    """The values that samples take; None if they may be either, as where all are 1."""
    if hasattr(samples_like, "vartype"):
        return Vartype.of(samples_like.vartype)
    found = set(np.unique(as_samples(samples_like)[0]).tolist())
    if found <= {1}:
        return None
    for kind in (Vartype.SPIN, Vartype.BINARY):
        if found <= kind.value:
            return kind
    raise ValueError(f"samples: {sorted(found)[:4]} are neither -1 and 1, nor 0 and 1")


def _sorted_columns(samples: np.ndarray, labels: list[Hashable]) -> tuple[np.ndarray, list[Hashable]]:
    try:
        order = sorted(range(len(labels)), key=lambda k: labels[k])  # type: ignore[arg-type, return-value]
    except TypeError:  # labels of different kinds stay as they are
        return samples, labels
    if order == list(range(len(labels))):
        return samples, labels
    return samples[:, order], [labels[k] for k in order]
