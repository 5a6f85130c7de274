"""What Fettle recommends to a user who does not choose: a model of log time, asked where to go.

1. A space-filling design: of a random sample of points the ones farthest from one another (Kennard
   and Stone 1969), so that each parameter is seen at its ends and between.
2. A Gaussian process of the logarithm of the values (fettle.search.surrogate). Numbers that span a
   factor of 4 or more are features by their logarithm, others as they are, words one by one.
3. The point of the largest expected improvement among those near the best one and a sample of all.
4. Where that has not improved for some measurements, one change of one parameter of the best point,
   to the far end of its values: the model may be sure, and wrong, about an end that it has seen in
   bad company only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from fettle.errors import FettleError
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.points import Key, Points
from fettle.search.space import Space
from fettle.search.surrogate import Surrogate, expected_improvement
from fettle.training_set import Floats

_DRAWN = 400
_POOL = 2000
_LOGARITHMIC = 4.0
# Up to here the hyperparameters are searched for at each measurement, then at every fifth.
_OFTEN = 50


class Auto(SteppedStrategy):
    """Expected improvement from a space-filling design, with probes around the best point.

    `design`: measurements before the model is asked; `patience`: measurements without improvement
    after which every `patience`-th is a probe. Costs 10 to 100 ms a measurement, growing with the
    square of their number. Failed points count as the worst that worked.
    """

    def __init__(
        self,
        space: Space,
        seed: int,
        budget: int | None = None,
        *,
        design: int = 10,
        patience: int = 3,
    ) -> None:
        super().__init__(space, seed, budget)
        for option, number, least in (("design", design, 2), ("patience", patience, 1)):
            if number < least:
                raise FettleError(f"{option} is {number}; give at least {least}")
        self.design = design
        self.patience = patience
        self._features = Features(self.points)

    def steps(self) -> Steps[None]:
        """The design, then one point at a time until none is left."""
        for key in self._spread():
            yield from self.value(key)
        surrogate = Surrogate(self._features.width)
        while self.fresh() is not None:
            chosen = self._choose(surrogate)
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

    def _choose(self, surrogate: Surrogate) -> Key | None:
        measured = list(self.values)
        values = np.array([self.values[key] for key in measured])
        works = np.isfinite(values)
        if works.sum() < 2:
            return self.fresh()
        costs = _logarithms(values, works)
        place = int(costs.argmin())
        count = len(measured)
        often = count <= _OFTEN or count % 5 == 0
        surrogate.fit(self._features.rows(measured), costs, iterations=20 if often else 0)
        waited = count - 1 - place
        if waited and waited % self.patience == 0:
            ends = self._far_ends(measured[place])
            if ends:
                mean, _ = surrogate.predict(self._features.rows(ends))
                return ends[int(mean.argmin())]
        pool = self._pool(measured[place])
        if not pool:
            return self.fresh()
        mean, deviation = surrogate.predict(self._features.rows(pool))
        return pool[int(expected_improvement(mean, deviation, float(costs[place])).argmax())]

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
        self.width = sum(column.shape[1] for column in self._columns)

    @property
    def numbers(self) -> NDArray[np.int64]:
        """A row a point of a space that is written out: its key; shared by all its searches."""
        if self._points not in self._numbers:
            self._numbers[self._points] = np.array(self._points.keys)
        return self._numbers[self._points]

    def rows(self, keys: Sequence[Key]) -> Floats:
        """A row a key, each feature from 0 to 1."""
        numbers = np.array(keys)
        return np.hstack([column[numbers[:, i]] for i, column in enumerate(self._columns)])


def _column(values: Sequence[Any], ordered: bool) -> Floats:
    if not ordered:
        if len(values) == 2:
            return np.array([[0.0], [1.0]])
        return np.eye(len(values)) * math.sqrt(0.5)
    numbers = np.array(values, dtype=float)
    if numbers.min() > 0 and numbers.max() / numbers.min() >= _LOGARITHMIC:
        numbers = np.log(numbers)
    span = np.ptp(numbers) or 1.0
    scaled: Floats = ((numbers - numbers.min()) / span)[:, None]
    return scaled


def _logarithms(values: Floats, works: NDArray[np.bool_]) -> Floats:
    # Costs that are not all positive are taken as they are.
    good = values[works]
    costs = np.full(len(values), np.nan)
    costs[works] = np.log(good) if good.min() > 0 else good
    costs[~works] = costs[works].max()
    return costs
