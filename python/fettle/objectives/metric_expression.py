"""Expressions of metrics, as "throughput / watts**2": arithmetic, and best(metric).

An expression is read by Python's own parser, of whose trees only arithmetic is accepted; nothing
that a user writes is ever executed. Values are arrays with a row an input and a column a variant.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.core.wording import near_names

Floats = NDArray[np.float64]
Values: TypeAlias = Mapping[str, Floats]
"""The values of each metric, (n, k)."""

Direction: TypeAlias = Literal["smaller", "larger", "neither", "constant"]
"""What is better of an expression's values; "neither": that depends on the metrics' values."""

MOST_CHARACTERS = 1000

_OPERATORS: dict[type[ast.operator], Callable[[Floats, Floats], Floats]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_ALLOWED = "an expression is arithmetic (+ - * / **) of metrics, numbers and best(metric)"


@dataclass(frozen=True)
class MetricExpression:
    """An expression that was read. Made by `parse_metric_expression`."""

    text: str
    tree: ast.expr

    @property
    def names(self) -> tuple[str, ...]:
        """The metrics that it needs, in the order in which they first appear."""
        return tuple(dict.fromkeys(_names(self.tree)))

    def value(self, values: Values, directions: Mapping[str, Direction]) -> Floats:
        """Its value for each input and variant; not a number or infinite where a division by zero
        or a missing metric says so. `directions` say what is best of a metric for best()."""
        with np.errstate(all="ignore"):
            return _value(self.tree, values, directions)

    def direction(self, directions: Mapping[str, Direction]) -> Direction:
        """What is better of its values where all metrics are positive: 1/seconds the larger."""
        return _direction(self.tree, directions)

    def check(self, directions: Mapping[str, Direction], what: str) -> None:
        """Raises FettleError for a metric that does not exist, with the names that are near, and
        for best() of a metric of which it is not known whether the smaller or the larger is best.
        """
        for name in self.names:
            if name not in directions:
                raise FettleError(
                    f"{what} {self.text!r} names {name!r}, which is not a metric; "
                    f"{near_names(name, directions, 'the metrics')}"
                )
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                metric = _argument(node)
                if directions[metric] == "neither":
                    raise FettleError(
                        f"{what} {self.text!r}: it is not known whether the smaller or the larger "
                        f"{metric!r} is best; write best() of the metrics that it is made of"
                    )


def parse_metric_expression(text: str, what: str = "the expression") -> MetricExpression:
    """Reads an expression. Raises FettleError, which says where and what was expected; `what`
    begins the message."""
    return MetricExpression(text.strip(), arithmetic(parsed(text, what), text, what))


def parsed(text: str, what: str) -> ast.expr:
    """Any expression of Python. Raises FettleError."""
    if len(text) > MOST_CHARACTERS:
        raise FettleError(f"{what} has {len(text)} characters; at most {MOST_CHARACTERS} are read")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        position = f" at character {error.offset}" if error.offset else ""
        raise FettleError(f"{what} {text!r} cannot be read{position}; {_ALLOWED}") from None
    except (ValueError, RecursionError, MemoryError):
        raise FettleError(f"{what} {text[:60]!r} cannot be read; {_ALLOWED}") from None


def arithmetic(tree: ast.expr, text: str, what: str) -> ast.expr:
    """The tree, which is arithmetic. Raises FettleError, naming the part that is not."""
    match tree:
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            arithmetic(left, text, what)
            arithmetic(right, text, what)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            arithmetic(operand, text, what)
        case ast.Constant(value=value) if type(value) in (int, float):
            pass
        case ast.Name():
            pass
        case ast.Call(func=ast.Name(id="best"), args=[ast.Name()], keywords=[]):
            pass
        case _:
            part = ast.get_source_segment(text.strip(), tree) or text
            raise FettleError(f"{what} {text!r} cannot have {part!r}; {_ALLOWED}")
    return tree


def best_of(values: Floats, direction: Direction) -> Floats:
    """The best value of each input, (n, 1); infinitely bad where there is none."""
    larger = direction == "larger"
    worst = -np.inf if larger else np.inf
    known = np.where(np.isfinite(values), values, worst)
    found: Floats = (known.max if larger else known.min)(axis=1, keepdims=True)
    return found


def _argument(call: ast.Call) -> str:
    [metric] = call.args
    assert isinstance(metric, ast.Name)
    return metric.id


def _names(tree: ast.expr) -> Iterator[str]:
    match tree:
        case ast.Name(id=name):
            yield name
        case ast.Call():
            yield _argument(tree)
        case ast.BinOp(left=left, right=right):
            yield from _names(left)
            yield from _names(right)
        case ast.UnaryOp(operand=operand):
            yield from _names(operand)


def _value(tree: ast.expr, values: Values, directions: Mapping[str, Direction]) -> Floats:
    match tree:
        case ast.Name(id=name):
            return values[name]
        case ast.Call():
            metric = _argument(tree)
            return best_of(values[metric], directions[metric])
        case ast.BinOp(left=left, op=op, right=right):
            first, second = (_value(part, values, directions) for part in (left, right))
            return _OPERATORS[type(op)](first, second)
        case ast.UnaryOp(op=op, operand=operand):
            inner = _value(operand, values, directions)
            return -inner if isinstance(op, ast.USub) else inner
        case ast.Constant(value=int() | float() as number):
            return np.array(_as_float(number))
    raise AssertionError(ast.dump(tree))  # `arithmetic` has refused it


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:  # an integer of hundreds of digits
        return np.inf


_OPPOSITE: dict[Direction, Direction] = {
    "smaller": "larger",
    "larger": "smaller",
    "neither": "neither",
    "constant": "constant",
}


def _direction(tree: ast.expr, directions: Mapping[str, Direction]) -> Direction:
    match tree:
        case ast.Name(id=name):
            return directions[name]
        case ast.UnaryOp(op=op, operand=operand):
            inner = _direction(operand, directions)
            return _OPPOSITE[inner] if isinstance(op, ast.USub) else inner
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            base, exponent = _direction(left, directions), _number(right)
            if base == "constant" and _direction(right, directions) == "constant":
                return "constant"
            if exponent is None or exponent == 0:
                return "neither"
            return base if exponent > 0 else _OPPOSITE[base]
        case ast.BinOp(left=left, op=op, right=right):
            first, second = _direction(left, directions), _direction(right, directions)
            if isinstance(op, ast.Sub | ast.Div):
                second = _OPPOSITE[second]
            return _joint(first, second)
    return "constant"  # a number, or best(): the same for all variants of an input


def _joint(first: Direction, second: Direction) -> Direction:
    if first == "constant" or second == "constant":
        return second if first == "constant" else first
    return first if first == second else "neither"


def _number(tree: ast.expr) -> float | None:
    """The number that a tree is, with its sign; None for anything else."""
    match tree:
        case ast.Constant(value=int() | float() as number):
            return _as_float(number)
        case ast.UnaryOp(op=op, operand=ast.Constant(value=int() | float() as number)):
            return -_as_float(number) if isinstance(op, ast.USub) else _as_float(number)
    return None
