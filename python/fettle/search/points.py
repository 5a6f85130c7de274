"""The points of a space by number: what strategies draw, step between and look for near others.

Of all keys (numbering.py) those that the constraints allow. Spaces of up to ENUMERATION_LIMIT
points are written out once, on first use, and shared by all strategies that search the same space
object; larger ones are never written out, nor are those of more than WALKING_LIMIT combinations,
valid or not.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.search.numbering import Key, Numbering
from fettle.search.space import Space

ENUMERATION_LIMIT = 2_000_000
WALKING_LIMIT = 25_000_000
# Drawn from the product and refused by the constraints before points are drawn by propagation.
_REFUSALS = 1000


class Points(Numbering):
    """The valid points of a space. Raises FettleError where there are none."""

    def __init__(self, space: Space) -> None:
        if not space.parameters:
            raise FettleError("the search space has no parameters; give it at least one")
        super().__init__(space)
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
        return None if self.codes is None else self.rows(self.codes)

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
            for direction in self.directions(i, key[i]):
                for number in direction:
                    other = (*key[:i], number, *key[i + 1 :])
                    if self.is_valid(other):
                        found.append(other)
                        break
        return found

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
                        [n for d in self.directions(i, key[i]) for n in d[:2]] or [key[i]]
                    )
                if tuple(other) not in seen and self.is_valid(tuple(other)):
                    return tuple(other)
        return self.unseen(rng, seen)

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


def _nothing_left(space: Space) -> str:
    cut = sorted(space.pruned.items(), key=lambda item: -item[1])
    by = "; ".join(f"{reason!r} refuses {count}" for reason, count in cut[:3])
    return (
        f"the constraints leave none of the search space's {space.product} points ({by}); "
        "loosen one of them or give the parameters more values"
    )
