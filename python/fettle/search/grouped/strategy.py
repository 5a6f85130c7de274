"""Grouped search: one group of parameters after the other, the rest at the best values so far.

Garvey and Abdelrahman 2018, section 6: the parameter with the largest effect splits the space, and
its value is predicted (`fettle.search.grouped.partition_model`) or each is tried; within a part,
groups of parameters that interact are explored, fixed at the best values found, and all of it is
repeated r times, so that an early group sees what a later one decided.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from pathlib import Path

from fettle.core.errors import FettleError
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.grouped.checks import Partition, check, line_of, names_of, parts_of
from fettle.search.grouped.default_grouping import default_specification
from fettle.search.grouped.group import Constants, Group, draw_start
from fettle.search.grouped.parser import read_specification
from fettle.search.grouped.specification import EVERYTHING, Set, Specification, Tune
from fettle.search.numbering import Key
from fettle.search.space import Point, Space


class Grouped(SteppedStrategy):
    """Tunes the groups of a specification in turn, and again until nothing changes.

    - `spec`: a `Specification`, or the path of a file with one; None: `default_specification`,
      from the names of the parameters, and again from another random point when it has ended.
    - `repetitions`: passes beyond the first; None: as the specification says.
    - `partition`: the value of the parameter that splits the space, {"loading": "shared"}, or
      several in the order in which they are searched, such as the likeliest two of a model; a
      name alone, or the specification's, stands for all its values (the paper's oracle).
    - `constants`: values of names in the specification that are not parameters, such as sizes.

    Parameters that no `set` gives a value to have those of a random valid point at first. Groups
    cost the product of their parameters' values at most; no point is measured twice. Raises
    FettleError for names and values that the space does not have, with the line that has them.
    """

    def __init__(
        self,
        space: Space,
        seed: int,
        budget: int | None = None,
        *,
        spec: Specification | Path | str | None = None,
        repetitions: int | None = None,
        partition: Partition | None = None,
        constants: Constants | None = None,
    ) -> None:
        super().__init__(space, seed, budget)
        self._restarts = spec is None
        if spec is None:
            spec = default_specification(space, budget, names_of(partition))
        elif not isinstance(spec, Specification):
            spec = read_specification(Path(spec))
        if repetitions is not None:
            spec = spec.repeat(repetitions)
        self.spec = spec
        self.constants = dict(constants or {})
        self._by, self._parts = parts_of(space, spec, partition)
        check(space, spec, self.constants, self._by)
        self._samples_again = any(
            step.sample is not None and step.passes != "first" for step in spec.groups
        )
        self._ahead: list[Key] = []

    def steps(self) -> Steps[None]:
        """A search a value of the partition; without a specification, again and again."""
        while True:
            before = len(self.visited)
            for value in self._parts:
                yield from self._search({} if self._by is None else {self._by: value})
            if not self._restarts or len(self.visited) == before:
                return

    def ahead(self) -> list[Point]:
        """Points that will be asked for whatever the next values are: the rest of the group.

        They may be measured with the proposed point, and tell() may get their values in any order.
        """
        return [self.points.point(key) for key in self._ahead if key not in self.values]

    def _search(self, part: Mapping[str, Hashable]) -> Steps[None]:
        held = self._start(part)
        best = float("inf")
        measured = False
        for number in range(self.spec.repetitions + 1):
            before = held
            for step in self.spec.steps:
                if isinstance(step, Set):
                    if number == 0 and measured:
                        held = self._set(step, held, self.points.names)
                        best = float("inf")
                elif step.passes != ("later" if number == 0 else "first"):
                    keys = self._group(step, held, part)
                    self._ahead = keys
                    measured = measured or bool(keys)
                    for key in keys:
                        value = yield from self.value(key)
                        if value < best:
                            held, best = self.points.point(key), value
            if not measured:
                raise FettleError(
                    f"{self.spec.name}: the conditions of its groups leave no point to measure "
                    f"beside {held}"
                )
            if number and held == before and not self._samples_again:
                return

    def _start(self, part: Mapping[str, Hashable]) -> Point:
        fixed: Point = dict(part)
        for step in self.spec.steps:
            if isinstance(step, Tune):
                break
            fixed = self._set(step, fixed, tuple(fixed))
        try:
            return draw_start(self.points, fixed, self.spec.restrictions, self.constants, self.rng)
        except FettleError as error:
            raise FettleError(f"{self.spec.name}: {error}") from error

    def _set(self, step: Set, held: Point, known: Collection[str]) -> Point:
        values = dict(held)
        for name, expression in step.values:
            needed = (*expression.names, *expression.of_best)
            missing = [n for n in needed if n not in values and n not in self.constants]
            if missing:
                raise FettleError(
                    f"{line_of(self.spec, step)}: {name} = {expression} needs {missing[0]}, which "
                    f"has no value yet; there are {', '.join(known) or 'none'}"
                )
            value = expression.value({**self.constants, **values}, values)
            parameter = next(p for p in self.space.parameters if p.name == name)
            if value not in parameter.values:
                raise FettleError(
                    f"{line_of(self.spec, step)}: {name} = {value!r} is none of its values, "
                    f"{', '.join(map(repr, parameter.values))}"
                )
            values[name] = parameter.values[parameter.values.index(value)]
        return values

    def _group(self, step: Tune, held: Point, part: Mapping[str, Hashable]) -> list[Key]:
        free = [name for name in self.points.names if name not in part]
        if step.parameters != (EVERYTHING,):
            free = [name for name in free if name in step.parameters]
        where = (*self.spec.restrictions, *step.where)
        group = Group(self.points, held, free, where, step.keeping, self.constants)
        if step.sample is None:
            return group.keys()
        return group.sample(step.sample, self.rng, self.visited)
