"""The paper's three ways to group parameters, for any space whose dimensions are known.

Garvey and Abdelrahman 2018, section 6.2: what interacts most should be in one group. By dimension
one keeps together what decides the work along an axis; by optimization, one kind of parameter over
all axes; hybrid is by dimension, with a step that reshapes the work-group at a constant size. On
their stencils hybrid found what by optimization found, at little more than the price of by
dimension (section 8.3.2).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence

from fettle.core.errors import FettleError
from fettle.search.grouped.specification import Specification

Groups = Mapping[str, Sequence[str]]
"""Parameters by the name of their dimension, or of their optimization, most important first."""

REPETITIONS = 2
"""The paper's r: of seven kernels one needed a third pass, and none a fourth (section 8.3.1)."""


def by_dimension(
    dimensions: Groups,
    *,
    first: Hashable = 1,
    repetitions: int = REPETITIONS,
    partition: str | None = None,
) -> Specification:
    """One group a dimension (section 6.2.1).

    All parameters but those of the first dimension, the innermost, have the value `first` until
    it is their turn. FettleError without dimensions, or where a parameter is in two.
    """
    return _by_dimension(dimensions, first, partition).repeat(repetitions)


def by_optimization(
    optimizations: Groups,
    *,
    keeping: Sequence[tuple[str, str]] = (),
    unset: Collection[str] = (),
    first: Hashable = 1,
    repetitions: int = REPETITIONS,
    partition: str | None = None,
) -> Specification:
    """One group an optimization, over all dimensions (section 6.2.2).

    All parameters of later groups have the value `first` until it is their turn; those of `unset`,
    for which a part of the space has no such value, that of a random valid point. `keeping` pairs
    parameters of the first optimization with such whose product with them stays the same when the
    first group is tuned again: work-group size and cyclic merging, so that the work of a group
    stays.
    """
    _check(optimizations, "optimization")
    groups = [tuple(names) for names in optimizations.values()]
    later = [name for group in groups[1:] for name in group if name not in unset]
    found = Specification(name="by optimization", partition=partition)
    if later:
        found = found.set(dict.fromkeys(later, first))
    if keeping:
        adjusted = [other for _, other in keeping]
        products = [f"{name} * {other}" for name, other in keeping]
        found = found.tune(*groups[0], passes="first")
        found = found.tune(*groups[0], *adjusted, keeping=products, passes="later")
    else:
        found = found.tune(*groups[0])
    for group in groups[1:]:
        found = found.tune(*group)
    return found.repeat(repetitions)


def hybrid(
    dimensions: Groups,
    geometry: Sequence[str],
    *,
    first: Hashable = 1,
    repetitions: int = REPETITIONS,
    partition: str | None = None,
) -> Specification:
    """By dimension, then the shape of the work-group at a constant size (section 6.2.3).

    `geometry`: the parameters whose product is the size of the work-group.
    """
    if len(geometry) < 2:
        raise FettleError(
            f"the geometry {', '.join(geometry) or 'of no parameters'} has no shape to tune; give "
            "two parameters or more, or group by dimension alone"
        )
    found = _by_dimension(dimensions, first, partition)
    found = found.tune(*geometry, keeping=[" * ".join(geometry)]).repeat(repetitions)
    return Specification(
        found.steps, found.partition, found.restrictions, found.repetitions, "hybrid"
    )


def _by_dimension(dimensions: Groups, first: Hashable, partition: str | None) -> Specification:
    _check(dimensions, "dimension")
    groups = [tuple(names) for names in dimensions.values()]
    found = Specification(name="by dimension", partition=partition)
    later = [name for group in groups[1:] for name in group]
    if later:
        found = found.set(dict.fromkeys(later, first))
    for group in groups:
        found = found.tune(*group)
    return found


def _check(groups: Groups, what: str) -> None:
    if not groups:
        raise FettleError(f"no {what} was given to group parameters by")
    seen: dict[str, str] = {}
    for group, names in groups.items():
        if not names:
            raise FettleError(f"the {what} {group!r} has no parameters")
        for name in names:
            if name in seen:
                raise FettleError(
                    f"the parameter {name!r} is in two groups, {seen[name]!r} and {group!r}"
                )
            seen[name] = group
