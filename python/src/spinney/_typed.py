"""What is made from the tables at run time, under the names that type checkers and editors know from _typed.pyi,
which scripts/make-stubs makes from the same tables."""

from .results import OF_TASK
from .tasks import FUNCTIONS

_MADE = {made.__name__: made for made in (*OF_TASK.values(), *FUNCTIONS.values())}
__all__ = sorted(_MADE)
globals().update(_MADE)
