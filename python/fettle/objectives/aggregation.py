"""Aggregation functions: what picks the best variant by several metrics, as in listing 4.1.

    def tput_over_e(ls):
        return max(ls, key=lambda x: float(x[1]) / float(x[2]))

A function is called with a list of tuples `(i, x1, x2, ...)`, a variant's index and its metrics,
and returns the best one. (The dissertation's listing takes the `min` of throughput over energy;
its text says that the highest value is the best, and so do we.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from fettle.core.errors import FettleError

Reported: TypeAlias = tuple[float, ...]
"""A variant's index, and its metrics."""
AggregationFunction: TypeAlias = Callable[[list[Any]], Any]


def name_of(function: AggregationFunction) -> str:
    """What messages call a function."""
    return getattr(function, "__name__", type(function).__name__)


def ranks(function: AggregationFunction, reported: Sequence[Reported], where: str) -> list[float]:
    """The rank of each tuple in the order in which the function picks them: 1 of the best.

    It is called with all tuples, then with those that it has not picked; equal metrics share a
    rank. A tuple with a metric that is not finite has none: infinity. Raises FettleError, naming
    the function and `where`, where it throws, or returns none of the tuples. Cost: a call a tuple.
    """
    found = [math.inf] * len(reported)
    left = {k: one for k, one in enumerate(reported) if all(map(math.isfinite, one))}
    rank = 1.0
    while left:
        best = left[_picked(function, left, where)]
        equal = [k for k, one in left.items() if one[1:] == best[1:]]
        for k in equal:
            found[k] = rank
            del left[k]
        rank += 1.0
    return found


def _picked(function: AggregationFunction, left: dict[int, Reported], where: str) -> int:
    name = name_of(function)
    try:
        best = function(list(left.values()))
    except Exception as error:
        raise FettleError(
            f"the aggregation function {name} threw {type(error).__name__}: {error}; it was called "
            f"for {where} with {_shown(left)}"
        ) from error
    try:
        return next(k for k, one in left.items() if one is best or bool(one == best))
    except (StopIteration, ValueError):
        raise FettleError(
            f"the aggregation function {name} returned {_short(best)} for {where}, which is none "
            f"of the tuples that it was called with: {_shown(left)}; return the best of them"
        ) from None


def _shown(left: dict[int, Reported]) -> str:
    return _short(list(left.values()), 120)


def _short(value: object, most: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 3]}..."
