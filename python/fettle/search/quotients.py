"""Quotients of parameters of which the constraints leave only multiples of one another.

Where every valid point's tile is a multiple of its thread count, tile / threads is the work of one
thread, and what a kernel's time depends on is that as often as the tile. So it is a feature beside
the two. Only the constraints are looked at, never a measurement.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fettle.data.training_set import Floats
from fettle.search.points import Key, Points

# Of spaces that are not written out, so many random points are looked at.
_SAMPLE = 2000


class Quotients:
    """For each such pair of parameters, its quotients: by number, and what the numbers stand for.

    A pair counts where the constraints forbid what is no multiple: all valid points are, some
    combination of the two parameters' values is not. Found once for a space's points.
    """

    def __init__(self, points: Points) -> None:
        numbers = points.codes
        if numbers is None:
            rng = random.Random(0)
            numbers = np.array([points.draw(rng) for _ in range(_SAMPLE)])
        self.pairs: list[tuple[int, int]] = []
        self.values: list[Floats] = []
        self._tables: list[NDArray[np.int64]] = []
        levels = [_naturals(p.values) for p in points.space.parameters]
        for i, multiples in enumerate(levels):
            for j, divisors in enumerate(levels):
                if i == j or multiples is None or divisors is None:
                    continue
                divides = multiples[:, None] % divisors[None, :] == 0
                if divides.all() or not divides[numbers[:, i], numbers[:, j]].all():
                    continue
                quotients = multiples[:, None] // divisors[None, :]
                found = np.unique(quotients[divides])
                if len(found) < 2:
                    continue
                self.pairs.append((i, j))
                self.values.append(found.astype(float))
                self._tables.append(np.minimum(np.searchsorted(found, quotients), len(found) - 1))

    def of(self, keys: Sequence[Key] | NDArray[np.int64]) -> NDArray[np.int64]:
        """A row a key: the number of each pair's quotient among `values`."""
        numbers = np.asarray(keys)
        columns = [
            table[numbers[:, i], numbers[:, j]]
            for (i, j), table in zip(self.pairs, self._tables, strict=True)
        ]
        return np.array(columns, dtype=np.int64).reshape(len(columns), len(numbers)).T


def _naturals(values: Sequence[Any]) -> NDArray[np.int64] | None:
    if not all(isinstance(v, int) and not isinstance(v, bool) and v > 0 for v in values):
        return None
    return np.array(values, dtype=np.int64) if len(values) > 1 else None
