"""Constraints between parameters, as "block * grain <= 1024": C++'s operators on whole numbers.

The tuner's reader of what include/fettle/variant/parameters/parameter_expression.hpp reads in the
program; both give the same verdict (tests/variant/golden/expressions.txt).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fettle.core.errors import FettleError

DEEPEST = 100
_LOWEST, _HIGHEST = -(2**63), 2**63 - 1
_MOST_DIGITS = len(str(_HIGHEST))
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER = re.compile(r"[0-9]+")

# What a part of an expression is worth at given values; _UndefinedError where it has no value.
Value: TypeAlias = Callable[[Mapping[str, int]], int]
Operation: TypeAlias = Callable[[int, int], int]


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
        parts = [self.conjunction(depth)]
        while self.take("||"):
            parts.append(self.conjunction(depth))
        return _any_of(parts)

    def conjunction(self, depth: int) -> Value:
        parts = [self.comparison(depth)]
        while self.take("&&"):
            parts.append(self.comparison(depth))
        return _all_of(parts)

    def comparison(self, depth: int) -> Value:
        left = self.sum(depth)
        compared = self.take_comparison()
        if compared is None:
            return left
        both = _combined(left, [(_COMPARISONS[compared], self.sum(depth))])
        if self.take_comparison() is not None:
            self.fail("parentheses, or && between two comparisons,")
        return both

    def take_comparison(self) -> str | None:
        return next((text for text in _COMPARISONS if self.take(text)), None)

    def sum(self, depth: int) -> Value:
        return self.chain(_SUMS, self.product, depth)

    def product(self, depth: int) -> Value:
        return self.chain(_PRODUCTS, self.unary, depth)

    def chain(
        self, operations: Mapping[str, Operation], part: Callable[[int], Value], depth: int
    ) -> Value:
        first, rest = part(depth), []
        while (found := next((text for text in operations if self.take(text)), None)) is not None:
            rest.append((operations[found], part(depth)))
        return _combined(first, rest)

    def unary(self, depth: int) -> Value:
        if depth > DEEPEST:
            self.fail("fewer operators in a row")
        if self.take("-"):
            return _combined(lambda _: 0, [(_SUMS["-"], self.unary(depth + 1))])
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
            digits = number[0].lstrip("0") or "0"
            if len(digits) > _MOST_DIGITS or int(digits) > _HIGHEST:
                self.fail("a number of at most 64 bits")
            constant = int(digits)
            self.at += len(number[0])
            return lambda _: constant
        if found := _NAME.match(rest):
            name = found[0]
            self.at += len(name)
            self.names[name] = None
            return lambda values: values[name]
        self.fail("a number, a parameter's name or '('")
        raise AssertionError


def _combined(first: Value, rest: Sequence[tuple[Operation, Value]]) -> Value:
    """Operations from left to right. A loop: a chain may be longer than recursion is deep."""
    if not rest:
        return first

    def value(values: Mapping[str, int]) -> int:
        result = first(values)
        for operation, part in rest:
            result = operation(result, part(values))
            if not _LOWEST <= result <= _HIGHEST:
                raise _UndefinedError
        return result

    return value


def _all_of(parts: Sequence[Value]) -> Value:
    if len(parts) == 1:
        return parts[0]
    return lambda values: int(all(part(values) != 0 for part in parts))


def _any_of(parts: Sequence[Value]) -> Value:
    if len(parts) == 1:
        return parts[0]
    return lambda values: int(any(part(values) != 0 for part in parts))


def _divided(a: int, b: int) -> int:
    """As in C++: towards zero."""
    if b == 0:
        raise _UndefinedError
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_SUMS: dict[str, Operation] = {"+": lambda a, b: a + b, "-": lambda a, b: a - b}
_PRODUCTS: dict[str, Operation] = {
    "*": lambda a, b: a * b,
    "/": _divided,
    "%": lambda a, b: a - b * _divided(a, b),
}
_COMPARISONS: dict[str, Operation] = {
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
}
