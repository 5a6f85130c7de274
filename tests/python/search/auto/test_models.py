from __future__ import annotations

import math

import numpy as np
import pytest
from kernel_space import cost, space

from fettle.search.auto.constants import CONSTANTS
from fettle.search.auto.features import Features
from fettle.search.auto.models import History, Models, bent_log_factors
from fettle.search.points import points_of


def test_log_factors_are_bent_and_failures_are_the_worst_that_works() -> None:
    values = np.array([2.0, 2 * math.e, math.inf, 2 * math.e**3])
    bent = bent_log_factors(values, 1.0)
    assert bent == pytest.approx([0, math.log(2), math.log(4), math.log(4)])


def test_the_number_of_measurements_decides_between_the_models() -> None:
    points = points_of(space())
    models = Models(points, Features(points), CONSTANTS)
    assert points.keys is not None
    for number, expected in ((50, models.distances), (51, models.products)):
        keys = points.keys[:number]
        values = np.array([cost(points.point(key)) for key in keys])
        assert models.current(History(keys, values)) is expected
        assert expected.is_fitted


def test_a_history_knows_its_best_and_what_is_nearly_as_good() -> None:
    history = History([(0, 1), (1, 0), (2, 2)], np.array([2.0, 1.0, math.inf]))
    assert history.best == (1, 0)
    assert history.within(0.05) == pytest.approx(1.05)
    assert History([(0, 0)], np.array([-1.0])).within(0.05) == pytest.approx(-0.95)
