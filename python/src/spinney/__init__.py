"""Replicated simulated annealing: wide, robust minima of energies on {-1, +1}^N.

>>> import spinney
>>> result = spinney.anneal(spinney.QUBO({(0, 0): -1, (1, 1): -1, (0, 1): 2}), reads=10, sweeps=100)
>>> result.best_energy
-1.0
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING, Any as _Any

from ._library import version
from ._running import Moment
from . import _typed as _made
from ._typed import *
from ._version import VERSION as __version__
from .callback import Callback
from .chain import Chain
from .data_energies import Network, Softmax
from .dataset import Dataset
from .energies import Committee, Distance, Energy, Ising, MaxCut, Perceptron, QUBO, Table
from .errors import (ArgumentError, ConvergenceWarning, EnergyError, Error, FileError, InputError, KeywordError,
                     KindError, LibraryError, LiveObjectError, OutOfMemory)
from .expressions import Expression, binaries, integers, spins
from .problem import Problem
from .results import Result

if _TYPE_CHECKING:  # so that editors and type checkers know what is loaded later
    from .experiments import Figure, Folder, figures, records, report, sweep
    from .model import Model
    from .samplers import Sampler
    from .sampleset import SampleSet

# Names whose modules import more than NumPy, or are seldom used: they are loaded when they are first asked for.
_LAZY: "dict[str, str]" = {  # the name: its module
    "Figure": "experiments", "Folder": "experiments", "Model": "model", "OneBitClassifier": "classifier",
    "SampleSet": "sampleset", "Sampler": "samplers",
    "figures": "experiments", "records": "experiments", "report": "experiments", "sweep": "experiments",
}

# Without OneBitClassifier, which needs scikit-learn: `from spinney import *` must not.
__all__ = [
    "ArgumentError", "Callback", "Chain", "Committee", "ConvergenceWarning", "Dataset", "Distance", "Energy",
    "EnergyError", "Error", "Expression", "Figure",
    "FileError", "Folder", "InputError", "Ising", "KeywordError", "KindError",
    "LibraryError", "LiveObjectError", "MaxCut", "Model", "Moment", "Network", "OutOfMemory", "Perceptron", "Problem",
    "QUBO",
    "Result", "SampleSet", "Sampler", "Softmax", "Table", "__version__", "binaries", "figures",
    "integers", "records", "report", "spins", "sweep", "version",
]
__all__ += vars(_made)["__all__"]


def __getattr__(name: str) -> _Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'spinney' has no attribute {name!r}")
    value = getattr(_import_module("." + _LAZY[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> "list[str]":
    return sorted({*__all__, *_LAZY})
