"""Bounds on metrics, as "seconds <= 1.1 * best(seconds)": which variants may be chosen where.

A variant that breaks a bound on an input is not to be chosen there. How far it is from holding is
its excess, relative to the bound, so that excesses of seconds and of joules can be compared.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fettle.core.errors import FettleError
from fettle.objectives.metric_expression import (
    Direction,
    Floats,
    MetricExpression,
    Values,
    arithmetic,
    parsed,
)

_FORM = 'a bound compares two expressions: "watts <= 200", "seconds <= 1.1 * best(seconds)"'


@dataclass(frozen=True)
class Bound:
    """What must be at most what. Made by `parse_bounds`."""

    text: str
    less: MetricExpression
    more: MetricExpression
    limit_is_more: bool
    """Which side was written as the limit: excesses are relative to it."""
    strict: bool

    def check(self, directions: Mapping[str, Direction]) -> None:
        """Raises FettleError for metrics that do not exist."""
        for side in (self.less, self.more):
            side.check(directions, "the bound")

    @property
    def names(self) -> tuple[str, ...]:
        """The metrics that it needs."""
        return tuple(dict.fromkeys((*self.less.names, *self.more.names)))

    def excess(self, values: Values, directions: Mapping[str, Direction]) -> Floats:
        """By which fraction of the limit each variant breaks the bound on each input, (n, k): 0
        where it holds, infinite where a metric is missing."""
        shape = next(iter(values.values())).shape
        less, more = (
            np.broadcast_to(side.value(values, directions), shape)
            for side in (self.less, self.more)
        )
        limit = np.abs(more if self.limit_is_more else less)
        with np.errstate(all="ignore"):
            over = (less - more) / np.where(limit > 0, limit, 1.0)
        holds = less < more if self.strict else less <= more
        # One that is equal to a strict limit breaks it by the least that can be.
        broken = np.maximum(over, np.finfo(float).tiny)
        found: Floats = np.where(holds, 0.0, np.where(np.isnan(over), np.inf, broken))
        return found


def parse_bounds(given: str | Sequence[str]) -> tuple[Bound, ...]:
    """The bounds in a text, joined by `and`, or in several. Raises FettleError, which says what
    was expected."""
    found: list[Bound] = []
    for text in [given] if isinstance(given, str) else given:
        found += _bounds(parsed(text, "the bound"), text)
    return tuple(found)


def _bounds(tree: ast.expr, text: str) -> list[Bound]:
    match tree:
        case ast.BoolOp(op=ast.And(), values=parts):
            return [bound for part in parts for bound in _bounds(part, text)]
        case ast.Compare(left=left, ops=ops, comparators=others):
            sides = [left, *others]
            return [_bound(sides[i], op, sides[i + 1], text) for i, op in enumerate(ops)]
    raise FettleError(f"{text!r} is not a bound; {_FORM}")


def _bound(left: ast.expr, op: ast.cmpop, right: ast.expr, text: str) -> Bound:
    if not isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
        raise FettleError(f"the bound {text!r} compares by other than < <= > >=; {_FORM}")
    first, second = (
        MetricExpression(
            ast.get_source_segment(text.strip(), side) or text, arithmetic(side, text, "the bound")
        )
        for side in (left, right)
    )
    swapped = isinstance(op, ast.Gt | ast.GtE)
    less, more = (second, first) if swapped else (first, second)
    # The limit is the side without a metric of a variant; where both have one, the right one.
    constant_left = not any(isinstance(node, ast.Name) for node in _own(left))
    limit_is_right = not constant_left
    sign = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}[type(op)]
    return Bound(
        f"{first.text} {sign} {second.text}",
        less,
        more,
        limit_is_right != swapped,
        isinstance(op, ast.Lt | ast.Gt),
    )


def _own(tree: ast.expr) -> list[ast.AST]:
    """The nodes of a tree, without those in best(), which is the same for all variants."""
    if isinstance(tree, ast.Call):
        return []
    below = [child for child in ast.iter_child_nodes(tree) if isinstance(child, ast.expr)]
    return [tree, *(node for child in below for node in _own(child))]
