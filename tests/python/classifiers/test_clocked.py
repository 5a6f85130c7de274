"""Models of a variant and a clock for it."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.classifiers.clocked import ClockedTreesClassifier, FrequencyModels
from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingSet
from fettle.model.model import Model
from fettle.model.trees import TreePredictor
from fettle.objectives.clocked import clocked_name

CLOCKS = (0, 600, 700, 800)


def made_up(count: int = 40) -> TrainingSet:
    """a is best below 20, at a low clock; b from there on, at a high one."""
    n = np.arange(1.0, count + 1)
    names, costs = [], []
    for variant, slow, wanted in (("a", n / 20, 600), ("b", 20 / n, 800)):
        for mhz in CLOCKS:
            names.append(clocked_name(variant, mhz))
            costs.append((1 + slow) * (1 + abs((mhz or 750) - wanted) / 1000))
    return TrainingSet(
        function="f",
        features=("n",),
        variants=tuple(names),
        inputs=tuple(map(str, n)),
        values=n[:, None],
        costs=np.stack(costs, axis=1),
        feature_seconds=np.zeros(1),
        cost_seconds=None,
    )


def choice(model: Model, n: float) -> str:
    """By the sums of the trees, as a program takes it."""
    assert isinstance(model.predictor, TreePredictor)
    total = np.zeros(len(model.variants))
    for tree in model.predictor.trees:
        node = 0
        while tree.feature[node] >= 0:
            given = model.inputs[tree.feature[node]]
            value = {"linear": n, "log": float(np.log(n))}[given.transform]
            left = value <= tree.threshold[node]
            node = (tree.left if left else tree.right)[node]
        total += tree.cost[node]
    return model.variants[int(total.argmin())]


@pytest.mark.parametrize("models", ["joint", "two"])
def test_both_choose_variant_and_clock(models: FrequencyModels) -> None:
    fit = ClockedTreesClassifier(models).fit_and_judge(made_up())
    assert choice(fit.model, 4) == "a@600MHz"
    assert choice(fit.model, 38) == "b@800MHz"
    assert fit.chosen.score is not None
    assert fit.chosen.score.mean > 0.97


def test_two_models_are_one_forest_of_both() -> None:
    model = ClockedTreesClassifier("two").fit(made_up())
    assert isinstance(model.predictor, TreePredictor)
    assert len(model.predictor.trees) == 100
    tree = model.predictor.trees[0]  # of the variant: the same at every clock
    leaf = next(costs for costs in tree.cost if costs)
    assert len(leaf) == 8
    assert len(set(leaf[:4])) == 1
    assert len(set(leaf[4:])) == 1


def test_other_models_are_refused() -> None:
    with pytest.raises(FettleError, match="models is 'joint' or 'two', not 'three'"):
        ClockedTreesClassifier("three")  # type: ignore[arg-type]
