from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_up import bands, data_of, deployed, mean_share

from fettle.classifiers import TreeClassifier
from fettle.classifiers.forest import ForestRecipe
from fettle.classifiers.imitation import MOST_COPIES, POINTS, ImitationRecipe, points_around
from fettle.model.trees import TreePredictor


@pytest.fixture(scope="module")
def imitation() -> object:
    return ImitationRecipe("ratios", 256).train(bands(60), 0)


def test_it_is_one_tree_that_chooses_about_as_the_forest_does(imitation: object) -> None:
    unseen = bands(300, seed=1)
    forest = ForestRecipe("ratios").train(bands(60), 0)
    chosen = imitation.choose(unseen.values)  # type: ignore[attr-defined]
    predictor = imitation.predictor  # type: ignore[attr-defined]
    assert isinstance(predictor, TreePredictor) and len(predictor.trees) == 1
    assert (chosen == forest.choose(unseen.values)).mean() > 0.9
    assert mean_share(unseen, chosen) > 0.9


def test_what_is_deployed_chooses_the_same(tmp_path: Path) -> None:
    data = bands(60)
    fit = TreeClassifier(guard=None).fit_and_judge(data)
    recipe = ImitationRecipe("ratios", 256)
    fitted = recipe.train(data, 0)
    model = replace(fit.model, inputs=fitted.inputs, predictor=fitted.predictor)
    unseen = bands(300, seed=2).values
    assert (deployed(model, tmp_path, unseen) == fitted.choose(unseen)).all()


def test_points_lie_around_the_inputs() -> None:
    values = np.column_stack([10.0 ** np.arange(8), np.linspace(-1, 1, 8), np.full(8, 3.0)])
    data = data_of(values, np.ones((8, 2)))
    points = points_around(data, 0)
    assert len(points) == 8 * (1 + min(MOST_COPIES, POINTS // 8))
    assert (points[:8] == values).all()
    assert (points[:, 0] > 0).all() and 0.4 < points[8:48, 0].min() < 1 < points[
        8:48, 0
    ].max() < 2.5
    assert points[:, 1].min() == -1 and points[:, 1].max() == 1
    assert (points[:, 2] == 3).all()
