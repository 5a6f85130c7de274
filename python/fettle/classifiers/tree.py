"""TreeClassifier: a single decision tree that minimises regret, the fastest to select with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from fettle.classifiers.base import SearchingClassifier
from fettle.classifiers.imitation import ImitationRecipe
from fettle.classifiers.judging import (
    CLEARLY,
    MANY,
    PARTITIONS,
    Judged,
    folds_of,
    judge,
    rest_of,
    search_folds,
)
from fettle.classifiers.regret import (
    NEGLIGIBLE,
    Indices,
    judged_shares,
    share_of,
    wanted_shares,
)
from fettle.classifiers.regret_trees import Columns, Forest, single_tree
from fettle.classifiers.scaling import FEW, InputSet, searched_sets
from fettle.classifiers.smoothing import smoothed_shares
from fettle.data.training_set import TrainingSet

LEAVES = (2, 4, 8, 16, 32, 64, 128)
LEAVES_OF_MANY = (16, 64, 256, 1024)
IMITATIONS_LEAVES = 256
FEWEST_IMITATED = 10  # inputs; of fewer a forest knows no more than a tree
MUCH = 0.15  # mean share that is enough whatever its standard error, which failures make large
SMALLEST = (1, 3, 10)


@dataclass(frozen=True)
class TreeRecipe:
    """One tree with at most `leaves` leaves of at least `smallest` inputs each."""

    inputs: InputSet
    smoothed: bool
    leaves: int
    smallest: int

    def train(self, data: TrainingSet, seed: int) -> Forest:
        """Grow the tree."""
        shares = smoothed_shares(data, seed) if self.smoothed else wanted_shares(data)
        columns = Columns.of(data, self.inputs)
        return single_tree(
            columns,
            columns.table(data.values),
            shares,
            seed,
            leaves=self.leaves,
            smallest=self.smallest,
        )

    def __str__(self) -> str:
        learned = "smoothed" if self.smoothed else "measured"
        return (
            f"at most {self.leaves} leaves of {self.smallest} or more inputs, on {self.inputs}, "
            f"{learned} shares"
        )


class TreeClassifier(SearchingClassifier):
    """One tree, which imitates a forest unless one grown on the inputs is clearly better.

    Cross-validation tells; of trees grown on the inputs the smallest among equals is taken, and it
    is preferred where it makes no mistake. Training takes some seconds for 1000 inputs.
    """

    def compare(self, data: TrainingSet) -> tuple[Judged, ...]:
        """The best tree."""
        return (judge("tree", self.search(data), data, self.calls, self.seed),)

    def search(self, data: TrainingSet) -> TreeRecipe | ImitationRecipe:
        """An imitation, or where it is clearly better the smallest tree of about the best share."""
        if len(data) > MANY:
            return self._search_in_many(data)
        folds = search_folds(data, self.seed)
        candidates = list(_recipes(data))
        if not folds:
            return TreeRecipe("features", False, max(2, len(data)), 1)
        totals = np.zeros((len(folds), len(candidates)))
        shares = judged_shares(data)
        for index, fold in enumerate(folds):
            rest = data.rows(rest_of(data, fold))
            targets = {False: wanted_shares(rest), True: smoothed_shares(rest, self.seed)}
            columns = {kind: Columns.of(rest, kind) for kind in searched_sets(data)}
            tables = {kind: columns[kind].table(rest.values) for kind in columns}
            for i, recipe in enumerate(candidates):
                tree = single_tree(
                    columns[recipe.inputs],
                    tables[recipe.inputs],
                    targets[recipe.smoothed],
                    self.seed,
                    leaves=recipe.leaves,
                    smallest=recipe.smallest,
                )
                totals[index, i] = share_of(shares[fold], tree.choose(data.values[fold])).sum()
        means = totals.sum(axis=0) / (PARTITIONS * len(data))
        equals = [i for i in range(len(candidates)) if means[i] >= means.max() - NEGLIGIBLE]
        best = min(equals, key=lambda i: (candidates[i].leaves, -means[i]))
        if len(data) < FEWEST_IMITATED or means[best] >= 1 - NEGLIGIBLE:
            return candidates[best]
        imitation = ImitationRecipe(searched_sets(data)[-1], IMITATIONS_LEAVES)
        first = folds[: len(folds) // PARTITIONS]  # one partition is enough to compare two
        return (
            candidates[best]
            if self._is_clearly_better(candidates[best], imitation, data, first)
            else imitation
        )

    def _is_clearly_better(
        self, tree: TreeRecipe, imitation: ImitationRecipe, data: TrainingSet, folds: list[Indices]
    ) -> bool:
        """Whether the cross-validated mean share of the tree is higher by `CLEARLY` or `MUCH`.

        The tree is the better of many on inputs like those of training; on inputs unlike them,
        which cross-validation has none of, the imitation of a forest mostly is.
        """
        shares = judged_shares(data)
        recipes: tuple[TreeRecipe | ImitationRecipe, ...] = (tree, imitation)
        reached = np.zeros((2, len(data)))
        for fold in folds:
            rest = data.rows(rest_of(data, fold))
            for i, recipe in enumerate(recipes):
                chosen = recipe.train(rest, self.seed).choose(data.values[fold])
                reached[i, fold] = share_of(shares[fold], chosen)
        gained = reached[0] - reached[1]
        error = gained.std() / np.sqrt(len(data))
        return bool(gained.mean() > min(CLEARLY * error, MUCH))

    def _search_in_many(self, data: TrainingSet) -> TreeRecipe:
        """Larger trees without smoothing, judged by one fold: with many inputs that is precise."""
        [kind] = searched_sets(data)
        fold = folds_of(data, self.seed)[0]
        rest, shares = data.rows(rest_of(data, fold)), judged_shares(data)[fold]
        candidates = [TreeRecipe(kind, False, leaves, SMALLEST[1]) for leaves in LEAVES_OF_MANY]
        means = []
        for recipe in candidates:
            tree = recipe.train(rest, self.seed)
            means.append(share_of(shares, tree.choose(data.values[fold])).mean())
        return next(
            recipe
            for recipe, mean in zip(candidates, means, strict=True)
            if mean >= max(means) - NEGLIGIBLE
        )


def _recipes(data: TrainingSet) -> Iterator[TreeRecipe]:
    for inputs, smoothed, leaves, smallest in product(
        searched_sets(data), (False, True) if len(data) < FEW else (True,), LEAVES, SMALLEST
    ):
        if leaves <= 2 * len(data) // smallest:
            yield TreeRecipe(inputs, smoothed, leaves, smallest)
