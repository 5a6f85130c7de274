"""What a model says that its variants cost, for programs that monitor their calls.

The logarithm of a variant's metric is regressed on the model's inputs. How far single inputs are
from that is judged by leaving each out, so that a flexible fit does not promise too much.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fettle.classifiers.scaling import scaled
from fettle.data.training_set import TrainingSet
from fettle.model.model import Expectation, Model

FEWEST = 4  # inputs more than coefficients
RIDGE = 1e-3
SMALLEST = 0.05  # deviation: a clock that changes by less is not worth a word


def with_expectations(model: Model, data: TrainingSet, *, larger_is_better: bool) -> Model:
    """The model with what to expect of each variant that has enough finite costs in `data`.

    `data` has the model's features. Costs of metrics where larger is better are their reciprocals.
    """
    places = [data.features.index(name) for name in model.features]
    table = scaled(model.inputs, model.features, data.values[:, places])
    found: dict[str, Expectation] = {}
    for k, variant in enumerate(data.variants):
        rows = np.flatnonzero(np.isfinite(data.costs[:, k]))
        if variant not in model.variants or len(rows) < table.shape[1] + 1 + FEWEST:
            continue
        columns = np.hstack([np.ones((len(rows), 1)), table[rows]])
        wanted = np.log(data.costs[rows, k])
        penalty = RIDGE * len(rows) * np.diag([0.0, *np.ones(table.shape[1])])
        solver = np.linalg.solve(columns.T @ columns + penalty, columns.T)
        slopes = solver @ wanted
        leverage = np.minimum(np.einsum("ij,ji->i", columns, solver), 0.99)
        left_out = (wanted - columns @ slopes) / (1.0 - leverage)
        deviation = max(float(np.sqrt((left_out**2).mean())), SMALLEST)
        sign = -1.0 if larger_is_better else 1.0
        constant, *rest = (sign * slopes).tolist()
        found[variant] = Expectation(deviation, constant, tuple(rest))
    return replace(model, expectations=found)
