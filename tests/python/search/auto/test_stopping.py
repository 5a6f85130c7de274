from __future__ import annotations

import numpy as np
import pytest

from fettle.search.auto.models import History
from fettle.search.auto.stopping import Stopping, default_settled


def history(*values: float) -> History:
    return History([(i,) for i in range(len(values))], np.array(values))


def test_the_last_gain_is_the_first_value_within_the_tolerance_of_the_best() -> None:
    stopping = Stopping(settled=2, tolerance=0.01, design=1)
    assert stopping.last_gain(history(3, 2, 1, 0.995, 1.5)) == 2
    assert stopping.last_gain(history(3, 2, 1, 0.9, 1.5)) == 3


def test_points_of_the_design_are_no_gain() -> None:
    assert Stopping(settled=2, tolerance=0.01, design=4).last_gain(history(1, 2, 3, 4, 5)) == 3


@pytest.mark.parametrize(("settled", "ends"), [(0, False), (2, True), (3, False)])
def test_settled_counts_measurements_since_the_last_gain(settled: int, ends: bool) -> None:
    stopping = Stopping(settled, tolerance=0.01, design=1)
    assert stopping.may_end(history(3, 1, 2, 2), 0.005) is ends
    assert not stopping.may_end(history(3, 1, 2, 2), 0.02), "more is expected"


def test_a_small_budget_settles_sooner() -> None:
    assert [default_settled(20, budget) for budget in (None, 20, 100)] == [20, 10, 25]
