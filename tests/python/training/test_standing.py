"""Weights of inputs that the learner has chosen: each counts for the inputs nearest to it."""

from __future__ import annotations

import numpy as np

from fettle.data.training_set import TrainingSet
from fettle.training.standing import equal_weights, inputs_nearest, weights_of


def test_each_input_counts_for_its_nearest_measured_one() -> None:
    points = [np.array([[x]]) for x in (0.0, 0.1, 0.2, 0.9, 1.0, 0.55)]
    assert inputs_nearest(points, [0, 4]) == [3, 3]
    assert inputs_nearest(points, [4, 0]) == [3, 3]
    assert inputs_nearest(points, [2]) == [6]
    assert inputs_nearest([np.array([[0.5]]), np.array([[0.0]]), np.array([[1.0]])], [1, 2]) == [
        2,
        1,
    ], "of equally near ones the first"


def test_the_calls_of_an_input_share_its_weight() -> None:
    data = TrainingSet(
        "f", ("n",), ("a",), ("x", "x #1", "y"), np.ones((3, 1)), np.ones((3, 1)), np.zeros(1)
    )
    weights = weights_of(data, {"x": 2.0, "y": 6.0})
    assert weights is not None
    assert weights.tolist() == [0.125, 0.125, 0.75]
    assert weights_of(data, None) is None
    assert weights_of(data, {}) is None, "none of them counts"


def test_equal_weights_sum_to_one() -> None:
    assert equal_weights(4).tolist() == [0.25] * 4
    assert equal_weights(0).tolist() == []
