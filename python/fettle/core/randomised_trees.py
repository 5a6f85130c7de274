"""Extremely randomised regression trees: those of scikit-learn's ExtraTreesRegressor, faster.

Of a few dozen rows, as folds have them, its bookkeeping takes longer than the trees do.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fettle.core.scikit_learn import without_checks

Floats = NDArray[np.float64]
Rows = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class RandomisedTrees:
    """What they predict is the mean over the trees."""

    trees: tuple[Any, ...]
    """Each an ExtraTreeRegressor."""

    def predict(self, rows: Rows) -> Floats:
        """The wanted values of rows, (n, outputs)."""
        inputs = as_trees_see(rows)
        total: Floats = sum(tree.tree_.predict(inputs) for tree in self.trees)
        return total.reshape(len(inputs), -1) / len(self.trees)


def as_trees_see(rows: Rows) -> NDArray[np.float32]:
    """Rows in the single precision of scikit-learn's trees.

    What that cannot hold becomes the greatest or least number that it can.
    """
    limit = np.finfo(np.float32).max
    return np.ascontiguousarray(np.clip(rows, -limit, limit), dtype=np.float32)


class _SourceOfThread(threading.local):
    def __init__(self) -> None:
        self.numbers = np.random.RandomState()


_source = _SourceOfThread()


def seeded(seed: int) -> np.random.RandomState:
    """RandomState(seed), until this thread's next call, which seeds the same object anew.

    Making one takes longer than growing a small tree, which draws from it only before it grows.
    """
    _source.numbers.seed(seed)
    return _source.numbers


@without_checks()
def randomised_trees(
    table: Rows,
    wanted: Floats,
    seed: int,
    *,
    count: int,
    smallest: int,
    max_features: float = 1.0,
    resampled: bool = False,
) -> RandomisedTrees:
    """`count` trees whose leaves have `smallest` rows or more; `resampled`: each on a bootstrap.

    The same trees as ExtraTreesRegressor(count, min_samples_leaf=smallest, bootstrap=resampled).
    """
    from sklearn.tree import ExtraTreeRegressor

    inputs, rows = as_trees_see(table), len(table)
    grown = []
    for state in seeded(seed).randint(np.iinfo(np.int32).max, size=count):
        times: Floats | None = None
        if resampled:
            drawn = seeded(state).randint(0, rows, rows, dtype=np.int32)
            times = np.bincount(drawn, minlength=rows).astype(np.float64)
        tree = ExtraTreeRegressor(
            min_samples_leaf=smallest, max_features=max_features, random_state=seeded(state)
        )
        grown.append(tree.fit(inputs, wanted, sample_weight=times, check_input=False))
    return RandomisedTrees(tuple(grown))
