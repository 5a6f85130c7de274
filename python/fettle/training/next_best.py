"""What a choice costs where the next best variant runs after one that returned an infinite metric.

The deployed program does so within one call (on_infinite_metric = next_best), so the times of all
of these runs are added up.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fettle.classifiers.regret import Indices
from fettle.core.native import native
from fettle.data.training_set import Floats, TrainingSet
from fettle.model.model import Model
from fettle.model.model_directory import write_model
from fettle.training.scratch import scratch_folder


def costs_of_calls(model: Model, data: TrainingSet, chosen: Indices) -> Floats:
    """The cost of the call that begins with the chosen variant, one an input.

    The variants follow each other as the model ranks them; those that a constraint excludes are
    passed over.
    """
    costs: Floats = data.costs[np.arange(len(chosen)), chosen]
    if data.lost_seconds is None:
        return costs
    indices = np.flatnonzero(data.lost_seconds[np.arange(len(chosen)), chosen] > 0)
    if not len(indices):
        return costs
    with scratch_folder() as folder:
        write_model(folder, model)
        predictor = native().Model(str(folder))
        for i in indices:
            scores = np.array(predictor.select(data.values[i]).scores)
            order = [chosen[i], *np.argsort(-scores, kind="stable")]
            costs[i] = _cost(order, data.costs[i], data.lost_seconds[i])
    return costs


def _cost(order: Iterable[int], costs: Floats, lost: Floats) -> float:
    total, ran = 0.0, set[int]()
    for k in order:
        if k not in ran and lost[k] > 0:
            total += lost[k]
        elif k not in ran and np.isfinite(costs[k]):
            return total + float(costs[k])
        ran.add(k)
    return float(np.inf)
