"""A search space: parameters, their values, and constraints that cut while it is generated.

Values are assigned to the parameters in order, and each constraint is checked as soon as the last
of its parameters has a value. What it refuses is never gone into: the finished product is not
generated, only counted (fettle.search.propagation).
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from fettle.core.errors import FettleError
from fettle.core.wording import near_names
from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter
from fettle.search.propagation import Propagation

__all__ = ["Constraint", "Parameter", "Point", "Space"]

Point = dict[str, Hashable]


class Space:
    """The points of the parameters' product that fulfil all constraints.

    Where several constraints refuse a point, the one that is checked first counts: earlier
    parameters first, and of those that are checked together the one that is given first. A
    constraint without parameters refuses all points or none.
    """

    def __init__(
        self, parameters: Sequence[Parameter], constraints: Iterable[Constraint] = ()
    ) -> None:
        self.parameters = tuple(parameters)
        self.constraints = tuple(constraints)
        self._check_parameters()
        index = {parameter.name: i for i, parameter in enumerate(self.parameters)}
        # Constraint k of _checks[i] can be checked once parameter i - 1 has a value.
        self._checks: list[list[Constraint]] = [[] for _ in range(len(self.parameters) + 1)]
        for constraint in self.constraints:
            unknown = [name for name in constraint.names if name not in index]
            if unknown:
                raise FettleError(
                    f"the constraint {constraint.reason!r} is about {', '.join(unknown)}, which "
                    f"the space does not have; {near_names(unknown[0], index, 'its parameters')}"
                )
            last = max((index[name] for name in constraint.names), default=-1)
            self._checks[last + 1].append(constraint)
        self._propagation = Propagation(self.parameters, self._checks)
        self._size: int | None = None
        self._cut: Counter[str] = Counter()

    @property
    def product(self) -> int:
        """How many points there would be without constraints."""
        return math.prod(len(parameter.values) for parameter in self.parameters)

    @property
    def is_listed(self) -> bool:
        """Whether the points are listed, so that their number is all that iterating costs."""
        return False

    @property
    def pruned(self) -> dict[str, int]:
        """How many points each constraint cut off, by its reason; those that cut none are out."""
        len(self)
        return dict(self._cut)

    def __len__(self) -> int:
        if self._size is None:
            self._cut = Counter()
            self._size = sum(map(len, self._propagation.blocks(self._cut)))
        return self._size

    def __iter__(self) -> Iterator[Point]:
        names = [parameter.name for parameter in self.parameters]
        values = [parameter.values for parameter in self.parameters]
        for block in self.blocks():
            for row in block.tolist():
                chosen = [some[level] for some, level in zip(values, row, strict=True)]
                yield dict(zip(names, chosen, strict=True))

    def blocks(self) -> Iterator[npt.NDArray[np.int64]]:
        """The points in their order as arrays: a row a point, the number of each one's value."""
        return (block.astype(np.int64) for block in self._propagation.blocks(Counter()))

    def violation(self, point: Mapping[str, Hashable]) -> str | None:
        """The reason of the constraint that refuses a point; None where all hold."""
        for constraints in self._checks:
            for constraint in constraints:
                if not constraint.holds(point):
                    return constraint.reason
        return None

    def descend(self, rng: random.Random) -> Point:
        """A random point, found by propagation: values are tried in random order, depth first.

        Every point can be drawn, but not each as often: those with few others beside them are
        drawn more often. FettleError where the constraints leave nothing.
        """
        point: Point = {}
        if self._is_allowed(point, 0) and self._descend(point, 0, rng):
            return point
        raise FettleError("the constraints leave none of the search space's points")

    def _descend(self, point: Point, depth: int, rng: random.Random) -> bool:
        if depth == len(self.parameters):
            return True
        parameter = self.parameters[depth]
        for value in rng.sample(parameter.values, len(parameter.values)):
            point[parameter.name] = value
            if self._is_allowed(point, depth + 1) and self._descend(point, depth + 1, rng):
                return True
        del point[parameter.name]
        return False

    def _is_allowed(self, point: Point, depth: int) -> bool:
        return all(constraint.holds(point) for constraint in self._checks[depth])

    def _check_parameters(self) -> None:
        seen: set[str] = set()
        for parameter in self.parameters:
            if parameter.name in seen:
                raise FettleError(f"the parameter {parameter.name!r} is given twice")
            seen.add(parameter.name)
            if not parameter.values:
                raise FettleError(f"the parameter {parameter.name!r} has no values to try")
            if len(set(parameter.values)) != len(parameter.values):
                raise FettleError(f"a value of the parameter {parameter.name!r} is given twice")
