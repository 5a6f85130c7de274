"""Whether a model's errors grow with its response, and the power of the response that mends it.

Analysis of variance takes errors of one size (section III of the design-of-experiments paper,
which uses R's `car` for both: `ncvTest` and `powerTransform`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, stats

from fettle.core.errors import FettleError
from fettle.search.linear_fit import Fit
from fettle.search.model_matrix import Floats

_ROUND_POWERS = (1.0, 0.0, 0.5, 1 / 3, -1 / 3, -0.5, -1.0, 2.0, -2.0)


@dataclass(frozen=True)
class ScoreTest:
    """The statistic (chi-squared, one degree of freedom) and its p: small, errors are uneven."""

    statistic: float
    p: float


def score_test(fit: Fit) -> ScoreTest:
    """Breusch and Pagan's test (Cook and Weisberg's score) of the errors against the fit.

    Cost: linear in the rows. A fit without residuals or without spread gives statistic 0, p 1.
    """
    mean_square = fit.residual_sum / len(fit.residuals)
    spread = fit.fitted - fit.fitted.mean()
    if mean_square <= 0 or not np.any(np.abs(spread) > 1e-12 * np.abs(fit.fitted).max()):
        return ScoreTest(0.0, 1.0)
    scaled = fit.residuals**2 / mean_square
    explained = float(spread @ scaled) ** 2 / float(spread @ spread)
    statistic = explained / 2.0
    return ScoreTest(statistic, float(stats.chi2.sf(statistic, 1)))


@dataclass(frozen=True)
class PowerTransformation:
    """Box and Cox's transformation: (y^power - 1) / power, and log y at power 0.

    `estimate` is the most likely power, `low` to `high` its 95 % interval, and `power` the
    roundest number in the interval. Responses are first divided by `unit`, their geometric mean:
    the powers of very small times would otherwise all round to the same.
    """

    power: float
    estimate: float
    low: float
    high: float
    unit: float

    def apply(self, response: Floats) -> Floats:
        """The transformed response; it grows with the response."""
        return _box_cox(response / self.unit, self.power)


def power_transformation(matrix: Floats, response: Floats) -> PowerTransformation:
    """The power that makes a linear model of the response most likely.

    Cost: about forty projections of the rows. Raises a FettleError for responses that are not
    positive, where no power is defined.
    """
    if not np.all(np.isfinite(response)) or not np.all(response > 0):
        raise FettleError(
            "a power transformation needs positive finite responses: measure a time, or turn the "
            "transformation off"
        )
    scale = np.abs(matrix).max(axis=0)
    directions, sizes, _ = np.linalg.svd(matrix / np.where(scale > 0, scale, 1.0), False)
    basis = directions[:, : int((sizes > 1e-10 * sizes[0]).sum())]
    # The geometric mean as unit: the likelihoods of different powers can then be compared.
    unit = float(np.exp(np.log(response).mean()))
    scaled = response / unit

    def cost(power: float) -> float:
        transformed = _box_cox(scaled, power)
        left = transformed - basis @ (basis.T @ transformed)
        return 0.5 * len(scaled) * float(np.log(max(float(left @ left), 1e-300)))

    estimate = float(optimize.minimize_scalar(cost, bounds=(-3, 3), method="bounded").x)
    limit = cost(estimate) + 0.5 * float(stats.chi2.ppf(0.95, 1))

    def end(far: float) -> float:
        if cost(far) <= limit:
            return far
        return float(optimize.brentq(lambda power: cost(power) - limit, estimate, far, xtol=1e-4))

    low, high = end(-3.0), end(3.0)
    power = next((p for p in _ROUND_POWERS if low <= p <= high), estimate)
    return PowerTransformation(power, estimate, low, high, unit)


def _box_cox(response: Floats, power: float) -> Floats:
    if abs(power) < 1e-9:
        logarithm: Floats = np.log(response)
        return logarithm
    result: Floats = (response**power - 1.0) / power
    return result
