"""What a specification and its options must have of a search space, and what is said if not."""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Mapping, Sequence

from fettle.core.errors import FettleError
from fettle.search.grouped.expression import Expression
from fettle.search.grouped.group import Constants
from fettle.search.grouped.specification import EVERYTHING, Set, Specification, Tune
from fettle.search.space import Space

Partition = str | Mapping[str, Hashable | Sequence[Hashable]]
"""A parameter whose values are all searched, or the value or values that are."""


def names_of(partition: Partition | None) -> tuple[str, ...]:
    """The parameter that a partition is about; none without one."""
    if partition is None:
        return ()
    return (partition,) if isinstance(partition, str) else tuple(partition)


def parts_of(
    space: Space, spec: Specification, partition: Partition | None
) -> tuple[str | None, tuple[Hashable, ...]]:
    """The parameter that splits the space, and the values to search, in order."""
    by = spec.partition
    if isinstance(partition, Mapping):
        if len(partition) != 1:
            raise FettleError(f"partition={dict(partition)!r}; give one parameter and its values")
        ((name, given),) = partition.items()
    elif partition is not None:
        name, given = partition, None
    elif by is not None:
        name, given = by, None
    else:
        return None, (None,)
    if by is not None and name != by:
        raise FettleError(f"partition={name!r}, but {spec.name} splits the space by {by!r}")
    values = next((p.values for p in space.parameters if p.name == name), None)
    if values is None:
        raise FettleError(f"partition={name!r} is not a parameter; {_known(space, name)}")
    if given is None:
        return name, values
    chosen = tuple(given) if isinstance(given, list | tuple) else (given,)
    strange = [value for value in chosen if value not in values]
    if strange or not chosen:
        what = f"{strange[0]!r} is none" if strange else "there is none"
        raise FettleError(
            f"partition={name!r}: {what} of its values, {', '.join(map(repr, values))}"
        )
    return name, tuple(dict.fromkeys(chosen))


def check(space: Space, spec: Specification, constants: Constants, by: str | None) -> None:
    """FettleError, naming the line, for names that are neither parameters nor constants."""
    parameters = {parameter.name for parameter in space.parameters}

    def known(line: str, expressions: Sequence[Expression]) -> None:
        for expression in expressions:
            for name in expression.names:
                if name not in parameters and name not in constants:
                    raise FettleError(
                        f"{line}: {str(expression)!r} has {name!r}, which is neither a parameter "
                        f"nor a constant; {_known(space, name)}"
                    )
            for name in expression.of_best:
                if name not in parameters:
                    raise FettleError(
                        f"{line}: {str(expression)!r} has best.{name}, which is not a parameter; "
                        f"{_known(space, name)}"
                    )

    clash = sorted(parameters & set(constants))
    if clash:
        raise FettleError(f"{clash[0]!r} is a constant and a parameter; rename the constant")
    if not spec.groups:
        raise FettleError(f"{spec.name} has no group, so that nothing would be measured")
    known(spec.name, spec.restrictions)
    for step in spec.steps:
        line = line_of(spec, step)
        is_group = isinstance(step, Tune)
        names = step.parameters if isinstance(step, Tune) else [name for name, _ in step.values]
        for name in names:
            if name not in parameters and name != EVERYTHING:
                raise FettleError(f"{line}: {name!r} is not a parameter; {_known(space, name)}")
            if name == by:
                word = "tuned" if is_group else "set"
                raise FettleError(
                    f"{line}: {name!r} splits the space, so it cannot be {word} as well"
                )
        if isinstance(step, Tune):
            known(line, [*step.keeping, *step.where])
        else:
            known(line, [expression for _, expression in step.values])


def line_of(spec: Specification, step: Set | Tune) -> str:
    """Where a step stands, for messages."""
    return f"{spec.name}, line {step.line}" if step.line is not None else f"{spec.name}, {step}"


def _known(space: Space, name: str) -> str:
    names = [parameter.name for parameter in space.parameters]
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}there are {', '.join(names)}"
