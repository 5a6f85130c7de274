"""Numbers that users give."""

from __future__ import annotations

import numpy as np

from fettle.core.numbers import is_number, is_whole


def test_whole_numbers() -> None:
    assert is_whole(3, 3)
    assert is_whole(np.int64(4), 3)
    for wrong in (2, 3.0, 2.5, "3", None, True, np.float64(4)):
        assert not is_whole(wrong, 3)


def test_finite_numbers() -> None:
    for right in (0, -1.5, np.float32(2), np.int64(7)):
        assert is_number(right)
    for wrong in (float("nan"), float("inf"), "1", None, False, [1.0]):
        assert not is_number(wrong)
