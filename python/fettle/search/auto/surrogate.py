"""A Gaussian process over the points of a search space: what unmeasured points may give.

Matern covariance with nu = 5/2 and a length scale a feature, a signal and a noise deviation; all of
them at the maximum of the marginal likelihood times log-normal priors, which keep a dozen
measurements from being explained by one parameter alone (Rasmussen and Williams, Gaussian Processes
for Machine Learning, 2006, sections 4.2, 5.4 and algorithm 2.1).
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.linalg.lapack import dpotrf, dpotri, dpotrs
from scipy.optimize import minimize
from scipy.special import ndtr

from fettle.data.training_set import Floats
from fettle.search.auto.constants import (
    DISTANCES_LENGTH,
    JITTER,
    LENGTH_BOUNDS,
    NOISE,
    NOISE_BOUNDS,
    SIGNAL_BOUNDS,
)

_ROOT5 = 5**0.5
_BOUNDS = (LENGTH_BOUNDS, SIGNAL_BOUNDS, NOISE_BOUNDS)


class Surrogate:
    """Fitted to points and values, predicts mean and deviation anywhere.

    Hyperparameters stay from one fit() to the next, as a start for the search or, with
    `iterations` = 0, as they are. fit() costs O(n^3 + n^2 d) an iteration, predict() O(n^2) a
    point.
    """

    def __init__(self, features: int) -> None:
        self._logs = np.log(np.r_[np.full(features, DISTANCES_LENGTH), 1.0, NOISE])
        self.is_fitted = False

    def fit(self, rows: Floats, values: Floats, iterations: int = 20) -> None:
        """Condition on values at rows, (n, features); two at least."""
        # A row a feature, a column a pair of points.
        squares = np.square(rows.T[:, :, None] - rows.T[:, None, :]).reshape(rows.shape[1], -1)
        self._mean = float(values.mean())
        self._scale = float(values.std()) or 1.0
        scaled = (values - self._mean) / self._scale
        if iterations:
            length, signal, noise = (tuple(np.log(pair)) for pair in _BOUNDS)
            self._logs = minimize(
                _negative_log_posterior,
                self._logs,
                args=(squares, scaled),
                jac=True,
                method="L-BFGS-B",
                bounds=[length] * len(squares) + [signal, noise],
                options={"maxiter": iterations},
            ).x
            self.is_fitted = True
        self._weights = np.exp(-self._logs[:-2])
        self._signal, noise = np.exp(2 * self._logs[-2:])
        self._rows = rows * self._weights
        correlation, _ = _matern((self._weights**2 @ squares).reshape(len(rows), -1))
        covariance = self._signal * correlation
        covariance[np.diag_indices(len(values))] += noise + JITTER
        self._factor, _ = dpotrf(covariance, lower=1)
        self._solved = cho_solve((self._factor, True), scaled)

    def predict(self, rows: Floats) -> tuple[Floats, Floats]:
        """Mean and deviation, without noise, at each row."""
        scaled = rows * self._weights
        squares = (
            np.square(scaled).sum(axis=1)[:, None]
            + np.square(self._rows).sum(axis=1)[None, :]
            - 2 * scaled @ self._rows.T
        )
        between = self._signal * _matern(np.maximum(squares, 0))[0]
        known = solve_triangular(self._factor, between.T, lower=True, check_finite=False)
        variance = np.maximum(self._signal - np.square(known).sum(axis=0), 1e-10)
        mean: Floats = between @ self._solved * self._scale + self._mean
        deviation: Floats = np.sqrt(variance) * self._scale
        return mean, deviation


def expected_improvement(mean: Floats, deviation: Floats, best: float) -> Floats:
    """How far below `best` a measurement is expected to come (Jones, Schonlau and Welch 1998)."""
    z = (best - mean) / deviation
    gain: Floats = deviation * (z * ndtr(z) + np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi))
    return gain


def _matern(squares: Floats) -> tuple[Floats, Floats]:
    # The correlation, and minus twice its derivative by the squared distance.
    root = _ROOT5 * np.sqrt(squares)
    decay = np.exp(-root)
    return (1 + root + 5 / 3 * squares) * decay, 5 / 3 * (1 + root) * decay


def marginal_likelihood(covariance: Floats, values: Floats) -> tuple[Floats, Floats, float] | None:
    """How likely a Gaussian process makes values (Rasmussen and Williams 2006, section 5.4.1).

    Three parts: the covariance's inverse times the values; a matrix of which half the trace of its
    product with a derivative of the covariance is that of the negative log likelihood; and half the
    logarithm of the determinant. None where the covariance is not positive definite.
    """
    factor, failed = dpotrf(covariance, lower=1)
    if failed:
        return None
    solved, _ = dpotrs(factor, values, lower=1)
    half, _ = dpotri(factor, lower=1)
    inverse = half + half.T
    inverse[np.diag_indices(len(values))] = np.diag(half)
    return solved, inverse - np.outer(solved, solved), float(np.log(np.diag(factor)).sum())


def _negative_log_posterior(logs: Floats, squares: Floats, values: Floats) -> tuple[float, Floats]:
    weights = np.exp(-2 * logs[:-2])
    signal, noise = np.exp(2 * logs[-2:])
    correlation, slope = _matern((weights @ squares).reshape(len(values), -1))
    covariance = signal * correlation
    covariance[np.diag_indices(len(values))] += noise + JITTER
    likelihood = marginal_likelihood(covariance, values)
    if likelihood is None:
        return 1e10, np.zeros_like(logs)
    solved, outer, half_log_determinant = likelihood
    off_length = logs[:-2] - np.log(DISTANCES_LENGTH)
    off_noise = logs[-1] - np.log(NOISE)
    objective = 0.5 * (values @ solved + off_length @ off_length + logs[-2] ** 2 + off_noise**2)
    objective += half_log_determinant
    gradient = np.empty_like(logs)
    gradient[:-2] = 0.5 * weights * (squares @ (signal * outer * slope).ravel())
    gradient[:-2] += off_length
    gradient[-2] = (outer * signal * correlation).sum() + logs[-2]
    gradient[-1] = noise * np.trace(outer) + off_noise
    return float(objective), gradient
