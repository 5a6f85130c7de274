"""A model of the error of each approximate variant, beside that of its time.

The logarithm of error / bound is regressed on the inputs' features. How far single inputs are from
that is judged by leaving each out. A variant is admitted where the regression and `margin` standard
deviations stay below 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fettle.classifiers.scaling import model_inputs, scaled
from fettle.data.training_set import Floats, TrainingSet
from fettle.model.model import Admission, ErrorModel, ModelInput

FEWEST = 4  # inputs more than coefficients
RIDGE = 1e-3
SMALLEST = 1e-3  # of the bound: errors below it are taken for as much
LEAST_DEVIATION = 0.02  # of the logarithm


@dataclass(frozen=True)
class FittedErrors:
    """What was learned of the errors; `variants` have the constant, slopes and deviation of each.

    With a bound of 0 the regressions have nothing to say: variants are here that gave the exact
    bits on all inputs.
    """

    approximate: tuple[str, ...]
    bound: float
    inputs: tuple[ModelInput, ...]
    variants: dict[str, tuple[float, tuple[float, ...], float]]

    def admitting(self, margin: float) -> ErrorModel:
        """Admits variants where the bound is so many deviations away."""
        return ErrorModel(
            self.approximate,
            self.bound,
            self.inputs,
            {
                name: Admission(constant + margin * deviation, slopes)
                for name, (constant, slopes, deviation) in self.variants.items()
            },
        )


def fit_errors(data: TrainingSet, approximate: Sequence[str], bound: float) -> FittedErrors:
    """Learns where the errors of approximate variants keep a bound. `data.errors` must be known.

    A variant with too few errors known is left out, and so never admitted.
    """
    tried = [_fit(data, approximate, bound, inputs) for inputs in _input_sets(data)]
    return min(tried, key=lambda one: sum(its[2] for its in one.variants.values()))


def _input_sets(data: TrainingSet) -> list[tuple[ModelInput, ...]]:
    """As classifiers see the features, and all positive ones by their logarithms: errors are often
    powers of sizes."""
    of_device = set(data.device)  # of which the error of an input does not depend
    plain = tuple(
        one
        for one in model_inputs(data, "features")
        if one.feature not in of_device and one.divisor not in of_device
    )
    logs = []
    for one in plain:
        column = data.values[:, data.features.index(one.feature)]
        if one.transform == "linear" and column.min() > 0 and column.min() < column.max():
            low, high = float(np.log(column.min())), float(np.log(column.max()))
            one = ModelInput("log", one.feature, None, low, high)
        logs.append(one)
    return [plain] if tuple(logs) == plain else [plain, tuple(logs)]


def _fit(
    data: TrainingSet, approximate: Sequence[str], bound: float, inputs: tuple[ModelInput, ...]
) -> FittedErrors:
    assert data.errors is not None
    table = scaled(inputs, data.features, data.values)
    found: dict[str, tuple[float, tuple[float, ...], float]] = {}
    for name in approximate:
        errors = data.errors[:, data.variants.index(name)]
        rows = np.flatnonzero(np.isfinite(errors))
        if len(rows) < len(inputs) + 1 + FEWEST:
            continue
        if bound == 0:
            if not errors[rows].any():
                found[name] = (-1.0, (0.0,) * len(inputs), 0.0)
            continue
        found[name] = _regression(table[rows], np.maximum(errors[rows] / bound, SMALLEST))
    return FittedErrors(tuple(approximate), bound, inputs, found)


def _regression(table: Floats, ratios: Floats) -> tuple[float, tuple[float, ...], float]:
    """Constant, slopes and deviation of the logarithm of `ratios`."""
    wanted = np.log(ratios)
    columns = np.hstack([np.ones((len(table), 1)), table])
    penalty = RIDGE * len(table) * np.diag([0.0, *np.ones(table.shape[1])])
    solver = np.linalg.solve(columns.T @ columns + penalty, columns.T)
    coefficients = solver @ wanted
    leverage = np.minimum(np.einsum("ij,ji->i", columns, solver), 0.99)
    left_out = (wanted - columns @ coefficients) / (1.0 - leverage)
    deviation = max(float(np.sqrt((left_out**2).mean())), LEAST_DEVIATION)
    constant, *slopes = coefficients.tolist()
    return constant, tuple(slopes), deviation
