"""Kernel canonical correlation analysis: what it finds, and the tree that is deployed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from made_up import bands, data_of, deployed, mean_share

from fettle import KccaClassifier
from fettle.classifiers.constant import Constant
from fettle.classifiers.kcca import Correlated
from fettle.model.trees import TreePredictor


def test_it_learns_on_few_inputs_and_is_deployed_as_one_tree(tmp_path: Path) -> None:
    fit = KccaClassifier().fit_and_judge(bands(80))
    assert isinstance(fit.model.predictor, TreePredictor)
    assert len(fit.model.predictor.trees) == 1
    unseen = bands(300, seed=1)
    chosen = deployed(fit.model, tmp_path, unseen.values)
    assert mean_share(unseen, chosen) > 0.9
    assert (chosen == fit.chosen.fitted.choose(unseen.values)).all()
    assert KccaClassifier().fit(bands(80)).predictor == fit.model.predictor


def test_neighbours_are_those_of_like_shares_and_not_of_like_features() -> None:
    """One feature decides; three more are noise, in which the nearest inputs are others."""
    rng = np.random.default_rng(1)

    def drawn(count: int) -> tuple[np.ndarray, np.ndarray]:
        rows = rng.uniform(-1, 1, (count, 4))
        shares = np.full((count, 2), 0.3)
        shares[np.arange(count), (rows[:, 0] > 0).astype(int)] = 1.0
        return rows, shares

    rows, shares = drawn(120)
    others, expected = drawn(300)
    found = Correlated.of(rows, shares).predict(others)
    right = float((found.argmax(axis=1) == expected.argmax(axis=1)).mean())
    between = ((others[:, None, :] - rows[None, :, :]) ** 2).sum(axis=2)
    plain = shares[between.argsort(axis=1)[:, :3]].mean(axis=1)
    assert right > float((plain.argmax(axis=1) == expected.argmax(axis=1)).mean())
    assert right > 0.9


def test_one_variant_always_where_features_tell_nothing() -> None:
    rng = np.random.default_rng(0)
    costs = np.where(rng.random((40, 2)) < 0.5, 1.0, 1.2)
    costs[:, 0] *= 0.95
    fit = KccaClassifier().fit_and_judge(data_of(rng.random((40, 1)), costs))
    assert isinstance(fit.chosen.recipe, Constant)
