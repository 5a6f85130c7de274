"""The points of one group: some parameters vary, the others keep the values of a held point."""

from __future__ import annotations

import random
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

from fettle.core.errors import FettleError
from fettle.search.constraint import Constraint
from fettle.search.grouped.expression import Expression
from fettle.search.numbering import Key
from fettle.search.parameter import Parameter
from fettle.search.points import ENUMERATION_LIMIT, Points
from fettle.search.space import Point, Space

Constants = Mapping[str, Hashable]


class Group:
    """Which valid points differ from `held` in the `free` parameters only.

    `where` must hold, `keeping` have the value that they have at `held`; `best.NAME` in them is a
    value of `held`. The points are found by propagation: conditions cut as soon as their parameters
    have values. Nothing is calculated before it is asked for.
    """

    def __init__(
        self,
        points: Points,
        held: Point,
        free: Collection[str],
        where: Iterable[Expression] = (),
        keeping: Iterable[Expression] = (),
        constants: Constants | None = None,
    ) -> None:
        self._points = points
        self._held = held
        self._constants = dict(constants or {})
        space = points.space
        varied = [p for p in space.parameters if p.name in free]
        still = [Parameter(p.name, (held[p.name],)) for p in space.parameters if p.name not in free]
        conditions = [self._condition(expression) for expression in where]
        conditions += [self._kept(expression) for expression in keeping]
        self._is_whole = not still and not conditions
        if space.is_listed:
            conditions.append(_listed(space))
        # Those that keep their values first: what is about them cuts at once.
        self._space = Space([*still, *varied], [*space.constraints, *conditions])
        self._few = space.is_listed and self._space.product > len(space)

    def keys(self) -> list[Key]:
        """All of them, in the space's order."""
        return [self._points.key(point) for point in self._all()]

    def sample(self, count: int, rng: random.Random, seen: Collection[Key]) -> list[Key]:
        """`count` random ones that are not in `seen`; fewer where there are not so many."""
        if not self._is_whole and (self._few or self._space.product <= ENUMERATION_LIMIT):
            unseen = [key for key in self.keys() if key not in seen]
            return rng.sample(unseen, min(count, len(unseen)))
        if not self._is_whole and next(iter(self._space), None) is None:
            return []
        within = self._points if self._is_whole else Points(self._space)
        tried: set[Key] = set(seen) if self._is_whole else set()
        drawn: list[Key] = []
        while len(drawn) < count and (found := within.unseen(rng, tried)) is not None:
            tried.add(found)
            key = self._points.key(within.point(found))
            if key not in seen:
                drawn.append(key)
        return drawn

    def _all(self) -> Iterable[Point]:
        if self._few:  # the listed points are fewer than the product of what varies
            return (point for point in self._points.space if self._space_allows(point))
        return self._space

    def _space_allows(self, point: Point) -> bool:
        return all(
            point[p.name] == p.values[0] for p in self._space.parameters if len(p.values) == 1
        ) and (self._space.violation(point) is None)

    def _condition(self, expression: Expression) -> Constraint:
        names = tuple(name for name in expression.names if name not in self._constants)

        def holds(*values: Hashable) -> bool:
            at = {**self._constants, **dict(zip(names, values, strict=True))}
            return bool(expression.value(at, self._held))

        return Constraint(names, holds, f"where {expression}")

    def _kept(self, expression: Expression) -> Constraint:
        names = tuple(name for name in expression.names if name not in self._constants)
        target = expression.value({**self._constants, **self._held}, self._held)

        def holds(*values: Hashable) -> bool:
            at = {**self._constants, **dict(zip(names, values, strict=True))}
            return bool(expression.value(at, self._held) == target)

        return Constraint(names, holds, f"keeping {expression}")


def draw_start(
    points: Points,
    fixed: Mapping[str, Hashable],
    restrictions: Sequence[Expression],
    constants: Constants,
    rng: random.Random,
) -> Point:
    """A random valid point that has these values. FettleError where there is none."""
    if not fixed and not restrictions:
        return points.point(points.draw(rng))
    first = next(iter(points.space.parameters))
    held = {**{p.name: p.values[0] for p in points.space.parameters}, **fixed}
    free = [name for name in points.names if name not in fixed]
    if not free:
        free = [first.name]
    found = Group(points, held, free, restrictions, (), constants).sample(1, rng, ())
    if not found:
        values = ", ".join(f"{name} = {value!r}" for name, value in fixed.items())
        also = f" and fulfils {', '.join(map(str, restrictions))}" if restrictions else ""
        raise FettleError(f"no point of the search space has {values or 'any values'}{also}")
    return points.point(found[0])


def _listed(space: Space) -> Constraint:
    names = tuple(parameter.name for parameter in space.parameters)
    return Constraint(
        names, lambda *row: space.violation(dict(zip(names, row, strict=True))) is None, "listed"
    )
