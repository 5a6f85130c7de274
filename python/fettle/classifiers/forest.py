"""ForestClassifier: many regret trees; the most accurate model, and the slowest to select with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fettle.classifiers.base import SearchingClassifier
from fettle.classifiers.judging import MANY, Judged, judge, rest_of, search_folds, some_of
from fettle.classifiers.regret import judged_shares, share_of, wanted_shares
from fettle.classifiers.regret_trees import Columns, Forest, boosted_trees, both, extra_trees
from fettle.classifiers.scaling import InputSet, fractional_sets, searched_sets
from fettle.data.training_set import Floats, TrainingSet

RANDOM_TREES = 25
BOOSTED_TREES = 50


@dataclass(frozen=True)
class ForestRecipe:
    """Random and boosted trees; they err differently, and their sum less than either."""

    inputs: InputSet

    def train(self, data: TrainingSet, seed: int) -> Forest:
        """Grow the forest, on at most MANY inputs."""
        data = some_of(data, MANY, seed)
        columns = Columns.of(data, self.inputs)
        table, shares = columns.table(data.values), wanted_shares(data)
        return both(
            extra_trees(columns, table, shares, seed, count=RANDOM_TREES),
            boosted_trees(columns, table, shares, seed, count=BOOSTED_TREES),
        )

    def __str__(self) -> str:
        return f"of {RANDOM_TREES} random and {BOOSTED_TREES} boosted trees, on {self.inputs}"


class ForestClassifier(SearchingClassifier):
    """A forest; its inputs are found by cross-validation.

    Training takes some seconds for 1000 inputs.
    """

    def compare(self, data: TrainingSet) -> tuple[Judged, ...]:
        """The best forest."""
        return (judge("forest", self.search(data), data, self.calls, self.seed),)

    def typical(self, data: TrainingSet) -> ForestRecipe:
        """The forest on the smallest set of inputs."""
        return ForestRecipe(searched_sets(data)[0])

    def search(self, data: TrainingSet) -> ForestRecipe:
        """The forest on the largest set of inputs that no smaller one beats by more than chance."""
        has_many = len(data) > MANY
        data = some_of(data, MANY, self.seed)
        recipes = [ForestRecipe(kind) for kind in (*searched_sets(data), *fractional_sets(data))]
        folds = search_folds(data, self.seed)[: 1 if has_many else None]
        if not folds or len(recipes) == 1:
            return recipes[0]
        shares = judged_shares(data)
        reached = np.zeros((len(recipes), len(data)))
        for fold in folds:
            rest = data.rows(rest_of(data, fold))
            for i, recipe in enumerate(recipes):
                chosen = recipe.train(rest, self.seed).choose(data.values[fold])
                reached[i, fold] += share_of(shares[fold], chosen)
        reached = reached[:, np.unique(np.concatenate(folds))]
        best = reached[reached.mean(axis=1).argmax()]
        return next(
            recipe
            for recipe, own in reversed(list(zip(recipes, reached, strict=True)))
            if (best - own).mean() <= _chance(best - own)
        )


def _chance(differences: Floats) -> float:
    """The standard error of the mean of differences."""
    return float(differences.std() / np.sqrt(differences.size))
