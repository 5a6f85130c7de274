"""Bounds on metrics: where they hold, and by how much they are broken."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.objectives.bounds import parse_bounds
from fettle.objectives.metric_expression import Direction

VALUES = {
    "seconds": np.array([[1.0, 1.05, 2.0, np.nan]]),
    "watts": np.array([[300.0, 200.0, 100.0, 100.0]]),
}
DIRECTIONS: dict[str, Direction] = {"seconds": "smaller", "watts": "smaller"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seconds <= 1.1 * best(seconds)", [[0, 0, 2 / 1.1 - 1, np.inf]]),
        ("watts <= 200", [[0.5, 0, 0, 0]]),
        ("200 >= watts", [[0.5, 0, 0, 0]]),
        ("watts >= 200", [[0, 0, 0.5, 0.5]]),
        ("100 <= watts <= 200", [[0.5, 0, 0, 0]]),
    ],
)
def test_excess(text: str, expected: list[list[float]]) -> None:
    found = [one.excess(VALUES, DIRECTIONS) for one in parse_bounds(text)]
    np.testing.assert_allclose(np.max(found, axis=0), expected)


def test_a_strict_bound_is_broken_by_its_limit() -> None:
    [strict], [other] = parse_bounds("watts < 200"), parse_bounds("watts <= 200")
    assert strict.excess(VALUES, DIRECTIONS)[0, 1] > 0
    assert other.excess(VALUES, DIRECTIONS)[0, 1] == 0


def test_several_bounds_are_joined_by_and_or_given_as_a_list() -> None:
    joined = parse_bounds("seconds <= 2 and watts < 250")
    assert [one.text for one in joined] == ["seconds <= 2", "watts < 250"]
    listed = parse_bounds(["seconds <= 2", "watts < 250"])
    assert [one.text for one in listed] == [one.text for one in joined]
    assert parse_bounds([]) == ()


@pytest.mark.parametrize(
    "text", ["seconds", "seconds == 1", "seconds <= 1 or watts <= 2", "not seconds", "seconds in w"]
)
def test_what_is_no_bound_is_refused(text: str) -> None:
    with pytest.raises(FettleError, match="a bound compares two expressions"):
        parse_bounds(text)


def test_a_bound_of_an_unknown_metric_is_refused() -> None:
    [bound] = parse_bounds("secnds <= 1")
    with pytest.raises(FettleError, match=r"the bound 'secnds' names 'secnds'.*'seconds'"):
        bound.check(DIRECTIONS)
