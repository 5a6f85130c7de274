"""Latin hypercube search: one sample that covers every parameter's values evenly."""

from __future__ import annotations

from fettle.errors import FettleError
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.space import Space


class LatinHypercube(SteppedStrategy):
    """A Latin hypercube sample of the budget's size, moved to the nearest valid points.

    Each parameter's range is cut into as many strata as there are samples, and each stratum holds
    one (McKay, Beckman, Conover 1979; "LHS" in Bruel et al. 2019, section IV). Constraints take
    this evenness away in part: samples that several meet at one valid point are measured once, so
    that fewer measurements than the budget are made. `fill` draws the rest at random.

    Without a budget the sample has ten points a parameter.
    """

    def __init__(
        self, space: Space, seed: int, budget: int | None = None, fill: bool = False
    ) -> None:
        super().__init__(space, seed, budget)
        if not isinstance(fill, bool):
            raise FettleError(f"fill={fill!r}; give True or False")
        self.fill = fill

    def steps(self) -> Steps[None]:
        """The sample, then what `fill` asks for; nothing depends on the values."""
        size = self.budget or 10 * len(self.points.names)
        strata = [self.rng.sample(range(size), size) for _ in self.points.names]
        for sample in zip(*strata, strict=True):
            place = [(stratum + self.rng.random()) / size for stratum in sample]
            key = self.points.in_cell(place)
            if not self.points.is_valid(key):
                nearest = self.points.nearest(self.points.coordinates(key), self.rng)
                assert nearest is not None  # nothing is left out
                key = nearest
            yield from self.value(key)
        while self.fill and (fresh := self.fresh()) is not None:
            yield from self.value(fresh)
