"""CMA-ES, by the package `cma`, on the ranks of parameter values."""

from __future__ import annotations

import warnings

from fettle.core.errors import FettleError
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.numbering import Key
from fettle.search.optional import optional_module
from fettle.search.space import Space

# Generations in a row without a new point before it starts again elsewhere.
_STALE = 3


class CmaEs(SteppedStrategy):
    """Covariance matrix adaptation (Hansen, Ostermeier 2001) in the unit cube.

    A parameter is one coordinate: an ordered one by its values' ranks, another by their numbers.
    Samples go to the nearest valid point. CMA-ES receives the ranks of a generation's values, which
    is all that it uses of them, so that failed points are only the last. It starts again at a
    random new point when it has converged or keeps sampling what is known, with a population twice
    as large each second time (IPOP, Auger, Hansen 2005). `sigma` is the first step size.
    """

    def __init__(
        self, space: Space, seed: int, budget: int | None = None, sigma: float = 0.3
    ) -> None:
        super().__init__(space, seed, budget)
        if not 0 < sigma <= 10:
            raise FettleError(f"a step size of {sigma}; give one above 0, such as 0.3")
        self.sigma = sigma
        self._cma = optional_module("cma", "cma_es")

    def steps(self) -> Steps[None]:
        """Restarts until nothing is left."""
        starts = 0
        while (start := self.fresh()) is not None:
            yield from self.value(start)
            yield from self._descend(start, min(2 ** (starts // 2), 16))
            starts += 1

    def _descend(self, start: Key, growth: int) -> Steps[None]:
        # Its one coordinate is too few for cma: a second one stands by without effect.
        free = [i for i, levels in enumerate(self.points.levels) if levels > 1]
        if not free:
            return
        begin = self.points.coordinates(start)
        middle = [begin[i] for i in free] + [0.5] * (len(free) == 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            search = self._cma.CMAEvolutionStrategy(
                middle,
                self.sigma,
                {
                    "bounds": [0, 1],
                    "seed": self.rng.randrange(1, 2**31),
                    "popsize": growth * (4 + len(free) // 2 * 2),
                    "verbose": -9,
                },
            )
        stale = 0
        while stale < _STALE and not search.stop():
            before = len(self.visited)
            samples = search.ask()
            values = []
            for sample in samples:
                coordinates = [0.0] * len(begin)
                for i, x in zip(free, sample, strict=False):
                    coordinates[i] = float(x)
                key = self.points.nearest(coordinates, self.rng)
                assert key is not None  # nothing is left out
                values.append((yield from self.value(key)))
            order = sorted(set(values))
            search.tell(samples, [float(order.index(value)) for value in values])
            stale = 0 if len(self.visited) > before else stale + 1
