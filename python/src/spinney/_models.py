"""Problems of models that other packages made, taken by what they offer: quadratic models and constrained ones, as of
dimod, and dicts of products."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Hashable

import numpy as np

from . import _couplings
from .errors import wrong
from .expressions import BINARY, INTEGER, SPIN, Block, Constraint, Expression, Terms
from .sampleset import Vartype

if TYPE_CHECKING:
    from .problem import Problem

_KINDS = {Vartype.BINARY: (BINARY, 0, 1), Vartype.SPIN: (SPIN, -1, 1)}


def is_model(value: Any) -> bool:
    """Whether a problem can be made of it."""
    return isinstance(value, Mapping) or is_quadratic(value) or is_constrained(value)


def is_quadratic(value: Any) -> bool:
    return hasattr(value, "linear") and hasattr(value, "quadratic")


def is_constrained(value: Any) -> bool:
    return hasattr(value, "objective") and hasattr(value, "constraints") and hasattr(value, "vartype")


def take(problem: Problem, model: Any, vartype: Any) -> None:
    if is_constrained(model):
        _take_constrained(problem, model)
    elif is_quadratic(model):
        terms = _of_quadratic(model)
        names = [key[0] for key in terms if len(key) == 1] + [v for key in terms for v in key]
        problem.minimise(_expression(terms, _one_kind(names, model.vartype)))
    elif isinstance(model, Mapping):
        terms = {_product(key): weight for key, weight in model.items()}
        names = [v for key in terms for v in key]
        problem.minimise(_expression(terms, _one_kind(names, getattr(model, "vartype", vartype))))
    else:
        raise wrong("model", f"a quadratic or a constrained model or a dict of products is needed, not "
                    f"{type(model).__name__}")


def _product(key: Any) -> tuple[Hashable, ...]:
    """The variables of a key, which are in a tuple or a set; a text is one variable."""
    return tuple(key) if isinstance(key, (tuple, frozenset, list)) else (key,)


def _of_quadratic(model: Any) -> dict[tuple[Hashable, ...], Any]:
    terms: dict[tuple[Hashable, ...], Any] = {(v,): weight for v, weight in model.linear.items()}
    terms.update((tuple(pair), weight) for pair, weight in model.quadratic.items())
    terms[()] = getattr(model, "offset", 0.0)
    return terms


def _one_kind(names: Iterable[Hashable], vartype: Any) -> dict[Hashable, tuple[Block, int]]:
    """Where each variable is: all in one block."""
    distinct = _couplings.order("model", list(names))
    if not distinct:
        raise wrong("model", "is empty: a problem has one variable at least")
    kind, least, most = _KINDS[Vartype.of_two(vartype)]
    block = Block(distinct, (), kind, least, most)
    return {name: (block, k) for k, name in enumerate(distinct)}


def _kinds_of(model: Any) -> dict[Hashable, tuple[Block, int]]:
    """The same of a constrained model, whose variables may differ."""
    by_kind: dict[tuple[int, int, int], list[Hashable]] = {}
    for name in model.variables:
        kind = Vartype.of(model.vartype(name)) if _is_known(model.vartype(name)) else None
        if kind in _KINDS:
            key = _KINDS[kind]
        elif kind is Vartype.INTEGER:
            key = (INTEGER, int(np.ceil(model.lower_bound(name))), int(np.floor(model.upper_bound(name))))
        else:
            raise wrong("model", f"the variable {name!r} is {model.vartype(name)}; there are binary and spin ones and "
                        "integers")
        by_kind.setdefault(key, []).append(name)
    blocks = {Block(names, (), *key): names for key, names in by_kind.items()}
    return {name: (block, k) for block, names in blocks.items() for k, name in enumerate(names)}


def _is_known(vartype: Any) -> bool:
    return getattr(vartype, "name", vartype) in Vartype.__members__


def _expression(terms: Mapping[tuple[Hashable, ...], Any], places: dict[Hashable, tuple[Block, int]]) -> Expression:
    """The sum of products."""
    keys = list(terms)
    weights = _couplings.weigh("model", keys, list(terms.values()))
    by_degree: dict[int, list[int]] = {}
    for k, key in enumerate(keys):
        by_degree.setdefault(len(key), []).append(k)
    parts, constant = [], np.zeros(1)
    for degree, which in by_degree.items():
        if degree == 0:
            constant[0] = weights[which].sum()
            continue
        flat = [block.start + k for t in which for block, k in map(places.__getitem__, keys[t])]
        ids = np.array(flat, np.int64).reshape(len(which), degree)
        parts.append(Terms(np.zeros(len(which), np.int64), ids, weights[which]))
    return Expression((), frozenset(block for block, _ in places.values()), constant, parts)


def _take_constrained(problem: Problem, model: Any) -> None:
    places = _kinds_of(model)
    problem.minimise(_expression(_of_quadratic(model.objective), places))
    for label, constraint in model.constraints.items():
        left = constraint.lhs
        sense = getattr(constraint.sense, "value", constraint.sense)
        soft = hasattr(left, "is_soft") and left.is_soft()
        if soft and left.penalty() != "linear":
            raise wrong("model", f"the constraint {label!r} has a {left.penalty()} penalty; spinney has linear ones")
        difference = _expression(_of_quadratic(left), places) - float(constraint.rhs)
        problem.subject_to(Constraint(difference, sense), name=str(label), weight=left.weight() if soft else None)
