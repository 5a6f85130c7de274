"""What Fettle recommends to a user who does not choose: a model of log time, asked where to go.

1. A space-filling design: of a random sample of points the ones farthest from one another (Kennard
   and Stone 1969), so that each parameter is seen at its ends and between.
2. Features. Numbers that span a factor of 4 or more count by their logarithm, others as they are,
   words one by one. Where the constraints leave only multiples of one parameter for another, their
   quotient replaces the multiple (fettle.search.quotients).
3. What counts of a value v is by what factor it misses the best so far, b: d = log(v / b), bent to
   c log(1 + d / c), so that differences among slow points weigh less than those among fast ones.
4. A Gaussian process of that: of the points' distance (fettle.search.surrogate) while there are few
   measurements, then a product over the parameters (fettle.search.anova_surrogate), which has twice
   as many hyperparameters and makes more of many measurements.
5. The point of the largest expected improvement among those near the best one and a sample of all.
   What is better by less than a margin does not count, or a plateau of points that differ by little
   would be measured to its end before another region is looked at. Once next to nothing is expected
   beyond the margin, any improvement counts.
6. Where nothing has improved for some measurements, one change of one parameter of the best point,
   to the far end of its values: the model may be sure, and wrong, about an end that it has seen in
   bad company only.
7. The end, where `settled` measurements in a row have improved next to nothing and neither of the
   two models expects more than that of any point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from fettle.errors import FettleError
from fettle.search.anova_surrogate import AnovaSurrogate, scaled
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.points import Key, Points
from fettle.search.quotients import Quotients
from fettle.search.space import Space
from fettle.search.surrogate import Surrogate, expected_improvement
from fettle.training_set import Floats

_DRAWN = 400
_POOL = 2000
# Up to here the model of distances is used, and hyperparameters are searched for at each
# measurement, then at every fifth.
_MANY = 50
# Where the bending of log factors starts, and the least log factor that counts as an improvement;
# with the model of distances and with that of products.
_BEND = (1.0, 0.5)
_MARGIN = (0.1, 0.03)
# Measurements without improvement after which a search without a budget may end.
_SETTLED = 20
# Where less than this is expected beyond the margin, any improvement counts.
_LEAST_GAIN = 0.003


class Auto(SteppedStrategy):
    """Expected improvement from a space-filling design, with probes around the best point.

    `design`: measurements before the model is asked; `patience`: measurements without improvement
    after which every `patience`-th is a probe; `settled`: measurements without improvement before
    the search may end, a quarter of the budget unless given and 10 at least, 0: it goes through the
    whole budget; `tolerance`: the expected improvement, as a share of the best value, below which
    it ends then. Costs 10 to 100 ms a measurement, growing with the square of their number. Failed
    points count as the worst that worked.
    """

    def __init__(
        self,
        space: Space,
        seed: int,
        budget: int | None = None,
        *,
        design: int = 10,
        patience: int = 5,
        settled: int | None = None,
        tolerance: float = 0.002,
    ) -> None:
        super().__init__(space, seed, budget)
        if settled is None:
            settled = _SETTLED if budget is None else max(_SETTLED // 2, budget // 4)
        for option, number, least in (
            ("design", design, 2),
            ("patience", patience, 1),
            ("settled", settled, 0),
            ("tolerance", tolerance, 0),
        ):
            if not number >= least:
                raise FettleError(f"{option} is {number}; give at least {least}")
        self.design = design
        self.patience = patience
        self.settled = settled
        self.tolerance = tolerance
        self._features = Features(self.points)

    def steps(self) -> Steps[None]:
        """The design, then one point at a time until none is left or nothing is expected."""
        for key in self._spread():
            yield from self.value(key)
        distances = Surrogate(self._features.width)
        products = AnovaSurrogate(self.points)
        while self.fresh() is not None:
            chosen = self._choose(distances, products)
            if chosen is None:
                return
            yield from self.value(chosen)

    def _spread(self) -> list[Key]:
        drawn = list(dict.fromkeys(self.points.draw(self.rng) for _ in range(_DRAWN)))
        rows = self._features.rows(drawn)
        chosen = [0]
        distance = np.square(rows - rows[0]).sum(axis=1)
        while len(chosen) < min(self.design, len(drawn)):
            chosen.append(int(distance.argmax()))
            distance = np.minimum(distance, np.square(rows - rows[chosen[-1]]).sum(axis=1))
        return [drawn[i] for i in chosen]

    def _choose(self, distances: Surrogate, products: AnovaSurrogate) -> Key | None:
        measured = list(self.values)
        values = np.array([self.values[key] for key in measured])
        works = np.isfinite(values)
        if works.sum() < 2:
            return self.fresh()
        many = len(measured) > _MANY
        waited = len(measured) - 1 - int(values.argmin())
        ends = []
        if waited and waited % self.patience == 0:
            ends = self._far_ends(measured[int(values.argmin())])
        pool = ends or self._pool(measured[int(values.argmin())])
        if not pool:
            return self.fresh()

        def ask(model: Surrogate | AnovaSurrogate, turn: int) -> tuple[Floats, Floats]:
            costs = bent_log_factors(values, works, _BEND[turn])
            rows: Callable[..., Any] = self._features.rows if model is distances else np.array
            often = not many or len(measured) % 5 == 0 or not products.is_fitted
            model.fit(rows(measured), costs, 20 if often else 0)
            return model.predict(rows(pool))

        mean, deviation = ask(products, 1) if many else ask(distances, 0)
        if ends:
            return ends[int(mean.argmin())]
        gains = expected_improvement(mean, deviation, -_MARGIN[many])
        if gains.max() < _LEAST_GAIN:
            gains = expected_improvement(mean, deviation, 0.0)
            if gains.max() < self.tolerance and self._is_settled(values):
                # The other model may know better.
                other = ask(distances, 0) if many else ask(products, 1)
                gains = expected_improvement(*other, 0.0)
                if gains.max() < self.tolerance:
                    return None
        return pool[int(gains.argmax())]

    def _is_settled(self, values: Floats) -> bool:
        # Values are in the order of measuring; the last `settled` gained less than tolerance.
        least = values.min() + self.tolerance * abs(values.min())
        since = int((values <= least).argmax())
        return 0 < self.settled <= len(values) - 1 - since

    def _far_ends(self, key: Key) -> list[Key]:
        # For each parameter the valid change that goes farthest, where it is not measured yet.
        ends = []
        for i, count in enumerate(self.points.levels):
            changed = [(*key[:i], n, *key[i + 1 :]) for n in range(count) if n != key[i]]
            changed = [other for other in changed if self.points.is_valid(other)]
            if changed:
                rows = self._features.rows([key, *changed])
                ends.append(changed[int(np.square(rows[1:] - rows[0]).sum(axis=1).argmax())])
        return [end for end in ends if end not in self.values]

    def _changed(self, key: Key) -> Key:
        # One to three parameters have other values, valid or not.
        other = list(key)
        for i in self.rng.sample(range(len(key)), min(len(key), self.rng.randint(1, 3))):
            other[i] = self.rng.randrange(self.points.levels[i])
        return tuple(other)

    def _pool(self, best: Key) -> list[Key]:
        keys = self.points.keys
        if keys is None:
            near = {self._changed(best) for _ in range(_POOL // 2)}
            far = {self.points.draw(self.rng) for _ in range(_POOL // 4)}
            return sorted(
                key for key in near | far if key not in self.values and self.points.is_valid(key)
            )
        places: list[int] = list(range(len(keys)))
        if len(keys) > _POOL:
            rng = np.random.default_rng(self.rng.getrandbits(32))
            changes = (self._features.numbers != np.array(best)).sum(axis=1)
            closest = np.argsort(changes + 0.5 * rng.random(len(keys)))[: _POOL // 2]
            some = rng.choice(len(keys), _POOL // 2, replace=False)
            places = np.union1d(closest, some).tolist()
        return [keys[i] for i in places if keys[i] not in self.values]


class Features:
    """Points as rows of numbers in which a Gaussian process measures distances."""

    _numbers: ClassVar[WeakKeyDictionary[Points, NDArray[np.int64]]] = WeakKeyDictionary()

    def __init__(self, points: Points) -> None:
        self._points = points
        self._columns = [
            _column(parameter.values, ordered)
            for parameter, ordered in zip(points.space.parameters, points.ordered, strict=True)
        ]
        # A multiple is told by its quotients and divisors; they are what it is made of.
        self._quotients = Quotients(points)
        self._is_multiple = {i for i, _ in self._quotients.pairs}
        self._quotient_columns = [scaled(values)[:, None] for values in self._quotients.values]
        kept = [c for i, c in enumerate(self._columns) if i not in self._is_multiple]
        self.width = sum(column.shape[1] for column in [*kept, *self._quotient_columns])

    @property
    def numbers(self) -> NDArray[np.int64]:
        """A row a point of a space that is written out: its key; shared by all its searches."""
        if self._points not in self._numbers:
            self._numbers[self._points] = np.array(self._points.keys)
        return self._numbers[self._points]

    def rows(self, keys: Sequence[Key]) -> Floats:
        """A row a key, each feature from 0 to 1."""
        numbers = np.array(keys)
        quotients = self._quotients.of(numbers)
        columns = [
            column[numbers[:, i]]
            for i, column in enumerate(self._columns)
            if i not in self._is_multiple
        ]
        columns += [column[quotients[:, i]] for i, column in enumerate(self._quotient_columns)]
        return np.hstack(columns)


def _column(values: Sequence[Any], ordered: bool) -> Floats:
    if not ordered:
        if len(values) == 2:
            return np.array([[0.0], [1.0]])
        return np.eye(len(values)) * math.sqrt(0.5)
    return scaled(np.array(values, dtype=float))[:, None]


def bent_log_factors(values: Floats, works: NDArray[np.bool_], bend: float) -> Floats:
    """By what factor values miss the best, as the surrogates are told; 0 for the best.

    Values that are not all positive count by their distance to the best over the median distance;
    those that do not work as the worst that does.
    """
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
