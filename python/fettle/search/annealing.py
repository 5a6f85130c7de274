"""Simulated annealing."""

from __future__ import annotations

import math
from statistics import median

from fettle.core.errors import FettleError
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.numbering import Key
from fettle.search.space import Space

# The last temperature as a part of the first.
_COOLING = 1e-3


class Annealing(SteppedStrategy):
    """Simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983) on the neighbours of a point.

    A step to a neighbour that is worse by d is made with probability exp(-d / (T s)): s is the
    median of the uphill steps seen so far, which makes the temperature T free of units, and T
    falls geometrically from `temperature` to a thousandth of it over the budget; without one over
    a hundred measurements a parameter. Where all neighbours are known and the walk stays among
    them, it goes on from a random new point.
    """

    def __init__(
        self, space: Space, seed: int, budget: int | None = None, temperature: float = 1.0
    ) -> None:
        super().__init__(space, seed, budget)
        if not (temperature > 0 and math.isfinite(temperature)):
            raise FettleError(f"a temperature of {temperature}; give a finite number above 0")
        self.temperature = temperature

    def steps(self) -> Steps[None]:
        """Walks, each from a new random point."""
        self._uphill: list[float] = []
        while (start := self.fresh()) is not None:
            value = yield from self.value(start)
            if value < math.inf:
                yield from self._walk(start, value)

    def _walk(self, key: Key, value: float) -> Steps[None]:
        known_steps = 0
        neighbours = self.points.neighbours(key)
        while neighbours and known_steps < 4 * len(neighbours):
            other = self.rng.choice(neighbours)
            known_steps = known_steps + 1 if other in self.visited else 0
            other_value = yield from self.value(other)
            if self._accepts(other_value - value):
                key, value = other, other_value
                neighbours = self.points.neighbours(key)

    def _accepts(self, rise: float) -> bool:
        if rise <= 0:
            return True
        if rise == math.inf:
            return False
        self._uphill.append(rise)
        span = self.budget or 100 * len(self.points.names)
        temperature = self.temperature * _COOLING ** min(len(self.visited) / span, 1.0)
        scale = median(self._uphill)
        return self.rng.random() < math.exp(-rise / (temperature * scale))
