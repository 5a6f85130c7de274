from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_up import bands, data_of, deployed, mean_share

from fettle.classifiers import TreeClassifier
from fettle.classifiers.forest import ForestRecipe
from fettle.classifiers.imitation import (
    MOST_COPIES,
    POINTS,
    ImitationRecipe,
    imitate,
    points_around,
    points_between,
    points_crossed,
)
from fettle.classifiers.regret_trees import Columns, Forest
from fettle.classifiers.tree import TreeRecipe
from fettle.data.training_set import TrainingSet
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


def values_of_three_kinds() -> np.ndarray:
    return np.column_stack([10.0 ** np.arange(8), np.linspace(-1, 1, 8), np.arange(8) % 2])


def test_points_lie_between_two_inputs() -> None:
    data = data_of(values_of_three_kinds(), np.ones((8, 2)))
    sizes, others, kinds = points_between(data, 0).T
    assert len(sizes) == POINTS
    # The inputs lie on a line of the first feature's logarithm, and so do points between them.
    assert np.allclose(np.log10(sizes) / 3.5 - 1, others)
    assert len(np.unique(sizes)) > POINTS / 2
    assert set(kinds) == {0.0, 1.0}


def test_crossed_points_have_each_value_from_an_input() -> None:
    values = values_of_three_kinds()
    crossed = points_crossed(data_of(values, np.ones((8, 2))), 0)
    for column, values_there in zip(crossed.T, values.T, strict=True):
        assert all(np.isclose(values_there, value).any() for value in np.unique(column))
    pairs = {(round(np.log10(size)), other) for size, other, _ in crossed}
    assert len(pairs) > 8  # combinations that no input has


def test_features_without_a_value_are_taken_from_an_input() -> None:
    values = values_of_three_kinds()
    values[3, 1] = np.nan
    data = data_of(values, np.ones((8, 2)))
    for points in (points_between(data, 0), points_crossed(data, 0)):
        known = np.isin(points[:, 1], values[:, 1])
        assert (known | np.isnan(points[:, 1])).all()


def test_a_tree_follows_the_forest_where_features_part() -> None:
    # Both features grow together in all inputs; the "forest" asks for the first one alone.
    sizes = 10.0 ** np.linspace(0, 6, 80)
    seconds = np.where(sizes[:, None] < 1000, [1.0, 2.0], [2.0, 1.0])
    data = data_of(np.column_stack([sizes, sizes * 1.5]), seconds)
    columns = Columns.of(data, "features")

    def shares(table: np.ndarray) -> np.ndarray:
        wins = table[:, 0] < np.log(1000)
        return np.where(wins[:, None], [1.0, 0.5], [0.5, 1.0])

    tree = imitate(Forest(columns, tuple, shares), data, 0, 256)
    apart = np.array([[10.0, 1e6], [1e6, 10.0], [100.0, 1e5], [1e5, 20.0]])
    assert tree.choose(apart).tolist() == [0, 1, 0, 1]


def two_variants(inputs: int, noise: float) -> TrainingSet:
    """The first variant is best below 100, the second above 10,000, twice as fast but for noise."""
    rng = np.random.default_rng(5)
    sizes = 10.0 ** (rng.uniform(0, 2, inputs) + rng.choice([0, 4], inputs))
    seconds = np.where(sizes[:, None] < 1000, [1.0, 2.0], [2.0, 1.0])
    return data_of(sizes[:, None], seconds * np.exp(noise * rng.standard_normal(seconds.shape)))


@pytest.mark.parametrize("inputs", [12, 60])
def test_a_tree_without_a_mistake_is_preferred(inputs: int) -> None:
    recipe = TreeClassifier().search(two_variants(inputs, 0.0))
    assert isinstance(recipe, TreeRecipe) and recipe.leaves == 2


@pytest.mark.parametrize("inputs", [20, 60])
def test_a_tree_that_may_be_better_by_chance_is_not(inputs: int) -> None:
    assert isinstance(TreeClassifier().search(two_variants(inputs, 0.6)), ImitationRecipe)
