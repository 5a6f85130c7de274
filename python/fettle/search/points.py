"""The points of a space by number: what strategies draw, step between and measure distances in.

A key holds for each parameter the number of its value, so that every strategy works on small
tuples of integers whatever the values are. Spaces of up to ENUMERATION_LIMIT points are written
out once, on first use, and shared by all strategies that search the same space object; larger ones
are never written out, nor are those of more than WALKING_LIMIT combinations, valid or not.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.search.space import Point, Space

Key = tuple[int, ...]

ENUMERATION_LIMIT = 2_000_000
WALKING_LIMIT = 25_000_000
# Drawn from the product and refused by the constraints before points are drawn by propagation.
_REFUSALS = 1000


def is_ordered(values: Sequence[Hashable]) -> bool:
    """Whether a parameter's values are all numbers; truth values are not."""
    return all(isinstance(value, Real) and not isinstance(value, bool) for value in values)


class Points:
    """The valid points of a space. Raises FettleError where there are none."""

    def __init__(self, space: Space) -> None:
        if not space.parameters:
            raise FettleError("the search space has no parameters; give it at least one")
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
        self._is_sparse = False
        if next(iter(space), None) is None:
            raise FettleError(_nothing_left(space))

    @cached_property
    def codes(self) -> NDArray[np.int64] | None:
        """A row a point, the numbers of its values, in the space's order; not to be written to.

        None where the space is too large to write out.
        """
        codes = _written_out(self.space)
        if codes is not None:
            codes.flags.writeable = False
        return codes

    @cached_property
    def keys(self) -> list[Key] | None:
        """All keys, in the space's order; None where the space is too large to write out."""
        return None if self.codes is None else list(map(tuple, self.codes.tolist()))

    @cached_property
    def row_of(self) -> dict[Key, int] | None:
        """The index of each of `keys`."""
        return None if self.keys is None else {key: row for row, key in enumerate(self.keys)}

    @cached_property
    def unit_rows(self) -> NDArray[np.float64] | None:
        """A row a point: coordinates() of each of `keys`."""
        if self.codes is None:
            return None
        rows = np.empty(self.codes.shape)
        for i, (order, count) in enumerate(zip(self._by_size, self.levels, strict=True)):
            coordinate = np.empty(count)
            coordinate[order] = np.arange(count) / max(count - 1, 1)
            rows[:, i] = coordinate[self.codes[:, i]]
        return rows

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

    def is_valid(self, key: Key) -> bool:
        """Whether the constraints allow a key."""
        if self.row_of is not None:
            return key in self.row_of
        return self.space.violation(self.point(key)) is None

    def draw(self, rng: random.Random) -> Key:
        """A valid point: uniform, except in large spaces of which less than 1 in 1000 is valid."""
        if self.keys is not None:
            return self.keys[rng.randrange(len(self.keys))]
        for _ in range(0 if self._is_sparse else _REFUSALS):
            key = tuple([int(rng.random() * count) for count in self.levels])
            if self.is_valid(key):
                return key
        self._is_sparse = True
        return self.key(self.space.descend(rng))

    def unseen(self, rng: random.Random, seen: Collection[Key]) -> Key | None:
        """A random valid point that is not in `seen` (a set or dict); None where all are."""
        if self.keys is not None and len(seen) >= len(self.keys):
            return None
        for _ in range(50):
            key = self.draw(rng)
            if key not in seen:
                return key
        if self.keys is not None:
            left = [key for key in self.keys if key not in seen]
            return rng.choice(left) if left else None
        return next((key for key in map(self.key, self.space) if key not in seen), None)

    def neighbours(self, key: Key) -> list[Key]:
        """The valid points that differ in one parameter.

        Of an ordered parameter the next smaller and the next larger value that are valid there;
        of others every value. At most one constraint check a value of each parameter.
        """
        found = []
        for i in range(len(key)):
            for direction in self._directions(i, key[i]):
                for number in direction:
                    other = (*key[:i], number, *key[i + 1 :])
                    if self.is_valid(other):
                        found.append(other)
                        break
        return found

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

    def nearest(
        self, coordinates: Sequence[float], rng: random.Random, seen: Collection[Key] = ()
    ) -> Key | None:
        """The valid point nearest to `coordinates` that is not in `seen`; None: none is left.

        Exact where the space is written out (linear in its size, ties by chance); in larger ones
        the nearest of what steps of growing size reach.
        """
        exact = self.at(coordinates)
        if exact not in seen and self.is_valid(exact):
            return exact
        if self.keys is None or self.unit_rows is None:
            return self._near(exact, rng, seen)
        distances = np.abs(self.unit_rows - np.asarray(coordinates)).sum(axis=1)
        near = min(len(seen) + 16, len(distances))
        rows: list[int] = np.argpartition(distances, near - 1)[:near].tolist()
        free = [(float(distances[row]), rng.random(), row) for row in rows]
        for _, _, row in sorted(free):
            if self.keys[row] not in seen:
                return self.keys[row]
        return None

    def _near(self, key: Key, rng: random.Random, seen: Collection[Key]) -> Key | None:
        for changed in range(1, len(key) + 1):
            for _ in range(100):
                other = list(key)
                for i in rng.sample(range(len(key)), changed):
                    other[i] = rng.choice(
                        [n for d in self._directions(i, key[i]) for n in d[:2]] or [key[i]]
                    )
                if tuple(other) not in seen and self.is_valid(tuple(other)):
                    return tuple(other)
        return self.unseen(rng, seen)

    def _directions(self, i: int, number: int) -> list[list[int]]:
        if not self.ordered[i]:
            return [[other] for other in range(self.levels[i]) if other != number]
        order, rank = self._by_size[i], self._rank[i][number]
        return [order[:rank][::-1], order[rank + 1 :]]

    def __len__(self) -> int:
        return len(self.space) if self.keys is None else len(self.keys)

    def __iter__(self) -> Iterator[Key]:
        return iter(self.keys) if self.keys is not None else map(self.key, self.space)


def points_of(space: Space) -> Points:
    """The points of a space; written out once a space object."""
    known = space.__dict__.get("_points_by_number")
    if not isinstance(known, Points):
        known = Points(space)
        space.__dict__["_points_by_number"] = known
    return known


def _written_out(space: Space) -> NDArray[np.int64] | None:
    if not space.is_listed and space.product > WALKING_LIMIT:
        return None
    blocks, found = [np.empty((0, len(space.parameters)), dtype=np.int64)], 0
    for block in space.blocks():
        found += len(block)
        if found > ENUMERATION_LIMIT and not space.is_listed:
            return None
        blocks.append(block)
    return np.concatenate(blocks)


def _by_size(values: Sequence[Any]) -> list[int]:
    if not is_ordered(values):
        return list(range(len(values)))
    strange = [value for value in values if math.isnan(value)]
    if strange:
        raise FettleError("a parameter has the value NaN, which no other value can be compared to")
    return sorted(range(len(values)), key=lambda i: values[i])


def _nothing_left(space: Space) -> str:
    cut = sorted(space.pruned.items(), key=lambda item: -item[1])
    by = "; ".join(f"{reason!r} refuses {count}" for reason, count in cut[:3])
    return (
        f"the constraints leave none of the search space's {space.product} points ({by}); "
        "loosen one of them or give the parameters more values"
    )
