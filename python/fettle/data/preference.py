"""Which of several equally good variants is taken, so that tuning again gives the same model.

All code that takes the best of several variants takes it by `first_best`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

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


def first_best(scores: Floats, order: Sequence[int], within: float = ROUNDING) -> Indices:
    """The index of the greatest score of each row; of those `within` it, the first in `order`."""
    ordered = scores[..., list(order)]
    equal = ordered >= ordered.max(axis=-1, keepdims=True) - within
    found: Indices = np.asarray(order, dtype=np.intp)[equal.argmax(axis=-1)]
    return found
