"""Extremely randomised trees: the same as scikit-learn's, bit by bit."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesRegressor

from fettle.core.randomised_trees import randomised_trees, seeded


@pytest.mark.parametrize("resampled", [False, True])
@pytest.mark.parametrize(("rows", "features", "outputs"), [(2, 1, 2), (12, 3, 3), (300, 6, 5)])
def test_they_predict_what_scikit_learns_do(
    rows: int, features: int, outputs: int, resampled: bool
) -> None:
    draw = np.random.default_rng(rows)
    table, wanted = draw.random((rows, features)), draw.random((rows, outputs))
    unseen = draw.random((50, features))
    theirs = ExtraTreesRegressor(
        30, min_samples_leaf=2, max_features=0.6, bootstrap=resampled, random_state=7
    ).fit(table, wanted)
    ours = randomised_trees(
        table, wanted, 7, count=30, smallest=2, max_features=0.6, resampled=resampled
    )
    for points in (table, unseen):
        assert np.array_equal(ours.predict(points), theirs.predict(points))


def test_one_output_has_one_column() -> None:
    draw = np.random.default_rng(1)
    table, wanted = draw.random((20, 2)), draw.random((20, 1))
    theirs = ExtraTreesRegressor(10, random_state=3).fit(table, wanted[:, 0])
    ours = randomised_trees(table, wanted, 3, count=10, smallest=1)
    assert ours.predict(table).shape == (20, 1)
    assert np.array_equal(ours.predict(table)[:, 0], theirs.predict(table))


def test_what_is_drawn_is_what_a_source_of_its_own_draws() -> None:
    for seed in (0, 5, np.int64(5), 2**32 - 1):
        drawn = seeded(seed).standard_normal(3)  # an odd number: the fourth is not kept
        assert np.array_equal(drawn, np.random.RandomState(seed).standard_normal(3))
