"""Columns: a predicate gives for all rows at once what it gives for each, or nothing."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fettle.search.columns import are_numbers, holds_for

Predicate = Callable[..., Any]
ROWS = np.random.default_rng(1).integers(-6, 40, (3, 500))
MIXED = ("a * 0.5", "b / 4", "1.5", "-2.25")


def one_by_one(predicate: Predicate, columns: list[Any]) -> list[bool]:
    return [bool(predicate(*row)) for row in zip(*(c.tolist() for c in columns), strict=True)]


def same(predicate: Predicate, columns: list[Any]) -> bool:
    """Whether columns answered; what they answer must be right."""
    found = holds_for(predicate, columns, len(columns[0]))
    if found is None:
        return False
    assert found.tolist() == one_by_one(predicate, columns)
    return True


def helper(a: int, b: int) -> int:
    if a > 20:
        return b
    return a + b if b % 2 else a


@pytest.mark.parametrize(
    "predicate",
    [
        lambda a, b, c: a * b <= 64,
        lambda a, b, c: a <= b <= c,
        lambda a, b, c: b != 0 and a % b == 0,
        lambda a, b, c: b == 0 or a // b > 1,
        lambda a, b, c: not a > 3,
        lambda a, b, c: a in (1, 2, 3) or b in range(10, 20),
        lambda a, b, c: min(a, b) > 2 and max(a, b, c) < 30,
        lambda a, b, c: (a > 1) + (b > 1) + (c > 1) == 2,
        lambda a, b, c: sum((a, b, c)) > 50,
        lambda a, b, c: helper(a, b) > c,
        lambda a, b, c: sorted([a, b, c])[1] == b,
        lambda a, b, c: 100 - a > 2 * abs(b) and -c < 3,
        lambda a, b, c: (a & 3) == 1 or (b | 4) > 20 or (c ^ 1) == 9,
        lambda a, b, c: (a > 1) & (b > 1) | (c == 3),
        lambda a, b, c: a - 0.5 > b * 1.25,
        lambda a, b, c: (a / 4) % 1 == 0.25,
        lambda a, b, c: a,
        lambda a, b, c: True,
        lambda a, b, c: "text" if a > 3 else None,
        lambda a, b, c: all(x > 0 for x in (a, b)) and any(x > 20 for x in (b, c)),
    ],
)
def test_arithmetic_and_logic_are_answered(predicate: Predicate) -> None:
    assert same(predicate, list(ROWS))


@pytest.mark.parametrize(
    "predicate",
    [
        lambda a, b, c: a % (b - b + c) == 0,  # a division by zero, for some
        lambda a, b, c: a * 10**18 > b,
        lambda a, b, c: a * 10**12 * b * 10**12 > c,
        lambda a, b, c: a**2 > b,
        lambda a, b, c: math.log2(abs(a) + 1) > 3,
        lambda a, b, c: str(a) in ("1", "2"),
        lambda a, b, c: f"{a}" == "3",
        lambda a, b, c: a in {1, 2, 3},
        lambda a, b, c: {1: True}.get(a, False),
        lambda a, b, c: isinstance(a, int) and a > 3,
        lambda a, b, c: a.bit_length() > 2,
        lambda a, b, c: round(a / 3) == 2,
        lambda a, b, c: int(a / 3) == 2,
        lambda a, b, c: len(range(a)) > 3,
        lambda a, b, c: a == "x",
        lambda a, b, c: a == b**c,
        lambda a, b, c: ~(a > 1),
        lambda a, b, c: a << 2 > b,
        lambda a, b, c: np.sqrt(abs(a)) > 2,
        lambda a, b, c: [5, 6, 7][a % 3] > b,
    ],
)
def test_what_columns_cannot_do_is_left_to_numbers(predicate: Predicate) -> None:
    assert not same(predicate, list(ROWS))


def test_what_is_raised_is_not_hidden_by_the_predicate() -> None:
    def swallows(a: int, b: int) -> bool:
        try:
            return math.log2(a) > 2
        except Exception:
            return False

    def swallows_all(a: int, b: int) -> bool:
        try:
            return bool(a > b)
        except BaseException:
            return False

    assert not same(swallows, list(ROWS[:2]))
    assert not same(swallows_all, list(ROWS[:2]))


def test_too_many_ways_are_left_to_numbers() -> None:
    bits = np.random.default_rng(2).integers(0, 2, (10, 5000))
    assert not same(lambda *values: sum(1 if value else 0 for value in values) == 5, list(bits))
    assert same(lambda *values: sum(values) == 5, list(bits))


def test_random_expressions_are_answered_as_numbers_are() -> None:
    chance = random.Random(3)
    rows = list(np.abs(ROWS) + 1)
    answered = refused = 0
    for _ in range(600):
        compared = chance.choice(("<", "<=", "==", "!=", ">", ">="))
        text = f"{term(chance, 3)} {compared} {term(chance, 2)}"
        if chance.random() < 0.4:
            joined = chance.choice(("and", "or"))
            text = f"({text}) {joined} not ({term(chance, 2)} > {term(chance, 1)})"
        predicate = eval(f"lambda a, b, c: {text}")
        try:
            one_by_one(predicate, rows)
        except ZeroDivisionError:
            assert holds_for(predicate, rows, rows[0].size) is None, text
            refused += 1
            continue
        answered += same(predicate, rows)
    assert answered > 100 and refused > 100


def term(chance: random.Random, depth: int) -> str:
    if depth == 0 or chance.random() < 0.2:
        return chance.choice(("a", "b", "c", str(chance.randint(-9, 9)), *MIXED))
    left, right = term(chance, depth - 1), term(chance, depth - 1)
    return f"({left} {chance.choice(('+', '-', '*', '//', '%', '/', '*', '+'))} {right})"


def test_which_values_are_numbers() -> None:
    assert are_numbers((1, 2, 2.5))
    for values in ((True, False), (1, "x"), (math.inf, 1), (2**60, 1), (None, 1), ((1,), 2)):
        assert not are_numbers(values)
