"""Smoothed regret: what a forest makes of the measured shares, as something to learn from.

Measured shares are noisy: inputs with the same features differ in what the features do not tell. A
forest averages over similar inputs. An SVM or a single tree that learns the forest's shares in
place of the measured ones comes out smaller and better on inputs that it has not seen.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from fettle.classifiers.regret import wanted_shares
from fettle.classifiers.regret_trees import Columns
from fettle.classifiers.scaling import input_sets
from fettle.core.randomised_trees import as_trees_see, randomised_trees
from fettle.data.training_set import Floats, TrainingSet

TREES = 100
KEPT = 64  # more than the folds of a search and of the judging after it


def smoothed_shares(data: TrainingSet, seed: int) -> Floats:
    """The expected share of best of every variant on every training input, (n, k). Read-only."""
    table = Columns.of(data, input_sets(data)[-1]).table(data.values)
    return _smoothed(as_trees_see(table).tobytes(), wanted_shares(data).tobytes(), len(data), seed)


@lru_cache(maxsize=KEPT)  # classifiers that are compared smooth the same folds
def _smoothed(table: bytes, shares: bytes, rows: int, seed: int) -> Floats:
    inputs = np.frombuffer(table, np.float32).reshape(rows, -1).copy()
    wanted = np.frombuffer(shares).reshape(rows, -1).copy()
    trees = randomised_trees(inputs, wanted, seed, count=TREES, smallest=2, resampled=True)
    expected = trees.predict(inputs)
    expected.flags.writeable = False
    return expected
