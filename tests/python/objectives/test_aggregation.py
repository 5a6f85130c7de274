"""Aggregation functions, called exactly as in listing 4.1, and what they can do wrong."""

from __future__ import annotations

import math
from typing import Any

import pytest

from fettle.core.errors import FettleError
from fettle.objectives.aggregation import ranks

Runs = list[tuple[float, ...]]


def tput_over_e(ls: Any) -> Any:
    """Listing 4.1 as its text means it: the highest throughput/energy."""
    return max(ls, key=lambda x: float(x[1]) / float(x[2]))


def test_the_list_and_the_result_are_those_of_the_listing() -> None:
    seen: list[Any] = []

    def f(ls: Any) -> Any:
        seen.append(ls)
        return tput_over_e(ls)

    assert ranks(f, [(0, 10.0, 2.0), (1, 10.0, 1.0), (2, 1.0, 1.0)], "a") == [2, 1, 3]
    assert seen[0] == [(0, 10.0, 2.0), (1, 10.0, 1.0), (2, 1.0, 1.0)]
    assert isinstance(seen[0], list)
    assert isinstance(seen[0][0], tuple)


def test_variants_with_equal_metrics_share_a_place() -> None:
    assert ranks(tput_over_e, [(0, 2.0, 1.0), (1, 1.0, 1.0), (2, 2.0, 1.0)], "a") == [1, 2, 1]


def test_a_metric_that_is_not_finite_is_not_shown_to_the_function() -> None:
    found = ranks(tput_over_e, [(0, math.nan, 1.0), (1, 1.0, 1.0), (2, math.inf, 1.0)], "a")
    assert found == [math.inf, 1, math.inf]


def test_a_function_that_throws_is_named_with_the_input() -> None:
    with pytest.raises(
        FettleError, match=r"tput_over_e threw ZeroDivisionError.*called for b\.mtx"
    ):
        ranks(tput_over_e, [(0, 1.0, 0.0)], "b.mtx")


@pytest.mark.parametrize("wrong", [None, 1, (7, 1.0, 1.0), [0, 1.0, 1.0], math.nan])
def test_a_function_that_returns_none_of_the_tuples_is_named(wrong: object) -> None:
    with pytest.raises(FettleError, match="which is none of the tuples that it was called with"):
        ranks(lambda _: wrong, [(0, 1.0, 1.0)], "a")
