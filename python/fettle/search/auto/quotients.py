"""Quotients of two parameters where the constraints require one to be a multiple of the other.

Where every valid point's tile is a multiple of its thread count, tile / threads is the work of one
thread, which a kernel's time depends on as often as on the tile. So the quotient is a feature too.
Quotients are found from the constraints alone, never from measurements.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fettle.data.training_set import Floats
from fettle.search.auto.constants import QUOTIENT_SAMPLE
from fettle.search.numbering import Key
from fettle.search.points import Points

_MOST_CELLS = 25_000_000  # combinations of two parameters' values that are looked at


class Quotients:
    """The quotients of each such pair of parameters: an index per point, and the values by index.

    A pair counts where the constraints forbid other combinations: the parameter is a multiple in
    all valid points, but not in all combinations of the two parameters' values. `enabled` = False:
    there are no pairs.
    """

    def __init__(self, points: Points, enabled: bool = True) -> None:
        numbers = points.codes
        if numbers is None:
            rng = random.Random(0)
            numbers = np.array([points.draw(rng) for _ in range(QUOTIENT_SAMPLE)])
        self.pairs: list[tuple[int, int]] = []
        self.values: list[Floats] = []
        self._tables: list[NDArray[np.int64]] = []
        levels = [_naturals(p.values) for p in points.space.parameters if enabled]
        for i, multiples in enumerate(levels):
            for j, divisors in enumerate(levels):
                if i == j or multiples is None or divisors is None:
                    continue
                if len(multiples) * len(divisors) > _MOST_CELLS:
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
    if not all(isinstance(v, int) and not isinstance(v, bool) and 0 < v < 2**63 for v in values):
        return None
    return np.array(values, dtype=np.int64) if len(values) > 1 else None
