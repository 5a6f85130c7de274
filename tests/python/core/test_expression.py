"""Constraints between parameters, read and judged by what reads them in the program."""

from __future__ import annotations

import pytest

from fettle.core.errors import FettleError
from fettle.core.expression import is_parameter_name, parse_expression
from fettle.core.native import native


def test_names_are_in_the_order_in_which_they_appear() -> None:
    expression = parse_expression("block * grain <= 1024 && grain != block")
    assert expression.names == ("block", "grain")
    assert expression.holds({"grain": 4, "block": 256})
    assert not expression.holds({"grain": 5, "block": 256})


def test_what_divides_by_zero_or_leaves_64_bits_does_not_hold() -> None:
    assert not parse_expression("1 / a == 0 || 1").holds({"a": 0})
    assert not parse_expression("a * a > 0").holds({"a": 2**62})


def test_what_cannot_be_read_is_said() -> None:
    told = r"the constraint 'a <=' cannot be read: there should be a number, .* at its end"
    with pytest.raises(FettleError, match=told):
        parse_expression("a <=")


def test_nesting_is_bounded() -> None:
    assert parse_expression("(" * 50 + "1" + ")" * 50).holds({})
    with pytest.raises(FettleError, match="fewer parentheses"):
        parse_expression("(" * 5000 + "1" + ")" * 5000)
    with pytest.raises(FettleError, match="fewer operators in a row"):
        parse_expression("!" * 5000 + "1")


def test_a_chain_may_be_long() -> None:
    assert parse_expression("+".join(["a"] * 5000) + " == 5000").holds({"a": 1})
    assert parse_expression("&&".join(["a*a*a"] * 5000)).holds({"a": 1})
    assert not parse_expression("||".join(["a"] * 5000)).holds({"a": 0})


def test_the_values_are_as_many_as_the_names() -> None:
    with pytest.raises(FettleError, match="is about 2 parameters, but got 1 values"):
        native().Expression("a < b").holds([1])


def test_names() -> None:
    assert is_parameter_name("block_2") and is_parameter_name("_")
    assert not any(map(is_parameter_name, ("", "2b", "a b", "a-b", "é")))
