"""The values of a space by number: keys, and where these lie in the unit cube.

A key holds for each parameter the number of its value, so that every strategy works on small
tuples of integers whatever the values are. Numeric values are ordered by size: steps and distances
go by their ranks. Nothing here knows of constraints; the points that are valid: points.py.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.search.space import Point, Space

Key = tuple[int, ...]


def is_ordered(values: Sequence[Hashable]) -> bool:
    """Whether a parameter's values are all numbers; truth values are not."""
    return all(isinstance(value, Real) and not isinstance(value, bool) for value in values)


class Numbering:
    """The numbers of a space's values."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.names = tuple(parameter.name for parameter in space.parameters)
        self.levels = tuple(len(parameter.values) for parameter in space.parameters)
        self.ordered = tuple(is_ordered(parameter.values) for parameter in space.parameters)
        self._number = [{v: i for i, v in enumerate(p.values)} for p in space.parameters]
        # For each parameter the numbers of its values, smallest value first.
        self._by_size = [_by_size(p.values) for p in space.parameters]
        self._rank = [
            {number: rank for rank, number in enumerate(order)} for order in self._by_size
        ]

    def key(self, point: Mapping[str, Hashable]) -> Key:
        """The numbers of a point's values. FettleError for a name or value the space lacks."""
        stranger = next((name for name in point if name not in self.names), None)
        if stranger is not None:
            raise FettleError(
                f"the point {dict(point)} has a parameter {stranger!r}, which the space lacks"
            )
        key = []
        for name, number in zip(self.names, self._number, strict=True):
            if name not in point:
                raise FettleError(f"the point {dict(point)} lacks the parameter {name!r}")
            value = point[name]
            if value not in number:
                raise FettleError(f"{value!r} is not one of the values of the parameter {name!r}")
            key.append(number[value])
        return tuple(key)

    def point(self, key: Key) -> Point:
        """The point of a key."""
        return {p.name: p.values[i] for p, i in zip(self.space.parameters, key, strict=True)}

    def coordinates(self, key: Key) -> tuple[float, ...]:
        """A key in the unit cube: ordered values by rank, others by number."""
        return tuple(
            rank[number] / max(count - 1, 1)
            for rank, number, count in zip(self._rank, key, self.levels, strict=True)
        )

    def ranks(self, key: Key) -> tuple[int, ...]:
        """The ranks of a key's values among the parameter's values by size."""
        return tuple(rank[number] for rank, number in zip(self._rank, key, strict=True))

    def ranked(self, ranks: Sequence[int]) -> Key:
        """The key of these ranks; it may be invalid."""
        return tuple(order[rank] for order, rank in zip(self._by_size, ranks, strict=True))

    def at(self, coordinates: Sequence[float]) -> Key:
        """The key whose coordinates are next to these; it may be invalid."""
        return tuple(
            order[min(max(round(x * (len(order) - 1)), 0), len(order) - 1)]
            for x, order in zip(coordinates, self._by_size, strict=True)
        )

    def in_cell(self, coordinates: Sequence[float]) -> Key:
        """The key whose cell holds the coordinates, in [0, 1); all cells are of one size."""
        return tuple(
            order[int(x * len(order))] for x, order in zip(coordinates, self._by_size, strict=True)
        )

    def rows(self, codes: NDArray[np.int64]) -> NDArray[np.float64]:
        """The coordinates() of keys, which are the rows of `codes`."""
        rows = np.empty(codes.shape)
        for i, (order, count) in enumerate(zip(self._by_size, self.levels, strict=True)):
            coordinate = np.empty(count)
            coordinate[order] = np.arange(count) / max(count - 1, 1)
            rows[:, i] = coordinate[codes[:, i]]
        return rows

    def directions(self, i: int, number: int) -> list[list[int]]:
        """Of a value of parameter `i` the smaller ones and the larger ones, the next first.

        Of parameters that are not ordered each other value by itself.
        """
        if not self.ordered[i]:
            return [[other] for other in range(self.levels[i]) if other != number]
        order, rank = self._by_size[i], self._rank[i][number]
        return [order[:rank][::-1], order[rank + 1 :]]


def _by_size(values: Sequence[Any]) -> list[int]:
    if not is_ordered(values):
        return list(range(len(values)))
    strange = [value for value in values if math.isnan(value)]
    if strange:
        raise FettleError("a parameter has the value NaN, which no other value can be compared to")
    return sorted(range(len(values)), key=lambda i: values[i])
