"""Smoothed regret: what a forest makes of the measured shares, as something to learn from.

Measured shares are noisy: inputs with the same features differ in what the features do not tell. A
forest averages over similar inputs. An SVM or a single tree that learns the forest's shares in
place of the measured ones comes out smaller and better on inputs that it has not seen.
"""

from __future__ import annotations

from fettle.classifiers.regret import wanted_shares
from fettle.classifiers.regret_trees import Columns
from fettle.classifiers.scaling import input_sets
from fettle.data.training_set import Floats, TrainingSet

TREES = 100


def smoothed_shares(data: TrainingSet, seed: int) -> Floats:
    """The expected share of best of every variant on every training input, (n, k)."""
    from sklearn.ensemble import ExtraTreesRegressor

    shares = wanted_shares(data)
    table = Columns.of(data, input_sets(data)[-1]).table(data.values)
    forest = ExtraTreesRegressor(TREES, min_samples_leaf=2, bootstrap=True, random_state=seed).fit(
        table, shares
    )
    expected: Floats = forest.predict(table).reshape(shares.shape)
    return expected
