"""The points that a design-of-experiments search chooses from, and what is known of each.

Everything is an array with a row a point, so that a step over tens of thousands of points costs
some passes of numpy.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from fettle.core.errors import FettleError
from fettle.search.model_matrix import Codes, Floats
from fettle.search.numbering import Key
from fettle.search.points import Points
from fettle.search.space import Point

LARGEST = 25_000
"""Of larger spaces as many random points are the candidates of designs and predictions."""

FAILURES = 3
"""A level of a factor at which as many points failed and none worked is taken for one that the
program cannot have, whatever the other factors."""

Mask = npt.NDArray[np.bool_]


class Candidates:
    """The candidates, rows of level numbers, and what was measured of them.

    codes    a row a point, a column a factor
    seen     whether the search measured it
    good     whether it worked
    values   what it gave; not a number where it was not measured, infinite where it failed
    allowed  whether designs may have it and predictions may choose it
    """

    def __init__(
        self,
        points: Points,
        rng: random.Random,
        extra: Sequence[Key],
        exclude: Callable[[Point], bool] | None,
    ) -> None:
        self._levels = points.levels
        self.codes, self._row_of = _written_out(points, rng, extra)
        self.seen: Mask = np.zeros(len(self.codes), dtype=np.bool_)
        self.good: Mask = np.zeros(len(self.codes), dtype=np.bool_)
        self.values: Floats = np.full(len(self.codes), np.nan)
        self.allowed: Mask = np.ones(len(self.codes), dtype=np.bool_)
        if exclude is not None:
            self.allowed[:] = [not exclude(points.point(self.key(row))) for row in range(len(self))]
            if not self.allowed.any():
                raise FettleError(
                    f"exclude refuses all {len(self)} points of the search space that were looked "
                    "at: it should be true for those alone that must not be measured"
                )

    def __len__(self) -> int:
        return len(self.codes)

    def key(self, row: int) -> Key:
        """The key of a row."""
        return tuple(self.codes[row].tolist())

    def note(self, key: Key, value: float) -> None:
        """What measuring a candidate gave."""
        row = self._row_of[key]
        self.seen[row] = True
        self.good[row] = math.isfinite(value)
        self.values[row] = value

    def working(self) -> Mask:
        """Whether a row has no level at which FAILURES points failed and none worked."""
        working: Mask = np.ones(len(self.codes), dtype=np.bool_)
        failed = self.seen & ~self.good
        if int(failed.sum()) < FAILURES:
            return working
        for at, count in enumerate(self._levels):
            column = self.codes[:, at]
            dead = np.bincount(column[failed], minlength=count) >= FAILURES
            dead &= np.bincount(column[self.good], minlength=count) == 0
            working &= ~dead[column]
        return working


def _written_out(
    points: Points, rng: random.Random, extra: Sequence[Key]
) -> tuple[Codes, dict[Key, int]]:
    codes, row_of = points.codes, points.row_of
    if codes is not None and row_of is not None and len(codes) <= LARGEST:
        if all(key in row_of for key in extra):
            return codes, row_of
        keys = list(points.keys or [])
    elif points.keys is not None:
        keys = rng.sample(points.keys, LARGEST)
    else:
        keys = [points.draw(rng) for _ in range(LARGEST)]
    keys = list(dict.fromkeys([*keys, *extra]))
    return np.array(keys, dtype=np.int64), {key: row for row, key in enumerate(keys)}
