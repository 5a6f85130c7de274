"""The points among which the strategy `auto` chooses."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.search.auto.anova_surrogate import Rows
from fettle.search.auto.constants import CONSTANTS
from fettle.search.numbering import Key
from fettle.search.points import Points


class Candidates:
    """Draws pools of valid points, a row a key.

    Of spaces with more than `pool` points, half of a pool are the points that differ from the best
    in the fewest parameters, and half are random. Costs a pass over the space if it is enumerated.
    """

    def __init__(self, points: Points, rng: random.Random, pool: int = CONSTANTS.pool) -> None:
        self._points = points
        self._rng = rng
        self._pool = pool
        self._columns: list[NDArray[np.int64]] = []
        if points.codes is not None and len(points.codes) > pool:
            self._columns = list(np.ascontiguousarray(points.codes.T))

    def pool(self, best: Key, known: Collection[Key]) -> Rows:
        """Points near `best` and from the whole space, none of them in `known`."""
        codes, row_of = self._points.codes, self._points.row_of
        if codes is None or row_of is None:
            near = {self._changed(best) for _ in range(self._pool // 2)}
            far = {self._points.draw(self._rng) for _ in range(self._pool // 4)}
            new = sorted(near | far)
            return _rows([k for k in new if k not in known and self._points.is_valid(k)], best)
        taken = np.full(len(codes), not self._columns)
        if self._columns:
            rng = np.random.default_rng(self._rng.getrandbits(32))
            changes = 0.5 * rng.random(len(codes))
            for column, level in zip(self._columns, best, strict=True):
                changes += column != level
            taken[np.argpartition(changes, self._pool // 2)[: self._pool // 2]] = True
            taken[rng.choice(len(codes), self._pool // 2, replace=False)] = True
        taken[[row_of[key] for key in known]] = False
        pool: Rows = codes[taken]
        return pool

    def neighbours(self, keys: Sequence[Key], known: Collection[Key]) -> Rows:
        """The points that differ from one of `keys` in one parameter, none of them in `known`."""
        found = {
            (*key[:i], number, *key[i + 1 :]): None
            for key in keys
            for i, count in enumerate(self._points.levels)
            for number in range(count)
            if number != key[i]
        }
        is_valid = self._points.is_valid
        return _rows([key for key in found if key not in known and is_valid(key)], keys[0])

    def _changed(self, key: Key) -> Key:
        # One to three parameters get random values; the result may be invalid.
        other = list(key)
        for i in self._rng.sample(range(len(key)), min(len(key), self._rng.randint(1, 3))):
            other[i] = self._rng.randrange(self._points.levels[i])
        return tuple(other)


def _rows(keys: Sequence[Key], like: Key) -> Rows:
    return np.array(keys, dtype=np.int64).reshape(len(keys), len(like))


def key_of(row: NDArray[np.int64]) -> Key:
    """A row as a key."""
    return tuple(row.tolist())
