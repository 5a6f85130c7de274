"""Search strategies: `ask` proposes a point, `tell` receives its measured value."""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Generator, Hashable, Mapping
from typing import Protocol, TypeVar

from fettle.core.errors import FettleError
from fettle.search.numbering import Key
from fettle.search.points import points_of
from fettle.search.space import Point, Space


class Strategy(Protocol):
    """Chooses what to measure next.

    Every constructor takes (space, seed, budget=None, **options): `budget` is the largest number
    of points proposed; None: no limit. The same seed and the same values give the same points.
    """

    def ask(self) -> Point | None:
        """The next point to measure: valid, and never a repeated one. None: no point is left."""
        ...

    def tell(self, point: Point, value: float) -> None:
        """Receives the value of a point; smaller is better, math.inf: it failed.

        Values of other points, such as those of an earlier run, are accepted too; these points are
        then not proposed, and do not count against the budget.
        """
        ...


Result = TypeVar("Result")
# What a strategy's steps yield (a point to measure), are sent (its value) and return.
Steps = Generator[Key, float, Result]


def as_cost(value: float) -> float:
    """A measured value; NaN and infinities become infinity, so that NaN is never the best."""
    return value if math.isfinite(value) else math.inf


class SteppedStrategy(ABC):
    """A strategy that is written as one generator, `steps()`.

    Steps get the value of a key by `yield from self.value(key)`; a known value is returned at
    once. So a strategy may return to a point as often as its method needs, and one that received an
    earlier run's values repeats that run, with the same seed, and continues from its end. Steps
    must use `fresh()` points when their method proposes visited ones only, and return when there
    are none.
    """

    def __init__(self, space: Space, seed: int, budget: int | None = None) -> None:
        if budget is not None and budget < 1:
            raise FettleError(f"a budget of {budget} measurements; give at least 1")
        self.space = space
        self.points = points_of(space)
        self.seed = seed
        self.budget = budget
        self.rng = random.Random(seed)
        self.values: dict[Key, float] = {}
        # The keys that the steps used; `values` may hold more, from an earlier run.
        self.visited: set[Key] = set()
        self._asked = 0
        self._pending: Key | None = None
        self._next: Key | None = None
        self._steps: Steps[None] | None = None
        self._is_done = False

    @abstractmethod
    def steps(self) -> Steps[None]:
        """Yields keys to measure, each new and valid, and is sent their values."""

    def value(self, key: Key) -> Steps[float]:
        """A point's value; measured where it is not known yet."""
        self.visited.add(key)
        if key not in self.values:
            self.values[key] = yield key
        return self.values[key]

    def fresh(self) -> Key | None:
        """A random point that was not visited; None if all were."""
        return self.points.unseen(self.rng, self.visited)

    def ask(self) -> Point | None:
        """The next point; None after the budget, after the last point, or when steps() ends."""
        if self._pending is not None:
            raise FettleError(
                f"tell() the strategy the value of {self.points.point(self._pending)} before the "
                "next ask()"
            )
        if self._is_done or (self.budget is not None and self._asked >= self.budget):
            return None
        if self.points.keys is not None and len(self.values) >= len(self.points.keys):
            return None
        if self._steps is None:
            self._steps = self.steps()
            self._next = self._advance(None)
        while self._next is not None and self._next in self.values:
            self._next = self._advance(self.values[self._next])
        if self._next is None:
            self._is_done = True
            return None
        self._pending = self._next
        self._asked += 1
        return self.points.point(self._pending)

    def tell(self, point: Mapping[str, Hashable], value: float) -> None:
        """Receives a point's value, proposed or not. FettleError for a point outside the space."""
        key = self.points.key(point)
        if not self.points.is_valid(key):
            raise FettleError(
                f"the point {dict(point)} is not in the search space: {self.space.violation(point)}"
            )
        self.values[key] = as_cost(value)
        if key == self._pending:
            self._pending = None

    def _advance(self, value: float | None) -> Key | None:
        assert self._steps is not None
        try:
            return next(self._steps) if value is None else self._steps.send(value)
        except StopIteration:
            return None
