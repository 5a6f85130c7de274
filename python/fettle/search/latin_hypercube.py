"""Latin hypercube search: one sample that covers every parameter's values evenly."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from fettle.core.errors import FettleError
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.numbering import Key
from fettle.search.space import Space

# In a space too large to write out, _LOOKED_AT random points estimate the fraction that is valid; a
# sample of a space that is hardly valid anywhere has at most _LARGEST points.
_LOOKED_AT = 2000
_LARGEST = 200_000
# Larger samples are not spread: that costs the third power of their size.
_SPREAD = 1000


class LatinHypercube(SteppedStrategy):
    """A Latin hypercube sample of which about a budget's worth is valid.

    Each parameter's range is cut into as many strata as there are samples, and each stratum holds
    one (McKay, Beckman, Conover 1979).

    This is "LHS" of Bruel et al. 2019, section V.A, as its authors' program drew it: the sample is
    spread (each point in turn is the candidate that is farthest from those before it, of as many
    candidates as strata are left); coordinates from the first to the last value are rounded, by
    which the two values at the ends of a range get half as many points as the others; and what is
    not valid is left out. Its size is `samples` (published: 441 for 125 measurements); None: so
    many that the expected valid part is three standard deviations below the budget. It finds worse
    points than random draws where good ones are at the ends of ranges.

    With `as_published=False` all values are as likely, and what is not valid is moved to the
    nearest valid points; what several samples meet at is measured once, so that fewer measurements
    than the budget are made. That finds better points.

    `fill` draws the rest of the budget at random. Without a budget the sample has ten points a
    parameter.
    """

    def __init__(
        self,
        space: Space,
        seed: int,
        budget: int | None = None,
        fill: bool = False,
        as_published: bool = True,
        samples: int | None = None,
    ) -> None:
        super().__init__(space, seed, budget)
        for name, flag in (("fill", fill), ("as_published", as_published)):
            if not isinstance(flag, bool):
                raise FettleError(f"{name}={flag!r}; give True or False")
        if samples is not None and samples < 1:
            raise FettleError(f"a sample of {samples} points; give at least 1")
        self.fill = fill
        self.as_published = as_published
        self.samples = samples

    def steps(self) -> Steps[None]:
        """The sample, then what `fill` asks for; nothing depends on the values."""
        size = self.samples or self.budget or 10 * len(self.points.names)
        if self.as_published and self.samples is None:
            size = _size_with(self._valid_fraction(), size)
        for sample in self._strata(size):
            drawn = [(stratum + self.rng.random()) / size for stratum in sample]
            key = self.points.at(drawn) if self.as_published else self._moved(drawn)
            if self.points.is_valid(key):
                yield from self.value(key)
        while (self.fill or not self.visited) and (fresh := self.fresh()) is not None:
            yield from self.value(fresh)

    def _strata(self, size: int) -> Iterable[Sequence[int]]:
        count = len(self.points.names)
        if self.as_published and size <= _SPREAD:
            return _spread(np.random.default_rng(self.rng.getrandbits(64)), size, count)
        return zip(*(self.rng.sample(range(size), size) for _ in range(count)), strict=True)

    def _moved(self, coordinates: list[float]) -> Key:
        key = self.points.in_cell(coordinates)
        if not self.points.is_valid(key):
            nearest = self.points.nearest(self.points.coordinates(key), self.rng)
            assert nearest is not None  # nothing is left out
            key = nearest
        return key

    def _valid_fraction(self) -> float:
        """The chance that the point nearest to random coordinates is valid."""
        rows = self.points.unit_rows
        if rows is None:
            drawn = ([self.rng.random() for _ in self.points.names] for _ in range(_LOOKED_AT))
            return sum(self.points.is_valid(self.points.at(x)) for x in drawn) / _LOOKED_AT
        counts = np.array(self.points.levels)
        chances = np.where((rows == 0) | (rows == 1), 0.5, 1.0) / np.maximum(counts - 1, 1)
        chances[:, counts == 1] = 1.0
        return float(chances.prod(axis=1).sum())


def _spread(rng: np.random.Generator, size: int, count: int) -> list[list[int]]:
    """A Latin hypercube sample whose points keep away from one another (R's `lhs::maximinLHS`)."""
    free = np.repeat(np.arange(size, dtype=np.float64)[:, None], count, axis=1)
    chosen = np.empty((0, count))
    while len(free):
        candidates = rng.permuted(free, axis=0)
        best = candidates[0]
        if len(chosen):
            products = candidates @ chosen.T
            squares = (chosen**2).sum(axis=1) - 2 * products
            nearest = squares.min(axis=1) + (candidates**2).sum(axis=1)
            best = candidates[int(nearest.argmax())]
        chosen = np.vstack([chosen, best])
        free = free.T[(free != best).T].reshape(count, -1).T
    found: list[list[int]] = chosen.astype(np.int64).tolist()
    return found


def _size_with(share: float, budget: int) -> int:
    """The largest sample whose expected valid part and three standard deviations are a budget."""
    if share <= 0:
        return _LARGEST
    odds = 9 * max(1 - share, 0.0)
    root = (math.sqrt(odds + 4 * budget) - math.sqrt(odds)) / 2
    return min(max(int(root**2 / share + 1e-9), 1), _LARGEST)
