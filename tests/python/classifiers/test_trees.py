from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made_up import bands, data_of, deployed, mean_share

from fettle.classifiers import ForestClassifier, TreeClassifier
from fettle.classifiers.forest import ForestRecipe
from fettle.classifiers.scaling import InputSet
from fettle.classifiers.tree import TreeRecipe
from fettle.model.model import Model
from fettle.model.trees import TreePredictor


@pytest.mark.parametrize("kind", [TreeClassifier, ForestClassifier])
def test_learns_bands_in_the_ratio_of_two_sizes(
    kind: type[TreeClassifier] | type[ForestClassifier], tmp_path: Path
) -> None:
    model = kind().fit(bands(150))
    unseen = bands(400, seed=9)
    assert isinstance(model.predictor, TreePredictor)
    assert mean_share(unseen, deployed(model, tmp_path, unseen.values)) > 0.97


def test_a_tree_cuts_branches_between_the_same_choices() -> None:
    x = np.linspace(0, 1, 40)
    lost = np.where(x < 0.5, 0.3, 0.1)  # b loses on the left, by more or less on the right
    costs = np.column_stack([np.ones(40), 1 / (1 - lost)])
    costs[x > 0.9] = (2.0, 1.0)
    recipe = TreeRecipe("features", smoothed=False, leaves=8, smallest=1)
    (tree,) = recipe.train(data_of(x[:, None], costs), 0).predictor.trees
    assert tree.feature == (0, -1, -1)
    assert tree.threshold[0] == pytest.approx(0.91, abs=0.02)


def test_a_small_tree_splits_where_mistakes_are_dear_not_where_they_are_many() -> None:
    rng = np.random.default_rng(0)
    values = rng.uniform(0, 1, (200, 2))
    costs = np.ones((200, 2))
    costs[:, 1] += np.where(values[:, 0] < 0.6, 0.02, 0.0)  # x: many labels, worth 2 %
    costs[:, 0] += np.where(values[:, 0] < 0.6, 0.0, 0.02)
    costs[values[:, 1] > 0.9] = (50.0, 1.0)  # y: a tenth of the inputs, 50 times
    recipe = TreeRecipe("features", smoothed=False, leaves=2, smallest=1)
    fitted = recipe.train(data_of(values, costs), 0)
    assert [entry.feature for entry in fitted.inputs] == ["y"]
    assert fitted.predictor.trees[0].threshold[0] == pytest.approx(0.9, abs=0.03)


def test_unused_inputs_are_not_deployed() -> None:
    rng = np.random.default_rng(0)
    values = rng.uniform(0, 1, (60, 3))
    costs = np.ones((60, 2))
    costs[np.arange(60), (values[:, 1] > 0.5).astype(int)] = 2.0
    fitted = TreeRecipe("features", smoothed=False, leaves=4, smallest=1).train(
        data_of(values, costs), 0
    )
    assert [entry.feature for entry in fitted.inputs] == ["y"]
    assert fitted.predictor.trees[0].feature == (0, -1, -1)


@pytest.mark.parametrize("inputs", ["features", "ratios", "fractions"])
def test_deployed_forests_choose_as_trained_ones(inputs: InputSet, tmp_path: Path) -> None:
    data = bands(120, noise=0.5)
    data = data_of(np.round(data.values), data.costs)
    forest = ForestRecipe(inputs).train(data, 0)
    assert ("fraction" in {one.transform for one in forest.inputs}) == (inputs == "fractions")
    model = Model("f", data.variants, data.features, forest.inputs, forest.predictor, "a", None, {})
    unseen = np.round(bands(1000, seed=4).values)
    agree = deployed(model, tmp_path, unseen) == forest.choose(unseen)
    assert agree.mean() >= 0.998  # scikit-learn compares in single precision


def test_a_forest_sees_which_inputs_are_regular(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = np.round(10 ** rng.uniform(1, 5, 400))
    regular = rng.random(400) < 0.5  # a whole number of nonzeros a row: a is best, else b
    nnz = rows * rng.integers(2, 30, 400) + np.where(regular, 0, np.ceil(rows / 3))
    costs = np.where(np.column_stack([regular, ~regular]), 1.0, 3.0)
    data = data_of(np.column_stack([rows, nnz]), costs)
    model = ForestClassifier().fit(data.rows(range(200)))
    unseen = data.rows(range(200, 400))
    assert mean_share(unseen, deployed(model, tmp_path, unseen.values)) > 0.95


def test_trees_are_in_preorder_and_their_costs_are_regrets() -> None:
    forest = ForestRecipe("ratios").train(bands(60, noise=0.3), 0)
    for tree in forest.predictor.trees:
        for node, feature in enumerate(tree.feature):
            if feature >= 0:
                assert tree.left[node] == node + 1
                assert node + 1 < tree.right[node] < len(tree.feature)
                assert tree.cost[node] == ()
            else:
                assert len(tree.cost[node]) == 3
                assert min(tree.cost[node]) >= 0


def test_the_same_seed_gives_the_same_forest() -> None:
    recipe = ForestRecipe("ratios")
    data = bands(60, noise=0.3)
    assert recipe.train(data, 1).predictor == recipe.train(data, 1).predictor
    assert recipe.train(data, 1).predictor != recipe.train(data, 2).predictor
