"""Parameters carried from other machines: a few points are tried, those that did well elsewhere.

    tables = [measured_table(path) for path in ("gemm__A100.csv.xz", "gemm__P100.csv.xz")]
    strategy = Carried(space, 0, 10, sources=tables)

What a point costs on the sources, and how alike their device features are, make a prior of what it
costs here (carried_model.py); each measured point corrects it, and the next one is that of the
largest expected improvement. Costs of different machines may be in different units.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.carried_model import (
    Constants,
    Expected,
    Floats,
    Source,
    chosen_constants,
)
from fettle.search.numbering import Key
from fettle.search.space import Space
from fettle.search.table import MeasuredTable

MOST_CANDIDATES = 3000
PROMISING = 0.5  # the share of best on some source that a candidate has, where there are so many


class Carried(SteppedStrategy):
    """The strategy `carried`; after the last candidate it draws at random.

    `sources` are tables of other machines with the space's parameters, `devices` their features in
    the same order, `device` those of this machine; without them all sources count the same. The
    constants of the prior are chosen inside the sources, each in turn the machine to carry to.
    """

    def __init__(
        self,
        space: Space,
        seed: int,
        budget: int | None = None,
        *,
        sources: Sequence[MeasuredTable] = (),
        devices: Sequence[Mapping[str, float]] = (),
        device: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(space, seed, budget)
        if not sources:
            raise FettleError(
                "the strategy carried needs tables of the same space on other machines; give "
                "sources, on the command line --sources A.csv B.csv"
            )
        if devices and len(devices) != len(sources):
            raise FettleError(
                f"the strategy carried has {len(sources)} sources and features of {len(devices)} "
                "devices; give those of each source, in the same order"
            )
        self._device = device or {}
        known = devices or [{} for _ in sources]
        for table in sources:
            self._check(table)
        self.listed, self._places = self._listed()
        self.sources = [
            Source(table.name, self._shares(table), features)
            for table, features in zip(sources, known, strict=True)
        ]
        if not any((one.shares > 0).any() for one in self.sources):
            raise FettleError(
                "no point of the search space worked on a source; compare the values of their "
                f"parameters: {self._values(space)} here, {self._values(sources[0].space)} in "
                f"{sources[0].name}"
            )

    def steps(self) -> Steps[None]:
        """Tries the candidates in the order of their expected improvement."""
        kept = candidates(self.sources)
        few = [Source(one.name, one.shares[kept], one.device) for one in self.sources]
        expected = Expected(few, self._device, self._places[kept], self._constants())
        for _ in range(len(kept)):
            point = expected.next_point()
            cost = yield from self.value(self.listed[kept[point]])
            expected.tell(point, cost)
        while (key := self.fresh()) is not None:
            yield from self.value(key)

    def _constants(self) -> Constants:
        return chosen_constants(self.sources, self._places, candidates)

    def _listed(self) -> tuple[list[Key], Floats]:
        """All points, and where each one's parameters are in their ranges."""
        numbers = np.concatenate(list(self.space.blocks()))
        levels = np.array([max(len(one.values) - 1, 1) for one in self.space.parameters])
        return [self.points.key(point) for point in self.space], numbers / levels

    def _shares(self, table: MeasuredTable) -> Floats:
        costs = np.array(
            [
                table.values.get(tuple(point[name] for name in table.names), math.inf)
                for point in self.space
            ]
        )
        finite = np.isfinite(costs)
        best = costs[finite].min(initial=math.inf)
        found: Floats = np.divide(best, costs, out=np.zeros(len(costs)), where=finite)
        return found

    def _check(self, table: MeasuredTable) -> None:
        own = {one.name for one in self.space.parameters}
        if set(table.names) != own:
            raise FettleError(
                f"the source {table.name} has the parameters {', '.join(table.names)}, the search "
                f"space {', '.join(sorted(own))}; a source has to have measured the same space"
            )

    @staticmethod
    def _values(space: Space) -> str:
        return "; ".join(f"{p.name} {', '.join(map(str, p.values[:6]))}" for p in space.parameters)


def candidates(sources: Sequence[Source]) -> NDArray[np.intp]:
    """The points that did well on some source, at most MOST_CANDIDATES."""
    most = np.max([one.shares for one in sources], axis=0)
    order = np.argsort(-most, kind="stable")[:MOST_CANDIDATES]
    kept = order[most[order] >= min(PROMISING, float(most[order[0]]))]
    return np.sort(kept)
