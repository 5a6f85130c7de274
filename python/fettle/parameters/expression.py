"""Constraints between parameters, as "block * grain <= 1024": C++'s operators on whole numbers.

The tuner's reader of what include/fettle/variant/parameter_expression.hpp reads in the program;
both give the same verdict (tests/variant/golden/expressions.txt).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fettle.errors import FettleError

DEEPEST = 100
_LOWEST, _HIGHEST = -(2**63), 2**63 - 1
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER = re.compile(r"[0-9]+")

# What a part of an expression is worth at given values; _UndefinedError where it has no value.
Value: TypeAlias = Callable[[Mapping[str, int]], int]


class _UndefinedError(Exception):
    """A division by zero, or a number of more than 64 bits."""


def is_parameter_name(text: str) -> bool:
    """Whether `text` may name a parameter."""
    return _NAME.fullmatch(text) is not None


@dataclass(frozen=True)
class Expression:
    """An expression that was read; `names` in the order in which they first appear."""

    text: str
    names: tuple[str, ...]
    _value: Value

    def holds(self, values: Mapping[str, int]) -> bool:
        """Whether it holds. What divides by zero or leaves 64 bits does not."""
        try:
            return self._value(values) != 0
        except _UndefinedError:
            return False


def parse_expression(text: str) -> Expression:
    """Reads an expression. Raises FettleError, which says where and what was expected."""
    reader = _Reader(text)
    value = reader.disjunction(0)
    if reader.rest():
        reader.fail("an operator")
    return Expression(text, tuple(reader.names), value)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.names: dict[str, None] = {}

    def rest(self) -> str:
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1
        return self.text[self.at :]

    def take(self, what: str) -> bool:
        if not self.rest().startswith(what):
            return False
        self.at += len(what)
        return True

    def fail(self, expected: str) -> None:
        rest = self.text[self.at :]
        where = f"before '{rest}'" if rest else "at its end"
        raise FettleError(
            f"the constraint '{self.text}' cannot be read: there should be {expected} {where}"
        )

    def disjunction(self, depth: int) -> Value:
        if depth > DEEPEST:
            self.fail("fewer parentheses")
        left = self.conjunction(depth)
        while self.take("||"):
            left = _either(left, self.conjunction(depth))
        return left

    def conjunction(self, depth: int) -> Value:
        left = self.comparison(depth)
        while self.take("&&"):
            left = _both(left, self.comparison(depth))
        return left

    def comparison(self, depth: int) -> Value:
        left = self.sum(depth)
        compared = self.take_comparison()
        if compared is None:
            return left
        both = _combined(_COMPARISONS[compared], left, self.sum(depth))
        if self.take_comparison() is not None:
            self.fail("parentheses, or && between two comparisons,")
        return both

    def take_comparison(self) -> str | None:
        return next((text for text in _COMPARISONS if self.take(text)), None)

    def sum(self, depth: int) -> Value:
        left = self.product(depth)
        while True:
            if self.take("+"):
                left = _combined(lambda a, b: a + b, left, self.product(depth))
            elif self.take("-"):
                left = _combined(lambda a, b: a - b, left, self.product(depth))
            else:
                return left

    def product(self, depth: int) -> Value:
        left = self.unary(depth)
        while True:
            operation = next((text for text in _PRODUCTS if self.take(text)), None)
            if operation is None:
                return left
            left = _combined(_PRODUCTS[operation], left, self.unary(depth))

    def unary(self, depth: int) -> Value:
        if depth > DEEPEST:
            self.fail("fewer operators in a row")
        if self.take("-"):
            return _combined(lambda a, b: a - b, lambda _: 0, self.unary(depth + 1))
        if not self.rest().startswith("!=") and self.take("!"):
            inner = self.unary(depth + 1)
            return lambda values: int(inner(values) == 0)
        if self.take("("):
            value = self.disjunction(depth + 1)
            if not self.take(")"):
                self.fail("')'")
            return value
        rest = self.rest()
        if number := _NUMBER.match(rest):
            constant = int(number[0])
            if constant > _HIGHEST:
                self.fail("a number of at most 64 bits")
            self.at += len(number[0])
            return lambda _: constant
        if found := _NAME.match(rest):
            name = found[0]
            self.at += len(name)
            self.names[name] = None
            return lambda values: values[name]
        self.fail("a number, a parameter's name or '('")
        raise AssertionError


def _combined(operation: Callable[[int, int], int], left: Value, right: Value) -> Value:
    def value(values: Mapping[str, int]) -> int:
        result = operation(left(values), right(values))
        if not _LOWEST <= result <= _HIGHEST:
            raise _UndefinedError
        return result

    return value


def _both(left: Value, right: Value) -> Value:
    return lambda values: int(left(values) != 0 and right(values) != 0)


def _either(left: Value, right: Value) -> Value:
    return lambda values: int(left(values) != 0 or right(values) != 0)


def _divided(a: int, b: int) -> int:
    """As in C++: towards zero."""
    if b == 0:
        raise _UndefinedError
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_PRODUCTS: dict[str, Callable[[int, int], int]] = {
    "*": lambda a, b: a * b,
    "/": _divided,
    "%": lambda a, b: a - b * _divided(a, b),
}
_COMPARISONS: dict[str, Callable[[int, int], int]] = {
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
}
