"""A space whose valid points are listed, as in a table of measurements."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from fettle.core.errors import FettleError
from fettle.search.parameter import Parameter
from fettle.search.space import Point, Space


class ListedSpace(Space):
    """The listed points, in their order, and no other.

    Each must give every parameter one of its values, and none may be listed twice. Nothing of the
    product but them is visited.
    """

    def __init__(
        self, parameters: Sequence[Parameter], points: Iterable[Mapping[str, Hashable]]
    ) -> None:
        super().__init__(parameters)
        names = [parameter.name for parameter in self.parameters]
        values = [frozenset(parameter.values) for parameter in self.parameters]
        self._listed: dict[tuple[Hashable, ...], None] = {}
        for point in points:
            missing = next((name for name in names if name not in point), None)
            if missing is not None:
                raise FettleError(f"the listed point {dict(point)} lacks the parameter {missing!r}")
            row = tuple(point[name] for name in names)
            for name, value, known in zip(names, row, values, strict=True):
                if value not in known:
                    raise FettleError(
                        f"{value!r} of a listed point is not one of the values of the parameter "
                        f"{name!r}"
                    )
            if row in self._listed:
                raise FettleError(f"the point {dict(point)} is listed twice; leave one")
            self._listed[row] = None

    @property
    def is_listed(self) -> bool:
        """Always."""
        return True

    @property
    def pruned(self) -> dict[str, int]:
        """How many points of the product are not listed."""
        left_out = self.product - len(self._listed)
        return {"not listed": left_out} if left_out else {}

    def __len__(self) -> int:
        return len(self._listed)

    def __iter__(self) -> Iterator[Point]:
        names = [parameter.name for parameter in self.parameters]
        return (dict(zip(names, row, strict=True)) for row in self._listed)

    def blocks(self) -> Iterator[npt.NDArray[np.int64]]:
        """All of them as one array: a row a point, the number of each one's value."""
        numbers = [{v: i for i, v in enumerate(p.values)} for p in self.parameters]
        yield np.array(
            [[n[v] for n, v in zip(numbers, row, strict=True)] for row in self._listed],
            dtype=np.int64,
        ).reshape(-1, len(numbers))

    def violation(self, point: Mapping[str, Hashable]) -> str | None:
        """None for a listed point."""
        row = tuple(point[parameter.name] for parameter in self.parameters)
        return None if row in self._listed else "not listed"

    def descend(self, rng: random.Random) -> Point:
        """One of them, uniform."""
        row = rng.choice(list(self._listed))
        return {p.name: value for p, value in zip(self.parameters, row, strict=True)}
