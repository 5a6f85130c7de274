"""The strategy `auto`: a space-filling design, then one choice of its models at a time."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from fettle.core.errors import FettleError
from fettle.search.auto.acquisition import Acquisition
from fettle.search.auto.candidates import Candidates
from fettle.search.auto.constants import CONSTANTS, Constants
from fettle.search.auto.design import space_filling_design
from fettle.search.auto.features import Features
from fettle.search.auto.models import History, Models
from fettle.search.auto.stopping import Stopping, default_settled
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.numbering import Key
from fettle.search.space import Space


class Auto(SteppedStrategy):
    """Expected improvement from a space-filling design, and neighbours of good points at the end.

    `design`: measurements before the model is asked; `doubt`: the factor on the model's deviations
    at neighbours of good points, 1: they are not inflated; `doubts`: how many of these neighbours
    are measured before the end although nothing is expected of them; `settled`: measurements
    without improvement before the search may end, a quarter of the budget unless given and 10 at
    least, 0: the whole budget is spent; `tolerance`: the expected improvement, as a fraction of the
    best value, below which it ends then. Costs 2 to 20 ms a measurement, growing with the square of
    their number. Failed points count as the worst that worked.
    """

    constants: ClassVar[Constants] = CONSTANTS

    def __init__(
        self,
        space: Space,
        seed: int,
        budget: int | None = None,
        *,
        design: int = 10,
        doubt: float = 2.0,
        doubts: int = 10,
        settled: int | None = None,
        tolerance: float = 0.002,
    ) -> None:
        super().__init__(space, seed, budget)
        if settled is None:
            settled = default_settled(self.constants.settled, budget)
        for option, number, least in (
            ("design", design, 2),
            ("doubt", doubt, 1),
            ("doubts", doubts, 0),
            ("settled", settled, 0),
            ("tolerance", tolerance, 0),
        ):
            if not number >= least:
                raise FettleError(f"{option} must be at least {least}, got {number}")
        self._design = design
        self._features = Features(self.points, self.constants.quotients)
        self._candidates = Candidates(self.points, self.rng, self.constants.pool)
        self._acquisition = Acquisition(
            Models(self.points, self._features, self.constants),
            self._candidates,
            Stopping(settled, tolerance, design),
            self.constants,
            doubt=doubt,
            doubts=doubts,
        )

    def steps(self) -> Steps[None]:
        """The design, then one point at a time until none is left or nothing is expected."""
        sample = self.constants.design_sample
        for key in space_filling_design(
            self.points, self._features, self.rng, self._design, sample
        ):
            yield from self.value(key)
        while self.fresh() is not None:
            chosen = self._choose()
            if chosen is None:
                return
            yield from self.value(chosen)

    def _choose(self) -> Key | None:
        history = History(list(self.values), np.array(list(self.values.values())))
        if np.isfinite(history.values).sum() < 2:
            return self.fresh()
        pool = self._candidates.pool(history.best, self.values)
        if not len(pool):
            return self.fresh()
        return self._acquisition.choose(history, pool)
