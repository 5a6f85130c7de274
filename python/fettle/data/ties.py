"""Ties between variants: which differences of costs are noise, and which variant wins a tie.

Two measurements of one variant differ, so the fastest of several equal variants changes with each
run of the tuner. Two variants tie on an input where the difference of their costs is within the
spread of that difference, and at most `WIDEST`: a difference of 1 % that every measurement repeats
has a small spread and is not a tie. Choices are judged by `level_costs`, models learn from
`eased_costs`, and among equals data/preference.py decides.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.data.training_set import TrainingSet

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SURE = 3.0
"""So many standard errors of a difference (the logarithm of a ratio of costs) are its spread."""
WIDEST = 0.03
"""A difference by a larger fraction is not a tie, whatever its spread."""


def ties_with_best(data: TrainingSet) -> Flags:
    """Whether each variant ties with the best one of the input, (n, k); the best itself does."""
    best = data.costs.min(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):  # no variant works there
        gap = np.log(data.costs) - np.log(best)
    tied: Flags = gap <= _within(data)
    return tied & np.isfinite(data.costs)


def _within(data: TrainingSet) -> Floats:
    """The largest difference, a logarithm, that is a tie with the best of its input, (n, k)."""
    return np.nan_to_num(np.minimum(SURE * error_of_difference(data), math.log1p(WIDEST)))


def error_of_difference(data: TrainingSet) -> Floats:
    """The standard error of how much more than the best of its input each variant costs, (n, k).

    A fraction, for small ones; not a number where the spread of either is not known.
    """
    if data.spread is None:
        return np.full(data.costs.shape, np.nan)
    index = data.costs.argmin(axis=1)[:, None]
    error: Floats = np.hypot(data.spread, np.take_along_axis(data.spread, index, axis=1))
    return error


def level_costs(data: TrainingSet) -> Floats:
    """The costs, with those that tie with the best of their input equal to it, (n, k)."""
    best = data.costs.min(axis=1, keepdims=True)
    return np.where(ties_with_best(data), best, data.costs)


def eased_costs(data: TrainingSet) -> Floats:
    """The costs, less the widest tie with the best of their input but not below it, (n, k).

    As `level_costs` for what ties, but what is just beyond a tie costs just more: what is learned
    from one measurement differs little from what is learned from the next.
    """
    best = data.costs.min(axis=1, keepdims=True)
    eased: Floats = np.maximum(data.costs * np.exp(-_within(data)), best)
    return eased
