"""What Fettle recommends to a user who does not choose: a model of log time, asked where to go.

1. A space-filling design: of a random sample of points the ones farthest from one another (Kennard
   and Stone 1969), so that each parameter is seen at its ends and between.
2. Features (fettle.search.features), with quotients of parameters that constraints tie together.
3. What counts of a value v is by what factor it misses the best so far, b: d = log(v / b), bent to
   c log(1 + d / c), so that differences among slow points weigh less than those among fast ones.
4. A Gaussian process of that: of the points' distance (fettle.search.surrogate) while there are few
   measurements, then a product over the parameters (fettle.search.anova_surrogate), which has twice
   as many hyperparameters and makes more of many measurements.
5. The point of the largest expected improvement among those near the best one and a sample of all.
   What is better by less than a margin does not count, or a plateau of points that differ by little
   would be measured to its end before another region is looked at.
6. Where next to nothing is expected beyond the margin, and the last measurements have brought
   little, the model is doubted, every second time: of what differs in one parameter from a point
   that is nearly as good as the best, what promises more than the margin if deviations are `doubt`
   times as large. A value that was seen in bad company only (a loop of one iteration with wide
   vectors) looks bad to the model, which is sure of it; the best region may need just that value.
7. Where that promises nothing either, the most promising of those changes is measured anyway, up to
   `doubts` of them since the last gain: two with deviations four times as large, then one that
   another model chooses, whose length scales are the prior's. Those that are fitted to values which
   missed a valley between them are too long to let one be.
8. Otherwise any improvement counts.
9. The end, where `settled` measurements in a row have improved next to nothing, the model (later
   both of them) expects no more than that of any point, and all doubts have been tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fettle.core.errors import FettleError
from fettle.data.training_set import Floats
from fettle.search.anova_surrogate import AnovaSurrogate, Rows
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.candidates import Candidates, key_of
from fettle.search.features import Features
from fettle.search.points import Key
from fettle.search.space import Space
from fettle.search.surrogate import Surrogate, expected_improvement

_DRAWN = 400
# Up to here the model of distances is used, and hyperparameters are searched for at each
# measurement, then at every fifth.
_MANY = 50
# Where the bending of log factors starts, and the least log factor that counts as an improvement;
# with the model of distances and with that of products.
_BEND = (1.0, 0.5)
_MARGIN = (0.1, 0.03)
# Measurements without improvement after which a search without a budget may end.
_SETTLED = 20
# Where less than this is expected beyond the margin, smaller improvements count.
_LEAST_GAIN = 0.003
# Points up to so much slower than the best are nearly as good; at most so many are changed.
_NEARLY, _CHANGED = 0.05, 20
# Measurements without a gain of more than that after which the model is doubted.
_STUCK = 3
# How much larger deviations are for doubts that promise nothing, and what counts as a gain there.
_HARD_DOUBT, _HARD_MARGIN = 4.0, 0.03
# Every so many of these is chosen by the model that is not fitted.
_SECOND_OPINION = 3
_ITERATIONS = 20
_DISTANCES, _PRODUCTS = 0, 1


class Auto(SteppedStrategy):
    """Expected improvement from a space-filling design, and doubts where nothing is expected.

    `design`: measurements before the model is asked; `doubt`: how much larger than the model says
    the deviations of changes of good points may be, 1: it is believed; `doubts`: how many of these
    changes are measured before the end though nothing is expected of them; `settled`: measurements
    without improvement before the search may end, a quarter of the budget unless given and 10 at
    least, 0: it goes through the whole budget; `tolerance`: the expected improvement, as a share of
    the best value, below which it ends then. Costs 2 to 20 ms a measurement, growing with the
    square of their number. Failed points count as the worst that worked.
    """

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
            settled = _SETTLED if budget is None else max(_SETTLED // 2, budget // 4)
        for option, number, least in (
            ("design", design, 2),
            ("doubt", doubt, 1),
            ("doubts", doubts, 0),
            ("settled", settled, 0),
            ("tolerance", tolerance, 0),
        ):
            if not number >= least:
                raise FettleError(f"{option} is {number}; give at least {least}")
        self.design = design
        self.doubt = doubt
        self.doubts = doubts
        self.settled = settled
        self.tolerance = tolerance
        self._features = Features(self.points)
        self._candidates = Candidates(self.points, self.rng)
        # Measurements at which the model expected next to nothing beyond the margin.
        self._small_steps = 0
        # How many points were measured before each hard doubt since the last gain.
        self._hard_doubts: list[int] = []
        self._models = Surrogate(self._features.width), AnovaSurrogate(self.points)

    def steps(self) -> Steps[None]:
        """The design, then one point at a time until none is left or nothing is expected."""
        for key in self._spread():
            yield from self.value(key)
        while self.fresh() is not None:
            chosen = self._choose()
            if chosen is None:
                return
            yield from self.value(chosen)

    def _spread(self) -> list[Key]:
        drawn = list(dict.fromkeys(self.points.draw(self.rng) for _ in range(_DRAWN)))
        rows = self._features.rows(np.array(drawn))
        chosen = [0]
        distance = np.square(rows - rows[0]).sum(axis=1)
        while len(chosen) < min(self.design, len(drawn)):
            chosen.append(int(distance.argmax()))
            distance = np.minimum(distance, np.square(rows - rows[chosen[-1]]).sum(axis=1))
        return [drawn[i] for i in chosen]

    def _choose(self) -> Key | None:
        measured = list(self.values)
        values = np.array([self.values[key] for key in measured])
        if np.isfinite(values).sum() < 2:
            return self.fresh()
        pool = self._candidates.pool(measured[int(values.argmin())], self.values)
        if not len(pool):
            return self.fresh()
        which = _PRODUCTS if len(measured) > _MANY else _DISTANCES
        self._fit(which, measured, values)
        mean, deviation = self._predict(which, pool)
        gains = expected_improvement(mean, deviation, -_MARGIN[which])
        if gains.max() >= _LEAST_GAIN:
            return key_of(pool[gains.argmax()])
        self._small_steps += 1
        doubted = self._doubted(which, measured, values)
        hard = self._doubted_hard(which, measured, values)
        if self._small_steps % 2 == 0:
            if doubted is not None:
                return doubted
            if hard is not None:
                return self._noted(hard)
        gains = expected_improvement(mean, deviation, 0.0)
        if doubted is None and gains.max() < self.tolerance and self._is_settled(values):
            if which == _PRODUCTS:
                # The other model may know better; before, there is too little to fit it to.
                self._fit(_DISTANCES, measured, values)
                gains = expected_improvement(*self._predict(_DISTANCES, pool), 0.0)
            if gains.max() < self.tolerance:
                return None if hard is None else self._noted(hard)
        return key_of(pool[gains.argmax()])

    def _fit(self, which: int, measured: Sequence[Key], values: Floats) -> None:
        costs = bent_log_factors(values, _BEND[which])
        few = len(measured) <= _MANY or len(measured) % 5 == 0
        model = self._models[which]
        model.fit(
            self._rows(which, np.array(measured)),
            costs,
            _ITERATIONS if few or not model.is_fitted else 0,
        )

    def _predict(self, which: int, keys: Rows) -> tuple[Floats, Floats]:
        return self._models[which].predict(self._rows(which, keys))

    def _rows(self, which: int, keys: Rows) -> Any:
        return self._features.rows(keys) if which == _DISTANCES else keys

    def _doubted(self, which: int, measured: Sequence[Key], values: Floats) -> Key | None:
        # What may be better by more than the margin if the model is less sure than it says.
        changes = self._changes_of_good(measured, values)
        if not len(changes):
            return None
        mean, deviation = self._predict(which, changes)
        gains = expected_improvement(mean, self.doubt * deviation, -_MARGIN[which])
        return key_of(changes[gains.argmax()]) if gains.max() >= _LEAST_GAIN else None

    def _doubted_hard(self, which: int, measured: Sequence[Key], values: Floats) -> Key | None:
        # The most promising change, however little that is, while there are doubts left.
        since = self._last_gain(values)
        self._hard_doubts = [number for number in self._hard_doubts if number > since]
        if len(self._hard_doubts) >= self.doubts:
            return None
        changes = self._changes_of_good(measured, values)
        if not len(changes):
            return None
        if len(self._hard_doubts) % _SECOND_OPINION == _SECOND_OPINION - 1:
            unfitted = Surrogate(self._features.width)
            costs = bent_log_factors(values, _BEND[_DISTANCES])
            unfitted.fit(self._features.rows(np.array(measured)), costs, iterations=0)
            mean, deviation = unfitted.predict(self._features.rows(changes))
        else:
            mean, deviation = self._predict(which, changes)
            deviation = _HARD_DOUBT * deviation
        gains = expected_improvement(mean, deviation, -_HARD_MARGIN)
        return key_of(changes[gains.argmax()])

    def _noted(self, hard: Key) -> Key:
        self._hard_doubts.append(len(self.values))
        return hard

    def _changes_of_good(self, measured: Sequence[Key], values: Floats) -> Rows:
        # What differs in one parameter from a point that is nearly as good as the best; nothing
        # where such a point was found just now.
        nearly = values.min() + _NEARLY * abs(values.min())
        if len(measured) - 1 - int((values <= nearly).argmax()) < _STUCK:
            return np.empty((0, len(measured[0])), dtype=np.int64)
        order = np.argsort(values, kind="stable")[:_CHANGED]
        return self._candidates.changes(
            [measured[i] for i in order if values[i] <= nearly], self.values
        )

    def _is_settled(self, values: Floats) -> bool:
        return 0 < self.settled <= len(values) - 1 - self._last_gain(values)

    def _last_gain(self, values: Floats) -> int:
        # Values are in the order of measuring; those after this one gained less than tolerance, and
        # none of them is of the design.
        least = values.min() + self.tolerance * abs(values.min())
        return max(int((values <= least).argmax()), self.design - 1)


def bent_log_factors(values: Floats, bend: float) -> Floats:
    """By what factor values miss the best, as the surrogates are told; 0 for the best.

    Values that are not all positive count by their distance to the best over the median distance;
    those that do not work as the worst that does.
    """
    works = np.isfinite(values)
    good = values[works]
    best = good.min()
    missed = np.zeros(len(values))
    if best > 0:
        missed[works] = np.log(good / best)
    else:
        missed[works] = (good - best) / (float(np.median(good - best)) or 1.0)
    missed[~works] = missed[works].max()
    bent: Floats = bend * np.log1p(missed / bend)
    return bent
