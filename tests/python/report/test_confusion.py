"""The confusion table that is shown: cut down, but complete."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.data.summary import summarise
from fettle.report.confusion import confusion_table


def test_variants_that_play_no_part_are_left_out() -> None:
    summary = summarise([[1, 2, 3], [1, 2, 3]], [0, 2], ("a", "b", "c"))
    table = confusion_table(summary)
    assert table.names == ("a", "c")
    assert table.count.tolist() == [[1, 1], [0, 0]]
    assert table.lost[0, 1] == pytest.approx((1 - 1 / 3) / 2)


def test_the_rest_is_gathered_and_nothing_is_lost() -> None:
    random = np.random.default_rng(5)
    costs = random.lognormal(size=(600, 60))
    names = [f"v{k}" for k in range(60)]
    summary = summarise(costs, random.integers(0, 60, 600), names)
    table = confusion_table(summary, limit=10)
    assert len(table.names) == 10
    assert table.names[-1] == "(other)"
    assert table.count.sum() == 600
    assert table.lost.sum() == pytest.approx(1 - summary.tuned.mean)


def test_exactly_as_many_as_fit_are_all_shown() -> None:
    summary = summarise(np.ones((3, 3)) + 1 - np.eye(3), [0, 1, 2], ("a", "b", "c"))
    assert confusion_table(summary, limit=3).names == ("a", "b", "c")
    assert confusion_table(summary, limit=2).names == ("a", "(other)")
