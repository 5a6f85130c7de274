"""A predicate that was written for numbers, asked for many rows at once, with the same answers.

The predicate is called with columns of numbers that behave as numbers do (fettle.search.column).
Where it asks whether one is true, the rows are split into those for which it is and those for which
it is not, and each part goes its own way. Where a column could give another answer than its numbers
nothing is answered, and the caller asks row by row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fettle.search.column import EXACT, Column, Mask, Numbers, Split, Unsure, Way

_PARTS = 64


def are_numbers(values: Sequence[object]) -> bool:
    """Whether columns can stand for these values: integers below 2^53 and finite floats."""
    return all(
        (type(value) is int and abs(value) < EXACT)
        or (type(value) is float and math.isfinite(value))
        for value in values
    )


def holds_for(predicate: Callable[..., Any], columns: Sequence[Numbers], count: int) -> Mask | None:
    """Whether a predicate holds for each of `count` rows; None: ask it row by row.

    Cost: some numpy passes for each way through the predicate that some row goes.
    """
    answers: Mask = np.zeros(count, dtype=np.bool_)
    bounds = [_magnitude(column) for column in columns]
    parts: list[tuple[npt.NDArray[np.intp] | None, tuple[bool, ...]]] = [(None, ())]
    for _ in range(_PARTS):
        if not parts:
            return answers
        rows, taken = parts.pop()
        way = Way(taken)
        try:
            with np.errstate(all="ignore"):
                some = columns if rows is None else [column[rows] for column in columns]
                answer = predicate(*(Column(c, b, way) for c, b in zip(some, bounds, strict=True)))
        except Split as split:
            for truth in (True, False):
                here = np.flatnonzero(split.where == truth)
                parts.append((here if rows is None else rows[here], (*way.taken, truth)))
            continue
        except (Unsure, Exception):  # whether it is an error, a call with numbers tells
            return None
        if way.is_left:
            return None
        truth = answer.numbers != 0 if type(answer) is Column else bool(answer)
        answers[slice(None) if rows is None else rows] = truth
    return answers if not parts else None


def _magnitude(numbers: Numbers) -> float:
    """The greatest magnitude of integers; 0 for floats, which cannot leave their range unseen."""
    if numbers.dtype == np.float64 or not numbers.size:
        return 0.0
    return max(abs(float(numbers.max())), abs(float(numbers.min())), 1.0)
