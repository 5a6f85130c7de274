"""Evaluates a predicate that was written for numbers on many rows at once, with the same results.

The predicate is called with columns that behave like numbers (fettle.search.column). If a branch
depends on a column, the rows are split by its truth value and the predicate is called once per
branch path. If a column could give another result than its numbers, the answer is None, and the
caller evaluates row by row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fettle.search.column import EXACT, BranchPath, Column, Mask, Numbers, Split, Unsure

_PARTS = 64


def are_numbers(values: Sequence[object]) -> bool:
    """Whether columns can replace these values: integers below 2^53 and finite floats."""
    return all(
        (type(value) is int and abs(value) < EXACT)
        or (type(value) is float and math.isfinite(value))
        for value in values
    )


def holds_for(predicate: Callable[..., Any], columns: Sequence[Numbers], count: int) -> Mask | None:
    """Whether a predicate holds for each of `count` rows; None: evaluate it row by row.

    Cost: some numpy passes per branch path of the predicate.
    """
    answers: Mask = np.zeros(count, dtype=np.bool_)
    bounds = [_magnitude(column) for column in columns]
    parts: list[tuple[npt.NDArray[np.intp] | None, tuple[bool, ...]]] = [(None, ())]
    for _ in range(_PARTS):
        if not parts:
            return answers
        rows, taken = parts.pop()
        path = BranchPath(taken)
        try:
            with np.errstate(all="ignore"):
                some = columns if rows is None else [column[rows] for column in columns]
                answer = predicate(*(Column(c, b, path) for c, b in zip(some, bounds, strict=True)))
        except Split as split:
            for truth in (True, False):
                here = np.flatnonzero(split.where == truth)
                parts.append((here if rows is None else rows[here], (*path.taken, truth)))
            continue
        except (Unsure, Exception):  # a call with numbers decides whether it is an error
            return None
        if path.is_left:
            return None
        truth = answer.numbers != 0 if type(answer) is Column else bool(answer)
        answers[slice(None) if rows is None else rows] = truth
    return answers if not parts else None


def _magnitude(numbers: Numbers) -> float:
    """The greatest magnitude of integers; 0 for floats, whose overflow is seen as infinity."""
    if numbers.dtype == np.float64 or not numbers.size:
        return 0.0
    return max(abs(float(numbers.max())), abs(float(numbers.min())), 1.0)
