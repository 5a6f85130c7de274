"""What a grouped search does, step by step: a value that is built here or read from a file.

    Specification().set(WY=1, CY=1).tune("WX", "CX").tune("WY", "CY").repeat(2)

The same as a file (`fettle.search.grouped.parser`), which is what `text()` gives:

    set WY = 1, CY = 1
    tune WX CX
    tune WY CY
    repeat 2

Garvey and Abdelrahman, "A Strategy for Automatic Performance Tuning of Stencil Computations on
GPUs", Scientific Programming 2018, sections 6.2 and 7.3: their "heuristic specification files".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from fettle.core.errors import FettleError
from fettle.search.grouped.expression import Expression, parse_expression

EVERYTHING = "*"
"""All parameters but the partition's, as the only name of a `tune`."""

Passes = Literal["all", "first", "later"]


@dataclass(frozen=True)
class Set:
    """Parameters that get the values of expressions, in the first pass only."""

    values: tuple[tuple[str, Expression], ...]
    line: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return "set " + ", ".join(f"{name} = {value}" for name, value in self.values)


@dataclass(frozen=True)
class Tune:
    """A group: parameters whose values are tried together while the others keep theirs.

    `keeping`: expressions that must have the value that they have in the best configuration so
    far. `where`: conditions on what is tried. `sample`: how many random points of the group are
    tried; None: all. `passes`: in which passes the group is tuned.
    """

    parameters: tuple[str, ...]
    keeping: tuple[Expression, ...] = ()
    where: tuple[Expression, ...] = ()
    sample: int | None = None
    passes: Passes = "all"
    line: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        words: list[str] = [] if self.passes == "all" else [self.passes]
        words += ["tune", *self.parameters]
        if self.keeping:
            words.append("keeping " + ", ".join(map(str, self.keeping)))
        if self.where:
            words.append("where " + ", ".join(map(str, self.where)))
        if self.sample is not None:
            words.append(f"sample {self.sample}")
        return " ".join(words)


@dataclass(frozen=True)
class Specification:
    """The steps of one pass, and how often they are repeated.

    `partition` names the parameter that splits the space: its value is chosen before the search,
    and each value that is to be tried gets a separate search. `restrictions` hold for all that is
    measured. `repetitions` is the paper's r: passes beyond the first.
    """

    steps: tuple[Set | Tune, ...] = ()
    partition: str | None = None
    restrictions: tuple[Expression, ...] = ()
    repetitions: int = 0
    name: str = field(default="specification", compare=False)

    @property
    def groups(self) -> tuple[Tune, ...]:
        """The steps that measure."""
        return tuple(step for step in self.steps if isinstance(step, Tune))

    def partition_by(self, parameter: str) -> Specification:
        """With a parameter that splits the space."""
        return replace(self, partition=parameter)

    def set(self, values: Mapping[str, Hashable] | None = None, **named: Hashable) -> Specification:
        """With values that parameters have at first. A word is a value, not an expression."""
        given = {**(values or {}), **named}
        step = Set(tuple((name, parse_expression(repr(value))) for name, value in given.items()))
        return replace(self, steps=(*self.steps, step))

    def tune(
        self,
        *parameters: str,
        keeping: Iterable[str] = (),
        where: Iterable[str] = (),
        sample: int | None = None,
        passes: Passes = "all",
    ) -> Specification:
        """With one more group. Raises FettleError as `checked` does."""
        step = Tune(
            parameters,
            tuple(map(parse_expression, keeping)),
            tuple(map(parse_expression, where)),
            sample,
            passes,
        )
        return replace(self, steps=(*self.steps, checked(step)))

    def restrict(self, *conditions: str) -> Specification:
        """With conditions on all that is measured."""
        more = tuple(map(parse_expression, conditions))
        return replace(self, restrictions=(*self.restrictions, *more))

    def repeat(self, repetitions: int) -> Specification:
        """With so many passes beyond the first. FettleError for less than none."""
        if repetitions < 0:
            raise FettleError(f"repetitions is {repetitions}; give 0 or more")
        return replace(self, repetitions=repetitions)

    def text(self) -> str:
        """The specification as a file; `parse_specification` gives an equal one again."""
        lines = [] if self.partition is None else [f"partition {self.partition}"]
        if self.restrictions:
            lines.append("restrict " + ", ".join(map(str, self.restrictions)))
        lines += map(str, self.steps)
        if self.repetitions:
            lines.append(f"repeat {self.repetitions}")
        return "\n".join(lines) + "\n"


def checked(step: Tune) -> Tune:
    """The group itself. FettleError where it has no parameters, one twice, or a sample below 1."""
    if not step.parameters:
        raise FettleError("'tune' names no parameter; name those of the group, or * for all")
    twice = {name for name in step.parameters if step.parameters.count(name) > 1}
    if twice:
        raise FettleError(f"'tune' names the parameter {min(twice)!r} twice")
    if EVERYTHING in step.parameters and len(step.parameters) > 1:
        raise FettleError("'tune *' is all parameters; name no others beside it")
    if step.sample is not None and step.sample < 1:
        raise FettleError(f"'sample {step.sample}' measures nothing; give at least 1")
    return step
