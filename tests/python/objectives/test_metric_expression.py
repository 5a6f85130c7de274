"""Expressions of metrics: values, directions, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.objectives.metric_expression import (
    Direction,
    Values,
    parse_metric_expression,
)

VALUES: Values = {
    "seconds": np.array([[1.0, 2.0], [4.0, 0.5]]),
    "watts": np.array([[100.0, 50.0], [10.0, np.nan]]),
}
DIRECTIONS: dict[str, Direction] = {"seconds": "smaller", "watts": "smaller", "keys": "larger"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seconds", [[1, 2], [4, 0.5]]),
        ("1/seconds", [[1, 0.5], [0.25, 2]]),
        ("2 * seconds - -1", [[3, 5], [9, 2]]),
        ("seconds ** 2 / 4", [[0.25, 1], [4, 0.0625]]),
        ("-seconds + 5", [[4, 3], [1, 4.5]]),
        ("seconds / best(seconds)", [[1, 2], [8, 1]]),
        ("best(watts)", [[50], [10]]),
        ("1e3 * seconds", [[1000, 2000], [4000, 500]]),
    ],
)
def test_values(text: str, expected: list[list[float]]) -> None:
    expression = parse_metric_expression(text)
    expression.check(DIRECTIONS, "it")
    found = expression.value(VALUES, DIRECTIONS)
    np.testing.assert_allclose(found, expected)


def test_the_best_of_a_metric_is_the_largest_where_larger_is_better() -> None:
    keys = {"keys": np.array([[1.0, 3.0, np.nan]])}
    assert parse_metric_expression("best(keys)").value(keys, DIRECTIONS) == [[3.0]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seconds", "smaller"),
        ("1/seconds", "larger"),
        ("keys / watts**2", "larger"),
        ("seconds * watts", "smaller"),
        ("keys * watts", "neither"),
        ("-seconds", "larger"),
        ("seconds - keys", "smaller"),
        ("seconds ** -1", "larger"),
        ("seconds ** watts", "neither"),
        ("seconds / best(seconds)", "smaller"),
        ("2 ** 3", "constant"),
        ("best(keys)", "constant"),
    ],
)
def test_which_values_are_the_better_ones(text: str, expected: str) -> None:
    assert parse_metric_expression(text).direction(DIRECTIONS) == expected


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "seconds.real",
        "seconds[0]",
        "seconds if watts else 1",
        "lambda: 1",
        "f(seconds)",
        "best(seconds + 1)",
        "best(seconds, watts)",
        "best('seconds')",
        "True",
        "'a' * 3",
        "1j",
        "seconds // 2",
        "seconds @ watts",
        "seconds < 1",
        "[seconds]",
        "seconds :=",
        "",
        "(" * 400,
        "1+" * 600,
        "seconds\x00",
    ],
)
def test_what_is_not_arithmetic_is_refused(text: str) -> None:
    with pytest.raises(FettleError, match=r"cannot|at most 1000"):
        parse_metric_expression(text)


def test_huge_numbers_do_no_harm() -> None:
    expression = parse_metric_expression("9**9**9**9 * seconds + 1" + "0" * 400)
    assert np.isinf(expression.value(VALUES, DIRECTIONS)).all()


def test_an_unknown_metric_is_named_with_the_near_names() -> None:
    with pytest.raises(FettleError, match="'wats', which is not a metric; did you mean 'watts'"):
        parse_metric_expression("seconds * wats").check(DIRECTIONS, "the objective eco,")
    with pytest.raises(FettleError, match=r"the metrics are seconds, watts, keys$"):
        parse_metric_expression("best(zzz)").check(DIRECTIONS, "it")


def test_the_best_of_what_is_neither_is_refused() -> None:
    directions: dict[str, Direction] = {**DIRECTIONS, "odd": "neither"}
    with pytest.raises(FettleError, match="whether the smaller or the larger 'odd' is best"):
        parse_metric_expression("seconds * best(odd)").check(directions, "it")
