"""Permutation importance: the feature that decides loses the share, the others nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fettle.classifiers import TreeClassifier
from fettle.data.training_set import TrainingSet
from fettle.training.importance import importance_of
from fettle.training.trainer import Judged, Trainer


def two_features(decisive: int) -> TrainingSet:
    """The first variant is the better one where a feature is below 0.5, by a factor of 2."""
    values = np.random.default_rng(3).uniform(0, 1, (60, 2))
    low = values[:, decisive] < 0.5
    costs = np.column_stack([np.where(low, 1.0, 2.0), np.where(low, 2.0, 1.0)])
    return TrainingSet(
        "f", ("x", "y"), ("a", "b"), tuple(map(str, range(60))), values, costs, np.zeros(2)
    )


def judged(data: TrainingSet) -> tuple[Trainer, Judged]:
    trainer = Trainer(TreeClassifier())
    learned = trainer.learn(data)
    found = trainer.cross_validate(data, like=learned)
    assert found is not None
    return trainer, found


def test_the_feature_that_decides_is_the_important_one() -> None:
    for decisive, name in enumerate(("x", "y")):
        data = two_features(decisive)
        trainer, folds = judged(data)
        found = importance_of(trainer, folds, folds.folds[0][1])
        assert found[0].feature == name
        # Half of the inputs get a value of the other side, and take twice the time there.
        assert abs(found[0].loss - 0.25) < 0.08
        assert found[0].spread < 0.1
        assert all(abs(one.loss) < 0.02 for one in found[1:])
        assert importance_of(trainer, folds, folds.folds[0][1]) == found, "the same each time"


def test_a_model_for_all_inputs_and_one_that_uses_nothing() -> None:
    data = two_features(0)
    trainer = Trainer(TreeClassifier())
    model = trainer.fit(data)
    held_out = trainer.judge(model, two_features(0))
    assert importance_of(trainer, held_out, model)[0].feature == "x"
    constant = replace(data, costs=np.column_stack([data.costs[:, 0], 3 * data.costs[:, 0]]))
    model = trainer.fit(constant)
    assert importance_of(trainer, trainer.judge(model, constant), model) == ()
