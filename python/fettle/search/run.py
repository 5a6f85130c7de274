"""A search: a strategy against what measures, within a budget."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from numbers import Real

from fettle.core.blas import OneBlasThread
from fettle.core.errors import FettleError
from fettle.search.base import Strategy, as_cost
from fettle.search.numbering import Key
from fettle.search.points import points_of
from fettle.search.space import Point, Space

# How often in a row a strategy may propose points whose values it knows: nothing is measured then,
# so the budget would not end the search.
_REPEATS = 1000


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    `history` holds what was measured, in order; what was known before is not in it, but may be
    `best_point`. Values are math.inf where the measurement failed.
    """

    best_point: Point
    best_value: float
    history: list[tuple[Point, float]]
    measurements: int


def search(
    space: Space,
    measure: Callable[[Point], float],
    strategy: Strategy,
    *,
    measurements: int | None = None,
    seconds: float | None = None,
    known: Mapping[tuple[Hashable, ...], float] | None = None,
    on_measured: Callable[[Point, float], object] | None = None,
) -> SearchResult:
    """Measures what the strategy asks for, until a budget is spent or nothing is left to try.

    `measure` gives a time or another cost; math.inf or NaN where the point does not work. `known`
    holds values of before, by the values of the space's parameters in their order: none of these
    points is measured again, nor counted. `seconds` is looked at before each measurement, and does
    not interrupt one. `on_measured` is called after each measurement, so that a caller can keep
    what was found if a later one ends the program; where it returns True the search ends.
    FettleError where all that was measured failed,
    or where the strategy asks for a point that the constraints refuse.
    """
    _check_budget(measurements, seconds)
    points = points_of(space)
    values: dict[Key, float] = {}
    names = points.names
    for row, value in (known or {}).items():
        if len(row) != len(names):
            raise FettleError(
                f"a known point has {len(row)} values, {row!r}; the space has the parameters "
                f"{', '.join(names)}"
            )
        point = dict(zip(names, row, strict=True))
        values[points.key(point)] = as_cost(value)
        strategy.tell(point, as_cost(value))
    history: list[tuple[Point, float]] = []
    end = None if seconds is None else time.monotonic() + seconds
    repeats = 0
    one_blas_thread = OneBlasThread()
    while measurements is None or len(history) < measurements:
        if end is not None and time.monotonic() >= end:
            break
        with one_blas_thread():  # the strategy, not what is measured
            asked = strategy.ask()
        if asked is None:
            break
        key = _checked_key(space, strategy, asked)
        if key in values:
            repeats += 1
            if repeats >= _REPEATS:
                raise FettleError(
                    f"the strategy {type(strategy).__name__} asked {repeats} times in a row for "
                    f"points whose values it knows, lastly {asked}; it should return None"
                )
        else:
            repeats = 0
            values[key] = _measured(measure, asked)
            history.append((dict(asked), values[key]))
            if on_measured is not None and on_measured(dict(asked), values[key]) is True:
                break
        strategy.tell(asked, values[key])
    return _result(space, values, history)


def _result(
    space: Space, values: dict[Key, float], history: list[tuple[Point, float]]
) -> SearchResult:
    if not values:
        raise FettleError(
            "the search measured nothing: its time was spent before the first measurement, or the "
            "strategy had nothing to try"
        )
    best = min(values, key=lambda key: values[key])
    if values[best] == math.inf:
        raise FettleError(
            f"all {len(values)} measured points failed (infinite or NaN), such as "
            f"{points_of(space).point(best)}; measure one by itself to see why, or give the space "
            "a constraint that keeps out what cannot work"
        )
    return SearchResult(points_of(space).point(best), values[best], history, len(history))


def _checked_key(space: Space, strategy: Strategy, point: Point) -> Key:
    points = points_of(space)
    key = points.key(point)
    if not points.is_valid(key):
        raise FettleError(
            f"the strategy {type(strategy).__name__} asked for {point}, which the constraint "
            f"{space.violation(point)!r} refuses"
        )
    return key


def _measured(measure: Callable[[Point], float], point: Point) -> float:
    value = measure(dict(point))
    if not isinstance(value, Real):
        raise FettleError(
            f"measuring {point} gave {value!r}; it should give a number, or math.inf where the "
            "point does not work"
        )
    try:
        return as_cost(float(value))
    except OverflowError:  # an integer beyond all floating-point numbers
        return math.inf


def _check_budget(measurements: int | None, seconds: float | None) -> None:
    if measurements is not None and measurements < 1:
        raise FettleError(f"a budget of {measurements} measurements; give at least 1")
    if seconds is not None and not seconds > 0:
        raise FettleError(f"a budget of {seconds} seconds; give more than 0")
