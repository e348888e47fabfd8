"""A stand-in for the part of dimod's public interface that spinney relies on, for machines without dimod: the names,
signatures and fields are dimod's, and all else is as plain as it can be."""

import abc
import enum
from collections import namedtuple

import numpy as np


class Vartype(enum.Enum):
    SPIN = frozenset({-1, 1})
    BINARY = frozenset({0, 1})


SPIN, BINARY = Vartype.SPIN, Vartype.BINARY


def as_vartype(value):
    return value if isinstance(value, Vartype) else Vartype[value]


class Sampler(abc.ABC):
    @property
    @abc.abstractmethod
    def parameters(self):
        ...

    @property
    @abc.abstractmethod
    def properties(self):
        ...


class BinaryQuadraticModel:
    def __init__(self, linear, quadratic, offset, vartype):
        self.linear, self.quadratic = dict(linear), dict(quadratic)
        for pair in self.quadratic:
            for variable in pair:
                self.linear.setdefault(variable, 0.0)
        self.offset, self.vartype = offset, as_vartype(vartype)

    def energy(self, sample):
        return (self.offset + sum(bias * sample[v] for v, bias in self.linear.items())
                + sum(bias * sample[u] * sample[v] for (u, v), bias in self.quadratic.items()))


class SampleSet:
    def __init__(self, record, variables, info, vartype):
        assert isinstance(record, np.recarray) and {"sample", "energy", "num_occurrences"} <= set(record.dtype.names)
        self.record, self.variables, self.info, self.vartype = record, list(variables), dict(info), as_vartype(vartype)

    @classmethod
    def from_samples(cls, samples_like, vartype, energy, info=None, num_occurrences=None, aggregate_samples=False,
                     sort_labels=True, **vectors):
        samples, labels = samples_like
        assert isinstance(samples, np.ndarray) and samples.ndim == 2 and len(labels) == samples.shape[1]
        count = len(samples)
        types = [("sample", samples.dtype, (samples.shape[1],)), ("energy", float), ("num_occurrences", int)]
        types += [(name, np.asarray(vector).dtype) for name, vector in vectors.items()]
        record = np.rec.array(np.zeros(count, types))
        record["sample"], record["energy"] = samples, energy
        record["num_occurrences"] = 1 if num_occurrences is None else num_occurrences
        for name, vector in vectors.items():
            record[name] = vector
        return cls(record, labels, info or {}, vartype)

    @property
    def first(self):
        row = self.record[np.argmin(self.record.energy)]
        kind = namedtuple("Sample", ["sample", "energy", "num_occurrences"])
        return kind(dict(zip(self.variables, row["sample"].tolist())), row["energy"], row["num_occurrences"])

    def __len__(self):
        return len(self.record)
