"""Replicated simulated annealing: wide, robust minima of energies on {-1, +1}^N.

>>> import spinney
>>> result = spinney.anneal(spinney.QUBO({(0, 0): -1, (1, 1): -1, (0, 1): 2}), reads=10, sweeps=100)
>>> result.best_energy
-1.0
"""

from ._library import version
from ._running import Moment
from ._version import VERSION as __version__
from .callback import Callback
from .dataset import Dataset
from .energies import Committee, Distance, Energy, Ising, MaxCut, Perceptron, QUBO, Table
from .errors import (ArgumentError, EnergyError, Error, FileError, InputError, KeywordError, LibraryError,
                     OutOfMemory)
from .results import Result
from .tasks import anneal, entropy, evaluate, exact, temper, train

__all__ = [
    "ArgumentError", "Callback", "Committee", "Dataset", "Distance", "Energy", "EnergyError", "Error", "FileError",
    "InputError", "Ising", "KeywordError", "LibraryError", "MaxCut", "Moment", "OutOfMemory", "Perceptron", "QUBO",
    "Result", "Table", "__version__", "anneal", "entropy", "evaluate", "exact", "temper", "train", "version",
]
