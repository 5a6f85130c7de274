"""Random search: points drawn uniformly and without repetition."""

from __future__ import annotations

from fettle.search.base import SteppedStrategy, Steps


class RandomSearch(SteppedStrategy):
    """Uniform sampling without replacement ("RS" in Bruel et al. 2019, section V.A).

    With m measurements the best of n points that m draws find has the expected rank (n+1)/(m+1).
    """

    def steps(self) -> Steps[None]:
        """Draws until nothing is left."""
        while (key := self.fresh()) is not None:
            yield from self.value(key)
