"""The settings of the comparison at the end of tuning, and the inputs that it takes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fettle.core.errors import FettleError
from fettle.training.comparing import Comparing, spread


@pytest.mark.parametrize("most", [1, 2, 5, 7, 20])
def test_inputs_are_taken_from_all_over_the_range(most: int) -> None:
    taken = spread(range(20), most)
    assert len(taken) == len(set(taken)) == most
    assert taken[0] == 0
    if most > 1:
        assert taken[1] == 19
        gaps = [b - a for a, b in pairwise(sorted(taken))]
        assert max(gaps) - min(gaps) <= 1


def test_a_part_of_them_is_spread_too() -> None:
    first = sorted(spread(range(64), 64)[:9])
    assert max(b - a for a, b in pairwise(first)) <= 16


def test_none_and_one() -> None:
    assert spread([], 5) == []
    assert spread(["a"], 5) == ["a"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"inputs": 0}, "inputs must be at least 1, not 0"),
        ({"seconds": -1.0}, "seconds must be a number >= 0, not -1.0"),
        ({"worth": float("nan")}, "worth must be a number >= 0, not nan"),
    ],
)
def test_impossible_settings_are_refused(options: dict[str, float], told: str) -> None:
    with pytest.raises(FettleError, match=f"Comparing: {told}"):
        Comparing(**options)  # type: ignore[arg-type]
