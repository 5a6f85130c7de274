"""Feature selection: what is worth its time stays, and the curve of figure 2.7."""

from __future__ import annotations

import numpy as np
from quick_classifier import QuickClassifier

from fettle.data.training_set import TrainingSet
from fettle.training.feature_selection import select_features
from fettle.training.trainer import Trainer


def data(*, seconds: tuple[float, float, float], unit: float | None = 1.0) -> TrainingSet:
    """Two variants; "exact" tells which is best, "rough" nearly, "noise" nothing."""
    rng = np.random.default_rng(3)
    exact = rng.uniform(-1.0, 1.0, 60)
    rough = exact + rng.normal(0.0, 0.2, 60)
    values = np.column_stack([exact, rng.uniform(size=60), rough])
    costs = np.where(exact[:, None] < 0, [[1e-3, 3e-3]], [[3e-3, 1e-3]])
    names = tuple(f"i{row}" for row in range(60))
    features = ("exact", "noise", "rough")
    return TrainingSet(
        "f", features, ("a", "b"), names, values, costs, np.array(seconds), "a", unit
    )


def test_features_are_added_in_order_of_their_cost() -> None:
    curve = select_features(Trainer(QuickClassifier()), data(seconds=(1e-3, 1e-6, 1e-5)))
    assert curve is not None
    assert [point.added for point in curve.points] == ["noise", "rough", "exact"]
    assert [len(point.features) for point in curve.points] == [1, 2, 3]
    assert curve.points[1].seconds == 1e-6 + 1e-5
    shares = [point.share_of_best for point in curve.points]
    assert shares[0] < 0.8 < shares[1] <= shares[2]


def test_a_feature_that_costs_more_than_it_gains_is_dropped() -> None:
    dear = select_features(Trainer(QuickClassifier()), data(seconds=(0.1, 1e-6, 1e-6)))
    cheap = select_features(Trainer(QuickClassifier()), data(seconds=(1e-6, 1e-6, 1e-6)))
    assert dear is not None
    assert cheap is not None
    assert dear.kept == ("rough",)
    assert cheap.kept == ("exact",)
    assert dear.kept_net_share_of_best > dear.points[-1].net_share_of_best


def test_time_counts_nothing_where_metrics_are_no_seconds() -> None:
    curve = select_features(Trainer(QuickClassifier()), data(seconds=(0.1, 1.0, 1.0), unit=None))
    assert curve is not None
    assert curve.kept == ("exact",)
    assert all(point.share_of_best == point.net_share_of_best for point in curve.points)


def test_too_few_inputs() -> None:
    few = data(seconds=(1e-6, 1e-6, 1e-6)).rows(range(3))
    assert select_features(Trainer(QuickClassifier()), few) is None
