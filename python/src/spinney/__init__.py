"""Replicated simulated annealing: wide, robust minima of energies on {-1, +1}^N."""
from ._version import VERSION as __version__

__all__ = ["__version__"]
