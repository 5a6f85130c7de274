"""Permutation importance: what the share of best loses where a feature's values are shuffled.

On inputs that the model was not fitted on (Breiman 2001). Features that are correlated share their
importance: the model falls back on the others.
"""

from __future__ import annotations

import numpy as np

from fettle.data.score import share_of_best
from fettle.data.tuning_result import FeatureImportance
from fettle.model.model import Model
from fettle.training.trainer import Judged, Trainer, used_features

SHUFFLES = 10


def importance_of(trainer: Trainer, judged: Judged, model: Model) -> tuple[FeatureImportance, ...]:
    """The importance of each feature that is used, the largest first; empty where none is.

    `judged` says which model chose for which inputs; `model` is the one for all of them where it
    was not cross-validated. Empty, too, for models that choose points of parameters.
    """
    data = judged.data
    if model.refinements or not len(data):
        return ()
    share = share_of_best(data.costs)
    everything = np.arange(len(data), dtype=np.intp)
    parts = judged.folds or ((everything, model),)
    used = {name for _, fitted in parts for name in used_features(fitted)}
    rng = np.random.default_rng(trainer.seed)
    lost = {name: np.zeros(SHUFFLES) for name in data.features if name in used}
    for rows, fitted in parts:
        choose = trainer.chooser(fitted)
        before = share[rows, choose(data.values[rows])].sum()
        for name, sums in lost.items():
            column = data.features.index(name)
            for shuffle in range(SHUFFLES):
                values = data.values[rows].copy()
                # From all inputs: a fold may be too small to shuffle.
                values[:, column] = rng.permutation(data.values[:, column])[: len(rows)]
                sums[shuffle] += before - share[rows, choose(values)].sum()
    seen = sum(len(rows) for rows, _ in parts)
    found = [
        FeatureImportance(name, float(sums.mean()) / seen, float(sums.std(ddof=1)) / seen)
        for name, sums in lost.items()
    ]
    return tuple(sorted(found, key=lambda one: -one.loss))
