"""What is made from the tables at run time, under the names that type checkers and editors know from _typed.pyi,
which scripts/make-stubs makes from the same tables."""

from .results import OF_TASK
from .tasks import anneal, entropy, evaluate, exact, temper, train

__all__ = ["AnnealResult", "EntropyResult", "EvalResult", "ExactResult", "TemperResult", "TrainResult", "anneal",
           "entropy", "evaluate", "exact", "temper", "train"]

AnnealResult, EntropyResult, EvalResult = OF_TASK["anneal"], OF_TASK["entropy"], OF_TASK["eval"]
ExactResult, TemperResult, TrainResult = OF_TASK["exact"], OF_TASK["temper"], OF_TASK["train"]
