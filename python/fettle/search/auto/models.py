"""What `auto` knows of a space: two Gaussian processes of how much slower than the best points are.

The modelled cost of a value v is d = log(v / best), bent to c log(1 + d / c), so that differences
among slow points weigh less than those among fast ones. With few measurements the covariance
depends on the distance of points (surrogate.py); with many it is a product over the parameters
(anova_surrogate.py), which has twice as many hyperparameters and learns more from many
measurements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fettle.data.training_set import Floats
from fettle.search.auto.anova_surrogate import AnovaSurrogate, Rows
from fettle.search.auto.constants import Constants, ModelConstants
from fettle.search.auto.features import Features
from fettle.search.auto.surrogate import Surrogate, expected_improvement
from fettle.search.numbering import Key
from fettle.search.points import Points


@dataclass(frozen=True)
class History:
    """The measured points in the order of measuring, and their values; infinite: failed."""

    keys: list[Key]
    values: Floats

    @property
    def rows(self) -> Rows:
        """A row a measured point."""
        return np.array(self.keys)

    @property
    def best(self) -> Key:
        """The point of the smallest value."""
        return self.keys[int(self.values.argmin())]

    def within(self, fraction: float) -> float:
        """The largest value that exceeds the smallest by at most this fraction."""
        least = float(self.values.min())
        return least + fraction * abs(least)

    def __len__(self) -> int:
        return len(self.keys)


class Model:
    """A Gaussian process with its view of a point and its constants."""

    def __init__(
        self,
        surrogate: Surrogate | AnovaSurrogate,
        rows_of: Callable[[Rows], Any],
        constants: ModelConstants,
    ) -> None:
        self._surrogate = surrogate
        self._rows_of = rows_of
        self._bend = constants.bend
        self.margin = constants.margin

    @property
    def is_fitted(self) -> bool:
        """Whether its hyperparameters were fitted before."""
        return self._surrogate.is_fitted

    def fit(self, history: History, iterations: int) -> None:
        """Condition on the history; with `iterations` = 0, hyperparameters stay as they are."""
        costs = bent_log_factors(history.values, self._bend)
        self._surrogate.fit(self._rows_of(history.rows), costs, iterations)

    def gains(self, keys: Rows, margin: float, inflation: float = 1.0) -> Floats:
        """Expected improvement beyond the margin, with deviations that are inflated by a factor."""
        mean, deviation = self._surrogate.predict(self._rows_of(keys))
        return expected_improvement(mean, inflation * deviation, -margin)


class Models:
    """The model of distances and that of products, of one space's points."""

    def __init__(self, points: Points, features: Features, constants: Constants) -> None:
        self._constants = constants
        self._features = features
        self.distances = self._model_of_distances()
        self.products = Model(AnovaSurrogate(points), lambda keys: keys, constants.products)

    def current(self, history: History) -> Model:
        """The model for this number of measurements, fitted to them."""
        few = len(history) <= self._constants.distances_until
        return self.fitted(self.distances if few else self.products, history)

    def fitted(self, model: Model, history: History) -> Model:
        """The model conditioned on the history; hyperparameters are not fitted each time."""
        few = len(history) <= self._constants.fitted_each_until
        due = few or len(history) % self._constants.fitted_every == 0 or not model.is_fitted
        model.fit(history, self._constants.iterations if due else 0)
        return model

    def unfitted(self, history: History) -> Model:
        """A model of distances whose length scales are those of the prior.

        Length scales that are fitted to values which missed a valley between them are too long for
        the model to predict one.
        """
        model = self._model_of_distances()
        model.fit(history, iterations=0)
        return model

    def _model_of_distances(self) -> Model:
        surrogate = Surrogate(self._features.width)
        return Model(surrogate, self._features.rows, self._constants.distances)


def bent_log_factors(values: Floats, bend: float) -> Floats:
    """The modelled cost: by what factor values miss the best, as a bent logarithm; 0 for the best.

    Values that are not all positive count by their distance to the best over the median distance;
    points that failed count as the worst one that worked.
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
