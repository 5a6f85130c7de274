"""A classifier of a user's own: one split of one feature, found by trying all. Fast, for tests."""

from __future__ import annotations

import numpy as np

from fettle.data.training_set import TrainingSet
from fettle.model.model import Model, ModelInput
from fettle.model.trees import Tree, TreePredictor


class QuickClassifier:
    """Has `fit` and nothing else, which is all that the tuner asks of a classifier."""

    def fit(self, data: TrainingSet) -> Model:
        """The split with the smallest summed cost, each input's costs relative to its best."""
        regret = np.minimum(data.costs / data.costs.min(axis=1, keepdims=True), 100.0)
        best = (regret.sum(axis=0).min(), 0, np.inf)
        for column in range(len(data.features)):
            for value in np.unique(data.values[:, column])[:-1]:
                left = data.values[:, column] <= value
                cost = regret[left].sum(axis=0).min() + regret[~left].sum(axis=0).min()
                best = min(best, (cost, column, float(value)))
        _, column, value = best
        inputs: tuple[ModelInput, ...] = ()
        tree = Tree((-1,), (0.0,), (-1,), (-1,), (tuple(regret.mean(axis=0).tolist()),))
        if np.isfinite(value):
            left = data.values[:, column] <= value
            leaves = (tuple(regret[side].mean(axis=0).tolist()) for side in (left, ~left))
            ends = data.values[:, column].min(), data.values[:, column].max()
            inputs = (ModelInput("linear", data.features[column], None, *map(float, ends)),)
            tree = Tree((0, -1, -1), (value, 0.0, 0.0), (1, -1, -1), (2, -1, -1), ((), *leaves))
        return Model(
            function=data.function,
            variants=data.variants,
            features=data.features,
            inputs=inputs,
            predictor=TreePredictor((tree,)),
            default=data.default or data.variants[0],
            guard=None,
            provenance={"parameters": "one split"},
        )
