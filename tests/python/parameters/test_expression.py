"""Constraints between parameters: the cases that the C++ reader has to agree on."""

from __future__ import annotations

from pathlib import Path

import pytest

from fettle.core.errors import FettleError
from fettle.parameters.expression import is_parameter_name, parse_expression

CASES = Path(__file__).resolve().parents[2] / "variant" / "golden" / "expressions.txt"
LINES = [line for line in CASES.read_text().splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("line", LINES)
def test_expressions_mean_what_the_shared_cases_say(line: str) -> None:
    text, rest = (part.strip() for part in line.split(";", 1))
    if rest.startswith("?"):
        with pytest.raises(FettleError) as refused:
            parse_expression(text)
        expected = f"the constraint '{text}' cannot be read: {rest[1:].strip()}"
        assert str(refused.value) == expected
        return
    given, verdict = (part.strip() for part in rest.split(";"))
    pairs = (word.split("=") for word in given.split())
    values = {name: int(value) for name, value in pairs}
    expression = parse_expression(text)
    assert set(expression.names) == set(values)
    assert expression.holds(values) == {"yes": True, "no": False}[verdict]


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


def test_numbers_are_of_64_bits() -> None:
    assert parse_expression("0" * 5000 + "1").holds({})
    for digits in ("9223372036854775808", "9" * 5000):
        with pytest.raises(FettleError, match="a number of at most 64 bits"):
            parse_expression(digits)


def test_names() -> None:
    assert is_parameter_name("block_2") and is_parameter_name("_")
    assert not any(map(is_parameter_name, ("", "2b", "a b", "a-b", "é")))
