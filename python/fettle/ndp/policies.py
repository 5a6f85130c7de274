"""The policies of a schedule that a tuner tries, as a space; and the candidates of a computation.

The parameters are those that the library infers for the schedule (the paper's algorithm 1; they
come with the program's introspection). Two kinds of constraints cut the product of their values
while it is generated: what the platform refuses (`limits`), and what would have the same effect as
another point (the file of the platform in `platforms`, where the values come from too).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from fettle.core.errors import FettleError
from fettle.ndp.base.computation import Computation
from fettle.ndp.base.field import Value
from fettle.ndp.base.platform import Platform
from fettle.ndp.candidate import Candidate
from fettle.ndp.limits import limits
from fettle.ndp.platforms import platform_named
from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter
from fettle.search.space import Point, Space

SIZES = ("small", "full")


def policy_space(computation: Computation, schedule: str, size: str = "full") -> Space:
    """The policies to try under a schedule. A parameter is named like its field: "2.resource"."""
    if size not in SIZES:
        raise FettleError(f"there is no space of size {size!r}: use {' or '.join(SIZES)}")
    if schedule not in computation.schedules:
        raise FettleError(_unknown_schedule(computation, schedule))
    platform = platform_named(computation.platform)
    values = platform.values(computation, schedule, size)
    inferred = map(platform.field_of_parameter, computation.schedules[schedule])
    parameters = [Parameter(name, values[name]) for name in inferred]
    constraints = [*limits(computation, schedule), *platform.repeats(computation, schedule)]
    return Space(parameters, restricted(constraints, parameters, platform))


def candidates(
    computation: Computation, size: str = "full", schedules: Iterable[str] | None = None
) -> list[Candidate]:
    """All candidates of a computation, or of some of its schedules; strongest schedule first."""
    return [
        Candidate(computation.platform, schedule, cast(dict[str, Value], point))
        for schedule in (computation.schedules if schedules is None else schedules)
        for point in policy_space(computation, schedule, size)
    ]


# One knob at a time. Of a sample each step leaves a quarter, so that few are far from the best.
KNOB_VALUES: dict[str, tuple[Value, ...]] = {
    "sample": (4, 16, 64),
    "perforate": (2, 4, 8),
    "accumulation": ("single",),
}
_POLICIES_WITH_KNOBS = {"small": 2, "full": 6}  # of a schedule, with each value of a knob


def approximate_candidates(
    computation: Computation, size: str = "full", schedules: Iterable[str] | None = None
) -> list[Candidate]:
    """The candidates that set a knob: a few policies of each schedule, with each value.

    The policies are those of the small space, at equal distances where they are many. None where
    the computation has no knobs.
    """
    found = []
    for schedule in computation.schedules if schedules is None else schedules:
        points = list(policy_space(computation, schedule, "small"))
        known = limits(computation, schedule)
        for point in _spread(points, _POLICIES_WITH_KNOBS[size]):
            for knob in computation.knobs:
                for value in KNOB_VALUES[knob]:
                    policy = cast(dict[str, Value], {**point, knob: value})
                    if all(one.holds(policy) for one in known if knob in one.names):
                        found.append(Candidate(computation.platform, schedule, policy))
    return found


def _spread(points: Sequence[Point], most: int) -> list[Point]:
    """All, or as many of them from the first to the last."""
    if len(points) <= most:
        return list(points)
    return [points[round(i * (len(points) - 1) / (most - 1))] for i in range(most)]


def restricted(
    constraints: Iterable[Constraint], parameters: Iterable[Parameter], platform: Platform
) -> list[Constraint]:
    """Constraints over any fields as constraints over these parameters.

    Fields that are not parameters have their defaults. Constraints about such fields only say
    nothing about the space and are left out.
    """
    known = {parameter.name for parameter in parameters}
    return [
        constraint
        if known.issuperset(constraint.names)
        else _with_defaults(constraint, known, platform)
        for constraint in constraints
        if not constraint.names or known.intersection(constraint.names)
    ]


def _with_defaults(constraint: Constraint, known: set[str], platform: Platform) -> Constraint:
    defaults: Point = {
        name: field.default
        for name, field in platform.fields.items()
        if name in constraint.names and name not in known
    }
    names = tuple(name for name in constraint.names if name in known)

    def holds(*values: object) -> bool:
        point = {**defaults, **cast(Point, dict(zip(names, values, strict=True)))}
        return constraint.holds(point)

    return Constraint(names, holds, constraint.reason)


def _unknown_schedule(computation: Computation, schedule: str) -> str:
    for pruned, reason in computation.pruned:
        if pruned == schedule:
            return f"{computation.title} cannot run as {schedule}: {reason}"
    return (
        f"{computation.title} has no schedule {schedule!r}; there are "
        f"{', '.join(computation.schedules)}"
    )
