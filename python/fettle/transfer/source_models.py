"""A forest for each source machine: the variants' gains there, from an input's features.

Costs of different machines are never compared, only relative costs: their units may differ.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from fettle.core.randomised_trees import RandomisedTrees, randomised_trees
from fettle.data.training_set import Floats
from fettle.transfer.columns import tree_columns
from fettle.transfer.sources import Measured

TREES = 40
LEAST_LEAF, MOST_LEAF, LEAVES = 2, 10, 150
"""Least and most inputs in a leaf, and the number of leaves that few inputs are divided into.
Smaller leaves fit what is particular to one machine, which does not transfer to others."""
MOST_ROWS = 3000  # of a machine: more rows cost seconds and gain little
FOLDS = 2


class SourceModels:
    """One regression forest a machine of `data`."""

    def __init__(self, data: Measured, seed: int) -> None:
        self._forests = [_forest(data, index, seed + index) for index in range(len(data.machines))]

    def gains(self, values: Floats) -> Floats:
        """The expected gain of each variant on each machine, (machines, n, k)."""
        columns = tree_columns(values)
        return np.array([forest.predict(columns) for forest in self._forests])


@lru_cache(maxsize=2)  # several methods ask for those of the same data
def held_out_gains(data: Measured, seed: int) -> Floats:
    """`SourceModels.gains` of all rows, each by models trained without the row's input."""
    folds = data.folds(FOLDS, seed)
    found = np.zeros((len(data.machines), len(data), len(data.variants)))
    for fold in range(FOLDS):
        rest, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        if len(held):
            found[:, held] = SourceModels(data.rows(rest), seed).gains(data.values[held])
    return found


def _forest(data: Measured, index: int, seed: int) -> RandomisedTrees | _Undecided:
    rows = data.of_machine(index)
    if len(rows) > MOST_ROWS:
        rows = np.random.default_rng(seed).choice(rows, MOST_ROWS, replace=False)
    if not len(rows):  # in a fold: this machine measured none of the inputs
        return _Undecided(len(data.variants))
    one = data.rows(rows)
    leaf = min(max(len(rows) // LEAVES, LEAST_LEAF), MOST_LEAF)
    return randomised_trees(
        tree_columns(one.values), one.gains(), seed, count=TREES, smallest=leaf, max_features=0.6
    )


class _Undecided:
    """All variants are equal."""

    def __init__(self, variants: int) -> None:
        self._variants = variants

    def predict(self, columns: Floats) -> Floats:
        """Zeros."""
        return np.zeros((len(columns), self._variants))
