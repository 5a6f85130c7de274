"""A linear model fitted by least squares, with its coefficients' t tests.

Table 5 of the design-of-experiments paper (section IV.B) is such a table.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from fettle.core.errors import FettleError
from fettle.search.model_matrix import Floats


def stars(p: float) -> str:
    """R's marks of significance: *** below 0.001, ** 0.01, * 0.05, . 0.1."""
    for limit, mark in ((0.001, "***"), (0.01, "**"), (0.05, "*"), (0.1, ".")):
        if p < limit:
            return mark
    return ""


@dataclass(frozen=True)
class Fit:
    """Coefficients and what is left; `p` is nan where no degree of freedom is left."""

    labels: tuple[str, ...]
    coefficients: Floats
    t: Floats
    p: Floats
    fitted: Floats
    residuals: Floats
    degrees_of_freedom: int

    @property
    def residual_sum(self) -> float:
        """The sum of the squared residuals."""
        return float(self.residuals @ self.residuals)

    def predict(self, matrix: Floats) -> Floats:
        """The model's response at other rows of the same columns."""
        result: Floats = matrix @ self.coefficients
        return result

    def __str__(self) -> str:
        width = max(len(label) for label in self.labels)
        lines = [f"{'':{width}}  {'Estimate':>11} {'t value':>9} {'Pr(>|t|)':>9}  Signif."]
        for label, estimate, t, p in zip(
            self.labels, self.coefficients, self.t, self.p, strict=True
        ):
            lines.append(f"{label:{width}}  {estimate:>11.4g} {t:>9.3f} {p:>9.3f}  {stars(p)}")
        return "\n".join(line.rstrip() for line in lines)


def fit_linear(matrix: Floats, response: Floats, labels: tuple[str, ...]) -> Fit:
    """The least-squares fit; columns that depend on others share the coefficient of least norm.

    Cost: rows times columns squared. Raises a FettleError for a response that is not finite.
    """
    if not np.all(np.isfinite(response)):
        raise FettleError(
            "a response is not finite: leave out the runs that failed before the model is fitted"
        )
    scale = np.abs(matrix).max(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    scaled = matrix / scale
    inverse = np.linalg.pinv(scaled, rcond=1e-10)
    coefficients = inverse @ response
    fitted = scaled @ coefficients
    residuals = response - fitted
    freedom = len(response) - int(np.linalg.matrix_rank(scaled, tol=1e-10 * len(response)))
    nothing = np.full(len(labels), np.nan)
    t, p = nothing, nothing.copy()
    if freedom > 0:
        variance = float(residuals @ residuals) / freedom
        error = np.sqrt(variance * np.einsum("ij,ij->i", inverse, inverse))
        with np.errstate(divide="ignore", invalid="ignore"):
            t = coefficients / error
        p = 2.0 * stats.t.sf(np.abs(t), freedom)
    return Fit(labels, coefficients / scale, t, p, fitted, residuals, freedom)
