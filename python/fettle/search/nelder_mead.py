"""The simplex method of Nelder and Mead on the ranks of the parameters' values."""

from __future__ import annotations

import math

import numpy as np

from fettle.core.errors import FettleError
from fettle.data.training_set import Floats
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.numbering import Key
from fettle.search.space import Space

_SMALLEST = 0.5
"""Ranks: a simplex within so few of its best corner stands for one point."""


class NelderMead(SteppedStrategy):
    """The simplex method (Nelder, Mead 1965), as online autotuners use it, restarted.

    Coordinates are values by rank, or by number where they are not ordered; a corner is measured at
    the valid point nearest to it, and one that failed counts as the worst. A simplex begins at a
    random point with edges of `edge` of each parameter's range. It ends when all corners are within
    half a rank of the best one, or on points that are all known; then a new one begins, until the
    budget is spent or all points are measured.
    """

    def __init__(
        self, space: Space, seed: int, budget: int | None = None, edge: float = 0.5
    ) -> None:
        super().__init__(space, seed, budget)
        if not 0 < edge <= 1:
            raise FettleError(f"an edge of {edge}; give a part of the range, above 0 to 1")
        self.edge = edge

    def steps(self) -> Steps[None]:
        """A simplex after the other, each from a new random point."""
        while (start := self.fresh()) is not None:
            value = yield from self.value(start)
            if value < math.inf:
                yield from self._simplex(start, value)

    def _simplex(self, start: Key, value: float) -> Steps[None]:
        origin = np.array(self.points.coordinates(start))
        corners = [origin]
        values = [value]
        for axis in self._axes():
            corner = origin.copy()
            corner[axis] += self.edge if corner[axis] + self.edge <= 1 else -self.edge
            corners.append(np.clip(corner, 0.0, 1.0))
            values.append((yield from self._at(corners[-1])))
        known = 0
        while len(corners) > 1 and known <= 2 * len(corners):
            order = np.argsort(values, kind="stable")
            corners, values = [corners[i] for i in order], [values[i] for i in order]
            if self._is_one_point(corners):
                return
            measured = len(self.visited)
            yield from self._step(corners, values)
            known = known + 1 if len(self.visited) == measured else 0

    def _step(self, corners: list[Floats], values: list[float]) -> Steps[None]:
        """Replaces the worst corner, the last, or shrinks the simplex towards the best, the first.

        The coefficients are those of the paper: 1, 2, 1/2 and 1/2.
        """
        middle: Floats = np.mean(corners[:-1], axis=0)
        reflected, value = yield from self._along(middle, corners[-1], -1.0)
        if value < values[0]:
            expanded, further = yield from self._along(middle, corners[-1], -2.0)
            if further < value:
                reflected, value = expanded, further
        elif value >= values[-2]:
            inside = value >= values[-1]
            contracted, nearer = yield from self._along(
                middle, corners[-1], 0.5 if inside else -0.5
            )
            if nearer >= min(value, values[-1]):
                yield from self._shrink(corners, values)
                return
            reflected, value = contracted, nearer
        corners[-1], values[-1] = reflected, value

    def _shrink(self, corners: list[Floats], values: list[float]) -> Steps[None]:
        for i in range(1, len(corners)):
            corners[i] = (corners[0] + corners[i]) / 2
            values[i] = yield from self._at(corners[i])

    def _along(self, middle: Floats, worst: Floats, part: float) -> Steps[tuple[Floats, float]]:
        corner = np.clip(middle + part * (worst - middle), 0.0, 1.0)
        return corner, (yield from self._at(corner))

    def _at(self, corner: Floats) -> Steps[float]:
        key = self.points.nearest(corner.tolist(), self.rng)
        assert key is not None  # nothing is left out
        return (yield from self.value(key))

    def _axes(self) -> list[int]:
        return [axis for axis, levels in enumerate(self.points.levels) if levels > 1]

    def _is_one_point(self, corners: list[Floats]) -> bool:
        ranks = np.maximum(np.array(self.points.levels) - 1, 1)
        return bool((np.abs(np.array(corners) - corners[0]) * ranks < _SMALLEST).all())
