"""A Gaussian process whose covariance is a product of one factor a parameter: effects of any order.

    cov(x, x') = s^2 * product over parameters of (1 - a + a * k(x, x'))

k is a Matern correlation (nu = 5/2) of the distance between two ordered values, with a length scale
a parameter, and 0 or 1 for words and for parameters of two values. Multiplied out it is the sum
over all sets of parameters of an effect of that set: a constant, main effects, interactions of two
and so on, the higher the less they weigh (functional ANOVA kernels: Durrande, Ginsbourger, Roustant
and Carraro 2013). So points that differ in many parameters are still correlated, where a
covariance of their distance is nearly 0: the effect of a single parameter is learned from all
measurements. It has two hyperparameters a parameter, found at the maximum of the marginal
likelihood times priors, and needs more measurements than fettle.search.auto.surrogate for that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve, solve_triangular
from scipy.linalg.lapack import dpotrf
from scipy.optimize import minimize

from fettle.data.training_set import Floats
from fettle.search.auto.constants import (
    JITTER,
    LENGTH_BOUNDS,
    LOGARITHMIC_SPAN,
    NOISE,
    NOISE_BOUNDS,
    PRODUCTS_LENGTH,
    SIGNAL_BOUNDS,
    WEIGHT_LOGIT_BOUNDS,
)
from fettle.search.auto.surrogate import marginal_likelihood
from fettle.search.points import Points

_ROOT5 = 5**0.5
_LOG_BOUNDS = tuple(tuple(np.log(b)) for b in (LENGTH_BOUNDS, SIGNAL_BOUNDS, NOISE_BOUNDS))

Rows = NDArray[np.int64]

_MANY = 500  # values of a parameter: tables for all pairs of them are a few megabytes


class AnovaSurrogate:
    """Fitted to keys of points and values, predicts mean and deviation of any keys.

    Hyperparameters stay from one fit() to the next, as a start for the search or, with
    `iterations` = 0, as they are. fit() costs O(n^3 + n^2 d) an iteration, predict() O(n^2 + n d) a
    point.
    """

    def __init__(self, points: Points) -> None:
        # Of each parameter the positions of its values, and the values that its table has: all, or
        # of a long one those of the measured points.
        self._positions: list[Floats | None] = []
        self._levels: list[NDArray[np.int64]] = []
        values = [parameter.values for parameter in points.space.parameters]
        self._long = [i for i, its in enumerate(values) if len(its) > _MANY]
        for parameter, is_number in zip(points.space.parameters, points.ordered, strict=True):
            is_ordered = is_number and len(parameter.values) > 2
            numbers = np.array(parameter.values, dtype=float) if is_ordered else None
            self._positions.append(None if numbers is None else scaled(numbers))
            self._levels.append(np.arange(min(len(parameter.values), _MANY)))
        self._ordered = [position is not None for position in self._positions]
        self._distances = [
            self._between(i, levels, levels) for i, levels in enumerate(self._levels)
        ]
        count = len(self._ordered)
        # Logits of weights, logarithms of lengths and of the deviations of signal and noise: the
        # medians of the priors, whose deviations are 1.
        self._medians = np.r_[
            np.zeros(count), np.full(count, np.log(PRODUCTS_LENGTH)), 0, np.log(NOISE)
        ]
        self._logs = self._medians.copy()
        self.is_fitted = False

    def fit(self, keys: Rows, values: Floats, iterations: int = 20) -> None:
        """Condition on the values of keys, (n, parameters); two at least."""
        self._mean = float(values.mean())
        self._scale = float(values.std()) or 1.0
        standard = (values - self._mean) / self._scale
        keys = self._numbered(keys)
        if iterations:
            length, signal, noise = _LOG_BOUNDS
            count = len(self._ordered)
            self._logs = minimize(
                self.negative_log_posterior,
                self._logs,
                args=(keys, standard),
                jac=True,
                method="L-BFGS-B",
                bounds=[WEIGHT_LOGIT_BOUNDS] * count + [length] * count + [signal, noise],
                options={"maxiter": iterations},
            ).x
            self.is_fitted = True
        self._keys = keys
        self._signal, noise = np.exp(2 * self._logs[-2:])
        self._factors = [factor for factor, _, _ in self._tables(self._logs, self._distances)]
        covariance = self._signal * _product(self._factors, keys, keys)
        covariance[np.diag_indices(len(values))] += noise + JITTER
        self._root, _ = dpotrf(covariance, lower=1)
        self._solved = cho_solve((self._root, True), standard)

    def predict(self, keys: Rows) -> tuple[Floats, Floats]:
        """Mean and deviation, without noise, at each key."""
        factors, keys = list(self._factors), keys.copy()
        for i in self._long:
            levels, keys[:, i] = np.unique(keys[:, i], return_inverse=True)
            distances = self._between(i, levels, self._levels[i])
            factors[i] = self._table(self._logs, i, distances)[0]
        between = self._signal * _product(factors, keys, self._keys)
        known = solve_triangular(self._root, between.T, lower=True, check_finite=False)
        variance = np.maximum(self._signal - np.square(known).sum(axis=0), 1e-10)
        mean: Floats = between @ self._solved * self._scale + self._mean
        deviation: Floats = np.sqrt(variance) * self._scale
        return mean, deviation

    def negative_log_posterior(
        self, logs: Floats, keys: Rows, values: Floats
    ) -> tuple[float, Floats]:
        """What fit() minimizes, and its gradient, for values of deviation 1."""
        signal, noise = np.exp(2 * logs[-2:])
        tables = self._tables(logs, self._distances)
        covariance = signal * _product([factor for factor, _, _ in tables], keys, keys)
        noisy = covariance.copy()
        noisy[np.diag_indices(len(values))] += noise + JITTER
        likelihood = marginal_likelihood(noisy, values)
        if likelihood is None:
            return 1e10, np.zeros_like(logs)
        solved, outer, half_log_determinant = likelihood
        weighed = outer * covariance
        off = logs - self._medians
        objective = 0.5 * (values @ solved + off @ off) + half_log_determinant
        gradient = off
        count = len(self._ordered)
        for i, (_, by_weight, by_length) in enumerate(tables):
            column = keys[:, i]
            gradient[i] += 0.5 * (weighed * by_weight[column][:, column]).sum()
            if self._ordered[i]:
                gradient[count + i] += 0.5 * (weighed * by_length[column][:, column]).sum()
        gradient[-2] += weighed.sum()
        gradient[-1] += noise * np.trace(outer)
        return float(objective), gradient

    def _numbered(self, keys: Rows) -> Rows:
        # Tables of long parameters are for the values in `keys` alone, whose numbers in the result
        # are those of the tables' rows.
        keys = keys.copy()
        for i in self._long:
            self._levels[i], keys[:, i] = np.unique(keys[:, i], return_inverse=True)
            self._distances[i] = self._between(i, self._levels[i], self._levels[i])
        return keys

    def _between(self, i: int, left: Rows, right: Rows) -> Floats:
        position = self._positions[i]
        if position is None:
            return np.not_equal.outer(left, right).astype(np.float64)
        return np.abs(np.subtract.outer(position[left], position[right]))

    def _tables(self, logs: Floats, distances: list[Floats]) -> list[tuple[Floats, Floats, Floats]]:
        return [self._table(logs, i, its) for i, its in enumerate(distances)]

    def _table(self, logs: Floats, i: int, distances: Floats) -> tuple[Floats, Floats, Floats]:
        # Of a parameter, for pairs of its values: the factor, and its logarithm's derivatives by
        # the weight's logit and the length's logarithm.
        weight = 1 / (1 + np.exp(-logs[i]))
        if self._ordered[i]:
            r = _ROOT5 * distances / np.exp(logs[len(self._ordered) + i])
            decay = np.exp(-r)
            correlation = (1 + r + r * r / 3) * decay
            slope = r * r / 3 * (1 + r) * decay
        else:
            correlation = 1 - distances
            slope = np.zeros_like(distances)
        factor = 1 - weight + weight * correlation
        by_weight = weight * (1 - weight) * (correlation - 1) / factor
        return factor, by_weight, weight * slope / factor


def scaled(numbers: Floats) -> Floats:
    """Values of a parameter from 0 to 1, by their logarithm where they span a factor of 4."""
    if numbers.min() > 0 and numbers.max() / numbers.min() >= LOGARITHMIC_SPAN:
        numbers = np.log(numbers)
    result: Floats = (numbers - numbers.min()) / (np.ptp(numbers) or 1.0)
    return result


def _product(factors: list[Floats], left: Rows, right: Rows) -> Floats:
    product: Floats = factors[0][left[:, 0]][:, right[:, 0]]
    for i, factor in enumerate(factors[1:], start=1):
        product *= factor[left[:, i]][:, right[:, i]]
    return product
