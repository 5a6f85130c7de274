"""Ties between variants: which differences of costs are noise, and which variant wins a tie.

Two measurements of one variant differ, so the fastest of several equal variants changes with each
run of the tuner. Two variants tie on an input where the difference of their costs is within the
spread of that difference, and at most `WIDEST`: a difference of 1 % that every measurement repeats
has a small spread and is not a tie. Among equals the choice is by `preference`, so that tuning
again comes to the same model.

Whatever takes the best of several variants takes it by `first_best`, judges by `level_costs` and
learns from `eased_costs`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from fettle.data.training_set import TrainingSet

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Flags = NDArray[np.bool_]

SURE = 3.0
"""So many standard errors of a difference (the logarithm of a ratio of costs) are its spread."""
WIDEST = 0.03
"""A difference by a larger fraction is not a tie, whatever its spread."""
ROUNDING = 1e-9
"""Scores that differ by less are equal: sums of the same numbers in another order do."""


def preference(
    variants: Sequence[str], default: str | None, failed_on: Sequence[int] = ()
) -> tuple[int, ...]:
    """The indices of the variants in the order in which ties are decided.

    A variant that never failed comes before one that did; then the default comes before the
    others, in the order of registration. `failed_on` is the number of inputs that each failed on;
    empty: none did.
    """
    failed = failed_on or (0,) * len(variants)
    return tuple(
        sorted(range(len(variants)), key=lambda k: (failed[k] > 0, variants[k] != default, k))
    )


def first_best(scores: Floats, order: Sequence[int], within: float = ROUNDING) -> Places:
    """The place of the greatest score of each row; of those `within` it, the first in `order`."""
    ordered = scores[..., list(order)]
    equal = ordered >= ordered.max(axis=-1, keepdims=True) - within
    found: Places = np.asarray(order, dtype=np.intp)[equal.argmax(axis=-1)]
    return found


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
    place = data.costs.argmin(axis=1)[:, None]
    error: Floats = np.hypot(data.spread, np.take_along_axis(data.spread, place, axis=1))
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
