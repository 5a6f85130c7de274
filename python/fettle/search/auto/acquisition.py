"""Which point `auto` measures next: expected improvement, and neighbours of good points.

1. The candidate of the largest expected improvement, if more than a margin is expected. Without the
   margin a plateau of nearly equal points would be measured to its end before another region.
2. Where next to nothing is expected beyond the margin and the last measurements gained little,
   every second choice is a neighbour of a good point (one that differs in one parameter). A value
   that was measured only together with bad values of others (a loop of one iteration with wide
   vectors) looks bad to the model, whose deviation is small there; the best region may need it.
   a. One that promises more than the margin with deviations inflated by `doubt`.
   b. Otherwise the most promising one, whatever it promises (a forced neighbour), up to `doubts` of
      them since the last gain. Every third is chosen by a model with unfitted length scales.
3. Otherwise any improvement counts.
4. None, the end, where the history is settled, no model expects an improvement, and no forced
   neighbour is left.
"""

from __future__ import annotations

import numpy as np

from fettle.data.training_set import Floats
from fettle.search.auto.anova_surrogate import Rows
from fettle.search.auto.candidates import Candidates, key_of
from fettle.search.auto.constants import Constants
from fettle.search.auto.models import History, Model, Models
from fettle.search.auto.stopping import Stopping
from fettle.search.numbering import Key


class Acquisition:
    """Chooses points; keeps how often little was expected, and when neighbours were forced."""

    def __init__(
        self,
        models: Models,
        candidates: Candidates,
        stopping: Stopping,
        constants: Constants,
        *,
        doubt: float,
        doubts: int,
    ) -> None:
        self._models = models
        self._candidates = candidates
        self._stopping = stopping
        self._constants = constants
        self._doubt = doubt
        self._doubts = doubts
        # Choices at which next to nothing was expected beyond the margin.
        self._small_steps = 0
        # How many points were measured before each forced neighbour since the last gain.
        self._forced_at: list[int] = []

    def choose(self, history: History, pool: Rows) -> Key | None:
        """The point to measure next, of `pool` or a neighbour of a good point; None: the end."""
        model = self._models.current(history)
        gains = model.gains(pool, model.margin)
        if gains.max() >= self._constants.least_gain:
            return _best(pool, gains)
        self._small_steps += 1
        optimistic = self.optimistic_neighbour(model, history)
        if self._small_steps % 2 == 0:
            neighbour = optimistic or self.forced_neighbour(model, history)
            if neighbour is not None:
                return neighbour
        gains = model.gains(pool, 0.0)
        if optimistic is None and self._stopping.may_end(history, gains.max()):
            if model is self._models.products:
                # The model of distances may expect more; before, there is too little to fit both.
                other = self._models.fitted(self._models.distances, history)
                gains = other.gains(pool, 0.0)
            if self._stopping.is_little(gains.max()):
                return self.forced_neighbour(model, history)
        return _best(pool, gains)

    def optimistic_neighbour(self, model: Model, history: History) -> Key | None:
        """What may be better by more than the margin if the model is too sure of itself."""
        neighbours = self._neighbours_of_good(history)
        if not len(neighbours):
            return None
        gains = model.gains(neighbours, model.margin, self._doubt)
        return _best(neighbours, gains) if gains.max() >= self._constants.least_gain else None

    def forced_neighbour(self, model: Model, history: History) -> Key | None:
        """The most promising neighbour, however little that is; None where `doubts` were tried."""
        since = self._stopping.last_gain(history)
        self._forced_at = [number for number in self._forced_at if number > since]
        if len(self._forced_at) >= self._doubts:
            return None
        neighbours = self._neighbours_of_good(history)
        if not len(neighbours):
            return None
        period = self._constants.second_opinion
        inflation = self._constants.forced_inflation
        if len(self._forced_at) % period == period - 1:
            model, inflation = self._models.unfitted(history), 1.0
        gains = model.gains(neighbours, self._constants.forced_margin, inflation)
        self._forced_at.append(len(history))
        return _best(neighbours, gains)

    def _neighbours_of_good(self, history: History) -> Rows:
        # None where the first good point is one of the last measurements.
        good = history.values <= history.within(self._constants.nearly)
        if len(history) - 1 - int(good.argmax()) < self._constants.stuck:
            return np.empty((0, len(history.keys[0])), dtype=np.int64)
        order = np.argsort(history.values, kind="stable")[: self._constants.most_good]
        chosen = [history.keys[i] for i in order if good[i]]
        return self._candidates.neighbours(chosen, set(history.keys))


def _best(rows: Rows, gains: Floats) -> Key:
    return key_of(rows[gains.argmax()])
